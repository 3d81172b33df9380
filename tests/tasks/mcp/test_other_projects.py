"""A server acts in its own project, and in others only if it was started with the option for it."""

from __future__ import annotations

from typing import Any

import pytest

from mind_skills.staging.ledger import Ledger
from mind_skills.tasks.mcp.tools import TOOLS, Connection, call
from tests.tasks.mcp.mcp_place import Place, answer

NOTE = "The cache grew without a limit"


@pytest.fixture
def elsewhere(place: Place, monkeypatch: pytest.MonkeyPatch) -> Connection:
    """A server that was started in another project than that of ``place``."""
    other = place.root / "other"
    (other / ".git").mkdir(parents=True)
    monkeypatch.chdir(other)
    return Connection("", "b")


def build_arguments(place: Place, name: str, id_: str) -> dict[str, Any]:
    arguments: dict[str, dict[str, Any]] = {
        "plan": {"task": NOTE},
        "complete": {"bead_id": "t", "summary": "done"},
        "record_outcome": {"bead_id": "t", "success": True},
        "record_error": {"bead_id": "t", "message": "it broke"},
        "error_context": {"bead_id": "t"},
        "recall": {"query": NOTE},
        "show": {"ids": [id_]},
        "distil": {},
        "accept": {"id": id_, "skill": str(place.write_skill())},
        "dismiss": {"id": id_, "reason": "no"},
    }
    return arguments[name]


@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS])
def test_a_tool_reaches_another_project_only_if_the_server_allows_it(
    place: Place, elsewhere: Connection, tool: str
) -> None:
    waiting = place.stage_candidate()
    there = build_arguments(place, tool, waiting) | {"project_key": str(place.project)}
    before = sorted(path.read_bytes() for path in place.state.glob("*.db"))
    refused = call(tool, there, elsewhere)
    assert (refused.failed, refused.document["error"]["code"]) == (True, "other_project")
    assert "--all-projects" in refused.document["error"]["hint"]
    assert sorted(path.read_bytes() for path in place.state.glob("*.db")) == before
    assert not call(tool, there, Connection("", "b", everywhere=True)).failed


@pytest.mark.parametrize("tool", ["accept", "dismiss"])
def test_a_candidate_of_another_project_is_refused_and_stays_pending(
    place: Place, elsewhere: Connection, tool: str
) -> None:
    waiting = place.stage_candidate()
    words = build_arguments(place, tool, waiting)
    for id_ in (waiting, waiting[:6]):
        refused = call(tool, words | {"id": id_}, elsewhere).document["error"]
        assert (refused["code"], refused["message"]) == ("other_project", f"{id_} belongs to another project")
    with Ledger.open(place.state) as ledger:
        assert [each.id for each in ledger.list_pending(place.resolve())] == [waiting]


def test_records_of_one_project_are_not_recalled_in_another(place: Place, elsewhere: Connection) -> None:
    call("complete", {"bead_id": "t", "summary": NOTE}, Connection(str(place.project), "a"))
    answers = [call("recall", {"query": NOTE}, elsewhere), call("plan", {"task": NOTE}, elsewhere)]
    assert [NOTE in str(each.document.get("results", each.document.get("recalled"))) for each in answers] == [
        False,
        False,
    ]


def test_the_own_project_may_be_named_by_any_folder_in_it(place: Place) -> None:
    below = place.project / "src"
    below.mkdir()
    found = call("plan", {"task": "x", "project_key": str(below)}, Connection(str(place.project), "a"))
    assert not found.failed


@pytest.mark.process
@pytest.mark.parametrize(("words", "failed"), [((), True), (("--all-projects",), False)])
def test_the_option_all_projects_lets_a_server_reach_other_projects(
    place: Place, words: tuple[str, ...], failed: bool
) -> None:
    async def work(session: Any) -> tuple[bool, Any]:
        return answer(await session.call_tool("plan", {"task": "x", "project_key": str(place.project)}))

    is_error, document = place.talk(work, *words, cwd=place.home)
    assert (is_error, document.get("error", {}).get("code", "")) == (failed, "other_project" if failed else "")
