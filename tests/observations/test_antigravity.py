"""Antigravity: both transcripts of a session, both generations of answers, and steps that are out of order."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from mind_skills.observations.find_logs import find_logs
from mind_skills.observations.incremental import IncrementalRead
from mind_skills.observations.model import Session
from mind_skills.observations.read import read_session
from mind_skills.staging.analyse import analyse
from tests.testkit.paths import FIXTURES

RECORDED = FIXTURES / "antigravity"
SESSION, SUBAGENT = f"{2:032x}", f"{1:032x}"
LOGS = ".system_generated/logs"
TIMES = "Created At: 2026-11-29T10:40:05Z\nCompleted At: 2026-11-29T10:40:06Z\n"


def _step(index: int, kind: str, content: str = "", source: str = "MODEL", **more: Any) -> dict[str, Any]:
    row = {"step_index": index, "source": source, "type": kind, "status": "DONE", "created_at": "2026-11-29T10:40:05Z"}
    return {**row, "content": content, **more}


def _ask(index: int, text: str, **more: Any) -> dict[str, Any]:
    request = (
        f"<USER_REQUEST>\n{text}\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nThe time is now.\n</ADDITIONAL_METADATA>"
    )
    return _step(index, "USER_INPUT", request, "USER_EXPLICIT", **more)


def _call(index: int, *calls: tuple[str, dict[str, Any]], **more: Any) -> dict[str, Any]:
    return _step(index, "PLANNER_RESPONSE", tool_calls=[{"name": name, "args": given} for name, given in calls], **more)


def _run(index: int, *commands: str) -> dict[str, Any]:
    return _call(
        index, *(("run_command", {"CommandLine": command, "Cwd": "/home/dev/project"}) for command in commands)
    )


def _message(index: int, sender: str, content: str) -> dict[str, Any]:
    text = f"[Message] timestamp=2026-11-29T10:40:08Z sender={sender} priority=MESSAGE_PRIORITY_HIGH content={content}"
    return _step(index, "SYSTEM_MESSAGE", f"It follows.\n\n<SYSTEM_MESSAGE>\n{text}\n</SYSTEM_MESSAGE>", "SYSTEM")


def _write(path: Path, *rows: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows))
    return path


def _read(tmp_path: Path, *rows: dict[str, Any], name: str = "transcript_full.jsonl") -> Session:
    return read_session(_write(tmp_path / "brain" / SESSION / LOGS / name, *rows))


def _outline(session: Session) -> list[tuple[str, str, str, str]]:
    return [
        (one.kind, one.command or one.text, one.outcome, one.text if one.command else "")
        for one in session.observations
    ]


def test_the_recorded_session_becomes_one_digest_with_the_error_and_its_remedy() -> None:
    found = analyse(RECORDED / "brain" / SESSION / LOGS / "transcript_full.jsonl")
    assert [(one.first_line, one.last_line, one.kind, one.files) for one in found.digest.episodes] == [
        (2, 12, "error_fix", ("~/project/app.py",))
    ]
    assert [candidate.kind for candidate in found.candidates] == ["error_fix"]


def test_the_cut_transcript_is_read_like_the_complete_one_and_says_what_is_cut() -> None:
    full, plain = (
        read_session(RECORDED / "brain" / SESSION / LOGS / f"transcript{end}.jsonl") for end in ("_full", "")
    )

    def outline(session: Session) -> list[tuple[object, ...]]:
        return [(o.kind, o.line, o.tool, o.command, o.files, o.outcome, o.exit_code) for o in session.observations]

    assert outline(plain) == outline(full)
    assert [(warning.line, warning.message) for warning in plain.warnings] == [
        (14, "the client cut the tool_calls of steps of the type PLANNER_RESPONSE"),
        (18, "the client cut the content of steps of the type RUN_COMMAND"),
    ]
    assert full.warnings == []


@pytest.mark.parametrize("removed", ["", "transcript.jsonl", "transcript_full.jsonl"])
def test_a_folder_contains_each_session_once_whichever_transcripts_there_are(tmp_path: Path, removed: str) -> None:
    shutil.copytree(RECORDED, tmp_path / "app")
    brain = tmp_path / "app/brain"
    for session in (SESSION, SUBAGENT):
        part = brain / session / LOGS / "chunks/transcript/00000000.jsonl"
        part.parent.mkdir(parents=True)
        part.write_text('{"step_index":0,"source":"MODEL"')
        if removed:
            (brain / session / LOGS / removed).unlink()
    read = "transcript.jsonl" if removed == "transcript_full.jsonl" else "transcript_full.jsonl"
    found = find_logs([str(tmp_path)])
    assert ([log.path for log in found.logs], found.errors) == ([brain / SESSION / LOGS / read], [])
    agents = [o.agent for o in read_session(found.logs[0].path).observations]
    assert agents.count("subagent") == 2


def test_a_transcript_in_the_working_directory_is_a_session_named_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(RECORDED / "brain" / SESSION, tmp_path / "somewhere")
    monkeypatch.chdir(tmp_path / "somewhere")
    found = find_logs(["."])
    assert ([str(log.path) for log in found.logs], found.errors) == ([f"{LOGS}/transcript_full.jsonl"], [])
    session = read_session(found.logs[0].path)
    assert (session.session_id, len(session.observations)) == ("somewhere", 23)


def test_a_subagent_without_its_parent_is_a_session_of_its_own_without_a_user(tmp_path: Path) -> None:
    shutil.copytree(RECORDED / "brain" / SUBAGENT, tmp_path / "brain" / SUBAGENT)
    (log,) = find_logs([str(tmp_path)]).logs
    assert [(o.kind, o.agent, o.source) for o in read_session(log.path).observations] == [
        ("user", "subagent", "agent"),
        ("assistant", "subagent", "agent"),
    ]


EXITS: dict[str, tuple[dict[str, Any], str, str, int | None, str]] = {
    "the field": ({"exit_code": 3}, "The command exited with code 3.\nOutput:\nbad", "failed", 3, "bad"),
    "the text only": ({}, "The command exited with code 3.\nOutput:\nbad", "failed", 3, "bad"),
    "text of July": ({}, "The command failed with exit code: 3\nOutput:\nbad", "failed", 3, "bad"),
    "text of July, passed": ({}, "The command completed successfully.\nOutput:\ngood", "ok", 0, "good"),
    "indented": ({}, "\n\t\t\t\tThe command failed with exit code: 3\n\t\t\t\tOutput:\n\t\t\t\tbad\n\tx", "failed", 3, "bad\n\tx"),
    "indented, later": ({}, "\n\t\t\t\tThe command exited with code 0.\n\t\t\t\tOutput:\n\t\t\t\tgood", "ok", 0, "good"),
    "two streams": (
        {}, "\n\t\t\t\tThe command failed with exit code: 3\n\t\t\tStdout:\n\t\t\tout\n\t\t\tStderr:\n\t\t\tbad", "failed", 3, "out\nbad",
    ),
    "two empty streams": (
        {}, "\n\t\t\t\tThe command completed successfully.\n\t\t\t\tStdout:\n\t\t\t\t\n\t\t\t\tStderr:\n\t\t\t\t", "ok", 0, "",
    ),
    "no output": ({}, "The command exited with code 0.\nOutput:\n", "ok", 0, ""),
    "neither": ({}, "something else", "unknown", None, "something else"),
    "cancelled": ({"status": "CANCELED"}, "", "aborted", None, ""),
    "the tool failed": ({"status": "ERROR", "error": "no shell"}, "no shell", "failed", None, "no shell"),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["RUN_COMMAND", "GENERIC"])
@pytest.mark.parametrize("case", EXITS)
def test_the_outcome_of_a_command_is_its_exit_code_in_the_field_or_the_text(
    tmp_path: Path, case: str, kind: str
) -> None:
    more, text, outcome, code, output = EXITS[case]
    session = _read(tmp_path, _run(1, "./tool"), _step(2, kind, f"{TIMES}\n{text}\r\n\n", **more))
    (seen,) = session.observations
    assert (seen.tool, seen.outcome, seen.exit_code, seen.text) == ("run_command", outcome, code, output)
    assert session.warnings == []


PARSED = "There was a problem parsing the tool call. \nError Message: model output error: invalid tool call error (invalid_args) "
REFUSALS: dict[str, tuple[dict[str, Any], str]] = {
    "by a hook": ({"status": "ERROR", "error": 'denied by pre-tool hook: Denied by policy "x".'}, "denied"),
    "by a hook, in the text only": ({"content": f"Error {PARSED} tool call denied with reason: no"}, "denied"),
    "by a hook, without a reason": ({"error": f"{PARSED} tool call denied with reason: "}, "denied"),
    "by the user": ({"status": "ERROR", "error": "user denied permission to run the command"}, "rejected"),
    "by the user, as an answer": ({"kind": "GENERIC", "status": "ERROR", "error": "User denied permission to run command"}, "rejected"),
    "by nobody in time": (
        {"kind": "RUN_COMMAND", "status": "ERROR", "error": "Permission prompt for action 'command' on target 'x' timed out waiting"},
        "denied",
    ),
    "by a rule": ({"status": "ERROR", "error": "reading this folder is not allowed"}, "denied"),
    "malformed": ({"source": "SYSTEM", "error": f"{PARSED} path is not absolute"}, "failed"),
    "malformed, in the text only": ({"source": "SYSTEM", "content": "Error invalid tool call: path is not absolute"}, "failed"),
    "the file is unreadable": ({"source": "SYSTEM", "error": f"{PARSED} failed to read file: Access is denied."}, "failed"),
    "the model failed": ({"status": "ERROR", "error": "the model's output was empty"}, "failed"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refused_call_is_told_from_one_that_failed(tmp_path: Path, case: str) -> None:
    given, outcome = REFUSALS[case]
    given = {"kind": "ERROR_MESSAGE", "content": f"an error: {given.get('error')}", **given}
    answer = _step(2, given.pop("kind"), TIMES + given.pop("content"), **given)
    session = _read(tmp_path, _call(1, ("view_file", {"AbsolutePath": "/p/a"})), answer)
    assert ([seen.outcome for seen in session.observations], session.warnings) == ([outcome], [])
    assert "Created At" not in session.observations[0].text


def test_an_error_of_the_turn_answers_no_call(tmp_path: Path) -> None:
    rows = [
        _step(0, "ERROR_MESSAGE", source="SYSTEM", error="API error (attempt 1): UNAVAILABLE (code 503)"),
        _run(1, "./a"),
        _step(2, "ERROR_MESSAGE", "Error: The stream was interrupted.", "SYSTEM", error="The stream was interrupted."),
        _step(3, "GENERIC", "The command exited with code 0.\nOutput:\n"),
        _step(4, "ERROR_MESSAGE", "Error: model output error: it was empty", "SYSTEM"),
    ]
    session = _read(tmp_path, *rows)
    assert (_outline(session), session.warnings) == ([("tool", "./a", "ok", "")], [])


ORDERS = {
    "as called": (0, 1, 2, 3, 4, 5),
    "answers first": (0, 2, 3, 1, 5, 4),
    "mixed": (0, 3, 1, 2, 4, 5),
}


@pytest.mark.parametrize("order", ORDERS)
def test_answers_belong_to_their_calls_in_any_order(tmp_path: Path, order: str) -> None:
    ended = "The command exited with code {}.\nOutput:\n{}"
    rows = [
        _ask(0, "go"),
        _run(4, "./a", "./b"),
        _step(5, "GENERIC", ended.format(1, "a")),
        _step(6, "GENERIC", ended.format(0, "b")),
        _run(10, "./c"),
        _step(11, "RUN_COMMAND", ended.format(2, "c")),
    ]
    session = _read(tmp_path, *(rows[place] for place in ORDERS[order]))
    calls = sorted((o.command, o.exit_code, o.text) for o in session.observations if o.kind == "tool")
    assert calls == [("./a", 1, "a"), ("./b", 0, "b"), ("./c", 2, "c")]
    assert all(o.line <= o.end_line for o in session.observations)
    assert session.warnings == []


def test_a_step_between_a_call_and_its_answer_moves_the_answer(tmp_path: Path) -> None:
    ended = "The command exited with code {}.\nOutput:\n"
    rows = [
        _run(1, "./a", "./b"),
        _step(2, "RUN_COMMAND", ended.format(0)),
        _ask(3, "hurry"),
        _step(4, "RUN_COMMAND", ended.format(1)),
    ]
    assert _outline(_read(tmp_path, *rows)) == [
        ("tool", "./a", "ok", ""),
        ("user", "hurry", "unknown", ""),
        ("tool", "./b", "failed", ""),
    ]


BACKGROUND = "Tool is running as a background task with task id: x/task-2\nTask Description: make all"
ENDED = "The command exited with code 2.\nOutput:\nbad\r\n\n\nLog: file:///home/dev/task-2.log"


def test_a_command_in_the_background_ends_with_the_message_about_it(tmp_path: Path) -> None:
    start = [
        _run(1, "make all"),
        _step(2, "RUN_COMMAND", BACKGROUND, status="RUNNING"),
        _step(3, "PLANNER_RESPONSE", "I wait."),
    ]
    others = [
        _message(4, f"{SESSION}/task-2", "it still runs"),
        _message(5, f"{SESSION}/task-9", f'Task id "y" finished with result:\n\n{ENDED}'),
    ]
    end = _message(6, f"{SESSION}/task-2", f'Task id "x" finished with result:\n\n{ENDED}')
    assert _outline(_read(tmp_path, *start, *others)) == [
        ("assistant", "I wait.", "unknown", ""),
        ("tool", "make all", "unknown", BACKGROUND),
    ]
    session = _read(tmp_path, *start, *others, end)
    assert _outline(session) == [("assistant", "I wait.", "unknown", ""), ("tool", "make all", "failed", "bad")]
    assert (session.observations[1].line, session.observations[1].end_line, session.warnings) == (1, 6, [])


@pytest.mark.parametrize("output", ["", "\n\t\t\t\tOutput:\n\t\t\t\tbad"])
def test_a_command_that_the_agent_stopped_was_aborted(tmp_path: Path, output: str) -> None:
    rows = [
        _run(1, "make all"),
        _step(2, "RUN_COMMAND", BACKGROUND, status="RUNNING"),
        _call(3, ("manage_task", {"Action": "kill", "TaskId": "x/task-2"})),
        _step(4, "GENERIC", 'Task "x/task-2" cancelled.'),
        _message(5, f"{SESSION}/task-2", f'Task id "x/task-2" was canceled with result:\nStep was canceled{output}'),
        _step(6, "PLANNER_RESPONSE", "Again."),
    ]
    session = _read(tmp_path, *rows)
    assert [(o.line, o.tool, o.outcome) for o in session.observations] == [
        (3, "manage_task", "ok"),
        (1, "run_command", "aborted"),
        (6, "", "unknown"),
    ]


def test_a_message_of_a_subagent_is_its_report(tmp_path: Path) -> None:
    rows = [_ask(0, "go"), _message(1, SUBAGENT, "Two files."), _message(2, "system", "[Notice] The server restarted.")]
    assert [(o.kind, o.agent, o.source, o.text) for o in _read(tmp_path, *rows).observations] == [
        ("user", "main", "user", "go"),
        ("assistant", "subagent", "agent", "Two files."),
    ]


def test_a_subagent_whose_transcript_is_gone_is_known_by_its_report(tmp_path: Path) -> None:
    report = f"Subagent {SUBAGENT} has gone idle. This was the subagent's most recent response: Two files."
    session = _read(tmp_path, _ask(0, "go"), _message(1, "system", report))
    assert [(o.kind, o.agent, o.text) for o in session.observations] == [
        ("user", "main", "go"),
        ("assistant", "subagent", "Two files."),
    ]


@pytest.mark.parametrize("key", ["IsMultiSelect", "is_multi_select"])
@pytest.mark.parametrize("plain", [False, True])
def test_only_an_answer_that_was_typed_is_the_users(tmp_path: Path, plain: bool, key: str) -> None:
    questions = [{"question": "Which?", "options": ["red", "blue"], key: several} for several in (False, True, False)]
    given = {"questions": json.dumps(questions) if plain else questions}
    answer = f"{TIMES}A1: red\nA2: blue, red\nA3: none of them,\nuse green"
    session = _read(tmp_path, _call(1, ("ask_question", given)), _step(2, "ASK_QUESTION", answer))
    assert [(o.kind, o.source, o.text) for o in session.observations] == [
        ("tool", "local", "A1: red\nA2: blue, red\nA3: "),
        ("user", "user", "none of them,\nuse green"),
    ]


CHANGES: dict[str, tuple[dict[str, Any], str, str]] = {
    "replace_file_content": ({"TargetFile": "/p/a.py", "TargetContent": "x", "ReplacementContent": "y"}, "edit", "-x\n+y"),
    "multi_replace_file_content": (
        {"TargetFile": "file:///p/a.py", "ReplacementChunks": [
            {"TargetContent": "a", "ReplacementContent": "b"}, {"TargetContent": "c", "ReplacementContent": "d"}]},
        "edit", "-a\n-c\n+b\n+d",
    ),
    "write_to_file": ({"TargetFile": "/p/a.py", "CodeContent": "x\ny\n"}, "write", "+x\n+y"),
}  # fmt: skip


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("tool", CHANGES)
def test_a_change_is_read_from_the_arguments_of_either_transcript(tmp_path: Path, tool: str, plain: bool) -> None:
    given, action, change = CHANGES[tool]
    given = {key: json.dumps(value) for key, value in given.items()} if plain else given
    (seen,) = _read(tmp_path, _call(1, (tool, given)), _step(2, "CODE_ACTION", f"{TIMES}Done.")).observations
    assert (seen.action, seen.files, seen.change, seen.outcome) == (action, ("/p/a.py",), change, "ok")


DIFFERENCE = "Changed.\n[diff_block_start]\n@@ -1,2 +1 @@\n-old\n-older\n+new\n same\n[diff_block_end]\n"
APPLIED: dict[str, tuple[dict[str, Any], str, str]] = {
    "the difference": ({}, DIFFERENCE, "-old\n-older\n+new"),
    "several differences": ({}, DIFFERENCE + DIFFERENCE.replace("old", "other"), "-old\n-older\n-other\n-otherer\n+new\n+new"),
    "a cut difference": ({"truncated_fields": ["content"]}, DIFFERENCE, "-x\n+y"),
    "no difference": ({}, "Changed.", "-x\n+y"),
}  # fmt: skip


@pytest.mark.parametrize("case", APPLIED)
def test_what_an_edit_changed_is_the_difference_that_the_client_reports(tmp_path: Path, case: str) -> None:
    more, answer, change = APPLIED[case]
    given = {"TargetFile": "/p/a.py", "TargetContent": "x", "ReplacementContent": "y"}
    rows = [_call(1, ("replace_file_content", given)), _step(2, "GENERIC", f"{TIMES}{answer}", **more)]
    (seen,) = _read(tmp_path, *rows).observations
    assert (seen.outcome, seen.change) == ("ok", change)


@pytest.mark.parametrize("listed", [{"truncated_fields": ["tool_calls"]}, {}])
def test_a_cut_change_is_read_from_the_difference_in_the_answer(tmp_path: Path, listed: dict[str, Any]) -> None:
    given = {"TargetFile": '"/p/a.py"', "TargetContent": '"x\n<truncated 9000 bytes>', "AllowMultiple": "false"}
    answer = f"{TIMES}Changed.\n[diff_block_start]\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n[diff_block_end]\n"
    call = _call(1, ("replace_file_content", given), **listed)
    session = _read(tmp_path, call, _step(2, "CODE_ACTION", answer), name="transcript.jsonl")
    assert [(seen.files, seen.change) for seen in session.observations] == [(("/p/a.py",), "-old\n+new")]
    assert [warning.message for warning in session.warnings] == [
        "the client cut the tool_calls of steps of the type PLANNER_RESPONSE"
    ]


STRANGERS: dict[str, tuple[dict[str, Any], str, str]] = {
    "read_url_content": ({"Url": "https://example.org"}, "read_url_content", "web"),
    "search_web": ({"query": "x"}, "search_web", "web"),
    "browser_click": ({}, "browser_click", "mcp"),
    "list_permissions": ({}, "list_permissions", "local"),
    "call_mcp_tool": ({"ServerName": "notes", "ToolName": "lookup", "Arguments": {}}, "notes__lookup", "mcp"),
    "run_command": ({"CommandLine": "curl https://example.org"}, "run_command", "web"),
    "view_file": ({"AbsolutePath": "/home/dev/project/a.py"}, "view_file", "local"),
}


@pytest.mark.parametrize("tool", STRANGERS)
def test_the_texts_of_strangers_are_marked(tmp_path: Path, tool: str) -> None:
    given, name, source = STRANGERS[tool]
    (seen,) = _read(tmp_path, _call(1, (tool, given)), _step(2, "GENERIC", f"{TIMES}text")).observations
    assert (seen.tool, seen.source) == (name, source)


def test_pictures_are_the_texts_of_strangers(tmp_path: Path) -> None:
    picture = [{"mime_type": "image/png", "uri": "file:///x.png"}]
    call = _call(1, ("view_file", {"AbsolutePath": "/home/dev/project/a"}))
    session = _read(tmp_path, _ask(0, "look", media=picture), call, _step(2, "VIEW_FILE", TIMES, media=picture))
    assert [(o.kind, o.agent, o.source) for o in session.observations] == [
        ("tool", "host", "remote"),
        ("user", "main", "user"),
        ("tool", "main", "remote"),
    ]


UPLOADED = "\nThe user has uploaded 1 image(s):\n- /home/dev/x.png\nYou can embed this image in an artifact.\n"


@pytest.mark.parametrize("text", ["", "look"])
def test_a_picture_that_only_the_metadata_mention_is_strangers_text(tmp_path: Path, text: str) -> None:
    content = f"<USER_REQUEST>\n{text}\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nThe time is now.\n{UPLOADED}</ADDITIONAL_METADATA>"
    session = _read(tmp_path, _step(0, "USER_INPUT", content, "USER_EXPLICIT"), _ask(1, f"why: {UPLOADED}"))
    assert [(o.kind, o.agent, o.source) for o in session.observations] == [
        ("tool", "host", "remote"),
        *[("user", "main", "user")] * (1 + bool(text)),
    ]


PLAN = "Comments on artifact URI: file:///home/dev/plan.md\n\n"
APPROVED = "The user has approved this document.\n\n\n"
COMMENTED = """Selection:
>Styles: CSS

Comment: "Use the theme"

Selection:
>Store: a file
>Comment: "all of them"

Comment: "no, a table
with "keys\""
"""
COMMENTS = {
    f"{PLAN}{APPROVED}": "",
    f"{PLAN}{COMMENTED}": 'Use the theme\n\nno, a table\nwith "keys"',
    f"{PLAN}{APPROVED}\n{COMMENTED}\n": 'Use the theme\n\nno, a table\nwith "keys"',
}


@pytest.mark.parametrize("request_text", ["", "go on", None])
@pytest.mark.parametrize("before", COMMENTS)
def test_comments_on_a_plan_are_the_users(tmp_path: Path, before: str, request_text: str | None) -> None:
    request = "" if request_text is None else f"<USER_REQUEST>\n{request_text}\n</USER_REQUEST>\n"
    content = f"{before}{request}<ADDITIONAL_METADATA>\nThe time is now.\n</ADDITIONAL_METADATA>"
    session = _read(tmp_path, _step(0, "USER_INPUT", content, "USER_EXPLICIT"))
    expected = "\n\n".join(filter(None, [COMMENTS[before], request_text]))
    assert [o.text for o in session.observations] == [expected] * bool(expected)


INPUTS = {
    "do it\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nmore": "do it\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nmore",
    "<openception-skill-extraction>one</openception-skill-extraction>": "",
    "<openception-skill-extraction>one</openception-skill-extraction>\n\ndo it": "do it",
}


@pytest.mark.parametrize("text", INPUTS)
def test_only_the_request_is_the_users(tmp_path: Path, text: str) -> None:
    session = _read(tmp_path, _ask(0, text), _step(1, "USER_INPUT", "edited a file", "USER_IMPLICIT"))
    assert [o.text for o in session.observations] == [INPUTS[text]] * bool(INPUTS[text])


def test_a_message_without_the_element_is_read_without_the_metadata(tmp_path: Path) -> None:
    session = _read(tmp_path, _step(0, "USER_INPUT", "do it\n<ADDITIONAL_METADATA>\nx", "USER_EXPLICIT"))
    assert [o.text for o in session.observations] == ["do it"]


def test_messages_that_the_user_took_back_are_no_longer_the_users(tmp_path: Path) -> None:
    rows = [_ask(0, "first"), _ask(4, "wrong"), _ask(8, "worse"), _ask(4, "right")]
    assert [(o.text, o.source) for o in _read(tmp_path, *rows).observations] == [
        ("first", "user"),
        ("", "agent"),
        ("", "agent"),
        ("right", "user"),
    ]


def test_a_checkpoint_and_other_steps_of_the_client_are_no_messages(tmp_path: Path) -> None:
    kinds = ("CHECKPOINT", "CONVERSATION_HISTORY", "EPHEMERAL_MESSAGE", "KNOWLEDGE_ARTIFACTS")
    session = _read(tmp_path, *(_step(index, kind, "summary", "SYSTEM") for index, kind in enumerate(kinds)))
    assert (session.observations, session.warnings) == ([], [])


def test_what_is_not_understood_is_a_warning_that_names_the_type_once(tmp_path: Path) -> None:
    rows = [
        _step(0, "SING", "la", "SYSTEM"),
        _step(1, "SING", "la", "SYSTEM"),
        _step(7, "DANCE"),
        {"step_index": 8},
        {"type": "REST"},
    ]
    session = _read(tmp_path, *rows)
    assert session.observations == []
    assert [(warning.line, warning.message) for warning in session.warnings] == [
        (1, "steps of the type SING were not understood"),
        (4, "steps of the type ? were not understood"),
        (5, "steps of the type REST were not understood"),
        (3, "steps of the type DANCE answer no call in the log"),
    ]


UNANSWERED: dict[str, tuple[dict[str, Any], ...]] = {
    "the model goes on": (_run(1, "./a"), _step(2, "PLANNER_RESPONSE", "On.")),
    "the model goes on after a gap": (_run(1, "./a"), _step(3, "PLANNER_RESPONSE", "On.")),
    "one of two": (
        _run(1, "./b", "./a"),
        _step(2, "RUN_COMMAND", "The command exited with code 0."),
        _step(4, "PLANNER_RESPONSE", "On."),
    ),
    "the user stops it": (_run(1, "./a"), _ask(3, "stop"), _step(4, "PLANNER_RESPONSE", "On.")),
    "the log ends": (_step(0, "PLANNER_RESPONSE", "On."), _run(1, "./a")),
}


@pytest.mark.parametrize("case", UNANSWERED)
def test_the_outcome_of_a_call_without_an_answer_is_unknown_unless_it_was_aborted(tmp_path: Path, case: str) -> None:
    session = _read(tmp_path, *UNANSWERED[case])
    outline = [
        (o.command or o.text, o.outcome) for o in session.observations if o.command != "./b" and o.kind != "user"
    ]
    call = ("./a", "aborted" if case in ("the user stops it", "the log ends") else "unknown")
    assert outline == ([("On.", "unknown"), call] if case == "the log ends" else [call, ("On.", "unknown")])


def test_a_transcript_may_begin_in_the_middle_or_lack_a_call(tmp_path: Path) -> None:
    ended = "The command exited with code 0.\nOutput:\n"
    rows = [
        _step(70, "VIEW_FILE", "x"),
        _run(71, "./a"),
        _step(72, "RUN_COMMAND", ended),
        _step(74, "GENERIC", "y"),
        _step(76, "GENERIC", "y"),
        _run(77, "./b"),
        _step(78, "RUN_COMMAND", ended),
    ]
    session = _read(tmp_path, *rows)
    assert _outline(session) == [("tool", "./a", "ok", ""), ("tool", "./b", "ok", "")]
    assert [(warning.line, warning.message) for warning in session.warnings] == [
        (1, "steps of the type VIEW_FILE answer no call in the log"),
        (4, "steps of the type GENERIC answer no call in the log"),
    ]


@pytest.mark.parametrize("size", range(1, 36, 2))
def test_a_growing_transcript_is_read_as_if_it_were_read_at_once(tmp_path: Path, size: int) -> None:
    shutil.copytree(RECORDED, tmp_path / "app")
    log = tmp_path / "app/brain" / SESSION / LOGS / "transcript_full.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:size]))
    first = IncrementalRead(log)
    assert list(first.observations)
    saved = first.build_state()
    with log.open("ab") as out:
        out.write(b"".join(lines[size:]))
    second = IncrementalRead(log, saved)
    assert list(second.observations) == read_session(log).observations


@pytest.mark.parametrize("size", range(1, 11))
def test_calls_that_steps_moved_or_ended_are_read_also_if_the_transcript_grew_between(
    tmp_path: Path, size: int
) -> None:
    rows = [
        _run(1, "./a", "make all"),
        _step(2, "RUN_COMMAND", "The command exited with code 0.\nOutput:\n"),
        _ask(3, "hurry"),
        _step(4, "RUN_COMMAND", BACKGROUND, status="RUNNING"),
        _step(9, "GENERIC", "of a step that is missing"),
        _run(11, "./b"),
        _message(12, f"{SESSION}/task-4", f'Task id "x" finished with result:\n\n{ENDED}'),
        _step(13, "RUN_COMMAND", "The command exited with code 0.\nOutput:\n"),
        _run(14, "./c"),
        _ask(16, "stop"),
        _step(17, "PLANNER_RESPONSE", "On."),
    ]
    log = tmp_path / "brain" / SESSION / LOGS / "transcript_full.jsonl"
    first = IncrementalRead(_write(log, *rows[:size]))
    assert list(first.observations)
    saved = first.build_state()
    second = IncrementalRead(_write(log, *rows), saved)
    assert list(second.observations) == read_session(log).observations
    calls = {o.command: o.outcome for o in read_session(log).observations if o.kind == "tool"}
    assert calls == {"./a": "ok", "make all": "failed", "./b": "ok", "./c": "aborted"}
