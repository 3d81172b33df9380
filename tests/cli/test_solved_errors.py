"""`mind-skills recall --error` and `mind-skills mute`, and what `mind-skills proof` counts of reminders."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks.end import handle_session_end
from mind_skills.hooks.session_state import HookCall
from mind_skills.plugin.cli import run
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import digest_text, resolve_project
from tests.hooks.solving import DAY, ERROR, OUTPUT, analyse_story, fail, store_session, tell_solution


@pytest.fixture
def learned(repository: Path, state: Path) -> Path:
    """The project of a session that solved the error."""
    store_session(state, repository, tell_solution())
    return repository


def find_id(state: Path, project: Path) -> str:
    with Ledger.open(state) as ledger:
        return next(iter(ledger.list_states(resolve_project(str(project)))))


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    assert run([*arguments, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_recall_looks_up_an_error(
    learned: Path, state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = (
        "mind-skills: the same error was solved on 2026-06-18 (pytest test_invoice.py, passes after a change in "
        f"pyproject.toml): `mind-skills show {find_id(state, learned)}` (about 560 tokens)."
    )
    monkeypatch.setattr("sys.stdin", io.StringIO(OUTPUT))
    assert call(capsys, "recall", "--error", "-")["solved"] == [line]
    assert call(capsys, "recall", "--error", "ValueError: an error that nobody knows")["solved"] == []
    other = learned.parent / "other"
    (other / ".git").mkdir(parents=True)
    assert call(capsys, "recall", "--error", ERROR, "--project", str(other))["solved"] == []
    found = call(capsys, "recall", "--error", ERROR, "--project", str(other), "--everywhere")
    assert found["solved"] == [line.replace("` (about", f" --project {learned}` (about")]
    assert run(["recall"]) == 2


def test_a_muted_error_is_not_reported(learned: Path, state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id_ = find_id(state, learned)
    for what in (id_, ERROR):
        assert len(call(capsys, "mute", what)["muted"]) == 1
        assert fail(state, learned, session=f"{what} muted") == ""
        assert len(call(capsys, "recall", "--error", ERROR)["solved"]) == 1  # a question is answered
        assert call(capsys, "mute", what, "--undo")["muted"] == []
        assert fail(state, learned, session=f"{what} again")
    assert call(capsys, "mute", "an error that was never met", code=1)["error"]["code"] == "not_solved"


def finish(state: Path, project: Path, session: str, *, is_solved: bool) -> None:
    """End a session that met the error, and did or did not solve it."""
    story = tell_solution()
    if not is_solved:
        story.observations = story.observations[:4]
    log = project.parent / f"{session}.jsonl"
    log.write_text("{}\n")

    def analyse(_: Path) -> Analysis:
        return analyse_story(story, session, project)

    call = HookCall("claude-code", session, str(project), str(log), DAY + 1)
    assert handle_session_end(str(state), call, analyse_log=analyse) == []


def test_proof_counts_what_followed_reminders(learned: Path, state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    finish(state, learned, "earlier", is_solved=True)
    for session, is_solved in (("a", True), ("b", True), ("c", False)):
        assert fail(state, learned, session=session)
        finish(state, learned, session, is_solved=is_solved)
    silent = state / "reminded" / digest_text("d")
    silent.mkdir()
    text = next((state / "reminded" / digest_text("a")).iterdir()).read_text()
    (silent / find_id(state, learned)).write_text(text.replace("shown", "silent"))
    finish(state, learned, "d", is_solved=False)
    found = call(capsys, "proof")["reminders"]
    sides = {name: (found[name]["solved"], found[name]["n"]) for name in ("shown", "silent", "others")}
    assert sides == {"shown": (2, 3), "silent": (0, 1), "others": (1, 1)}
    assert (found["given"], found["skills"], found["loaded"]) == (3, 0, 0)
    run(["proof"])
    assert "3 reminders" in capsys.readouterr().out
    page = learned.parent / "report.html"
    assert run(["report", "--out", str(page)]) == 0
    assert "Errors that an earlier session had solved" in page.read_text()


def test_the_end_of_a_session_finds_the_errors_that_skills_quote(
    repository: Path, state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    skill = repository / ".claude/skills/ledger-locks/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(f"---\nname: ledger-locks\ndescription: Locks.\n---\nIf `{ERROR}` appears, unlock the ledger.\n")
    finish(state, repository, "first", is_solved=False)
    line = "mind-skills: the skill ledger-locks covers this error; load it."
    assert fail(state, repository, "make shop", ERROR) == line
    assert call(capsys, "recall", "--error", ERROR)["solved"] == [line]
    other = repository.parent / "other"
    (other / ".git").mkdir(parents=True)
    elsewhere = ("recall", "--error", ERROR, "--project", str(other), "--everywhere")
    named = f"mind-skills: the skill ledger-locks of {repository} covers this error: {skill}"
    assert call(capsys, *elsewhere)["solved"] == [named]
    with monkeypatch.context() as patch:
        patch.setenv("CLAUDE_CONFIG_DIR", str(repository / ".claude"))  # a skill for all projects
        assert call(capsys, *elsewhere)["solved"] == [line]
    assert call(capsys, "mute", "ledger-locks")["muted"] == ["ledger-locks"]
    assert fail(state, repository, "make shop", ERROR, "second") == ""
    assert call(capsys, "recall", "--error", ERROR)["solved"] == [line]
    assert call(capsys, "mute", "ledger-locks", "--undo")["muted"] == []
    assert fail(state, repository, "make shop", ERROR, "third") == line
