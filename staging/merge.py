"""How the sightings of one learning become one candidate, and in which order candidates stand.

Pure, and independent of order: whoever stages first, and how often, does not change what waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mind_skills.staging.model import APPROVED, FILES, Candidate, Confidence

RECURRENCE, RECURRENCES = 0.1, 4
"""What each further session adds to the rank, which begins as a probability, and how many count: one environment trap was
labelled in four of 42 sessions, and a learning that comes back is worth more than one that was a little surer once."""
TIERS: tuple[Confidence, ...] = ("waiting", "medium", "high")

KNOWN = ("novelty", "history", APPROVED)
"""Parts that are no part of the score, because they change while it waits (staging/covered.py, staging/decisions.py)."""


def rank(candidate: Candidate) -> float:
    """The score, raised for each further session it was seen in, less what is not new; higher is better.

    The score is a probability (staging/select.py); `mind-skills show` shows all parts.
    """
    known = sum(candidate.parts.get(name, 0.0) for name in KNOWN)
    return candidate.score + recurrence(candidate) + known


def recurrence(candidate: Candidate) -> float:
    """What the further sessions add to the rank."""
    again = min(max(len(candidate.sessions) - 1, 0), RECURRENCES)
    return RECURRENCE * again


def sort_best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """By rank, then the older one, then the fingerprint, so that there is one order only."""
    return sorted(candidates, key=lambda c: (-rank(c), c.detected_at, c.fingerprint))


def unite(sightings: Iterable[Candidate]) -> Candidate:
    """One candidate from all sightings of one fingerprint.

    Title, reason, evidence and session are those of the best sighting, so that the lines belong to the session named;
    sessions, files and taint are united, the time is the first. The highest tier wins, but nothing tainted is high, and what
    two sessions saw waits no longer. Raises ValueError for none.
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
    """The places of few sightings that unite to what all of them do, but for the sessions and the files; of equal ones the first
    given. A file that only they name is no longer the place to look, and others may come with each sighting.
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
    """All candidates of all lists, one a fingerprint, best first, not capped."""
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
