"""Lines of a protocol and of files of lines: what an MCP client sends to the server, what people labelled for `eval`."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import anyio

from mind_skills.errors import MindSkillsError
from mind_skills.tasks.mcp.server import ToolServer, answer_lines
from mind_skills.tasks.mcp.tools import TOOLS, Connection
from research.evaluation.labels import load_labels
from tests.fuzz import world
from tests.fuzz.target import Target, chosen, promise, room

CALLS = 60
"""Connections after which the world is laid out anew."""
PATIENCE = 20.0
"""Seconds after which a server that has read all hangs."""
_NAMED = '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fuzz","version":"0"}}'
HELLO = (
    f'{{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{_NAMED}}}\n'
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
).encode()
_connected = 0


def _lines(data: bytes) -> None:
    """Any lines of a client: the server says JSON-RPC and nothing else, answers what was asked, and ends with its client."""
    global _connected  # noqa: PLW0603 -- counts connections, to begin anew
    if _connected % CALLS == 0:
        world.fresh()
    _connected += 1
    sent = (HELLO if chosen(data, 8) else b"") + data
    with _quiet():
        said = anyio.run(partial(_served, sent))
    asked = [_id(line) for line in sent.split(b"\n")]
    for line in said.splitlines():
        message: Any = json.loads(line)
        promise(isinstance(message, dict) and message.get("jsonrpc") == "2.0", "what is said is the protocol")
        promise(message.get("id") is None or message["id"] in asked, "an answer is to a question")
        structured = (message.get("result") or {}).get("structuredContent") or {}
        code = structured.get("error", {}).get("code") if isinstance(structured.get("error"), dict) else None
        promise(code != "bug", f"a call ends in no bug: {line[:500]!r}")


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what the SDK says to its log of lines that are none of the protocol."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


async def _served(sent: bytes) -> bytes:
    said = io.BytesIO()
    outgoing = anyio.wrap_file(io.TextIOWrapper(said, "utf-8", write_through=True))
    with anyio.move_on_after(PATIENCE) as patience:
        await answer_lines(ToolServer(Connection(str(room() / "project"), "fuzz")), io.BytesIO(sent), outgoing)
    promise(not patience.cancelled_caught, "the server ends when its client leaves")
    return said.getvalue()


def _id(line: bytes) -> object:
    with suppress(ValueError, RecursionError, AttributeError):
        return json.loads(line.decode("utf-8", "replace")).get("id")
    return None


def _requests() -> Iterator[bytes]:
    def line(method: str, number: object, **params: object) -> bytes:
        return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()

    yield line("tools/list", 1)
    yield line("ping", "a")
    yield b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'
    ids = world.fresh().ids
    given: dict[str, dict[str, object]] = {
        "plan": {"task": "Make the total exact", "bead_id": "T-1"},
        "recall": {"query": "a price is off by a cent", "limit": 2},
        "record_error": {"bead_id": "T-1", "message": "AssertionError: 1 != 2"},
        "dismiss": {"id": ids[0], "reason": "too small"},
    }
    for number, tool in enumerate(TOOLS):
        yield line("tools/call", number, name=tool.name, arguments=given.get(tool.name, {"bead_id": "T-1"}))
    both = (line("tools/call", number, name="plan", arguments={"task": "x"}) for number in (1, 2))
    yield b"\n".join([*both, b'[{"jsonrpc": "2.0"}]', b"", b"\xff", b'{"jsonrpc": "2.0", "id": 5, "result": {}}'])


def _labels(data: bytes) -> None:
    """Any file of labels: what is one of them, what is not in sentences; or an error that says why there is none."""
    path = room() / "labels.jsonl"
    path.write_bytes(data)
    try:
        found = load_labels(path)
    except MindSkillsError as error:
        promise(error.code in ("no_labels", "ambiguous") and error.message and error.hint, "an error says what to do")
        return
    promise(found.labels, "there is at least one")
    promise(len({label.name for label in found.labels}) == len(found.labels), "each session is labelled once")
    promise(
        len(found.labels) + len(found.problems) <= data.count(b"\n") + data.count(b"\r") + 1,
        "a line is one label, or one problem",
    )
    json.dumps(found.problems, ensure_ascii=False).encode()


def _labelled() -> Iterator[bytes]:
    learning = {"title": "Decimals", "start_line": 3, "end_line": 9, "key_phrases": ["Decimal"]}
    first = {"session_file": "a/one.jsonl", "length": 40, "learnings": [learning], "disputed": []}
    yield json.dumps(first).encode()
    yield (
        b"\xef\xbb\xbf" + json.dumps(first).encode() + b'\r\n\n{"session_file": "b\\\\two.jsonl", "length": "7"}\nno\n'
    )
    yield b"\n".join(json.dumps({**first, "session_file": name}).encode() for name in ("x/1.jsonl", "y/1.jsonl"))


TARGETS = (
    Target(
        "mcp_lines",
        _lines,
        _requests,
        ("tasks/mcp/server.py", "tasks/mcp/tools.py"),
        (
            "jsonrpc",
            "2.0",
            "id",
            "method",
            "params",
            "tools/call",
            "tools/list",
            "arguments",
            "name",
            "_meta",
            "notifications/",
        ),
    ),
    Target("labels", _labels, _labelled, ("research/evaluation/labels.py",), ("session_file", "length", "learnings")),
)
