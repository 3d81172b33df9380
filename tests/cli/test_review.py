"""`mind-skills review` on a terminal: whole screens, key by key."""

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
from mind_skills.output.text import format_time
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.offer import claim_offer
from mind_skills.store.project import resolve_project
from tests.testkit.episodes import build_candidate
from tests.testkit.terminal import Terminal

Run = Callable[..., Any]
KEYS = "k keep  d dismiss (asks for a reason)  l later  w why  o open digest  q quit\n> "


SOCKET = build_candidate("OSError: address 7070 in use " + "and nobody ends it " * 9, probability=0.4)
LOCK = build_candidate("ERR_LOCKFILE: not up to date", program="pnpm", probability=0.3, taint=("web",))
CARDS = (
    """
1 of 2: make: OSError once, passes after a change in lock.py

  Failed  run make: failed OSError: address 7070 in use and nobody ends it and
          nobody ends it and nobody ends it and nobody ends it and nobody ends
          it and nobody ends it and nobody ends it and nobody ends it and nobo …
  Changed edit lock.py: ok +unlock()
  Passed  run make: ok ok
  Trust   40% of such episodes are learnings; error and fix
  Seen    in 1 session of Codex; not offered yet

""",
    """
2 of 2: pnpm: ERR_LOCKFILE once, passes after a change in lock.py

  Failed  run pnpm: failed ERR_LOCKFILE: not up to date
  Changed edit lock.py: ok +unlock()
  Passed  run pnpm: ok ok
  Trust   30% of such episodes are learnings; error and fix; rests on others'
          text (web)
  Seen    in 1 session of Codex; not offered yet

""",
)


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
        code = terminal.finish()
    kept = f"""k
Kept. The next session is offered this learning first, and its agent writes the
skill.
If you write the skill yourself, run `mind-skills accept {SOCKET.id} --skill
PATH`.
"""
    refused = """d
Why? (Enter for no reason) our mirror says so
Dismissed: it will not be offered again in this project.

1 kept, 1 dismissed. `mind-skills undo` reverts the last decision.
"""
    assert terminal.screen == CARDS[0] + KEYS + kept + CARDS[1] + KEYS + refused
    assert (code, list_states(state, waiting)) == (0, {SOCKET.id: "pending", LOCK.id: "dismissed"})
    with Ledger.open(state) as ledger:
        assert ledger.find_candidate(LOCK.id).detail == "our mirror says so"
    offer = claim_offer(str(state), resolve_project(project_folder=str(waiting)), "two", 5)
    assert offer is not None
    assert f"  {SOCKET.id} {SOCKET.title}; the user agreed\n" in offer.text


def test_the_end_of_input_in_place_of_a_reason_ends_the_review_without_a_dismissal(waiting: Path, state: Path) -> None:
    with Terminal("review") as terminal:
        terminal.type("d")
        terminal.type("\x04", "(Enter for no reason) ")
        assert terminal.finish() == 0
    assert terminal.screen.endswith("\nNothing was decided; 2 learnings left.\n")
    assert list_states(state, waiting) == {SOCKET.id: "pending", LOCK.id: "pending"}


def test_a_kept_learning_is_not_shown_again_and_undo_reverts_the_decision(
    mind_skills: Run, waiting: Path, state: Path
) -> None:
    with Terminal("review") as terminal:
        terminal.type("k")
        terminal.type("\x04")
        assert terminal.finish() == 0
    assert terminal.screen.endswith("\n1 kept; 1 left. `mind-skills undo` reverts the last decision.\n")
    with Terminal("review") as terminal:
        terminal.type("d")
        terminal.type("\n", "(Enter for no reason) ")
        assert terminal.finish() == 0
    assert "1 of 1: pnpm: ERR_LOCKFILE" in terminal.screen
    with Ledger.open(state) as ledger:
        assert ledger.find_candidate(LOCK.id).detail == review.NO_REASON
    with Terminal("review") as terminal:
        assert terminal.finish() == 0
    assert terminal.screen == (
        f"There is nothing to decide in {waiting}.\n1 learning that you kept is still pending.\n"
    )
    assert [mind_skills("undo", "--json").json["what"] for _ in range(2)] == ["dismissed", "approved"]
    assert mind_skills("undo").code == 1


def test_where_no_agent_is_offered_learnings_a_kept_one_is_not_announced_for_the_next_session(
    mind_skills: Run, waiting: Path
) -> None:
    mind_skills("config", "set", "write_skills", "never")
    with Terminal("review") as terminal:
        terminal.type("k")
        terminal.type("q")
        assert terminal.finish() == 0
    assert "Kept. Not offered: `write_skills` is never, so no agent is offered a learning." in " ".join(
        terminal.screen.split()
    )


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
        f"mind-skills accept {SOCKET.id} --skill PATH --project {waiting}",
        f"mind-skills undo --project {waiting}",
    ]


def test_an_offered_learning_comes_last_with_the_date_of_its_offer(waiting: Path, state: Path) -> None:
    at = 1_790_000_000_000
    with Ledger.open(state) as ledger:
        place = resolve_project(project_folder=str(waiting))
        ledger.dismiss(LOCK.id, "first", at)
        assert claim_offer(str(state), place, "two", at)
        ledger.undo(at)
    with Terminal("review") as terminal:
        terminal.type("l")
        terminal.type("q")
        assert terminal.finish() == 0
    found = [text for text in terminal.screen.splitlines() if " of 2" in text]
    day = format_time(at)[:10]
    assert found == [
        "1 of 2: pnpm: ERR_LOCKFILE once, passes after a change in lock.py",
        f"2 of 2, already offered on {day}: make: OSError once, passes after a change",
    ]


def test_the_keys_later_and_quit_decide_nothing(waiting: Path, state: Path) -> None:
    with Terminal("review") as terminal:
        terminal.type("L")
        terminal.type("q")
        code = terminal.finish()
    end = "\nNothing was decided; 2 learnings left.\n"
    assert terminal.screen == CARDS[0] + KEYS + "L\n" + CARDS[1] + KEYS + "q\n" + end
    assert (code, list_states(state, waiting)) == (0, {SOCKET.id: "pending", LOCK.id: "pending"})


def test_the_key_why_prints_the_verdict_of_why_and_the_key_open_the_digest(waiting: Path) -> None:
    with Terminal("why", SOCKET.id) as terminal:
        assert terminal.finish() == 0
    said = terminal.screen[terminal.screen.index("Will be offered to ") :]
    with Terminal("review") as terminal:
        terminal.type("w")
        terminal.type("o")
        terminal.type("q")
        assert terminal.finish() == 0
    again = "".join(CARDS[0].partition("\n\n")[0]) + "\n"
    rows = "\n".join(f"{item.line} {item.content}".replace("\n", "\n  | ") for item in SOCKET.evidence)
    digest = f"o\n\n{SOCKET.id}: {SOCKET.title}\n{rows}\n"
    end = "q\n\nNothing was decided; 2 learnings left.\n"
    assert terminal.screen == CARDS[0] + KEYS + "w\n\n" + said + again + KEYS + digest + again + KEYS + end


def test_typed_ahead_and_unknown_keys_decide_nothing(waiting: Path, state: Path) -> None:
    with Terminal("review") as terminal:
        terminal.type("\x1b[A")
        terminal.type("x")
        terminal.type("lkkkk")
        terminal.type("q")
        assert terminal.finish() == 0
    press = "Press one of k, d, l, w, o, q.\n"
    asked = CARDS[0] + KEYS + f"\n{press}" + KEYS + f"x\n{press}" + KEYS + "l\n" + CARDS[1] + KEYS
    assert terminal.screen == asked + "q\n\nNothing was decided; 2 learnings left.\n"
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


def test_an_agent_cannot_run_review(waiting: Path, session: Callable[[str], None]) -> None:
    session("two")
    with Terminal("review") as terminal:
        assert terminal.finish() == 1
    said = "mind-skills: this command is for a person, not for an agent\nRun it yourself, in your own terminal.\n"
    assert terminal.screen == said


def test_review_without_a_terminal_lists_candidates_and_the_commands_to_decide(
    mind_skills: Run, waiting: Path, state: Path
) -> None:
    pending, done = mind_skills("pending"), mind_skills("review")
    assert (done.code, done.err, done.out.startswith(f"{pending.out}\nIf you do nothing, the agent")) == (
        *(0, pending.err),
        True,
    )
    commands = [line for line in done.out.splitlines() if line.startswith("mind-skills ")]
    assert commands == [
        f'mind-skills dismiss {SOCKET.id} --reason "..."',
        f"mind-skills accept {SOCKET.id} --skill PATH",
        f'mind-skills dismiss {LOCK.id} --reason "..."',
        f"mind-skills accept {LOCK.id} --skill PATH",
    ]
    assert list_states(state, waiting) == {SOCKET.id: "pending", LOCK.id: "pending"}
    for id_ in (SOCKET.id, LOCK.id):
        mind_skills("dismiss", id_, "--reason", "no")
    nothing = mind_skills("review")
    assert (nothing.code, nothing.out) == (0, f"Nothing is pending in {waiting}.\n")


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
