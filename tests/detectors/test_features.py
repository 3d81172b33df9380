"""A feature is larger if what its name says is true, and each weight has the sign that its feature states."""

from __future__ import annotations

from math import log

import pytest

from mind_skills.detectors.features import FEATURES, Facts, measure_features
from mind_skills.detectors.model import Episode
from mind_skills.detectors.scorer import load_shipped_model
from mind_skills.detectors.timeline import build_timeline
from tests.testkit.stories.detector_story import Story

RED = "tests/test_a.py:3: ValueError: bad cell 9 in load_rows\n=== 1 failed, 9 passed in 0.1s ==="
GREEN = "=== 10 passed in 0.1s ==="


def make_story(
    user: str = "please add a column",
    error: str = RED,
    statement: str = "Looking at it.",
    change: tuple[str, str, str] = ("src/a.py", "old", "new"),
    last: tuple[str, str] = ("pytest", GREEN),
    closing: str = "There.",
) -> Story:
    """A message of the user, a failure, a message of the agent, a change, a run, and a closing message after the episode."""
    story = Story().user(user).runs("pytest", error, 1).agent(statement).edits(*change).runs(*last)
    return story.agent(closing)


def measure_story(
    story: Story, first: int = 0, last: int = 4, patterns: tuple[str, ...] = ("user_turn",)
) -> dict[str, float]:
    return measure_features(Facts(build_timeline(story.observations)), Episode(first, last, patterns))


CASES: dict[str, tuple[Story, Story]] = {
    "user_reported": (make_story("the table is broken: the last row is not shown"), make_story()),
    "user_pasted": (make_story("look:\nValueError: bad cell 9"), make_story()),
    "user_brief": (make_story(), make_story("please add a column " * 30)),
    "user_asked_why": (make_story("why is the column empty?"), make_story()),
    "user_planned": (make_story("Implement the following plan:\n# Add a column\nFirst ..."), make_story()),
    "user_messages": (Story().user("go").reads("a", "b", "c").user("on"), make_story()),
    "cause_density": (make_story(statement="It is so because the cache is stale."), make_story()),
    "cause_found": (make_story(statement="The root cause is the stale cache."), make_story()),
    "reversal": (make_story(statement="Actually, it is another file."), make_story()),
    "permission_discussed": (make_story(statement="The sandbox forbids it."), make_story()),
    "closing_fixed": (make_story(closing="The fix works now: all tests pass."), make_story()),
    "reason_in_comment": (
        make_story(change=("src/a.py", "x", "# the cache must be dropped first, otherwise rows are lost\ny")),
        make_story(),
    ),
    "all_slips": (make_story(error="src/a.py:1: SyntaxError: unexpected token"), make_story()),
    "nameless": (make_story(error="npm ERR! code ELIFECYCLE"), make_story()),
    "absent": (make_story(error="bash: jq: command not found"), make_story()),
    "linter": (Story().user("go").runs("ruff check .", "a.py:1: F401", 1).reads("a", "b", "c"), make_story()),
    "assertion": (make_story(error="AssertionError: expected 10, got 9"), make_story()),
    "red_to_green": (make_story(), make_story(last=("ls", "a.py"))),
    "ends_passed": (make_story(), make_story(last=("ls", "a.py"))),
    "ends_checked": (make_story(), make_story(last=("node a.js", "ok"))),
    "variable_set": (make_story(last=("PYTHONPATH=. pytest", GREEN)), make_story()),
    "documents_only": (make_story(change=("README.md", "old", "new")), make_story()),
}


@pytest.mark.parametrize("name", CASES)
def test_a_feature_is_larger_in_the_story_that_has_it(name: str) -> None:
    more, less = CASES[name]
    assert measure_story(more)[name] > measure_story(less)[name]


@pytest.mark.parametrize("words", ["PLEASE IMPLEMENT THIS PLAN:\n# Add", "Carry out the following plan:\n# Add"])
def test_the_words_with_which_a_host_hands_over_a_plan_are_recognised(words: str) -> None:
    assert [measure_story(make_story(text))["user_planned"] for text in (words, "plan this:\n# Add")] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("name", "more", "less"), [("length", (0, 4), (1, 4)), ("starts_failed", (1, 4), (0, 4)), ("late", (0, 4), (0, 3))]
)
def test_a_feature_of_shape_depends_on_the_span_of_the_episode(
    name: str, more: tuple[int, int], less: tuple[int, int]
) -> None:
    assert measure_story(make_story(), *more)[name] > measure_story(make_story(), *less)[name]


def test_features_keep_the_scale_on_which_their_weights_were_fitted() -> None:
    story = Story().user("it is slow").fetches("https://x.test").runs("pytest", RED, 1).runs("pytest", RED, 1)
    story.agent("The root cause is this. It fails because the cache is stale.").edits("src/a.py").runs("pytest", GREEN)
    found = measure_story(story.agent("There.").reads("b.py", "c.py"), 2, 6, ("red_to_green", "failure_changed"))
    expected = (
        {"cause_density": 2000 / 360, "failure_density": 2 / 5, "share": 4 / 10, "late": 6 / 10, "length": log(5)}
        | {"change_late": log(4), "runs": log(4), "patterns": log(3), "user_messages": 0, "session_web": log(2)}
        | {"session_changes": 1 / 12, "session_causes": 1 / 7, "session_speech": 2 / 12, "session_looks": log(4)}
        | {"session_checks": log(2), "starts_failed": 1, "red_to_green": 1, "own_work": 0, "cause_found": 1}
    )
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_a_commit_or_an_earlier_change_counts_only_near_the_episode() -> None:
    commits = [make_story().reads(*["b.py"] * gap).runs("git commit -m 'fix it'") for gap in (57, 58)]
    assert [measure_story(story)["commit_fixes"] for story in commits] == [1.0, 0.0]
    own = {n: Story().edits("a.py").reads(*["b.py"] * n).runs("pytest", RED, 1).edits("a.py") for n in (14, 15)}
    assert [measure_story(story, n + 1, n + 2)["own_work"] for n, story in own.items()] == [1.0, 0.0]


def test_a_commit_message_with_fix_counts_for_the_episode_before_it() -> None:
    fixed, added = (measure_story(make_story().runs(f"git commit -m '{word} the table'")) for word in ("fix", "add"))
    assert (fixed["commit_fixes"], added["commit_fixes"]) == (1.0, 0.0)


def test_fixing_a_file_that_the_agent_edited_just_before_counts_as_own_work() -> None:
    own = Story().edits("src/a.py").runs("pytest", RED, 1).edits("src/a.py").runs("pytest", GREEN)
    other = Story().edits("src/b.py").runs("pytest", RED, 1).edits("src/a.py").runs("pytest", GREEN)
    assert [measure_story(story, 1, 3)["own_work"] for story in (own, other)] == [1.0, 0.0]


def test_exactly_the_declared_features_are_measured() -> None:
    assert list(measure_story(make_story())) != []
    assert sorted(measure_story(make_story())) == sorted(each.name for each in FEATURES)


def test_every_weight_belongs_to_a_feature_and_has_its_stated_sign() -> None:
    signs = {each.name: each.sign for each in FEATURES}
    weights = load_shipped_model().weights
    assert {name for name, (weight, _, _) in weights.items() if weight * signs[name] < 0} == set()


def test_repeated_words_of_user_and_agent_raise_no_feature_to_sixty() -> None:
    loud = make_story(
        user="it fails because of the root cause " * 200, statement="because the root cause is actually it " * 200
    )
    assert max(measure_story(loud).values()) < 60
