"""The scripted model with the API that Antigravity's engine requests of a local model: ``POST /chat/completions``."""

from __future__ import annotations

import json
from typing import Any

from tests.clients import model_stub
from tests.clients.model_stub import Answer

TOKENS = 10


class Handler(model_stub.Handler):
    """Answers by a stream."""

    request_path = "/chat/completions"

    def reply(self, body: dict[str, Any], answer: Answer, size: int) -> None:
        calls = [
            {
                "index": index,
                "id": block["id"],
                "type": "function",
                "function": {"name": block["name"], "arguments": json.dumps(block["input"])},
            }
            for index, block in enumerate(answer.calls)
        ]
        delta = {"role": "assistant", "content": answer.text, **({"tool_calls": calls} if calls else {})}
        head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}
        usage = {"prompt_tokens": TOKENS, "completion_tokens": TOKENS, "total_tokens": 2 * TOKENS}
        chunks: list[dict[str, Any]] = [
            {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"}]},
            {**head, "choices": [], "usage": usage},
        ]
        self.send_events([f"data: {text}" for text in (*map(json.dumps, chunks), "[DONE]")])


if __name__ == "__main__":
    model_stub.serve(Handler)
