"""A replay of all histories: which sessions are read, which learnings are one, and what a person is shown."""

from __future__ import annotations

import os
import re
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
from mind_skills.staging.ledger import Ledger
from mind_skills.store.home import get_state_folder
from tests.testkit.episodes import build_candidate
from tests.testkit.paths import DEMO, FIXTURES

Run = Callable[..., Any]
NOW = 1_790_000_000_000
DAY = 86_400_000
LEARNING = """pytest test_invoice.py: AssertionError twice, passes after a change in invoice.py
    failed: run pytest tests/test_invoice.py: failed E AssertionError: assert Decimal('2.67') == Decimal('2.68') \
tests/test_invoice.py:9: AssertionError FAILED tests/test_invoice.py::test_half_a_cent_is_rounded_up - AssertionError: \
assert Decimal('2.67') == Decimal('2.68')
    changed: edit invoice.py: ok - total = sum(Decimal(price) for price in prices) \
+ total = sum(Decimal(str(price)) for price in prices)
    passed: run pytest tests/test_invoice.py: ok .. [100%] 2 passed in 0.03s
    claude-code 2026-03-02, project; P of such episodes are learnings"""
NEXT = (
    "No learning was stored. Run `mind-skills install` to learn from future sessions automatically, or `mind-skills replay "
    "--stage` in a project to put its learnings on the list.\n"
)


def replace_with_bills(text: str) -> str:
    """The text of the second learning, made from that of the first."""
    return text.replace("invoice.py", "billing.py")


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
    write_log(folder / "three.jsonl", replace_with_bills(demo.replace("5d0c3f6e-2b1a", "5d0c3f6e-2b1c")), 1)
    write_log(folder / "old.jsonl", demo.replace("5d0c3f6e-2b1a", "5d0c3f6e-2b1d"), 31)
    write_log(folder / "none.jsonl", "".join(demo.splitlines(keepends=True)[:8]).replace("2b1a", "2b1e"), 4)
    write_log(home / ".codex/sessions/2026/09/rollout-2026-09-01T00-00-00-x.jsonl", "", 5)
    write_log(home / ".claude/projects/shop/one/subagents/agent-1.jsonl", demo, 1)
    return folder


def test_replay_without_a_path_shows_the_best_learnings_of_all_histories(
    mind_skills: Run, logs: Path, apart: Path
) -> None:
    before = sorted(path for path in apart.rglob("*"))
    said = f"""4 session logs from the last 30 days read; 1 older skipped (use --since DAYS to read them).
1 session taught nothing worth offering.
1 log could not be read: {apart}/home/.codex/sessions/2026/09/rollout-2026-09-01T00-00-00-x.jsonl: the file is empty.
2 distinct learnings:

 1. {LEARNING}; seen in 2 sessions
    Show: mind-skills replay ~/.claude/projects/shop/one.jsonl

 2. {replace_with_bills(LEARNING)}
    Show: mind-skills replay ~/.claude/projects/shop/three.jsonl

{NEXT}"""
    done = mind_skills("replay")
    assert re.sub(r"\d+% of", "P of", done.out).splitlines() == said.splitlines()
    assert (done.code, done.err) == (0, "")
    assert sorted(path for path in apart.rglob("*")) == before


def test_installing_is_not_recommended_if_a_host_has_hooks(mind_skills: Run, home: Path) -> None:
    (home / ".claude").mkdir()
    assert mind_skills("install", "claude-code", "--yes", "--no-history").code == 0
    assert mind_skills("replay").out.endswith(
        "\n\nNo learning was stored. Run `mind-skills replay --stage` in a project to put its learnings on the list.\n"
    )


def test_replay_with_stage_prints_ids_for_show_and_counts_sessions_of_other_projects(
    mind_skills: Run, logs: Path, project: Path
) -> None:
    write_log(logs / "four.jsonl", DEMO.read_text(encoding="utf-8").replace("2b1a", "2b1f"), 1)
    done = mind_skills("replay", "--stage")
    assert done.err == (
        "The learnings of 3 sessions of this project were staged; 2 are on the list now.\n"
        "The learnings of 1 session of other or unknown projects were not staged. Run the command in the folder of each "
        "project, or use --project.\n"
    )
    ids = re.findall(r"Show: mind-skills show (sc_\w+)\n", done.out)
    assert len(ids) == 2
    assert [mind_skills("show", id_).code for id_ in ids] == [0, 0]
    assert done.out.endswith(
        "\n\nNo session is offered the staged learnings, because no hook is installed: run `mind-skills install`. Run "
        "`mind-skills review` to decide about them.\n"
    )
    assert mind_skills("install", "claude-code", "--yes", "--no-history").code == 0
    assert mind_skills("replay", "--stage").out.endswith("each once. Run `mind-skills review` to decide first.\n")
    elsewhere = project.parent / "elsewhere"
    elsewhere.mkdir()
    os.chdir(elsewhere)
    assert f"Show: mind-skills show {ids[0]} --project {project}\n" in mind_skills("replay").out


def test_replay_with_stage_says_so_if_no_learning_of_this_project_is_on_the_list(
    mind_skills: Run, logs: Path, project: Path
) -> None:
    elsewhere = project.parent / "elsewhere"
    elsewhere.mkdir()
    os.chdir(elsewhere)
    done = mind_skills("replay", "--stage")
    assert (done.code, done.out.splitlines()[-1]) == (1, "No learning of this project was found, so none was staged.")
    os.chdir(project)
    (project / ".git").mkdir()
    assert "2 are on the list now.\n" in mind_skills("replay", "--stage").err
    first = mind_skills("pending", "--json").json["candidates"][0]
    mind_skills("dismiss", first["id"], "--reason", "no")
    assert "1 is on the list now.\n" in mind_skills("replay", "--stage").err
    for found in mind_skills("pending", "--json").json["candidates"]:
        mind_skills("dismiss", found["id"], "--reason", "no")
    done = mind_skills("replay", "--stage")
    assert done.code == 0
    assert done.out.splitlines()[-1] == (
        "None of the staged learnings is on the list: they were decided before, or are covered by a skill."
    )


def test_replay_with_stage_promises_no_offer_where_no_agent_is_offered_learnings(
    mind_skills: Run, logs: Path, project: Path
) -> None:
    (project / ".git").mkdir()
    mind_skills("config", "set", "write_skills", "never", "--project")
    done = mind_skills("replay", "--stage")
    assert done.code == 0
    assert done.out.splitlines()[-1] == (
        "The staged learnings wait for your review: run `mind-skills review`. As `write_skills` is never, no session is offered a "
        "learning."
    )
    for texts in (mind_skills("status", "--verbose"), mind_skills("report")):
        assert "next session" not in texts.out


def test_replay_reports_that_the_database_was_damaged(mind_skills: Run, logs: Path) -> None:
    database = Path(get_state_folder(), "mind-skills.db")
    database.parent.mkdir(parents=True)
    database.write_bytes(b"not a database, but long enough to have a header" * 100)
    done = mind_skills("replay")
    assert (done.code, done.err) == (0, f"mind-skills: the database was damaged and moved to {database}.corrupt-1\n")


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


def test_the_json_document_equals_that_of_the_same_logs_passed_as_paths(
    mind_skills: Run, logs: Path, home: Path
) -> None:
    done = mind_skills("replay", "--json")
    names = [logs / f"{name}.jsonl" for name in ("three", "two", "one", "none")]
    empty = next((home / ".codex").rglob("*.jsonl"))
    assert done.json == mind_skills("replay", *names, empty, "--json").json
    assert done.err == "4 session logs from the last 30 days read; 1 older skipped (use --since DAYS to read them).\n"
    assert [session["path"] for session in done.json["sessions"]] == [str(name) for name in names]


def test_since_limits_the_age_of_logs_with_and_without_paths(mind_skills: Run, logs: Path) -> None:
    assert mind_skills("replay", "--since", "40", "--json").json["totals"]["sessions"] == 5
    named = mind_skills("replay", logs, "--since", "2", "--json")
    assert [Path(session["path"]).name for session in named.json["sessions"]] == ["three.jsonl", "two.jsonl"]
    assert named.err == "2 session logs from the last 2 days read; 3 older skipped (use --since DAYS to read them).\n"
    for written in ("2d", "2026-09-19"):
        assert mind_skills("replay", logs, "--since", written, "--json").json == named.json
    assert mind_skills("replay", "--since", "1w").out.startswith("4 session logs from the last 7 days read; 1 older")
    assert mind_skills("replay", "--since", "0").code == 2
    assert mind_skills("replay", "--format", "codex").code == 2


def test_replay_of_a_period_without_logs_recommends_the_report_if_there_is_a_database(
    mind_skills: Run, logs: Path, apart: Path
) -> None:
    for log in (*logs.glob("*.jsonl"), *logs.rglob("agent-1.jsonl")):
        os.utime(log, (1, 1))
    assert "mind-skills report" not in mind_skills("replay", "--since", "4d").out
    Ledger.open(apart / "state").close()
    said = "0 session logs from the last 4 days read; 6 older skipped (use --since DAYS to read them)."
    assert mind_skills("replay", "--since", "4d").out.startswith(
        f"{said} `mind-skills report --since 4d` shows what was already recorded.\n"
    )


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


def test_replay_without_any_log_succeeds_and_says_where_hosts_keep_their_logs(mind_skills: Run) -> None:
    done = mind_skills("replay")
    assert (done.code, done.out) == (0, f"0 session logs from the last 30 days read.\n\n{NEXT}")
    assert done.err.startswith("By default, hosts keep their logs here:\n  Claude Code  ~/.claude")


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
