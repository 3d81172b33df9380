"""What bears a change out: a check that passes after it, while no other check is known to be red.

Not borne out is a change after which another check than the red one passed, that was taken back, that only a linter
looked at, or of which the user says that it still does not work; and a command is not cured by a run that leaves out
what failed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache

from mind_skills.detectors import signals, thresholds
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.workaround import worked_around
from mind_skills.observations import checks
from mind_skills.observations.commands import is_check, same
from mind_skills.observations.later import compile_later
from mind_skills.observations.model import Observation

_FORM = r"lint|fmt|format|prettier|ruff|eslint|biome|shellcheck|flake8|pylint|rubocop|style|clippy"
_STYLE = compile_later(rf"{_FORM}|vet")
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
_SCRIPT = compile_later(r"(?:python[0-9.]*|node|ruby|perl|php|deno run|bun run|go run|bash|sh) \S*\w\.\w+\b")
_RUNS_TESTS = compile_later(r"\btests?\b|pytest|unittest|spec\b")
_EVER_OTHER = compile_later(
    r"(?:git|gh|glab|hg|svn|ls|find|cat|head|tail|wc|date|ps|top|df|du|docker|kubectl|sleep|echo|env|history)\b"
)
"""Programs that print something else each time, whatever was changed."""


def verification(line: Timeline, changes: list[int], since: int, end: int) -> int | None:
    """What bears out the last of ``changes``, made in [since, end): the first check that passes after it while none is
    red, a command that was run before and now prints something else, or a user who says that it works.
    """
    last = changes[-1]
    if line.within(line.reverts, last + 1, end):
        return None
    found = _passing_check(line, changes, since, end)
    if found is None and not _red_at(line, since, end):
        found = _other_output(line, last, end) or _approval(line, last, end)
    return None if found is None or _denied(line, found) or worked_around(line, since, found) else found


def resolution(line: Timeline, failure: int, end: int) -> int | None:
    """The first later run of the same command that passes, before ``end``, with what failed still in it."""
    failed = line.observations[failure]
    for index in line.within(line.ended, failure + 1, end):
        passed = line.observations[index]
        if same(failed.signature, passed.signature) and _covers(failed, passed) and proves(line, failure, index):
            if _denied(line, index):
                continue
            return (
                None
                if line.within(line.reverts, failure, index) or worked_around(line, failure, index, failed)
                else index
            )
    return None


def turned(line: Timeline, changes: list[int], since: int, check: int) -> bool:
    """Whether ``check`` is a script that was run in [since, the last change), failed or printed something else then.

    Test runners do not count: what they print differs each time, and they fail for reasons that nobody reported.
    """
    passed = line.observations[check]
    if not _SCRIPT.match(passed.signature) or _RUNS_TESTS.search(passed.signature):
        return False
    before = [*line.within(line.failures, since, changes[-1]), *line.within(line.runs, since, changes[-1])]
    earlier = (line.observations[index] for index in before)
    return any(one.command == passed.command and one.text != passed.text for one in earlier)


def explained(line: Timeline, start: int, end: int) -> list[int]:
    """Where in [start, end) the agent said how things are, and went on to change it: at once, or in words of the change."""
    changes = line.within(line.changes, start, end)
    told = line.explanations(start, changes[-1] if changes else start)
    last: dict[str, int] = {}  # of each word the last change that holds it: comparing each with each takes the square
    for index in changes if told else ():
        one = line.observations[index]
        last.update(dict.fromkeys(signals.tokens(f"{one.change} {' '.join(one.files)} {one.command}"), index))
    return [
        index
        for index in told
        if changes[bisect_right(changes, index)] - index <= thresholds.AT_ONCE
        or any(last.get(word, index) > index for word in signals.tokens(line.said[index]))
    ]


def _passing_check(line: Timeline, changes: list[int], since: int, end: int) -> int | None:
    red: dict[tuple[str, str, bool], int] = {}
    works = False
    failed = line.within(line.failures, since, end)
    events = sorted([*((index, True) for index in failed), *((i, False) for i in line.within(line.ended, since, end))])
    for index, fails in events:
        observation = line.observations[index]
        if not is_check(observation.signature):
            continue
        if fails:
            _turns_red(red, observation, index)
            continue
        if not line.passed(index):
            continue
        mended = [key for key, other in red.items() if _mends(line, other, index)]
        for key in mended:
            del red[key]
        if line.check(index).verdict == "silent" and not mended and not _about_style(line, since):
            continue  # nobody saw it fail: what it would have said before is not known
        style = only_style(observation.signature)
        works = works or (not style and index > changes[0])
        if index > changes[-1] and not red and (not style or works or _about_style(line, since)):
            return index
    return None


def _turns_red(red: dict[tuple[str, str, bool], int], failed: Observation, index: int) -> None:
    """Add a check to those that are red: each once, however often it fails, and not more than a session can have in hand."""
    key = failed.signature, failed.target, bool(_LEAVES_OUT.search(failed.command))
    red.pop(key, None)
    red[key] = index
    if len(red) > thresholds.RED:
        del red[next(iter(red))]


def _mends(line: Timeline, failure: int, check: int) -> bool:
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


def _red_at(line: Timeline, since: int, end: int) -> bool:
    """Whether a check failed and was not seen to pass again."""
    return any(
        is_check(line.observations[i].signature) and resolution(line, i, end) is None
        for i in line.within(line.failures, since, end)[-thresholds.LAST_RED :]
    )


def _other_output(line: Timeline, after: int, end: int) -> int | None:
    before = {
        line.observations[i].command: line.observations[i].text
        for i in line.within(line.runs, max(0, after - thresholds.RERUN), after)
    }
    for index in line.within(line.runs, after + 1, end):
        observation = line.observations[index]
        if _EVER_OTHER.match(observation.signature) or not line.passed(index):
            continue
        if before.get(observation.command, observation.text) != observation.text:
            return index
    return None


def _approval(line: Timeline, after: int, end: int) -> int | None:
    for index in range(after + 1, min(end + 1, len(line.observations))):
        observation = line.observations[index]
        if observation.kind == "user" and observation.agent == "main" and signals.approves(observation.text):
            return index
    return None


def _denied(line: Timeline, check: int) -> bool:
    """Whether the next thing that the user says is that it does not work."""
    observations = line.observations
    later = (observations[i] for i in range(check + 1, min(check + thresholds.ANSWER, len(observations))))
    heard = next((o for o in later if o.kind == "user" and o.agent == "main" and o.text), None)
    return heard is not None and signals.denies(heard.text)


@lru_cache(512)
def only_style(signature: str) -> bool:
    """Whether every check in a command looks at the form of code alone."""
    return all(_STYLE.search(part) for part in signature.split(" && ") if is_check(part))


def not_refuted(line: Timeline, causes: list[int], check: int | None) -> list[int]:
    """Those of ``causes`` that were not acted on in vain: a check was red after the change, and another cause came up."""
    if check is None or not causes:
        return causes
    failed = reversed(line.within(line.failures, causes[0], min(causes[-1], check)))
    red = next((i for i in failed if is_check(line.observations[i].signature)), 0)
    changes = [*line.within(line.changes, causes[0], red), red]
    return [i for i in causes if changes[min(bisect_left(changes, i), len(changes) - 1)] >= red]


def works_off_a_list(signature: str) -> bool:
    """Whether a command is a linter, whose findings are a list to be worked off."""
    return all(re.search(_FORM, part) for part in signature.split(" && "))


def _about_style(line: Timeline, since: int) -> bool:
    """Whether what was wrong is itself a matter of style: then a linter is the right judge."""
    text = line.observations[since].text[: thresholds.STYLE_TEXT].lower() + line.observations[since].signature
    return bool(_STYLE.search(text))


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
