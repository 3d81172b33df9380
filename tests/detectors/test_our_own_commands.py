"""What an agent does with mind-skills because we asked it to teaches nothing."""

from __future__ import annotations

from mind_skills.detectors.noise import genuine_failure
from mind_skills.detectors.registry import detect
from tests.testkit.stories.detector_story import Story

WHY = "It turns out that the environment was not ready, because pip was still running: the root cause is the race."


def story(command: str) -> Story:
    told = Story().user("please fix it").runs(command, "ValueError: no such candidate", 1)
    return told.agent(WHY).edits("a.py").runs(command, "fine")


def test_a_failing_command_of_ours_is_no_failure_of_the_work() -> None:
    failures = [genuine_failure(seen) for seen in story("mind-skills show sc_1").observations]
    assert failures == [False] * 5
    assert [genuine_failure(seen) for seen in story("pytest tests/test_a.py").observations].count(True) == 1


def test_no_detector_takes_it_for_a_problem_and_its_solution() -> None:
    kinds = {finding.kind for finding in detect(story("mind-skills accept sc_1 --skill x").observations)}
    assert kinds & {"problem_solution", "error_fix"} == set()
