"""Select the episodes of a digest that become candidates, ranked by their probability. Pure."""

from __future__ import annotations

from mind_skills.digest.model import EpisodeDigest, SessionDigest
from mind_skills.digest.session import describe_header, overlap_much, render_digest
from mind_skills.staging.model import MAX_PER_SESSION, Candidate, make_candidate, merge_candidates

TYPE_CHECKING = False
if TYPE_CHECKING:
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
