"""The scripted model with the API that OpenCode requests: ``POST /v1/chat/completions``."""

from __future__ import annotations

import json
import threading
from typing import Any

from tests.clients import model_stub
from tests.clients.model_stub import Answer

FULL = 199_000
"""Tokens; the settings say that the model takes 200,000, of which an answer may need 8,000."""


class Handler(model_stub.Handler):
    """Answers by a stream of two chunks, or by one document."""

    request_path = "/v1/chat/completions"

    def classify(self, body: dict[str, Any]) -> str:
        tools = {tool["function"]["name"] for tool in body.get("tools") or []}
        return "other" if not tools else "main" if "task" in tools else "subagent"  # which is not given `task`

    def reply(self, body: dict[str, Any], answer: Answer, size: int) -> None:
        tokens = FULL if answer.full else 10
        usage = {"prompt_tokens": tokens, "completion_tokens": 10, "total_tokens": tokens + 10}
        message: dict[str, Any] = {"role": "assistant", "content": answer.text or None}
        if answer.calls:
            message["tool_calls"] = [build_tool_call(index, block) for index, block in enumerate(answer.calls)]
        reason = "tool_calls" if answer.calls else "stop"
        base = {"id": f"chat_{threading.get_native_id()}", "created": 0, "model": str(body.get("model", ""))}
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": reason}
            self.send_json({"object": "chat.completion", "usage": usage, **base, "choices": [choice]})
            return
        chunk = {"object": "chat.completion.chunk", **base}
        events = [
            {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage},
        ]
        self.send_events([*(f"data: {json.dumps(event)}" for event in events), "data: [DONE]"])


def build_tool_call(index: int, block: dict[str, Any]) -> dict[str, Any]:
    function = {"name": block["name"], "arguments": json.dumps(block["input"])}
    return {"index": index, "id": block["id"], "type": "function", "function": function}


if __name__ == "__main__":
    model_stub.serve(Handler)
