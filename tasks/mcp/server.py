"""The MCP server: the SDK's protocol on one side, the tools on the other.

Nothing but the protocol goes to stdout: the SDK turns what anybody else prints to stderr. Calls run in threads, each with
a database connection of its own, so that a slow one keeps nobody waiting. The server ends when its client closes stdin,
when the process that started it is gone (others may hold that end of the pipe open), or at SIGTERM and SIGINT, and then
lets the calls that run come to their end.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from typing import Any, BinaryIO, cast

import anyio
import anyio.to_thread
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, ToolAnnotations
from mcp_types import Tool as Listed

from mind_skills.errors import DONE, INTERRUPTED
from mind_skills.output.document import escaped
from mind_skills.plugin.version import VERSION
from mind_skills.tasks.mcp import schemas
from mind_skills.tasks.mcp.calling import Answer, Connection, call
from mind_skills.tasks.mcp.lines import Lines
from mind_skills.tasks.table import TOOLS, Tool

NAME = "mind-skills"
INSTRUCTIONS = "Call plan before a task and complete after it, also after a failure; recall when something fails."
THREADS = 4
PATIENCE = 5.0
"""Seconds that running calls have when the server is told to end."""
PAUSE = 1.0
"""Seconds between two looks for the process that started the server."""


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
        return ListToolsResult(tools=[listed(tool) for tool in TOOLS])

    async def _call(self, _: object, params: CallToolRequestParams) -> CallToolResult:
        arguments: dict[str, Any] = params.arguments or {}
        answer = await anyio.to_thread.run_sync(call, params.name, arguments, self._connection, limiter=self.threads)
        return result(answer)


def listed(tool: Tool) -> Listed:
    """A tool as a host is told of it."""
    hints = ToolAnnotations(
        read_only_hint=tool.read_only,
        destructive_hint=tool.final,
        idempotent_hint=tool.repeatable,
        open_world_hint=False,
    )
    return Listed(
        name=tool.name,
        description=tool.description,
        input_schema=schemas.takes(tool.takes),
        output_schema=schemas.answers(tool.answers),
        annotations=hints,
    )


def result(answer: Answer) -> CallToolResult:
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
                group.start_soon(_end_when_told, tools)
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


async def _end_when_told(tools: ToolServer) -> None:
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
