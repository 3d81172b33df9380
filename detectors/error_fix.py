"""A command that failed for a reason of its own, and what made it pass.

Sees: a genuine failure of a command (exit code, error stated by the host, or a hard failure line behind a pipe) and, later, the
same command passing after a change. It counts when somebody said why, or when it took at least two failures of that command.
What the agent says between the failure and the change counts in any words, if it says how things are and not what it does.
Where one error came up under several commands, the cure may be another command that names what the error named.

Example: `mise run lint` fails on `dupl`, a directive is put on the wrong line, it fails again, on the reported line it passes.
Another: "cannot import name 'formatargspec'" stops two commands, a script that sets `inspect.formatargspec` first runs.

Must not fire on: guessed names and flags whose message says what is right; a missing binary, credential or network; slips of
code written a moment ago; the agent's own text that it mends at the next try; tests that are red because they say the old
behaviour, or were skipped or removed; a command that passed unchanged, or after something was installed or restarted.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mind_skills.detectors import evidence, explanations, noise, signals, thresholds
from mind_skills.detectors.model import Evidence, Finding
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.verification import explained, resolution, works_off_a_list
from mind_skills.detectors.workaround import broke_itself, of_own_text
from mind_skills.observations.commands import same
from mind_skills.observations.errors import names_nothing
from mind_skills.observations.later import compile_later

_NAMED = compile_later(r"['\"`‘]([A-Za-z_][\w.]{5,60})['\"`’]")
"""What an error names in quotes: an identifier, long enough not to be found in any text."""


class _Episode(NamedTuple):
    """Indexes: the failures, the changes and the words between, and the run that passed."""

    failures: list[int]
    changes: list[int]
    spoken: list[int]
    solved: int


def detect(line: Timeline) -> list[Finding]:
    """One finding an episode: the failures of one command, or of one error, up to the run that passes."""
    findings: list[Finding] = []
    solved = -1
    for failure in line.failures:
        first = line.observations[failure]
        if failure <= solved or noise.absent(first):
            continue
        episode = _rerun(line, failure) or _other_way(line, failure)
        if episode and not _lay_outside(line, episode):
            findings.append(_finding(line, episode))
            solved = episode.solved
    return findings


def _rerun(line: Timeline, failure: int) -> _Episode | None:
    """The same command passes after a change."""
    observations = line.observations
    first = observations[failure]
    solved = resolution(line, failure, min(failure + thresholds.REACH, len(observations)))
    if solved is None:
        return None
    again = [i for i in line.within(line.failures, failure, solved) if same(first.signature, observations[i].signature)]
    changes = line.within(line.changes, failure, solved)
    if not _changed(changes):
        return None
    recurred = _recurred(line, again)
    slips = all(noise.slip(observations[i]) for i in again)
    if slips and not recurred:
        return None  # whatever was said
    spoken = _spoken(line, again, solved)
    if not (spoken and recurred) and (slips or _owned(line, spoken)):
        return None
    return _Episode(again, changes, spoken, solved) if spoken or recurred else None


def _lay_outside(line: Timeline, episode: _Episode) -> bool:
    """Whether a guess was put right by another guess, somebody who did not answer answered later, or something was installed
    or restarted.

    The same words that pass after a change were no wrong guess; and a change that names what the error names was its cure.
    """
    observations = line.observations
    first, passed = observations[episode.failures[0]], observations[episode.solved]
    if noise.usage_error(first):
        return first.command != passed.command
    between = line.within(line.runs, episode.failures[0], episode.solved)
    set_up = any(noise.sets_up(observations[i]) for i in between)
    if set_up and noise.uninstalled(first):
        return True
    if not set_up and not noise.unreachable(first):
        return False
    named = _parts(first.error)
    return not any(named & _parts(f"{observations[i].change} {observations[i].command}") for i in episode.changes)


def _parts(text: str) -> frozenset[str]:
    """Words that say what a text is about; of a path or a dotted name each part."""
    return signals.tokens(re.sub(r"[._/-]", " ", text))


def _changed(changes: list[int]) -> bool:
    """Whether something was changed: what passes on its own was never broken, or will break again."""
    return bool(changes)


def _owned(line: Timeline, spoken: list[int]) -> bool:
    """Whether the agent calls it a slip of its own."""
    return any(explanations.own_slip(line.observations[i].text) for i in spoken)


def _recurred(line: Timeline, again: list[int]) -> bool:
    """Whether one error came up more than once, and says something: then it counts without words."""
    if len(again) < thresholds.TRIES or names_nothing(line.observations[again[0]].error):
        return False
    return len({line.observations[i].error_signature for i in again}) < len(again)


def _other_way(line: Timeline, failure: int) -> _Episode | None:
    """One error under several commands, and then a command that names what the error named, and succeeds."""
    observations = line.observations
    first = observations[failure]
    names = set(_NAMED.findall(first.error))
    end = min(failure + thresholds.REACH, len(observations))
    if not names or noise.slip(first):
        return None
    again = [
        i for i in line.within(line.failures, failure, end) if observations[i].error_signature == first.error_signature
    ]
    if len({observations[i].command for i in again}) < thresholds.TRIES:
        return None
    for solved in line.within(line.ended, again[-1] + 1, end):
        text = observations[solved].command
        if any(re.search(rf"\b{re.escape(name)}\s*(?:=|\(|:)", text) for name in names) and line.passed(solved):
            return _Episode(again, [], _spoken(line, again, solved), solved)
    return None


def _spoken(line: Timeline, again: list[int], end: int) -> list[int]:
    """Where the cause was named: by what the agent said, else by what it thought.

    Words that mark no cause count from the first failure with the error that was mended last, for what came before it
    was mended on the way; and only where something was looked at in between, or the error outlived a try. Of a linter, or of
    the agent's own text, it must have outlived one.
    """
    observations = line.observations
    insights = [i for i in line.insights(again[0], end) if evidence.telling(line.said[i])]
    spoken = [i for i in insights if observations[i].kind == "assistant"]
    last = next(i for i in again if observations[i].error_signature == observations[again[-1]].error_signature)
    if not spoken and (_recurred(line, again) or not _routine(line, last, end)):
        spoken = [i for i in explained(line, last, end) if _recurred(line, again) or _looked(line, last, i)]
    return spoken or insights


def _routine(line: Timeline, last: int, end: int) -> bool:
    """Whether a failure is of a linter, or of what the agent itself wrote or took out."""
    linter = works_off_a_list(line.observations[last].signature)
    return linter or of_own_text(line, last, end) or broke_itself(line, last)


def _looked(line: Timeline, failure: int, said: int) -> bool:
    """Whether the agent looked at something between a failure and its words: what is plain at once is no finding."""
    between = line.observations[failure + 1 : said]
    return any(one.kind == "tool" and one.action in ("read", "search", "run", "web", "mcp") for one in between)


def _finding(line: Timeline, episode: _Episode) -> Finding:
    observations = line.observations
    failures, changes, spoken, solved = episode
    shown = failures if len(failures) < 3 else [failures[0], failures[-1]]
    parts: list[Evidence] = [evidence.failed(observations[i]) for i in shown]
    parts += [evidence.heard(observations[i], "cause", line.said[i]) for i in spoken[-1:]]
    parts += [evidence.changed(observations[i]) for i in changes[-2:]]
    parts.append(evidence.passed(observations[solved]))
    parts.sort(key=lambda part: part.line)
    telling = next((observations[i] for i in failures if not noise.slip(observations[i])), observations[failures[0]])
    cause = f": {evidence.headline(line.said[spoken[-1]], thresholds.TITLE_CAUSE)}" if spoken else ""
    how = f"after {len(changes)} change(s)" if changes else f"as `{observations[solved].signature}`"
    named = ", the cause was named" if spoken else ""
    return Finding(
        "error_fix",
        evidence.shorten(telling.error + cause, evidence.TITLE),
        f"`{telling.signature}` failed {len(failures)} time(s), passed {how}{named}",
        anchor=telling.error_signature,
        evidence=tuple(parts),
        files=evidence.files_of([observations[i] for i in changes]),
        verified=True,
        insight=any(line.insights(i, i + 1) for i in spoken),
        steps=solved - failures[0],
        taint=evidence.taint_of(list(observations[failures[0] : solved])),
    )
