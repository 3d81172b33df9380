"""The errors that an episode solved, so that a later session that meets one of them can be reminded (staging/solved_errors.py).

A reminder must nearly always be right, so most failures are left out: slips in code, wrong usage, failed tests and assertions, which
have another cause each time, and whatever passed without a remedy.
"""

from __future__ import annotations

import re

from mind_skills.detectors import noise
from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import Timeline
from mind_skills.digest.facts import classify_error, name_file, name_program, name_target
from mind_skills.digest.model import SolvedError
from mind_skills.digest.titles import list_files
from mind_skills.observations.commands import is_check
from mind_skills.observations.error_names import is_specific
from mind_skills.observations.model import Observation
from mind_skills.observations.results import is_runner_message
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.store.error_index import build_key, digest_codes, list_keys

MAX_SOLVED = 5
"""Maximum number of errors of an episode, the first ones."""
MAX_STEPS = 200
"""Maximum number of observations from the last failure to the pass; after more of them, something else may have mended it."""
_UNSPECIFIC = ("assertion", "failed", "test failed", "AssertionError", "wrong usage", "syntax", "merge conflict")
"""Errors (digest/facts.py) that have another cause each time."""
_USAGE = compile_lazily(
    r"^[^\S\n]*(?:usage:|available (?:commands|fields|options|subcommands|values)|did you mean|(?:run|try|see|use) .{0,60}--help)",
    re.IGNORECASE | re.MULTILINE,
)
_COMMON_WORDS = frozenset(
    """access already any are been but can cannot could denied directory does doing exist exists file files found given have
    into missing module more most named named need needed not object one open operation option package path permission permitted
    please read such than that there this too try unable unknown use used using value when while will without write you your""".split()
)
"""Words that occur in the errors of all programs."""
_QUERIES = ("git ", "gh ")
"""Commands of these programs mostly look at something, so they are not named as remedies."""
_SETUP = frozenset(("add", "bootstrap", "ci", "install", "restore", "setup", "sync", "update", "upgrade"))
"""Words of commands that provide something, even if their names look like those of checks."""
_OUTPUT = compile_lazily(r"\|(?!\|)|\d?>&?")
"""What is done with the output of a command."""
_MIN_OWN_WORDS = 2
_WORD = compile_lazily(r"[^\W\d_]{3,}")


def list_solved(timeline: Timeline, episode: Episode) -> tuple[SolvedError, ...]:
    """Return the specific errors of the episode's failures whose command passed after their last occurrence, with a remedy."""
    observations = timeline.observations
    solved: dict[str, SolvedError] = {}
    last_by_error = {observations[index].error_signature: index for index in timeline.failures}
    for index in timeline.select(timeline.failures, episode.first, episode.last + 1):
        failed = observations[index]
        key = build_key(failed.error).hex() if _identifies(failed) else ""
        program = name_program(failed.signature)
        if not key or not program or key in solved or len(solved) == MAX_SOLVED:
            continue
        last = last_by_error[failed.error_signature]
        passed = _find_pass(timeline, last, key)
        remedy = _describe_remedy(timeline, last, passed) if passed is not None else ""
        if remedy:
            facts = ", ".join((" ".join(filter(None, (program, name_target(failed)))), remedy))
            solved[key] = SolvedError(key, digest_codes(failed.error).hex(), program, failed.error_signature, facts)
    return tuple(solved.values())


def _identifies(failed: Observation) -> bool:
    """Return whether the error of a failed command identifies what failed."""
    own_words = {word for word in map(str.lower, _WORD.findall(failed.error_signature)) if word not in _COMMON_WORDS}
    return (
        failed.action == "run"
        and is_specific(" ".join(own_words))
        and len(own_words) >= _MIN_OWN_WORDS
        and classify_error(failed.error) not in _UNSPECIFIC
        and not is_runner_message(failed.error)
        and not noise.is_slip(failed)
        and not noise.is_usage_error(failed)
        and not _USAGE.search(failed.text)
    )


def _find_pass(timeline: Timeline, last: int, key: str) -> int | None:
    """Return the pass of the command that failed at ``last``; None if there is none, or if its output has the same error."""
    observations = timeline.observations
    failed = observations[last]
    for index in timeline.select(timeline.passes, last + 1, last + MAX_STEPS):
        passed = observations[index]
        is_same = passed.signature == failed.signature and (
            passed.target == failed.target or is_check(failed.signature)
        )
        if is_same:
            return None if any(found.hex() == key for found, _ in list_keys(passed.text)) else index
    return None


def _describe_remedy(timeline: Timeline, last: int, passed: int) -> str:
    """Return what a command passed after, in typed facts; empty if nothing was done about it."""
    observations = timeline.observations
    if observations[passed].is_outside_sandbox and not observations[last].is_outside_sandbox:
        return "passes outside the sandbox"
    changes = timeline.select(timeline.changes, last + 1, passed)
    names = dict.fromkeys(name for index in changes for path in observations[index].files if (name := name_file(path)))
    if names:
        return f"passes after a change in {list_files(tuple(names))}"
    for index in sorted([*changes, *timeline.select(timeline.passes, last + 1, passed)], reverse=True):
        signature = observations[index].signature
        is_remedy = not (
            signature.startswith(_QUERIES) or (is_check(signature) and _SETUP.isdisjoint(signature.split()))
        )
        if is_remedy and signature != observations[passed].signature and (program := name_program(signature)):
            return f"passes after {program}"
    if _OUTPUT.split(observations[passed].command)[0].split() != _OUTPUT.split(observations[last].command)[0].split():
        return "passes when called in another way"
    return ""
