"""A stand-in for the model on 127.0.0.1: it answers from a script, and records every request.

What the stubs of the four hosts have in common; each adds the API of its client, and runs as ``python -m
tests.clients.NAME FOLDER``, which prints its port. In FOLDER it reads, at each request,

* ``script.json``: ``{"name": str, "status": int, "turns": [[block, ...], ...]}``, where a block is a string (text) or
  ``{"tool": name, "input": {...}}``. A request that offers tools gets the next turn; after the last turn, and to
  every other request (titles and the like), the answer is the text "Done.". A status other than 200 refuses every
  request, a turn ``[{"refused": status}]`` all from there on. If a stub can recognise the requests of a subagent, they are
  answered from the turns in ``"subagent"``. At the turn ``full_at``, the first being 1, the context is full.

and it appends each request to ``requests.jsonl`` as ``{"script", "kind", "body"}``; the kind is main, subagent or other.
"""

from __future__ import annotations

import abc
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, NamedTuple


class Answer(NamedTuple):
    """The answer of the script to one request."""

    status: int
    blocks: list[dict[str, Any]]
    """``{"type": "text", "text"}`` or ``{"type": "tool_use", "id", "name", "input"}``."""
    full: bool

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The tool calls among the blocks."""
        return [block for block in self.blocks if block["type"] == "tool_use"]

    @property
    def text(self) -> str:
        return "\n".join(block["text"] for block in self.blocks if block["type"] == "text")


class Model:
    """The script, and the next turn of each named script."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock = threading.Lock()
        self.taken: dict[tuple[str, str], int] = {}
        self.calls = 0

    def answer(self, kind: str, body: dict[str, Any]) -> Answer:
        """Record the request, and take the next turn."""
        with self.lock:
            script = json.loads((self.folder / "script.json").read_text())
            with (self.folder / "requests.jsonl").open("a") as out:
                out.write(json.dumps({"script": script["name"], "kind": kind, "body": body}) + "\n")
            turns = script.get({"main": "turns", "subagent": "subagent"}.get(kind, ""), [])
            at = self.taken.get((script["name"], kind), 0)
            turn = turns[at] if at < len(turns) else ["Done."]
            if refused := [item["refused"] for item in turn if isinstance(item, dict) and "refused" in item]:
                return Answer(refused[0], [], full=False)
            self.taken[script["name"], kind] = at + 1
            full = kind == "main" and at + 1 == script.get("full_at")
            return Answer(script.get("status", 200), [self.block(item) for item in turn], full)

    def block(self, item: str | dict[str, Any]) -> dict[str, Any]:
        if isinstance(item, str):
            return {"type": "text", "text": item}
        self.calls += 1
        return {"type": "tool_use", "id": f"toolu_{self.calls:06d}", "name": item["tool"], "input": item["input"]}


class Handler(BaseHTTPRequestHandler, abc.ABC):
    """Implements just enough of an API; the stub of a host adds its requests and its answers."""

    protocol_version = "HTTP/1.1"
    model: Model
    request_path: ClassVar[str]
    """The end of the path of requests to the model."""
    count_path: ClassVar[tuple[str, dict[str, Any]]] = ("", {})
    """The end of the path of requests for the number of tokens, and the answer."""

    def classify(self, body: dict[str, Any]) -> str:
        """Return the kind of a request: main, subagent or other."""
        return "main" if body.get("tools") else "other"

    @abc.abstractmethod
    def reply(self, body: dict[str, Any], answer: Answer, size: int) -> None:
        """Send the answer to a request of ``size`` bytes, as one document or as a stream, as requested."""

    def build_refusal(self, status: int) -> dict[str, Any]:
        """Return the document of a refusal."""
        return {"error": {"type": "invalid_request_error", "message": "refused by the script"}}

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
        """Print nothing: stdout is for the port only."""

    def send(self, status: int, kind: str, payload: str) -> None:
        raw = payload.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def send_json(self, document: dict[str, Any], status: int = 200) -> None:
        self.send(status, "application/json", json.dumps(document))

    def send_events(self, events: list[str], end: str = "\n\n") -> None:
        self.send(200, "text/event-stream", "".join(event + end for event in events))

    def do_GET(self) -> None:
        self.send_json({"type": "error", "error": {"type": "not_found_error", "message": "no"}}, 404)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.partition("?")[0]
        end, count = self.count_path
        if end and path.endswith(end):
            self.send_json(count)
            return
        if not path.endswith(self.request_path):
            self.do_GET()
            return
        body = json.loads(raw)
        answer = self.model.answer(self.classify(body), body)
        if answer.status == 200:
            self.reply(body, answer, len(raw))
        else:
            self.send_json(self.build_refusal(answer.status), answer.status)


def serve(handler: type[Handler]) -> None:
    """Serve until killed."""
    handler.model = Model(Path(sys.argv[1]))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
