"""The same server without pipes, in the process of its client."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from mcp import Client

from mind_skills.tasks.mcp import find_project, is_importable, require_sdk
from mind_skills.tasks.mcp.server import ToolServer
from mind_skills.tasks.mcp.tools import TOOLS, Connection
from tests.tasks.mcp.mcp_place import Place, answer


def test_a_server_in_the_process_of_its_client_lists_its_tools_and_answers_calls(place: Place) -> None:
    async def work() -> tuple[list[str], list[tuple[bool, Any]]]:
        server = ToolServer(Connection(str(place.project), "here")).create_server()
        async with Client(server) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            calls: list[tuple[str, dict[str, Any]]] = [
                ("plan", {"task": "x", "bead_id": "b"}),
                ("plan", {}),
                ("no", {}),
            ]
            return names, [answer(await client.call_tool(name, given)) for name, given in calls]

    names, answers = anyio.run(work)
    assert names == [tool.name for tool in TOOLS]
    assert [failed for failed, _ in answers] == [False, True, True]
    assert answers[0][1]["bead_id"] == "b"
    assert [document["error"]["code"] for _, document in answers[1:]] == ["invalid_arguments", "unknown_tool"]


def test_the_project_is_that_of_the_host_if_it_exists(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_project() == ""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", "/nowhere/at/all")
    assert find_project() == ""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(place.project))
    assert find_project() == str(place.project)


def test_the_installed_extra_is_found() -> None:
    require_sdk()
    assert is_importable()
