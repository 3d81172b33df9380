"""Merge the sightings of one learning into one candidate, and rank candidates.

Pure. The result depends neither on the order in which sightings are staged nor on how often one is staged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mind_skills.staging.model import APPROVED, MAX_FILES, Candidate, Confidence

RECURRENCE_RANK, MAX_RECURRENCES = 0.1, 4
"""Rank that each further session adds to the score, and maximum number of further sessions that count. One defect of an
environment was labelled in 4 of 42 sessions, so recurrence counts more than a slightly higher probability in one session."""
TIERS: tuple[Confidence, ...] = ("waiting", "medium", "high")

MUTABLE_PARTS = ("novelty", "history", APPROVED)
"""Rank components that are not part of the score, because they may change while a candidate is pending (staging/covered.py,
staging/decisions.py)."""


def compute_rank(candidate: Candidate) -> float:
    """Return the score plus the components for recurrence, novelty, history and approval; higher is better.

    The score is an adjusted probability (staging/select.py). `mind-skills show` prints all components.
    """
    mutable_rank = sum(candidate.parts.get(name, 0.0) for name in MUTABLE_PARTS)
    return candidate.score + compute_recurrence_rank(candidate) + mutable_rank


def compute_recurrence_rank(candidate: Candidate) -> float:
    """Return the rank added by further sessions."""
    recurrences = min(max(len(candidate.sessions) - 1, 0), MAX_RECURRENCES)
    return RECURRENCE_RANK * recurrences


def sort_best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Sort by rank, best first, then by age, oldest first, then by fingerprint, so that the order is total."""
    return sorted(candidates, key=lambda c: (-compute_rank(c), c.detected_at, c.fingerprint))


def merge_sightings(sightings: Iterable[Candidate]) -> Candidate:
    """Merge all sightings of one fingerprint into one candidate. Raises ValueError if there are none.

    Title, statements, evidence and session come from the best sighting, so that all lines belong to that session. Sessions,
    files and taint of all sightings are combined; the time is the earliest. The highest tier wins, but a tainted candidate
    is at most medium, and a candidate seen in two sessions is at least medium.
    """
    ordered = sorted(sightings, key=_get_sort_key)
    if not ordered:
        raise ValueError("no sightings to merge")
    best = max(ordered, key=_get_quality_key)
    injected = [c.injected_at for c in ordered if c.injected_at is not None]
    taint = tuple(sorted({source for c in ordered for source in c.taint}))
    sessions = tuple(dict.fromkeys(s for c in ordered for s in (c.sessions or (c.session_id,))))
    return replace(
        best,
        confidence=_merge_tiers(ordered, is_recurrent=len(sessions) > 1, is_tainted=bool(taint)),
        files=tuple(sorted({name for c in ordered for name in c.files})[:MAX_FILES]),
        detected_at=ordered[0].detected_at,
        sessions=sessions,
        taint=taint,
        parts=dict(best.parts),
        injected_at=min(injected) if injected else None,
    )


def _merge_tiers(candidates: Iterable[Candidate], *, is_recurrent: bool, is_tainted: bool) -> Confidence:
    highest = TIERS[max(TIERS.index(c.confidence) for c in candidates)]
    return "medium" if (highest == "high" and is_tainted) or (highest == "waiting" and is_recurrent) else highest


def find_minimal_cover(sightings: Sequence[Candidate]) -> set[int]:
    """Return the indices of a few sightings that merge into the same candidate as all of them, except for sessions and files.

    Of equal sightings, the first is preferred. A file that only the other sightings name is lost: it is no longer relevant.
    """
    indices = range(len(sightings))
    if not indices:
        return set()
    by_time = sorted(indices, key=lambda index: _get_sort_key(sightings[index]))
    cover = {by_time[0], max(by_time, key=lambda index: _get_quality_key(sightings[index]))}
    cover.add(max(indices, key=lambda index: TIERS.index(sightings[index].confidence)))
    offered = [(at, index) for index in indices if (at := sightings[index].injected_at) is not None]
    cover |= {index for _, index in sorted(offered)[:1]}
    first_by_taint = dict[str, int]()
    for index in indices:
        for source in sightings[index].taint:
            first_by_taint.setdefault(source, index)
    return cover | set(first_by_taint.values())


def merge_candidates(*lists: Iterable[Candidate]) -> list[Candidate]:
    """Merge candidates with equal fingerprints, across all lists; return all results, best first."""
    groups: dict[str, list[Candidate]] = {}
    for candidate in (c for each in lists for c in each):
        groups.setdefault(candidate.fingerprint, []).append(candidate)
    return sort_best_first(merge_sightings(group) for group in groups.values())


def _get_sort_key(candidate: Candidate) -> tuple[object, ...]:
    return (candidate.detected_at, candidate.session_id, *_get_quality_key(candidate))


def _get_quality_key(candidate: Candidate) -> tuple[object, ...]:
    lines = tuple((e.line, e.type, e.role, e.summary, e.content) for e in candidate.evidence)
    texts = (candidate.title, candidate.reason, candidate.host, candidate.outcome, candidate.id)
    return (candidate.score, len(lines), candidate.session_id, *texts, lines, tuple(sorted(candidate.parts.items())))
