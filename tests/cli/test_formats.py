"""Which format a log is read as, and the errors for a log of which little or nothing could be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.testkit.paths import FIXTURES

SESSION = FIXTURES / "demo/session.jsonl"


@pytest.mark.parametrize(
    ("name", "suggestion"), [("nope", ""), ("codex-rolout", "Did you mean codex-rollout? "), ("codx", "Did you mean codex-rollout? ")]
)  # fmt: skip
def test_an_unknown_format_is_wrong_usage_and_the_error_suggests_the_nearest(
    mind_skills: Callable[..., Any], name: str, suggestion: str
) -> None:
    wrong = mind_skills("replay", SESSION, "--format", name, "--json")
    assert (wrong.code, wrong.json["error"]["code"]) == (2, "usage")
    assert wrong.json["error"]["message"].startswith(
        f"Invalid value for '--format': {name} is not a format. {suggestion}Use the name of a host, or one of antigravity, "
    )


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


def error_of(done: Any) -> tuple[int, str, str, str]:
    """The exit code and the one error of a replay that read nothing."""
    (error,) = done.json["errors"]
    assert done.json["totals"] == {"sessions": 0, "observations": 0, "candidates": 0, "failed": 1}
    return done.code, error["code"], error["message"], error["hint"]


def test_the_error_for_a_wrong_format_option_names_the_detected_format(
    mind_skills: Callable[..., Any], tmp_path: Path
) -> None:
    package = tmp_path / "package.json"
    package.write_text('{"name": "shop"}', encoding="utf-8")
    assert error_of(mind_skills("replay", SESSION, "--format", "codex", "--json")) == (
        1, "wrong_format", "the file has no codex-rollout entries", "the file seems to have the format claude-code: omit --format",
    )  # fmt: skip
    for name, known in (("opencode", "opencode-export"), ("claude", "claude-code")):
        assert error_of(mind_skills("replay", package, "--format", name, "--json")) == (
            1, "wrong_format", f"the file has no {known} entries", "choose a file that is a session log",
        )  # fmt: skip


@pytest.mark.parametrize("lines", [1, 3, 500])
def test_a_log_with_only_broken_lines_is_an_error(mind_skills: Callable[..., Any], tmp_path: Path, lines: int) -> None:
    log = tmp_path / "session.jsonl"
    log.write_bytes(b'{"type":"user","sessionId":"one","uuid"\n\n' * lines)
    code, error, message, hint = error_of(mind_skills("replay", log, "--json"))
    assert (code, error, message) == (1, "broken", "none of its lines could be read")
    assert hint.startswith("line 1: not valid JSON")


def test_a_truncated_json_document_is_an_error(mind_skills: Callable[..., Any], tmp_path: Path) -> None:
    log = tmp_path / "export.json"
    log.write_bytes((FIXTURES / "opencode/export-1.18.json").read_bytes()[:-100])
    code, error, message, _ = error_of(mind_skills("replay", log, "--json"))
    assert (code, error, message.partition(":")[0]) == (1, "broken", "the document is not valid JSON")


def test_a_session_that_has_only_begun_is_read_with_a_warning(mind_skills: Callable[..., Any], tmp_path: Path) -> None:
    log = tmp_path / "session.jsonl"
    log.write_bytes(b'{"type":"mode","mode":"normal","sessionId":"one"}\n{"type":"user","sessio')
    (session,) = mind_skills("replay", log, "--json").json["sessions"]
    assert (session["sessionId"], [warning["line"] for warning in session["warnings"]]) == ("session", [2])


def test_replay_of_a_folder_without_logs_says_what_it_looks_for_and_where_hosts_keep_logs(
    mind_skills: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures/one.png").touch()
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    done = mind_skills("replay", tmp_path / "pictures", "--json")
    said = done.err.splitlines()
    assert (done.code, done.json["sessions"], done.json["errors"]) == (0, [], [])
    assert said[:2] == [
        "No session logs found. Session logs are *.jsonl, *.json, *.traj or *.db files.",
        "1 file of other types skipped.",
    ]
    assert "  Claude Code  ~/.claude/projects" in said
    assert "1 file skipped: not the log of a supported host." in mind_skills("replay", tmp_path).err
    (tmp_path / "nothing").mkdir()
    assert "skipped" not in mind_skills("replay", tmp_path / "nothing").err
