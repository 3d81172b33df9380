"""Hold the settings of one board."""

import json
import socketserver
import time

from places import START, folder

IDLE_SECONDS = 20


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        self.server.asked = time.monotonic()
        try:
            answer = {"value": self.server.answer(*json.loads(self.rfile.readline()))}
        except KeyError as name:
            answer = {"error": f"there is no setting {name}"}
        self.wfile.write(json.dumps(answer).encode() + b"\n")


class Server(socketserver.UnixStreamServer):
    def __init__(self, name):
        self.state = folder() / f"{name}.state"
        self.settings = dict(START)
        if self.state.exists():
            self.settings |= json.loads(self.state.read_text())
        self.asked = time.monotonic()
        self.place = folder() / f"{name}.sock"
        self.place.unlink(missing_ok=True)
        super().__init__(str(self.place), Handler)

    def answer(self, verb, name=None, value=None):
        if verb == "list":
            return self.settings
        if name not in self.settings:
            raise KeyError(name)
        if verb == "set":
            self.settings[name] = value
            self.state.write_text(json.dumps(self.settings))
        return self.settings[name]


def hold(name):
    with Server(name) as server:
        server.timeout = 1
        while time.monotonic() - server.asked < IDLE_SECONDS and server.place.exists():
            server.handle_request()
    server.place.unlink(missing_ok=True)
    return 0
