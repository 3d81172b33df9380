"""Codex scripts in rollouts without events: calls are parsed from the script, and outcomes from its output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.observations.model import Observation, Session
from mind_skills.observations.read import read_session

HEADER = {"type": "session_meta", "payload": {"id": "s", "cwd": "/home/user/project"}}


def item(**payload: Any) -> dict[str, Any]:
    return {"type": "response_item", "payload": payload}


def script(code: str, number: int = 1) -> dict[str, Any]:
    return item(type="custom_tool_call", call_id=f"call_{number}", name="exec", input=code)


def wait(cell: str, number: int) -> dict[str, Any]:
    return item(type="function_call", call_id=f"call_{number}", name="wait", arguments=json.dumps({"cell_id": cell}))


def printed(*texts: str, number: int = 1, state: str = "completed") -> dict[str, Any]:
    parts = [f"Script {state}\nWall time 0.1 seconds\nOutput:\n", *texts]
    output = [{"type": "input_text", "text": text} for text in parts]
    return item(type="custom_tool_call_output", call_id=f"call_{number}", output=output)


def running(cell: str, number: int) -> dict[str, Any]:
    text = f"Script running with cell ID {cell}\nWall time 10.0 seconds\nOutput:\n"
    return item(type="function_call_output", call_id=f"call_{number}", output=text)


def answer(output: str, **stated: int) -> str:
    return json.dumps({"chunk_id": "c", "wall_time_seconds": 1.0, **stated, "output": output})


def session(folder: Path, *entries: dict[str, Any]) -> Session:
    path = folder / "rollout.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in (HEADER, *entries)))
    return read_session(path)


def list_calls(session: Session) -> list[tuple[Any, ...]]:
    return [(one.tool, one.action, one.command, one.outcome, one.exit_code, one.text) for one in session.observations]


def only(session: Session) -> Observation:
    (one,) = session.observations
    return one


RUN = 'const r = await tools.exec_command({cmd:"npm test"});'


def test_a_command_has_the_exit_code_that_the_script_printed(tmp_path: Path) -> None:
    read = session(tmp_path, script(RUN + "text(JSON.stringify(r))"), printed(answer("TypeError: no\n", exit_code=1)))
    assert list_calls(read) == [("exec_command", "run", "npm test", "failed", 1, "TypeError: no\n")]
    assert (only(read).line, only(read).end_line, only(read).error, only(read).signature) == (
        2,
        3,
        "TypeError: no",
        "npm test",
    )


def test_an_exit_code_in_the_wording_of_the_script_is_read(tmp_path: Path) -> None:
    read = session(
        tmp_path, script(RUN + "text(`exit=${r.exit_code}\\n${r.output}`)"), printed("exit=2\nno such suite\n")
    )
    assert [(one.outcome, one.exit_code) for one in read.observations] == [("failed", 2)]


def test_a_number_printed_by_a_command_is_not_an_exit_code(tmp_path: Path) -> None:
    read = session(tmp_path, script(RUN + "text(r.output)"), printed("the server says: exit code 3\n"))
    assert [(one.outcome, one.exit_code) for one in read.observations] == [("ok", None)]


TESTS = 'const r = await tools.exec_command({cmd:"pytest"});'


@pytest.mark.parametrize(
    ("code", "texts", "state", "expected"),
    [
        (TESTS + "text(r.output)", ["10 passed in 0.2s"], "completed", ("ok", None)),
        (TESTS + "text(r.output)", ["10 passed in 0.2s"], "terminated", ("unknown", None)),
        (TESTS + "text(r)", [answer("10 passed in 0.2s", exit_code=0)], "terminated", ("ok", 0)),
        (TESTS + "text(r.output)", [], "terminated", ("unknown", None)),
        (TESTS + "text(r.output)", [], "completed", ("unknown", None)),
        (TESTS + "text(r.output)", [""], "completed", ("unknown", None)),
        (TESTS + "text(r.output)", ["..."], "completed", ("unknown", None)),
        (TESTS, [], "completed", ("unknown", None)),
        (TESTS + "text(r.exit_code)", ["1"], "completed", ("failed", 1)),
        (TESTS + "text(r.exit_code)", ["0"], "completed", ("ok", 0)),
        (RUN, [], "completed", ("unknown", None)),
        (RUN + "text(r.output)", [], "completed", ("ok", None)),  # which may print nothing
        ("await tools.apply_patch(`*** Begin Patch\n*** End Patch`)", [], "completed", ("ok", None)),
    ],
)
def test_a_result_that_a_script_does_not_print_is_unknown(
    tmp_path: Path, code: str, texts: list[str], state: str, expected: tuple[str, int | None]
) -> None:
    call = only(session(tmp_path, script(code), printed(*texts, state=state)))
    assert (call.outcome, call.exit_code) == expected


def test_a_failure_line_in_the_output_alone_is_a_failure(tmp_path: Path) -> None:
    traceback = 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: bad\n'
    read = session(
        tmp_path,
        script('const r = await tools.exec_command({cmd:"python a.py"}); text(r.output)'), printed(traceback),
        script('const r = await tools.exec_command({cmd:"cat log.txt"}); text(r.output)', 2), printed(traceback, number=2),
    )  # fmt: skip
    assert [(one.action, one.outcome, one.error) for one in read.observations] == [
        ("run", "failed", "ValueError: bad"),
        ("read", "ok", ""),
    ]


def test_a_truncated_result_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    head = "Warning: truncated output (original token count: 9)\nTotal output lines: 1\n\n"
    cut = head + '{"chunk_id":"c","exit_code":1,"output":"a \\"b\\"\\nErr'
    read = session(tmp_path, script(RUN + "text(r)"), printed(cut))
    assert list_calls(read) == [("exec_command", "run", "npm test", "failed", 1, 'a "b"\nErr')]


def test_a_patch_is_an_edit_with_its_changed_lines(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Update File: /p/a.py\n@@\n-x = 1\n+x = 2\n*** End Patch"
    read = session(
        tmp_path, script(f"const patch = {json.dumps(patch)};\ntext(await tools.apply_patch(patch));"), printed("{}")
    )
    change = only(read)
    assert (change.tool, change.action, change.files, change.change, change.outcome) == (
        "apply_patch", "edit", ("/p/a.py",), "-x = 1\n+x = 2", "ok",
    )  # fmt: skip


def test_a_call_in_a_failed_script_has_failed_with_its_error(tmp_path: Path) -> None:
    said = "Script error:\napply_patch verification failed: Failed to find expected lines in /p/a.py"
    read = session(
        tmp_path, script("await tools.apply_patch(`*** Begin Patch\n*** End Patch`)"), printed(said, state="failed")
    )
    assert list_calls(read) == [("apply_patch", "edit", "", "failed", None, said.removeprefix("Script error:\n"))]


def test_a_command_that_the_user_declined_is_rejected_although_its_script_failed(tmp_path: Path) -> None:
    error = 'exec_command failed for `npm test`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }'
    read = session(tmp_path, script(RUN), printed(f"Script error:\n{error}", state="failed"))
    assert [(one.command, one.outcome) for one in read.observations] == [("npm test", "rejected")]


def test_each_command_of_a_script_has_its_own_output(tmp_path: Path) -> None:
    both = "await Promise.all([tools.exec_command({cmd:'git status'}), tools.exec_command({cmd:'make'})])"
    read = session(
        tmp_path,
        script(f"const [a, b] = {both}; text(a.output); text(b.output)"), printed("clean", "built"),
        script(f"const [a, b] = {both}; text(JSON.stringify({{a: a.output, b: b.output}}))", 2),
        printed(json.dumps({"a": "clean", "b": "built"}), number=2),
        script(f"const [a, b] = {both}; text(b.output)", 3), printed("built", number=3),
    )  # fmt: skip
    assert [(one.command, one.outcome, one.text) for one in read.observations] == [
        ("git status", "ok", "clean"),
        ("make", "ok", "built"),
        ("git status", "ok", "clean"),
        ("make", "ok", "built"),
        ("git status", "unknown", ""),
        ("make", "ok", "built"),
    ]


def test_a_continued_command_is_emitted_when_it_has_ended(tmp_path: Path) -> None:
    read = session(
        tmp_path,
        script(RUN + "text(JSON.stringify(r))"), printed(answer("1 ", session_id=7)),
        script("text(JSON.stringify(await tools.write_stdin({session_id:7,chars:''})))", 2), running("4", 2),
        wait("4", 3), printed(answer("2 ", session_id=7), number=3),
        script("text((await tools.write_stdin({session_id:7,chars:''})).output)", 4), printed("3 ", number=4),
        script("text(JSON.stringify(await tools.write_stdin({session_id:7,chars:''})))", 5),
        printed(answer("4", exit_code=1), number=5),
    )  # fmt: skip
    assert list_calls(read) == [
        ("wait", "other", "", "ok", None, answer("2 ", session_id=7)),
        ("write_stdin", "other", "", "ok", None, "2 "),
        ("write_stdin", "other", "", "ok", None, "3 "),
        ("write_stdin", "other", "", "ok", None, "4"),
        ("exec_command", "run", "npm test", "failed", 1, "1 2 3 4"),
    ]
    assert (read.observations[-1].line, read.observations[-1].end_line) == (2, 11)


def test_a_continued_script_with_events_is_not_emitted_itself(tmp_path: Path) -> None:
    ran = {"type": "CommandExecution", "id": "exec-1", "command": ["bash", "-lc", "npm test"], "exit_code": 0}
    event = {"type": "event_msg", "payload": {"type": "item_completed", "item": ran}}
    read = session(tmp_path, script(RUN), running("4", 1), event, wait("4", 2), printed("done", number=2))
    assert [(one.tool, one.command) for one in read.observations] == [("exec_command", "npm test"), ("wait", "")]


def test_input_to_a_process_of_the_same_script_belongs_to_its_command(tmp_path: Path) -> None:
    code = RUN + "const s = await tools.write_stdin({session_id: r.session_id, chars: 'y'}); text(JSON.stringify(s))"
    read = session(tmp_path, script(code), printed(answer("done", exit_code=0)))
    assert list_calls(read) == [("exec_command", "run", "npm test", "ok", 0, "done")]


def test_calls_still_running_at_the_end_of_the_log_have_an_unknown_outcome(tmp_path: Path) -> None:
    read = session(
        tmp_path,
        script(RUN + "text(JSON.stringify(r))"), printed(answer("FAIL a.test.js: 1 failed", session_id=7)),
        script("await tools.exec_command({cmd:'make all'})", 2), running("4", 2),
        script("await tools.exec_command({cmd:'make docs'})", 3),
    )  # fmt: skip
    assert list_calls(read) == [
        ("exec_command", "run", "npm test", "unknown", None, "FAIL a.test.js: 1 failed"),
        ("exec_command", "run", "make all", "unknown", None, ""),
        ("exec_command", "run", "make docs", "aborted", None, ""),
    ]


def test_server_tools_web_tools_and_plans_are_recognised_by_name(tmp_path: Path) -> None:
    code = "tools.mcp__docs__find({q: 1}); tools.web__run({query: 'x'}); tools.update_plan({plan: [{step: 'a'}]})"
    code += "; tools.collaboration__list_agents({}); tools.mcp__files__read_file({path: 'a'})"
    read = session(tmp_path, script(code), printed("found", "page", "planned", "none", "a"))
    assert [(one.tool, one.action, one.source) for one in read.observations] == [
        ("mcp__docs__find", "mcp", "mcp"),
        ("web__run", "web", "web"),
        ("update_plan", "task", "local"),
        ("list_agents", "task", "local"),
        ("mcp__files__read_file", "mcp", "mcp"),
    ]


def test_a_secret_in_a_script_is_redacted_in_the_command(tmp_path: Path) -> None:
    key = "ghp_" + "a1B2" * 9
    read = session(tmp_path, script(f"tools.exec_command({{cmd: `GH_TOKEN={key} gh pr list`}})"), printed("ok"))
    assert key not in repr(read)
    assert "gh pr list" in only(read).command


def message(text: str) -> dict[str, Any]:
    return item(type="message", role="assistant", content=[{"type": "output_text", "text": text}])


def call(name: str, number: int, **arguments: Any) -> dict[str, Any]:
    return item(type="function_call", call_id=f"call_{number}", name=name, arguments=json.dumps(arguments))


def result(text: str, number: int) -> dict[str, Any]:
    return item(type="function_call_output", call_id=f"call_{number}", output=text)


LISTS = "text(ALL_TOOLS.filter(x => /find/.test(x.name)))"


ISSUE = "const [i, s] = await Promise.all(['gh issue view 12', 'git status'].map(cmd => tools.exec_command({cmd})));"


RUNNING = "Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\n"
