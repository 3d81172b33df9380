"""What is measured of an episode grows with what its name says, and weights keep the signs that were stated."""

from __future__ import annotations

import pytest

from mind_skills.detectors.facts import Facts
from mind_skills.detectors.features import FEATURES, measure_features
from mind_skills.detectors.model import Episode
from mind_skills.detectors.scorer import load_shipped_model
from mind_skills.detectors.timeline import build_timeline
from tests.testkit.stories.detector_story import Story

RED = "tests/test_a.py:3: ValueError: bad cell 9 in load_rows\n=== 1 failed, 9 passed in 0.1s ==="
GREEN = "=== 10 passed in 0.1s ==="


def told(
    user: str = "please add a column",
    error: str = RED,
    said: str = "Looking at it.",
    change: tuple[str, str, str] = ("src/a.py", "old", "new"),
    last: tuple[str, str] = ("pytest", GREEN),
    closing: str = "There.",
) -> Story:
    """A message, a failure, words, a change, a run, and last words: the episode is all but those."""
    story = Story().user(user).runs("pytest", error, 1).agent(said).edits(*change).runs(*last)
    return story.agent(closing)


def measure_story(
    story: Story, first: int = 0, last: int = 4, patterns: tuple[str, ...] = ("user_turn",)
) -> dict[str, float]:
    return measure_features(Facts(build_timeline(story.observations)), Episode(first, last, patterns))


CASES: dict[str, tuple[Story, Story]] = {
    "user_reported": (told("the table is broken: the last row is not shown"), told()),
    "user_pasted": (told("look:\nValueError: bad cell 9"), told()),
    "user_brief": (told(), told("please add a column " * 30)),
    "user_asked_why": (told("why is the column empty?"), told()),
    "user_planned": (told("Implement the following plan:\n# Add a column\nFirst ..."), told()),
    "cause_density": (told(said="It is so because the cache is stale."), told()),
    "cause_found": (told(said="The root cause is the stale cache."), told()),
    "reversal": (told(said="Actually, it is another file."), told()),
    "permission_discussed": (told(said="The sandbox forbids it."), told()),
    "closing_fixed": (told(closing="The fix works now: all tests pass."), told()),
    "reason_in_comment": (
        told(change=("src/a.py", "x", "# the cache must be dropped first, otherwise rows are lost\ny")),
        told(),
    ),
    "all_slips": (told(error="src/a.py:1: SyntaxError: unexpected token"), told()),
    "nameless": (told(error="npm ERR! code ELIFECYCLE"), told()),
    "absent": (told(error="bash: jq: command not found"), told()),
    "assertion": (told(error="AssertionError: expected 10, got 9"), told()),
    "red_to_green": (told(), told(last=("ls", "a.py"))),
    "ends_passed": (told(), told(last=("ls", "a.py"))),
    "ends_checked": (told(), told(last=("node a.js", "ok"))),
    "variable_set": (told(last=("PYTHONPATH=. pytest", GREEN)), told()),
    "documents_only": (told(change=("README.md", "old", "new")), told()),
}


@pytest.mark.parametrize("name", CASES)
def test_a_feature_is_larger_where_it_is_so(name: str) -> None:
    more, less = CASES[name]
    assert measure_story(more)[name] > measure_story(less)[name]


@pytest.mark.parametrize(
    ("name", "more", "less"), [("length", (0, 4), (1, 4)), ("starts_failed", (1, 4), (0, 4)), ("late", (0, 4), (0, 3))]
)
def test_a_feature_of_the_shape_depends_on_the_span(name: str, more: tuple[int, int], less: tuple[int, int]) -> None:
    assert measure_story(told(), *more)[name] > measure_story(told(), *less)[name]


def test_a_commit_that_says_fix_counts_for_what_comes_before_it() -> None:
    fixed, added = (measure_story(told().runs(f"git commit -m '{word} the table'")) for word in ("fix", "add"))
    assert (fixed["commit_fixes"], added["commit_fixes"]) == (1.0, 0.0)


def test_what_the_agent_wrote_a_moment_ago_is_its_own_work() -> None:
    own = Story().edits("src/a.py").runs("pytest", RED, 1).edits("src/a.py").runs("pytest", GREEN)
    other = Story().edits("src/b.py").runs("pytest", RED, 1).edits("src/a.py").runs("pytest", GREEN)
    assert [measure_story(story, 1, 3)["own_work"] for story in (own, other)] == [1.0, 0.0]


def test_every_feature_is_measured_once_and_nothing_else() -> None:
    assert list(measure_story(told())) != []
    assert sorted(measure_story(told())) == sorted(each.name for each in FEATURES)


def test_every_weight_has_the_sign_that_was_stated_and_is_of_a_feature() -> None:
    signs = {each.name: each.sign for each in FEATURES}
    weights = load_shipped_model().weights
    assert {name for name, (weight, _, _) in weights.items() if weight * signs[name] < 0} == set()


def test_words_of_the_user_and_the_agent_alone_raise_no_number_above_its_bounds() -> None:
    loud = told(user="it fails because of the root cause " * 200, said="because the root cause is actually it " * 200)
    assert max(measure_story(loud).values()) < 60
