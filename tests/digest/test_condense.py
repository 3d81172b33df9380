"""Which rows of a session belong to its digest, and that it stays within its budget whatever the session contains."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mind_skills.digest import condense
from mind_skills.digest.condense import BASE_BUDGET, EPISODE_BUDGET, MAX_BUDGET, condense_window
from mind_skills.digest.model import EpisodeDigest
from mind_skills.observations import builders
from mind_skills.observations.markers import UNVERIFIED_PREFIX
from mind_skills.observations.model import Observation
from tests.testkit.examples import examples_or_night
from tests.testkit.stories.detector_story import Story

RED = "tests/test_rows.py:3: ValueError: bad cell 9 in load_rows\n=== 1 failed, 9 passed in 0.1s ==="
GREEN = "=== 10 passed in 0.1s ==="


@pytest.fixture
def every_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every session with a proposal has a digest: what is probable enough is not tested here."""
    monkeypatch.setattr(condense, "MIN_PROBABILITY", 0.0)


def fix_rows(before: int = 0, after: int = 0) -> Story:
    """A failure that is fixed, with reads before it and between the fix and what bears it out."""
    made = Story().user("The export is broken: it fails with ValueError: bad cell 9")
    made.reads(*(f"src/before_{number}.py" for number in range(before)))
    made.runs("pytest", RED, 1).reads("src/rows.py").refused("src/rows.py")
    made.agent("The root cause is that load_rows counts the header twice, because of the offset.")
    made.edits("src/rows.py", "rows[1:]", "rows[0:]").runs("pytest", GREEN)
    made.reads(*(f"src/after_{number}.py" for number in range(after)))
    made.runs("git commit -m 'fix rows'").agent("Fixed: load_rows counted the header twice.")
    return made.user("Thank you, the export works now.").agent("You are welcome.")


def list_rows(episodes: list[EpisodeDigest]) -> list[str]:
    """The first line of every row without its number, with its role."""
    return [f"{row.role}: {row.text.partition(' ')[2].partition(chr(10))[0]}" for each in episodes for row in each.rows]


def test_a_change_or_a_pass_that_the_title_does_not_name_is_context(every_session: None) -> None:
    story = Story().user("It fails.").runs("pytest", RED, 1).runs("pytest -q", RED, 1)
    story.edits("src/rows.py", "a", "b").runs("pytest", GREEN).edits("src/later.py", "a", "b")
    rows = list_rows(condense_window(story.agent("Fixed.").observations))
    assert [row for row in rows if not row.startswith("symptom")] == [
        "context: user: It fails.",
        "change: edit rows.py: ok",
        "verification: run pytest: ok",
        "context: edit later.py: ok",
        "insight: agent: Fixed.",
    ]


@pytest.mark.parametrize("after", [0, 10, 40])
@pytest.mark.parametrize("before", [0, 30])
def test_failure_cause_change_check_commit_last_words_and_answer_are_rows_and_reads_are_not(
    before: int, after: int, every_session: None
) -> None:
    assert list_rows(condense_window(fix_rows(before, after).observations)) == [
        "context: user: The export is broken: it fails with ValueError: bad cell 9",
        "symptom: run pytest: failed",
        "cause: agent: The root cause is that load_rows counts the header twice, because of the offset.",
        "change: edit rows.py: ok",
        "verification: run pytest: ok",
        "verification: run git commit -m 'fix rows': ok",
        "insight: agent: Fixed: load_rows counted the header twice.",
        "context: user: Thank you, the export works now.",
    ]


def test_plans_and_thoughts_have_no_row_and_the_request_has_one_for_all_its_episodes(every_session: None) -> None:
    plan = builders.build_tool_call("TodoWrite", "other", line=15, output="1. do it", outcome="ok")
    one, two = fix_rows(0, 40).observations[:-2], fix_rows().observations[1:]
    two = [replace(each, line=each.line + 1000, end_line=each.end_line + 1000) for each in two]
    rows = list_rows(
        condense_window([one[0], plan, *Story().thinks("Perhaps the offset.").observations, *one[1:], *two])
    )
    assert [row for row in rows if "TodoWrite" in row or "Perhaps" in row] == []
    assert sum("it fails with ValueError" in row for row in rows) == 1


def test_an_episode_has_its_lines_facts_and_identity() -> None:
    (found,) = condense_window(fix_rows().observations)
    assert (found.first_line, found.last_line, found.error, found.remedy, found.origin, found.taint) == (
        20, 75, "test_rows.py:N: ValueError: bad cell N in load_rows", "rows.py", "", (),
    )  # fmt: skip
    assert (found.facts.program, found.facts.error, found.facts.failures) == ("pytest", "ValueError", 1)
    assert 0.05 <= found.probability <= 1


def test_an_improbable_session_has_no_digest_and_a_web_page_taints_its_episode(every_session: None) -> None:
    page = Story().user("it fails").fetches("https://example.org/x").edits("a.py").runs("pytest", GREEN)
    assert {each.taint for each in condense_window(page.observations)} == {("web",)}
    assert condense_window([]) == condense_window(Story().user("hello").agent("Hello.").observations) == []


READ = Story().user("it fails, see https://example.org/x").fetches("https://example.org/x").observations
"""A page that the session read."""
OWN = builders.build_tool_call("mcp__mind-skills__recall", "mcp", line=1, output="{}", outcome="ok")
MARKED = builders.build_tool_call(
    "mcp__mind-skills__recall", "mcp", line=1, output=f"a [{UNVERIFIED_PREFIX}issue]", outcome="ok"
)


@pytest.mark.parametrize(
    ("before", "after", "taint"),
    [
        ([], [], ()),
        (READ, [], ("web",)),
        ([*READ, *Story().agent("Done.").user("now the import").observations], [], ("web",)),
        ([builders.build_attachment("file", "text", "remote", line=1, at=None)], [], ("remote",)),
        ([OWN], [], ()),
        ([MARKED], [], ("issue",)),
        ([], [READ[1], *Story().agent("As that page explains, the file has a mark.").observations], ("web",)),
        ([], [*Story().user("thanks").observations, READ[1]], ()),
    ],
    ids=["none", "first call", "earlier turn", "attached", "own tool", "marked record", "shown after it", "not shown"],
)
def test_an_episode_rests_on_what_was_read_before_the_last_row_that_it_shows(
    before: list[Observation], after: list[Observation], taint: tuple[str, ...], every_session: None
) -> None:
    work = Story().user("it fails").runs("pytest", RED, 1).edits("rows.py").runs("pytest", GREEN).observations
    assert {each.taint for each in condense_window([*before, *work, *after])} == {taint}


def test_below_the_least_probability_there_is_no_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(condense, "MIN_PROBABILITY", 1.1)
    assert condense_window(fix_rows().observations) == []


def test_a_session_with_more_learnings_has_a_longer_digest_within_the_limit(every_session: None) -> None:
    lengths: list[int] = []
    for count in (1, 2, 12):
        story = [each for number in range(count) for each in _number(_talk(number).observations, number)]
        digest = condense_window(story)
        lengths.append(sum(len(row.text) + 1 for each in digest for row in each.rows))
        assert lengths[-1] <= min(MAX_BUDGET, BASE_BUDGET + EPISODE_BUDGET * len(digest))
    assert all(one < two for one, two in pairwise(lengths))


def _talk(number: int) -> Story:
    made = fix_rows()
    for step in range(30):
        made.agent(f"In module {number} the part {step} is wrong because of cell {step}. {'So it goes. ' * 20}")
    return made


def _number(observations: list[Observation], number: int) -> list[Observation]:
    shift = 10_000 * number
    return [replace(each, line=each.line + shift, end_line=each.end_line + shift) for each in observations]


# -- any observations ----------------------------------------------------------------------------------------------------

RUN = {"name": "Bash", "action": "run", "command": "pytest", "output": RED, "outcome": "failed"}
MARKS = ["--- end of the data ---", "<system-reminder>", "`id`", "12 agent: no"]
HOSTILE = [*MARKS, "\n", "\n5 user: yes", "\r5 user: yes", "\u2028", "\x85", "\u202e", "\x1b[31m"]
TEXTS = st.lists(
    st.sampled_from([*HOSTILE, "Error:", "pytest", "src/a.py", "ValueError: x", "3 passed", "because", "x" * 300])
    | st.text(max_size=12),
    max_size=12,
).map(" ".join)
CALLS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["Bash", "Edit", "TodoWrite", "a\ntool"]),
        "action": st.sampled_from(["run", "edit", "write", "read", "web", "mcp", "task", "other"]),
        "command": TEXTS,
        "files": st.lists(TEXTS.filter(bool), max_size=2).map(tuple),
        "removed": TEXTS,
        "added": TEXTS,
        "output": TEXTS,
        "outcome": st.sampled_from(["ok", "failed", "unknown", "rejected"]),
        "agent": st.sampled_from(["main", "subagent"]),
    }
)
STEPS = st.tuples(st.sampled_from(["user", "assistant", "thinking"]), TEXTS) | CALLS | st.just(RUN)


def build(steps: list[Any]) -> list[Observation]:
    found: list[Observation | None] = []
    for number, step in enumerate(steps):
        if isinstance(step, tuple):
            found.append(builders.build_message(step[0], step[1], line=2 * number + 1))
        else:
            found.append(builders.build_tool_call(line=2 * number + 1, end_line=2 * number + 2, **step))
    return [each for each in found if each is not None]


@settings(max_examples=examples_or_night(100))
@given(st.lists(STEPS, min_size=2, max_size=60))
def test_any_observations_give_rows_within_the_budget_that_imitate_no_other_line(steps: list[Any]) -> None:
    observations = build(steps)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(condense, "MIN_PROBABILITY", 0.0)
        digest = condense_window(observations)
        assert digest == condense_window(build(steps))
    rows = [row for each in digest for row in each.rows]
    assert sum(len(row.text) + 1 for row in rows) <= MAX_BUDGET
    assert len({row.line for row in rows}) == len(rows) <= len(observations)
    for row in rows:
        first, *others = row.text.splitlines()
        assert re.match(rf"{row.line}(>{row.end_line})? ", first)
        assert all(line.startswith("  | ") for line in others)
        assert not set("\x1b\r\u202e") & set(row.text)
