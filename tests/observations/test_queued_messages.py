"""Messages and subagent reports sent while the agent works are emitted once, where they are delivered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.observations.model import Session
from mind_skills.observations.read import read_session
from mind_skills.observations.results import is_runner_message

REPORT = (
    '<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n<summary>Agent "look" finished</summary>\n'
    "<result>The port is taken by <b>another</b> server.</result>\n</task-notification>"
)  # fmt: skip
ENDED = (
    "<task-notification>\n<task-id>b2</task-id>\n<summary>Background command completed</summary>\n</task-notification>"
)


def line(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "sessionId": "s", "timestamp": "2026-01-01T00:00:00Z", **fields}


def queue(operation: str, content: str = "") -> dict[str, Any]:
    return line("queue-operation", operation=operation, **({"content": content} if content else {}))


def deliver(prompt: object, mode: str = "prompt", uuid: str = "a") -> dict[str, Any]:
    return line("attachment", uuid=uuid, attachment={"type": "queued_command", "prompt": prompt, "commandMode": mode})


def user(text: str, uuid: str = "u") -> dict[str, Any]:
    return line("user", uuid=uuid, message={"role": "user", "content": text})


def session(folder: Path, *entries: dict[str, Any], before: str = "") -> Session:
    path = folder / "log.jsonl"
    path.write_text(before + "".join(json.dumps(entry) + "\n" for entry in entries))
    return read_session(path)


def list_texts(session: Session) -> list[tuple[int, str, str, str]]:
    return [(one.line, one.kind, one.agent, one.text) for one in session.observations]


def test_a_message_in_an_attachment_is_attributed_to_the_user(tmp_path: Path) -> None:
    read = session(tmp_path, queue("enqueue", "use port 2"), queue("remove", "use port 2"), deliver("use port 2"))
    assert list_texts(read) == [(2, "user", "main", "use port 2")]
    assert read.observations[0].source == "user"


def test_a_message_delivered_by_an_older_client_is_emitted_at_its_removal(tmp_path: Path) -> None:
    read = session(tmp_path, queue("enqueue", ENDED), queue("enqueue", "use port 2"), queue("remove"), queue("remove"))
    assert list_texts(read) == [(3, "user", "main", "use port 2")]


def test_a_message_queued_until_the_end_of_the_turn_starts_the_next_turn(tmp_path: Path) -> None:
    read = session(tmp_path, queue("enqueue", "use port 2"), queue("dequeue"), user("use port 2"))
    assert list_texts(read) == [(3, "user", "main", "use port 2")]


def test_a_message_withdrawn_by_the_user_is_not_emitted(tmp_path: Path) -> None:
    assert (
        list_texts(session(tmp_path, queue("enqueue", "use port 2"), queue("popAll", "use port 2"), queue("remove")))
        == []
    )


PEER = 'Another Claude session sent a message:\n<cross-session-message from="a">\nuse port 2\n</cross-session-message>'


@pytest.mark.parametrize("kind", ["peer", "coordinator", "channel", "a kind of a later client"])
def test_a_message_of_another_session_or_of_a_channel_is_not_the_users(tmp_path: Path, kind: str) -> None:
    origin = {"kind": kind}
    delivered = deliver("use port 2")
    delivered["attachment"]["origin"] = origin
    assert list_texts(session(tmp_path, {**user("use port 2"), "origin": origin}, delivered)) == []
    skill = user("Base directory for this skill: /home/dev/.claude/skills/ports\n\nUse port 2.")
    assert session(tmp_path, {**skill, "origin": origin}).skills == []


@pytest.mark.parametrize("kind", ["human", "task-notification"])
def test_a_message_with_any_other_origin_is_read_by_its_text(tmp_path: Path, kind: str) -> None:
    read = session(
        tmp_path, {**user("use port 2"), "origin": {"kind": kind}}, {**user(REPORT, "v"), "origin": {"kind": kind}}
    )
    assert [(one.kind, one.agent) for one in read.observations] == [("user", "main"), ("assistant", "subagent")]


@pytest.mark.parametrize("record", [{"origin": {"kind": "auto-continuation"}}, {"promptSource": "system"}])
def test_what_the_client_writes_is_no_message_unless_it_is_a_report(tmp_path: Path, record: dict[str, Any]) -> None:
    read = session(tmp_path, {**user("Continue."), **record}, {**user(REPORT, "v"), **record})
    assert [(one.line, one.kind, one.agent) for one in read.observations] == [(2, "assistant", "subagent")]


@pytest.mark.parametrize("record", [{"origin": {"kind": "auto-continuation"}}, {"promptSource": "system"}])
def test_what_the_client_queues_is_no_message_unless_it_is_a_report(tmp_path: Path, record: dict[str, Any]) -> None:
    delivered = [deliver("Continue."), deliver(REPORT, "task-notification", "b")]
    for entry in delivered:
        entry["attachment"].update(record)
    assert [(one.line, one.kind, one.agent) for one in session(tmp_path, *delivered).observations] == [
        (2, "assistant", "subagent")
    ]


@pytest.mark.parametrize("origin", [{}, {"origin": {"kind": "auto-continuation"}}])
@pytest.mark.parametrize("comment", ["", "and use port 2"])
def test_the_words_of_an_accepted_plan_are_the_agents(tmp_path: Path, origin: dict[str, Any], comment: str) -> None:
    text = (
        "Implement the following plan:\n\n# Ports\n\nUser feedback on this plan: none so far.\n\nRead the transcript."
    )
    record = {"planContent": "# Ports\n\nUser feedback on this plan: none so far.", **origin}
    read = session(tmp_path, {**user(text + (comment and f"\n\nUser feedback on this plan: {comment}")), **record})
    assert [(one.kind, one.source, one.text) for one in read.observations] == [
        ("user", "agent", text),
        *([("user", "user", comment)] if comment else []),
    ]


@pytest.mark.parametrize("text", [PEER, PEER.partition("\n")[2], '<channel source="chat">use port 2</channel>'])
def test_a_message_of_another_session_is_recognised_without_its_origin(tmp_path: Path, text: str) -> None:
    assert list_texts(session(tmp_path, queue("enqueue", text), queue("remove", text), user(text))) == []


def test_the_same_message_sent_twice_is_emitted_twice(tmp_path: Path) -> None:
    read = session(tmp_path, deliver("go on"), deliver("go on", uuid="b"), deliver("go on", uuid="b"))
    assert list_texts(read) == [(1, "user", "main", "go on"), (2, "user", "main", "go on")]


def test_a_message_with_an_image_is_emitted_with_its_text(tmp_path: Path) -> None:
    read = session(tmp_path, deliver([{"type": "text", "text": "like this"}, {"type": "image"}]))
    assert list_texts(read) == [(1, "user", "main", "like this")]


def test_commands_and_notes_of_the_client_are_not_messages(tmp_path: Path) -> None:
    task = '{"task_id":"b2","description":"build"}'
    read = session(
        tmp_path, deliver("/compact"), deliver(ENDED, "task-notification"), queue("enqueue", task), queue("remove")
    )
    assert list_texts(read) == []


def test_a_subagent_report_is_a_message_of_the_subagent(tmp_path: Path) -> None:
    said = "The port is taken by <b>another</b> server."
    read = session(
        tmp_path, queue("enqueue", REPORT), queue("remove", REPORT), deliver(REPORT, "task-notification"),
        user(REPORT, "v"), user('<teammate-message teammate_id="b">done</teammate-message>', "w"),
    )  # fmt: skip
    assert list_texts(read) == [
        (2, "assistant", "subagent", said),
        (4, "assistant", "subagent", said),
        (5, "assistant", "subagent", "done"),
    ]


def test_a_report_to_a_codex_session_is_a_message_of_the_subagent(tmp_path: Path) -> None:
    text = (
        "<subagent_notification>\n"
        + json.dumps({"agent_path": "a", "status": {"completed": "done"}})
        + "\n</subagent_notification>"
    )
    message = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    header = {"type": "session_meta", "payload": {"id": "s", "cwd": "/p"}}
    assert list_texts(session(tmp_path, header, {"type": "response_item", "payload": message})) == [
        (2, "assistant", "subagent", "done")
    ]


def test_a_message_of_a_subagent_to_a_codex_session_is_a_message_of_the_subagent(tmp_path: Path) -> None:
    header = "Message Type: {}\nTask name: /main\nSender: /main/count\nPayload:\n"
    messages = [
        [{"type": "input_text", "text": header.format("MESSAGE")}, {"type": "encrypted_content"}],
        [{"type": "input_text", "text": header.format("FINAL_ANSWER") + "There are 3.\n"}],
    ]
    read = session(
        tmp_path,
        {"type": "session_meta", "payload": {"id": "s", "cwd": "/p"}},
        *[{"type": "response_item", "payload": {"type": "agent_message", "content": parts}} for parts in messages],
    )
    assert list_texts(read) == [(3, "assistant", "subagent", "There are 3.")]


def test_a_secret_in_a_queued_message_is_redacted(tmp_path: Path) -> None:
    key = "ghp_" + "a1B2" * 9
    assert key not in repr(session(tmp_path, deliver(f"take {key}"), user(REPORT.replace("server", key))))


def test_comments_at_the_start_of_a_log_are_ignored(tmp_path: Path) -> None:
    read = session(tmp_path, user("begin"), before="// where it is from\n\n# what it shows\n")
    assert (read.format, list_texts(read)) == ("claude-code", [(4, "user", "main", "begin")])
    assert read.warnings == []


def test_a_comment_within_a_log_is_a_broken_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f"// first\n{json.dumps(user('begin'))}\n// later\n", encoding="utf-8")
    assert [warning.line for warning in read_session(path).warnings] == [3]


def start_command(
    note: str = "Command running in background with ID: b2. Output is written.", tool: str = "Bash", **record: str
) -> list[dict[str, Any]]:
    call = {"type": "tool_use", "id": "t", "name": tool, "input": {"command": "npm test", "run_in_background": True}}
    output = {"type": "tool_result", "tool_use_id": "t", "content": note}
    return [
        line("assistant", uuid="1", message={"role": "assistant", "content": [call]}),
        line("user", uuid="2", message={"role": "user", "content": [output]}, toolUseResult=record),
    ]


def report_end(status: str, summary: str) -> str:
    return (
        f"<task-notification>\n<task-id>b2</task-id>\n<status>{status}</status>\n"
        f"<summary>Background command {summary}</summary>\n</task-notification>"
    )


def list_outcomes(session: Session) -> list[tuple[str, int, int, str, int | None]]:
    return [(one.tool, one.line, one.end_line, one.outcome, one.exit_code) for one in session.observations]


def test_a_background_command_is_emitted_when_it_has_ended(tmp_path: Path) -> None:
    well, badly = (
        report_end("completed", '"npm test" completed (exit code 0)'),
        report_end("failed", '"npm test" failed with exit code 3'),
    )
    stopped = report_end("killed", '"npm test" was stopped')
    read = [session(tmp_path, *start_command(), queue("enqueue", text), user(text)) for text in (well, badly, stopped)]
    assert [list_outcomes(one) for one in read] == [
        [("Bash", 1, 3, "ok", 0)],
        [("Bash", 1, 3, "failed", 3)],
        [("Bash", 1, 3, "aborted", None)],
    ]


def test_a_background_command_of_a_subagent_ends_at_the_line_of_its_parents_call(tmp_path: Path) -> None:
    folder = tmp_path / "log" / "subagents"
    folder.mkdir(parents=True)
    entries = [*start_command(), user(report_end("completed", '"npm test" completed (exit code 0)'))]
    (folder / "agent-a1.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    read = session(tmp_path, user("begin"))
    assert list_outcomes(read)[1:] == [("Bash", 1, 1, "ok", 0)]


def test_a_failed_background_command_has_only_the_message_of_the_client(tmp_path: Path) -> None:
    (one,) = session(
        tmp_path, *start_command(), user(report_end("failed", '"npm test" failed with exit code 3'))
    ).observations
    said = 'Background command "npm test" failed with exit code 3'
    assert (one.text, one.error, is_runner_message(one.error)) == (f"Exit code 3\n{said}", said, True)


MOVED = "Command did not complete within its 120s timeout and was moved to the background (ID: b2). Output is written."


@pytest.mark.parametrize(
    "started",
    [
        start_command("Command was manually backgrounded by user with ID: b2. Output is written."),
        start_command(MOVED),
        start_command("Command exceeded the blocking budget (15s) and was moved to the background with ID: b2."),
        start_command(f"1 test so far\n{MOVED}", backgroundTaskId="b2"),
        start_command("The form of a later client.", backgroundTaskId="b2"),
    ],
    ids=["by the user", "after its timeout", "after a limit of the client", "after some output", "in another form"],
)
def test_a_command_that_was_moved_to_the_background_has_not_succeeded_yet(
    tmp_path: Path, started: list[dict[str, Any]]
) -> None:
    assert list_outcomes(session(tmp_path, *started)) == [("Bash", 1, 1, "unknown", None)]
    ended = user(report_end("failed", '"npm test" failed with exit code 3'))
    assert list_outcomes(session(tmp_path, *started, ended)) == [("Bash", 1, 3, "failed", 3)]


def test_the_output_before_a_command_moved_to_the_background_remains(tmp_path: Path) -> None:
    started = start_command(f"TypeError: no\n{MOVED}", backgroundTaskId="b2")
    read = session(tmp_path, *started, user(report_end("failed", '"npm test" failed with exit code 3')))
    (one,) = read.observations
    assert one.text == 'Exit code 3\nTypeError: no\nBackground command "npm test" failed with exit code 3'
    assert one.error == "TypeError: no"


@pytest.mark.parametrize("record", [{}, {"taskId": "b2"}], ids=["note", "record"])
@pytest.mark.parametrize(
    ("status", "summary", "outcome", "exit_code"),
    [
        ("completed", 'Monitor "tests" stream ended', "ok", 0),
        ("failed", 'Monitor "tests" script failed (exit 3)', "failed", 3),
        ("", 'Monitor event: "tests"', "unknown", None),
    ],
)
def test_a_monitor_ends_when_its_command_ends(
    tmp_path: Path, record: dict[str, str], status: str, summary: str, outcome: str, exit_code: int | None
) -> None:
    started = start_command("Monitor started (task b2, timeout 60000ms).", "Monitor", **record)
    end = f"<status>{status}</status>\n<summary>{summary}</summary>" if status else f"<summary>{summary}</summary>"
    read = session(tmp_path, *started, user(f"<task-notification>\n<task-id>b2</task-id>\n{end}\n</task-notification>"))
    assert list_outcomes(read) == [("Monitor", 1, 3 if status else 1, outcome, exit_code)]


@pytest.mark.parametrize(("tool", "key"), [("TaskStop", "task_id"), ("KillShell", "shell_id")])
@pytest.mark.parametrize(("is_error", "outcomes"), [(False, ["aborted", "ok"]), (True, ["failed", "unknown"])])
def test_a_background_command_that_the_agent_stops_is_aborted(
    tmp_path: Path, tool: str, key: str, is_error: bool, outcomes: list[str]
) -> None:
    stop = {"type": "tool_use", "id": "s", "name": tool, "input": {key: "b2"}}
    answer = {"type": "tool_result", "tool_use_id": "s", "content": "the answer", "is_error": is_error}
    read = session(
        tmp_path, *start_command(),
        line("assistant", uuid="3", message={"role": "assistant", "content": [stop]}),
        line("user", uuid="4", message={"role": "user", "content": [answer]}),
    )  # fmt: skip
    assert [one.outcome for one in read.observations] == outcomes


def test_a_running_background_command_has_an_unknown_outcome(tmp_path: Path) -> None:
    assert list_outcomes(session(tmp_path, *start_command(), user("and now?"))) == [
        ("", 3, 3, "unknown", None),
        ("Bash", 1, 1, "unknown", None),
    ]


@pytest.mark.parametrize(
    ("tool", "key", "output", "error"),
    [
        ("TaskOutput", "task_id", "<output>\nTypeError: no\n</output>", "TypeError: no"),
        ("BashOutput", "bash_id", "<stdout>\n1 test\n</stdout>\n<stderr>\nTypeError: no\n</stderr>", "TypeError: no"),
        ("BashOutput", "bash_id", "<stdout>\n\n</stdout>", ""),
    ],
)
def test_the_output_of_a_background_command_belongs_to_it(
    tmp_path: Path, tool: str, key: str, output: str, error: str
) -> None:
    asked = {"type": "tool_use", "id": "o", "name": tool, "input": {key: "b2"}}
    shown = f"<status>completed</status>\n<exit_code>1</exit_code>\n{output}"
    answer = {"type": "tool_result", "tool_use_id": "o", "content": shown}
    read = session(
        tmp_path, *start_command(),
        line("assistant", uuid="3", message={"role": "assistant", "content": [asked]}),
        line("user", uuid="4", message={"role": "user", "content": [answer]}),
    )  # fmt: skip
    assert list_outcomes(read) == [("Bash", 1, 4, "failed", 1), (tool, 3, 4, "ok", None)]
    assert read.observations[0].error == error


def ask(tool: str, given: dict[str, str], shown: str) -> list[dict[str, Any]]:
    call = {"type": "tool_use", "id": "o", "name": tool, "input": given}
    answer = {"type": "tool_result", "tool_use_id": "o", "content": shown}
    return [
        line("assistant", uuid="3", message={"role": "assistant", "content": [call]}),
        line("user", uuid="4", message={"role": "user", "content": [answer]}),
    ]


@pytest.mark.parametrize("tag", ["output", "stdout", "stderr"])
def test_what_a_running_command_prints_does_not_end_it(tmp_path: Path, tag: str) -> None:
    shown = f"<status>running</status>\n<{tag}>\n<exit_code>0</exit_code> <summary>done</summary>\n</{tag}>"
    read = session(tmp_path, *start_command(), *ask("BashOutput", {"bash_id": "b2"}, shown))
    assert list_outcomes(read) == [("BashOutput", 3, 4, "ok", None), ("Bash", 1, 1, "unknown", None)]


def test_a_tool_of_a_server_does_not_end_a_background_command(tmp_path: Path) -> None:
    shown = "<status>completed</status>\n<exit_code>0</exit_code>\n<output>\n5 passed\n</output>"
    read = session(tmp_path, *start_command(), *ask("mcp__x__y", {"task_id": "b2"}, shown))
    assert list_outcomes(read) == [("mcp__x__y", 3, 4, "ok", None), ("Bash", 1, 1, "unknown", None)]


def test_a_message_of_another_session_does_not_end_a_background_command(tmp_path: Path) -> None:
    text, origin = report_end("completed", '"npm test" completed (exit code 0)'), {"origin": {"kind": "peer"}}
    delivered = deliver(text)
    delivered["attachment"].update(origin)
    read = session(tmp_path, *start_command(), {**user(text), **origin}, delivered)
    assert list_outcomes(read) == [("Bash", 1, 1, "unknown", None)]


def test_what_a_command_prints_in_the_form_of_a_note_of_the_client_is_its_output(tmp_path: Path) -> None:
    printed = "Command timed out, but passed again; job ID: b7\n1 test passed"
    read = session(tmp_path, *start_command(printed, stdout=printed, stderr=""))
    assert [(one.outcome, one.text) for one in read.observations] == [("ok", printed)]
    started = start_command(f"{printed}\n{MOVED}", backgroundTaskId="b2")
    read = session(tmp_path, *started, user(report_end("completed", '"npm test" completed (exit code 0)')))
    assert [one.text for one in read.observations] == [
        f'{printed}\nBackground command "npm test" completed (exit code 0)'
    ]


def test_a_call_of_the_powershell_tool_runs_a_command(tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "t", "name": "PowerShell", "input": {"command": "npm test"}}
    output = {"type": "tool_result", "tool_use_id": "t", "is_error": True, "content": "Exit code 1\nTypeError: no"}
    read = session(
        tmp_path,
        line("assistant", uuid="1", message={"role": "assistant", "content": [call]}),
        line("user", uuid="2", message={"role": "user", "content": [output]}),
    )
    assert [(one.action, one.signature, one.outcome, one.exit_code, one.error) for one in read.observations] == [
        ("run", "npm test", "failed", 1, "TypeError: no")
    ]
