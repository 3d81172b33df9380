"""A problem that the user reported, its cause put into words, a change, and a check that passes afterwards.

Sees: a user message that says that something is wrong (a complaint, a pasted error, a review finding, a plan whose heading
is a fix), a cause given by the user or found by the agent, at least one lasting change, and then a passing test, build or
lint run, or a user who says that it works.

Example: "the report cannot be built a second time" ... "the old file's id is kept after the file is gone" ... edit ... tests pass.

Must not fire on: feature requests, designs that are explained, good news and plans for features; reports that were only
discussed or reviewed; changes that nothing verified, or that take the failing test away; a problem whose cause nobody named,
unless a script that showed it before the change shows it no more.
"""

from __future__ import annotations

from mind_skills.detectors import evidence, signals, thresholds
from mind_skills.detectors.model import Evidence, Finding
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.verification import explained, not_refuted, turned, verification
from mind_skills.detectors.workaround import in_tests
from mind_skills.observations.errors import pasted_error
from mind_skills.observations.later import compile_later

_PLACE = compile_later(r"^\s*\S+:\d+(?::\d+)?:?\s+")
"""Where an error was raised: a line number is another one tomorrow."""


def detect(line: Timeline) -> list[Finding]:
    """One finding a report, at most."""
    return [finding for report in line.reports if (finding := _finding(line, report))]


def _finding(line: Timeline, report: int) -> Finding | None:
    end = line.scope_end(report)
    changes = line.within(line.changes, report, end)
    if not changes:
        return None
    check = verification(line, changes, report, end)
    if check is None and len(changes) > 1:
        check = verification(line, changes[:1], report, end)
    if check is None:
        return None
    cause = _cause(line, report, end, check)
    if cause is None and turned(line, changes, report, check):
        cause = report, line.said[report]
    if cause is None:
        return None
    observations = line.observations
    parts: list[Evidence] = []
    text = observations[report].text
    said = line.said[report]
    if _belongs(text, report, changes[0]):
        parts.append(evidence.heard(observations[report], "symptom", _symptom(text, said)))
    index, words = cause
    if index != report or not parts:
        parts.append(evidence.heard(observations[index], "cause", words))
    failures = line.within(line.failures, report, check)
    parts += [evidence.failed(observations[i]) for i in failures[:1]]
    parts += [evidence.changed(observations[i]) for i in _telling(line, changes)]
    parts.append(evidence.passed(observations[check]))
    parts.sort(key=lambda part: part.line)
    title = _title(text, words if index != report else said)
    touched = [observations[i] for i in changes]
    return Finding(
        "problem_solution",
        title,
        f"a reported problem, its cause named, {len(changes)} change(s), then `{observations[check].signature or 'the user'}` verified it",
        anchor=signals.topic(said) or title,
        evidence=tuple(parts),
        files=evidence.files_of(touched),
        verified=True,
        insight=index != report,
        user_signal=True,
        steps=check - report,
        taint=evidence.taint_of(list(observations[report:check])),
    )


def _cause(line: Timeline, report: int, end: int, check: int | None) -> tuple[int, str] | None:
    """Where the cause was named: by the agent, else in the report itself."""
    found = [i for i in line.insights(report + 1, end, thoughts=False) if evidence.telling(line.said[i])]
    own = signals.gives_cause(line.observations[report].text)
    if own and (signals.is_plan(line.observations[report].text) or not found):
        return report, own
    if found := not_refuted(line, found, check):
        about = signals.tokens(line.said[report])
        best = max(found, key=lambda i: (len(about & signals.tokens(line.said[i])), -i))
        return best, line.said[best]
    told = explained(line, report, end)
    begun = next((i for i in line.within(line.changes, report, end) if not in_tests(line.observations[i])), end)
    told = [i for i in told if i < begun]  # what is said later is of the agent's own work
    return (told[-1], line.said[told[-1]]) if told else None


def _title(text: str, words: str) -> str:
    """What was found; behind the error that the user pasted, by which the problem is known again."""
    error = _PLACE.sub("", pasted_error(text))
    found = evidence.headline(words)
    if not error or error[: thresholds.TITLE_ERROR] in words:
        return found
    return evidence.shorten(f"{evidence.shorten(error, thresholds.TITLE_ERROR)}: {found}", evidence.TITLE)


def _symptom(text: str, said: str) -> str:
    title = signals.title_of_plan(text) if signals.is_plan(text) else ""
    return f"{title}: {said}" if title else said


def _belongs(text: str, report: int, change: int) -> bool:
    return change - report <= thresholds.NEAR or len(text.split()) >= thresholds.SPECIFIC_WORDS


def _telling(line: Timeline, changes: list[int]) -> list[int]:
    """The two largest changes: the others are imports and call sites."""
    largest = sorted(changes, key=lambda i: len(line.observations[i].change), reverse=True)[:2]
    return sorted(largest)
