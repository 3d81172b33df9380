"""The text of a candidate in an offer: two lines of typed facts, about its session and about its episode."""

from __future__ import annotations

from mind_skills.digest.titles import describe
from mind_skills.staging.model import Candidate
from mind_skills.staging.offer import APPROVED_LABEL, CHARACTERS_PER_TOKEN

MAX_FACTS = 240
"""Maximum number of characters of an episode's facts, which are cut between words; what follows them is never cut."""


def render_entry(candidate: Candidate) -> str:
    """Return the line of the candidate's session and the line of its episode. Both consist of typed facts (digest/facts.py)."""
    tokens = max(10, round(candidate.digest_length / CHARACTERS_PER_TOKEN, -1))
    facts = describe(candidate.facts)
    parts = [facts if len(facts) <= MAX_FACTS else f"{facts[:MAX_FACTS].rpartition(' ')[0]}…"]
    if len(candidate.sessions) > 1:
        parts.append(f"seen in {len(candidate.sessions)} sessions")
    if candidate.taint:
        parts.append("rests on others' text")
    if candidate.approved:
        parts.append(APPROVED_LABEL)
    return f"{candidate.session_facts}; {tokens:.0f} tokens\n  {candidate.id} {'; '.join(parts)}"
