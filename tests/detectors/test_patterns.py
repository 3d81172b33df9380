"""Each pattern proposes its example and leaves its neighbour alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mind_skills.detectors.patterns.registry import KIND_BY_PATTERN, PATTERNS, propose_episodes
from mind_skills.detectors.patterns.spans import MAX_SPAN
from mind_skills.detectors.timeline import build_timeline
from tests.testkit.paths import ROOT
from tests.testkit.stories.detector_story import Story

RED = "tests/test_a.py:3: AssertionError: expected 10, got 9\n=== 1 failed, 9 passed in 0.1s ==="
GREEN = "=== 10 passed in 0.1s ==="
IMPORT = "ImportError: cannot import name 'formatargspec' from 'inspect'"


def spans(pattern: str, told: Story) -> set[tuple[int, int]]:
    """What one pattern proposes of a story."""
    by_name = {each.name: each.propose_spans for each in PATTERNS}
    return set(by_name[pattern](build_timeline(told.observations)))


def read(told: Story, times: int) -> Story:
    return told.reads(*(f"src/part{n}.py" for n in range(times)))


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
        read(Story().runs("npm run build", "error: bad target", 1), 45)
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
        read(Story().fetches("https://example.org/manual"), 25).edits("a.py").runs("python a.py", "ok"),
    ),
    "investigation": (
        read(Story().user("Why is the queue slow?"), 6).agent(
            "The lock of the writer is held while the index is built, so each reader waits for it; the queue itself is idle."
        ),
        (0, 7),
        read(Story().user("Why is the queue slow?"), 2).agent("The lock is held."),
    ),
    "user_turn": (
        Story()
        .user("the sidebar flickers on every page")
        .edits("side.css")
        .runs("npm test", "Tests: 3 passed, 3 total"),
        (0, 2),
        read(Story().user("what does the sidebar do?"), 3).agent("It shows pages."),
    ),
    "tool_retried": (
        Story().refused("a.py").reads("a.py").edits("a.py"),
        (0, 2),
        Story().refused("a.py").reads("a.py").runs("python a.py", "ok"),
    ),
    "failure_passed_over": (
        Story().runs("cargo build", "error: linker `cc` not found", 1).runs("brew install gcc", "done"),
        (0, 1),
        read(Story().runs("cargo build", "error: linker `cc` not found", 1), 31).runs("brew install gcc", "done"),
    ),
}


@pytest.mark.parametrize("name", KIND_BY_PATTERN)
def test_a_pattern_proposes_its_example_and_not_its_neighbour(name: str) -> None:
    example, span, neighbour = EXAMPLES[name]
    assert span in spans(name, example)
    assert spans(name, neighbour) == set()


def test_a_short_line_does_not_count_as_changed_again_however_far_it_is_indented() -> None:
    told = Story().edits("a.py", "call()", " " * 20 + "}").edits("a.py", " " * 20 + "}", "x").runs("python a.py", "ok")
    assert spans("change_redone", told) == set()


def test_the_registry_names_every_file_of_the_folder_but_what_they_share() -> None:
    files = {path.stem for path in (ROOT / "detectors" / "patterns").glob("*.py")} - {"__init__", "registry", "spans"}
    assert files == set(KIND_BY_PATTERN) == set(EXAMPLES)


def test_one_span_is_one_episode_with_all_of_its_patterns() -> None:
    told = Story().runs("pytest tests/test_a.py", RED, 1).edits("a.py").runs("pytest tests/test_a.py -x", GREEN)
    (found,) = [
        episode
        for episode in propose_episodes(build_timeline(told.observations))
        if (episode.first, episode.last) == (0, 2)
    ]
    assert found.patterns == ("red_to_green", "other_way", "failure_changed", "failure_passed_over")


def test_no_episode_is_longer_than_the_reach() -> None:
    told = read(Story().user("it fails").edits("a.py"), MAX_SPAN).edits("b.py").runs("pytest", GREEN)
    assert [
        each for each in propose_episodes(build_timeline(told.observations)) if each.last - each.first > MAX_SPAN
    ] == []


def test_what_subagents_do_proposes_nothing() -> None:
    told = Story().runs("pytest", RED, 1).edits("a.py").runs("pytest", GREEN)
    for one in told.observations:
        one.agent = "subagent"
    assert propose_episodes(build_timeline(told.observations)) == []


MANY: dict[str, Callable[[int], Story]] = {
    "failures": lambda n: _again(n, lambda told: told.runs("pytest", RED, 1)),
    "failures and passes": lambda n: _again(n, lambda told: told.runs("pytest", RED, 1).runs("pytest", GREEN)),
    "changes": lambda n: _again(n, lambda told: told.edits("a.py", "a longer row", "a longer row")),
    "messages": lambda n: _again(n, lambda told: told.user("it fails").edits("a.py").runs("pytest", GREEN)),
    "words": lambda n: _again(n, lambda told: told.agent("The cause is here. " * 9).reads("a.py")),
}


def _again(times: int, unit: Callable[[Story], Story]) -> Story:
    told = Story()
    for _ in range(times):
        unit(told)
    return told


@pytest.mark.parametrize("name", MANY)
def test_of_twice_the_session_about_twice_the_episodes_are_proposed(name: str) -> None:
    few, many = (len(propose_episodes(build_timeline(MANY[name](times).observations))) for times in (400, 800))
    assert many <= 2.1 * few + 10
