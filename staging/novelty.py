"""What a candidate's rank loses because it is not new: an installed skill says some of it, or it was passed over before.

Beside the probability (staging/select.py), which is about what was observed; this is about what is known already.
"""

from __future__ import annotations

from mind_skills.learning.skills.coverage import SHARE

SAID = -0.25
"""A skill that holds nearly as much of a learning as one that covers it leaves half an agent's attention to gain. Skills
on the same ground hold .1 to .5 of a learning (coverage.py), which costs a tenth of a rank at most."""
PASSED, TIMES = -0.15, 2
"""Each session that was told of it and made nothing of it, and how many count: it may have been the wrong moment once."""


def said(share: float) -> float:
    """The part ``novelty``: 0, or less by how much of it the nearest skill holds (0 to 1)."""
    return round(SAID * min(share / SHARE, 1.0), 3) if share > 0 else 0.0


def passed_over(ignored: int) -> float:
    """The part ``history``: 0, or less by how often it was told in vain."""
    return round(PASSED * min(ignored, TIMES), 3) if ignored > 0 else 0.0
