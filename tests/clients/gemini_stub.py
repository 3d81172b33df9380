"""The scripted model as Gemini CLI asks it: ``POST /v1beta/models/NAME:streamGenerateContent``.

Scripts and records are those of model_stub.py.
"""

from __future__ import annotations

import json
import sys
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.clients import model_stub

CHARACTERS = 4
"""Of a request, for one token: the client compresses its history by what it is told of its length."""


def parts(content: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The blocks of an answer as parts."""
    return [
        {"text": block["text"]}
        if block["type"] == "text"
        else {"functionCall": {"name": block["name"], "args": block["input"]}}
        for block in content
    ]


class Handler(model_stub.Handler):
    """Speaks just enough of the API."""

    def do_POST(self) -> None:  # noqa: N802 - the name is the base class's
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path, _, query = self.path.partition("?")
        if path.endswith(":countTokens"):
            self.send(200, "application/json", b'{"totalTokens": 100}')
            return
        if not path.endswith(("enerateContent",)):
            self.do_GET()
            return
        status, content = self.model.answer(path, json.loads(raw))
        if status != 200:
            error = {"code": status, "message": "refused by the script", "status": "INVALID_ARGUMENT"}
            self.send(status, "application/json", json.dumps({"error": error}).encode())
            return
        said = {"content": {"role": "model", "parts": parts(content)}, "finishReason": "STOP", "index": 0}
        asked = len(raw) // CHARACTERS
        usage = {"promptTokenCount": asked, "candidatesTokenCount": 10, "totalTokenCount": asked + 10}
        answer = json.dumps({"candidates": [said], "usageMetadata": usage, "modelVersion": "scripted"})
        if "alt=sse" in query:
            self.send(200, "text/event-stream", f"data: {answer}\r\n\r\n".encode())
        else:
            self.send(200, "application/json", answer.encode())


def main() -> None:
    """Serve until killed."""
    Handler.model = model_stub.Model(Path(sys.argv[1]))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
