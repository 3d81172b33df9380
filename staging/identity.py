"""What makes two sightings one candidate: the error and its remedy or, without a specific error, the request and the
first step.
"""

from __future__ import annotations

from mind_skills.digest.model import EpisodeDigest
from mind_skills.observations.error_names import normalise_text
from mind_skills.store.project import digest_text


def compute_fingerprint(episode: EpisodeDigest) -> str:
    """Return 32 hex digits that are equal for the same learning. One error with two remedies is two learnings."""
    parts = ("error", episode.error, episode.remedy) if episode.error else ("origin", episode.origin)
    return digest_text("\0".join(map(normalise_text, parts)), 16)


def build_candidate_id(fingerprint: str, attempt: int = 0) -> str:
    """Return the candidate id for a fingerprint: ``sc_`` and 8 hex digits. If it is taken, the caller tries the next ``attempt``."""
    text = fingerprint if attempt == 0 else f"{fingerprint}\0{attempt}"
    return "sc_" + digest_text(text, 4)
