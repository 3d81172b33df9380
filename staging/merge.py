"""Merge the sightings of one learning into one candidate, and rank candidates.

Pure and independent of order: neither the order nor the number of stagings changes the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mind_skills.staging.model import APPROVED, FILES, Candidate, Confidence

RECURRENCE, RECURRENCES = 0.1, 4
"""Rank added by each further session, and how many sessions count; the rank starts as a probability. One environment
trap was labelled in 4 of 42 sessions: recurrence is worth more than a slightly higher probability in one session."""
TIERS: tuple[Confidence, ...] = ("waiting", "medium", "high")

KNOWN = ("novelty", "history", APPROVED)
"""Rank components that are not part of the score because they change while a candidate is pending (staging/covered.py,
staging/decisions.py)."""


def rank(candidate: Candidate) -> float:
    """Return the score plus the components for recurrence, novelty, history and approval; higher is better.

    The score is a probability (staging/select.py). `mind-skills show` prints all components.
    """
    known = sum(candidate.parts.get(name, 0.0) for name in KNOWN)
    return candidate.score + recurrence(candidate) + known


def recurrence(candidate: Candidate) -> float:
    """Return the rank added by further sessions."""
    again = min(max(len(candidate.sessions) - 1, 0), RECURRENCES)
    return RECURRENCE * again


def sort_best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Sort by rank, then age, then fingerprint, which gives a total order."""
    return sorted(candidates, key=lambda c: (-rank(c), c.detected_at, c.fingerprint))


def unite(sightings: Iterable[Candidate]) -> Candidate:
    """Merge all sightings of one fingerprint into one candidate. Raises ValueError if there are none.

    Title, reason, evidence and session come from the best sighting, so that the lines belong to that session. Sessions,
    files and taint are united; the time is the earliest. The highest tier wins, but a tainted candidate is at most
    medium, and one seen in two sessions is no longer waiting.
    """
    every = sorted(sightings, key=_order)
    if not every:
        raise ValueError("there is nothing to unite")
    best = max(every, key=_worth)
    injected = [c.injected_at for c in every if c.injected_at is not None]
    taint = tuple(sorted({source for c in every for source in c.taint}))
    sessions = tuple(dict.fromkeys(s for c in every for s in (c.sessions or (c.session_id,))))
    return replace(
        best,
        confidence=_tier(every, again=len(sessions) > 1, taint=bool(taint)),
        files=tuple(sorted({name for c in every for name in c.files})[:FILES]),
        detected_at=every[0].detected_at,
        sessions=sessions,
        taint=taint,
        parts=dict(best.parts),
        injected_at=min(injected) if injected else None,
    )


def _tier(every: Iterable[Candidate], *, again: bool, taint: bool) -> Confidence:
    found = TIERS[max(TIERS.index(c.confidence) for c in every)]
    return "medium" if (found == "high" and taint) or (found == "waiting" and again) else found


def minimal_cover(sightings: Sequence[Candidate]) -> set[int]:
    """Return the indices of a few sightings that merge to the same candidate as all of them, except for sessions and
    files.

    The first of equal sightings is preferred. Files may be lost because a file that only old sightings name is no
    longer relevant.
    """
    every = range(len(sightings))
    if not every:
        return set()
    in_time = sorted(every, key=lambda n: _order(sightings[n]))
    found = {in_time[0], max(in_time, key=lambda n: _worth(sightings[n]))}
    found.add(max(every, key=lambda n: TIERS.index(sightings[n].confidence)))
    offered = [(at, n) for n in every if (at := sightings[n].injected_at) is not None]
    found |= {n for _, n in sorted(offered)[:1]}
    taint = dict[str, int]()
    for n in every:
        for source in sightings[n].taint:
            taint.setdefault(source, n)
    return found | set(taint.values())


def merge(*lists: Iterable[Candidate]) -> list[Candidate]:
    """Merge candidates with equal fingerprints in all lists; best first, without a limit."""
    groups: dict[str, list[Candidate]] = {}
    for candidate in (c for each in lists for c in each):
        groups.setdefault(candidate.fingerprint, []).append(candidate)
    return sort_best_first(unite(group) for group in groups.values())


def _order(candidate: Candidate) -> tuple[object, ...]:
    return (candidate.detected_at, candidate.session_id, *_worth(candidate))


def _worth(candidate: Candidate) -> tuple[object, ...]:
    lines = tuple((e.line, e.type, e.role, e.summary, e.content) for e in candidate.evidence)
    texts = (candidate.title, candidate.reason, candidate.host, candidate.outcome, candidate.id)
    return (candidate.score, len(lines), candidate.session_id, *texts, lines, tuple(sorted(candidate.parts.items())))
