"""MCP server: connects the SDK's protocol to the tools. Calls run in threads; the server stops when stdin closes, its
parent ends, or at SIGTERM or SIGINT, after running calls. The SDK drops lines that it cannot parse, so
``LineReader`` answers them.
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
from mcp_types import Tool as ProtocolTool
from pydantic import ValidationError

from mind_skills.errors import DONE, INTERRUPTED
from mind_skills.output.document import escape_unprintable
from mind_skills.plugin import VERSION
from mind_skills.tasks.mcp.tools import TOOLS, Answer, Connection, Tool, call, make_input_schema, make_output_schema

NAME = "mind-skills"
INSTRUCTIONS = "Call plan before a task and complete after it, even if it failed; call recall when something fails."
MAX_THREADS = 4
SHUTDOWN_TIMEOUT_SECONDS = 5.0
"""Number of seconds that running calls have to finish after a signal or the end of the parent process."""
PARENT_POLL_SECONDS = 1.0
"""Number of seconds between checks of whether the parent process has ended."""
MAX_LINE_BYTES = 4 * 1024 * 1024
"""Maximum size of a line. Arguments are far smaller, and a parsed line takes up to a hundred times as much memory."""
_EXPECTED_LINE = (
    "each line must be one object with jsonrpc, id, method and params (an object); batches are not supported"
)


class ToolServer:
    """Server of one connection. ``threads`` limits the number of concurrent calls."""

    def __init__(self, connection: Connection) -> None:
        self.threads = anyio.CapacityLimiter(MAX_THREADS)
        self._connection = connection

    def create_server(self) -> Server[Any]:
        """Create the SDK's server with the tools."""
        server = Server(
            NAME,
            version=VERSION,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )
        server.middleware.clear()  # tracing, for which there is no exporter
        return server

    async def _list_tools(self, *_: object) -> ListToolsResult:
        return ListToolsResult(tools=[convert_tool(tool) for tool in TOOLS])

    async def _call_tool(self, _: object, params: CallToolRequestParams) -> CallToolResult:
        arguments: dict[str, Any] = params.arguments or {}
        answer = await anyio.to_thread.run_sync(call, params.name, arguments, self._connection, limiter=self.threads)
        return make_result(answer)


def convert_tool(tool: Tool) -> ProtocolTool:
    """Convert a tool to the types of the protocol."""
    hints = ToolAnnotations(
        read_only_hint=tool.read_only,
        destructive_hint=tool.is_destructive,
        idempotent_hint=tool.repeatable,
        open_world_hint=False,
    )
    return ProtocolTool(
        name=tool.name,
        description=tool.description,
        input_schema=make_input_schema(tool.input_type),
        output_schema=make_output_schema(tool.output_type),
        annotations=hints,
    )


def make_result(answer: Answer) -> CallToolResult:
    """Convert an answer to the types of the protocol. The document is repeated as text for clients without structured content."""
    return CallToolResult(
        content=[
            TextContent(
                type="text",
                text=escape_unprintable(json.dumps(answer.document, ensure_ascii=False, separators=(",", ":"))),
            )
        ],
        structured_content=answer.document,
        is_error=answer.failed,
    )


def serve(project: str, *, everywhere: bool) -> int:
    """Serve the client on stdin and stdout until it closes the connection. Returns the exit code."""
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
            await answer_lines(tools, sys.stdin.buffer)
            group.cancel_scope.cancel()
    except* BrokenPipeError as errors:  # the client has closed stdout
        raise BrokenPipeError from errors


async def answer_lines(tools: ToolServer, source: BinaryIO, output: anyio.AsyncFile[str] | None = None) -> None:
    """Answer the lines of ``source`` until its end. The answers are written to ``output``, by default stdout."""
    server, lines = tools.create_server(), LineReader(source)
    async with stdio_server(cast("Any", lines), output) as (incoming, outgoing):
        lines.start(outgoing)
        await server.run(incoming, outgoing, server.create_initialization_options())


async def _end_at_signal(tools: ToolServer) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for signal_number in signals:
            await _exit_after_calls(tools, INTERRUPTED if signal_number == signal.SIGINT else DONE)


async def _end_with_parent(tools: ToolServer, parent: int) -> None:
    """Exit when the process ``parent`` has ended: this process then has another parent (getppid(2))."""
    while os.getppid() == parent:  # noqa: ASYNC110 -- no notification works on every Unix
        await anyio.sleep(PARENT_POLL_SECONDS)
    await _exit_after_calls(tools, DONE)


async def _exit_after_calls(tools: ToolServer, code: int) -> None:
    """Wait for running calls, then exit without joining the threads: one may be blocked reading the next line."""
    with anyio.move_on_after(SHUTDOWN_TIMEOUT_SECONDS):
        for _ in range(MAX_THREADS):
            await tools.threads.acquire_on_behalf_of(object())
    os._exit(code)


class LineReader:
    """Iterates over the valid lines of ``source``, for the SDK's reader. Reading waits until ``start`` is called."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._answers: Any = None
        self._ready = anyio.Event()

    def start(self, answers: Any) -> None:
        """Start reading, and send errors to ``answers``, the SDK's stream of messages to the client."""
        self._answers = answers
        self._ready.set()

    async def __aiter__(self) -> AsyncGenerator[str]:
        """Yield the valid lines until the client closes its end; answer each invalid one with an error."""
        await self._ready.wait()
        while line := await anyio.to_thread.run_sync(_read_line, self._source):
            text = line.decode("utf-8", "replace")
            problem = (
                find_line_error(text)
                if len(line) <= MAX_LINE_BYTES
                else _make_error(None, PARSE_ERROR, f"the line is longer than {MAX_LINE_BYTES} bytes")
            )
            if problem is None:
                yield text
            else:
                await self._answers.send(SessionMessage(problem))


def find_line_error(line: str) -> JSONRPCError | None:
    """Return the error for a line that is not a JSON-RPC message; None for a valid line or one that expects no answer."""
    code, detail = INVALID_REQUEST, _EXPECTED_LINE
    try:
        if not isinstance(jsonrpc_message_adapter.validate_json(line, by_name=False), JSONRPCNotification):
            return None
    except ValidationError as failure:
        (first, *_) = failure.errors(include_url=False, include_input=False)
        if first["type"] == "json_invalid":
            code, detail = PARSE_ERROR, str(first.get("ctx", {}).get("error", "the line is not valid JSON"))
    try:
        value: Any = json.loads(line)  # also accepts lone surrogates, so that the id can be read
    except (ValueError, RecursionError):
        return _make_error(None, PARSE_ERROR, "the line is not valid JSON") if line.strip() else None
    if not isinstance(value, dict):
        return _make_error(None, code, detail)
    message = cast("dict[str, Any]", value)
    return None if _expects_no_answer(message) else _make_error(_get_valid_id(message.get("id")), code, detail)


def _expects_no_answer(message: dict[str, Any]) -> bool:
    if "method" not in message:
        return "result" in message or "error" in message
    return "id" not in message and isinstance(message["method"], str)


def _get_valid_id(value: object) -> RequestId | None:
    """Return ``value`` if it is a valid JSON-RPC id that can be encoded, otherwise None."""
    if isinstance(value, str):
        return None if any("\ud800" <= character <= "\udfff" for character in value) else value
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _make_error(id_: RequestId | None, code: int, detail: str) -> JSONRPCError:
    kind = "Parse error" if code == PARSE_ERROR else "Invalid request"
    return JSONRPCError(jsonrpc="2.0", id=id_, error=ErrorData(code=code, message=f"{kind}: {detail}"))


def _read_line(source: BinaryIO) -> bytes:
    """Read the next line; empty at the end. Only the first ``MAX_LINE_BYTES`` + 1 bytes of a longer line are returned."""
    line = chunk = source.readline(MAX_LINE_BYTES + 1)
    while len(line) > MAX_LINE_BYTES and chunk and not chunk.endswith(b"\n"):
        chunk = source.readline(MAX_LINE_BYTES)
    return line
