"""A command fails, and later the same command passes, including the part that failed, with or without an edit in between.

Example: `pytest tests/test_a.py` fails, `a.py` is edited, `pytest` passes. A span may begin at any of the failures.
Counterexample: another test file passes; the failing test was deselected.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.timeline import MAX_SPAN, Span, Timeline
from mind_skills.detectors.verification import is_fixed_by

_MAX_CHECKED_RUNS = 4
"""Maximum number of later passing runs of a command that are checked for each failure; some are narrower than the failed run."""


def propose_spans(timeline: Timeline) -> Iterator[Span]:
    """Yield spans from a failure to the run that shows the fix, and from the command's last failure before that run."""
    passes: dict[str, list[int]] = {}
    for index in timeline.passes:
        for part in _list_signatures(timeline, index):
            passes.setdefault(part, []).append(index)
    failures: dict[str, list[int]] = {}
    for index in timeline.failures:
        for part in _list_signatures(timeline, index):
            failures.setdefault(part, []).append(index)
    for failure in timeline.failures:
        for part in _list_signatures(timeline, failure):
            checked_runs = 0
            passing_run = timeline.find_after(passes.get(part, []), failure)
            while passing_run is not None and passing_run - failure <= MAX_SPAN and checked_runs < _MAX_CHECKED_RUNS:
                if is_fixed_by(timeline, failure, passing_run):
                    yield failure, passing_run
                    last = timeline.find_before(failures[part], passing_run)
                    if last is not None:
                        yield last, passing_run
                    break
                passing_run = timeline.find_after(passes[part], passing_run)
                checked_runs += 1


def _list_signatures(timeline: Timeline, index: int) -> list[str]:
    signature = timeline.observations[index].signature
    return list(dict.fromkeys(signature.split(" && "))) if signature else []
