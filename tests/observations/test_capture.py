"""Cases that the recorded spools lack: each form of a tool response, repetitions, interruptions, foreign lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.observations.model import Observation
from mind_skills.observations.read import read_session

WriteLog = Callable[[bytes], Path]


def read_events(write_log: WriteLog, *events: dict[str, Any], host: str = "claude-code") -> list[Observation]:
    """The observations of a spool with these events."""
    lines = [{"capture": 1, "host": host, "at": 1_700_000_000_000, "pid": 0, "project": "/p"} for _ in events]
    text = "".join(
        "\n" + json.dumps({**line, "event": {"session_id": "s", **event}}, separators=(",", ":")) + "\n"
        for line, event in zip(lines, events, strict=True)
    )
    return read_session(write_log(text.encode())).observations


def tool(name: str, response: object, **given: Any) -> dict[str, Any]:
    return {"hook_event_name": "PostToolUse", "tool_name": name, "tool_input": given, "tool_response": response}


FORMS: dict[str, tuple[str, object, str]] = {
    "a command with stdout and stderr": ("Bash", {"stdout": "a", "stderr": "b"}, "a\nb"),
    "names": ("Glob", {"filenames": ["a", "b"], "numFiles": 2}, "a\nb"),
    "content": ("Grep", {"mode": "content", "content": "x:1", "filenames": []}, "x:1"),
    "a page": ("WebFetch", {"result": "page", "code": 200}, "page"),
    "blocks": ("mcp__x__y", [{"type": "text", "text": "one"}, {"type": "image"}], "one"),
    "nested blocks": ("Agent", {"status": "completed", "content": [{"type": "text", "text": "two"}]}, "two"),
    "text": ("Skill", "three", "three"),
    "an edit, which repeats the file": ("Write", {"type": "create", "content": "all", "structuredPatch": []}, ""),
    "nothing": ("Task", None, ""),
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_a_tool_response_is_read(write_log: WriteLog, form: str) -> None:
    name, response, text = FORMS[form]
    (found,) = read_events(write_log, tool(name, response))
    assert (found.tool, found.text, found.outcome) == (name, text, "ok")


@pytest.mark.parametrize(
    ("response", "source"),
    [
        ([{"type": "text", "text": "one"}], "local"),
        ([{"type": "text", "text": "one"}, {"type": "image"}], "remote"),
        ({"content": [{"type": "text", "text": "one"}, {"type": "document"}]}, "remote"),
        ({"type": "image", "file": {"base64": "aGk="}}, "remote"),
        ({"type": "pdf", "file": {"base64": "aGk="}}, "remote"),
        ({"type": "text", "file": {"content": "one"}}, "local"),
    ],
)
def test_a_response_with_an_image_or_a_document_may_come_from_strangers(
    write_log: WriteLog, response: object, source: str
) -> None:
    (found,) = read_events(write_log, tool("Read", response, file_path="one"))
    assert found.source == source


def test_a_call_captured_twice_counts_once(write_log: WriteLog) -> None:
    call = {**tool("Bash", {"stdout": "a"}, command="ls"), "tool_use_id": "t1"}
    assert len(read_events(write_log, call, call, {**call, "tool_use_id": "t2"})) == 2


@pytest.mark.parametrize(
    ("name", "response"), [("Bash", {"stdout": "", "backgroundTaskId": "b2"}), ("Monitor", {"taskId": "b2"})]
)
def test_a_command_in_the_background_has_not_succeeded_yet(
    write_log: WriteLog, name: str, response: dict[str, str]
) -> None:
    (found,) = read_events(write_log, tool(name, response, command="npm test"))
    assert (found.outcome, found.exit_code) == ("unknown", None)


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini"])
def test_an_answer_that_the_user_typed_is_captured_as_the_users_message(write_log: WriteLog, host: str) -> None:
    question = {"id": "port", "question": "Which port?", "options": [{"label": "80"}]}
    typed = "8080, for now"
    events = {
        "claude-code": tool("AskUserQuestion", {"questions": [question], "answers": {"Which port?": typed}}),
        "codex": tool(
            "request_user_input",
            json.dumps({"answers": {"port": {"answers": [f"user_note: {typed}"]}}}),
            questions=[question],
        ),
        "gemini": {
            **tool("ask_user", {"llmContent": json.dumps({"answers": {"0": typed}})}, questions=[question]),
            "hook_event_name": "AfterTool",
        },
    }
    found = read_events(write_log, events[host], host=host)
    assert [(one.kind, one.text) for one in found[1:]] == [("user", typed)]


def test_interrupted_and_rejected_calls_are_not_tool_failures(write_log: WriteLog) -> None:
    failure = {"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": {"command": "make"}}
    refused = "The user doesn't want to proceed with this tool use."
    found = read_events(
        write_log,
        {**failure, "error": "stopped", "is_interrupt": True},
        {**failure, "error": refused},
        tool("Bash", {"stdout": "", "interrupted": True}, command="make"),
    )
    assert [each.outcome for each in found] == ["aborted", "rejected", "aborted"]


def test_a_subagent_is_distinguished_from_the_main_agent(write_log: WriteLog) -> None:
    (found,) = read_events(write_log, {**tool("Bash", {"stdout": ""}, command="ls"), "agent_id": "a1"})
    assert found.agent == "subagent"


def test_machine_text_and_injected_text_is_not_attributed_to_the_user(write_log: WriteLog) -> None:
    prompt = {"hook_event_name": "UserPromptSubmit", "prompt": "<task-notification>done</task-notification>"}
    assert read_events(write_log, prompt) == []
    echo = "please<hook_context>&lt;openception-skill-extraction&gt;ours</hook_context>"
    (found,) = read_events(write_log, {"hook_event_name": "BeforeAgent", "prompt": echo}, host="gemini")
    assert (found.kind, found.text) == ("user", "please")


def test_a_captured_secret_is_redacted(write_log: WriteLog) -> None:
    (found,) = read_events(
        write_log, {"hook_event_name": "UserPromptSubmit", "prompt": "password=hunter2-hunter2 please"}
    )
    assert "hunter2" not in found.text


def test_the_error_of_a_gemini_tool_is_a_failure(write_log: WriteLog) -> None:
    response = {"llmContent": "x", "returnDisplay": "", "error": {"message": "File not found: /p/a"}}
    event = {**tool("read_file", response, file_path="/p/a"), "hook_event_name": "AfterTool"}
    (found,) = read_events(write_log, event, host="gemini")
    assert (found.outcome, found.error) == ("failed", "File not found: /p/a")


def test_events_of_other_kinds_and_hosts_are_ignored(write_log: WriteLog) -> None:
    assert read_events(write_log, {"hook_event_name": "PreCompact"}, {}) == []
    assert read_events(write_log, tool("Bash", {"stdout": ""}), host="elsewhere") == []


def test_an_event_that_was_too_large_is_a_warning(write_log: WriteLog) -> None:
    line = {"capture": 1, "host": "gemini", "at": 1_700_000_000_000, "pid": 0, "project": "/p"}
    event = {"session_id": "s", "hook_event_name": "AfterTool", "tool_name": "run_shell_command", "cut": 2_000_000}
    session = read_session(write_log(json.dumps({**line, "event": event}, separators=(",", ":")).encode()))
    said = [(warning.line, warning.message) for warning in session.warnings]
    assert (session.observations, said) == ([], [(1, "an event of 2000000 bytes was too large to be captured")])


@pytest.mark.parametrize(
    ("command", "output", "outcome"),
    [
        ("python3 -m unittest", "F\nRan 1 test in 0.001s\n\nFAILED (failures=1)\n", "failed"),
        ("python3 -m unittest", ".\nRan 1 test in 0.000s\n\nOK\n", "ok"),
        ("pytest -k none", "collected 0 items\n", "nothing"),
        ("pytest", "ERROR: a line of the tested code\n3 passed in 0.1s\n", "ok"),
        ("pytest", "ImportError while loading conftest\nE   ModuleNotFoundError: No module named 'x'\n", "failed"),
        ("pytest", "bash: pytest: command not found\n", "failed"),
        ("npx tsc --noEmit", "a.ts(3,1): error TS2304: Cannot find name 'x'.\n", "failed"),
        ("cargo build", "error[E0425]: cannot find value `x` in this scope\n", "failed"),
        ("cargo build", "Compiling a v0.1.0\n", "unknown"),
        ("./deploy.sh", "3 passed, 1 failed\n", "unknown"),
    ],
)
def test_a_codex_check_without_an_exit_code_has_the_outcome_that_its_output_reports(
    write_log: WriteLog, command: str, output: str, outcome: str
) -> None:
    (found,) = read_events(write_log, tool("Bash", output, command=command), host="codex")
    assert found.outcome == outcome
