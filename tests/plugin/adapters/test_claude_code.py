"""Recorded payloads of Claude Code 2.1.329 become hook calls; an offer gets the one form that Claude Code honours."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.hooks.session_state import HookCall
from mind_skills.hosts.claude_code import SPEC
from mind_skills.plugin.adapters import HookAdapter, PayloadError
from tests.testkit.paths import ROOT

parse, reply = HookAdapter(SPEC).parse_payload, HookAdapter(SPEC).make_reply
PAYLOADS = ROOT / "fixtures" / "claude_code" / "payloads"
ENVIRONMENT = {"CLAUDE_PROJECT_DIR": "/home/user/project", "CLAUDE_PID": "4242"}
FIRST = "00000000-0000-4000-8000-000000000001"
FORK = "00000000-0000-4000-8000-000000000004"
TERMINAL = "00000000-0000-4000-8000-000000000006"
CLEARED = "00000000-0000-4000-8000-000000000009"


def recorded(session: str, name: str, source: str) -> tuple[str, HookCall]:
    log = f"/home/user/.claude/projects/-home-user-project/{session}.jsonl"
    return name, HookCall("claude-code", session, "/home/user/project", log, 7, source, pid=4242)


EXPECTED = {
    "00-SessionStart-startup": recorded(FIRST, "start", "startup"),
    "02-Stop": recorded(FIRST, "idle", "startup"),
    "03-SessionEnd-other": recorded(FIRST, "end", "other"),
    "04-SessionStart-resume": recorded(FIRST, "start", "resume"),
    "06-Stop": recorded(FIRST, "idle", "startup"),
    "07-SessionEnd-other": recorded(FIRST, "end", "other"),
    "08-SessionStart-fork": recorded(FORK, "start", "fork"),
    "10-Stop": recorded(FORK, "idle", "startup"),
    "11-SessionEnd-other": recorded(FORK, "end", "other"),
    "12-SessionStart-startup": recorded(TERMINAL, "start", "startup"),
    "14-Stop": recorded(TERMINAL, "idle", "startup"),
    "15-SessionEnd-clear": recorded(TERMINAL, "end", "clear"),
    "16-SessionStart-clear": recorded(CLEARED, "start", "clear"),
    "18-Stop": recorded(CLEARED, "idle", "startup"),
    "22-SessionStart-compact": recorded(CLEARED, "start", "compact"),
    "23-SessionEnd-prompt_input_exit": recorded(CLEARED, "end", "prompt_input_exit"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recorded_payload_becomes_a_hook_call(name: str) -> None:
    payload = json.loads((PAYLOADS / f"{name}.json").read_text())
    assert parse(payload, ENVIRONMENT, 7) == EXPECTED[name]


def test_every_recorded_payload_of_a_hooked_event_is_covered() -> None:
    named = {path.stem for path in PAYLOADS.glob("*.json") if path.stem.split("-")[1] in SPEC.events}
    assert named == set(EXPECTED)


def test_the_working_directory_is_the_project_if_the_variable_is_not_set() -> None:
    payload = {"hook_event_name": "Stop", "session_id": "s", "cwd": "/here"}
    assert parse(payload, {}, 7) == ("idle", HookCall("claude-code", "s", "/here", "", 7))


def test_a_payload_from_inside_a_subagent_is_recognised() -> None:
    payload = {"hook_event_name": "Stop", "session_id": "s", "cwd": "/here", "agent_id": "a1", "agent_type": "Explore"}
    assert parse(payload, {}, 7)[1].subagent


@pytest.mark.parametrize("pid", ["", "x", "-1", "1e3", "٣", "99999999999999999999"])
def test_an_invalid_process_id_counts_as_unknown(pid: str) -> None:
    payload = {"hook_event_name": "Stop", "session_id": "s", "cwd": "/here"}
    assert parse(payload, {"CLAUDE_PID": pid}, 7)[1].pid == 0


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ([], "the payload is not an object"),
        (None, "the payload is not an object"),
        ({}, "hook_event_name is not one of SessionStart, PostToolUseFailure, Stop, SessionEnd"),
        (
            {"hook_event_name": "PreToolUse"},
            "hook_event_name is not one of SessionStart, PostToolUseFailure, Stop, SessionEnd",
        ),
        ({"hook_event_name": 1}, "hook_event_name is not a string"),
        ({"hook_event_name": "Stop"}, "session_id is missing"),
        ({"hook_event_name": "Stop", "session_id": ["s"]}, "session_id is not a string"),
        ({"hook_event_name": "Stop", "session_id": "s"}, "neither CLAUDE_PROJECT_DIR nor cwd names the project"),
        (
            {"hook_event_name": "Stop", "session_id": "s", "cwd": "/x", "transcript_path": 3},
            "transcript_path is not a string",
        ),
    ],
)
def test_an_invalid_payload_raises_an_error_that_names_the_field(payload: Any, message: str) -> None:
    with pytest.raises(PayloadError) as raised:
        parse(payload, {}, 7)
    assert str(raised.value) == message


@given(st.text(max_size=200))
def test_a_reply_holds_the_text_in_the_one_field_that_the_host_honours(text: str) -> None:
    output = {"hookEventName": "SessionStart", "additionalContext": text}
    assert json.loads(reply(text)) == {"hookSpecificOutput": output}


def test_a_reply_stays_below_the_length_that_the_host_moves_into_a_file() -> None:
    assert len(json.loads(reply("x" * 20_000))["hookSpecificOutput"]["additionalContext"]) == 9_500
