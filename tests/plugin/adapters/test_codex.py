"""Recorded payloads of Codex 0.169.0 become hook calls; an offer gets the one form that Codex does not reject."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.hooks.session_state import HookCall
from mind_skills.hosts.codex import SPEC
from mind_skills.plugin.adapters import HookAdapter, PayloadError
from tests.testkit.paths import ROOT

parse, reply = HookAdapter(SPEC).parse_payload, HookAdapter(SPEC).make_reply
PAYLOADS = ROOT / "fixtures" / "codex" / "payloads"
FIRST, FORK, AGENTS = (f"{n:08d}-0000-4000-8000-{n:012d}" for n in (1, 4, 6))


def recorded(session: str, name: str, source: str) -> tuple[str, HookCall]:
    log = f"/home/user/.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-{session}.jsonl"
    return name, HookCall("codex", session, "/home/user/project", log, 7, source)


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
    "12-SessionStart-startup": recorded(AGENTS, "start", "startup"),
    "17-Stop": recorded(AGENTS, "idle", "startup"),
    "18-SessionEnd-other": recorded(AGENTS, "end", "other"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recorded_payload_becomes_a_hook_call(name: str) -> None:
    assert parse(json.loads((PAYLOADS / f"{name}.json").read_text()), {}, 7) == EXPECTED[name]


def test_every_recorded_payload_of_a_hooked_event_is_covered() -> None:
    named = {path.stem for path in PAYLOADS.glob("*.json") if path.stem.split("-")[1] in SPEC.events}
    assert named == set(EXPECTED)


def test_the_project_is_the_repository_that_contains_the_folder(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    below = tmp_path / "src" / "deep"
    below.mkdir(parents=True)
    payload = {"hook_event_name": "Stop", "session_id": "s", "cwd": str(below)}
    assert parse(payload, {"CLAUDE_PROJECT_DIR": "/elsewhere"}, 7) == (
        "idle",
        HookCall("codex", "s", str(tmp_path), "", 7),
    )


def test_a_payload_from_inside_a_subagent_is_recognised() -> None:
    payload = {"hook_event_name": "Stop", "session_id": "s", "cwd": "/here", "agent_id": "a1"}
    assert parse(payload, {}, 7)[1].subagent


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ([], "the payload is not an object"),
        ({}, "hook_event_name is not one of SessionStart, Stop, SessionEnd"),
        ({"hook_event_name": "PostToolUse"}, "hook_event_name is not one of SessionStart, Stop, SessionEnd"),
        ({"hook_event_name": "Stop", "cwd": "/"}, "session_id is missing"),
        ({"hook_event_name": "Stop", "session_id": "s"}, "cwd is missing"),
        ({"hook_event_name": "Stop", "session_id": "s", "cwd": ["/"]}, "cwd is not a string"),
    ],
)
def test_an_invalid_payload_raises_an_error_that_names_the_field(payload: Any, message: str) -> None:
    with pytest.raises(PayloadError) as raised:
        parse(payload, {}, 7)
    assert str(raised.value) == message


@given(st.text(max_size=200))
def test_a_reply_holds_the_text_and_no_other_key(text: str) -> None:
    output = {"hookEventName": "SessionStart", "additionalContext": text}
    assert json.loads(reply(text)) == {"hookSpecificOutput": output}
