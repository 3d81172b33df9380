"""Each pattern proposes its example and nothing in a similar story, its neighbour."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mind_skills.detectors import patterns
from mind_skills.detectors.registry import KIND_BY_PATTERN, PATTERNS, propose_episodes
from mind_skills.detectors.timeline import MAX_SPAN, build_timeline
from mind_skills.observations.model import Observation
from tests.testkit.stories.detector_story import Story

RED = "tests/test_a.py:3: AssertionError: expected 10, got 9\n=== 1 failed, 9 passed in 0.1s ==="
GREEN = "=== 10 passed in 0.1s ==="
IMPORT = "ImportError: cannot import name 'formatargspec' from 'inspect'"


def propose_with(pattern: str, story: Story) -> set[tuple[int, int]]:
    """The spans that one pattern proposes for a story."""
    by_name = {each.name: each.propose_spans for each in PATTERNS}
    return set(by_name[pattern](build_timeline(story.observations)))


def add_reads(story: Story, times: int) -> Story:
    return story.reads(*(f"src/part{n}.py" for n in range(times)))


def start(reads: int, *observations: Observation) -> Story:
    """A story of these observations and of so many reads."""
    story = Story()
    story.observations += observations
    return add_reads(story, reads)


EXAMPLES: dict[str, tuple[Story, tuple[int, int], Story]] = {
    "red_to_green": (
        Story().runs("pytest tests/test_a.py", RED, 1).edits("a.py").runs("pytest", GREEN),
        (0, 2),
        Story().runs("pytest tests/test_a.py", RED, 1).edits("a.py").runs("pytest tests/test_b.py", GREEN),
    ),
    "recurring_error": (
        Story()
        .runs("make docs", IMPORT, 1)
        .runs("python build.py", IMPORT, 1)
        .edits("a.py")
        .runs("python build.py", "ok"),
        (0, 3),
        Story()
        .runs("make docs", "make: *** [docs] Error 1", 1)
        .runs("make all", "make: *** [docs] Error 1", 1)
        .runs("ruby b.rb", "ok"),
    ),
    "other_way": (
        Story()
        .runs("gh pr edit 3 --body x", "GraphQL: Projects (classic) is deprecated", 1)
        .runs("gh api repos/a/b/pulls/3 -f body=x", "{}"),
        (0, 1),
        Story().runs("gh pr edit 3 --body x", "GraphQL: timeout", 1).runs("gh pr edit 3 --body x", "done"),
    ),
    "empty_answer": (
        Story()
        .runs("kubectl get pods", "No resources found in default namespace.")
        .runs("kubectl get pods -n shop", "web 1/1 Running"),
        (0, 1),
        Story().runs("git add a.py").runs("kubectl get pods", "web 1/1 Running"),
    ),
    "change_redone": (
        Story()
        .edits("a.py", "call()", "retry(call, times=3)")
        .agent("No.")
        .edits("a.py", "retry(call, times=3)", "call(timeout=9)")
        .runs("python a.py", "ok"),
        (0, 3),
        Story()
        .edits("a.py", "call()", "retry(call, times=3)")
        .edits("b.py", "other_rows = 1", "x")
        .runs("python a.py", "ok"),
    ),
    "failure_changed": (
        Story()
        .runs("npm run build", "error: bad target", 1)
        .edits("vite.config.ts")
        .runs("node dist/main.js", "listening"),
        (0, 2),
        add_reads(Story().runs("npm run build", "error: bad target", 1), 45)
        .edits("vite.config.ts")
        .runs("node dist/main.js", "listening"),
    ),
    "changed_output": (
        Story().runs("python report.py", "9 lines").edits("report.py").runs("python report.py", "10 lines"),
        (0, 2),
        Story().runs("python report.py", "9 lines").runs("python report.py", "10 lines"),
    ),
    "looked_up": (
        Story().fetches("https://example.org/manual").edits("a.py").runs("python a.py", "ok"),
        (0, 2),
        add_reads(Story().fetches("https://example.org/manual"), 25).edits("a.py").runs("python a.py", "ok"),
    ),
    "investigation": (
        add_reads(Story().user("Why is the queue slow?"), 6).agent(
            "The lock of the writer is held while the index is built, so each reader waits for it; the queue itself is idle."
        ),
        (0, 7),
        add_reads(Story().user("Why is the queue slow?"), 2).agent("The lock is held."),
    ),
    "user_turn": (
        Story()
        .user("the sidebar flickers on every page")
        .edits("side.css")
        .runs("npm test", "Tests: 3 passed, 3 total"),
        (0, 2),
        add_reads(Story().user("what does the sidebar do?"), 3).agent("It shows pages."),
    ),
    "tool_retried": (
        Story().refused("a.py").reads("a.py").edits("a.py"),
        (0, 2),
        Story().refused("a.py").reads("a.py").runs("python a.py", "ok"),
    ),
    "failure_passed_over": (
        Story().runs("cargo build", "error: linker `cc` not found", 1).runs("brew install gcc", "done"),
        (0, 1),
        add_reads(Story().runs("cargo build", "error: linker `cc` not found", 1), 31).runs("brew install gcc", "done"),
    ),
}


@pytest.mark.parametrize("name", KIND_BY_PATTERN)
def test_a_pattern_proposes_its_example_and_not_its_neighbour(name: str) -> None:
    example, span, neighbour = EXAMPLES[name]
    assert span in propose_with(name, example)
    assert propose_with(name, neighbour) == set()


LONG = "retry(call, times=3)"
REDONE = Story().edits("a.py", "call()", LONG).observations
IMPORTS = Story().runs("make docs", IMPORT, 1).runs("python build.py", IMPORT, 1).observations
BUILD = Story().runs("npm run build", "error: bad target", 1).observations
FARTHEST: dict[str, tuple[Callable[[int], Story], int]] = {
    "failure_changed": (lambda n: start(n, *BUILD).edits("a.ts").runs("node a.js", "ok"), 38),
    "looked_up": (lambda n: start(n, *Story().fetches("x").observations).edits("a.py").runs("make", "ok"), 18),
    "change_redone": (lambda n: start(n, *REDONE[:1]).edits("a.py", LONG, "x").runs("make", "ok"), 119),
    "other_way": (lambda n: start(n, *BUILD).runs("npm ci", "ok"), 39),
    "failure_passed_over": (lambda n: start(n, *BUILD).runs("brew install node", "ok"), 29),
    "tool_retried": (lambda n: start(n, *Story().refused("a.py").observations).edits("a.py"), 18),
    "recurring_error": (lambda n: start(n, *IMPORTS).runs("make", "ok"), MAX_SPAN - 2),
}
"""Stories in which something follows after so many other observations, and with how many the pattern still proposes."""


@pytest.mark.parametrize("name", FARTHEST)
def test_a_pattern_proposes_nothing_for_what_follows_too_late(name: str) -> None:
    build, farthest = FARTHEST[name]
    stories = [start(1) for _ in range(2)]
    for further, story in enumerate(stories):
        story.observations += build(farthest + further).observations
    assert [bool(propose_with(name, story)) for story in stories] == [True, False]


SPANS: dict[str, tuple[Story, set[tuple[int, int]]]] = {
    "red_to_green": (
        Story().runs("pytest a.py", RED, 1).runs("pytest b.py", RED, 1).runs("pytest a.py", GREEN),
        {(0, 2), (1, 2)},
    ),
    "recurring_error": (start(0, *IMPORTS).runs("node a.js", "a").runs("pytest", GREEN), {(0, 2), (0, 3)}),
    "change_redone": (start(1, *REDONE).runs("git checkout -- a.py").runs("make", "ok"), {(0, 3)}),
    "investigation": (add_reads(Story(), 7).agent("word " * 21).edits("a").runs("make", "ok"), {(0, 7), (0, 9)}),
    "user_turn": (
        Story().user("no").edits("a").edits("b").runs("make", "ok").agent("Done.").user("yes").edits("c"),
        {(0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (5, 6)},
    ),
}


@pytest.mark.parametrize("name", SPANS)
def test_a_pattern_proposes_every_beginning_and_every_end(name: str) -> None:
    story, spans = SPANS[name]
    assert propose_with(name, story) == spans


def test_a_command_of_unknown_result_passes_only_if_the_host_never_reports_success() -> None:
    observations = Story().runs("make", "ok").runs("npm ci", "ok").observations
    for number, passes in ((1, [0]), (0, [0, 1])):
        observations[number].outcome = "unknown"
        assert build_timeline(observations).passes == passes


def test_changing_a_short_line_again_is_no_redone_change_however_far_it_is_indented() -> None:
    story = Story().edits("a.py", "call()", " " * 20 + "}").edits("a.py", " " * 20 + "}", "x").runs("python a.py", "ok")
    assert propose_with("change_redone", story) == set()


def test_every_pattern_is_registered_and_has_an_example() -> None:
    names = {name.removeprefix("propose_") for name in vars(patterns) if name.startswith("propose_")}
    assert names == set(KIND_BY_PATTERN) == set(EXAMPLES)


def test_patterns_that_propose_the_same_span_make_one_episode() -> None:
    story = Story().runs("pytest tests/test_a.py", RED, 1).edits("a.py").runs("pytest tests/test_a.py -x", GREEN)
    (found,) = [
        episode
        for episode in propose_episodes(build_timeline(story.observations))
        if (episode.first, episode.last) == (0, 2)
    ]
    assert found.patterns == ("red_to_green", "other_way", "failure_changed", "failure_passed_over")


def test_no_episode_is_longer_than_the_maximum_span() -> None:
    story = add_reads(Story().user("it fails").edits("a.py"), MAX_SPAN).edits("b.py").runs("pytest", GREEN)
    assert [
        each for each in propose_episodes(build_timeline(story.observations)) if each.last - each.first > MAX_SPAN
    ] == []


def test_observations_of_subagents_propose_no_episode() -> None:
    story = Story().runs("pytest", RED, 1).edits("a.py").runs("pytest", GREEN)
    for one in story.observations:
        one.agent = "subagent"
    assert propose_episodes(build_timeline(story.observations)) == []


MANY: dict[str, Callable[[int], Story]] = {
    "failures": lambda n: _repeat(n, lambda story: story.runs("pytest", RED, 1)),
    "failures and passes": lambda n: _repeat(n, lambda story: story.runs("pytest", RED, 1).runs("pytest", GREEN)),
    "changes": lambda n: _repeat(n, lambda story: story.edits("a.py", "a longer row", "a longer row")),
    "messages": lambda n: _repeat(n, lambda story: story.user("it fails").edits("a.py").runs("pytest", GREEN)),
    "words": lambda n: _repeat(n, lambda story: story.agent("The cause is here. " * 9).reads("a.py")),
}


def _repeat(times: int, unit: Callable[[Story], Story]) -> Story:
    story = Story()
    for _ in range(times):
        unit(story)
    return story


@pytest.mark.parametrize("name", MANY)
def test_a_session_of_twice_the_length_has_at_most_about_twice_the_episodes(name: str) -> None:
    few, many = (len(propose_episodes(build_timeline(MANY[name](times).observations))) for times in (400, 800))
    assert many <= 2.1 * few + 10
