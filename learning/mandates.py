"""Mandates: by how many votes a proposal rises. candidate, established from 2 net votes, mandate from 5 with 70 % in favour."""

from __future__ import annotations

from typing import Literal

Standing = Literal["candidate", "established", "mandate", "rejected"]

ESTABLISHED_FROM, MANDATE_FROM, REJECTED_UP_TO = 2.0, 5.0, -3.0
"""Net votes, decayed."""
MANDATE_RATIO = 0.7


def standing(net_votes: float, vote_ratio: float, now: Standing) -> Standing:
    """Where a proposal stands after these votes; a mandate and a rejection are final."""
    if now in ("mandate", "rejected"):
        return now
    if net_votes <= REJECTED_UP_TO:
        return "rejected"
    if net_votes >= MANDATE_FROM and vote_ratio >= MANDATE_RATIO:
        return "mandate"
    return "established" if net_votes >= ESTABLISHED_FROM else now
