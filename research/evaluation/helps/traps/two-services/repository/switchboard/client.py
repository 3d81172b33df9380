"""Ask a switchboard."""

import json
import os
import socket
import subprocess
import sys
import time

from switchboard.place import place_of


class NoAnswer(Exception):
    pass


class Client:
    def __init__(self, root, site=""):
        self.root = root
        self.place = place_of(root, site)

    def get(self, name):
        return self.ask("get", name)

    def set(self, name, value):
        return self.ask("set", name, value)

    def list(self):
        return self.ask("list")

    def ask(self, *request):
        with self.connect() as connection, connection.makefile("rw") as stream:
            stream.write(json.dumps(request) + "\n")
            stream.flush()
            answer = json.loads(stream.readline())
        if "error" in answer:
            raise NoAnswer(answer["error"])
        return answer["value"]

    def connect(self):
        os.chdir(self.root)  # the path of a socket must be short
        started = False
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(self.place.socket)
            except OSError:
                connection.close()
                if not started:
                    subprocess.Popen(
                        [sys.executable, "-m", "switchboard.server", self.place.site],
                        cwd=self.root,
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                        start_new_session=True,
                    )
                    started = True
                time.sleep(0.03)
            else:
                return connection
        raise NoAnswer("the switchboard does not answer")
