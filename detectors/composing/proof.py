"""Find the proof that the remedy of an episode worked: a command with its result line, or the user's confirmation."""

from __future__ import annotations

import re

from mind_skills.detectors.composing.context import EpisodeContext
from mind_skills.detectors.composing.sentences import join_command_lines, truncate
from mind_skills.redaction.lazy_pattern import compile_lazily

_RESULT = compile_lazily(
    r"\b\d+ (?:pass|ok\b|success|tests?\b)|\b(?:passed|succeeded|successful|success|ok|clean|up to date|no (?:errors|issues))\b"
    r"|\b0 (?:errors|failed|issues)\b|✓|✔",
    re.IGNORECASE,
)
_MAX_RESULT_LINES = 40
"""Number of lines at the end of the output that are searched for the result."""
_MAX_COMMAND_LENGTH, _MAX_LINE_LENGTH = 200, 160


def find_proof(context: EpisodeContext, failure: int | None) -> tuple[int, str]:
    """Return the index and the text of the observation that proves the remedy, or (-1, "") if there is none.

    In order of preference: the last check that passed, the last passing run of the failed command, the user's last
    confirmation, the last command that passed.
    """
    timeline = context.timeline
    passed = timeline.select(timeline.passes, context.first if failure is None else failure, context.last + 1)
    reruns = (
        []
        if failure is None
        else [i for i in passed if context.get_observation(i).signature == context.get_observation(failure).signature]
    )
    approvals = [index for index in context.user_messages if timeline.message_traits[index].is_approval]
    checks = timeline.select(timeline.passed_checks, context.first, context.last + 1)
    proof = (checks or reruns or [-1])[-1]
    if proof < 0 and approvals:
        text = "the user: " + " ".join(context.get_observation(approvals[-1]).text.split())
        return approvals[-1], truncate(text, _MAX_LINE_LENGTH)
    verb = "passed" if proof >= 0 else "ran"
    proof = passed[-1] if proof < 0 and passed else proof
    if proof < 0:
        return -1, ""
    observation = context.get_observation(proof)
    result = find_result_line(observation.text)
    command = truncate(join_command_lines(observation.command), _MAX_COMMAND_LENGTH)
    return proof, f"`{command}` {verb}" + (f": {result}" if result else "")


def find_result_line(output: str) -> str:
    """Return the last line of the output that states a result, else the last line; long lines are skipped."""
    rows = [" ".join(row.split()) for row in output.rstrip().rsplit("\n", _MAX_RESULT_LINES)[-_MAX_RESULT_LINES:]]
    rows = [row for row in rows if row and len(row) <= _MAX_LINE_LENGTH]
    return next((row for row in reversed(rows) if _RESULT.search(row)), rows[-1] if rows else "")
