"""Select the episodes of a digest that become candidates. Pure.

The probability of an episode ranks it; earlier decisions of the user shift it within bounds (learning/taste.py).
"""

from __future__ import annotations

from mind_skills.digest.model import EpisodeDigest, SessionDigest
from mind_skills.digest.session import describe_header, overlap_much, render_digest
from mind_skills.staging.model import MAX_PER_SESSION, Candidate, get_confidence, make_candidate, merge_candidates
from mind_skills.store.light_dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mind_skills.learning.taste import Taste
    from mind_skills.observations.model import Session


def select_candidates(digest: SessionDigest, session: Session, outcome: str) -> list[Candidate]:
    """Return a candidate for each of the best episodes that have little in common, at most five, best first."""
    best: list[EpisodeDigest] = []
    for episode in sorted(digest.episodes, key=lambda each: (-each.probability, each.first_line)):
        if (
            len(best) < MAX_PER_SESSION
            and not episode.doubt
            and not any(overlap_much(episode, other) for other in best)
        ):
            best.append(episode)
    length = len(render_digest(digest)) if best else 0
    session_facts = describe_header(digest.header)
    at = session.ended or session.started or 0
    return merge_candidates(
        make_candidate(each, session, at=at, outcome=outcome, session_facts=session_facts, digest_length=length)
        for each in best
    )


def apply_taste(candidate: Candidate, taste: Taste) -> Candidate:
    """Return the candidate with the confidence and score that result from the user's taste.

    The adjustment starts from the scorer's probability, so repeated calls do not add up.
    """
    if not candidate.probability:
        return candidate
    adjusted = taste.adjust_probability(candidate.probability, candidate.deciding)
    shift = round(adjusted - candidate.probability, 4)
    parts = {name: value for name, value in candidate.parts.items() if name not in ("probability", "user")}
    parts = {"probability": round(candidate.probability, 4), **({"user": shift} if shift else {}), **parts}
    score = sum(value for name, value in parts.items() if name not in ("novelty", "history"))
    return replace(candidate, confidence=get_confidence(adjusted), score=max(0.0, round(score, 4)), parts=parts)
