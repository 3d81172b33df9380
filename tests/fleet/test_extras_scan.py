"""Whole scans: the findings are those of `replay`, and nothing is read twice."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fleet.scanning import list_findings, list_replayed, read_rows
from tests.testkit.command import CommandResult
from tests.testkit.paths import DEMO

pytestmark = pytest.mark.extras
Command = Callable[..., CommandResult]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_scan_finds_what_replay_finds(mind_skills: Command, mixed_logs: Path, out: Path, workers: int) -> None:
    replayed = mind_skills("replay", "--json", mixed_logs).json
    done = mind_skills("fleet", "scan", mixed_logs, "--out", out, "--workers", workers, "--titles")
    assert done.code == 0
    assert len(list_findings(out)) >= 12
    assert list_findings(out) == list_replayed(replayed)
    read = [row for row in read_rows(out) if row["status"] == "read"]
    assert sorted((row["session_id"], row["host"], row["observations"], row["outcome"]) for row in read) == sorted(
        (each["sessionId"], each["host"], each["observations"], each["outcome"]["type"])
        for each in replayed["sessions"]
    )
    assert [row["status"] for row in read_rows(out) if row["uri"].endswith("settings.json")] == ["passed_over"]


def test_a_file_name_and_a_session_id_that_are_no_text_are_written_with_replacements(
    mind_skills: Command, tmp_path: Path, out: Path
) -> None:
    text = DEMO.read_text(encoding="utf-8")
    session = next(record["sessionId"] for line in text.splitlines() if "sessionId" in (record := json.loads(line)))
    (tmp_path / "logs").mkdir()
    path = os.fsencode(tmp_path / "logs") + b"/\xff.jsonl"
    Path(os.fsdecode(path)).write_text(text.replace(session, "\\ud800"), encoding="utf-8")
    assert mind_skills("fleet", "scan", tmp_path / "logs", "--out", out, "--titles").code == 0
    rows = [(Path(row["uri"]).name, row["session_id"]) for row in read_rows(out)]
    assert rows == [("\ufffd.jsonl", "\ufffd")]


def test_parts_without_titles_contain_no_name_path_or_text_of_a_session(
    mind_skills: Command, logs: Path, out: Path
) -> None:
    replayed = mind_skills("replay", "--json", logs).json["sessions"]
    assert mind_skills("fleet", "scan", logs, "--out", out, "--workers", 1).code == 0
    written = json.dumps(read_rows(out))
    private = ["/srv", "project-1", str(logs), *(each["sessionId"] for each in replayed)]
    private += [each["title"] for session in replayed for each in session["candidates"]]
    private += [session["digest"]["text"].splitlines()[2] for session in replayed if session["digest"]["text"]]
    assert [text for text in private if json.dumps(text)[1:-1] in written] == []
    assert len({row["project"] for row in read_rows(out)}) == 3


def test_a_second_scan_reads_only_changed_logs_and_the_report_counts_a_grown_log_once(
    mind_skills: Command, logs: Path, out: Path
) -> None:
    command = ("fleet", "scan", logs, "--out", out, "--workers", 1, "--json")
    first = [json.loads(line) for line in mind_skills(*command).out.splitlines()]
    assert [event["event"] for event in first] == ["started", *["progress"] * (len(first) - 2), "done"]
    assert {name: first[-1][name] for name in ("logs", "totalLogs", "skipped", "sessions", "findings", "setAside")} == {
        "logs": 12, "totalLogs": 12, "skipped": 0, "sessions": 12, "findings": 12, "setAside": 0,
    }  # fmt: skip
    again = json.loads(mind_skills(*command).out.splitlines()[-1])
    assert (again["logs"], again["skipped"]) == (0, 12)
    grown = logs / "project-0" / "session-0.jsonl"
    grown.write_text(grown.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    os.utime(grown, (2_000_000_000, 2_000_000_000))
    changed = json.loads(mind_skills(*command).out.splitlines()[-1])
    assert (changed["logs"], changed["skipped"], len(read_rows(out))) == (1, 11, 13)
    report = mind_skills("fleet", "report", out, "--json").json
    assert (report["sessions"], report["findings"], report["projects"]) == (12, 12, 3)


def test_a_folder_with_another_scan_is_refused(mind_skills: Command, logs: Path, out: Path) -> None:
    assert mind_skills("fleet", "scan", logs / "project-0", "--out", out, "--workers", 1).code == 0
    refused = mind_skills("fleet", "scan", logs, "--out", out, "--titles", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "other_scan")
    assert "titles" in refused.json["error"]["message"]
    manifest = json.loads((out / "scan.json").read_text())
    (out / "scan.json").write_text(json.dumps(manifest | {"findings": "0.0.1-0"}))
    refused = mind_skills("fleet", "scan", logs, "--out", out, "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "other_scan")
