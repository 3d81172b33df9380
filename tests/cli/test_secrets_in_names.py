"""A secret or an address of a person as an id, a name or a path: what is kept of it, and what an answer says of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from mind_skills.memory.model import clean_name
from mind_skills.tasks.complete import CompleteInput
from mind_skills.tasks.tool_input import MAX_ID_LENGTH, make_text_cleaner
from tests.redaction.planted import body
from tests.testkit.command import CommandResult

KEY = "gh" + "p_" + body(Random(1), "abcdefghijABCDEFGHIJ0123456789", 36)
PERSON = "rosa.meier@" + "gmail.com"


@pytest.mark.parametrize("keeps", [clean_name, make_text_cleaner(MAX_ID_LENGTH, line=True)], ids=["a record", "a task"])
def test_an_id_holds_neither_a_key_nor_an_address(keeps: Callable[[str], str]) -> None:
    assert keeps(f"job {KEY}") == "job [redacted:github-token]"
    assert keeps(f"job {PERSON}") == "job [redacted:email]"
    assert keeps("bd-2024-555-0142") == "bd-2024-555-0142"


def test_what_an_agent_says_of_a_task_holds_neither() -> None:
    said = CompleteInput.model_validate(
        {
            "bead_id": PERSON,
            "summary": "done",
            "agent_name": PERSON,
            "files_touched": [PERSON, "/srv/a@b/c.py"],
        }
    )
    assert (said.bead_id, said.agent_name) == ("[redacted:email]", "[redacted:email]")
    assert said.files_touched[0] == "[redacted:email]"
    assert said.files_touched[1] == "/srv/a@b/c.py"  # a file is found by it


@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("words", [("show",), ("skills", "archive"), ("skills", "lint")], ids=" ".join)
def test_an_error_does_not_repeat_a_key(
    words: tuple[str, ...], mind_skills: Callable[..., CommandResult], apart: Path
) -> None:
    done = mind_skills(*words, KEY, "--json")
    assert done.code != 0
    assert KEY not in done.out + done.err
    assert KEY not in "".join(str(path) for path in apart.rglob("*"))


def test_the_answer_to_a_question_does_not_repeat_a_key(mind_skills: Callable[..., CommandResult], apart: Path) -> None:
    assert (
        mind_skills("memory", "search", f"what is {KEY}", "--json").json["query"] == "what is [redacted:github-token]"
    )
