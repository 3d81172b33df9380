"""Gemini CLI: messages that grow, and prompts with other texts in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mind_skills.observations.model import Observation
from mind_skills.observations.read import read_session


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
