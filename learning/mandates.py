"""Mandates: by how many votes a proposal rises, one step at a time.

candidate, established from 2 net votes, and from there mandate from 5 with 70 % in favour. The documents say nothing of
it; the source of the steps and their numbers is the original code (`shouldPromote` in `mandate-promotion.ts`).
"""

from __future__ import annotations

from typing import Literal

Standing = Literal["candidate", "established", "mandate", "rejected"]

ESTABLISHED_FROM, MANDATE_FROM, REJECTED_UP_TO = 2.0, 5.0, -3.0
"""Net votes, decayed."""
MANDATE_RATIO = 0.7


def standing(net_votes: float, vote_ratio: float, now: Standing) -> Standing:
    """Where a proposal that stands at ``now`` stands after these votes; a mandate and a rejection are final.

    ``net_votes`` are those in favour less those against, decayed; ``vote_ratio`` is the share in favour, 0.0 to 1.0. A
    candidate becomes established first, however many votes it has: it takes another look to make it a mandate.
    """
    if now in ("mandate", "rejected"):
        return now
    if net_votes <= REJECTED_UP_TO:
        return "rejected"
    if now == "established":
        return "mandate" if net_votes >= MANDATE_FROM and vote_ratio >= MANDATE_RATIO else now
    return "established" if net_votes >= ESTABLISHED_FROM else now
