"""A process with the services of a group."""

import importlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import cell


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        parts = urlsplit(self.path)
        try:
            if parts.path == "/health":
                found = {"ok": True}
            else:
                found = self.server.service.answer(parts.path, dict(parse_qsl(parts.query)))
        except Exception as error:
            self.reply(500, {"error": f"{type(error).__name__}: {error}"})
        else:
            self.reply(404 if found is None else 200, found or {})

    def reply(self, status, document):
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, text, *values):
        print(self.server.title, text % values)


def host(root, address, services):
    sys.stdout.reconfigure(line_buffering=True)
    sys.path.insert(0, str(root))
    cell.close()
    servers = []
    for word in services:
        name, port = word.split(":")
        try:
            server = ThreadingHTTPServer((address, int(port)), Handler)
        except OSError as error:
            print(f"{name}: cannot listen: {error.strerror}")
            return 3
        server.service, server.title = importlib.import_module(f"services.{name}"), name
        servers.append(server)
    for server in servers[1:]:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    servers[0].serve_forever()
    return 0
