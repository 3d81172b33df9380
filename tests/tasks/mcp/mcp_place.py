"""Where a server runs in tests, and how the official client talks to it."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, TextContent

from mind_skills.staging.analyse import analyse
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import Project, resolve_project
from tests.testkit.paths import DEMO

T = TypeVar("T")
PROGRAM = "from mind_skills.plugin.cli import main; main()"
SKILL = "---\nname: exact-decimals\ndescription: Use when a price is off by a cent.\n---\nPass texts to Decimal.\n"


class Place:
    """Folders of one test."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home, self.state, self.project = root / "home", root / "state", root / "project"
        self.home.mkdir()
        (self.project / ".git").mkdir(parents=True)
        self.environment = {"HOME": str(self.home), "MIND_SKILLS_HOME": str(self.state)}

    def resolve(self) -> Project:
        return resolve_project(project_folder=str(self.project))

    def start_session(self, name: str) -> None:
        """Register a session of the project; servers started from now on belong to it."""
        with Ledger.open(self.state) as ledger:
            ledger.register_session(name, "claude-code", self.resolve(), "", 1)
        self.environment["CLAUDE_CODE_SESSION_ID"] = name

    def stage_candidate(self) -> str:
        """Stage a candidate and return its id."""
        with Ledger.open(self.state) as ledger:
            (id_,) = ledger.stage(self.resolve(), "one", "claude-code", analyse(DEMO).candidates, 1).new
        return id_

    def write_skill(self) -> Path:
        path = self.project / ".claude/skills/exact-decimals/SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(SKILL, encoding="utf-8")
        return path

    def line(self, *arguments: str) -> list[str]:
        return [sys.executable, "-c", PROGRAM, "mcp", *arguments]

    def server(self, *arguments: str, cwd: Path | None = None) -> StdioServerParameters:
        command, *rest = self.line(*arguments)
        return StdioServerParameters(command=command, args=rest, env=self.environment, cwd=cwd or self.project)

    def talk(self, work: Callable[[ClientSession], Awaitable[T]], *arguments: str, cwd: Path | None = None) -> T:
        """Return the result of ``work`` for a session with a fresh server."""

        async def run() -> T:
            async with stdio_client(self.server(*arguments, cwd=cwd)) as streams, ClientSession(*streams) as session:
                await session.initialize()
                return await work(session)

        return anyio.run(run)

    def call(self, *calls: tuple[str, dict[str, Any]]) -> list[tuple[bool, Any]]:
        """Return, for each call of a fresh server, whether it failed, and its document."""

        async def work(session: ClientSession) -> list[tuple[bool, Any]]:
            return [answer(await session.call_tool(name, arguments)) for name, arguments in calls]

        return self.talk(work)


def answer(result: CallToolResult) -> tuple[bool, Any]:
    """Return whether the result is an error, and its document, which it contains twice."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert json.loads(content.text) == result.structured_content
    return result.is_error, result.structured_content
