"""Recorded payloads of Gemini CLI 0.61.0 become hook calls; an offer is made with the first prompt."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.hooks.session_state import HookCall
from mind_skills.hosts.gemini import SPEC
from mind_skills.plugin.adapters import HookAdapter, PayloadError
from tests.plugin.adapters.hook_host import Host
from tests.testkit.paths import ROOT

parse, reply = HookAdapter(SPEC).parse_payload, HookAdapter(SPEC).make_reply
PAYLOADS = ROOT / "fixtures" / "gemini" / "payloads"
ENVIRONMENT = {"GEMINI_PROJECT_DIR": "/home/user/project", "CLAUDE_PROJECT_DIR": "/elsewhere"}
SESSION = "00000001-0000-4000-8000-000000000001"
SILENT = (0, b"", b"")


def recorded(name: str, source: str) -> tuple[str, HookCall]:
    log = "/home/user/.gemini/tmp/project/chats/session-2026-01-02T03-04-00000001.jsonl"
    return name, HookCall("gemini", SESSION, "/home/user/project", log, 7, source)


EXPECTED = {
    "00-SessionStart-startup": recorded("start", "startup"),
    "01-BeforeAgent": recorded("prompt", "startup"),
    "04-AfterAgent": recorded("idle", "startup"),
    "05-SessionEnd-exit": recorded("end", "exit"),
    "06-SessionStart-resume": recorded("start", "resume"),
    "07-BeforeAgent": recorded("prompt", "startup"),
    "09-AfterAgent": recorded("idle", "startup"),
    "10-SessionEnd-exit": recorded("end", "exit"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recorded_payload_becomes_a_hook_call(name: str) -> None:
    assert parse(json.loads((PAYLOADS / f"{name}.json").read_text()), ENVIRONMENT, 7) == EXPECTED[name]


def test_every_recorded_payload_of_a_hooked_event_is_covered() -> None:
    named = {path.stem for path in PAYLOADS.glob("*.json") if path.stem.split("-")[1] in SPEC.events}
    assert named == set(EXPECTED)


def test_the_project_is_the_repository_that_contains_the_workspace(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    below = tmp_path / "src" / "deep"
    below.mkdir(parents=True)
    payload = {"hook_event_name": "AfterAgent", "session_id": "s", "cwd": str(below)}
    expected = ("idle", HookCall("gemini", "s", str(tmp_path), "", 7))
    assert parse(payload, {"CLAUDE_PROJECT_DIR": "/elsewhere"}, 7) == expected
    assert parse({**payload, "cwd": "/elsewhere"}, {"GEMINI_PROJECT_DIR": str(below)}, 7) == expected


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ("x", "the payload is not an object"),
        ({}, "hook_event_name is not one of SessionStart, BeforeAgent, AfterAgent, SessionEnd"),
        ({"hook_event_name": "AfterAgent", "cwd": "/"}, "session_id is missing"),
        ({"hook_event_name": "AfterAgent", "session_id": "s"}, "cwd is missing"),
        ({"hook_event_name": "AfterAgent", "session_id": 1}, "session_id is not a string"),
    ],
)
def test_an_invalid_payload_raises_an_error_that_names_the_field(payload: Any, message: str) -> None:
    with pytest.raises(PayloadError) as raised:
        parse(payload, {}, 7)
    assert str(raised.value) == message


@given(st.text(max_size=200))
def test_a_reply_holds_the_text_and_no_other_key(text: str) -> None:
    assert json.loads(reply(text)) == {
        "hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": text}
    }


@pytest.fixture
def gemini(host: Host) -> Host:
    host.command = [sys.executable, "-I", "-S", str(ROOT / "plugin" / "entry.py"), "gemini"]
    return host


def send_prompt(host: Host, session: str) -> str:
    """The text that a prompt of that session puts before the model."""
    code, out, err = host.hook(host.payload("BeforeAgent", session, prompt="hello"))
    assert (code, err) == (0, b"")
    text: str = json.loads(out)["hookSpecificOutput"]["additionalContext"] if out else ""
    return text


def test_only_the_first_prompt_of_a_session_receives_its_offer(gemini: Host) -> None:
    candidate = gemini.stage()
    assert gemini.hook(gemini.payload("SessionStart", source="startup")) == SILENT
    assert send_prompt(gemini, "other") == ""
    assert candidate.id in send_prompt(gemini, "s")
    assert send_prompt(gemini, "s") == ""
    assert gemini.hook(gemini.payload("SessionStart", source="resume")) == SILENT
    assert send_prompt(gemini, "s") == ""
    gemini.settle()
    assert gemini.log() == ""


def test_a_candidate_staged_after_the_start_is_offered_to_the_next_session(gemini: Host) -> None:
    assert gemini.hook(gemini.payload("SessionStart", source="startup")) == SILENT
    candidate = gemini.stage()
    assert send_prompt(gemini, "s") == ""
    assert gemini.hook(gemini.payload("SessionStart", "next", source="clear")) == SILENT
    assert candidate.id in send_prompt(gemini, "next")
    gemini.settle()
    assert gemini.log() == ""


def test_an_offer_that_no_prompt_took_is_made_to_the_next_session(gemini: Host) -> None:
    candidate = gemini.stage()
    assert gemini.hook(gemini.payload("SessionStart", source="startup")) == SILENT
    gemini.settle()
    assert gemini.hook(gemini.payload("SessionEnd", reason="exit")) == SILENT
    gemini.settle()
    assert send_prompt(gemini, "s") == ""
    assert gemini.hook(gemini.payload("SessionStart", "next", source="startup")) == SILENT
    assert candidate.id in send_prompt(gemini, "next")
    gemini.settle()
    assert gemini.log() == ""
