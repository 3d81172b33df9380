"""The scripted model with the API that Claude Code requests: ``POST /v1/messages``."""

from __future__ import annotations

import json
import threading
from typing import Any

from tests.clients import model_stub
from tests.clients.model_stub import Answer

USAGE = {"input_tokens": 10, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


class Handler(model_stub.Handler):
    """Streams one delta for each block."""

    request_path = "/v1/messages"
    count_path = ("/count_tokens", {"input_tokens": 100})

    def build_refusal(self, status: int) -> dict[str, Any]:
        return {"type": "error", **super().build_refusal(status)}

    def reply(self, body: dict[str, Any], answer: Answer, size: int) -> None:
        message: dict[str, Any] = {
            "id": f"msg_{threading.get_native_id():06d}",
            "type": "message",
            "role": "assistant",
            "model": str(body.get("model", "")),
            "usage": USAGE,
        }
        ended = {"stop_reason": "tool_use" if answer.calls else "end_turn", "stop_sequence": None}
        if not body.get("stream"):
            self.send_json({**message, "content": answer.blocks, **ended})
            return
        opened = {**message, "content": [], "stop_reason": None, "stop_sequence": None}
        events: list[dict[str, Any]] = [{"type": "message_start", "message": opened}]
        for index, block in enumerate(answer.blocks):
            empty, delta = open_block(block)
            events.append({"type": "content_block_start", "index": index, "content_block": empty})
            events.append({"type": "content_block_delta", "index": index, "delta": delta})
            events.append({"type": "content_block_stop", "index": index})
        events += [{"type": "message_delta", "delta": ended, "usage": USAGE}, {"type": "message_stop"}]
        self.send_events([f"event: {event['type']}\ndata: {json.dumps(event)}" for event in events])


def open_block(block: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a block as it begins, empty, and the delta that fills it."""
    if block["type"] == "text":
        return {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
    return {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}


if __name__ == "__main__":
    model_stub.serve(Handler)
