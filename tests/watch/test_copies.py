"""Forks and logs of subagents, recognised without hooks: a learning that both sessions contain counts once."""

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


def write_claude_log(machine: Machine, session: str, marks: dict[str, object], *stories: str) -> Path:
    """Write a log of these stories; the answers of the first, which may be a copy, get these ``marks``."""
    path = machine.find_log_path("claude-code", session)
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


def list_learned(machine: Machine) -> list[tuple[str, tuple[str, ...]]]:
    """The first words of each pending candidate, and the sessions in which it was seen."""
    return sorted((each.title[:12], each.sessions) for each in machine.pending())


def expect_each_story_once(machine: Machine, session: str = PARENT) -> list[tuple[str, tuple[str, ...]]]:
    return sorted([(compute_title(machine, LESSON), (session,)), (compute_title(machine, OTHER), (FORK,))])


def compute_title(machine: Machine, story: Story) -> str:
    from mind_skills.staging.analyse import analyse

    log = machine.home / "alone.jsonl"
    log.write_text(machine.render_story("claude-code", CHILD, story))
    (only,) = analyse(log).candidates
    return only.title[:12]


@pytest.mark.parametrize(
    "marked", ["by the session that asked", "by the older session's id", "by a branch", "not at all"]
)
@pytest.mark.parametrize("first", ["the parent was read", "neither was read"])
def test_a_fork_of_claude_code_does_not_count_its_parents_learning_again(
    machine: Machine, marked: str, first: str
) -> None:
    marks: dict[str, dict[str, object]] = {
        "by the session that asked": {"requestSessionId": PARENT},
        "by the older session's id": {"sessionId": PARENT},
        "by a branch": {"forkedFrom": {"sessionId": PARENT, "messageUuid": "x"}},
        "not at all": {},
    }
    parent = write_claude_log(machine, PARENT, {}, machine.render_story("claude-code", PARENT))
    if first == "the parent was read":
        machine.json("watch", "--once")
    elif marked != "not at all":
        os.utime(parent, (1_600_000_000, 1_600_000_000))  # so old that the watch would not read it
    texts = machine.render_story("claude-code", FORK), machine.render_story("claude-code", FORK, OTHER)
    write_claude_log(machine, FORK, marks[marked], *texts)
    machine.json("watch", "--once")
    if marked == "not at all" and first == "neither was read":  # either may count as the copy
        assert sorted(len(sessions) for _, sessions in list_learned(machine)) == [1, 1]
    else:
        assert list_learned(machine) == expect_each_story_once(machine)
        assert SessionMarkers(str(machine.state), FORK).forked.read().isdecimal()
        assert SessionMarkers(str(machine.state), PARENT).forked.read() == ""


@pytest.mark.parametrize("first", ["the parent was read", "neither was read"])
def test_a_fork_of_codex_does_not_count_its_parents_learning_again(machine: Machine, first: str) -> None:
    parent = machine.write("codex", PARENT)
    if first == "the parent was read":
        machine.json("watch", "--once")
    else:
        os.utime(parent, (1_600_000_000, 1_600_000_000))
    meta, *copy = machine.render_story("codex", FORK).splitlines(keepends=True)
    head = json.loads(meta)
    head["payload"] |= {"forked_from_id": PARENT, "timestamp": "2026-06-18T04:00:00.000Z"}
    own = machine.render_story("codex", FORK, OTHER).splitlines(keepends=True)[1:]
    machine.find_log_path("codex", FORK).write_text("".join([json.dumps(head) + "\n", *copy, *own]))
    machine.json("watch", "--once")
    assert list_learned(machine) == expect_each_story_once(machine)
    assert SessionMarkers(str(machine.state), FORK).forked.read() == str(COPIED_AT)


@pytest.mark.parametrize("first", ["the parent was read", "neither was read"])
def test_a_fork_of_opencode_does_not_count_its_parents_learning_again(machine: Machine, first: str) -> None:
    path = machine.write("opencode", PARENT)
    if first == "the parent was read":
        machine.json("watch", "--once")
    machine.write("opencode", FORK)
    with closing(sqlite3.connect(path)) as database, database:
        ((made,),) = database.execute("SELECT time_created FROM session WHERE id = ?", (FORK,))
        when = (made + 5, made + 10)  # the copy is created after its messages, and the parent continues after that
        database.execute("UPDATE session SET time_created = ?, time_updated = ? WHERE id = ?", (*when, FORK))
        database.execute("UPDATE session SET time_updated = ? WHERE id = ?", (made + 20, PARENT))
    machine.json("watch", "--once")
    assert [(each.sessions, each.host) for each in machine.pending()] == [((PARENT,), "opencode")]
    assert SessionMarkers(str(machine.state), FORK).forked.read() == str(made + 5)


def test_a_fork_whose_parent_was_deleted_unread_counts_as_a_session_of_its_own(machine: Machine) -> None:
    write_claude_log(machine, FORK, {"requestSessionId": PARENT}, machine.render_story("claude-code", FORK))
    machine.json("watch", "--once")
    assert [sessions for _, sessions in list_learned(machine)] == [(FORK,)]
    assert SessionMarkers(str(machine.state), FORK).forked.read() == ""


def test_two_logs_that_name_each_other_as_parent_count_their_learning_once(machine: Machine) -> None:
    for own, other in ((PARENT, FORK), (FORK, PARENT)):
        write_claude_log(machine, own, {"requestSessionId": other}, machine.render_story("claude-code", own))
    machine.json("watch", "--once")
    assert [len(sessions) for _, sessions in list_learned(machine)] == [1]


def test_logs_of_subagents_are_not_sessions_wherever_they_are(machine: Machine, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    (runs / "subagents").mkdir(parents=True)
    side = machine.render_story("claude-code", PARENT).replace('"isSidechain": false', '"isSidechain": true')
    path = machine.write("claude-code", PARENT, OTHER)
    for place in (path.with_name("agent-1.jsonl"), runs / "subagents" / "agent-2.jsonl", runs / "three.jsonl"):
        place.write_text(side)
    machine.json("watch", "--once", str(runs))
    assert list_learned(machine) == [(compute_title(machine, OTHER), (PARENT,))]


def test_the_origin_of_a_fork_is_its_parent_and_the_time_of_its_first_own_line(machine: Machine) -> None:
    parent = write_claude_log(machine, PARENT, {}, machine.render_story("claude-code", PARENT))
    texts = machine.render_story("claude-code", FORK), machine.render_story("claude-code", FORK, OTHER)
    fork = write_claude_log(machine, FORK, {"requestSessionId": PARENT}, *texts)
    own = next(json.loads(line) for line in fork.read_text().splitlines() if "T04" in line)
    assert own["timestamp"] == "2026-06-18T04:00:01.000Z"
    assert find_origin(fork, "claude-code") == Origin(PARENT, parent, COPIED_AT + 1_000)
    assert (find_origin(parent, "claude-code"), find_origin(fork, "gemini")) == (None, None)


def test_replay_does_not_count_the_parents_learning_again_for_a_fork(machine: Machine) -> None:
    texts = machine.render_story("claude-code", FORK), machine.render_story("claude-code", FORK, OTHER)
    parent = write_claude_log(machine, PARENT, {}, machine.render_story("claude-code", PARENT))
    fork = write_claude_log(machine, FORK, {"requestSessionId": PARENT}, *texts)
    done = machine.run("replay", "--stage", str(fork), str(parent))
    assert done.returncode == 0
    assert list_learned(machine) == expect_each_story_once(machine)


@pytest.mark.parametrize("first", ["the first was read", "neither was read"])
@pytest.mark.parametrize(
    ("host", "copied"),
    [
        ("claude-code", "copied"),
        ("claude-code", "not copied"),
        ("codex", "copied"),
        ("codex", "not copied"),
        ("gemini", "not copied"),
    ],
)
def test_each_log_of_a_session_is_read_once(machine: Machine, host: str, first: str, copied: str) -> None:
    log = machine.write(host, PARENT)
    if first == "the first was read":
        machine.json("watch", "--once")
    head, *story = machine.render_story(host, PARENT, OTHER).splitlines(keepends=True)
    story = [re.sub(r'"([a-z]+)(\d+)"', r'"other-\1\2"', line).replace("T02", "T04") for line in story]
    before = log.read_text().splitlines(keepends=True)[1:] if copied == "copied" else []
    other = {
        "claude-code": log.parent.with_name("-elsewhere") / log.name,
        "codex": log.with_name(log.name.replace(PARENT, CHILD)),
        "gemini": log.with_name(f"session-{CHILD[:8]}.jsonl"),
    }[host]
    other.parent.mkdir(exist_ok=True)
    other.write_text("".join([head, *before, *story]))
    for _ in range(2):
        machine.json("watch", "--once")
    titles = [compute_title(machine, LESSON), compute_title(machine, OTHER)]
    assert sorted(title for title, sessions in list_learned(machine)) == sorted(titles)
    assert [len(sessions) for _, sessions in list_learned(machine)] == [1, 1]


@pytest.mark.parametrize("when", ["before it was read", "between two parts", "before its end"])
def test_an_archived_session_of_codex_is_read_where_it_is(machine: Machine, when: str) -> None:
    log = machine.find_log_path("codex", PARENT)
    log.parent.mkdir(parents=True, exist_ok=True)
    lines = machine.render_story("codex", PARENT).splitlines(keepends=True)
    archived = log.parents[4] / "archived_sessions" / log.name
    archived.parent.mkdir(parents=True)
    log.write_text("".join(lines[:5] if when == "between two parts" else lines))
    if when != "before it was read":
        machine.json("watch", "--once")
    log.rename(archived)
    archived.write_text("".join(lines))
    machine.json("watch", "--once")
    assert list_learned(machine) == [(compute_title(machine, LESSON), (PARENT,))]
