"""Gemini CLI: messages that grow, and prompts with other texts in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.observations.model import Observation
from mind_skills.observations.read import read_session


def _read_chat(tmp_path: Path, *lines: dict[str, Any]) -> list[Observation]:
    path = tmp_path / "chat.jsonl"
    header = {"sessionId": "s", "projectHash": "0"}
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *lines)))
    return read_session(path).observations


def _say(text: str, number: int = 1, **fields: Any) -> dict[str, Any]:
    return {"id": f"m{number}", "type": "user", "content": [{"text": text}], **fields}


def _run_command(tmp_path: Path, output: str, **arguments: Any) -> Observation:
    result = [{"functionResponse": {"name": "run_shell_command", "response": {"output": output}}}]
    call = {"id": "t1", "name": "run_shell_command", "args": {"command": "make", **arguments}, "status": "success"}
    (seen,) = _read_chat(
        tmp_path, {"id": "m1", "type": "gemini", "content": "", "toolCalls": [{**call, "result": result}]}
    )
    return seen


@pytest.mark.parametrize(
    ("command", "pid", "source"),
    [
        ("make serve &", 5, "local"),
        ("make serve &", 6, "remote"),
        ("curl -s https://x.test &", 5, "remote"),
    ],
)
def test_the_output_of_a_process_in_the_background_has_the_source_of_its_command(
    command: str, pid: int, source: str, tmp_path: Path
) -> None:
    calls = [
        {
            "id": f"t{number}",
            "name": name,
            "args": arguments,
            "status": "success",
            "result": [{"functionResponse": {"response": {"output": output}}}],
        }
        for number, (name, arguments, output) in enumerate(
            [
                ("run_shell_command", {"command": command}, "Output: (empty)\nBackground PIDs: 5"),
                ("read_background_output", {"pid": pid}, "text"),
            ]
        )
    ]
    seen = _read_chat(tmp_path, {"id": "m1", "type": "gemini", "content": "", "toolCalls": calls})
    assert (seen[1].tool, seen[1].source) == ("read_background_output", source)


def test_a_gemini_message_that_is_written_again_as_it_grows_is_emitted_once(tmp_path: Path) -> None:
    call = {"id": "t1", "name": "run_shell_command", "args": {"command": "make"}, "status": "success", "result": []}
    message = {"id": "m1", "timestamp": "2026-11-21T02:39:45.072Z", "type": "gemini", "content": "I build."}
    lines = [
        {"sessionId": "s", "projectHash": "0", "startTime": "2026-11-21T02:39:44.965Z"},
        message,
        {**message, "toolCalls": [{**call, "status": "executing"}]},
        {**message, "toolCalls": [call]},
        {"$set": {"messages": [{**message, "toolCalls": [call]}], "lastUpdated": "2026-11-21T02:39:46.000Z"}},
    ]
    path = tmp_path / "chat.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    session = read_session(path)
    assert [(o.kind, o.line, o.outcome) for o in session.observations] == [
        ("assistant", 2, "unknown"),
        ("tool", 4, "ok"),
    ]
    assert session.ended == 1795228786000


@pytest.mark.parametrize(
    "prompt",
    [
        "<hook_context>&lt;openception-skill-extraction&gt;x&lt;/openception-skill-extraction&gt;</hook_context>\n\ndo it",
        "<hook_context><openception-skill-extraction>x</openception-skill-extraction></hook_context>\ndo it",
        "&lt;openception-skill-extraction&gt;x&lt;/openception-skill-extraction&gt;\ndo it",
        "do it\n\n--- Content from referenced files ---\nContent from a.py:\nprint(1)",
    ],
)
def test_text_injected_into_a_gemini_prompt_is_not_attributed_to_the_user(tmp_path: Path, prompt: str) -> None:
    path = tmp_path / "chat.json"
    message = {"id": "1", "type": "user", "content": [{"text": prompt}]}
    path.write_text(json.dumps({"sessionId": "s", "projectHash": "0", "messages": [message]}))
    assert [o.text for o in read_session(path).observations] == ["do it"]


def test_a_gemini_subagent_chat_has_no_user_prompt(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    header = {"sessionId": "s", "projectHash": "0", "kind": "subagent"}
    path.write_text(json.dumps(header) + "\n" + json.dumps({"id": "1", "type": "user", "content": "look there"}) + "\n")
    assert [(o.agent, o.source, o.text) for o in read_session(path).observations] == [
        ("subagent", "agent", "look there")
    ]


def test_the_summary_of_a_compressed_history_is_not_a_message(tmp_path: Path) -> None:
    said = [("user", "Fix it."), ("gemini", "Fixed."), ("user", "Thanks.")]
    whole = [{"id": str(number), "type": kind, "content": [{"text": text}]} for number, (kind, text) in enumerate(said)]
    summary = [
        {"id": "s1", "type": "user", "content": [{"text": "<state_snapshot>No, that is wrong.</state_snapshot>"}]},
        {"id": "s2", "type": "gemini", "content": [{"text": "Got it. Thanks for the additional context!"}]},
    ]
    lines = [{"sessionId": "s", "projectHash": "0"}, *whole, {"$set": {"messages": []}}]
    lines += [{"$set": {"messages": [*summary, whole[-1]]}}, {"id": "4", "type": "user", "content": "And now?"}]
    path = tmp_path / "chat.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [o.text for o in read_session(path).observations] == ["Fix it.", "Fixed.", "Thanks.", "And now?"]


def test_a_request_cancelled_in_a_gemini_subagent_is_attributed_to_the_subagent(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    header = {"sessionId": "s", "projectHash": "0", "kind": "subagent"}
    path.write_text(
        json.dumps(header) + "\n" + json.dumps({"id": "1", "type": "info", "content": "Request cancelled."}) + "\n"
    )
    assert read_session(path).observations == [
        Observation("user", 2, end_line=2, agent="subagent", source="user", outcome="aborted")
    ]


@pytest.mark.parametrize(
    ("output", "outcome", "exit_code", "text"),
    [
        ("Output: built\nProcess Group PGID: 7", "ok", 0, "built"),
        ("Output: (empty)\nExit Code: 2\nProcess Group PGID: 7", "failed", 2, ""),
        ("Output: Error: Cannot find module 'x'\nExit Code: 1", "failed", 1, "Error: Cannot find module 'x'"),
        ("Output: Exit Code: 3 was expected\nExit Code: 3\nall is well\nProcess Group PGID: 7", "ok", 0, None),
        ("Output: one\nSignal: 9\nProcess Group PGID: 7", "failed", None, "one"),
        ("Output: one\nError: spawn make ENOENT\nExit Code: 1", "failed", 1, "one\nError: spawn make ENOENT"),
        ("Output: one\nError: (none)\nExit Code: (none)\nSignal: 15\nBackground PIDs: (none)", "failed", None, "one"),
        (
            "Output: one\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: 8\nProcess Group PGID: 7",
            "ok",
            0,
            "one",
        ),
        ("Command: cat <<E\nError: x\nE\nDirectory: (root)\nOutput: one\nError: (none)\nExit Code: 0", "ok", 0, "one"),
        ("Command moved to background (PID: 7). Output hidden. Press Ctrl+B to view.", "unknown", None, None),
        ("Command is running in background. PID: 7. Initial output:\nlistening", "unknown", None, None),
        (
            "Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.",
            "failed",
            None,
            None,
        ),
        ("Command was cancelled by user before it could complete. There was no output", "aborted", None, None),
    ],
)
@pytest.mark.parametrize("form", ["{}", "<untrusted_context>\n{}\n</untrusted_context>"])
def test_the_end_of_a_gemini_command_is_read_from_what_the_client_added(
    tmp_path: Path, output: str, outcome: str, exit_code: int | None, text: str | None, form: str
) -> None:
    seen = _run_command(tmp_path, form.format(output))
    assert (seen.outcome, seen.exit_code) == (outcome, exit_code)
    assert text is None or seen.text == text


def test_the_context_of_a_hook_does_not_hide_the_exit_code(tmp_path: Path) -> None:
    wrapped = "<untrusted_context>\nOutput: bad\nExit Code: 1\n</untrusted_context>"
    seen = _run_command(tmp_path, f"{wrapped}\n\n<hook_context>Exit Code: 0</hook_context>")
    assert (seen.outcome, seen.exit_code, seen.error) == ("failed", 1, "bad")


def test_what_a_command_prints_does_not_hide_the_exit_code(tmp_path: Path) -> None:
    seen = _run_command(tmp_path, "Output: <untrusted_context>\nbad\n</untrusted_context> and more\nExit Code: 1")
    assert (seen.outcome, seen.exit_code) == ("failed", 1)
    assert seen.text == "<untrusted_context>\nbad\n</untrusted_context> and more"


def test_a_gemini_call_that_a_hook_blocked_is_denied(tmp_path: Path) -> None:
    result = [{"functionResponse": {"response": {"error": "Tool execution blocked: use make"}}}]
    call = {"id": "t1", "name": "write_file", "args": {"file_path": "a"}, "status": "error", "result": result}
    (seen,) = _read_chat(tmp_path, {"id": "m1", "type": "gemini", "content": "", "toolCalls": [call]})
    assert (seen.outcome, seen.action) == ("denied", "write")


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("invoke_agent", {"agent_name": "reviewer", "prompt": "Look."}, ("task", "Look.", "local")),
        ("delegate_to_agent", {"agent_name": "reviewer", "objective": "Look."}, ("task", "Look.", "local")),
        ("tracker_create_task", {"title": "Look", "description": "x"}, ("task", "Look", "local")),
    ],
)
def test_a_task_of_gemini_has_its_text(
    tmp_path: Path, name: str, arguments: dict[str, str], expected: tuple[str, str, str]
) -> None:
    call = {"id": "t1", "name": name, "args": arguments, "status": "success", "result": []}
    (seen,) = _read_chat(tmp_path, {"id": "m1", "type": "gemini", "content": "", "toolCalls": [call]})
    assert (seen.action, seen.command, seen.source) == expected


INSTRUCTION = "Internal instruction: Re-evaluate the active plan. Acknowledge it briefly."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Here is the user's editor context as a JSON object. This is for your information only.\n```json\n{}\n```",
            [],
        ),
        ("Here is a summary of changes in the user's editor context, in JSON format. This is for your", []),
        ("- **Workspace Directories:**\n  - /p\n- **Directory Structure:**\n\na.py", []),
        ("User has manually exited Plan Mode. Switching to Auto-Edit mode.", []),
        ("System: Potential loop detected. Details: the same call. Please take a step back", []),
        ("Please continue.", []),
        ("Please continue. And add a test.", ["Please continue. And add a test."]),
        ("<state_snapshot>\nNo, that is wrong.\n</state_snapshot>", []),
        (f"User steering update:\n<user_input>\nUse tabs.\n</user_input>\n{INSTRUCTION}", ["Use tabs."]),
        (
            f"User hints:\n<user_input>\n- {'Use tabs. ' * 9}\n</user_input>\n\n{INSTRUCTION}",
            [f"- {'Use tabs. ' * 9}".strip()],
        ),
    ],
)
def test_what_gemini_writes_in_the_name_of_the_user_is_not_attributed_to_the_user(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    assert [o.text for o in _read_chat(tmp_path, _say(text))] == expected


@pytest.mark.parametrize(
    "text",
    [
        "I ran the following shell command:\n```sh\nmake\n```\n\nThis produced the following result:\n```\nPin it.\n```",
        "I ran the following shell command:\n```sh\ncurl https://a.test\n```\n\nThis produced the following result:\n```\nPin it.\n```",
        "Background execution update:\n<background_output>\nPin it.\n</background_output>\n\nA previously",
    ],
)
def test_the_output_of_a_command_of_the_user_is_not_what_the_user_wrote(tmp_path: Path, text: str) -> None:
    seen = _read_chat(tmp_path, _say(text), {"id": "m2", "type": "gemini", "content": "Pinned."})
    assert seen[0].kind == "assistant"


def test_the_user_wrote_what_gemini_displays_as_the_prompt(tmp_path: Path) -> None:
    display = [{"text": "tidy @a.py"}]
    seen = _read_chat(
        tmp_path,
        _say("/review now", 1),
        _say("You are a reviewer. Never accept a patch.", 2, displayContent=[{"text": "/review now"}]),
        _say("tidy @a.py\n<hook_context>No tabs.</hook_context>", 3, displayContent=display),
        _say("Tests are missing.", 4, displayContent=display),
        _say("tidy @a.py", 5),
    )
    assert [(o.line, o.text) for o in seen] == [
        (2, "/review now"),
        (3, "/review now"),
        (4, "tidy @a.py"),
        (6, "tidy @a.py"),
    ]


def test_a_thought_among_the_parts_of_a_message_is_not_what_the_agent_wrote(tmp_path: Path) -> None:
    parts = [{"text": "Binary content received.", "thought": True}, {"text": "It is a logo."}]
    seen = _read_chat(tmp_path, {"id": "m1", "type": "gemini", "content": parts})
    assert [o.text for o in seen] == ["It is a logo."]
