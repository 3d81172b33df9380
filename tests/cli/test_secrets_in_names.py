"""A secret or an e-mail address as an id, a name or a path is neither stored nor repeated in an answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from mind_skills.memory.model import clean_name
from mind_skills.tasks.cleaning import MAX_ID_LENGTH, make_text_cleaner
from mind_skills.tasks.complete import CompleteInput
from tests.redaction.planted import body
from tests.testkit.command import CommandResult

KEY = "gh" + "p_" + body(Random(1), "abcdefghijABCDEFGHIJ0123456789", 36)
PERSON = "rosa.meier@" + "gmail.com"


@pytest.mark.parametrize(
    "clean", [clean_name, make_text_cleaner(MAX_ID_LENGTH, single_line=True)], ids=["a record", "a task"]
)
def test_keys_and_email_addresses_in_an_id_are_redacted(clean: Callable[[str], str]) -> None:
    assert clean(f"job {KEY}") == "job [redacted:github-token]"
    assert clean(f"job {PERSON}") == "job [redacted:email]"
    assert clean("bd-2024-555-0142") == "bd-2024-555-0142"


def test_email_addresses_in_an_agents_report_on_a_task_are_redacted() -> None:
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
    assert said.files_touched[1] == "/srv/a@b/c.py"  # preserved, because files are found by their paths


@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("words", [("show",), ("why",), ("skills", "archive"), ("skills", "lint")], ids=" ".join)
def test_the_error_for_an_unknown_name_does_not_repeat_a_key(
    words: tuple[str, ...], mind_skills: Callable[..., CommandResult], apart: Path
) -> None:
    done = mind_skills(*words, KEY, "--json")
    assert done.code != 0
    assert KEY not in done.out + done.err
    assert KEY not in "".join(str(path) for path in apart.rglob("*"))


def test_the_result_of_a_search_does_not_repeat_a_key_in_the_query(
    mind_skills: Callable[..., CommandResult], apart: Path
) -> None:
    assert (
        mind_skills("memory", "search", f"what is {KEY}", "--json").json["query"] == "what is [redacted:github-token]"
    )
