"""What a client sends, line by line: messages of JSON-RPC go on to the SDK, anything else is answered here.

The SDK's own reader drops what it cannot read, so that whoever sent it waits for ever, and takes lines of any length.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any, BinaryIO, cast

import anyio
import anyio.to_thread
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

LONGEST = 4 * 1024 * 1024
"""Bytes of a line. What a tool keeps of its arguments is far less, and a parsed line takes up to a hundred times its size."""
_SHAPE = "each line is one object with jsonrpc, id, method and params, which is an object; there are no batches"


class Lines:
    """The lines of ``source``, for the SDK's reader; ``answer_on`` has to be called before the first is read."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._answers: Any = None
        self._ready = anyio.Event()

    def answer_on(self, answers: Any) -> None:
        """Begin to read. ``answers`` is the SDK's stream of what is sent to the client."""
        self._answers = answers
        self._ready.set()

    async def __aiter__(self) -> AsyncGenerator[str]:
        """The lines that nothing was answered to, until the client closes its end."""
        await self._ready.wait()
        while line := await anyio.to_thread.run_sync(_line, self._source):
            text = line.decode("utf-8", "replace")
            problem = refusal(text) if len(line) <= LONGEST else _error(None, PARSE_ERROR, f"over {LONGEST} bytes")
            if problem is None:
                yield text
            else:
                await self._answers.send(SessionMessage(problem))


def refusal(line: str) -> JSONRPCError | None:
    """What is answered to a line that is no message of JSON-RPC; None to one that is, and where nobody waits for an answer.

    That is so of an empty line, of what was meant as a notification, and of what was meant as an answer itself.
    """
    code, what = INVALID_REQUEST, _SHAPE
    try:
        if not isinstance(jsonrpc_message_adapter.validate_json(line, by_name=False), JSONRPCNotification):
            return None
    except ValidationError as failure:
        (first, *_) = failure.errors(include_url=False, include_input=False)
        if first["type"] == "json_invalid":
            code, what = PARSE_ERROR, str(first.get("ctx", {}).get("error", "the line is no JSON"))
    try:
        value: Any = json.loads(line)  # takes more than the SDK does: half a surrogate pair, and still there is an id
    except (ValueError, RecursionError):
        return _error(None, PARSE_ERROR, "the line is no JSON") if line.strip() else None
    if not isinstance(value, dict):
        return _error(None, code, what)
    message = cast("dict[str, Any]", value)
    return None if _nobody_waits(message) else _error(_id(message.get("id")), code, what)


def _nobody_waits(message: dict[str, Any]) -> bool:
    if "method" not in message:
        return "result" in message or "error" in message
    return "id" not in message and isinstance(message["method"], str)


def _id(value: object) -> RequestId | None:
    """``value`` where it can be an id, and be sent."""
    if isinstance(value, str):
        return None if any("\ud800" <= letter <= "\udfff" for letter in value) else value
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _error(id_: RequestId | None, code: int, what: str) -> JSONRPCError:
    kind = "Parse error" if code == PARSE_ERROR else "Invalid request"
    return JSONRPCError(jsonrpc="2.0", id=id_, error=ErrorData(code=code, message=f"{kind}: {what}"))


def _line(source: BinaryIO) -> bytes:
    """The next line; of one that is too long, ``LONGEST`` bytes and one more. Empty at the end."""
    line = rest = source.readline(LONGEST + 1)
    while len(line) > LONGEST and rest and not rest.endswith(b"\n"):
        rest = source.readline(LONGEST)
    return line
