"""A command fails, and another command of the same program succeeds: the first call was wrong.

Example: `gh pr edit --body x` fails, `gh api ... --field body=x` works. Counterexample: the same command passes when
repeated, which red_to_green.py proposes.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.timeline import Span, Timeline

_MAX_RUNS, _MAX_PASS_DISTANCE, _MAX_ALTERNATIVES = 12, 40, 2
"""Maximum number of later commands, and of observations, that are searched for alternatives; and of alternatives per command."""


def propose_spans(timeline: Timeline) -> Iterator[Span]:
    """Yield spans from a failed command to the next successful commands of the same program with other arguments."""
    failed = set(timeline.failures)
    for position, index in enumerate(timeline.runs):
        if index in failed:
            yield from find_alternatives(timeline, position)


def find_alternatives(timeline: Timeline, position: int) -> Iterator[Span]:
    """Yield spans from the command at ``position`` in ``timeline.runs`` to the next successful ones of the same program.

    A command that is repeated literally is not an alternative.
    """
    start = timeline.runs[position]
    start_programs = list_programs(timeline, start)
    count = 0
    passes = set(timeline.select(timeline.passes, start, start + _MAX_PASS_DISTANCE + 1))
    for index in timeline.runs[position + 1 : position + 1 + _MAX_RUNS]:
        is_other = index in passes and timeline.observations[index].command != timeline.observations[start].command
        if is_other and start_programs & list_programs(timeline, index):
            yield start, index
            count += 1
            if count == _MAX_ALTERNATIVES:
                return


def list_programs(timeline: Timeline, index: int) -> set[str]:
    return {part.split(" ", 1)[0] for part in timeline.observations[index].signature.split(" && ")}
