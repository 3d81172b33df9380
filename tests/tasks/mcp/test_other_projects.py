"""A server acts in its own project; in others where whoever started it has said so."""

from __future__ import annotations

from typing import Any

import pytest

from mind_skills.staging.ledger import Ledger
from mind_skills.tasks.mcp.calling import Connection, call
from mind_skills.tasks.tools import TOOLS
from tests.tasks.mcp.mcp_place import Place, answer

NOTE = "The cache grew without a limit"


@pytest.fixture
def elsewhere(place: Place, monkeypatch: pytest.MonkeyPatch) -> Connection:
    """A server that was started in another project than the one of ``place``."""
    other = place.root / "other"
    (other / ".git").mkdir(parents=True)
    monkeypatch.chdir(other)
    return Connection("", "b")


def given(place: Place, name: str, id_: str) -> dict[str, Any]:
    arguments: dict[str, dict[str, Any]] = {
        "plan": {"task": NOTE},
        "complete": {"bead_id": "t", "summary": "done"},
        "record_outcome": {"bead_id": "t", "success": True},
        "record_error": {"bead_id": "t", "message": "it broke"},
        "error_context": {"bead_id": "t"},
        "recall": {"query": NOTE},
        "accept": {"id": id_, "skill": str(place.skill())},
        "dismiss": {"id": id_, "reason": "no"},
    }
    return arguments[name]


@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS])
def test_no_tool_reaches_another_project_and_every_tool_does_where_that_was_allowed(
    place: Place, elsewhere: Connection, tool: str
) -> None:
    waiting = place.staged()
    there = given(place, tool, waiting) | {"project_key": str(place.project)}
    before = sorted(path.read_bytes() for path in place.state.glob("*.db"))
    refused = call(tool, there, elsewhere)
    assert (refused.failed, refused.document["error"]["code"]) == (True, "other_project")
    assert "--all-projects" in refused.document["error"]["hint"]
    assert sorted(path.read_bytes() for path in place.state.glob("*.db")) == before
    assert not call(tool, there, Connection("", "b", everywhere=True)).failed


@pytest.mark.parametrize("tool", ["accept", "dismiss"])
def test_an_id_of_another_project_is_refused_and_the_candidate_waits_on(
    place: Place, elsewhere: Connection, tool: str
) -> None:
    waiting = place.staged()
    words = given(place, tool, waiting)
    for id_ in (waiting, waiting[:6]):
        refused = call(tool, words | {"id": id_}, elsewhere).document["error"]
        assert (refused["code"], refused["message"]) == ("other_project", f"{id_} belongs to another project")
    with Ledger.open(place.state) as ledger:
        assert [each.id for each in ledger.list_pending(place.known())] == [waiting]


def test_what_one_project_remembers_another_is_not_told(place: Place, elsewhere: Connection) -> None:
    call("complete", {"bead_id": "t", "summary": NOTE}, Connection(str(place.project), "a"))
    said = [call("recall", {"query": NOTE}, elsewhere), call("plan", {"task": NOTE}, elsewhere)]
    assert [NOTE in str(each.document.get("results", each.document.get("recalled"))) for each in said] == [False, False]


def test_the_own_project_may_be_named_by_any_folder_of_it(place: Place) -> None:
    below = place.project / "src"
    below.mkdir()
    said = call("plan", {"task": "x", "project_key": str(below)}, Connection(str(place.project), "a"))
    assert not said.failed


@pytest.mark.process
@pytest.mark.parametrize(("words", "failed"), [((), True), (("--all-projects",), False)])
def test_a_server_is_allowed_more_by_who_starts_it(place: Place, words: tuple[str, ...], failed: bool) -> None:
    async def work(session: Any) -> tuple[bool, Any]:
        return answer(await session.call_tool("plan", {"task": "x", "project_key": str(place.project)}))

    said, document = place.talk(work, *words, cwd=place.home)
    assert (said, document.get("error", {}).get("code", "")) == (failed, "other_project" if failed else "")
