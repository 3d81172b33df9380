"""A stand-in for a model behind ``POST /v1/chat/completions`` on 127.0.0.1, answering from a script.

Run as ``python chat_stub.py FOLDER``; prints its port. Script and record are those of model_stub.py: a request that
offers tools gets the next turn of the script, every other one (titles, summaries) the text "Done.". The script may
hold ``"subagent"``: turns for requests whose tools do not include ``task``, which a subagent is not given.
"""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FULL = 199_000
"""Tokens; the client is told that the model takes 200,000, of which an answer may need 8,000."""


class Model:
    """The script and how far each named script has got."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock = threading.Lock()
        self.taken: dict[str, int] = {}
        self.calls = 0

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, list[str | dict[str, Any]], int]:
        """Record the request and return the status, the blocks of the answer, and the tokens that the prompt has."""
        with self.lock:
            script = json.loads((self.folder / "script.json").read_text())
            tools = {tool["function"]["name"] for tool in body.get("tools") or []}
            kind = "other" if not tools else "main" if "task" in tools else "subagent"
            with (self.folder / "requests.jsonl").open("a") as out:
                out.write(json.dumps({"script": script["name"], "kind": kind, "path": path, "body": body}) + "\n")
            turns = script["turns"] if kind == "main" else script.get("subagent", []) if kind == "subagent" else []
            name = f"{script['name']} {kind}"
            at = self.taken.get(name, 0)
            self.taken[name] = at + 1
            tokens = FULL if kind == "main" and at + 1 == script.get("full_at") else 10
            return script.get("status", 200), turns[at] if at < len(turns) else ["Done."], tokens

    def calls_of(self, blocks: list[str | dict[str, Any]]) -> list[dict[str, Any]]:
        """The tool calls among the blocks, each with an id of its own."""
        found: list[dict[str, Any]] = []
        for block in blocks:
            if isinstance(block, dict):
                self.calls += 1
                function = {"name": block["tool"], "arguments": json.dumps(block["input"])}
                found.append(
                    {"index": len(found), "id": f"call_{self.calls:06d}", "type": "function", "function": function}
                )
        return found


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
        self.send(404, "application/json", b'{"error":{"message":"no","type":"not_found"}}')

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        if self.path != "/v1/chat/completions":
            self.do_GET()
            return
        status, blocks, tokens = self.model.answer(self.path, body)
        if status != 200:
            self.send(status, "application/json", b'{"error":{"message":"refused by the script","type":"invalid"}}')
            return
        text = "\n".join(block for block in blocks if isinstance(block, str))
        calls = self.model.calls_of(blocks)
        usage = {"prompt_tokens": tokens, "completion_tokens": 10, "total_tokens": tokens + 10}
        said: dict[str, Any] = {"role": "assistant", "content": text or None}
        if calls:
            said["tool_calls"] = calls
        reason = "tool_calls" if calls else "stop"
        base = {"id": f"chat_{threading.get_native_id()}", "created": 0, "model": str(body.get("model", ""))}
        if not body.get("stream"):
            whole = {"object": "chat.completion", "usage": usage, **base}
            choice = {"index": 0, "message": said, "finish_reason": reason}
            self.send(200, "application/json", json.dumps({**whole, "choices": [choice]}).encode())
            return
        chunk = {"object": "chat.completion.chunk", **base}
        events = [
            {**chunk, "choices": [{"index": 0, "delta": said, "finish_reason": None}]},
            {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage},
        ]
        lines = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
        self.send(200, "text/event-stream", f"{lines}data: [DONE]\n\n".encode())


def main() -> None:
    """Serve until killed."""
    Handler.model = Model(Path(sys.argv[1]))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
