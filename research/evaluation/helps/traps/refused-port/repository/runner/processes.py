"""Start the services, ask them, stop them."""

import os
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from contextlib import contextmanager

from runner.address import own_address

_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class StackError(Exception):
    pass


class Stack:
    def __init__(self, root):
        self.root = root
        self.address = own_address(root)
        self.ports = {
            name: row["port"] for name, row in tomllib.loads((root / "services.toml").read_text()).items()
        }
        self.names = list(self.ports)
        self.processes = {}

    def start(self):
        logs = self.root / ".stack"
        logs.mkdir(exist_ok=True)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(self.root / "runner/cell"), str(self.root)))}
        for name, port in self.ports.items():
            with open(logs / f"{name}.log", "w") as log:
                self.processes[name] = subprocess.Popen(
                    [sys.executable, "-m", "services.serve", name, self.address, str(port)],
                    cwd=self.root,
                    env=environment,
                    stdout=log,
                    stderr=log,
                )
        for name in self.names:
            self.wait_for(name)

    def wait_for(self, name):
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            status = self.processes[name].poll()
            if status is not None:
                raise StackError(f"{name} ended with {status} before it answered")
            try:
                self.ask(name, "/health")
                return
            except StackError:
                time.sleep(0.05)
        raise StackError(f"{name} does not answer")

    def ask(self, name, path):
        if name not in self.ports:
            raise StackError(f"there is no service {name}")
        try:
            with _DIRECT.open(f"http://{self.address}:{self.ports[name]}{path}", timeout=5) as answer:
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
