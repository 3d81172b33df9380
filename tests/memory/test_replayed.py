"""`replay --remember`: past sessions are found by their prompts, each once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mind_skills.memory.model import Record
from mind_skills.memory.store import open_memory
from mind_skills.plugin.cli import run
from mind_skills.settings.lenient import get_user_file
from mind_skills.store.project import resolve_project
from tests.testkit.paths import DEMO

pytestmark = pytest.mark.usefixtures("apart")


@pytest.fixture
def replay(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def call(*arguments: str | Path) -> str:
        assert run(["replay", *map(str, arguments), "--json"]) == 0
        captured = capsys.readouterr()
        assert json.loads(captured.out)["version"] == 1
        return captured.err.strip()

    return call


def remembered(apart: Path) -> list[Record]:
    with open_memory(str(apart / "state")) as store:
        return list(store.list_all())


def test_without_being_told_to_it_remembers_nothing(replay: Callable[..., str], apart: Path) -> None:
    assert replay(DEMO) == ""
    assert not (apart / "state").exists()


def test_a_past_session_is_an_episode_of_its_project_and_found_by_its_request(
    replay: Callable[..., str], apart: Path
) -> None:
    assert replay(DEMO, "--remember") == "1 session remembered."
    assert replay(DEMO, "--remember") == "1 session remembered."
    [episode] = remembered(apart)
    header = json.loads(DEMO.read_text(encoding="utf-8").splitlines()[0])
    assert (episode.kind, episode.success) == ("episode", True)
    assert episode.project == resolve_project(named=header["cwd"]).id
    assert episode.content.startswith(f"Asked: {episode.task[:20]}")
    with open_memory(str(apart / "state")) as store:
        assert [hit.record.id for hit in store.query(episode.task)] == [episode.id]


def test_a_session_that_begins_as_a_copy_of_another_is_told_once(replay: Callable[..., str], apart: Path) -> None:
    text = DEMO.read_text(encoding="utf-8")
    session = json.loads(text.splitlines()[0])["sessionId"]
    for name, log in (("one", text), ("two", text.replace(session, "another"))):
        Path(f"{name}.jsonl").write_text(log, encoding="utf-8")
    assert replay("one.jsonl", "two.jsonl", "--remember") == "1 session remembered."
    assert len(remembered(apart)) == 1


def test_sessions_of_which_nobody_knows_how_they_came_out_are_counted(replay: Callable[..., str], apart: Path) -> None:
    first = DEMO.read_text(encoding="utf-8").splitlines()[0]
    Path("one.jsonl").write_text(first + "\n", encoding="utf-8")
    said = replay("one.jsonl", "--remember", "--project", ".")
    assert said == "0 sessions remembered, 1 skipped because of an unclear outcome."
    assert remembered(apart) == []


def test_the_oldest_go_where_there_are_more_than_the_settings_keep(replay: Callable[..., str], apart: Path) -> None:
    Path(get_user_file()).parent.mkdir(parents=True)
    Path(get_user_file()).write_text("[memory]\nepisodes = 0\n", encoding="utf-8")
    assert replay(DEMO, "--remember") == "1 session remembered; 1 older one forgotten."
    assert remembered(apart) == []
    Path(get_user_file()).write_text('[memory]\nepisodes = "many"\n', encoding="utf-8")
    assert replay(DEMO, "--remember") == "1 session remembered."


def test_what_is_accepted_is_remembered_with_the_request_of_its_session_until_undone(
    replay: Callable[..., str], apart: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay(DEMO, "--stage", "--remember", "--project", ".")
    assert run(["pending", "--json"]) == 0
    [candidate] = json.loads(capsys.readouterr().out)["candidates"]
    skill = Path(".claude/skills/exact/SKILL.md")
    skill.parent.mkdir(parents=True)
    skill.write_text(
        "---\nname: exact\ndescription: Use when a price is off by a cent.\n---\nDo it.\n", encoding="utf-8"
    )
    assert run(["accept", candidate["id"], "--skill", str(skill), "--force"]) == 0
    episode, learning = remembered(apart)
    assert (learning.kind, learning.reference, learning.task) == ("learning", candidate["id"], episode.task)
    assert learning.content.endswith("Skill exact: Use when a price is off by a cent.")
    assert run(["undo"]) == 0
    assert remembered(apart) == [episode]
