"""The scripted model as Gemini CLI asks it: ``POST /v1beta/models/NAME:streamGenerateContent``."""

from __future__ import annotations

import json
from typing import Any

from tests.clients import model_stub
from tests.clients.model_stub import Answer

CHARACTERS = 4
"""Of a request, for one token: the client compresses its history by what it is told of its length."""


class Handler(model_stub.Handler):
    """A stream of one event, or the same whole."""

    asked = "enerateContent"
    counted = (":countTokens", {"totalTokens": 100})

    def refusal(self, status: int) -> dict[str, Any]:
        return {"error": {"code": status, "message": "refused by the script", "status": "INVALID_ARGUMENT"}}

    def reply(self, body: dict[str, Any], answer: Answer, size: int) -> None:
        parts = [
            {"functionCall": {"name": block["name"], "args": block["input"]}}
            if block["type"] == "tool_use"
            else {"text": block["text"]}
            for block in answer.blocks
        ]
        said = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        asked = size // CHARACTERS
        usage = {"promptTokenCount": asked, "candidatesTokenCount": 10, "totalTokenCount": asked + 10}
        whole = {"candidates": [said], "usageMetadata": usage, "modelVersion": "scripted"}
        if "alt=sse" in self.path:
            self.send_events([f"data: {json.dumps(whole)}"], end="\r\n\r\n")
        else:
            self.send_json(whole)


if __name__ == "__main__":
    model_stub.serve(Handler)
