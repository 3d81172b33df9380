"""Arbitrary bytes, truncation and values of wrong types never make a reader raise, and its output can be stored."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mind_skills.errors import LogError
from mind_skills.observations.model import Session
from mind_skills.observations.read import FORMATS, read_session
from tests.testkit.examples import examples_or_night, stride
from tests.testkit.paths import FIXTURES

STEP = "2026-06-18T02:34:50.278Z"
JSONL = ("claude-code", "codex-rollout", "gemini", "antigravity")
LOGS = (
    ("claude-code", "claude_code/transcript.jsonl"),
    ("codex-rollout", "codex/rollout-2025.jsonl"),
    ("codex-rollout", "codex/rollout-0.142.jsonl"),
    ("codex-rollout", "codex/rollout-0.169.jsonl"),
    ("gemini", "gemini/chat-0.61.jsonl"),
    ("antigravity", "antigravity/brain/00000000000000000000000000000002/.system_generated/logs/transcript_full.jsonl"),
    ("gemini", "gemini/chat-document.json"),
    ("opencode-export", "opencode/export-1.18.json"),
    ("opencode-export", "opencode/export-refusals.json"),
    ("swe-agent-traj", "swe_agent/session.traj"),
    ("mini-swe-traj", "mini_swe_agent/session.traj.json"),
    ("mini-swe-traj", "mini_swe_agent/blocks.traj.json"),
)

every_format = pytest.mark.parametrize("format_name", FORMATS)


def _read(path: Path, format_name: str) -> Session:
    session = read_session(path, format_name)
    json.dumps({**dataclasses.asdict(session), "secrets": None, "known_files": None}, ensure_ascii=False).encode(
        "utf-8"
    )
    assert all(o.line >= 1 and o.end_line >= o.line for o in session.observations)
    return session


@pytest.mark.parametrize(("format_name", "log"), LOGS)
def test_a_log_truncated_anywhere_is_read_up_to_that_point(tmp_path: Path, format_name: str, log: str) -> None:
    data = (FIXTURES / log).read_bytes()
    path = tmp_path / "log"
    # The full run cuts the smallest log at every byte; cuts of the other logs would mostly repeat the same cases.
    step = stride(7) if log == "codex/rollout-2025.jsonl" else 211
    for end in range(0, len(data), step):
        path.write_bytes(data[:end])
        _read(path, format_name)


def _write_and_read(data: bytes, format_name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_bytes(data)
        if format_name == "opencode-db":  # bytes that are no database are an error
            with pytest.raises(LogError):
                _read(path, format_name)
        else:
            _read(path, format_name)


@every_format
@given(data=st.binary(max_size=300))
def test_no_bytes_make_a_reader_raise(format_name: str, data: bytes) -> None:
    _write_and_read(data, format_name)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(
        ["user", "tool", "*** Begin Patch\n*** Add File: \n", "<output>", "Exit code: 1\n", STEP, "\ud800", "\x00"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def _places(value: object, at: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    if at:
        yield at
    if isinstance(value, dict):
        for key in value:
            yield from _places(value[key], (*at, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _places(inner, (*at, index))


def _replace(value: object, at: tuple[object, ...], new: object) -> object:
    if not at:
        return new
    if isinstance(value, dict):
        return {key: _replace(inner, at[1:], new) if key == at[0] else inner for key, inner in value.items()}
    assert isinstance(value, list)
    return [_replace(inner, at[1:], new) if index == at[0] else inner for index, inner in enumerate(value)]


def _values(log: str) -> list[object]:
    text = (FIXTURES / log).read_text()
    return [json.loads(line) for line in text.splitlines()] if log.endswith(".jsonl") else [json.loads(text)]


PARSED = {log: _values(log) for _, log in LOGS}
PLACES = {log: list(_places(PARSED[log])) for _, log in LOGS}


@pytest.mark.parametrize(("format_name", "log"), LOGS)
@settings(max_examples=examples_or_night(60))
@given(data=st.data())
def test_a_value_of_the_wrong_type_anywhere_makes_no_reader_raise(
    format_name: str, log: str, data: st.DataObject
) -> None:
    values: object = PARSED[log]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.sampled_from(PLACES[log]))
        try:
            values = _replace(values, at, data.draw(JSON))
        except (AssertionError, KeyError, IndexError):
            continue  # an earlier change removed that place
    assert isinstance(values, list)
    _write_and_read("\n".join(json.dumps(value) for value in values).encode(), format_name)


@settings(max_examples=examples_or_night(60))
@given(data=st.data())
def test_a_value_of_the_wrong_type_in_a_database_makes_no_reader_raise(data: st.DataObject) -> None:
    export = PARSED["opencode/export-1.18.json"][0]
    assert isinstance(export, dict)
    place = data.draw(
        st.sampled_from([at for at in PLACES["opencode/export-1.18.json"] if len(at) > 3 and at[1] == "messages"])
    )
    changed = _replace(PARSED["opencode/export-1.18.json"], place, data.draw(JSON))
    assert isinstance(changed, list)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "opencode.db"
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("CREATE TABLE session (id, directory, parent_id, time_created, time_updated)")
            connection.execute("CREATE TABLE message (id, session_id, data)")
            connection.execute("CREATE TABLE part (id, message_id, data)")
            connection.execute("INSERT INTO session VALUES ('s', '/home/dev/project', NULL, 1, 1)")
            for number, message in enumerate(changed[0]["messages"]):
                parts = message.get("parts") if isinstance(message, dict) else None
                info = message.get("info") if isinstance(message, dict) else message
                connection.execute("INSERT INTO message VALUES (?, 's', ?)", (number, json.dumps(info)))
                for index, part in enumerate(parts if isinstance(parts, list) else []):
                    connection.execute("INSERT INTO part VALUES (?, ?, ?)", (index, number, json.dumps(part)))
        _read(path, "opencode-db")


@pytest.mark.parametrize("format_name", JSONL)
@settings(max_examples=examples_or_night(60))
@given(
    lines=st.lists(
        st.dictionaries(
            st.sampled_from(["type", "payload", "message", "timestamp", "id", "content", "$set", "toolCalls"]), JSON
        ),
        max_size=5,
    )
)
def test_lines_of_known_keys_with_any_value_make_no_reader_raise(
    format_name: str, lines: list[dict[str, object]]
) -> None:
    _write_and_read("\n".join(json.dumps(line) for line in lines).encode(), format_name)
