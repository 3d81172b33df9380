"""The learning loop of each host: the count and time of every step, and whether it is silent, quiet, working or dead."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hosts import HOST_NAMES as HOSTS
from mind_skills.hosts import load_spec
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.offer import claim_offer
from mind_skills.staging.tables.sessions import SkillUseRecord
from mind_skills.store.project import resolve_project


def find_loop(report: Any, host: str) -> Any:
    return next((one for one in report["loops"] if one["host"] == host), None)


def test_status_reports_the_count_and_last_time_of_each_step_of_a_hosts_loop(
    state: Path, tmp_path: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    candidate = learn(state, tmp_path / "project")
    told = find_loop(mind_skills("status", "--json").json, "claude-code")
    steps = {name: (told[name]["count"], told[name]["last"]) for name in ("observed", "detected", "staged", "offered")}
    assert steps == {"observed": (1, 1), "detected": (1, 2), "staged": (1, 3), "offered": (0, None)}
    with Ledger.open(state) as ledger:
        ledger.register_session("two", "codex", resolve_project(project_folder=str(tmp_path / "project")), "", 4)
        assert claim_offer(ledger.home, resolve_project(project_folder=str(tmp_path / "project")), "two", 5) is not None
        ledger.apply_verdicts("two", {candidate.id: ("accepted", "s")}, 6)
    report = mind_skills("status", "--json").json
    codex = find_loop(report, "codex")
    assert [
        (codex[name]["count"], codex[name]["last"]) for name in ("observed", "detected", "offered", "accepted")
    ] == [
        (1, 4),
        (0, None),
        (1, 5),
        (1, 6),
    ]
    assert (find_loop(report, "claude-code")["verdict"], codex["verdict"]) == ("working", "quiet")


def write_log(home: Path, host: str, at: float) -> None:
    """Write a host's log of a session that last changed at ``at`` (UTC seconds)."""
    if host == "opencode":
        path = home / ".local/share/opencode/opencode.db"
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path)) as sql, sql:
            sql.execute("CREATE TABLE IF NOT EXISTS session (id TEXT, parent_id TEXT, time_updated INTEGER)")
            sql.execute("INSERT INTO session VALUES ('s', NULL, ?)", (int(at * 1000),))
            sql.execute("INSERT INTO session VALUES ('child', 's', ?)", (int(at * 1000) * 2,))
        return
    place = {
        "claude-code": ".claude/projects/p/two.jsonl",
        "codex": ".codex/sessions/2026/01/02/rollout-two.jsonl",
        "gemini": ".gemini/tmp/p/chats/session-two.jsonl",
        "antigravity": ".gemini/antigravity-cli/brain/two/.system_generated/logs/transcript_full.jsonl",
    }
    path = home / place[host]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (at, at))


@pytest.mark.parametrize("host", HOSTS)
def test_a_loop_is_silent_without_reports_quiet_after_one_and_dead_if_a_log_is_newer(
    home: Path, tmp_path: Path, state: Path, mind_skills: Callable[..., Any], host: str
) -> None:
    mind_skills("install", host)
    assert find_loop(mind_skills("status", "--json").json, host)["verdict"] == "silent"
    now = time.time()
    with Ledger.open(state) as ledger:
        ledger.register_session(
            "one", host, resolve_project(project_folder=str(tmp_path / "project")), "", int(now * 1000)
        )
    assert find_loop(mind_skills("status", "--json").json, host)["verdict"] == "quiet"
    write_log(home, host, now)
    assert find_loop(mind_skills("status", "--json").json, host)["verdict"] == "quiet"
    write_log(home, host, now + 7200)
    assert find_loop(mind_skills("status", "--json").json, host)["verdict"] == "dead"
    assert "no hook reported" in mind_skills("status", "--verbose").out
    title = load_spec(host).title
    asked = f"Next: run `mind-skills doctor` to find out why the last sessions of {title} were not reported.\n"
    assert asked in mind_skills("status").out


def test_an_offer_to_a_session_of_a_host_counts_as_a_report_of_its_hooks(
    tmp_path: Path, state: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    learn(state, tmp_path / "project")
    mind_skills("install", "claude-code")
    assert find_loop(mind_skills("status", "--json").json, "claude-code")["verdict"] == "silent"
    assert "(no report yet; 1 earlier session was read from its logs)" in mind_skills("status").out
    at = time.time_ns() // 1_000_000 + 60_000
    assert claim_offer(str(state), resolve_project(project_folder=str(tmp_path / "project")), "two", at) is not None
    assert find_loop(mind_skills("status", "--json").json, "claude-code")["verdict"] == "working"
    assert "Hooks: installed in Claude Code (last report at " in mind_skills("status").out


def test_an_unreadable_database_of_opencode_is_no_evidence_of_a_dead_loop(
    home: Path, mind_skills: Callable[..., Any]
) -> None:
    mind_skills("install", "opencode")
    path = home / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True)
    for content in (b"", b"no database" * 1000):
        path.write_bytes(content)
        assert find_loop(mind_skills("status", "--json").json, "opencode")["verdict"] == "silent"


def test_status_counts_the_use_of_a_skill_as_the_last_step_of_the_loop(
    tmp_path: Path, state: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    candidate, project = learn(state, tmp_path / "project"), resolve_project(project_folder=str(tmp_path / "project"))
    with Ledger.open(state) as ledger:
        ledger.accept(candidate.id, str(tmp_path / "SKILL.md"), 4)
        ledger.register_session("two", "codex", project, "", 5)
        seen = ledger.find_session("two")
        assert seen is not None
        ledger.store_analysis(
            seen, [SkillUseRecord("x", str(tmp_path / "SKILL.md"), "read", 6, is_installed=False)], None, 6
        )
        ledger.finish_session("two", 7)
    report = mind_skills("status", "--json").json
    assert (report["counts"]["accepted"], report["counts"]["used"]) == (1, 1)
    assert find_loop(report, "codex")["used"] == {"count": 1, "last": 7}
