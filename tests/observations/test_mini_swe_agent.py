"""mini-swe-agent: which messages with the role ``user`` are the user's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mind_skills.observations.read import read_session

TASK = {"role": "user", "content": "Fix it."}
CALL = {"role": "assistant", "content": "```bash\nmake\n```"}
RESULT = {"role": "user", "content": "<returncode>0</returncode>\n<output>\nbuilt\n</output>"}
NEXT = {"role": "assistant", "content": "Next."}
REPLY_OF_ANOTHER_TEMPLATE = {"role": "user", "content": "[0] No, that is wrong."}


def read_messages(tmp_path: Path, *messages: object, submission: str = "") -> list[tuple[str, int, str, str]]:
    path = tmp_path / "one.traj.json"
    path.write_text(
        json.dumps(
            {"trajectory_format": "mini-swe-agent-1", "info": {"submission": submission}, "messages": [TASK, *messages]}
        )
    )
    task, *rest = read_session(path).observations
    assert (task.kind, task.line, task.text) == ("user", 1, "Fix it.")
    return [(item.kind, item.line, item.text, item.outcome) for item in rest]


def build_interrupt(cause: str, text: str) -> dict[str, object]:
    return {"role": "user", "content": text, "extra": {"interrupt_type": cause}}


def test_a_later_message_of_the_user_becomes_a_user_message(tmp_path: Path) -> None:
    message = {"role": "user", "content": "No, use ninja."}
    assert read_messages(tmp_path, CALL, RESULT, message, NEXT) == [
        ("tool", 2, "built\n", "ok"),
        ("user", 4, "No, use ninja.", "unknown"),
        ("assistant", 5, "Next.", "unknown"),
    ]


@pytest.mark.parametrize("is_marked", [True, False])
def test_a_new_task_after_the_last_command_is_what_the_user_typed(tmp_path: Path, is_marked: bool) -> None:
    text = "The user added a new task: document it"
    message = build_interrupt("UserNewTask", text) if is_marked else {"role": "user", "content": text}
    assert read_messages(tmp_path, CALL, message, NEXT) == [
        ("tool", 2, "", "aborted"),
        ("user", 3, "document it", "unknown"),
        ("assistant", 4, "Next.", "unknown"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Command not executed: use ninja",
        "Command not executed. The user rejected your command with the following message: use ninja",
        "Commands not executed. The user rejected your commands with the following message: use ninja",
    ],
)
def test_a_command_that_the_user_rejected_is_rejected_and_the_reason_is_a_user_message(
    tmp_path: Path, text: str
) -> None:
    assert read_messages(tmp_path, CALL, {"role": "user", "content": text}, NEXT) == [
        ("tool", 2, "", "rejected"),
        ("user", 3, "use ninja", "unknown"),
        ("assistant", 4, "Next.", "unknown"),
    ]


def test_an_interruption_is_aborted_and_what_the_user_typed_is_a_user_message(tmp_path: Path) -> None:
    typed = build_interrupt("UserInterruption", "Interrupted by user: use ninja")
    silent = build_interrupt("UserInterruption", "Interrupted by user: Temporary interruption caught.")
    switched = build_interrupt("UserInterruption", "Switched to human mode.")
    assert read_messages(tmp_path, CALL, typed, NEXT, silent, switched) == [
        ("tool", 2, "", "aborted"),
        ("user", 3, "", "aborted"),
        ("user", 3, "use ninja", "unknown"),
        ("assistant", 4, "Next.", "unknown"),
        ("user", 5, "", "aborted"),
        ("user", 6, "", "aborted"),
    ]


@pytest.mark.parametrize(
    "messages",
    [
        [NEXT, {"role": "user", "content": "Please always provide EXACTLY ONE action."}],
        [NEXT, build_interrupt("FormatError", "Interrupted by user: no")],
        [{"role": "user", "content": "User command: \n```bash\nls\n```"}, REPLY_OF_ANOTHER_TEMPLATE],
        [{"role": "user", "content": "User command: \n```bash\nls\n```"}, RESULT],
        [{"role": "user", "content": "[0] a", "extra": {"returncode": 0}}],
        [{"role": "user", "content": "APIError: overloaded"}],
    ],
)
def test_what_the_harness_replies_is_not_a_message_of_the_user(tmp_path: Path, messages: list[object]) -> None:
    found = read_messages(tmp_path, *messages, submission="APIError: overloaded")
    assert [item for item in found if item[0] == "user"] == []


def test_the_reply_to_a_command_is_not_a_message_of_the_user_whatever_its_template(tmp_path: Path) -> None:
    assert read_messages(tmp_path, CALL, REPLY_OF_ANOTHER_TEMPLATE) == [("tool", 2, "", "aborted")]
