"""OpenCode: payloads of its plugin file become hook calls, and its database is the log."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.hooks.session_state import HookCall, SessionMarkers
from mind_skills.hooks.unread_offers import has_answered
from mind_skills.hosts.opencode import SPEC
from mind_skills.plugin.adapters import PayloadError
from mind_skills.plugin.opencode import make_reply, parse_payload
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.pipeline import measure_log
from tests.plugin.adapters.hook_host import Host
from tests.testkit.paths import ROOT

FIXTURES = ROOT / "fixtures" / "opencode"
PAYLOADS = FIXTURES / "payloads"
LOG = "/home/user/.local/share/opencode/opencode.db?session=ses_0001"
PROJECT = "/home/user/project"
EXPECTED = {
    "00-recover": (
        "recover",
        HookCall("opencode", "recover 4242", PROJECT, LOG[:-8] + "recover 4242", 7, "recover", pid=4242),
    ),
    "01-start": ("start", HookCall("opencode", "ses_0001", PROJECT, LOG, 7, "startup", pid=4242)),
    "02-end": ("end", HookCall("opencode", "ses_0001", PROJECT, LOG, 7, "end", pid=4242)),
}


def payload(**more: Any) -> dict[str, Any]:
    base = {"event": "idle", "sessionID": "ses_0001", "directory": "/d", "database": "/x/opencode.db", "pid": 4242}
    return {**base, "at": 5, **more}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recorded_payload_becomes_a_hook_call(name: str) -> None:
    assert parse_payload(json.loads((PAYLOADS / f"{name}.json").read_text()), {}, 7) == EXPECTED[name]


def test_every_recorded_payload_is_covered() -> None:
    assert {path.stem for path in PAYLOADS.iterdir()} == set(EXPECTED)


@pytest.mark.parametrize("event", SPEC.events)
def test_every_event_has_its_moment(event: str) -> None:
    name, found = parse_payload(payload(event=event), {}, 7)
    assert (name, found.source) == (SPEC.events[event], "startup" if event == "start" else event)


@pytest.mark.parametrize(
    ("event", "fork", "source"), [("start", True, "fork"), ("start", 1, "startup"), ("end", True, "end")]
)
def test_only_the_start_of_a_fork_is_marked_as_a_fork(event: str, fork: object, source: str) -> None:
    assert parse_payload(payload(event=event, fork=fork), {}, 7)[1].source == source


def test_the_project_is_the_repository_that_contains_the_folder(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "deep" / "er").mkdir(parents=True)
    assert parse_payload(payload(directory=str(tmp_path / "deep" / "er")), {}, 7)[1].project == str(tmp_path)


@pytest.mark.parametrize("database", ["", None, "opencode.db"])
def test_a_database_without_an_absolute_path_is_no_log(database: str | None) -> None:
    assert parse_payload(payload(database=database), {}, 7)[1].log == ""


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([], "the payload is not an object"),
        ({"event": "other"}, "event is not one of start, failure, idle, error, compacted, end, deleted, recover"),
        ({"event": 1}, "event is not a string"),
        ({"sessionID": ""}, "sessionID is missing"),
        ({"sessionID": 3}, "sessionID is not a string"),
        ({"pid": "1"}, "pid is not a process id"),
        ({"pid": True}, "pid is not a process id"),
        ({"pid": 0}, "pid is not a process id"),
        ({"pid": 1 << 40}, "pid is not a process id"),
        ({"directory": "here"}, "directory is not an absolute path"),
        ({"directory": None}, "directory is not an absolute path"),
    ],
)
def test_an_invalid_payload_raises_an_error_that_names_the_field(wrong: Any, message: str) -> None:
    with pytest.raises(PayloadError) as raised:
        parse_payload(payload(**wrong) if isinstance(wrong, dict) else wrong, {}, 7)
    assert str(raised.value) == message


@given(st.text(max_size=200))
def test_the_reply_is_one_object_with_the_text(text: str) -> None:
    assert json.loads(make_reply(text)) == {"inject": text}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript((FIXTURES / "database-1.18.sql").read_text())
    return path


def test_a_session_of_the_database_is_measured_by_its_parts(database: Path) -> None:
    log = f"{database}?session=ses_0001"
    before = measure_log(log)
    assert before[0] > 10
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE part SET time_updated = time_updated + 1 WHERE session_id <> 'ses_0001'")
    assert measure_log(log) == before
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE part SET time_updated = time_updated + 1 WHERE session_id = 'ses_0001'")
    assert measure_log(log) == (before[0], before[1] + 1_000_000)


def test_a_missing_database_or_session_is_measured_as_no_log(database: Path) -> None:
    assert measure_log(f"{database}?session=ses_none") == (-1, -1)
    assert measure_log(f"{database.parent}/none.db?session=ses_0001") == (-1, -1)
    assert measure_log("") == (-1, -1)


def test_the_database_shows_whether_the_agent_answered_and_a_damaged_one_counts_as_yes(database: Path) -> None:
    assert has_answered(f"{database}?session=ses_0001")
    assert not has_answered(f"{database}?session=ses_none")
    database.write_bytes(b"SQLite format 3\x00" + b"\xff" * 4096)
    assert has_answered(f"{database}?session=ses_0001")


def opencode(host: Host, event: str, session: str = "ses_0001", **more: Any) -> tuple[int, bytes, bytes]:
    host.command = [sys.executable, "-I", "-S", str(ROOT / "plugin" / "entry.py"), "opencode"]
    given = payload(event=event, sessionID=session, directory=str(host.project), pid=os.getpid(), **more)
    return host.hook(given)


@pytest.mark.process
def test_a_session_receives_the_same_bytes_again_even_after_its_end(host: Host, database: Path) -> None:
    candidate = host.stage()
    more = {"database": str(database)}
    code, out, err = opencode(host, "start", **more)
    assert (code, err, candidate.id in json.loads(out)["inject"]) == (0, b"", True)
    assert opencode(host, "start", **more) == (code, out, err)
    host.settle()
    assert opencode(host, "end", **more) == (0, b"", b"")
    host.settle()
    with Ledger.open(host.state) as ledger:
        assert [record.state for record in ledger.list_history()] == ["ignored"]
    assert opencode(host, "start", **more) == (code, out, err)
    code, out, err = opencode(
        host, "start", "ses_other", **more
    )  # is told of the session that ended, not of the same again
    assert (code, err, candidate.id in json.loads(out)["inject"]) == (0, b"", False)
    host.settle()
    assert host.log() == ""


def test_a_fork_receives_no_offer_and_keeps_the_time_at_which_it_was_made(host: Host, database: Path) -> None:
    host.stage()
    since: list[str] = []
    for _ in range(2):
        assert opencode(host, "start", database=str(database), fork=True) == (0, b"", b"")
        host.settle()
        since.append(SessionMarkers(str(host.state), "ses_0001").forked.read())
    assert (since[0].isdecimal(), since[1], host.log()) == (True, since[0], "")
    assert opencode(host, "start", "ses_other", database=str(database))[1] != b""
