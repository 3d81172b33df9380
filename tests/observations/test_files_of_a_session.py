"""Sessions with several files: subagents' logs, a session that goes on in another, and what two logs of one session share."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.errors import LogError
from mind_skills.observations import find_logs as finding
from mind_skills.observations.find_logs import find_logs
from mind_skills.observations.open_file import describe_compressed
from mind_skills.observations.read import read_session
from mind_skills.observations.session_origin import find_origin, find_own_start

ONE, TWO, THREE = (f"0000000{n}-0000-4000-8000-000000000000" for n in (1, 2, 3))
STAMPS = [f"2026-06-18T02:34:{second:02}.000Z" for second in range(60)]
MILLISECONDS = 1_781_750_040_000
"""The time of the first of ``STAMPS``."""


def write(path: Path, *lines: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def say(session: str, number: int, text: str, **more: object) -> dict[str, Any]:
    message = {"role": "user", "content": text}
    fields = {"type": "user", "uuid": f"u{number}", "sessionId": session, "timestamp": STAMPS[number]}
    return {**fields, "cwd": "/p", "message": message, **more}


def call_agent(session: str, number: int, agent: str) -> list[dict[str, Any]]:
    use = {"type": "tool_use", "id": f"t{number}", "name": "Task", "input": {"description": "look"}}
    done = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "done"}
    return [
        say(session, number, "", type="assistant", message={"role": "assistant", "content": [use]}),
        say(session, number + 1, "", message={"role": "user", "content": [done]}, toolUseResult={"agentId": agent}),
    ]


def go_on(session: str, other: str) -> dict[str, Any]:
    return {"type": "continued-in", "sessionId": session, "continuedInSessionId": other}


def list_texts(path: Path) -> list[tuple[int, str, str]]:
    return [(o.line, o.agent, o.text) for o in read_session(path).observations]


def test_the_logs_of_subagents_are_read_with_their_session_wherever_they_are(tmp_path: Path) -> None:
    log = write(tmp_path / f"{ONE}.jsonl", say(ONE, 1, "Go."), *call_agent(ONE, 2, "old"), *call_agent(ONE, 4, "new"))
    names = ("agent-old.jsonl", f"{ONE}/subagents/agent-new.jsonl", f"{ONE}/subagents/workflows/w/agent-flow.jsonl")
    for name in names:
        write(tmp_path / name, say(ONE, 6, f"I am {Path(name).stem}.", isSidechain=True))
    alone = write(tmp_path / "agent-alone.jsonl", say(TWO, 6, "I am alone.", isSidechain=True))
    assert [found.path for found in find_logs([str(tmp_path)]).logs] == [log, alone]
    assert list_texts(log) == [
        (1, "main", "Go."),
        (2, "main", "done"),
        (2, "subagent", "I am agent-old."),
        (4, "main", "done"),
        (4, "subagent", "I am agent-new."),
        (5, "subagent", "I am agent-flow."),
    ]


def test_the_chats_of_geminis_subagents_are_read_with_their_session(tmp_path: Path) -> None:
    header = {"sessionId": ONE, "projectHash": "0"}
    call = {"id": "c", "name": "invoke_agent", "args": {}, "status": "success", "agentId": "one", "result": []}
    message = {"id": "m", "type": "gemini", "content": "", "toolCalls": [call]}
    log = write(
        tmp_path / f"chats/session-2026-{ONE[:8]}.jsonl", header, message, {**message, "id": "n", "toolCalls": []}
    )
    for name in ("one", "two"):
        answer = {"id": "x", "type": "gemini", "content": f"I am {name}."}
        write(tmp_path / f"chats/{ONE}/{name * 3}.jsonl", {**header, "sessionId": name, "kind": "subagent"}, answer)
    write(tmp_path / "chats/session-2026-beside.jsonl", {**header, "sessionId": "beside", "kind": "subagent"}, message)
    (tmp_path / f"chats/{ONE}/oneoneone.jsonl").rename(tmp_path / f"chats/{ONE}/one.jsonl")
    assert [found.path for found in find_logs([str(tmp_path)]).logs] == [log]
    assert list_texts(log) == [(2, "main", ""), (2, "subagent", "I am one."), (3, "subagent", "I am two.")]


def test_a_session_that_goes_on_in_another_is_read_before_it(tmp_path: Path) -> None:
    write(tmp_path / f"{ONE}.jsonl", say(ONE, 1, "One."), go_on(ONE, TWO), say(ONE, 9, "Not here."))
    two = write(tmp_path / f"{TWO}.jsonl", say(TWO, 1, "One."), say(TWO, 2, "Two."), go_on(TWO, THREE))
    three = write(tmp_path / f"{THREE}.jsonl", say(THREE, 3, "Three."))
    assert list_texts(two) == [(1, "main", "One."), (2, "main", "Two.")]
    assert list_texts(three) == [(1, "main", "One."), (1, "main", "Two."), (1, "main", "Three.")]
    session = read_session(three)
    assert (session.session_id, session.lines) == (THREE, 1)
    origin = find_origin(three, "claude-code")
    assert origin is not None
    assert (origin.session_id, origin.at) == (TWO, MILLISECONDS + 3_000)
    write(three, say(THREE, 3, "Three."), go_on(THREE, ONE))  # the client never writes a cycle
    assert [text for *_, text in list_texts(three)] == ["One.", "Two.", "Three."]


@pytest.mark.parametrize(("numbers", "start"), [((1, 2, 5), 5_000), ((1, 2), None), ((4,), 4_000)])
def test_what_another_log_of_the_same_session_contains_is_known(
    tmp_path: Path, numbers: tuple[int, ...], start: int | None
) -> None:
    other = write(tmp_path / "a" / f"{ONE}.jsonl", *(say(ONE, number, "x") for number in (1, 2, 3)))
    path = write(tmp_path / "b" / f"{ONE}.jsonl", *(say(ONE, number, "x") for number in numbers))
    assert find_own_start(path, "claude-code", other) == (None if start is None else MILLISECONDS + start)


def test_a_chat_of_gemini_counts_unless_its_copy_has_all_of_it(tmp_path: Path) -> None:
    header, messages = (
        {"sessionId": ONE, "projectHash": "0"},
        [{"id": str(n), "type": "user", "content": "x"} for n in (1, 2)],
    )
    old = tmp_path / "chats/session-1.json"
    new = write(old.with_suffix(".jsonl"), header, *messages)
    old.write_text(json.dumps({**header, "messages": messages[:1]}))
    assert [found.path for found in find_logs([str(tmp_path)]).logs] == [new]
    old.write_text(json.dumps({**header, "messages": [{"id": "3", "type": "user", "content": "x"}]}))
    assert [found.path for found in find_logs([str(tmp_path)]).logs] == [old, new]


def test_compressed_logs_that_cannot_be_read_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "can_decompress", lambda: False)
    monkeypatch.setattr("mind_skills.observations.read.can_decompress", lambda: False)
    paths = [tmp_path / f"rollout-{n}.jsonl.zst" for n in range(4)]
    for path in paths:
        path.write_bytes(b"\x28\xb5\x2f\xfd\x00")
    found = find_logs([str(tmp_path)])
    assert (found.logs, found.errors, found.other_files, found.compressed) == ([], [], 0, [str(path) for path in paths])
    hint = "install mind-skills with the extra `zstd`, or decompress the file with `zstd -d`"
    assert [describe_compressed(found.compressed[:1]), describe_compressed(found.compressed)] == [
        f"1 compressed log was not read: rollout-0.jsonl.zst. To read it, {hint}.",
        f"4 compressed logs were not read: {', '.join(path.name for path in paths[:3])} and 1 more. To read them, {hint}.",
    ]
    with pytest.raises(LogError) as caught:
        read_session(paths[0])
    assert (caught.value.code, caught.value.hint) == ("compressed", hint)


@pytest.mark.extras
def test_a_compressed_log_is_read_in_full(tmp_path: Path) -> None:
    zstandard = importlib.import_module("zstandard")
    plain = write(tmp_path / "a.jsonl", say(ONE, 1, "One."), say(ONE, 2, "Two."))
    data, packed = plain.read_bytes(), tmp_path / "b.jsonl.zst"
    packed.write_bytes(zstandard.compress(data[:70]) + zstandard.compress(data[70:]))  # two frames
    assert list_texts(packed) == list_texts(plain)
    assert [found.path for found in find_logs([str(tmp_path)]).logs] == [plain, packed]
    packed.write_bytes(b"\x28\xb5\x2f\xfd" + b"\xff" * 99)
    with pytest.raises(LogError, match="the compressed file is damaged"):
        read_session(packed, "claude-code")
