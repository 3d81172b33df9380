"""Sessions that begin as copies of others, and logs of subagents, where no hook says so: what both hold counts once."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.observations.session_origin import Origin, find_origin
from tests.testkit.stories.story_file import Story
from tests.watch.machine import LESSON, OTHER, Machine

PARENT, FORK, CHILD = (f"00000000-0000-4000-8000-0000000000a{n}" for n in (1, 2, 3))
COPIED_AT = 1_781_755_200_000
"""Later than each line of a story: 2026-06-18T04:00Z."""


def claude(machine: Machine, session: str, marks: dict[str, object], *stories: str) -> Path:
    """A log of these stories, the first as a copy with these ``marks`` on its answers."""
    path = machine.place("claude-code", session)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines: list[str] = []
    for part, story in enumerate(stories):
        for line in story.splitlines():
            entry = json.loads(line)
            if number := re.fullmatch("u([0-9]+)", entry.get("uuid", "")):
                entry["uuid"] = f"{part * int(session[-1]):08x}-0000-4000-8000-{int(number[1]):012x}"
            if part == 0 and entry["type"] == "assistant":
                entry |= marks
            if part:
                entry["timestamp"] = entry.get("timestamp", "").replace("T02", "T04")
            lines.append(json.dumps(entry) + "\n")
    path.write_text("".join(lines))
    return path


def learned(machine: Machine) -> list[tuple[str, tuple[str, ...]]]:
    """The first words of what waits, and the sessions that it was seen in."""
    return sorted((each.title[:12], each.sessions) for each in machine.pending())


def parent_alone(machine: Machine, session: str = PARENT) -> list[tuple[str, tuple[str, ...]]]:
    return sorted([(title(machine, LESSON), (session,)), (title(machine, OTHER), (FORK,))])


def title(machine: Machine, story: Story) -> str:
    from mind_skills.staging.analyse import analyse

    log = machine.home / "alone.jsonl"
    log.write_text(machine.text("claude-code", CHILD, story))
    (only,) = analyse(log).candidates
    return only.title[:12]


@pytest.mark.parametrize(
    "marked", ["by the session that asked", "by the older session's id", "by a branch", "not at all"]
)
@pytest.mark.parametrize("first", ["the other is known", "neither is known"])
def test_what_a_copy_of_claude_code_holds_is_not_learned_again(machine: Machine, marked: str, first: str) -> None:
    marks: dict[str, dict[str, object]] = {
        "by the session that asked": {"requestSessionId": PARENT},
        "by the older session's id": {"sessionId": PARENT},
        "by a branch": {"forkedFrom": {"sessionId": PARENT, "messageUuid": "x"}},
        "not at all": {},
    }
    parent = claude(machine, PARENT, {}, machine.text("claude-code", PARENT))
    if first == "the other is known":
        machine.json("watch", "--once")
    elif marked != "not at all":
        os.utime(parent, (1_600_000_000, 1_600_000_000))  # which would be left alone, as it is old
    texts = machine.text("claude-code", FORK), machine.text("claude-code", FORK, OTHER)
    claude(machine, FORK, marks[marked], *texts)
    machine.json("watch", "--once")
    if marked == "not at all" and first == "neither is known":  # then either may count as the copy
        assert sorted(len(sessions) for _, sessions in learned(machine)) == [1, 1]
    else:
        assert learned(machine) == parent_alone(machine)
        assert SessionMarkers(str(machine.state), FORK).forked.read().isdecimal()
        assert SessionMarkers(str(machine.state), PARENT).forked.read() == ""


@pytest.mark.parametrize("first", ["the other is known", "neither is known"])
def test_what_a_fork_of_codex_holds_is_not_learned_again(machine: Machine, first: str) -> None:
    parent = machine.write("codex", PARENT)
    if first == "the other is known":
        machine.json("watch", "--once")
    else:
        os.utime(parent, (1_600_000_000, 1_600_000_000))
    meta, *copy = machine.text("codex", FORK).splitlines(keepends=True)
    head = json.loads(meta)
    head["payload"] |= {"forked_from_id": PARENT, "timestamp": "2026-06-18T04:00:00.000Z"}
    own = machine.text("codex", FORK, OTHER).splitlines(keepends=True)[1:]
    machine.place("codex", FORK).write_text("".join([json.dumps(head) + "\n", *copy, *own]))
    machine.json("watch", "--once")
    assert learned(machine) == parent_alone(machine)
    assert SessionMarkers(str(machine.state), FORK).forked.read() == str(COPIED_AT)


@pytest.mark.parametrize("first", ["the other is known", "neither is known"])
def test_what_a_fork_of_opencode_holds_is_not_learned_again(machine: Machine, first: str) -> None:
    path = machine.write("opencode", PARENT)
    if first == "the other is known":
        machine.json("watch", "--once")
    machine.write("opencode", FORK)
    with closing(sqlite3.connect(path)) as database, database:
        ((made,),) = database.execute("SELECT time_created FROM session WHERE id = ?", (FORK,))
        when = (made + 5, made + 10)  # the copy is made after its messages, and the other goes on after that
        database.execute("UPDATE session SET time_created = ?, time_updated = ? WHERE id = ?", (*when, FORK))
        database.execute("UPDATE session SET time_updated = ? WHERE id = ?", (made + 20, PARENT))
    machine.json("watch", "--once")
    assert [(each.sessions, each.host) for each in machine.pending()] == [((PARENT,), "opencode")]
    assert SessionMarkers(str(machine.state), FORK).forked.read() == str(made + 5)


def test_a_copy_of_a_log_that_is_gone_and_that_nobody_has_read_is_a_session_like_any_other(machine: Machine) -> None:
    claude(machine, FORK, {"requestSessionId": PARENT}, machine.text("claude-code", FORK))
    machine.json("watch", "--once")
    assert [sessions for _, sessions in learned(machine)] == [(FORK,)]
    assert SessionMarkers(str(machine.state), FORK).forked.read() == ""


def test_two_logs_that_each_name_the_other_are_both_read(machine: Machine) -> None:
    for own, other in ((PARENT, FORK), (FORK, PARENT)):
        claude(machine, own, {"requestSessionId": other}, machine.text("claude-code", own))
    machine.json("watch", "--once")
    assert [len(sessions) for _, sessions in learned(machine)] == [1]


def test_logs_of_subagents_are_no_sessions_wherever_they_stand(machine: Machine, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    (runs / "subagents").mkdir(parents=True)
    side = machine.text("claude-code", PARENT).replace('"isSidechain": false', '"isSidechain": true')
    path = machine.write("claude-code", PARENT, OTHER)
    for place in (path.with_name("agent-1.jsonl"), runs / "subagents" / "agent-2.jsonl", runs / "three.jsonl"):
        place.write_text(side)
    machine.json("watch", "--once", str(runs))
    assert learned(machine) == [(title(machine, OTHER), (PARENT,))]


def test_a_log_says_when_it_began_to_be_its_own(machine: Machine) -> None:
    parent = claude(machine, PARENT, {}, machine.text("claude-code", PARENT))
    texts = machine.text("claude-code", FORK), machine.text("claude-code", FORK, OTHER)
    fork = claude(machine, FORK, {"requestSessionId": PARENT}, *texts)
    own = next(json.loads(line) for line in fork.read_text().splitlines() if "T04" in line)
    assert own["timestamp"] == "2026-06-18T04:00:01.000Z"
    assert find_origin(fork, "claude-code") == Origin(PARENT, parent, COPIED_AT + 1_000)
    assert (find_origin(parent, "claude-code"), find_origin(fork, "gemini")) == (None, None)


def test_replayed_a_copy_counts_as_little(machine: Machine) -> None:
    texts = machine.text("claude-code", FORK), machine.text("claude-code", FORK, OTHER)
    parent = claude(machine, PARENT, {}, machine.text("claude-code", PARENT))
    fork = claude(machine, FORK, {"requestSessionId": PARENT}, *texts)
    done = machine.run("replay", "--stage", str(fork), str(parent))
    assert done.returncode == 0
    assert learned(machine) == parent_alone(machine)
