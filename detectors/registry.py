"""Every detector, by name. A test compares this tuple with the folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mind_skills.detectors import deep_investigation, error_fix, non_obvious, problem_solution
from mind_skills.detectors.model import Finding
from mind_skills.detectors.timeline import Timeline, timeline
from mind_skills.detectors.versions import resting
from mind_skills.observations.model import Observation

Detector = Callable[[Timeline], list[Finding]]

DETECTORS: tuple[tuple[str, Detector], ...] = (
    ("problem_solution", problem_solution.detect),
    ("error_fix", error_fix.detect),
    ("deep_investigation", deep_investigation.detect),
    ("non_obvious", non_obvious.detect),
)


def detect(observations: Sequence[Observation], project: str = "") -> list[Finding]:
    """What every detector finds in these observations, in the order of the registry. ``project`` is the session's folder."""
    line = timeline(observations, project)
    return [resting(finding) for _, detector in DETECTORS for finding in detector(line)]
