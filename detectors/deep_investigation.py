"""A long search on a few files that ended in a cause, and in something that bears it out.

Sees: five or more observations on one file, among them a problem (a failure, or a report before it) and a fix (a change of that
file or a verified conclusion), and a passage in which the agent names the root cause after the search, not before it.

Example: nine files are read along the path of a value, then "the two conversion functions drop the new fields"; the tests of
the branch that adds them pass.

Must not fire on: reading a file often while a feature is built; a review; an investigation that ends in a plan that was rejected;
an intermediate conclusion that a later one replaces: the last one counts.
"""

from __future__ import annotations

from collections import Counter

from mind_skills.detectors import evidence, signals, thresholds
from mind_skills.detectors.model import Evidence, Finding
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.verification import verification


def detect(line: Timeline) -> list[Finding]:
    """One finding a report: the last conclusion that its investigation came to."""
    return [finding for report in line.reports if (finding := _finding(line, report))]


def _finding(line: Timeline, report: int) -> Finding | None:
    observations = line.observations
    end = line.next_report(report)
    looks = [i for i in range(report, end) if observations[i].action in ("read", "search")]
    if len(looks) < thresholds.LOOKS:
        return None
    concluded = _conclusions(line, looks[thresholds.LOOKS - 1], end)
    if not concluded:
        return None
    first = concluded[0]
    visits = Counter(
        name
        for i in range(report, end)
        for name in evidence.looked_at(observations[i])
        if observations[i].kind == "tool"
    )
    busiest, count = visits.most_common(1)[0] if visits else ("", 0)
    if count < thresholds.VISITS:
        return None
    scope = line.scope_end(report)
    changes = line.within(line.changes, report, scope)
    check = verification(line, [max([first, *changes[-1:]])], report, scope)
    if check is None and not changes:  # the cure may be somebody else's branch, tried after a question or two
        check = verification(line, [first], report, end)
    if check is None:
        return None
    cause = _last_word(concluded, check)
    parts: list[Evidence] = [
        evidence.heard(observations[report], "symptom", line.said[report]),
        evidence.heard(observations[cause], "cause", line.said[cause]),
        *(evidence.changed(observations[i]) for i in changes[-2:]),
        evidence.passed(observations[check]),
    ]
    parts.sort(key=lambda part: part.line)
    title = evidence.headline(line.said[cause])
    return Finding(
        "deep_investigation",
        title,
        f"{sum(i < first for i in looks)} looks before the cause was found, {count} visits to {busiest.rsplit('/', 1)[-1]}, then verified",
        anchor=signals.topic(line.said[report]) or title,
        evidence=tuple(parts),
        files=tuple(name for name, _ in visits.most_common(5)),
        verified=True,
        insight=True,
        user_signal=True,
        steps=check - report,
        taint=evidence.taint_of(list(observations[report:check])),
    )


def _conclusions(line: Timeline, begun: int, end: int) -> list[int]:
    """Where in [begun, end) the agent says that it found out why."""
    observations = line.observations
    said = [i for i in line.within(line.spoken, begun, end) if observations[i].kind == "assistant"]
    found = [i for i in said if signals.concludes(observations[i]) and line.insights(i, i + 1)]
    return [i for i in found if evidence.telling(line.said[i])]


def _last_word(concluded: list[int], check: int) -> int:
    """The conclusion that counts: of several the last one before the check."""
    return max(concluded, key=lambda i: (i < check, i))
