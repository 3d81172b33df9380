"""`replay --remember`: past sessions are found by their prompts, each once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mind_skills.memory.model import Record
from mind_skills.memory.store import open_memory
from mind_skills.plugin.cli import run
from mind_skills.store.home import get_settings_path
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


def list_records(apart: Path) -> list[Record]:
    with open_memory(str(apart / "state")) as store:
        return list(store.list_all())


def test_replay_remembers_nothing_without_the_option(replay: Callable[..., str], apart: Path) -> None:
    assert replay(DEMO) == ""
    assert not (apart / "state").exists()


def test_a_past_session_becomes_an_episode_of_its_project_and_is_found_by_its_prompt(
    replay: Callable[..., str], apart: Path
) -> None:
    assert replay(DEMO, "--remember") == "1 session remembered."
    assert replay(DEMO, "--remember") == "1 session remembered."
    [episode] = list_records(apart)
    header = json.loads(DEMO.read_text(encoding="utf-8").splitlines()[0])
    assert (episode.kind, episode.success) == ("episode", True)
    assert episode.project == resolve_project(project_folder=header["cwd"]).id
    assert episode.content.startswith(f"Asked: {episode.task[:20]}")
    with open_memory(str(apart / "state")) as store:
        assert [hit.record.id for hit in store.query(episode.task)] == [episode.id]


def test_a_session_without_a_project_stays_in_quarantine(replay: Callable[..., str], apart: Path) -> None:
    lines = [json.loads(line) for line in DEMO.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line.pop("cwd", None)
    Path("one.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    quarantine = "(1 without a project, in quarantine until `mind-skills memory trust ID`)"
    assert replay("one.jsonl", "--remember") == f"1 session remembered {quarantine}."
    [episode] = list_records(apart)
    assert (episode.project, episode.is_quarantined) == ("", True)
    with open_memory(str(apart / "state")) as store:
        assert store.query(episode.task) == []


def test_a_session_and_its_copy_are_remembered_once(replay: Callable[..., str], apart: Path) -> None:
    text = DEMO.read_text(encoding="utf-8")
    session = json.loads(text.splitlines()[0])["sessionId"]
    for name, log in (("one", text), ("two", text.replace(session, "another"))):
        Path(f"{name}.jsonl").write_text(log, encoding="utf-8")
    assert replay("one.jsonl", "two.jsonl", "--remember") == "1 session remembered."
    assert len(list_records(apart)) == 1


def test_sessions_with_an_unclear_outcome_are_skipped_and_counted(replay: Callable[..., str], apart: Path) -> None:
    first = DEMO.read_text(encoding="utf-8").splitlines()[0]
    Path("one.jsonl").write_text(first + "\n", encoding="utf-8")
    message = replay("one.jsonl", "--remember", "--project", ".")
    assert message == "0 sessions remembered, 1 skipped because of an unclear outcome."
    assert list_records(apart) == []


def test_the_oldest_episodes_are_removed_above_the_limit_in_the_settings(
    replay: Callable[..., str], apart: Path
) -> None:
    Path(get_settings_path()).parent.mkdir(parents=True)
    Path(get_settings_path()).write_text("[memory]\nepisodes = 0\n", encoding="utf-8")
    assert replay(DEMO, "--remember") == "1 session remembered; 1 older one forgotten."
    assert list_records(apart) == []
    Path(get_settings_path()).write_text('[memory]\nepisodes = "many"\n', encoding="utf-8")
    assert replay(DEMO, "--remember") == "1 session remembered."


def test_an_accepted_learning_is_remembered_with_the_prompt_of_its_session_until_undone(
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
    episode, learning = list_records(apart)
    assert (learning.kind, learning.reference, learning.task) == ("learning", candidate["id"], episode.task)
    assert learning.content.endswith("Skill exact: Use when a price is off by a cent.")
    assert run(["undo"]) == 0
    assert list_records(apart) == [episode]
