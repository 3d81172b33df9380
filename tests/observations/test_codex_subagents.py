"""Codex: a subagent's observations belong to its parent's session, once, without the copied history."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.observations.find_logs import find_logs
from mind_skills.observations.read import read_session
from mind_skills.observations.readers import codex_files

PARENT, CHILD, GRANDCHILD = (f"01a20002-607b-7da2-9c70-00000000000{n}" for n in range(3))
DAY = "2026/11/21"


def meta(name: str, parent: str = "", **more: Any) -> dict[str, Any]:
    source: Any = {"subagent": {"thread_spawn": {"parent_thread_id": parent, "depth": 1}}} if parent else "exec"
    payload = {"id": name, "cwd": "/p", "source": source, "timestamp": "2026-11-21T21:28:05.000Z", **more}
    return {"type": "session_meta", "payload": payload}


def make_message(text: str, role: str = "assistant") -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {
        "type": "response_item",
        "payload": {"type": "message", "role": role, "content": [{"type": kind, "text": text}]},
    }


def make_run(command: str, code: int = 0) -> list[dict[str, Any]]:
    call = {
        "type": "function_call",
        "name": "exec_command",
        "arguments": json.dumps({"cmd": command}),
        "call_id": command,
    }
    output = (
        f"Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code {code}\nOriginal token count: 1\nOutput:\nx\n"
    )
    done = {"type": "function_call_output", "call_id": command, "output": output}
    return [{"type": "response_item", "payload": payload} for payload in (call, done)]


def make_spawn(name: str) -> list[dict[str, Any]]:
    call = {
        "type": "function_call",
        "name": "spawn_agent",
        "namespace": "multi_agent_v1",
        "arguments": "{}",
        "call_id": name,
    }
    done = {
        "type": "function_call_output",
        "call_id": name,
        "output": json.dumps({"agent_id": name, "nickname": "Mill"}),
    }
    return [{"type": "response_item", "payload": payload} for payload in (call, done)]


def settings(name: str) -> dict[str, Any]:
    return {"type": "event_msg", "payload": {"type": "thread_settings_applied", "thread_id": name}}


def write(folder: Path, name: str, *lines: dict[str, Any]) -> Path:
    path = folder / f"rollout-2026-11-21T21-28-05-{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    stamped = [{"timestamp": "2026-11-21T21:28:05.000Z", **line} for line in lines]
    path.write_text("".join(json.dumps(line) + "\n" for line in stamped))
    return path


def list_observations(path: Path) -> list[tuple[str, str, int, str]]:
    return [(o.kind, o.agent, o.line, o.command or o.tool or o.text) for o in read_session(path).observations]


@pytest.mark.parametrize("day", [DAY, "2026/11/22"])
def test_observations_of_a_subagent_are_at_the_call_that_started_it(tmp_path: Path, day: str) -> None:
    path = write(
        tmp_path / DAY, PARENT, meta(PARENT), make_message("Go.", "user"), *make_spawn(CHILD), make_message("Done.")
    )
    write(
        tmp_path / day,
        CHILD,
        meta(CHILD, PARENT),
        make_message("Count.", "user"),
        *make_run("ls"),
        *make_spawn(GRANDCHILD),
    )
    write(tmp_path / day, GRANDCHILD, meta(GRANDCHILD, CHILD), *make_run("pwd", 3))
    assert list_observations(path) == [
        ("user", "main", 2, "Go."),
        ("tool", "main", 3, "spawn_agent"),
        ("user", "subagent", 3, "Count."),
        ("tool", "subagent", 3, "ls"),
        ("tool", "subagent", 3, "spawn_agent"),
        ("tool", "subagent", 3, "pwd"),
        ("assistant", "main", 5, "Done."),
    ]
    session = read_session(path)
    assert (session.session_id, session.project, session.lines) == (PARENT, "/p", 5)


def test_the_copied_history_of_the_parent_is_not_attributed_to_the_subagent(tmp_path: Path) -> None:
    before = [meta(PARENT), make_message("Go.", "user"), *make_run("make", 2)]
    path = write(tmp_path / DAY, PARENT, *before, *make_spawn(CHILD))
    own = [settings(CHILD), make_message("Count.", "user"), *make_run("ls")]
    write(tmp_path / DAY, CHILD, meta(CHILD, PARENT, forked_from_id=PARENT), *before, settings(PARENT), *own)
    assert [what for kind, agent, _, what in list_observations(path) if agent == "subagent"] == ["Count.", "ls"]
    write(tmp_path / DAY, CHILD, meta(CHILD, PARENT, forked_from_id=PARENT), *before)
    assert [what for kind, agent, _, what in list_observations(path) if agent == "subagent"] == []


COPIED: dict[str, tuple[dict[str, Any], bool, bool]] = {
    "nothing": ({}, False, True),
    "a history that the header names": ({"forked_from_id": PARENT}, True, True),
    "a history that no field names": ({}, True, True),
    "a history without an end": ({}, True, False),
    "a history that the header names, without an end": ({"forked_from_id": PARENT}, True, False),
    "a history with its length": ({"forked_from_id": PARENT, "subagent_history_start_ordinal": 6}, True, False),
    "a reference": (
        {"forked_from_id": PARENT, "history_base": {"thread_id": "x", "end_ordinal_exclusive": 9}},
        False,
        False,
    ),
}


@pytest.mark.parametrize("name", COPIED)
def test_a_subagents_own_work_begins_after_the_copied_history(tmp_path: Path, name: str) -> None:
    fields, is_copied, has_end = COPIED[name]
    before = [
        {**line, "ordinal": n}
        for n, line in enumerate([meta(PARENT), make_message("Go.", "user"), *make_run("make", 2)])
    ]
    path = write(tmp_path / DAY, PARENT, *before, *make_spawn(CHILD))
    own = [
        *([settings(CHILD)] if has_end else []),
        make_message("Count.", "user"),
        *make_run("ls"),
        settings(CHILD),
        *make_run("pwd"),
    ]
    lines = [
        meta(CHILD, PARENT, **fields),
        *(before if is_copied else []),
        *({**line, "ordinal": 6 + n} for n, line in enumerate(own)),
    ]
    child = write(tmp_path / DAY, CHILD, *lines)
    assert [what for _, agent, _, what in list_observations(path) if agent == "subagent"] == ["Count.", "ls", "pwd"]
    assert [what for *_, what in list_observations(child)] == ["Count.", "ls", "pwd"]


def test_a_subagent_of_which_the_parent_has_only_the_task_is_read_at_the_call(tmp_path: Path) -> None:
    calls = [make_spawn(name) for name in (CHILD, GRANDCHILD)]
    for _, done in calls:
        done["payload"]["output"] = json.dumps({"task_name": "/main/till"})
    path = write(tmp_path / DAY, PARENT, meta(PARENT), *calls[0], *calls[1])
    for name, command in ((CHILD, "ls"), (GRANDCHILD, "pwd")):
        spawn = {"parent_thread_id": PARENT, "agent_path": "/main/till"}
        write(tmp_path / DAY, name, meta(name, source={"subagent": {"thread_spawn": spawn}}), *make_run(command))
    assert list_observations(path) == [
        ("tool", "main", 2, "spawn_agent"),
        ("tool", "subagent", 2, "ls"),
        ("tool", "main", 4, "spawn_agent"),
        ("tool", "subagent", 4, "pwd"),
    ]


def test_a_subagent_that_only_an_event_names_is_read_at_the_call(tmp_path: Path) -> None:
    call, done = make_spawn(CHILD)
    done["payload"]["output"] = json.dumps({"task_name": "/main/count"})
    started = {"type": "sub_agent_activity", "kind": "started", "event_id": CHILD, "agent_thread_id": CHILD}
    path = write(tmp_path / DAY, PARENT, meta(PARENT), call, {"type": "event_msg", "payload": started}, done)
    write(tmp_path / DAY, CHILD, meta(CHILD, PARENT), *make_run("ls"))
    assert list_observations(path) == [("tool", "subagent", 2, "ls"), ("tool", "main", 2, "spawn_agent")]


@pytest.mark.parametrize("kind", ["review", "compact", "memory_consolidation", {"other": "guardian"}])
def test_the_log_of_a_subagent_of_the_client_is_not_a_session(tmp_path: Path, kind: object) -> None:
    path = write(tmp_path / DAY, PARENT, meta(PARENT), *make_run("ls"))
    write(tmp_path / DAY, CHILD, meta(CHILD, source={"subagent": kind}), *make_run("pwd"))
    assert [log.path for log in find_logs([str(tmp_path)]).logs] == [path]
    assert list_observations(path) == [("tool", "main", 2, "ls")]


@pytest.mark.parametrize("answer", ["", "no", "[]", '{"agent_id": "../../etc"}', '{"agent_id": 3}'])
def test_a_result_without_a_matching_log_adds_nothing(tmp_path: Path, answer: str) -> None:
    call, done = make_spawn(CHILD)
    done["payload"]["output"] = answer
    path = write(tmp_path / DAY, PARENT, meta(PARENT), call, done)
    assert len(list_observations(path)) == 1


def test_a_subagent_that_names_its_parent_or_itself_is_read_once(tmp_path: Path) -> None:
    path = write(tmp_path / DAY, PARENT, meta(PARENT), *make_spawn(PARENT), *make_spawn(CHILD), *make_spawn(CHILD))
    write(tmp_path / DAY, CHILD, meta(CHILD, PARENT), *make_spawn(CHILD), *make_spawn(PARENT), *make_run("ls"))
    assert [what for *_, what in list_observations(path)].count("ls") == 1


def test_a_subagent_log_is_a_separate_session_only_without_its_parents_log(tmp_path: Path) -> None:
    parent = write(tmp_path / DAY, PARENT, meta(PARENT), *make_spawn(CHILD))
    child = write(tmp_path / "2026/11/22", CHILD, meta(CHILD, PARENT), *make_run("ls"))
    assert [log.path for log in find_logs([str(tmp_path)]).logs] == [parent]
    parent.unlink()
    assert [log.path for log in find_logs([str(tmp_path)]).logs] == [child]


@pytest.mark.parametrize("suffix", ["", ".zst"])
def test_the_log_of_an_archived_session_is_found(tmp_path: Path, suffix: str) -> None:
    parent = write(tmp_path / "sessions" / DAY, PARENT, meta(PARENT), *make_spawn(CHILD))
    child = write(tmp_path / "sessions" / DAY, CHILD, meta(CHILD, PARENT), *make_run("ls"))
    archived = tmp_path / "archived_sessions" / f"{parent.name}{suffix}"
    archived.parent.mkdir()
    parent.rename(archived)
    assert codex_files.is_subagent_log(child)
    assert codex_files.find_moved_log(parent) == archived
    if not suffix:
        assert [what for *_, what in list_observations(archived)] == ["spawn_agent", "ls"]


def test_a_session_whose_prompt_was_edited_goes_on_after_the_part_that_remains(tmp_path: Path) -> None:
    lines = [
        meta(PARENT),
        make_message("Go.", "user"),
        *make_run("make", 2),
        make_message("Stop.", "user"),
        *make_run("ls"),
    ]
    first = write(tmp_path / DAY, PARENT, *lines)
    base = {"thread_id": PARENT, "end_ordinal_exclusive": 4}
    second = write(
        tmp_path / DAY, CHILD, meta(PARENT, history_base=base), make_message("Go on.", "user"), *make_run("make")
    )
    assert list_observations(first) == [
        ("user", "main", 2, "Go."),
        ("tool", "main", 3, "make"),
        ("tool", "main", 6, "ls"),
    ]
    assert list_observations(second) == [
        ("user", "main", 1, "Go."),
        ("tool", "main", 1, "make"),
        ("user", "main", 2, "Go on."),
        ("tool", "main", 3, "make"),
    ]
    assert read_session(second).lines == 4
