"""The scripted model with the API that Codex requests: ``POST /v1/responses``.

A block may also be ``{"tool": name, "input": "free text"}``, which becomes a custom tool call, as for ``apply_patch``;
a tool in a namespace is named ``namespace/name``.
"""

from __future__ import annotations

import json
import threading
from typing import Any

from tests.clients import model_stub
from tests.clients.model_stub import Answer

USAGE = {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20}


class Handler(model_stub.Handler):
    """Always answers by a stream."""

    request_path = "/responses"

    def classify(self, body: dict[str, Any]) -> str:
        if "format" in (body.get("text") or {}):  # on a terminal, the client requests a title in a separate thread
            return "other"
        if any(item.get("type") == "additional_tools" for item in body["input"]):  # models that call by script
            return "main"
        return super().classify(body)

    def reply(self, body: dict[str, Any], answer: Answer, size: int) -> None:
        number = threading.get_native_id()
        whole: dict[str, Any] = {"id": f"resp_{number:06d}", "object": "response", "status": "completed"}
        events: list[dict[str, Any]] = [{"type": "response.created", "response": {**whole, "status": "in_progress"}}]
        for index, block in enumerate(answer.blocks):
            item = {"id": f"item_{number}_{index}", "status": "completed", **build_output_item(block)}
            events.append({"type": "response.output_item.added", "output_index": index, "item": item})
            events.append({"type": "response.output_item.done", "output_index": index, "item": item})
        events.append({"type": "response.completed", "response": {**whole, "usage": USAGE}})
        self.send_events([f"event: {event['type']}\ndata: {json.dumps(event)}" for event in events])


def build_output_item(block: dict[str, Any]) -> dict[str, Any]:
    """Convert a block of an answer to an output item."""
    if block["type"] == "text":
        content = [{"type": "output_text", "text": block["text"], "annotations": []}]
        return {"type": "message", "role": "assistant", "content": content}
    if isinstance(block["input"], str):
        return {"type": "custom_tool_call", "call_id": block["id"], "name": block["name"], "input": block["input"]}
    namespace, _, name = block["name"].rpartition("/")
    call = {"type": "function_call", "call_id": block["id"], "name": name, "arguments": json.dumps(block["input"])}
    return {**call, "namespace": namespace} if namespace else call


if __name__ == "__main__":
    model_stub.serve(Handler)
