"""The report over the parts of a scan."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from mind_skills.fleet.folder import ScanFolder
from mind_skills.fleet.listing import Entry
from mind_skills.fleet.rows import SET_ASIDE, Row, make_empty_row
from mind_skills.fleet.worker import make_part
from tests.testkit.command import CommandResult

pytestmark = pytest.mark.extras
arrow: Any = importlib.import_module("pyarrow")
parquet: Any = importlib.import_module("pyarrow.parquet")
Command = Callable[..., CommandResult]
KEY = b"k" * 32


def make_row(number: int, project: str, outcome: str = "helpful", **members: Any) -> Row:
    row = make_empty_row(Entry(f"/{number}", 1, 1), KEY, "read", "", with_titles=False)
    return row | {
        "session": f"s{number}", "project": project, "host": "codex", "week": "2026-W10", "outcome": outcome, "minutes": 2.0,
    } | members  # fmt: skip


def make_finding(exact: str, family: str) -> Row:
    texts = {"code": "TS2304", "error_class": "", "words": "", "program": "tsc", "fingerprint": None, "title": None}
    numbers = {"probability": 0.5, "tries": 2, "minutes": 1.5}
    return {"exact": exact, "family": family, "kind": "non_obvious", "tier": "high"} | texts | numbers


def make_skill() -> Row:
    return {"key": "k1", "name": "fix-ci", "how": "tool"}


@pytest.fixture
def scan(out: Path) -> Path:
    """Two projects that share a learning and a skill, a session without a project, and a file that was set aside."""
    folder = ScanFolder(str(out))
    folder.prepare(with_titles=False)
    shared, own = make_finding("e1", "f1"), make_finding("e2", "")
    error = {
        "key": "k9",
        "code": "TS2304",
        "error_class": "",
        "words": "",
        "tries": 3,
        "steps": 1,
        "minutes": 4.0,
        "solved": True,
    }
    rows = [
        make_row(1, "p1", findings=[shared, own], errors=[error], skills=[make_skill()]),
        make_row(2, "p2", findings=[shared], errors=[error | {"solved": False}]),
        make_row(3, "p1", "harmful", host="claude-code"),
        make_row(4, "", week="", skills=[make_skill()], findings=[shared]),
        make_empty_row(Entry("/5", 1, 1), KEY, SET_ASIDE, "timeout", with_titles=False),
    ]
    folder.write_part("a", make_part(rows[:2]))
    folder.write_part("b", make_part(rows[2:]))
    folder.write_part("c", make_part([]))
    return out


def test_the_report_counts_sessions_projects_learnings_errors_and_skills(mind_skills: Command, scan: Path) -> None:
    report = mind_skills("fleet", "report", scan, "--json").json
    counts = ("sessions", "projects", "hosts", "weeks", "findings")
    assert [report[name] for name in counts] == [4, 2, 2, 1, 4]
    assert report["setAside"] == [{"reason": "timeout", "files": 1}]
    learnings = [(each["key"], each["joinedBy"], each["projects"], each["sessions"]) for each in report["learnings"]]
    assert learnings == [("f1", "family", 2, 3), ("e2", "exact", 1, 1)]
    (error,) = report["errors"]
    assert (error["tries"], error["minutes"], error["solved"], error["projects"]) == (6, 8.0, 1, 2)
    (skill,) = report["skills"]
    assert (skill["name"], skill["loaded"]["n"], skill["loaded"]["share"]) == ("fix-ci", 1, 1.0)
    assert (skill["others"]["n"], skill["others"]["share"], skill["difference"]) == (1, 0.0, 1.0)
    assert skill["low"] < 0.2 < skill["high"] == 1.0


def test_the_report_omits_learnings_of_few_projects_and_groups_sessions_as_requested(
    mind_skills: Command, scan: Path
) -> None:
    report = mind_skills("fleet", "report", scan, "--json", "--min-projects", "2", "--by", "host").json
    assert [each["key"] for each in report["learnings"]] == ["f1"]
    assert report["skills"] == []
    assert [(each["name"], each["sessions"]) for each in report["groups"]] == [("codex", 3), ("claude-code", 1)]


def test_the_page_has_no_script_and_loads_nothing(mind_skills: Command, scan: Path, tmp_path: Path) -> None:
    done = mind_skills("fleet", "report", scan, "--html", tmp_path / "page.html")
    assert (done.code, "f1" in done.out, "TS2304" in done.out) == (0, False, True)
    page = unescape((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert "default-src 'none'; style-src 'sha256-" in page
    assert [word for word in ("<script", "http:", "https:", "url(", "@import") if word in page] == []
    assert "TS2304" in page


def test_a_folder_without_a_scan_is_an_error(mind_skills: Command, tmp_path: Path) -> None:
    refused = mind_skills("fleet", "report", tmp_path / "elsewhere", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "no_scan")


@pytest.mark.parametrize("content", ["damaged", "of another program"])
def test_a_report_and_a_scan_name_the_part_that_cannot_be_read(
    mind_skills: Command, logs: Path, out: Path, content: str
) -> None:
    scan = ("fleet", "scan", logs / "project-0", "--out", out, "--workers", 1, "--json")
    assert mind_skills(*scan).code == 0
    part = out / "parts" / "d.parquet"
    if content == "damaged":
        part.write_bytes(b"PAR1 no")
    else:
        parquet.write_table(arrow.table({"other": [1]}), part)
    error = {"code": "no_scan", "message": f"{part} is damaged", "hint": "Delete that file and scan again."}
    for command in (scan, ("fleet", "report", out, "--json")):
        refused = mind_skills(*command)
        assert (refused.code, refused.json["error"]) == (1, error)
