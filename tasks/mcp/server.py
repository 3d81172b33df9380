"""The MCP server: the SDK's protocol on one side, the tools on the other.

Nothing but the protocol goes to stdout: the SDK turns what anybody else prints to stderr. The SDK's own reader drops lines
that it cannot read, so that their sender waits for ever, and takes lines of any length: ``Lines`` answers those.

Calls run in threads, each with a database connection of its own, so that a slow one keeps nobody waiting. The server ends
when its client closes stdin, when the process that started it is gone (others may hold that end of the pipe open), or at
SIGTERM and SIGINT, and then lets the calls that run come to their end.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any, BinaryIO, cast

import anyio
import anyio.to_thread
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    CallToolRequestParams,
    CallToolResult,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    ListToolsResult,
    RequestId,
    TextContent,
    ToolAnnotations,
    jsonrpc_message_adapter,
)
from mcp_types import Tool as Listed
from pydantic import ValidationError

from mind_skills.errors import DONE, INTERRUPTED
from mind_skills.output.document import escaped
from mind_skills.plugin import VERSION
from mind_skills.tasks.mcp.calling import Answer, Connection, call, make_input_schema, make_output_schema
from mind_skills.tasks.tools import TOOLS, Tool

NAME = "mind-skills"
INSTRUCTIONS = "Call plan before a task and complete after it, also after a failure; recall when something fails."
THREADS = 4
PATIENCE = 5.0
"""Seconds that running calls have when the server is told to end."""
PAUSE = 1.0
"""Seconds between two looks for the process that started the server."""
LONGEST = 4 * 1024 * 1024
"""Bytes of a line. What a tool keeps of its arguments is far less, and a parsed line takes up to a hundred times its size."""
_SHAPE = "each line is one object with jsonrpc, id, method and params, which is an object; there are no batches"


class ToolServer:
    """One connection, and the ``threads`` in which its calls run."""

    def __init__(self, connection: Connection) -> None:
        """Nothing is served yet."""
        self.threads = anyio.CapacityLimiter(THREADS)
        self._connection = connection

    def server(self) -> Server[Any]:
        """The SDK's server with the tools."""
        server = Server(
            NAME,
            version=VERSION,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
        )
        server.middleware.clear()  # traces, for an exporter that is not there
        return server

    async def _list(self, *_: object) -> ListToolsResult:
        return ListToolsResult(tools=[list_tool(tool) for tool in TOOLS])

    async def _call(self, _: object, params: CallToolRequestParams) -> CallToolResult:
        arguments: dict[str, Any] = params.arguments or {}
        answer = await anyio.to_thread.run_sync(call, params.name, arguments, self._connection, limiter=self.threads)
        return make_result(answer)


def list_tool(tool: Tool) -> Listed:
    """A tool in the types of the protocol."""
    hints = ToolAnnotations(
        read_only_hint=tool.read_only,
        destructive_hint=tool.final,
        idempotent_hint=tool.repeatable,
        open_world_hint=False,
    )
    return Listed(
        name=tool.name,
        description=tool.description,
        input_schema=make_input_schema(tool.takes),
        output_schema=make_output_schema(tool.answers),
        annotations=hints,
    )


def make_result(answer: Answer) -> CallToolResult:
    """An answer as the protocol has it: for clients that read no structured content, once more as text."""
    return CallToolResult(
        content=[
            TextContent(
                type="text", text=escaped(json.dumps(answer.document, ensure_ascii=False, separators=(",", ":")))
            )
        ],
        structured_content=answer.document,
        is_error=answer.failed,
    )


def serve(project: str, *, everywhere: bool) -> int:
    """Serve this process's stdin and stdout until the client leaves; the exit code. The arguments are as in Connection."""
    name = f"mcp-{os.getpid()}-{os.urandom(6).hex()}"
    with suppress(BrokenPipeError):
        anyio.run(_serve, ToolServer(Connection(project, name, everywhere)))
    return DONE


async def _serve(tools: ToolServer) -> None:
    try:
        async with anyio.create_task_group() as group:
            if os.name == "posix":
                group.start_soon(_end_at_signal, tools)
                group.start_soon(_end_with_parent, tools, os.getppid())
            await speak(tools, sys.stdin.buffer)
            group.cancel_scope.cancel()
    except* BrokenPipeError as gone:  # nobody reads what we say any more
        raise BrokenPipeError from gone


async def speak(tools: ToolServer, source: BinaryIO, said: anyio.AsyncFile[str] | None = None) -> None:
    """Answer the lines of ``source`` until its end, on ``said``, which is stdout unless it is given."""
    server, lines = tools.server(), Lines(source)
    async with stdio_server(cast("Any", lines), said) as (incoming, outgoing):
        lines.answer_on(outgoing)
        await server.run(incoming, outgoing, server.create_initialization_options())


async def _end_at_signal(tools: ToolServer) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as told:
        async for number in told:
            await _leave(tools, INTERRUPTED if number == signal.SIGINT else DONE)


async def _end_with_parent(tools: ToolServer, parent: int) -> None:
    """Who is left by its parent gets another one at once (getppid(2))."""
    while os.getppid() == parent:  # noqa: ASYNC110 -- the system tells nobody of it in a way that every Unix has
        await anyio.sleep(PAUSE)
    await _leave(tools, DONE)


async def _leave(tools: ToolServer, code: int) -> None:
    """A thread waits for the client's next line, and only the end of the process ends that wait."""
    with anyio.move_on_after(PATIENCE):
        for _ in range(THREADS):
            await tools.threads.acquire_on_behalf_of(object())
    os._exit(code)


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
        while line := await anyio.to_thread.run_sync(_read_line, self._source):
            text = line.decode("utf-8", "replace")
            problem = (
                refuse_line(text) if len(line) <= LONGEST else _make_error(None, PARSE_ERROR, f"over {LONGEST} bytes")
            )
            if problem is None:
                yield text
            else:
                await self._answers.send(SessionMessage(problem))


def refuse_line(line: str) -> JSONRPCError | None:
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
        return _make_error(None, PARSE_ERROR, "the line is no JSON") if line.strip() else None
    if not isinstance(value, dict):
        return _make_error(None, code, what)
    message = cast("dict[str, Any]", value)
    return None if _expects_no_answer(message) else _make_error(_find_id(message.get("id")), code, what)


def _expects_no_answer(message: dict[str, Any]) -> bool:
    if "method" not in message:
        return "result" in message or "error" in message
    return "id" not in message and isinstance(message["method"], str)


def _find_id(value: object) -> RequestId | None:
    """``value`` where it can be an id, and be sent."""
    if isinstance(value, str):
        return None if any("\ud800" <= letter <= "\udfff" for letter in value) else value
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _make_error(id_: RequestId | None, code: int, what: str) -> JSONRPCError:
    kind = "Parse error" if code == PARSE_ERROR else "Invalid request"
    return JSONRPCError(jsonrpc="2.0", id=id_, error=ErrorData(code=code, message=f"{kind}: {what}"))


def _read_line(source: BinaryIO) -> bytes:
    """The next line; of one that is too long, ``LONGEST`` bytes and one more. Empty at the end."""
    line = rest = source.readline(LONGEST + 1)
    while len(line) > LONGEST and rest and not rest.endswith(b"\n"):
        rest = source.readline(LONGEST)
    return line
