"""Start the services, ask them, stop them."""

import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from contextlib import contextmanager

from address import own_address

_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class StackError(Exception):
    """What is wrong with the stack."""


def read_services(root):
    try:
        found = tomllib.loads((root / "services.toml").read_text())
        return {name: {"port": row["port"], "group": row["group"]} for name, row in found.items()}
    except (OSError, ValueError, KeyError) as error:
        raise StackError(f"services.toml: {error}") from None


class Stack:
    def __init__(self, root):
        self.root = root
        self.address = own_address(root)
        self.services = read_services(root)
        self.names = list(self.services)
        self.processes = {}

    def start(self):
        logs = self.root / ".stack"
        logs.mkdir(exist_ok=True)
        groups = {}
        for name, row in self.services.items():
            groups.setdefault(row["group"], []).append(f"{name}:{row['port']}")
        for group, words in groups.items():
            with open(logs / f"{group}.log", "w") as log:
                self.processes[group] = subprocess.Popen(
                    [sys.executable, sys.argv[0], "--host", self.address, *words], cwd=self.root, stdout=log, stderr=log
                )
        for name in self.names:
            self.wait_for(name)

    def wait_for(self, name):
        group = self.services[name]["group"]
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            status = self.processes[group].poll()
            if status is not None:
                raise StackError(f"group {group} ended with {status}, see .stack/{group}.log")
            try:
                self.ask(name, "/health")
                return
            except StackError:
                time.sleep(0.05)
        raise StackError(f"{name} does not answer")

    def ask(self, name, path):
        if name not in self.services:
            raise StackError(f"there is no service {name}")
        try:
            with _DIRECT.open(f"http://{self.address}:{self.services[name]['port']}{path}", timeout=5) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise StackError(f"{name} {path}: {error.code} {error.read().decode()}") from None
        except OSError as error:
            raise StackError(f"{name} {path}: {error}") from None

    def stop(self):
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            process.wait(10)


@contextmanager
def running(root):
    stack = Stack(root)
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()
