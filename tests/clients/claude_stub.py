"""A stand-in for the model: ``POST /v1/messages`` on 127.0.0.1, answering from a script, keeping every request.

Run as ``python model_stub.py FOLDER``; prints its port. In FOLDER it reads, afresh at each request,

* ``script.json``: ``{"name": str, "status": int, "turns": [[block, ...], ...]}``, where a block is a string (text) or
  ``{"tool": name, "input": {...}}``. A request that offers tools gets the next turn; after the last turn, and to
  every other request (titles and the like), the answer is the text "Done.". A status other than 200 refuses all, a
  turn ``[{"refused": status}]`` everything from there on.

and it appends each request to ``requests.jsonl`` as ``{"script", "main", "path", "body"}``.
"""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

USAGE = {"input_tokens": 10, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


class Model:
    """The script and how far each named script has got."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock = threading.Lock()
        self.taken: dict[str, int] = {}
        self.calls = 0

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, list[dict[str, Any]]]:
        """Record the request and return the status and the content blocks of the answer."""
        with self.lock:
            script = json.loads((self.folder / "script.json").read_text())
            name, turns = script["name"], script["turns"]
            main = bool(body.get("tools"))
            record = {"script": name, "main": main, "path": path, "body": body}
            with (self.folder / "requests.jsonl").open("a") as out:
                out.write(json.dumps(record) + "\n")
            at = self.taken.get(name, 0)
            if not main or at >= len(turns):
                return script.get("status", 200), [{"type": "text", "text": "Done."}]
            if refused := [item["refused"] for item in turns[at] if isinstance(item, dict) and "refused" in item]:
                return refused[0], []
            self.taken[name] = at + 1
            return script.get("status", 200), [self.block(item) for item in turns[at]]

    def block(self, item: str | dict[str, Any]) -> dict[str, Any]:
        if isinstance(item, str):
            return {"type": "text", "text": item}
        self.calls += 1
        return {"type": "tool_use", "id": f"toolu_{self.calls:06d}", "name": item["tool"], "input": item["input"]}


def events(content: list[dict[str, Any]], number: int, model: str) -> list[tuple[str, dict[str, Any]]]:
    """The answer as server-sent events, one delta a block."""
    message: dict[str, Any] = {
        "id": f"msg_{number:06d}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
    }
    opened: dict[str, Any] = {**message, "stop_reason": None, "stop_sequence": None, "usage": USAGE}
    out: list[tuple[str, dict[str, Any]]] = [("message_start", {"message": opened})]
    for index, block in enumerate(content):
        if block["type"] == "text":
            empty: dict[str, Any] = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        out.append(("content_block_start", {"index": index, "content_block": empty}))
        out.append(("content_block_delta", {"index": index, "delta": delta}))
        out.append(("content_block_stop", {"index": index}))
    out.append(("message_delta", {"delta": {"stop_reason": reason(content), "stop_sequence": None}, "usage": USAGE}))
    out.append(("message_stop", {}))
    return out


def reason(content: list[dict[str, Any]]) -> str:
    """Why the answer stops."""
    return "tool_use" if any(block["type"] == "tool_use" for block in content) else "end_turn"


class Handler(BaseHTTPRequestHandler):
    """Speaks just enough of the API."""

    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
        """Say nothing: stdout carries the port only."""

    def send(self, status: int, kind: str, payload: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def do_GET(self) -> None:
        self.send(404, "application/json", b'{"type":"error","error":{"type":"not_found_error","message":"no"}}')

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"):
            self.send(200, "application/json", b'{"input_tokens":100}')
            return
        if path != "/v1/messages":
            self.do_GET()
            return
        body = json.loads(raw)
        status, content = self.model.answer(path, body)
        if status != 200:
            error = {"type": "invalid_request_error", "message": "refused by the script"}
            self.send(status, "application/json", json.dumps({"type": "error", "error": error}).encode())
            return
        number = threading.get_native_id()
        name = str(body.get("model", ""))
        if body.get("stream"):
            lines = [
                f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n"
                for kind, data in events(content, number, name)
            ]
            self.send(200, "text/event-stream", "".join(lines).encode())
            return
        whole: dict[str, Any] = {
            "id": f"msg_{number:06d}",
            "type": "message",
            "role": "assistant",
            "model": name,
            "content": content,
        }
        whole |= {"stop_reason": reason(content), "stop_sequence": None, "usage": USAGE}
        self.send(200, "application/json", json.dumps(whole).encode())


def main() -> None:
    """Serve until killed."""
    Handler.model = Model(Path(sys.argv[1]))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
