"""What the user is shown at a start, and the model is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mind_skills.hooks.session_state import HookCall, SessionMarkers
from mind_skills.hosts.claude_code import SPEC
from mind_skills.plugin.adapters import HookAdapter
from mind_skills.plugin.hook import (
    _make_reply,  # pyright: ignore[reportPrivateUsage]
    take_start_lines,
)
from mind_skills.staging.offer import assemble_offer, describe_offer
from mind_skills.store.project import resolve_project
from tests.testkit.paths import ROOT

TERMINAL = {"CLAUDE_CODE_ENTRYPOINT": "cli"}


@pytest.fixture
def call(project: Path) -> HookCall:
    return HookCall("claude-code", "s", str(project), "", 1)


def leave_receipts(state: Path, call: HookCall, *sessions: str) -> None:
    for session in sessions:
        SessionMarkers(str(state), session, resolve_project(call.project).id).receipt.write(f"learned {session}")


def test_a_receipt_is_shown_once_and_then_removed(state: Path, call: HookCall) -> None:
    leave_receipts(state, call, "one")
    assert take_start_lines(str(state), call, TERMINAL) == "learned one"
    assert take_start_lines(str(state), call, TERMINAL) == ""
    assert list(state.iterdir()) == []


def test_a_receipt_waits_for_a_session_on_a_terminal(state: Path, call: HookCall) -> None:
    leave_receipts(state, call, "one")
    assert take_start_lines(str(state), call, {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}) == ""
    assert take_start_lines(str(state), call, TERMINAL) == "learned one"


@pytest.mark.parametrize("host", ["codex", "gemini"])
def test_a_receipt_is_shown_on_hosts_that_do_not_mark_unattended_sessions(
    state: Path, project: Path, host: str
) -> None:
    call = HookCall(host, "s", str(project), "", 1)
    leave_receipts(state, call, "one")
    assert take_start_lines(str(state), call, {}) == "learned one"


def test_a_receipt_is_shown_only_in_its_own_project(state: Path, call: HookCall, tmp_path: Path) -> None:
    leave_receipts(state, call, "one")
    assert take_start_lines(str(state), HookCall("claude-code", "s", str(tmp_path), "", 1), TERMINAL) == ""
    assert take_start_lines(str(state), call, TERMINAL) == "learned one"


def test_three_of_many_receipts_are_shown_and_the_others_are_counted(state: Path, call: HookCall) -> None:
    leave_receipts(state, call, "one", "two", "three", "four", "five")
    lines = take_start_lines(str(state), call, TERMINAL).splitlines()
    assert (len(lines), lines[-1]) == (4, "mind-skills: 2 more; `mind-skills status --verbose` lists the newest.")


def test_the_user_is_informed_that_packages_are_being_installed_unless_they_are_unwanted(
    state: Path, call: HookCall, tmp_path: Path
) -> None:
    plugin = {"CLAUDE_PLUGIN_DATA": str(tmp_path / "data"), "CLAUDE_PLUGIN_ROOT": str(ROOT)}
    text = take_start_lines(str(state), call, TERMINAL | plugin)
    assert text.startswith(
        f"mind-skills: the packages that its command line needs are being installed into {tmp_path}/data"
    )
    assert take_start_lines(str(state), call, TERMINAL | plugin | {"MIND_SKILLS_NO_ENVIRONMENT": "1"}) == ""


def test_a_reply_holds_the_line_for_the_user_with_the_text_for_the_model_or_alone() -> None:
    both = HookAdapter(SPEC).make_reply_with_lines("a\nb", "c")
    assert both == '{"systemMessage":"a\\nb",' + HookAdapter(SPEC).make_reply("c")[1:]
    assert HookAdapter(SPEC).make_reply_with_lines("a", None) == '{"systemMessage":"a"}'


@pytest.mark.parametrize("entrypoint", ["cli", "sdk-cli"])
def test_the_user_sees_one_line_about_the_offer_on_a_terminal_only(
    call: HookCall, state: Path, monkeypatch: pytest.MonkeyPatch, entrypoint: str
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", entrypoint)
    monkeypatch.setenv("PATH", str(state / "bin"))
    (state / "bin").mkdir(parents=True)
    (state / "bin/mind-skills").touch(0o755)
    text = assemble_offer(["s\n  sc_1", "s\n  sc_2"])
    reply = json.loads(str(_make_reply("start", call, HookAdapter(SPEC), text)))
    assert reply.pop("hookSpecificOutput") == json.loads(HookAdapter(SPEC).make_reply(text))["hookSpecificOutput"]
    assert reply == ({"systemMessage": describe_offer(text)} if entrypoint == "cli" else {})
