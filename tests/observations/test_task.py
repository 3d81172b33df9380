import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.observations.readers.swe_agent import extract_task

PROMPTS = [
    ("<pr_description>\nmake it iterable\n</pr_description>\n\n<instructions>\nWork hard.\n</instructions>", "make it iterable"),
    ("<pr_description>\nConsider the following PR description:\nIt fails\n\nbadly\n</pr_description>", "It fails\n\nbadly"),
    (
        ("We're currently solving the following issue within our repository. Here's the issue text:\nISSUE:\n"
        "It fails\n\nINSTRUCTIONS:\nNow, go.\n"),
        "It fails",
    ),
    ("please fix the build", "please fix the build"),
    ("INSTRUCTIONS:\nonly these", "INSTRUCTIONS:\nonly these"),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("prompt", "task"), PROMPTS)
def test_the_task_is_extracted_from_the_template(prompt, task):
    assert extract_task(prompt) == task


@given(st.text(max_size=300))
def test_the_task_is_always_part_of_the_prompt(prompt):
    assert extract_task(prompt) in prompt
