"""Hold the settings of one site: python3 -m switchboard.server SITE"""

import json
import os
import socketserver
import sys
import time
from pathlib import Path

from switchboard.place import place_of

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
    def __init__(self, place):
        self.state = Path(place.state)
        self.settings = place.settings
        if self.state.exists():
            self.settings |= json.loads(self.state.read_text())
        self.asked = time.monotonic()
        super().__init__(place.socket, Handler)

    def answer(self, verb, name=None, value=None):
        if verb == "list":
            return self.settings
        if name not in self.settings:
            raise KeyError(name)
        if verb == "set":
            self.settings[name] = value
            self.state.write_text(json.dumps(self.settings))
        return self.settings[name]


def main(site):
    root = Path(__file__).resolve().parents[1]
    os.chdir(root)
    place = place_of(root, site)
    Path(place.socket).parent.mkdir(exist_ok=True)
    Path(place.socket).unlink(missing_ok=True)
    with Server(place) as server:
        server.timeout = 1
        while time.monotonic() - server.asked < IDLE_SECONDS and Path(place.socket).exists():
            server.handle_request()
    Path(place.socket).unlink(missing_ok=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
