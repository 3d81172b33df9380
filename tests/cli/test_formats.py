"""Which format a log is read as; transcripts/replay.txt has the errors for a log of which little or nothing could be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.testkit.paths import FIXTURES

SESSION = FIXTURES / "demo/session.jsonl"


@pytest.mark.parametrize(
    ("name", "log", "expected"),
    [
        ("claude", SESSION, "claude-code"),
        ("claude-code", SESSION, "claude-code"),
        ("codex", FIXTURES / "codex/rollout-0.169.jsonl", "codex-rollout"),
        ("gemini", FIXTURES / "gemini/chat-document.json", "gemini"),
        ("agy", next(FIXTURES.glob("antigravity/brain/*2/*/*/transcript_full.jsonl")), "antigravity"),
        ("gemini-cli", FIXTURES / "gemini/chat-document.json", "gemini"),
        ("mini-swe-agent", FIXTURES / "mini_swe_agent/session.traj.json", "mini-swe-traj"),
        ("opencode", FIXTURES / "opencode/export-1.18.json", "opencode-export"),
        ("swe-agent", FIXTURES / "swe_agent/session.traj", "swe-agent-traj"),
    ],
)
def test_the_name_of_a_host_selects_its_format(
    mind_skills: Callable[..., Any], name: str, log: Path, expected: str
) -> None:
    (session,) = mind_skills("replay", log, "--format", name, "--json").json["sessions"]
    assert (session["format"], session["observations"] > 0) == (expected, True)


def test_the_format_option_overrides_detection_by_content(mind_skills: Callable[..., Any], tmp_path: Path) -> None:
    log = tmp_path / "session.jsonl"
    log.write_bytes(b'{"junk": "' + b"x" * 70_000 + b'"}\n' + SESSION.read_bytes())
    assert [error["code"] for error in mind_skills("replay", log, "--json").json["errors"]] == ["unknown_format"]
    forced = mind_skills("replay", log, "--format", "claude-code", "--json")
    assert [session["observations"] for session in forced.json["sessions"]] == [24]


def test_a_truncated_json_document_is_an_error(mind_skills: Callable[..., Any], tmp_path: Path) -> None:
    log = tmp_path / "export.json"
    log.write_bytes((FIXTURES / "opencode/export-1.18.json").read_bytes()[:-100])
    (error,) = mind_skills("replay", log, "--json").json["errors"]
    assert (error["code"], error["message"]) == ("broken", "the document is not valid JSON")


@pytest.mark.parametrize("lines", [1, 3, 500])
def test_a_log_with_only_broken_lines_is_an_error(mind_skills: Callable[..., Any], tmp_path: Path, lines: int) -> None:
    log = tmp_path / "session.jsonl"
    log.write_bytes(b'{"type":"user","sessionId":"one","uuid"\n\n' * lines)
    done = mind_skills("replay", log, "--json")
    (error,) = done.json["errors"]
    assert (done.code, error["code"], error["message"]) == (1, "broken", "none of its lines could be read")
    assert error["hint"].startswith("line 1: not valid JSON")


def test_a_session_that_has_only_begun_is_read_with_a_warning(mind_skills: Callable[..., Any], tmp_path: Path) -> None:
    log = tmp_path / "session.jsonl"
    log.write_bytes(b'{"type":"mode","mode":"normal","sessionId":"one"}\n{"type":"user","sessio')
    (session,) = mind_skills("replay", log, "--json").json["sessions"]
    assert (session["sessionId"], [warning["line"] for warning in session["warnings"]]) == ("session", [2])
