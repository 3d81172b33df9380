"""From observations to scored episodes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mind_skills.detectors.features import Facts
from mind_skills.detectors.model import Episode
from mind_skills.detectors.registry import propose_episodes, score_episodes
from mind_skills.detectors.timeline import build_timeline
from mind_skills.observations.model import Observation
from tests.testkit.stories.detector_story import Story

RED = "tests/test_rows.py:3: ValueError: bad cell 9 in load_rows\n=== 1 failed, 9 passed in 0.1s ==="
GREEN = "=== 10 passed in 0.1s ==="


def story() -> Story:
    made = Story().user("The export is broken: it fails with ValueError: bad cell 9").runs("pytest", RED, 1)
    made.reads("src/rows.py").agent("The root cause is that load_rows counts the header twice, because of the offset.")
    made.edits("src/rows.py", "rows[1:]", "rows[0:]").runs("pytest", GREEN)
    return made.agent("Fixed: load_rows counted the header twice. All tests pass.").runs("git commit -m 'fix rows'")


def propose(observations: list[Observation]) -> list[Episode]:
    return propose_episodes(build_timeline(observations))


def test_each_span_is_proposed_once_with_all_its_patterns() -> None:
    assert propose(story().observations) == [
        *(Episode(0, last, ("user_turn",)) for last in (4, 5, 6)),
        Episode(1, 5, ("red_to_green", "failure_changed", "failure_passed_over")),
        Episode(1, 7, ("failure_passed_over",)),
    ]
    assert propose([]) == propose(Story().user("hello").agent("Hello.").observations) == []


def test_scoring_twice_gives_equal_probabilities_and_leaves_the_observations_unchanged() -> None:
    observations = story().observations
    before = [replace(one) for one in observations]
    one, two = (score_episodes(Facts(build_timeline(observations))) for _ in range(2))
    assert one == two
    assert [each.episode for each in one] == propose(observations)
    assert all(0 < each.probability < 1 for each in one)
    assert observations == before


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
def test_very_long_repetitive_texts_are_scored(text: str) -> None:
    made = Story().user(f"it fails {text}").runs(f"pytest {text}", f"ValueError: {text}", 1).agent(f"It is {text}")
    made.edits("a.py", text, f"# {text}").runs(f"git commit -m {text}", text).agent(f"fixed {text}")
    assert score_episodes(Facts(build_timeline(made.observations)))
