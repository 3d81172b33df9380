"""From observations to findings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mind_skills.detectors.composing.compose import compose
from mind_skills.detectors.model import Episode
from mind_skills.detectors.registry import build_anchor, detect
from mind_skills.detectors.scorer import load_shipped_model
from mind_skills.detectors.timeline import build_timeline
from tests.testkit.stories.detector_story import Story

RED = "tests/test_rows.py:3: ValueError: bad cell 9 in load_rows\n=== 1 failed, 9 passed in 0.1s ==="
GREEN = "=== 10 passed in 0.1s ==="
ALL = load_shipped_model()._replace(tiers={"high": 0.9, "medium": 0.5, "waiting": 0.0})
"""Weights of the package, and every episode is told."""


def story() -> Story:
    told = Story().user("The export is broken: it fails with ValueError: bad cell 9").runs("pytest", RED, 1)
    told.reads("src/rows.py").agent("The root cause is that load_rows counts the header twice, because of the offset.")
    told.edits("src/rows.py", "rows[1:]", "rows[0:]").runs("pytest", GREEN)
    return told.agent("Fixed: load_rows counted the header twice. All tests pass.").runs("git commit -m 'fix rows'")


def test_a_report_that_was_mended_is_found_with_its_ends_and_its_reasons() -> None:
    (found,) = detect(story().observations, model=ALL)
    assert (found.taint, found.files) == ((), ("src/rows.py",))
    assert found.evidence[0].line >= 10
    assert found.evidence[-1].line <= 65
    assert [part.line for part in found.evidence] == sorted(part.line for part in found.evidence)
    assert found.anchor == "test_rows.py:N: ValueError: bad cell N in load_rows -> rows.py"
    assert 0 < found.probability < 1
    assert 0 < len(found.deciding) <= 6


def test_a_finding_is_identified_by_the_error_that_its_text_shows_and_not_by_a_more_frequent_slip() -> None:
    told = Story().user("The export is broken: it fails with ValueError: bad cell 9")
    for _ in range(3):
        told.runs("rtk pytest", "error: unrecognized subcommand 'pytest'", 2)
    told.runs("pytest", RED, 1)
    told.agent("The root cause is that load_rows counts the header twice, because of the offset.")
    told.edits("src/rows.py", "rows[1:]", "rows[0:]").runs("pytest", GREEN)
    timeline, whole = build_timeline(told.observations), Episode(0, len(told.observations) - 1, ())
    text = compose(timeline, whole)
    assert "ValueError: bad cell 9" in text.symptom
    anchor = build_anchor(timeline, whole, text.failure)
    assert anchor == "test_rows.py:N: ValueError: bad cell N in load_rows -> rows.py"
    assert build_anchor(timeline, whole, None) == ""


def test_nothing_below_the_least_tier_is_handed_on() -> None:
    strict = ALL._replace(tiers={"high": 1.0, "medium": 1.0, "waiting": 1.0})
    assert detect(story().observations, model=strict) == []


def test_a_session_without_episodes_has_no_findings() -> None:
    assert detect([]) == []
    assert detect(Story().user("hello").agent("Hello.").observations, model=ALL) == []


def test_it_says_the_same_of_the_same_session_and_changes_nothing_of_it() -> None:
    observations = story().observations
    before = [replace(one) for one in observations]
    assert detect(observations, model=ALL) == detect(observations, model=ALL)
    assert observations == before


def test_what_rests_on_the_web_is_tainted() -> None:
    told = Story().user("it fails").fetches("https://example.org/x").edits("a.py").runs("pytest", GREEN)
    assert {finding.taint for finding in detect(told.observations, model=ALL)} == {("web",)}


def test_a_scratch_file_is_no_change_unless_the_project_lies_there() -> None:
    told = Story().edits("/tmp/tries/a.py")
    assert build_timeline(told.observations).changes == []
    assert build_timeline(told.observations, "/tmp/tries").changes == [0]


def test_a_comment_alone_is_no_change() -> None:
    assert build_timeline(Story().edits("a.py", "", "# a word on rows").observations).changes == []


@pytest.mark.parametrize(
    "text",
    [
        "a" * 50_000,
        "not " * 20_000,
        "# " * 20_000,
        "because " * 10_000,
        "`" * 40_000,
        "\n" * 40_000,
        "Error: " * 9_000,
        "A_" * 20_000 + "=",
    ],
)
def test_any_text_is_gone_through_in_time(text: str) -> None:
    told = Story().user(f"it fails {text}").runs(f"pytest {text}", f"ValueError: {text}", 1).agent(f"It is {text}")
    told.edits("a.py", text, f"# {text}").runs(f"git commit -m {text}", text).agent(f"fixed {text}")
    assert len(detect(told.observations, model=ALL)) <= 5
