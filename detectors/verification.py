"""Whether a later run bears out that what failed was mended: the same command, with what failed still in it, that counts
no fewer tests and states by itself that it passed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from mind_skills.detectors.timeline import Timeline
from mind_skills.observations import checks
from mind_skills.observations.commands import is_check, same
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_later

_STYLE = compile_later(r"lint|fmt|format|prettier|ruff|eslint|biome|shellcheck|flake8|pylint|rubocop|style|clippy|vet")
"""Checks that look at the form of code: they say nothing about whether it works."""
_LEAVES_OUT = compile_later(
    r"--deselect|--ignore(?:=|\b)|-k ['\"]?not |--skip|-skip\b|--exclude|PathIgnorePatterns|\bSKIP=|\|\| ?true|--no-verify"
)
_ELSEWHERE = compile_later(
    r"\bcd\s+(?:\S*/)?\.\./[\w.-]+|\b(?:make|git|pnpm|npm|yarn|cargo|go)\s+(?:-C|--dir|--prefix|--cwd)[ =]\S*\.\./\S*"
    r"|\bgit\s+(?:(?:checkout|switch|reset|restore)\s+(?!-- |-b )\S+|stash\b(?! pop| apply)|worktree|bisect|revert)"
)
"""Another folder beside this one, or another state of it than the one that was changed."""
_PLACE = compile_later(r"(?:\.\w+)?(?:::.*|:\d+)?\Z")
"""Behind the name of a file of tests: its ending, and a test or a line in it."""
_NARROWS = compile_later(
    r"(?:^|\s)(?:-k|-m|-run|--run|--grep|-g|--filter|--only|-t|--testNamePattern|--test-name-pattern|--test|-Dtest|--tests|--example|-e|-R"
    r"|--tag|--tags|--group|-n|--name)(?:[ =])('[^']*'|\"[^\"]*\"|[^\s;&|]+)"
)


def cures(line: Timeline, failure: int, check: int) -> bool:
    """Whether a run that passed has in it what failed before, and shows that it passed."""
    failed, passed = line.observations[failure], line.observations[check]
    return same(failed.signature, passed.signature) and _covers(failed, passed) and proves(line, failure, check)


def proves(line: Timeline, failure: int, check: int) -> bool:
    """Whether a later run of a command that failed shows by itself that it passed: tests were counted, no fewer than before.

    What prints no counts must have printed none when it failed, and have ended well by its own exit code, or in the same
    words whose failure was seen. Commands that check nothing prove what they say.
    """
    failed, passed = line.observations[failure], line.observations[check]
    said = line.check(check)
    if said.verdict not in ("passed", "silent"):
        return False
    if not is_check(passed.signature):
        return passed.command == failed.command or not checks.hides_status(passed.command)
    before = checks.read(failed)
    if said.verdict == "passed":
        return passed.command != failed.command or said.passed >= before.passed + bool(before.failed)
    return not before.counted and (passed.command == failed.command or not checks.hides_status(passed.command))


@lru_cache(512)
def only_style(signature: str) -> bool:
    """Whether every check in a command looks at the form of code alone."""
    return all(_STYLE.search(part) for part in signature.split(" && ") if is_check(part))


def _covers(failed: Observation, passed: Observation) -> bool:
    """Whether the run that passed has in it what failed: the same target, a wider one, or one that the failure names."""
    if _LEAVES_OUT.search(passed.command) and not _LEAVES_OUT.search(failed.command):
        return False
    if not set(_ELSEWHERE.findall(passed.command)) <= set(_ELSEWHERE.findall(failed.command)):
        return False
    if is_check(passed.signature) and not _named_by(failed, _narrowed(passed.command) - _narrowed(failed.command)):
        return False
    wanted, given = failed.target.split(), passed.target.split()
    if not is_check(failed.signature):
        return set(wanted) == set(given) or 2 * len(set(wanted) & set(given)) > max(len(wanted), len(given))
    if not wanted and given:
        return _named_by(failed, {_PLACE.sub("", word.rstrip("./")).rpartition("/")[2] for word in given})
    if not given or set(wanted) & set(given) or any("..." in word or word in (".", "./") for word in given):
        return True
    return any(a.startswith(b.rstrip("/")) or b.startswith(a.rstrip("/")) for a in wanted for b in given)


def _narrowed(command: str) -> set[str]:
    """What a command is narrowed to by an option: names of tests, marks, lines."""
    return {found[1].strip("'\"^$") for found in _NARROWS.finditer(command)}


def _named_by(failed: Observation, narrowed: set[str]) -> bool:
    """Whether all that a run was narrowed to is part of what the failure names."""
    text = f"{failed.command} {failed.error} {failed.text}".lower() if narrowed else ""
    parts = (re.findall(r"\w{3,}", each.lower()) for each in narrowed)
    return all(any(word in text for word in words[-3:]) or not words for words in parts)
