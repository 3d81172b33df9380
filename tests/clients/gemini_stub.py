"""The scripted model with the API that Gemini CLI requests: ``POST /v1beta/models/NAME:streamGenerateContent``."""

from __future__ import annotations

import json
from typing import Any

from tests.clients import model_stub
from tests.clients.model_stub import Answer

CHARACTERS = 4
"""Of a request, counted as one token: the client compresses its history by the number of tokens that it receives."""


class Handler(model_stub.Handler):
    """Answers by a stream of one event, or by one document."""

    request_path = "enerateContent"
    count_path = (":countTokens", {"totalTokens": 100})

    def build_refusal(self, status: int) -> dict[str, Any]:
        return {"error": {"code": status, "message": "refused by the script", "status": "INVALID_ARGUMENT"}}

    def reply(self, body: dict[str, Any], answer: Answer, size: int) -> None:
        parts = [
            {"functionCall": {"name": block["name"], "args": block["input"]}}
            if block["type"] == "tool_use"
            else {"text": block["text"]}
            for block in answer.blocks
        ]
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        tokens = size // CHARACTERS
        usage = {"promptTokenCount": tokens, "candidatesTokenCount": 10, "totalTokenCount": tokens + 10}
        whole = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}
        if "alt=sse" in self.path:
            self.send_events([f"data: {json.dumps(whole)}"], end="\r\n\r\n")
        else:
            self.send_json(whole)


if __name__ == "__main__":
    model_stub.serve(Handler)
