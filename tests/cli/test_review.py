"""`mind-skills review` on a terminal, where transcripts/review.txt does not show it: unusual keys, interruptions and widths."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.cli import review
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.offer import claim_offer
from mind_skills.store.project import resolve_project
from tests.testkit.episodes import build_candidate
from tests.testkit.terminal import Terminal

Run = Callable[..., Any]
KEYS = "k keep  d dismiss (asks for a reason)  l later  w why  o open digest  q quit\n> "


SOCKET = build_candidate("OSError: address 7070 in use " + "and nobody ends it " * 9, probability=0.4)
LOCK = build_candidate("ERR_LOCKFILE: not up to date", program="pnpm", probability=0.3, taint=("web",))


@pytest.fixture
def waiting(state: Path, repository: Path) -> Path:
    """A project with two pending candidates."""
    with Ledger.open(state) as ledger:
        ledger.stage(resolve_project(project_folder=str(repository)), "one", "codex", [SOCKET, LOCK], 1)
    return repository


def list_states(state: Path, project: Path) -> dict[str, str]:
    with Ledger.open(state) as ledger:
        return ledger.list_states(resolve_project(project_folder=str(project)))


def test_a_kept_learning_is_offered_with_a_note_that_the_user_agreed(waiting: Path, state: Path) -> None:
    with Terminal("review") as terminal:
        terminal.type("k")
        terminal.type("d")
        terminal.type("our mirror says so\n", "(Enter for no reason) ")
        assert terminal.finish() == 0
    with Ledger.open(state) as ledger:
        assert ledger.find_candidate(LOCK.id).detail == "our mirror says so"
    offer = claim_offer(str(state), resolve_project(project_folder=str(waiting)), "two", 5)
    assert offer is not None
    assert f"  {SOCKET.id} {SOCKET.title}; the user agreed\n" in offer.text


def test_the_commands_printed_in_a_review_of_another_project_name_that_project(
    waiting: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    with Terminal("review", "--project", str(waiting)) as terminal:
        terminal.type("k")
        terminal.type("q")
        assert terminal.finish() == 0
    commands = re.findall("`(mind-skills .*?)`", " ".join(terminal.screen.split()))
    assert commands == [
        "mind-skills install",
        f"mind-skills accept {SOCKET.id} --skill PATH --project {waiting}",
        f"mind-skills undo --project {waiting}",
    ]


def test_typed_ahead_and_unknown_keys_decide_nothing(waiting: Path, state: Path) -> None:
    with Terminal("review") as terminal:
        terminal.type("\x1b[A")
        terminal.type("x")
        terminal.type("lkkkk")
        terminal.type("q")
        assert terminal.finish() == 0
    assert terminal.screen.count("Press one of k, d, l, w, o, q.\n") == 2
    assert (terminal.screen.count(KEYS), terminal.screen.endswith("\nNothing was decided; 2 learnings left.\n")) == (
        4,
        True,
    )
    assert list_states(state, waiting) == {SOCKET.id: "pending", LOCK.id: "pending"}


def test_a_decision_made_before_an_interruption_is_stored(waiting: Path, state: Path) -> None:
    with Terminal("review") as terminal:
        terminal.type("k")
        terminal.wait_for(KEYS)
        terminal.process.send_signal(signal.SIGINT)
        code = terminal.finish()
    end = "\n1 kept; 1 left. `mind-skills undo` reverts the last decision.\n\nInterrupted.\n"
    assert (code, terminal.screen.endswith(KEYS + end)) == (130, True)
    with Ledger.open(state) as ledger:
        assert ledger.find_candidate(SOCKET.id).candidate.approved


def test_a_decision_that_another_process_made_meanwhile_is_reported_and_preserved(waiting: Path, state: Path) -> None:
    with Terminal("review") as terminal:
        terminal.wait_for(KEYS)
        with Ledger.open(state) as ledger:
            ledger.accept(SOCKET.id, "a skill", 5)
            ledger.stage(resolve_project(project_folder=str(waiting)), "one", "codex", [], 6)
        terminal.type("k")
        terminal.type("k")
        assert terminal.finish() == 0
    assert "k\nThis learning is no longer pending: it is now accepted.\n" in terminal.screen
    assert "k\nThis learning is no longer pending: a new analysis of its session did not find it.\n" in terminal.screen
    assert list_states(state, waiting) == {SOCKET.id: "accepted"}


def test_review_prints_no_colour_with_no_color_set_and_fits_a_narrow_terminal(waiting: Path) -> None:
    with Terminal("review", columns=40, env={"NO_COLOR": "1", "TERM": "xterm"}) as terminal:
        terminal.wait_for(KEYS)
    assert "\x1b" not in terminal.screen
    assert max(map(len, terminal.screen.removesuffix(KEYS).splitlines())) <= 40


def test_review_reads_a_line_where_the_terminal_gives_no_single_keys(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read, write = os.pipe()
    os.write(write, b"Keep it\n\n")
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as lines:
        monkeypatch.setattr(sys, "stdin", lines)
        assert [review.ask_key("> ") for _ in range(3)] == ["k", "", "q"]
    assert capsys.readouterr().out == "> (and Enter) > (and Enter) > (and Enter) \n"
