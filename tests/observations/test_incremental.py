"""Reading a growing log incrementally gives the same result as reading it at once, wherever it is cut."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.errors import LogError
from mind_skills.observations import incremental
from mind_skills.observations.incremental import IncrementalRead, SavedState, load_state
from mind_skills.observations.model import Observation, Session
from mind_skills.observations.read import read_session
from mind_skills.observations.readers import opencode_db
from tests.testkit.paths import FIXTURES, ROOT

LINES = [
    "claude_code/transcript.jsonl",
    "codex/rollout-0.142.jsonl",
    "codex/rollout-0.169.jsonl",
    "codex/rollout-2025.jsonl",
    "gemini/chat-0.61.jsonl",
    "antigravity/brain/00000000000000000000000000000002/.system_generated/logs/transcript_full.jsonl",
]
DOCUMENTS = [
    "gemini/chat-document.json",
    "mini_swe_agent/session.traj.json",
    "opencode/export-1.18.json",
    "swe_agent/session.traj",
]
SECRET = "sk-ant-api03-" + "Zq7" * 31 + "AA"


def collect_facts(session: Session, observations: list[Observation]) -> tuple[Any, ...]:
    """All facts of a session and its observations, with their texts cleaned."""
    for each in observations:
        assert each.text is not None
    header = (session.session_id, session.host, session.project, session.started, session.ended, session.end_reason)
    return header, session.lines, session.skills, session.warnings, observations


def read_on(path: Path, kept: SavedState | None) -> tuple[tuple[Any, ...], SavedState | None, int]:
    """Read on from a saved state; return all facts, the new state, and how many observations were built."""
    log = IncrementalRead(path, kept)
    before = len(log.saved_observations)
    observations = list(log.observations)
    seen = collect_facts(log.session, observations)
    found = log.build_state()
    return seen, found and load_state(found.dump()), len(observations) - before


def whole(path: Path) -> tuple[Any, ...]:
    session = read_session(path)
    return collect_facts(session, session.observations)


def grow(source: Path, path: Path, cuts: list[int]) -> Iterator[Path]:
    """The log in ``path`` after each part of the ``source`` was added."""
    data, done = source.read_bytes(), 0
    for cut in [*cuts, len(data)]:
        with path.open("ab") as file:
            file.write(data[done:cut])
        done = cut
        yield path


def assert_parts_equal_whole(source: Path, shares: list[float]) -> None:
    with TemporaryDirectory() as folder:
        path, kept = Path(folder, source.name), None
        size = source.stat().st_size
        for grown in grow(source, path, sorted(int(share * size) for share in shares)):
            try:
                expected = whole(grown)
            except LogError as error:
                with pytest.raises(LogError, match=error.message):
                    read_on(grown, kept)
                continue
            seen, kept, _ = read_on(grown, kept)
            assert seen == expected


@pytest.mark.parametrize("name", LINES)
@given(st.lists(st.floats(0, 1), max_size=6))
def test_a_log_read_in_parts_gives_the_same_result_as_read_at_once(name: str, shares: list[float]) -> None:
    assert_parts_equal_whole(FIXTURES / name, shares)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_always_read_in_full(name: str) -> None:
    seen, kept, _ = read_on(FIXTURES / name, None)
    assert (seen, kept) == (whole(FIXTURES / name), None)


@pytest.mark.parametrize("name", LINES)
def test_lines_already_read_are_not_read_again(tmp_path: Path, name: str) -> None:
    """The second read builds only the observations that the saved state does not contain."""
    path = tmp_path / Path(name).name
    path.write_bytes((FIXTURES / name).read_bytes())
    seen, kept, made = read_on(path, None)
    again, _, anew = read_on(path, kept)
    left = len(seen[4]) - (len(kept.observations) if kept else 0)
    assert (again, anew, left < made / 2) == (seen, left, True)


def claude(number: int, role: str, content: object, **more: object) -> str:
    row = {"type": role, "uuid": f"u{number}", "sessionId": "s", "cwd": "/home/dev/shop", **more}
    row["timestamp"] = f"2026-01-01T00:{number // 60:02d}:{number % 60:02d}Z"
    return json.dumps({**row, "message": {"role": role, "content": content}}) + "\n"


def call(number: int, command: str, **more: object) -> str:
    given = {"command": command, **more}
    return claude(number, "assistant", [{"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": given}])


def answer(number: int, of: int, output: str, *, failed: bool = False) -> str:
    block = {"type": "tool_result", "tool_use_id": f"t{of}", "content": output, "is_error": failed}
    return claude(number, "user", [block])


def queued(operation: str, content: str = "") -> str:
    return json.dumps({"type": "queue-operation", "operation": operation, "content": content}) + "\n"


OPEN = "".join(
    [
        claude(1, "user", f"Please start the server with the key {SECRET} and test it."),
        call(2, "npm run dev", run_in_background=True),
        call(3, f"pytest -q --token {SECRET}"),
        answer(4, 2, "Command running in background with ID: bash_1"),
        queued("enqueue", "And look at the port, too, please."),
        call(5, "git status"),
        queued("enqueue", f"The password is {SECRET}"),
        answer(6, 3, "Exit code 1\nE   ValueError: rounded twice", failed=True),
        queued("remove", "And look at the port, too, please."),
        answer(7, 5, "nothing to commit"),
        claude(8, "user", "<task-notification><task-id>bash_1</task-id><status>failed</status></task-notification>"),
        queued("remove"),
        call(9, "never answered"),
        claude(10, "assistant", [{"type": "text", "text": "It is rounded twice."}]),
        claude(10, "assistant", [{"type": "text", "text": "It is rounded twice."}]),
        answer(12, 11, "answered before the call"),
        answer(13, 99, "never called"),
        call(11, "date"),
        claude(10, "assistant", [{"type": "text", "text": "It is rounded twice."}], uuid="copy"),
        call(14, "make watch"),
        claude(
            15,
            "user",
            [{"type": "tool_result", "tool_use_id": "t14", "content": "moved to the background"}],
            toolUseResult={"backgroundTaskId": "bash_2"},
        ),
        call(16, "tail -f log").replace("Bash", "Monitor"),
        answer(17, 16, "Monitor started (task bash_3, timeout 1000ms)."),
        claude(
            18, "assistant", [{"type": "tool_use", "id": "t18", "name": "TaskStop", "input": {"task_id": "bash_2"}}]
        ),
        answer(19, 18, "stopped"),
        claude(
            20, "user", "<task-notification><task-id>bash_3</task-id><status>completed</status></task-notification>"
        ),
    ]
)


@given(st.lists(st.integers(0, len(OPEN)), max_size=8))
def test_calls_open_at_a_cut_are_completed_by_the_next_read(cuts: list[int]) -> None:
    with TemporaryDirectory() as folder:
        source = Path(folder, "whole.jsonl")
        source.write_text(OPEN)
        assert_parts_equal_whole(source, [cut / len(OPEN) for cut in cuts])


def test_of_two_background_commands_of_one_line_only_the_one_that_has_not_ended_is_continued(tmp_path: Path) -> None:
    started = [
        {"type": "tool_result", "tool_use_id": f"t{n}", "content": f"Command running in background with ID: b{n}"}
        for n in (2, 3)
    ]
    ends = "<task-notification><task-id>{}</task-id><status>failed</status></task-notification>"
    first = [
        call(2, "npm run dev"),
        call(3, "make watch"),
        claude(4, "user", started),
        claude(5, "user", ends.format("b2")),
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(first))
    _, kept, _ = read_on(path, None)
    with path.open("a") as file:
        file.write(claude(6, "user", ends.format("b3")))
    assert read_on(path, kept)[0] == whole(path)


def test_a_session_read_in_parts_cleans_like_one_read_at_once(tmp_path: Path) -> None:
    """Whether the secret was printed, named or repeated before or after a cut."""
    token, key = "550e8400-e29b-41d4-a716-446655440000", "9f86d081884c7d659a2feaa0c55ad015"
    result = [{"type": "tool_result", "tool_use_id": "t2", "content": token}]
    lines = [
        claude(1, "user", f"It answers {key} and {token}."),
        call(2, "printenv HELIUS_TOKEN"),
        claude(3, "user", result),
        claude(4, "assistant", [{"type": "text", "text": f"The key {key} works, in /home/jdoe/shop."}]),
        claude(5, "user", "Thanks."),
    ]
    path = tmp_path / "log.jsonl"
    for cut in range(1, len(lines) + 1):
        path.write_text("".join(lines[:cut]))
        kept = read_on(path, None)[1]
        assert kept is not None
        assert [each for each in (token, key, "jdoe") if each.encode() in repr(kept.header).encode()] == []
        with path.open("a") as file:
            file.write("".join(lines[cut:]))
        log = IncrementalRead(path, kept)
        texts = [each.text for each in log.observations]
        shown = [log.session.secrets.clean(each) for each in [*texts, f"{token} {key} jdoe"]]
        assert [each for each in shown if token in each or key in each or "jdoe" in each] == []
        path.unlink()


def item(number: int, **payload: object) -> str:
    row = {"timestamp": f"2026-01-01T00:00:{number:02d}Z", "type": "response_item", "payload": payload}
    return json.dumps(row) + "\n"


def event(number: int, **payload: object) -> str:
    return item(number, **payload).replace("response_item", "event_msg", 1)


def script(number: int, text: str, name: str = "exec") -> str:
    return item(number, type="custom_tool_call", call_id=f"c{number}", name=name, input=text)


def printed(number: int, of: int, text: str) -> str:
    return item(number, type="custom_tool_call_output", call_id=f"c{of}", output=text)


def function(number: int, name: str, **given: object) -> str:
    return item(number, type="function_call", call_id=f"c{number}", name=name, arguments=json.dumps(given))


def returned(number: int, of: int, text: str) -> str:
    return item(number, type="function_call_output", call_id=f"c{of}", output=text)


CODEX = "".join(
    [
        json.dumps({"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": {"id": "x", "cwd": "/h"}})
        + "\n",
        event(1, type="user_message", message="Start the server and test it, please."),
        item(2, type="message", role="user", content=[{"text": "Start the server and test it, please."}]),
        function(3, "exec_command", cmd="npm run dev"),
        returned(4, 3, "Process running with session ID 7\nOutput:\nlistening"),
        function(5, "write_stdin", session_id=7, chars="r"),
        returned(6, 5, "Process running with session ID 7\nOutput:\nrestarted"),
        function(7, "exec_command", cmd="pytest -q"),
        event(8, type="exec_command_end", call_id="c7", exit_code=1, aggregated_output="E   ValueError: twice"),
        event(9, type="exec_command_end", call_id="nobody's", exit_code=1, aggregated_output=""),
        returned(10, 7, "1 failed"),
        script(11, 'const r = await tools.exec_command({cmd: "make"}); text(r.output); text(r.session_id)'),
        printed(12, 11, "Script running with cell ID 4\nWall time 1 s\nOutput:\nbegun"),
        function(13, "wait", cell_id="4"),
        returned(14, 13, "Script completed\nWall time 2 s\nOutput:\nsession_id: 9"),
        function(15, "write_stdin", session_id=7, chars=""),
        returned(16, 15, "Process exited with code 0\nOutput:\nbye"),
        event(17, type="agent_message", message="It is rounded twice."),
        item(18, type="message", role="assistant", content=[{"text": "It is rounded twice."}]),
        function(19, "exec_command", cmd="never answered"),
    ]
)


def test_a_value_that_the_session_has_named_is_not_saved_with_a_later_message(tmp_path: Path) -> None:
    value, path = "q7Rm2Wz9" * 3, tmp_path / "s.jsonl"
    texts = (f"API_KEY={value}", f"the test of the connection fails since we use {value} on staging")
    records = [
        {"type": "user", "sessionId": "s", "cwd": "/w", "uuid": str(at), "message": {"role": "user", "content": text}}
        for at, text in enumerate(texts)
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    kept = read_on(path, None)[1]
    assert kept is not None
    assert (len(kept.observations), value.encode() in kept.dump()) == (2, False)


@given(st.lists(st.integers(0, len(CODEX)), max_size=8))
def test_codex_processes_and_scripts_continue_across_a_cut(cuts: list[int]) -> None:
    with TemporaryDirectory() as folder:
        source = Path(folder, "rollout.jsonl")
        source.write_text(CODEX)
        assert_parts_equal_whole(source, [cut / len(CODEX) for cut in cuts])


def test_a_secret_in_an_open_call_is_not_saved(tmp_path: Path) -> None:
    source = tmp_path / "s.jsonl"
    source.write_text(OPEN)
    for number in range(1, OPEN.count("\n") + 1):
        path = tmp_path / "part.jsonl"
        path.write_text("".join(OPEN.splitlines(keepends=True)[:number]))
        kept = read_on(path, None)[1]
        assert kept is not None
        assert SECRET.encode() not in kept.dump()
        assert b"rounded twice" not in repr(kept.state).encode()


def change_file(path: Path) -> Iterator[str]:
    """Change the file in each way after which it is no longer the one that was read."""
    text = path.read_bytes()
    middle = text.index(b"never answered")
    path.write_bytes(text[:middle] + b'"' + text[middle + 1 :])
    yield "changed at an open call"
    path.write_bytes(text.replace(b"2026", b"2027"))
    yield "rewritten in place"
    path.write_bytes(text[: len(text) // 8])
    yield "cut short"
    path.write_bytes(b'{"type": "user"}\n' + text)
    yield "another beginning"
    path.rename(path.with_suffix(".old"))
    path.write_bytes(text)
    yield "another file of the same bytes"


def test_a_replaced_log_is_read_in_full(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(OPEN + claude(90, "user", "And so on. " * 600) * 2)
    _, kept, _ = read_on(path, None)
    ways: list[str] = []
    for how in change_file(path):
        ways.append(how)
        assert read_on(path, kept)[0] == whole(path), how
    assert len(ways) == 5
    path.unlink()
    with pytest.raises(LogError, match="No such file"):
        read_on(path, kept)


def damage_state(data: bytes) -> Iterator[bytes]:
    yield b""
    yield data[:-1]
    yield data + b"\0"
    yield data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :]
    yield data.replace(b"so far 1", b"so far 2", 1)
    yield data.partition(b"\n")[0] + b"\n"


def test_damaged_state_or_state_of_another_version_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(OPEN)
    kept = read_on(path, None)[1]
    assert kept is not None
    assert load_state(kept.dump()) == kept
    assert [load_state(each) for each in damage_state(kept.dump())] == [None] * 6


@given(st.binary(max_size=60), st.integers(0, 1))
def test_foreign_state_with_a_valid_checksum_is_rejected(data: bytes, whole: int) -> None:
    import marshal
    import zlib

    inner = marshal.dumps(data) if whole else data
    assert load_state(b"%s%08x\n%s" % (incremental._MAGIC, zlib.crc32(inner), inner)) is None


def test_state_that_other_code_saved_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(OPEN)
    kept = read_on(path, None)[1]
    assert kept is not None
    data = kept.dump()
    monkeypatch.setattr(incremental, "_code_fingerprint", ["older"])
    assert load_state(data) is None


def test_the_saved_observations_of_a_long_log_begin_at_a_request_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incremental, "MAX_OBSERVATIONS", 8)
    path, kept = tmp_path / "s.jsonl", None
    for turn in range(10):
        with path.open("a") as file:
            for number in range(3):
                at = turn * 10 + 2 * number
                file.write(call(at, f"make {at}") + answer(at + 1, at, "done"))
            file.write(claude(turn * 10 + 8, "user", f"And now number {turn}, please."))
        seen, kept, _ = read_on(path, kept)
        expected = whole(path)
        assert kept is not None
        assert len(kept.observations) <= 8
        assert seen[4] == expected[4][-len(seen[4]) :]
        assert seen[:4] == expected[:4]
        assert kept.first_line == (1 if turn < 2 else kept.observations[0].line)
    assert kept is not None
    assert {each.kind for each in kept.observations[:1]} == {"user"}


def test_the_total_size_of_saved_texts_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incremental, "MAX_CHARACTERS", 3_000)
    path = tmp_path / "s.jsonl"
    path.write_text("".join(claude(n, "user", f"{n} " + "word " * 200) for n in range(1, 20)))
    kept = read_on(path, None)[1]
    assert kept is not None
    assert [each.line for each in kept.observations] == [18, 19]


def test_a_database_session_is_continued_at_its_messages(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opencode_db, "PART_STRIDE", 1)
    monkeypatch.setattr(incremental, "PART_CONTEXT", 3)
    name = read_session(database).session_id
    path = database.with_name(f"opencode.db?session={name}")
    kept, read = None, list[int]()
    for rows in insert_messages(database, name):
        seen, kept, made = read_on(path, kept)
        assert seen == whole(path), rows
        read.append(made)
    assert kept is not None
    assert (len(kept.observations) > 0, read[-1] < len(whole(path)[4])) == (True, True)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DELETE FROM message WHERE id = ?", (kept.mark.proof,))
    assert read_on(path, kept)[0] == whole(path)


def insert_messages(database: Path, name: str) -> Iterator[int]:
    """Remove the messages of a session, and yield after each one that is inserted again."""
    with closing(sqlite3.connect(database)) as connection, connection:
        rows = connection.execute("SELECT * FROM message WHERE session_id = ? ORDER BY id", (name,)).fetchall()
        connection.execute("DELETE FROM message WHERE session_id = ?", (name,))
    for number, row in enumerate(rows):
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute(f"INSERT INTO message VALUES ({', '.join('?' * len(row))})", row)
        yield number


def test_other_line_endings_do_not_change_line_numbers(tmp_path: Path, log: Callable[[str], Path]) -> None:
    """With blank lines, a byte order mark, \\r\\n and zero bytes, cut anywhere."""
    text = log(LINES[0]).read_bytes().replace(b"\n", b"\r\n\n\0\n")
    source = tmp_path / "odd.jsonl"
    source.write_bytes(b"\xef\xbb\xbf" + text)
    assert_parts_equal_whole(source, [at / len(text) for at in range(0, len(text), max(1, len(text) // 40))])


def test_the_fingerprint_of_our_code_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incremental, "_code_fingerprint", [])
    first = incremental.fingerprint_code()
    monkeypatch.setattr(os, "scandir", None)
    assert incremental.fingerprint_code() == first


def test_a_change_to_code_that_reads_cleans_or_redacts_invalidates_saved_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []
    scan = os.scandir

    def scandir(folder: str) -> object:
        seen.append(os.path.relpath(folder, ROOT))
        return scan(folder)

    monkeypatch.setattr(incremental, "_code_fingerprint", [])
    monkeypatch.setattr(os, "scandir", scandir)
    incremental.fingerprint_code()
    assert seen == ["observations", str(Path("observations", "readers")), "redaction", "hosts"]
