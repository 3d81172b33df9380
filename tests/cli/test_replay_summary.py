"""A replay of all histories: which sessions are read, which learnings are one, and what a person is shown."""

from __future__ import annotations

import os
import sqlite3
import sys
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from mind_skills.cli import replay_summary
from mind_skills.observations.find_logs import find_logs
from mind_skills.output import state as states
from mind_skills.store.database import describe_set_aside
from mind_skills.store.home import get_state_folder
from tests.testkit.episodes import build_candidate
from tests.testkit.paths import DEMO, FIXTURES

Run = Callable[..., Any]
NOW = 1_790_000_000_000
DAY = 86_400_000
NEXT = (
    "No learning was stored. Run `mind-skills install` to learn from future sessions automatically, or `mind-skills replay "
    "--stage` in a project to put its learnings on the list.\n"
)


def write_log(path: Path, text: str, age: int) -> Path:
    """Write a log whose last change is ``age`` days ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    at = (NOW - age * DAY) / 1000
    os.utime(path, (at, at))
    return path


@pytest.fixture
def logs(home: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of Claude Code's logs: one learning twice, another one, a session without any, and an old one."""
    monkeypatch.setattr(states, "read_clock", lambda: NOW)
    folder = home / ".claude/projects/shop"
    demo = DEMO.read_text(encoding="utf-8").replace("/home/dev/shop", str(project))
    write_log(folder / "one.jsonl", demo, 3)
    write_log(folder / "two.jsonl", demo.replace("5d0c3f6e-2b1a", "5d0c3f6e-2b1b"), 2)
    write_log(
        folder / "three.jsonl", demo.replace("5d0c3f6e-2b1a", "5d0c3f6e-2b1c").replace("invoice.py", "billing.py"), 1
    )
    write_log(folder / "old.jsonl", demo.replace("5d0c3f6e-2b1a", "5d0c3f6e-2b1d"), 31)
    write_log(folder / "none.jsonl", "".join(demo.splitlines(keepends=True)[:8]).replace("2b1a", "2b1e"), 4)
    write_log(home / ".codex/sessions/2026/09/rollout-2026-09-01T00-00-00-x.jsonl", "", 5)
    write_log(home / ".claude/projects/shop/one/subagents/agent-1.jsonl", demo, 1)
    return folder


def test_replay_reports_that_the_database_was_damaged(mind_skills: Run, logs: Path) -> None:
    database = Path(get_state_folder(), "mind-skills.db")
    database.parent.mkdir(parents=True)
    database.write_bytes(b"not a database, but long enough to have a header" * 100)
    done = mind_skills("replay")
    assert (done.code, done.err) == (0, f"mind-skills: {describe_set_aside(f'{database}.corrupt-1')}\n")


def test_replay_does_not_wait_for_processes_that_lock_the_database(
    mind_skills: Run, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind_skills("replay", logs / "one.jsonl", "--stage")
    before = mind_skills("replay").out
    monkeypatch.setattr(replay_summary, "LOCK_TIMEOUT_SECONDS", 0.0)
    with closing(sqlite3.connect(Path(get_state_folder(), "mind-skills.db"), isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        done = mind_skills("replay")
    shown = [text for text in before.splitlines() if "mind-skills show sc_" in text]
    replayed = [text for text in done.out.splitlines() if text not in before.splitlines()]
    assert (done.code, done.err, len(shown), len(replayed)) == (0, "", 1, 1)
    assert "mind-skills replay ~/.claude/projects/shop/" in replayed[0]


@pytest.mark.parametrize("columns", [60, 80, 100, 120, 200])
def test_the_lines_of_a_learning_fit_the_terminal_and_the_command_is_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    long, command = "ERR_LOCKFILE: not up to date, " * 9, "mind-skills replay " + "x" * 200
    learning = replay_summary.Learning(long, [("failed", long)], "codex", "61%", command)
    replay_summary.print_summary(replay_summary.Summary("", [learning], 1, 0, [], ""))
    lines = capsys.readouterr().out.splitlines()
    width = min(columns, replay_summary.MAX_WIDTH)
    begin = next(number for number, text in enumerate(lines) if text.startswith(" 1. ERR_LOCKFILE"))
    shown = [text[:12] + text[-1] for text in lines[begin : begin + 4]]
    assert shown == [" 1. ERR_LOCK…", "    failed: …", "    codex; 6%", "    Show: mix"]
    assert [width - 5 < len(text) <= width for text in lines[begin : begin + 2]] == [True, True]
    assert lines[begin + 3] == f"    Show: {command}"


@pytest.mark.parametrize(("number", "end"), [(3, "c: empty."), (5, "c: empty; and 2 more, which --json lists.")])
def test_up_to_three_unreadable_logs_are_named(number: int, end: str) -> None:
    logs = [f"{name}: empty" for name in "abcde"[:number]]
    summary = replay_summary.Summary("", [], 0, 0, logs, "")
    assert replay_summary.list_sentences(summary)[1:] == [f"{number} logs could not be read: a: empty; b: empty; {end}"]


def test_since_takes_a_period_or_a_date(mind_skills: Run, logs: Path) -> None:
    named = mind_skills("replay", logs, "--since", "2", "--json")
    assert [Path(session["path"]).name for session in named.json["sessions"]] == ["three.jsonl", "two.jsonl"]
    for written in ("2d", "2026-09-19"):
        assert mind_skills("replay", logs, "--since", written, "--json").json == named.json


def test_only_the_newest_logs_of_a_huge_history_are_read(
    mind_skills: Run, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_summary, "MAX_LOGS", 2)
    done = mind_skills("replay", "--json")
    assert [Path(session["path"]).name for session in done.json["sessions"]] == ["three.jsonl", "two.jsonl"]
    assert "; 3 beyond the newest 2 skipped.\n" in done.err


def test_only_recently_changed_sessions_of_a_database_are_read(home: Path) -> None:
    path = home / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE session (id, directory, parent_id, time_created, time_updated)")
        database.execute("CREATE TABLE message (id, session_id, data)")
        database.execute("CREATE TABLE part (id, message_id, data)")
        rows = [("ses_a", "/p", None, 1, NOW), ("ses_b", "/p", None, 1, NOW - 1), ("ses_c", "/p", None, 1, 3)]
        database.executemany("INSERT INTO session VALUES (?, ?, ?, ?, ?)", rows)
        database.commit()
    os.utime(path, (NOW / 1000, NOW / 1000))
    found = replay_summary.find_histories(NOW - DAY)
    assert ([log.path.name for log in found.sources.logs], found.older) == (
        ["opencode.db?session=ses_a", "opencode.db?session=ses_b"],
        1,
    )
    assert replay_summary.keep_recent(find_logs([str(path)]), NOW - DAY).older == 1


def test_a_copied_session_is_not_counted_twice() -> None:
    one, other = (build_candidate("a", session=name) for name in "ST")
    taught = [
        replay_summary.ReplayedSession("s", "", (one,)),
        replay_summary.ReplayedSession("t", "", (other, build_candidate("own", session="T")), is_copy=True),
        replay_summary.ReplayedSession("u", "", (build_candidate("own", session="U"),)),
    ]
    assert sorted(each.sessions for each in replay_summary.rank_learnings(taught)) == [("S",), ("U",)]


class Tags(HTMLParser):
    """The elements of a page, and the text that is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: dict[str, str] = {}
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name: value or "" for name, value in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_has_the_printed_text_loads_nothing_and_escapes_hostile_text(mind_skills: Run, logs: Path) -> None:
    hostile = "</p><script>alert(1)</script><img src=x onerror=alert(1)>'\"&amp;"
    learning = replay_summary.Learning(hostile, [("failed", hostile)], hostile, hostile, hostile)
    tags = Tags()
    tags.feed(replay_summary.render_page(replay_summary.Summary(hostile, [learning], 1, 2, [hostile], hostile)))
    shown = {"html", "head", "meta", "title", "style", "body", "main", "h1", "p", "ol", "li", "code"}
    assert (tags.names, tags.text.count(hostile)) == (shown, 8)
    assert set(tags.attributes) == {"lang", "charset", "http-equiv", "content", "name", "class"}
    done = mind_skills("replay", "--html", "learned.html")
    page = Path("learned.html").read_text(encoding="utf-8")
    read = Tags()
    read.feed(page)
    lines = [" ".join(text.split()).lstrip("12. ") for text in done.out.splitlines() if text]
    assert [text for text in lines if text not in read.text] == []
    digest = b64encode(sha256(replay_summary.STYLE.encode()).digest()).decode()
    assert f"content=\"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'\"" in page
    assert done.err == "Wrote learned.html.\n"
    Path("learned.html").unlink()
    assert (mind_skills("replay", "--html"), Path("learned.html").read_text(encoding="utf-8")) == (done, page)
    assert mind_skills("replay", "--html", "-") == (0, page, "")
    assert not Path("-").exists()
    assert mind_skills("replay", "--html", "-", "--json").code == 2
    assert mind_skills("replay", DEMO, "--html", "one.html").code == 0
    assert mind_skills("replay", DEMO, "--html", "none/one.html", "--json").json["error"]["code"] == "unwritable"


def test_replay_replaces_a_page_but_no_other_file(mind_skills: Run, logs: Path) -> None:
    notes, page = Path("notes.html").absolute(), Path("learned.html")
    notes.write_text("mine", encoding="utf-8")
    done = mind_skills("replay", "--html", "notes.html")
    assert (done.code, done.out.endswith(NEXT), notes.read_text(encoding="utf-8")) == (1, True, "mine")
    assert done.err == (
        f"mind-skills: {notes} exists and is not a report\nChoose another name, or move the file away.\n"
    )
    assert mind_skills("replay", "--html", page).code == mind_skills("replay", "--html", page).code == 0
    assert mind_skills("report", "--out", page).code == 0


def test_the_show_command_quotes_the_path_of_a_log_without_a_known_project(mind_skills: Run, home: Path) -> None:
    folder = home / ".gemini/tmp/x/chats"
    folder.mkdir(parents=True)
    log = folder / "session-2026 it's.jsonl"
    log.write_bytes((FIXTURES / "gemini/chat-0.61.jsonl").read_bytes())
    done = mind_skills("replay", "--since", "36500")
    assert (
        done.code,
        "Show: mind-skills replay ~/'.gemini/tmp/x/chats/session-2026 it'\"'\"'s.jsonl'\n" in done.out,
    ) == (0, True)
