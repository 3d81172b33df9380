"""The scripted model as Codex asks it: ``POST /v1/responses``. Scripts and records are those of model_stub.py.

A block may also be ``{"tool": name, "input": "free text"}``, which becomes a custom tool call, as for ``apply_patch``;
a tool that stands in a namespace is called ``namespace/name``.
"""

from __future__ import annotations

import json
import sys
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.clients import model_stub

USAGE = {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20}


def items(content: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """The blocks of an answer as output items."""
    out: list[dict[str, Any]] = []
    for index, block in enumerate(content):
        name = f"item_{number}_{index}"
        if block["type"] == "text":
            said = [{"type": "output_text", "text": block["text"], "annotations": []}]
            out.append({"type": "message", "id": name, "role": "assistant", "status": "completed", "content": said})
        elif isinstance(block["input"], str):
            call = {"call_id": block["id"], "name": block["name"], "input": block["input"]}
            out.append({"type": "custom_tool_call", "id": name, "status": "completed", **call})
        else:
            namespace, _, name_in_it = block["name"].rpartition("/")
            call = {"call_id": block["id"], "name": name_in_it, "arguments": json.dumps(block["input"])}
            call |= {"namespace": namespace} if namespace else {}
            out.append({"type": "function_call", "id": name, "status": "completed", **call})
    return out


class Handler(model_stub.Handler):
    """Speaks just enough of the API."""

    def do_POST(self) -> None:  # noqa: N802 - the name is the base class's
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if not self.path.split("?")[0].endswith("/responses"):
            self.do_GET()
            return
        body = json.loads(raw)
        offered = any(item.get("type") == "additional_tools" for item in body["input"])  # models that call by script
        titled = "format" in (body.get("text") or {})  # a terminal asks for a title, in a thread of its own
        tools = not titled and bool(body.get("tools") or offered)
        status, content = self.model.answer(self.path, body | {"tools": tools})
        if status != 200:
            error = {"type": "invalid_request_error", "message": "refused by the script"}
            self.send(status, "application/json", json.dumps({"error": error}).encode())
            return
        number = threading.get_native_id()
        whole: dict[str, Any] = {"id": f"resp_{number:06d}", "object": "response", "status": "completed"}
        events: list[dict[str, Any]] = [{"type": "response.created", "response": {**whole, "status": "in_progress"}}]
        for index, item in enumerate(items(content, number)):
            events.append({"type": "response.output_item.added", "output_index": index, "item": item})
            events.append({"type": "response.output_item.done", "output_index": index, "item": item})
        events.append({"type": "response.completed", "response": {**whole, "usage": USAGE}})
        lines = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]
        self.send(200, "text/event-stream", "".join(lines).encode())


def main() -> None:
    """Serve until killed."""
    Handler.model = model_stub.Model(Path(sys.argv[1]))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
