"""Decide whether a later run proves a fix: it must include what failed, and its output or exit code must show that it passed."""

from __future__ import annotations

import re
from functools import lru_cache

from mind_skills.detectors.timeline import Timeline
from mind_skills.observations import results
from mind_skills.observations.commands import is_check, is_same_command
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_lazily

_STYLE = compile_lazily(r"lint|fmt|format|prettier|ruff|eslint|biome|shellcheck|flake8|pylint|rubocop|style|clippy|vet")
"""Checks of code style, which do not show whether the code works."""
_EXCLUDES_TESTS = compile_lazily(
    r"--deselect|--ignore(?:=|\b)|-k ['\"]?not |--skip|-skip\b|--exclude|PathIgnorePatterns|\bSKIP=|\|\| ?true|--no-verify"
)
_OTHER_STATE = compile_lazily(
    r"\bcd\s+(?:\S*/)?\.\./[\w.-]+|\b(?:make|git|pnpm|npm|yarn|cargo|go)\s+(?:-C|--dir|--prefix|--cwd)[ =]\S*\.\./\S*"
    r"|\bgit\s+(?:(?:checkout|switch|reset|restore)\s+(?!-- |-b )\S+|stash\b(?! pop| apply)|worktree|bisect|revert)"
)
"""Commands that select a folder or a state of the working tree other than the one that was changed."""
_TEST_LOCATION = compile_lazily(r"(?:\.\w+)?(?:::.*|:\d+)?\Z")
"""What follows the name of a test file: its suffix, and a test or a line in the file."""
_FILTER_OPTION = compile_lazily(
    r"(?:^|\s)(?:-k|-m|-run|--run|--grep|-g|--filter|--only|-t|--testNamePattern|--test-name-pattern|--test|-Dtest|--tests|--example|-e|-R"
    r"|--tag|--tags|--group|-n|--name)(?:[ =])('[^']*'|\"[^\"]*\"|[^\s;&|]+)"
)


def is_fixed_by(timeline: Timeline, failure: int, check: int) -> bool:
    """Return whether a later run of the same command includes what failed before, and shows that it passes now."""
    failed, passed = timeline.observations[failure], timeline.observations[check]
    return (
        is_same_command(failed.signature, passed.signature)
        and _includes_failure(failed, passed)
        and is_proven_by(timeline, failure, check)
    )


def is_proven_by(timeline: Timeline, failure: int, check: int) -> bool:
    """Return whether a later run of a failed command shows that the command now passes.

    The later run must neither show a failure nor have checked nothing. If a check that reports test counts is repeated literally,
    more tests must pass than before if any had failed, else at least as many. If a check reports no counts, the failed run must
    not have reported any either. A command that reports no counts must be the same as before, or the exit code of its run must be
    its own (no ``|| true``).
    """
    failed, passed = timeline.observations[failure], timeline.observations[check]
    result = timeline.read_check(check)
    if result.verdict not in ("passed", "silent"):
        return False
    if not is_check(passed.signature):
        return passed.command == failed.command or not results.hides_status(passed.command)
    before = results.parse_check(failed)
    if result.verdict == "passed":
        return passed.command != failed.command or result.passed >= before.passed + bool(before.failed)
    return not before.has_counts and (passed.command == failed.command or not results.hides_status(passed.command))


@lru_cache(512)
def checks_only_style(signature: str) -> bool:
    """Return whether all checks in a command are checks of code style. True if it contains none."""
    return all(_STYLE.search(part) for part in signature.split(" && ") if is_check(part))


def _includes_failure(failed: Observation, passed: Observation) -> bool:
    """Return whether the passing run includes what failed: its target is the same, a wider one, or one that the failure names."""
    if _EXCLUDES_TESTS.search(passed.command) and not _EXCLUDES_TESTS.search(failed.command):
        return False
    if not set(_OTHER_STATE.findall(passed.command)) <= set(_OTHER_STATE.findall(failed.command)):
        return False
    if is_check(passed.signature) and not _is_named_by(
        failed, _read_filters(passed.command) - _read_filters(failed.command)
    ):
        return False
    failed_targets, passed_targets = failed.target.split(), passed.target.split()
    if not is_check(failed.signature):
        return set(failed_targets) == set(passed_targets) or 2 * len(set(failed_targets) & set(passed_targets)) > max(
            len(failed_targets), len(passed_targets)
        )
    if (
        not passed_targets
        or set(failed_targets) & set(passed_targets)
        or any("..." in word or word in (".", "./") for word in passed_targets)
        or any(target.startswith(wider.rstrip("/")) for target in failed_targets for wider in passed_targets)
    ):
        return True
    narrower_targets = [
        target
        for target in passed_targets
        if not failed_targets or any(target.startswith(wider.rstrip("/")) for wider in failed_targets)
    ]
    names = {_TEST_LOCATION.sub("", target.rstrip("./")).rpartition("/")[2] for target in narrower_targets}
    return bool(names) and _is_named_by(failed, names)


def _read_filters(command: str) -> set[str]:
    """Return the test names, markers or lines to which a command is restricted by its options."""
    return {match[1].strip("'\"^$") for match in _FILTER_OPTION.finditer(command)}


def _is_named_by(failed: Observation, filters: set[str]) -> bool:
    """Return whether the failure contains, for each filter of the passing run, one of the filter's last three words."""
    text = f"{failed.command} {failed.error} {failed.text}".lower() if filters else ""
    words_by_filter = [re.findall(r"\w{3,}", test_filter.lower()) for test_filter in filters]
    return all(any(word in text for word in words[-3:]) or not words for words in words_by_filter)
