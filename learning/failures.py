"""Which commands failed in earnest: those the host calls failed, and those whose failure a pipe hides."""

from __future__ import annotations

import re

from mind_skills.detectors.noise import genuine_failure
from mind_skills.observations.commands import normalise
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_later

_GREEN = compile_later(
    r"\b0 (?:fail\w*|errors?)\b|\b[1-9]\d* (?:tests? )?pass(?:ed|ing)?\b|\bno issues found\b", re.IGNORECASE
)
_RED = compile_later(r"\b[1-9]\d* (?:tests? )?(?:fail\w*|errors?)\b", re.IGNORECASE)
_TAIL = 2_000
"""Test runners put their sum at the end."""


def is_genuine(observation: Observation) -> bool:
    """Whether a tool call failed, as its host states, for a reason that lies in the work (detectors/noise.py says which do not)."""
    return observation.outcome == "failed" and genuine_failure(observation)


def failed_unseen(observation: Observation) -> bool:
    """Whether a command failed although the host saw none: piped into head or tail, it answers with their exit code.

    Then the output has to say it: a line that names an error, and no sum such as `12 pass, 0 fail` below it.
    """
    if observation.outcome != "ok" or not observation.error or not normalise(observation.command).hides_status:
        return False
    end = observation.text[-_TAIL:]
    return bool(_RED.search(end)) or not _GREEN.search(end)
