"""Each veto drops its episode whatever the score, and does not drop a similar episode, its neighbour."""

from __future__ import annotations

import pytest

from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import build_timeline
from mind_skills.detectors.vetoes import VETOES, find_veto
from tests.testkit.stories.detector_story import Story

RED = "tests/test_a.py:3: AssertionError: expected 10, got 9\n=== 1 failed, 9 passed in 0.1s ==="
GREEN = "=== 10 passed in 0.1s ==="


def red() -> Story:
    return Story().runs("pytest", RED, 1)


STORIES: dict[str, list[tuple[Story, Story]]] = {
    "ours": [(red().runs("mind-skills show sc_1", "ok"), red().runs("gh pr view", "ok"))],
    "rejected": [
        (red().rejected("rm -r build"), red().runs("rm -r build")),
    ],
    "protocol": [
        (Story().refused("a.py").reads("a.py"), Story().refused("a.py").edits("a.py")),
        (Story().refused("a.py").reads("a.py"), Story().reads("b.py").reads("a.py")),
    ],
    "reverted": [
        (
            red().edits("a.py").runs("git checkout -- a.py").runs("pytest", GREEN),
            red().edits("a.py").runs("pytest", GREEN),
        ),
        (
            red().edits("a.py").runs("git restore a.py").runs("pytest", GREEN),
            red().edits("a.py").runs("git restore a.py").edits("b.py").runs("pytest", GREEN),
        ),
    ],
    "worked_around": [
        (red().runs("rm tests/test_a.py").runs("pytest", GREEN), red().runs("rm notes.txt").runs("pytest", GREEN)),
        (
            red().runs("rm -r build tests/test_a.py").runs("pytest", GREEN),
            red().runs("rm -r build a.p").runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "def test_a():", "@pytest.mark.skip\ndef test_a():").runs("pytest", GREEN),
            red().edits("tests/test_a.py", "def test_a():", "def test_b():").runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "def test_a():", "@pytest.mark.skip\ndef test_a():").runs("pytest", GREEN),
            red().edits("a.py", "def a():", "@pytest.mark.skip\ndef a():").runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "def test_a():", "@pytest.mark.skip\ndef test_a():").runs("pytest", GREEN),
            red().edits("tests/test_a.py", "    a()", "    a(skipped)").runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "    check(total(), 10)", "").runs("pytest", GREEN),
            red().edits("a.py", "    total += 1", "").runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "    assert a()\n    assert b()", "    assert a()").runs("pytest", GREEN),
            red()
            .edits("tests/test_a.py", "    assert a()\n    assert b()", "    assert b()\n    assert c()")
            .runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "    assert total() == 10", "    assert True").runs("pytest", GREEN),
            red().edits("a.py", "    return total - 1", "    return total").runs("pytest", GREEN),
        ),
        (
            red()
            .edits("tests/test_a.py", r'    check(total(), "10\n")', r'    check(total(), "9\n")')
            .runs("pytest", GREEN),
            red()
            .edits("tests/test_a.py", r'    check(total(), "10\n")', r'    check(sum(), "10\n")')
            .runs("pytest", GREEN),
        ),
        (
            red().edits("tests/test_a.py", "total() == 10", "total() == 9").runs("pytest", GREEN),
            red()
            .edits("tests/test_a.py", "total() == 10", "total() == 9")
            .edits("a.py", "    return total", "    return sum(parts)")
            .runs("pytest", GREEN),
        ),
        (
            red()
            .edits("a.py", "    run()", "    try:\n        run()\n    except Exception:\n        pass")
            .runs("pytest", GREEN),
            red()
            .edits("a.py", "    run()", "    try:\n        run()\n    except KeyError:\n        raise")
            .runs("pytest", GREEN),
        ),
        (
            red().edits("Makefile", "test: pytest", "test: pytest || true").runs("pytest", GREEN),
            red().edits("Makefile", "test: pytest", "test: build pytest").runs("pytest", GREEN),
        ),
    ],
}


def find_veto_of(story: Story) -> str:
    return find_veto(build_timeline(story.observations), Episode(0, len(story.observations) - 1, ("red_to_green",)))


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, pairs in STORIES.items() for number in range(len(pairs))]
)
def test_each_veto_drops_its_episode_and_not_its_neighbour(name: str, number: int) -> None:
    refused, neighbour = STORIES[name][number]
    assert (find_veto_of(refused), find_veto_of(neighbour)) == (name, "")


def test_a_failure_after_an_episode_makes_no_change_within_it_a_workaround() -> None:
    story = Story().reads("a.py").edits("tests/test_a.py", "total() == 10", "total() == 9").runs("pytest", GREEN)
    episode = Episode(0, len(story.observations) - 1, ("changed_output",))
    assert find_veto(build_timeline(story.runs("pytest", RED, 1).observations), episode) == ""


def test_every_veto_has_a_story() -> None:
    assert set(STORIES) == {name for name, _ in VETOES}
