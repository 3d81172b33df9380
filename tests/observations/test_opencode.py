"""OpenCode: the database and the export."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import process_time
from types import SimpleNamespace
from typing import Any

import pytest

from mind_skills.errors import LogError
from mind_skills.hooks.end import is_permanent
from mind_skills.observations.find_logs import find_logs
from mind_skills.observations.model import Session
from mind_skills.observations.read import LOCKED_HINT, open_log, read_session
from mind_skills.observations.readers import opencode_db, opencode_file

Facts = Callable[[Session], list[dict[str, object]]]
Expected = Callable[[str], list[dict[str, object]]]
Log = Callable[[str], Path]


def test_the_database_is_read_with_the_subagent_at_the_line_of_its_call(
    database: Path, facts: Facts, expected: Expected
) -> None:
    session = read_session(database)
    assert facts(session) == expected("opencode/database-1.18")
    assert (session.format, session.host, session.session_id, session.project) == (
        "opencode-db",
        "opencode",
        "ses_0001",
        "/home/dev/project",
    )
    assert (session.started, session.ended, session.lines) == (1795228792661, 1795228797797, 10)


def test_the_database_and_the_export_give_the_same_observations(database: Path, log: Log) -> None:
    of_database = [o for o in read_session(database).observations if o.agent == "main"]
    assert of_database == read_session(log("opencode/export-1.18.json")).observations


def test_reading_the_database_does_not_change_its_folder(database: Path) -> None:
    before = {path.name: path.read_bytes() for path in database.parent.iterdir()}
    read_session(database)
    assert {path.name: path.read_bytes() for path in database.parent.iterdir()} == before


@pytest.mark.parametrize("name", ["ses_0/1", "/", "ses_\0"])
def test_a_session_whose_id_cannot_be_part_of_a_path_is_skipped(database: Path, name: str) -> None:
    with closing(sqlite3.connect(database)) as owner, owner:
        columns = [row[1] for row in owner.execute("PRAGMA table_info(session)")]
        values = ", ".join("?" if column == "id" else column for column in columns)
        owner.execute(f"INSERT INTO session SELECT {values} FROM session WHERE id = 'ses_0001'", (name,))
    assert opencode_db.list_sessions(database) == ["ses_0001"]
    assert [found for found, _, _ in opencode_db.list_changed_sessions(database, 0, 9)] == ["ses_0001"]
    assert [log.path.name for log in find_logs([str(database)]).logs] == [f"{database.name}?session=ses_0001"]


def test_a_path_with_an_empty_session_id_names_all_sessions(database: Path) -> None:
    found = find_logs([str(database.with_name(f"{database.name}?session="))]).logs
    assert [log.path.name for log in found] == [f"{database.name}?session=ses_0001"]


def test_the_database_is_read_while_its_owner_writes(database: Path) -> None:
    with closing(sqlite3.connect(database)) as owner:
        owner.execute("PRAGMA journal_mode = WAL")
        owner.execute("UPDATE session SET title = 'renamed'")
        owner.commit()
        owner.execute("INSERT INTO message VALUES ('zz', 'ses_0001', 0, 0, '{}')")
        assert read_session(database).lines == 10
        owner.commit()
        assert read_session(database).lines == 11


LEAVE_OPEN = """
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA journal_mode = WAL").fetchone()
database.execute("INSERT INTO message VALUES ('zz', 'ses_0001', 0, 0, '{}')")
os._exit(0)  # as OpenCode does, without closing it
"""


def test_reading_a_database_that_opencode_left_open_changes_none_of_its_files(
    database: Path,
) -> None:
    subprocess.run([sys.executable, "-I", "-c", LEAVE_OPEN, str(database)], check=True)
    before = {path.name: path.read_bytes() for path in database.parent.iterdir()}
    assert sorted(before) == [database.name, f"{database.name}-shm", f"{database.name}-wal"]
    for index in (before[f"{database.name}-shm"], b"", b"\x00" * 32768, b"\xff" * 32768):
        database.with_name(f"{database.name}-shm").write_bytes(index)
        before[f"{database.name}-shm"] = index
        assert read_session(database).lines == 11
        assert {path.name: path.read_bytes() for path in database.parent.iterdir()} == before


def test_a_write_ahead_log_without_its_index_is_read(database: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(database)) as owner:
        owner.execute("PRAGMA journal_mode = WAL")
        owner.execute("INSERT INTO message VALUES ('zz', 'ses_0001', 0, 0, '{}')")
        owner.commit()
        copy = tmp_path / "copy.db"
        for end in ("", "-wal"):
            shutil.copy(f"{database}{end}", f"{copy}{end}")
    assert read_session(copy).lines == 11


def test_a_database_in_a_folder_with_any_name_is_read(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "a b#c%20d"
    folder.mkdir()
    moved = database.rename(folder / "opencode?.db")
    assert read_session(moved).lines == 10


def test_a_session_of_the_database_can_be_read_by_its_id(database: Path) -> None:
    named = database.with_name("opencode.db?session=ses_0051")
    session = open_log(named)
    observations = list(session.observations)
    assert session.session.session_id == "ses_0051"
    assert {o.agent for o in observations} == {"subagent"}
    assert opencode_db.split_path(named) == (database, "ses_0051")


def test_the_root_sessions_of_the_database_are_listed(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(
            "INSERT INTO session SELECT 'ses_new', project_id, workspace_id, NULL, slug, directory, path, title, version, share_url,"
            " summary_additions, summary_deletions, summary_files, summary_diffs, metadata, cost, tokens_input, tokens_output,"
            " tokens_reasoning, tokens_cache_read, tokens_cache_write, revert, permission, agent, model, time_created,"
            " time_updated + 1, time_compacting, time_archived FROM session WHERE id = 'ses_0001'"
        )
    assert opencode_db.list_sessions(database) == ["ses_new", "ses_0001"]
    with closing(sqlite3.connect(database)) as connection:
        assert (opencode_file.get_last_change(database),) == connection.execute(
            "SELECT max(time_updated) FROM session"
        ).fetchone()
    assert read_session(database).session_id == "ses_new"


def test_a_process_waits_once_for_a_locked_database_and_says_that_it_is_locked(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    connect: Any = sqlite3.connect

    def record_timeout(*arguments: Any, timeout: float = 9.0, **options: Any) -> sqlite3.Connection:
        waits.append(timeout)
        return connect(*arguments, timeout=0, **options)

    moments = iter(range(100))
    monkeypatch.setattr(opencode_file, "time", SimpleNamespace(monotonic=lambda: next(moments), sleep=lambda _: None))
    monkeypatch.setattr(opencode_file, "sqlite3", SimpleNamespace(**{**vars(sqlite3), "connect": record_timeout}))
    with closing(connect(database)) as holder:
        holder.execute("PRAGMA journal_mode = WAL")
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        found = find_logs([str(database), str(database)])
        assert [(error.code, error.message, error.hint) for _, error in found.errors] == [
            ("locked", "another program has locked the database; try again later", LOCKED_HINT)
        ] * len(found.errors)
        with pytest.raises(LogError, match="another program has locked") as raised:
            read_session(database.with_name("opencode.db?session=ses_0001"))
        assert (raised.value.code, is_permanent(raised.value)) == ("locked", False)
    assert [bool(wait) for wait in waits] == [True, *[False] * (len(waits) - 1)]
    assert opencode_db.list_sessions(database) == ["ses_0001"]


def test_an_invalid_row_does_not_affect_other_rows(database: Path) -> None:
    first, *others = opencode_db.list_sessions(database)
    known = opencode_db.list_changed_sessions(database, 0, 100)
    with closing(sqlite3.connect(database)) as connection, connection:
        row = "INSERT INTO session SELECT ?, project_id, slug, directory, title, version, 1, ? FROM session LIMIT 1"
        columns = "(id, project_id, slug, directory, title, version, time_created, time_updated)"
        row = row.replace("session SELECT", f"session {columns} SELECT")
        connection.execute(row, (b"\xff", 1))
        connection.execute(row, ("later", "in the evening"))
        connection.execute("UPDATE part SET time_updated = 'never' WHERE session_id = ?", (first,))
    assert sorted(opencode_db.list_sessions(database)) == sorted([first, "later", *others])
    assert opencode_db.list_changed_sessions(database, 0, 100) == known
    when = next(at for name, _, at in known if name == first)
    assert opencode_db.get_extent(database.with_name(f"{database.name}?session={first}"))[1] == when * 1_000_000


def test_damage_that_sqlite_reports_in_invalid_utf8_is_an_error_with_a_reason(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = CAST(CAST(sql AS BLOB) || x'20cdcd' AS TEXT) WHERE name = 'part'"
        )
    with pytest.raises(OSError, match="not a readable OpenCode database"):
        opencode_db.list_sessions(database)


@pytest.mark.parametrize("name", ["opencode.db", ""])
def test_a_database_of_opencode_2_is_named_as_such(tmp_path: Path, name: str) -> None:
    with closing(sqlite3.connect(tmp_path / "opencode.db")) as owner, owner:
        owner.execute("CREATE TABLE session_v2 (id text PRIMARY KEY)")
    found = find_logs([str(tmp_path / name)])
    assert (found.logs, [(error.code, error.hint) for _, error in found.errors]) == (
        [],
        [("newer_opencode", "only sessions of OpenCode 1.x can be read")],
    )


def test_the_sessions_of_opencode_1_in_a_database_of_both_versions_are_read(database: Path) -> None:
    with closing(sqlite3.connect(database)) as owner, owner:
        owner.execute("CREATE TABLE session_v2 (id text PRIMARY KEY)")
    assert opencode_db.list_sessions(database) == ["ses_0001"]


def test_a_session_that_is_its_own_parent_terminates(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE session SET parent_id = 'ses_0051' WHERE id = 'ses_0001'")
    session = open_log(database.with_name("opencode.db?session=ses_0001"), "opencode-db")
    assert len(list(session.observations)) > 20


def test_opencode_parts_created_by_the_host_are_not_attributed_to_the_user(tmp_path: Path) -> None:
    parts = [
        {"type": "text", "text": "<openception-skill-extraction>x</openception-skill-extraction>"},
        {"type": "text", "text": "file content", "synthetic": True},
        {"type": "text", "text": "do it"},
    ]
    path = tmp_path / "export.json"
    path.write_text(
        json.dumps({"info": {"id": "ses_1", "slug": "s"}, "messages": [{"info": {"role": "user"}, "parts": parts}]})
    )
    assert [o.text for o in read_session(path).observations] == ["do it"]


@pytest.mark.parametrize(
    ("output", "printed"),
    [
        ("(no output)", ""),
        ("(no output)\n\n<shell_metadata>\nshell tool terminated command\n</shell_metadata>", ""),
        ("(no output) is what it printed", "(no output) is what it printed"),
    ],
)
def test_what_opencode_writes_instead_of_an_empty_output_is_no_error(tmp_path: Path, output: str, printed: str) -> None:
    state = {"status": "completed", "input": {"command": "test -e a"}, "output": output, "metadata": {"exit": 1}}
    message = {"info": {"role": "assistant"}, "parts": [{"type": "tool", "tool": "bash", "state": state}]}
    path = tmp_path / "export.json"
    path.write_text(json.dumps({"info": {"id": "ses_1"}, "messages": [message]}))
    (seen,) = read_session(path).observations
    assert (seen.outcome, seen.text, seen.error) == ("failed", printed, printed)


def _read_call(tmp_path: Path, tool: str, state: dict[str, object]) -> list[tuple[str, str, str]]:
    message = {"info": {"role": "assistant"}, "parts": [{"type": "tool", "tool": tool, "state": state}]}
    path = tmp_path / "export.json"
    path.write_text(json.dumps({"info": {"id": "ses_1"}, "messages": [message]}))
    return [(o.kind, o.outcome, o.text) for o in read_session(path).observations]


@pytest.mark.parametrize("prefix", ["", "Error: ", "PermissionRejectedError: "])
@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        ("The user rejected permission to use this specific tool call.", "rejected"),
        ("The user dismissed this question", "rejected"),
        ("The user has specified a rule which prevents you from using this specific tool call.", "denied"),
        ("The operation was aborted.", "aborted"),
        ("Cancelled", "aborted"),
        ("Cancelled by the test: 1 failed", "failed"),
    ],
)
def test_a_call_that_the_client_or_the_user_refused_did_not_fail_in_any_version(
    tmp_path: Path, prefix: str, error: str, outcome: str
) -> None:
    seen = _read_call(tmp_path, "edit", {"status": "error", "input": {}, "error": prefix + error})
    assert [one for _, one, _ in seen] == [outcome]


@pytest.mark.parametrize(("tool", "messages"), [("bash", [("user", "unknown", "first run\nthe tests")]), ("x_y", [])])
def test_what_the_user_writes_when_rejecting_a_call_in_opencode_is_the_users_message(
    tmp_path: Path, tool: str, messages: list[tuple[str, str, str]]
) -> None:
    rejection = "The user rejected permission to use this specific tool call with the following feedback: "
    state: dict[str, object] = {"status": "error", "input": {}, "error": f"{rejection}first run\nthe tests"}
    assert _read_call(tmp_path, tool, state)[1:] == messages


def test_an_answer_that_the_user_typed_in_opencode_is_the_users_message(tmp_path: Path) -> None:
    questions = [{"question": "Which port?", "options": [{"label": "80"}]}, {"question": "Why?", "options": []}]
    metadata = {"answers": [["80", "8080, for now"], []]}
    state: dict[str, object] = {"status": "completed", "input": {"questions": questions}, "metadata": metadata}
    assert _read_call(tmp_path, "question", state)[1:] == [("user", "unknown", "8080, for now")]
    assert _read_call(tmp_path, "x_y", state)[1:] == []


def test_an_answer_or_a_comment_without_text_is_no_message_in_opencode(tmp_path: Path) -> None:
    rejection = "The user rejected permission to use this specific tool call with the following feedback: "
    assert _read_call(tmp_path, "bash", {"status": "error", "input": {}, "error": rejection})[1:] == []
    metadata = {"answers": [["", None, 5]]}
    state: dict[str, object] = {"status": "completed", "input": {"questions": [{}]}, "metadata": metadata}
    assert _read_call(tmp_path, "question", state)[1:] == []


def test_any_number_of_answers_in_opencode_is_read_in_linear_time(tmp_path: Path) -> None:
    options = [{"label": f"offered {number}"} for number in range(30_000)]
    metadata = {"answers": [[f"typed {number}" for number in range(30_000)]]}
    given: dict[str, object] = {"status": "completed", "output": "x" * 30_000, "metadata": metadata}
    start = process_time()
    seen = _read_call(tmp_path, "question", {**given, "input": {"questions": [{"options": options}]}})
    assert process_time() - start < 2
    assert seen[1][2] == "typed 0"


def test_the_structured_answer_of_opencode_is_not_third_party(tmp_path: Path) -> None:
    message = {"info": {"role": "assistant"}, "parts": [{"type": "tool", "tool": "StructuredOutput", "state": {}}]}
    path = tmp_path / "export.json"
    path.write_text(json.dumps({"info": {"id": "ses_1"}, "messages": [message]}))
    assert [(o.action, o.source) for o in read_session(path).observations] == [("other", "local")]
