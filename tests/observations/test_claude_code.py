"""Claude Code: subagents in separate files, and resumes that repeat lines."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mind_skills.observations.model import LogWarning
from mind_skills.observations.read import read_session

Log = Callable[[str], Path]
TRANSCRIPT = "claude_code/transcript.jsonl"


def test_the_call_of_a_subagent_is_read_if_its_file_is_missing(log: Log, tmp_path: Path) -> None:
    alone = Path(shutil.copy(log(TRANSCRIPT), tmp_path))
    seen, whole = read_session(alone), read_session(log(TRANSCRIPT))
    assert seen.observations == [o for o in whole.observations if o.agent == "main"]


def test_a_subagent_file_that_no_call_names_is_read_at_the_end(log: Log, tmp_path: Path) -> None:
    alone = Path(shutil.copy(log(TRANSCRIPT), tmp_path))
    folder = tmp_path / "transcript" / "subagents"
    folder.mkdir(parents=True)
    shutil.copy(log("claude_code/transcript/subagents/agent-a1.jsonl"), folder / "agent-zz.jsonl")
    seen = read_session(alone)
    assert [(o.agent, o.line) for o in seen.observations[-2:]] == [("subagent", 28), ("subagent", 28)]
    assert seen.lines == 28


def test_a_subagent_file_that_cannot_be_read_is_a_warning(log: Log, tmp_path: Path) -> None:
    alone = Path(shutil.copy(log(TRANSCRIPT), tmp_path))
    (tmp_path / "transcript" / "subagents" / "agent-a1.jsonl").mkdir(parents=True)
    seen = read_session(alone)
    assert seen.warnings == [LogWarning(19, "subagent log agent-a1.jsonl cannot be read: Is a directory")]
    assert len(seen.observations) == len([o for o in read_session(log(TRANSCRIPT)).observations if o.agent == "main"])


def test_a_line_repeated_by_a_resume_counts_once(log: Log, tmp_path: Path) -> None:
    lines = log(TRANSCRIPT).read_text().splitlines()
    twice = tmp_path / "twice.jsonl"
    twice.write_text("\n".join([*lines, *lines]))
    alone = Path(shutil.copy(log(TRANSCRIPT), tmp_path))
    assert read_session(twice).observations == read_session(alone).observations


def test_a_claude_code_command_with_the_sandbox_disabled_runs_outside_it(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    inputs = [{"command": "ls"}, {"command": "ls", "dangerouslyDisableSandbox": True}]
    lines = [
        {
            "type": "assistant",
            "uuid": f"u{number}",
            "sessionId": "s",
            "message": {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": given}],
            },
        }
        for number, given in enumerate(inputs)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [each.is_outside_sandbox for each in read_session(path).observations] == [False, True]


def test_the_session_id_is_the_last_one_in_the_log(tmp_path: Path) -> None:
    path = tmp_path / "resumed.jsonl"
    lines = [
        {"type": "user", "uuid": name, "sessionId": name, "message": {"role": "user", "content": name}}
        for name in ("old", "new")
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_session(path).session_id == "new"


def _make_line(name: str, second: int, role: str, *blocks: dict[str, object]) -> dict[str, object]:
    at = f"2026-01-01T00:00:{second:02d}.000Z"
    return {"type": role, "uuid": name, "timestamp": at, "message": {"role": role, "content": list(blocks)}}


def _make_call(name: str, command: str) -> dict[str, object]:
    return {"type": "tool_use", "id": name, "name": "Bash", "input": {"command": command}}


def _make_result(name: str, output: str, *, failed: bool = False) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": name, "content": output, "is_error": failed}


def _make_text(text: str) -> dict[str, object]:
    return {"type": "text", "text": text}


def _list_observations(path: Path, *lines: dict[str, object]) -> list[tuple[int, int, str, str]]:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return [(o.line, o.end_line, o.outcome, o.text) for o in read_session(path, "claude-code").observations]


def test_a_result_written_before_its_call_is_the_result_of_the_call(tmp_path: Path) -> None:
    seen = _list_observations(
        tmp_path / "log.jsonl",
        _make_line("a", 1, "user", _make_result("t", "1 failed", failed=True)),
        _make_line("b", 2, "user", _make_result("of a call that is not in the log", "")),
        _make_line("c", 0, "assistant", _make_call("t", "pytest")),
        _make_line("d", 3, "assistant", _make_call("u", "pytest")),
    )
    assert seen == [(3, 3, "failed", "1 failed"), (4, 4, "aborted", "")]


def test_lines_that_a_resume_writes_again_with_new_ids_count_once(tmp_path: Path) -> None:
    request, call = _make_text("test it"), _make_call("t", "pytest")
    original = [
        _make_line("a", 1, "user", _make_text("<ide_opened_file>a.py</ide_opened_file>"), request),
        _make_line("b", 2, "assistant", {"type": "thinking", "thinking": "I test it."}),
        _make_line("c", 3, "assistant", call),
        _make_line("d", 4, "user", _make_result("t", "1 passed")),
    ]
    copy = [_make_line("a2", 1, "user", request), *[{**line, "uuid": f"{line['uuid']}2"} for line in original[1:]]]
    end = [_make_line("e", 9, "user", request), _make_line("f", 10, "assistant", _make_text("It passes."))]
    assert _list_observations(tmp_path / "log.jsonl", *original, *copy, *end) == [
        (1, 1, "unknown", "test it"),
        (2, 2, "unknown", "I test it."),
        (3, 4, "ok", "1 passed"),
        (9, 9, "unknown", "test it"),
        (10, 10, "unknown", "It passes."),
    ]


def test_equal_messages_of_a_log_whose_lines_all_have_one_time_are_separate(tmp_path: Path) -> None:
    lines = [_make_line(str(number), 1, "user", _make_text("check the errors")) for number in range(2)]
    assert [text for *_, text in _list_observations(tmp_path / "log.jsonl", *lines)] == ["check the errors"] * 2


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        ("Permission to use Bash with command ls has been denied.", "denied"),
        ("Permission for this action was denied by the Claude Code auto mode classifier. Reason: x", "denied"),
        ("Permission for this action has been denied. Reason: x", "denied"),
        ("The server-side auto mode classifier gave no verdict for Bash.", "denied"),
        ("a-model is temporarily unavailable, so auto mode cannot determine the safety of Bash right now.", "denied"),
        ("This agent is isolated in the worktree /p/a, but this command is too complex to verify.", "denied"),
        ("<tool_use_error>Error: Streaming fallback - tool execution discarded</tool_use_error>", "aborted"),
        ("PreToolUse:Bash hook error: [guard.sh]: use rg", "denied"),
        ("<tool_use_error>Blocked: sleep 180 followed by: git status</tool_use_error>", "denied"),
        ("The user doesn't want to proceed with this tool use.", "rejected"),
        ("User chose to stay in plan mode and continue planning", "rejected"),
        ("Exit code 1\nBlocked: by a lock", "failed"),
    ],
)
def test_a_call_that_the_client_or_the_user_refused_did_not_fail(tmp_path: Path, output: str, outcome: str) -> None:
    seen = _list_observations(
        tmp_path / "log.jsonl",
        _make_line("a", 1, "assistant", _make_call("t", "ls")),
        _make_line("b", 2, "user", _make_result("t", output, failed=True)),
    )
    assert seen == [(1, 2, outcome, output)]


@pytest.mark.parametrize(
    ("record", "outcome"),
    [
        ({"toolDenialKind": "user-rejected"}, "rejected"),
        ({"toolDenialKind": "permission-rule"}, "denied"),
        ({"toolDenialKind": "automode-unavailable"}, "denied"),
        ({"toolDenialKind": "interrupted"}, "aborted"),
        ({"toolUseResult": {"stdout": "", "interrupted": True}}, "aborted"),
        ({"toolUseResult": "Error: TypeError: use rg"}, "failed"),
    ],
)
def test_a_recorded_reason_why_a_call_was_stopped_decides_whatever_its_text(
    tmp_path: Path, record: dict[str, object], outcome: str
) -> None:
    text = "TypeError: use rg"
    result = {**_make_line("b", 2, "user", _make_result("t", text, failed=True)), **record}
    call = _make_line("a", 1, "assistant", _make_call("t", "ls"))
    path = tmp_path / "log.jsonl"
    assert _list_observations(path, call, result) == [(1, 2, outcome, text)]
    assert read_session(path, "claude-code").observations[0].error == (text if outcome == "failed" else "")


@pytest.mark.parametrize(
    ("text", "own"),
    [
        (
            (
                "<command-message>shop:fix</command-message>\n<command-name>/shop:fix</command-name>\n"
                "<command-args>the price is off by a cent</command-args>"
            ),
            ["the price is off by a cent"],
        ),
        ("<command-message>init is analyzing…</command-message>\n<command-name>/init</command-name>", []),
        (
            "<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>",
            [],
        ),
    ],
)
def test_what_the_user_writes_after_a_slash_command_for_the_agent_is_the_users_message(
    tmp_path: Path, text: str, own: list[str]
) -> None:
    seen = _list_observations(tmp_path / "log.jsonl", _make_line("a", 1, "user", _make_text(text)))
    assert [text for *_, text in seen] == own


REJECTION = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n{}"
QUESTIONS = [
    {"question": "Which port?", "options": [{"label": "80"}, {"label": "80, and 443"}], "multiSelect": True},
    {"question": "Which host?", "options": [{"label": "No"}, {"label": "a (Recommended)"}]},
]


def _list_messages(path: Path, name: str, text: str, *, failed: bool, **record: object) -> list[tuple[str, str, str]]:
    call = {**_make_call("t", "npm publish"), "name": name}
    result = {**_make_line("b", 2, "user", _make_result("t", text, failed=failed)), **record}
    path.write_text("".join(json.dumps(line) + "\n" for line in (_make_line("a", 1, "assistant", call), result)))
    seen = read_session(path, "claude-code").observations[1:]
    return [(o.kind, o.source, o.text) for o in seen]


@pytest.mark.parametrize("end", ["", "\n\nNote: The user's next message may contain a correction."])
def test_what_the_user_writes_when_rejecting_a_call_is_the_users_message(tmp_path: Path, end: str) -> None:
    text = REJECTION.format("first run\n\nthe tests") + end
    seen = _list_messages(tmp_path / "log", "Bash", text, failed=True, toolDenialKind="user-rejected")
    assert seen == [("user", "user", "first run\n\nthe tests")]


def test_a_rejection_without_a_comment_is_read(tmp_path: Path) -> None:
    text = REJECTION.format("")
    assert _list_messages(tmp_path / "log", "Bash", text, failed=True, toolDenialKind="user-rejected") == []


def test_an_offered_answer_of_any_length_is_not_the_users_message(tmp_path: Path) -> None:
    label = "use port 80 " * 5_000
    question = {"question": "Which port?", "options": [{"label": label}]}
    record = {"questions": [question], "answers": {"Which port?": label}}
    assert _list_messages(tmp_path / "log", "AskUserQuestion", "answered", failed=False, toolUseResult=record) == []


def test_an_error_that_a_tool_wrote_in_the_form_of_a_rejection_is_no_message(tmp_path: Path) -> None:
    text = REJECTION.format("always push to main")
    assert _list_messages(tmp_path / "log", "mcp__x__y", text, failed=True, toolUseResult=f"Error: {text}") == []


@pytest.mark.parametrize(
    ("answers", "notes", "typed"),
    [
        ({"Which port?": "80", "Which host?": "a (Recommended)"}, "", []),
        ({"Which port?": "80, and 443, 80", "Which host?": "No"}, "", []),
        ({"Which port?": "80, 8080, for now", "Which host?": "No, b"}, "", ["8080, for now", "No, b"]),
        ({"Which port?": "(notes only)", "Which host?": "No"}, "ask me later", ["ask me later"]),
        ({}, "", []),
    ],
)
def test_an_answer_that_the_user_typed_is_the_users_message(
    tmp_path: Path, answers: dict[str, str], notes: str, typed: list[str]
) -> None:
    record = {"questions": QUESTIONS, "answers": answers, "annotations": {"Which port?": {"notes": notes}}}
    seen = _list_messages(tmp_path / "log", "AskUserQuestion", "answered", failed=False, toolUseResult=record)
    assert seen == [("user", "user", text) for text in typed]
    assert _list_messages(tmp_path / "log", "mcp__x__y", "answered", failed=False, toolUseResult=record) == []


@pytest.mark.parametrize(
    ("name", "action", "source"),
    [
        ("Workflow", "task", "local"),
        ("ListAgents", "other", "local"),
        ("PushNotification", "other", "local"),
        ("ReportFindings", "other", "local"),
        ("RemoteTrigger", "mcp", "mcp"),
        ("mcp__x__y", "mcp", "mcp"),
    ],
)
def test_only_a_tool_that_returns_what_others_wrote_is_third_party(
    tmp_path: Path, name: str, action: str, source: str
) -> None:
    path = tmp_path / "log"
    call = {**_make_call("t", ""), "name": name}
    reference = {**_make_result("u", ""), "content": [{"type": "tool_reference", "tool_name": name}]}
    lines = [
        _make_line("a", 1, "assistant", call),
        _make_line("b", 2, "user", _make_result("t", "done")),
        _make_line("c", 3, "assistant", {**_make_call("u", ""), "name": "ToolSearch"}),
        _make_line("d", 4, "user", reference),
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    seen, search = read_session(path, "claude-code").observations
    assert (seen.action, seen.source, search.source) == (
        action,
        source,
        "remote" if name.startswith("mcp__") else "local",
    )


def test_a_change_of_a_notebook_has_its_new_source(tmp_path: Path) -> None:
    given = {"notebook_path": "/p/a.ipynb", "cell_id": "1", "new_source": "import os", "edit_mode": "replace"}
    call: dict[str, object] = {"type": "tool_use", "id": "t", "name": "NotebookEdit", "input": given}
    path = tmp_path / "log"
    path.write_text(json.dumps(_make_line("a", 1, "assistant", call)) + "\n")
    (seen,) = read_session(path, "claude-code").observations
    assert (seen.action, seen.files, seen.change) == ("edit", ("/p/a.ipynb",), "+import os")
