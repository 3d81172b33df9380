"""What the user typed is the user's, wherever a host records it; what a client wrote, or the user took back, is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.observations.incremental import IncrementalRead
from mind_skills.observations.model import Observation
from mind_skills.observations.read import read_session

RULE, NEXT = "Never release on a Friday.", "Use spaces then."
SKILL = "---\nname: notes\ndescription: Writes notes. Use it before a release.\n---\n\n# Notes\n\nAlways write them.\n"
Turn = tuple[str, str]
"""A message: its role and its text."""


def claude(number: int, parent: int | None, role: str, content: object, **more: object) -> dict[str, Any]:
    stamp = f"2026-06-18T02:{number // 60:02}:{number % 60:02}.000Z"
    return {
        "parentUuid": None if parent is None else f"u{parent}",
        "sessionId": "s",
        "type": role,
        "message": {"role": role, "content": content},
        "uuid": f"u{number}",
        "timestamp": stamp,
        **more,
    }


def codex(kind: str, **payload: object) -> dict[str, Any]:
    return {"timestamp": "2026-06-18T02:34:50.278Z", "type": kind, "payload": payload}


def codex_message(role: str, text: str) -> dict[str, Any]:
    return codex("response_item", type="message", role=role, content=[{"text": text}])


def codex_call(name: str, given: object, output: object) -> list[dict[str, Any]]:
    call = codex("response_item", type="function_call", name=name, arguments=json.dumps(given), call_id=name)
    done = codex("response_item", type="function_call_output", call_id=name, output=json.dumps(output))
    return [call, done]


def gemini(number: int, text: str, kind: str = "user", **more: object) -> dict[str, Any]:
    return {"id": f"m{number}", "timestamp": "2026-06-18T02:34:50Z", "type": kind, "content": [{"text": text}], **more}


def write(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


HEADER = {"sessionId": "s", "projectHash": "0"}
WRITERS: dict[str, Callable[[Path, list[Turn]], Path]] = {
    "claude": lambda path, turns: write(
        path, *(claude(n, n - 1 if n else None, role, text) for n, (role, text) in enumerate(turns))
    ),
    "codex": lambda path, turns: write(
        path, codex("session_meta", id="s"), *(codex_message(role, text) for role, text in turns)
    ),
    "gemini": lambda path, turns: write(
        path,
        HEADER,
        *(gemini(n, text, "user" if role == "user" else "gemini") for n, (role, text) in enumerate(turns)),
    ),
}


def list_words(observations: list[Observation]) -> list[str]:
    return [o.text for o in observations if o.kind == "user" and o.source == "user"]


@pytest.mark.parametrize("host", WRITERS)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"Prepare it.\n\n{SKILL}", ["Prepare it."]),
        (f"Prepare it.\n{SKILL}", ["Prepare it."]),
        (f"Prepare it.\n\nBase directory for this skill: /h/notes\n\n{SKILL}", ["Prepare it."]),
        (f"Prepare it.\n<skill>\n<name>notes</name>\n<path>/h/SKILL.md</path>\n{SKILL}</skill>", ["Prepare it."]),
        (f"What is wrong here?\n```\n{SKILL}```", [f"What is wrong here?\n```\n{SKILL}```"]),
        ("One\n---\ntwo: three\n---\nfour", ["One\n---\ntwo: three\n---\nfour"]),
    ],
)
def test_a_skill_that_a_client_appends_to_a_prompt_is_not_the_users(
    tmp_path: Path, host: str, text: str, words: list[str]
) -> None:
    path = WRITERS[host](tmp_path / "log.jsonl", [("user", text), ("assistant", "Done.")])
    assert list_words(read_session(path).observations) == words


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Implement the plan.", []),
        (
            "A previous agent produced the plan below to accomplish the user's task. Implement it.\n\n# Plan\nLint.",
            [("user", "agent", "# Plan\nLint.")],
        ),
        ("PLEASE IMPLEMENT THIS PLAN:\n# Plan\nLint.", [("user", "agent", "# Plan\nLint.")]),
        ("Please implement this plan: lint.", [("user", "user", "Please implement this plan: lint.")]),
        ("Implement the plan. Then lint.", [("user", "user", "Implement the plan. Then lint.")]),
    ],
)
def test_the_message_that_carries_out_a_plan_is_not_the_users(
    tmp_path: Path, text: str, seen: list[tuple[str, str, str]]
) -> None:
    path = WRITERS["codex"](tmp_path / "log.jsonl", [("user", text)])
    assert [(o.kind, o.source, o.text) for o in read_session(path).observations] == seen


def test_a_plan_that_follows_in_the_thread_that_planned_is_not_read_again(tmp_path: Path) -> None:
    lines = [
        ("user", "Plan it."),
        ("assistant", "# Plan\nLint."),
        ("user", "PLEASE IMPLEMENT THIS PLAN:\n# Plan\nLint."),
    ]
    path = WRITERS["codex"](tmp_path / "log.jsonl", lines)
    assert list_words(read_session(path).observations) == ["Plan it."]


QUESTION = {"id": "day", "question": "When?", "options": [{"label": "Monday"}, {"label": "Friday"}]}


@pytest.mark.parametrize(
    ("answers", "secret", "words"),
    [
        (["Monday"], False, []),
        (["None of the above"], False, []),
        (["None of the above", f"user_note: {RULE}"], False, [RULE]),
        (["Monday", f"user_note: {RULE}"], False, [RULE]),
        ([RULE], False, [RULE]),
        ([f'user_note: Say "{NEXT}"'], False, [f'Say "{NEXT}"']),
        (["user_note: hunter2"], True, []),
    ],
)
def test_what_the_user_types_in_answer_to_a_question_of_codex_is_the_users(
    tmp_path: Path, answers: list[str], secret: bool, words: list[str]
) -> None:
    given = {"questions": [{**QUESTION, "isSecret": secret}]}
    path = write(
        tmp_path / "log.jsonl",
        codex("session_meta", id="s"),
        *codex_call("request_user_input", given, {"answers": {"day": {"answers": answers}}}),
    )
    call, *messages = read_session(path).observations
    assert [o.text for o in messages] == words == list_words(messages)
    assert not any(json.dumps(text)[1:-1] in call.text for text in words)


@pytest.mark.parametrize(
    ("question", "answer", "words"),
    [
        ({"type": "choice"}, "Monday", []),
        ({"type": "choice", "multiSelect": True}, "Monday, Friday", []),
        ({"type": "choice", "multiSelect": True}, f"Friday, {RULE}", [RULE]),
        ({"type": "choice"}, RULE, [RULE]),
        ({"type": "text", "options": []}, RULE, [RULE]),
        ({"type": "yesno", "options": []}, "Yes", []),
    ],
)
def test_what_the_user_types_in_answer_to_a_question_of_gemini_is_the_users(
    tmp_path: Path, question: dict[str, object], answer: str, words: list[str]
) -> None:
    response = {"functionResponse": {"response": {"output": json.dumps({"answers": {"0": answer}})}}}
    call = {"id": "c", "name": "ask_user", "args": {"questions": [{**QUESTION, **question}]}, "status": "success"}
    path = write(tmp_path / "log.jsonl", HEADER, gemini(1, "", "gemini", toolCalls=[{**call, "result": [response]}]))
    assert list_words(read_session(path).observations) == words


def test_what_the_user_writes_when_rejecting_a_plan_in_gemini_is_the_users(tmp_path: Path) -> None:
    text = (
        f"Plan rejected. User feedback: {RULE}\n\nThe plan is stored at: p.md\n\nRevise the plan based on the feedback."
    )
    call = {"id": "c", "name": "exit_plan_mode", "args": {}, "status": "success"}
    response = {"functionResponse": {"response": {"output": text}}}
    path = write(tmp_path / "log.jsonl", HEADER, gemini(1, "", "gemini", toolCalls=[{**call, "result": [response]}]))
    assert list_words(read_session(path).observations) == [RULE]


def rollback(count: int) -> dict[str, Any]:
    return codex("event_msg", type="thread_rolled_back", num_turns=count)


TAKEN_BACK: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "codex: one turn": (
        [codex_message("user", "First."), codex_message("user", RULE), rollback(1), codex_message("user", NEXT)],
        ["First.", NEXT],
    ),
    "codex: two turns": (
        [codex_message("user", "First."), codex_message("user", RULE), rollback(2), codex_message("user", NEXT)],
        [NEXT],
    ),
    "codex: a turn in two channels": (
        [
            codex_message("user", "First."),
            codex_message("user", RULE),
            codex("event_msg", type="user_message", message=RULE),
            rollback(1),
        ],
        ["First."],
    ),
    "codex: no turn": ([codex_message("user", RULE), rollback(0)], [RULE]),
    "gemini: to the second message": (
        [
            HEADER,
            gemini(1, "First."),
            gemini(2, RULE),
            gemini(3, "Yes.", "gemini"),
            {"$rewindTo": "m2"},
            gemini(4, NEXT),
        ],
        ["First.", NEXT],
    ),
    "gemini: to an unknown message": ([HEADER, gemini(1, "First."), {"$rewindTo": "x"}, gemini(4, NEXT)], [NEXT]),
    "claude: to the second prompt": (
        [
            claude(1, None, "user", "First."),
            claude(2, 1, "assistant", "Yes."),
            claude(3, 2, "user", RULE),
            claude(4, 3, "assistant", "No."),
            claude(5, 2, "user", NEXT),
        ],
        ["First.", NEXT],
    ),
    "claude: to the first prompt": (
        [claude(1, None, "user", RULE), claude(2, 1, "assistant", "Yes."), claude(3, None, "user", NEXT)],
        [NEXT],
    ),
    "claude: a compacted session": (
        [
            claude(1, None, "user", RULE),
            claude(2, None, "user", "Summary.", isCompactSummary=True, logicalParentUuid="u1"),
            claude(3, 2, "user", NEXT),
        ],
        [RULE, NEXT],
    ),
    "claude: parallel results": (
        [
            claude(1, None, "user", RULE),
            claude(2, 1, "assistant", [{"type": "tool_use", "id": "a", "name": "Bash", "input": {}}]),
            claude(3, 2, "assistant", [{"type": "tool_use", "id": "b", "name": "Bash", "input": {}}]),
            claude(4, 2, "user", [{"type": "tool_result", "tool_use_id": "a", "content": ""}]),
            claude(5, 3, "user", [{"type": "tool_result", "tool_use_id": "b", "content": ""}]),
            claude(6, 4, "user", NEXT),
        ],
        [RULE, NEXT],
    ),
}


@pytest.mark.parametrize("name", TAKEN_BACK)
def test_what_the_user_took_back_is_no_longer_the_users(tmp_path: Path, name: str) -> None:
    lines, words = TAKEN_BACK[name]
    path = write(tmp_path / "log.jsonl", *lines)
    assert list_words(read_session(path).observations) == words


@pytest.mark.parametrize("name", TAKEN_BACK)
def test_what_the_user_takes_back_after_it_was_read_is_no_longer_the_users(tmp_path: Path, name: str) -> None:
    lines, words = TAKEN_BACK[name]
    path, saved = tmp_path / "log.jsonl", None
    for count in range(1, len(lines) + 1):
        with path.open("a") as file:  # the log grows, and remains the same file
            file.write(json.dumps(lines[count - 1]) + "\n")
        log = IncrementalRead(path, saved)
        seen, saved = list(log.observations), log.build_state()
    assert list_words(seen) == words


def test_what_the_user_reverted_in_opencode_is_no_longer_the_users(tmp_path: Path) -> None:
    def message(number: int, text: str) -> dict[str, Any]:
        info = {"id": f"msg_{number}", "sessionID": "ses_1", "role": "user"}
        return {"info": info, "parts": [{"type": "text", "text": text}]}

    info = {"id": "ses_1", "projectID": "p", "revert": {"messageID": "msg_2"}}
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"info": info, "messages": [message(1, "First."), message(2, RULE)]}))
    assert list_words(read_session(path).observations) == ["First."]
