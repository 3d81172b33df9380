"""Codex: results of calls, reported outcomes, and duplicate texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mind_skills.observations.model import Observation, Source
from mind_skills.observations.read import read_session


def _read_rollout(tmp_path: Path, *payloads: tuple[str, dict[str, object]]) -> list[Observation]:
    path = tmp_path / "rollout.jsonl"
    lines = [{"timestamp": "2026-06-18T02:34:50.278Z", "type": kind, "payload": payload} for kind, payload in payloads]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return read_session(path, "codex-rollout").observations


def _make_call(name: str, arguments: dict[str, object], call_id: str = "c") -> tuple[str, dict[str, object]]:
    call: dict[str, object] = {
        "type": "function_call",
        "name": name,
        "arguments": json.dumps(arguments),
        "call_id": call_id,
    }
    return "response_item", call


def _make_output(output: object, call_id: str = "c") -> tuple[str, dict[str, object]]:
    return "response_item", {"type": "function_call_output", "call_id": call_id, "output": output}


def test_a_continued_codex_command_has_its_last_exit_code_and_all_output(tmp_path: Path) -> None:
    running = (
        "Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID 7\nOriginal token count: 1\nOutput:\n{}\n"
    )
    ended = "Chunk ID: 2\nWall time: 1.0 seconds\nProcess exited with code {}\nOriginal token count: 1\nOutput:\n{}\n"
    seen = _read_rollout(
        tmp_path,
        _make_call("exec_command", {"cmd": "make test"}, "a"),
        _make_output(running.format("one"), "a"),
        _make_call("write_stdin", {"session_id": 7, "chars": ""}, "b"),
        _make_output(running.format("two"), "b"),
        _make_call("write_stdin", {"session_id": 7, "chars": "y\n"}, "c"),
        _make_output(ended.format(2, "three"), "c"),
    )
    assert [(o.tool, o.line, o.end_line, o.outcome, o.exit_code, o.text) for o in seen] == [
        ("write_stdin", 3, 4, "ok", None, "two\n"),
        ("write_stdin", 5, 6, "ok", None, "three\n"),
        ("exec_command", 1, 6, "failed", 2, "one\ntwo\nthree\n"),
    ]


@pytest.mark.parametrize(
    ("command", "typed", "source"),
    [
        ("make test", "y\n", "local"),
        ("bash", "y\n", "local"),
        ("bash", "ls -la\n", "local"),
        ("bash", "curl -s https://x.test\n", "remote"),
        ("docker exec -it web bash", "kubectl logs web; exit 1\n", "remote"),
        ("python3 -i", "print(1 + 1)\n", "local"),
        ("python3 -i", "import urllib.request as u; print(u.urlopen(x).read())\n", "remote"),
        ("psql -h localhost shop", "select 1;\n", "local"),
        ("psql -h localhost shop", "\\! curl -s https://x.test\n", "remote"),
    ],
)
def test_what_is_typed_into_a_process_counts_as_run_by_it(
    command: str, typed: str, source: Source, tmp_path: Path
) -> None:
    text = "Process {}\nOutput:\n$ "
    seen = _read_rollout(
        tmp_path,
        _make_call("exec_command", {"cmd": command, "tty": True}, "a"),
        _make_output(text.format("running with session ID 5"), "a"),
        _make_call("write_stdin", {"session_id": 5, "chars": typed}, "b"),
        _make_output(text.format("exited with code 1"), "b"),
    )
    assert [observation.source == "local" for observation in seen] == [source == "local"] * 2
    assert (seen[1].tool, seen[1].source) == ("exec_command", source)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, False),
        ({"sandbox_permissions": "use_default"}, False),
        ({"sandbox_permissions": "require_escalated"}, True),
        ({"with_escalated_permissions": True}, True),
        ({"with_escalated_permissions": "no"}, False),
    ],
)
def test_a_codex_command_with_escalated_permissions_runs_outside_the_sandbox(
    tmp_path: Path, options: dict[str, object], expected: bool
) -> None:
    (seen,) = _read_rollout(
        tmp_path, _make_call("exec_command", {"cmd": "gh auth status", **options}), _make_output("ok")
    )
    assert seen.is_outside_sandbox is expected


def test_a_codex_command_running_at_the_end_is_unknown_and_one_without_output_is_aborted(
    tmp_path: Path,
) -> None:
    seen = _read_rollout(
        tmp_path,
        _make_call("exec_command", {"cmd": "make watch"}, "a"),
        _make_output("Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n", "a"),
        _make_call("exec_command", {"cmd": "make test"}, "b"),
    )
    assert [(o.command, o.outcome) for o in seen] == [("make watch", "unknown"), ("make test", "aborted")]


def test_a_command_whose_input_was_refused_has_not_ended(tmp_path: Path) -> None:
    seen = _read_rollout(
        tmp_path,
        _make_call("exec_command", {"cmd": "make serve"}),
        _make_output("Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\nup\n"),
        _make_call("write_stdin", {"session_id": 7, "chars": "y"}),
        _make_output("write_stdin failed: stdin is closed for this session"),
    )
    assert [(o.tool, o.outcome, o.text) for o in seen] == [
        ("write_stdin", "failed", "write_stdin failed: stdin is closed for this session"),
        ("exec_command", "unknown", "up\n"),
    ]


def test_a_background_command_that_was_stopped_with_the_client_has_no_outcome(tmp_path: Path) -> None:
    (seen,) = _read_rollout(
        tmp_path,
        _make_call("exec_command", {"cmd": "make serve"}),
        _make_output("Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\nup\n"),
        ("event_msg", {"type": "exec_command_end", "call_id": "c", "exit_code": -1, "status": "failed"}),
    )
    assert (seen.outcome, seen.exit_code, seen.text) == ("unknown", None, "up\n")


@pytest.mark.parametrize(
    ("output", "outcome", "code", "text"),
    [
        ("Exit code: 3\nWall time: 0 seconds\nOutput:\nbad\n", "failed", 3, "bad\n"),
        ('{"output":"bad\\n","metadata":{"exit_code":3,"duration_seconds":0.1}}', "failed", 3, "bad\n"),
        ('{"output":"a program\'s own JSON"}', "failed", None, '{"output":"a program\'s own JSON"}'),
        ([{"type": "input_text", "text": "seen"}], "failed", None, "seen"),
        ([{"type": "input_text", "text": "Process exited with code 0\nOutput:\nseen"}], "ok", 0, "seen"),
        ({"content": "seen", "success": True}, "ok", None, "seen"),
        ({"content": "seen", "success": False}, "failed", None, "seen"),
        (
            {"content": "exec command rejected by user", "success": False},
            "rejected",
            None,
            "exec command rejected by user",
        ),
        (
            "Process exited with code 0 is what it printed",
            "unknown",
            None,
            "Process exited with code 0 is what it printed",
        ),
        ("unsupported call: shell", "failed", None, "unsupported call: shell"),
        ("exec_command failed for `x`: CreateProcess", "failed", None, "exec_command failed for `x`: CreateProcess"),
        ("aborted by user after 2.1s", "aborted", None, "aborted by user after 2.1s"),
        ("exec command rejected by user", "rejected", None, "exec command rejected by user"),
        (
            "patch rejected: writing outside of the project; rejected by user approval settings",
            "denied",
            None,
            "patch rejected: writing outside of the project; rejected by user approval settings",
        ),
        (
            "Command blocked by PreToolUse hook: use rtk. Command: make",
            "denied",
            None,
            "Command blocked by PreToolUse hook: use rtk. Command: make",
        ),
        (
            "approval required by policy, but AskForApproval is set to Never",
            "denied",
            None,
            "approval required by policy, but AskForApproval is set to Never",
        ),
        ("make: Command blocked by PreToolUse hook", "failed", None, "make: Command blocked by PreToolUse hook"),
        (
            "Command: /bin/zsh -lc 'make\nmake test'\nChunk ID: 1\nWall time: 0 seconds\nProcess exited with code 2\nOutput:\nbad\n",
            "failed",
            2,
            "bad\n",
        ),
        ("Command: make\nbad\n", "failed", None, "Command: make\nbad\n"),
        ("Wall time: 1 seconds\nOutput:\nExit code: 1\nWall time: 0 seconds\nOutput:\npatch", "failed", 1, "patch"),
        (None, "unknown", None, ""),
        ("", "unknown", None, ""),
        ("Wall time: 1 seconds\nOutput:\n", "unknown", None, ""),
        ("unified exec is unavailable in this session", "failed", None, "unified exec is unavailable in this session"),
    ],
)
def test_the_outcome_that_codex_reports_is_read(
    tmp_path: Path, output: object, outcome: str, code: int | None, text: str
) -> None:
    (seen,) = _read_rollout(tmp_path, _make_call("shell", {"command": ["bash", "-lc", "make"]}), _make_output(output))
    assert (seen.command, seen.outcome, seen.exit_code, seen.text) == ("make", outcome, code, text)


def _describe_refusal(reason: str, command: str = "make") -> str:
    """Return the result of a command that was not started."""
    return f'exec_command failed for `/bin/bash -lc {command}`: CreateProcess {{ message: "Rejected(\\"{reason}\\")" }}'


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        ("Tool call blocked by PreToolUse hook: no edits here. Tool: apply_patch", "denied"),
        ("This action was rejected due to unacceptable risk.\nReason: it deletes the data", "denied"),
        ("`/bin/bash -lc 'rm -rf build'` rejected: blocked by policy", "denied"),
        (f"`echo {'x' * 2_000}` rejected: policy forbids commands starting with `echo`", "denied"),
        (_describe_refusal("rejected by user"), "rejected"),
        (_describe_refusal("rejected by user", f"echo {'x' * 2_000}"), "rejected"),
        (_describe_refusal("approval required by policy, but AskForApproval is set to Never"), "denied"),
        (_describe_refusal("This action was rejected due to unacceptable risk.\\\\nReason: none"), "denied"),
        (_describe_refusal("`rm -rf build` rejected: policy forbids commands starting with `rm`"), "denied"),
        (_describe_refusal("Failed to create unified exec process: No such file or directory"), "failed"),
        ('err: "user rejected MCP tool call"', "rejected"),
        ('[{"type":"text","text":"user rejected MCP tool call"}]', "rejected"),
        ('[{"type":"text","text":"MCP tool call cancelled: approval is unavailable"}]', "denied"),
        ("tool call error: tool call failed for `docs/search`", "failed"),
        ("unable to locate image at `/p/a.png`: No such file or directory", "failed"),
        ("resources/read failed for `docs`: no such page", "failed"),
        ("approval policy is Never; reject command — you cannot ask for escalated permissions", "denied"),
        ("approval policy is Granular(Rules { a: 1 }); reject command — you should not request this", "denied"),
    ],
)
def test_a_refused_call_is_distinguished_from_a_failed_one(tmp_path: Path, output: str, outcome: str) -> None:
    (seen,) = _read_rollout(tmp_path, _make_call("exec_command", {"cmd": "make"}), _make_output(output))
    assert seen.outcome == outcome


@pytest.mark.parametrize(
    ("text", "outcome"),
    [("", "rejected"), ("`make` rejected: blocked by policy", "denied"), ("rejected by user", "rejected")],
)
def test_a_command_that_codex_reports_as_declined_did_not_fail(tmp_path: Path, text: str, outcome: str) -> None:
    ended = {"call_id": "c", "exit_code": -1, "status": "declined", "aggregated_output": text}
    (seen,) = _read_rollout(
        tmp_path,
        _make_call("shell_command", {"command": "make"}),
        ("event_msg", {"type": "exec_command_end", **ended}),
        _make_output(text),
    )
    assert (seen.outcome, seen.exit_code) == (outcome, None)


def test_a_text_in_two_channels_counts_once_and_a_repeated_user_message_twice(tmp_path: Path) -> None:
    def item(text: str) -> tuple[str, dict[str, object]]:
        return "response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}

    def event(text: str) -> tuple[str, dict[str, object]]:
        payload: dict[str, object] = {"type": "user_message", "message": text}
        return "event_msg", payload

    seen = _read_rollout(
        tmp_path,
        event("first"),
        item("first"),
        item("second"),
        event("second"),
        event("second"),
        item("second"),
        event("only here"),
    )
    assert [(o.text, o.line) for o in seen] == [("first", 1), ("second", 3), ("second", 5), ("only here", 7)]


def test_a_message_of_several_parts_is_not_repeated_by_its_event(tmp_path: Path) -> None:
    parts = [{"type": "input_text", "text": text} for text in ("<image name=[Image #1]>", "</image>", "look at", " it")]
    seen = _read_rollout(
        tmp_path,
        ("response_item", {"type": "message", "role": "user", "content": parts}),
        ("event_msg", {"type": "user_message", "message": "look at it"}),
        ("event_msg", {"type": "user_message", "message": "look at it"}),
    )
    assert [(o.line, o.text) for o in seen] == [(1, "look at"), (1, "it"), (3, "look at it")]


def test_a_message_with_an_image_counts_once(tmp_path: Path) -> None:
    parts = [{"type": "input_text", "text": "go on"}, {"type": "input_image", "image_url": "data:,"}]
    message: tuple[str, dict[str, object]] = ("event_msg", {"type": "user_message", "message": "go on"})
    item: tuple[str, dict[str, object]] = ("response_item", {"type": "message", "role": "user", "content": parts})
    assert [o.line for o in _read_rollout(tmp_path, item, message, message)] == [1, 3]


def test_a_server_cannot_say_that_the_user_rejected_its_call(tmp_path: Path) -> None:
    text = "user rejected MCP tool call"
    kind, call = _make_call("get", {})
    outcomes: list[str] = []
    for result in ({"Ok": {"content": [{"type": "text", "text": text}]}}, {"Err": text}):
        end: dict[str, object] = {"type": "mcp_tool_call_end", "call_id": "c", "result": result}
        payload = (kind, call | {"namespace": "mcp__docs"})
        (seen,) = _read_rollout(tmp_path, payload, ("event_msg", end), _make_output(text))
        outcomes.append(seen.outcome)
    assert outcomes == ["ok", "rejected"]


@pytest.mark.parametrize(
    ("reason", "lines"), [("interrupted", [1]), ("replaced", [1]), ("budget_limited", []), ("review_ended", [])]
)
def test_only_the_user_interrupts_a_turn(tmp_path: Path, reason: str, lines: list[int]) -> None:
    seen = _read_rollout(tmp_path, ("event_msg", {"type": "turn_aborted", "reason": reason}))
    assert [o.line for o in seen] == lines


def test_a_failed_web_search_has_failed(tmp_path: Path) -> None:
    action = {"type": "search", "queries": ["first", "second"]}
    (seen,) = _read_rollout(
        tmp_path, ("response_item", {"type": "web_search_call", "status": "failed", "action": action})
    )
    assert (seen.command, seen.outcome) == ("first; second", "failed")


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("<user_shell_command>\n<command>ls</command>\n</user_shell_command>", []),
        ("<element_of_tomorrow>\nx\n</element_of_tomorrow>\n", []),
        ("# AGENTS.md instructions for /home/dev/project\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>", []),
        ("# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nfix it", ["fix it"]),
        ("\n# Files mentioned by the user:\n\n## a.png: /p/a.png\n\n## My request for Codex:\nfix it", ["fix it"]),
        ("what is ## My request for Codex: for?", ["what is ## My request for Codex: for?"]),
        ('<hook_prompt hook_run_id="stop:0">Run the tests first.</hook_prompt>', []),
        ('<codex_internal_context source="goal">\nContinue.\n</codex_internal_context>', []),
        ("Warning: The maximum number of unified exec processes you can keep open is 60 and you have 55 open.", []),
        ("Warning: the build is slow", ["Warning: the build is slow"]),
        ("Another language model started to solve this problem and produced a summary of its thinking: no, wrong", []),
        ("<image name=[Image #1]>", []),
        ("</image>", []),
        ("Review the current code changes (staged, unstaged, and untracked files) and report findings.", []),
        ("Review the code changes against the base branch 'main'. Run `git diff main`.", []),
        ("Review the code changes that I made", ["Review the code changes that I made"]),
        ("<div>this element is broken</div>", ["<div>this element is broken</div>"]),
        ("why is <user_id>1</user_id> wrong?", ["why is <user_id>1</user_id> wrong?"]),
    ],
)
def test_client_generated_user_messages_are_not_attributed_to_the_user(
    tmp_path: Path, text: str, own: list[str]
) -> None:
    content = [{"type": "input_text", "text": text}]
    seen = _read_rollout(tmp_path, ("response_item", {"type": "message", "role": "user", "content": content}))
    assert [o.text for o in seen] == own


@pytest.mark.parametrize(
    ("namespace", "name", "expected"),
    [
        (None, "read_file", ("read_file", "read", "local")),
        ("mcp__files", "read_file", ("mcp__files__read_file", "mcp", "mcp")),
        ("mcp__files__", "read_file", ("mcp__files__read_file", "mcp", "mcp")),
        ("mcp__apps__files", "_read_file", ("mcp__apps__files_read_file", "mcp", "mcp")),
        ("mcp__mind_skills", "recall", ("mcp__mind_skills__recall", "mcp", "mcp")),
        ("web", "run", ("web__run", "web", "web")),
        ("collaboration", "list_agents", ("list_agents", "task", "local")),
        ("multi_agent_v1", "close_agent", ("close_agent", "task", "local")),
    ],
)
def test_a_tool_of_a_server_is_not_taken_for_one_of_codex(
    tmp_path: Path, namespace: str | None, name: str, expected: tuple[str, str, str]
) -> None:
    kind, call = _make_call(name, {})
    (seen,) = _read_rollout(tmp_path, (kind, call | {"namespace": namespace}), _make_output("x"))
    assert (seen.tool, seen.action, seen.source) == expected


def test_a_call_of_a_server_tool_with_a_cell_is_not_a_script(tmp_path: Path) -> None:
    kind, call = _make_call("run_cell", {"cell_id": "4"})
    (seen,) = _read_rollout(
        tmp_path, (kind, call | {"namespace": "mcp__notebook"}), _make_output("Wall time: 1.0 seconds\nOutput:\n4")
    )
    assert (seen.tool, seen.text, seen.outcome) == ("mcp__notebook__run_cell", "4", "ok")


def test_the_tools_that_a_search_found_are_text_of_others(tmp_path: Path) -> None:
    call: dict[str, object] = {
        "type": "tool_search_call",
        "call_id": "c",
        "execution": "client",
        "arguments": {"query": "issues"},
    }
    tool = {"type": "function", "name": "list", "description": "Always pin the version first."}
    found = {"type": "namespace", "name": "mcp__tracker", "description": "Issues", "tools": [tool]}
    output: dict[str, object] = {"type": "tool_search_output", "call_id": "c", "tools": [found]}
    (seen,) = _read_rollout(tmp_path, ("response_item", call), ("response_item", output))
    assert (seen.tool, seen.action, seen.command, seen.source, seen.outcome) == (
        "tool_search",
        "other",
        "issues",
        "remote",
        "ok",
    )
    assert seen.text.splitlines()[-1] == "Always pin the version first."


@pytest.mark.parametrize("command", ["make", "curl https://a.test", "gh issue view 3"])
def test_the_output_of_a_command_that_the_user_ran_is_not_what_the_user_wrote(tmp_path: Path, command: str) -> None:
    text = (
        f"<user_shell_command>\n<command>\n{command}\n</command>\n<result>\nPin it.\n</result>\n</user_shell_command>"
    )
    seen = _read_rollout(
        tmp_path,
        ("response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}),
        ("event_msg", {"type": "agent_message", "message": "Pinned."}),
    )
    assert [o.kind for o in seen] == ["assistant"]


def test_a_subagent_rollout_has_no_user_prompt(tmp_path: Path) -> None:
    seen = _read_rollout(
        tmp_path,
        ("session_meta", {"id": "x", "cwd": "/home/dev/project", "source": {"subagent": {"thread_spawn": {}}}}),
        (
            "response_item",
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "look there"}]},
        ),
    )
    assert [(o.agent, o.source, o.text) for o in seen] == [("subagent", "agent", "look there")]


def test_messages_in_a_thread_that_an_agent_created_are_the_users(tmp_path: Path) -> None:
    def say(text: str) -> tuple[str, dict[str, object]]:
        return "response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}

    seen = _read_rollout(
        tmp_path,
        ("session_meta", {"id": "x", "cwd": "/home/dev/project", "source": "vscode", "thread_source": "subagent"}),
        say("<codex_delegation>\n<input>do it</input>\n</codex_delegation>"),
        say("now commit"),
    )
    assert [(o.agent, o.source, o.text) for o in seen] == [("main", "user", "now commit")]


@pytest.mark.parametrize(
    "output",
    [
        "collab spawn failed: agent thread limit reached (max 6)",
        "Full-history forked agents inherit the parent agent type; omit agent_type",
    ],
)
def test_a_subagent_that_could_not_be_started_is_a_failed_call(tmp_path: Path, output: str) -> None:
    (seen,) = _read_rollout(tmp_path, _make_call("spawn_agent", {"message": "count"}), _make_output(output))
    assert (seen.outcome, seen.error) == ("failed", output)


def test_a_secret_in_a_log_is_redacted(tmp_path: Path) -> None:
    key = "gh" + "p_" + "aB3dE6gH9j" * 4
    seen = _read_rollout(
        tmp_path,
        _make_call("exec_command", {"cmd": f"curl -H 'Authorization: Bearer {key}' https://example.test"}),
        _make_output(f"Exit code: 1\nWall time: 0 seconds\nOutput:\nerror: bad token {key}\n"),
        (
            "response_item",
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": f"use {key}"}]},
        ),
    )
    assert key not in repr(seen)
    assert len(seen) == 2
