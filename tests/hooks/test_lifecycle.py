"""Whole sequences of moments: what each start offers, and what is left at the end."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from mind_skills.hooks import start
from mind_skills.hooks.end import handle_session_end
from mind_skills.hooks.idle import WATCH_SOURCE, run_checkpoint
from mind_skills.hooks.recover import recover_sessions, register_start
from mind_skills.hooks.session_state import ENDING, SessionMarkers, announce_end, list_markers, lock_session
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.offer import claim_offer, could_offer
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World, lessons, rereading

STORIES = dict(
    re.findall(r"^## (.+)\n\n((?s:.+?))(?=\n## |\Z)", (Path(__file__).parent / "stories.md").read_text(), re.MULTILINE)
)


def listed(words: str) -> list[str]:
    """The items of ``a, b``; none for ``-``."""
    return [] if words == "-" else words.split(", ")


@pytest.mark.parametrize("name", STORIES)
def test_sessions_act_as_their_story_says(world: World, name: str) -> None:
    story, end = STORIES[name].rsplit("\n\npending: ", 1)
    sentences = [line.strip().partition(" -> ") for line in story.splitlines()]
    offered = world.tell("\n".join(sentence for sentence, _, _ in sentences))
    pending = [name + " offered" * was_offered for name, was_offered in world.pending().items()]
    history = [f"{name} {state}" for name, state in sorted(world.history().items())]
    assert offered == [names for _, arrow, names in sentences if arrow]
    waits, left, unfinished = (part.split(": ")[-1].strip() for part in end.split(";"))
    assert (pending, history, " ".join(sorted(world.unfinished())) or "-") == (listed(waits), listed(left), unfinished)


def test_every_story_in_the_file_is_read() -> None:
    assert len(STORIES) == (Path(__file__).parent / "stories.md").read_text().count("\n## ")


def test_a_session_that_starts_twice_receives_the_same_bytes(world: World) -> None:
    world.tell("A learns x\nA ends\nB starts\nlater B starts")
    first, second = world.received["B"]
    assert first == second
    assert first.count("<openception-skill-extraction>") == 1


def test_a_subagent_receives_no_offer_and_stages_and_registers_nothing(world: World) -> None:
    world.tell("A learns x\nA ends\nS learns y")
    call = world.make_call("S")
    call.subagent = True
    assert start.handle_session_start(world.home, call) is None
    assert (
        register_start(world.home, call),
        run_checkpoint(world.home, call),
        handle_session_end(world.home, call),
    ) == ([], [], [])
    assert (world.pending(), world.unfinished()) == ({"x": False}, [])


def test_a_checkpoint_less_than_a_minute_after_the_last_reads_nothing(world: World) -> None:
    world.tell("A starts\nA learns x\nA idles\nA learns y\nA idles")
    assert (world.reads, world.pending()) == (["A"], {"x": False})
    world.tell("later A idles")
    assert (world.reads, world.pending()) == (["A", "A"], {"x": False, "y": False})


def test_a_log_that_did_not_grow_is_read_by_one_checkpoint_and_once_at_the_end(world: World) -> None:
    world.tell("A starts\nA learns x\nA idles\nlater A idles\nlater A idles\nA ends\nA ends")
    assert world.reads == ["A", "A"]  # at the first pause, and as a whole at the end


def test_a_finished_session_leaves_no_markers(world: World) -> None:
    world.tell("A runs\nA starts\nA learns x\nA idles\nA ends\nB runs\nB starts")
    assert world.markers() == ["running", "unanswered"]
    world.tell("B answers\nB idles")
    assert world.markers() == ["checked", "running"]
    world.tell("B ends")
    assert world.markers() == []


def test_a_finished_session_keeps_no_offer_that_another_start_would_look_up(world: World) -> None:
    world.tell("A learns x\nA ends\nB starts\nB answers")
    project = resolve_project(str(world.project))
    before = could_offer(world.home, project.id, "B")
    world.tell("B ends")
    assert (before, could_offer(world.home, project.id, "B")) == (True, False)


def test_a_session_of_a_host_that_is_not_registered_is_finished(world: World) -> None:
    world.tell("A learns x\nA ends")
    call = world.make_call("B")
    call.host = "a host of the future"
    with Ledger.open(world.home) as ledger:
        ledger.register_session("B", call.host, resolve_project(str(world.project)), call.log, world.now)
    assert claim_offer(world.home, resolve_project(str(world.project)), "B", world.now) is not None
    world.tell("B learns y\nB writes x\nB answers")
    call.at = world.now + 1_000
    assert run_checkpoint(world.home, call, analyse_increment=rereading(lessons)) == []
    assert handle_session_end(world.home, call, analyse_log=lessons) == []
    assert (world.pending(), world.history(), world.unfinished()) == ({"y": False}, {"x": "accepted"}, [])


@pytest.mark.parametrize("way", ["ends", "idles"])
def test_what_a_session_learned_in_a_worktree_that_was_removed_belongs_to_the_repository(
    world: World, way: str
) -> None:
    main, tree = world.project, world.project.parent / "tree"
    git = main / ".git" / "worktrees" / "tree"
    git.mkdir(parents=True)
    (git / "commondir").write_text("../..\n")
    (git / "gitdir").write_text(f"{tree / '.git'}\n")
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {git}\n")
    world.project = tree
    world.tell("A starts\nA learns x")
    shutil.rmtree(tree)
    world.tell(f"A {way}")
    world.project = main
    assert world.tell("B starts") == ["x"]


@pytest.mark.parametrize("way", ["ends", "idles"])
def test_a_session_whose_repository_was_removed_does_not_move_to_the_repository_around_it(
    world: World, way: str
) -> None:
    outer, inner = world.project, world.project / "vendor" / "clone"
    (inner / ".git").mkdir(parents=True)
    world.project = inner
    world.tell("A starts\nA learns x")
    shutil.rmtree(inner)
    world.project = outer  # as the adapters for Codex, Gemini CLI and OpenCode find it
    world.tell(f"A {way}")
    with Ledger.open(world.home) as ledger:
        session = ledger.find_session("A")
    assert (session and session.project.root, world.tell("B starts")) == (str(inner), ["-"])


def test_a_session_that_is_resumed_in_its_renamed_folder_belongs_to_that_folder(world: World) -> None:
    world.tell("A starts\nA answers\nA ends")
    world.project = world.project.rename(world.project.parent / "renamed")
    world.tell("A starts resume\nA learns x\nA ends")
    assert world.tell("B starts") == ["x"]


def test_an_unreadable_log_does_not_prevent_the_end_of_its_session(world: World) -> None:
    world.tell("A learns x\nA ends\nB starts\nB answers")
    world.log("B").write_bytes(b"\x00\x01 no log of anybody")
    with pytest.raises(Exception, match="not a session log of a known host"):
        world.tell("B ends")
    assert (world.unfinished(), world.history(), world.markers()) == ([], {"x": "ignored"}, [])


def test_one_unreadable_log_does_not_prevent_recovery_of_the_others(world: World) -> None:
    world.tell("A starts\nA answers\nB starts\nB learns x")
    world.log("A").write_bytes(b"\x00\x01 no log of anybody")
    os.utime(world.log("A"), (world.now / 1000, world.now / 1000))
    problems = recover_sessions(world.home, world.now + 86_400_000, analyse_log=world.read)
    assert problems == ["session A could not be recovered: LogError: not a session log of a known host"]
    assert (world.unfinished(), world.pending()) == ([], {"x": False})
    assert recover_sessions(world.home, world.now + 86_400_000, analyse_log=world.read) == []


def test_a_start_waits_for_an_announced_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.tell("A starts\nA learns x")
    call = world.make_call("A", "clear")
    announce_end(world.home, call)
    (announced,) = list_markers(world.home, ENDING, resolve_project(str(world.project)).id)
    os.utime(announced, (world.now / 1000, world.now / 1000))
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.extend([seconds] if seconds == start.POLL_SECONDS else [])  # other waits are for processes
        if seconds == start.POLL_SECONDS and len(slept) == 3:
            world.tell("A ends clear")

    monkeypatch.setattr("time.sleep", sleep)
    assert world.tell("B starts clear") == ["x"]
    assert slept == [start.POLL_SECONDS] * 3


def test_a_start_stops_waiting_for_an_announced_end_that_died_and_later_starts_do_not_wait(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.tell("A starts\nA learns x\nA idles")
    announce_end(world.home, world.make_call("A", "clear"))
    (announced,) = list_markers(world.home, ENDING, resolve_project(str(world.project)).id)
    os.utime(announced, (world.now / 1000, world.now / 1000))
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    assert world.tell("B starts clear") == ["x"]
    assert len(slept) == start.MAX_POLLS
    slept.clear()
    world.tell("later C starts")
    assert slept == []


def test_a_session_is_not_recovered_while_another_process_finishes_it(world: World) -> None:
    world.tell("A starts\nA learns x")
    later, found = world.now + 3 * 86_400_000, []
    with lock_session(world.home, "A", wait=False):
        found.append((recover_sessions(world.home, later, analyse_log=lessons), world.unfinished(), world.pending()))
    found.append((recover_sessions(world.home, later, analyse_log=lessons), world.unfinished(), world.pending()))
    assert found == [([], ["A"], {}), ([], [], {"x": False})]


def test_a_watch_learns_from_the_log_alone_that_an_offer_was_answered(world: World) -> None:
    project = resolve_project(str(world.project))
    found = []
    world.tell("A learns x\nA ends\nB starts")
    for sentence in ("B asks", "later B answers"):
        world.tell(sentence)
        call = world.make_call("B", WATCH_SOURCE)
        assert run_checkpoint(world.home, call, analyse_increment=rereading(lessons)) == []
        with Ledger.open(world.home) as ledger:
            offer = ledger.find_offer("B")
            found.append((offer and offer.answered, SessionMarkers(world.home, "B", project.id).unanswered.exists()))
    assert found == [(False, True), (True, False)]
