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
"""The shipped weights, with tiers that let every episode through."""


def story() -> Story:
    made = Story().user("The export is broken: it fails with ValueError: bad cell 9").runs("pytest", RED, 1)
    made.reads("src/rows.py").agent("The root cause is that load_rows counts the header twice, because of the offset.")
    made.edits("src/rows.py", "rows[1:]", "rows[0:]").runs("pytest", GREEN)
    return made.agent("Fixed: load_rows counted the header twice. All tests pass.").runs("git commit -m 'fix rows'")


def test_a_reported_bug_that_was_fixed_is_found_with_its_evidence_and_deciding_features() -> None:
    (found,) = detect(story().observations, model=ALL)
    assert (found.taint, found.files) == ((), ("src/rows.py",))
    assert found.evidence[0].line >= 10
    assert found.evidence[-1].line <= 65
    assert [part.line for part in found.evidence] == sorted(part.line for part in found.evidence)
    assert found.anchor == "test_rows.py:N: ValueError: bad cell N in load_rows -> rows.py"
    assert 0 < found.probability < 1
    assert 0 < len(found.deciding) <= 6


def test_the_anchor_of_a_finding_is_the_error_in_its_text_and_not_a_more_frequent_slip() -> None:
    made = Story().user("The export is broken: it fails with ValueError: bad cell 9")
    for _ in range(3):
        made.runs("rtk pytest", "error: unrecognized subcommand 'pytest'", 2)
    made.runs("pytest", RED, 1)
    made.agent("The root cause is that load_rows counts the header twice, because of the offset.")
    made.edits("src/rows.py", "rows[1:]", "rows[0:]").runs("pytest", GREEN)
    timeline, whole = build_timeline(made.observations), Episode(0, len(made.observations) - 1, ())
    text = compose(timeline, whole)
    assert "ValueError: bad cell 9" in text.symptom
    anchor = build_anchor(timeline, whole, text.failure_index)
    assert anchor == "test_rows.py:N: ValueError: bad cell N in load_rows -> rows.py"
    assert build_anchor(timeline, whole, None) == ""


def test_an_episode_below_the_lowest_tier_is_not_a_finding() -> None:
    strict = ALL._replace(tiers={"high": 1.0, "medium": 1.0, "waiting": 1.0})
    assert detect(story().observations, model=strict) == []


def test_a_session_without_episodes_has_no_findings() -> None:
    assert detect([]) == []
    assert detect(Story().user("hello").agent("Hello.").observations, model=ALL) == []


def test_detecting_twice_gives_equal_findings_and_leaves_the_observations_unchanged() -> None:
    observations = story().observations
    before = [replace(one) for one in observations]
    assert detect(observations, model=ALL) == detect(observations, model=ALL)
    assert observations == before


def test_a_finding_after_a_web_fetch_is_tainted() -> None:
    made = Story().user("it fails").fetches("https://example.org/x").edits("a.py").runs("pytest", GREEN)
    assert {finding.taint for finding in detect(made.observations, model=ALL)} == {("web",)}


def test_an_edit_under_tmp_is_no_change_unless_the_project_is_there() -> None:
    made = Story().edits("/tmp/tries/a.py")
    assert build_timeline(made.observations).changes == []
    assert build_timeline(made.observations, "/tmp/tries").changes == [0]


def test_adding_only_a_comment_is_no_change() -> None:
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
def test_very_long_repetitive_texts_give_at_most_five_findings(text: str) -> None:
    made = Story().user(f"it fails {text}").runs(f"pytest {text}", f"ValueError: {text}", 1).agent(f"It is {text}")
    made.edits("a.py", text, f"# {text}").runs(f"git commit -m {text}", text).agent(f"fixed {text}")
    assert len(detect(made.observations, model=ALL)) <= 5
