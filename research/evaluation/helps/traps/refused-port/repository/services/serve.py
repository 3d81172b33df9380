"""Serve one service: python3 -m services.serve NAME ADDRESS PORT"""

import importlib
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


class Handler(BaseHTTPRequestHandler):
    service = None

    def do_GET(self):
        parts = urlsplit(self.path)
        try:
            if parts.path == "/health":
                found = {"ok": True}
            else:
                found = self.service.answer(parts.path, dict(parse_qsl(parts.query)))
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
        print(text % values)


def main(name, address, port):
    Handler.service = importlib.import_module(f"services.{name}")
    try:
        server = ThreadingHTTPServer((address, int(port)), Handler)
    except OSError as error:
        print(f"{name}: cannot listen: {error.strerror}")
        return 3
    server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    sys.exit(main(*sys.argv[1:]))
