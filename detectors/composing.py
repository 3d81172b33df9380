"""What is said of an episode: a stand-in until the real texts come."""

from __future__ import annotations

from mind_skills.detectors.model import Composed, Episode, Evidence
from mind_skills.detectors.timeline import Timeline
from mind_skills.observations.model import Observation


def compose(line: Timeline, episode: Episode) -> Composed:
    """Failures, the statement that says most of why, the last changes, and the end."""
    a, b = episode.first, episode.last
    failures = line.within(line.failures, a, b + 1)
    said = line.within(line.said, a, b + 1)
    cause = max(said, key=lambda index: (line.heard[index].cause, -index), default=None)
    shown = {a, *failures[:1], *failures[-1:], *line.within(line.changes, a, b)[-1:]} - {b}
    if cause is not None and cause != b:
        shown.add(cause)
    evidence = [_evidence(line.observations[index]) for index in sorted(shown)[:5]]
    last = line.observations[b]
    evidence.append(_evidence(last, (last.end_line or last.line) if last.kind == "tool" else last.line))
    symptom = line.observations[failures[0]].error if failures else line.observations[a].text[:120]
    told = line.observations[cause].text[:200] if cause is not None else ""
    title = " ".join((symptom or told or "learned")[:120].split())
    return Composed(title, symptom[:200], told, "", "", "", tuple(evidence))


def _evidence(one: Observation, line: int = 0) -> Evidence:
    text = one.error or one.change or one.text or one.command
    return Evidence("discovery", "context", " ".join(f"{one.command[:80]} {text}".split())[:200], text[:500], line or one.line)
