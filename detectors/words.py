"""The few words that are counted: each a feature's, none a condition of anything. English, as most agents speak.

They are plain pieces of lower-cased text, so that to count them costs one pass each and no expression can run away.
"""

from __future__ import annotations

from collections.abc import Sequence

CAUSE = (
    "because|caused by|due to|root cause|the reason|the issue|the problem|the bug|the culprit|turns out|explains|"
    "that's why|this is why|that is why|which is why|i see|i understand|found the"
).split("|")
"""Somebody says why."""
STRONG = (
    "root cause|turns out|the issue is|the problem is|the bug is|the issue was|the problem was|the real |"
    "the actual |culprit|found it|that's why|this is why|that is why|explains why|this explains|see the issue|"
    "see the problem|found the issue|found the problem|found the bug|understand the issue"
).split("|")
"""A search came to its end: seldom said of anything else."""
REVERSAL = (
    "actually|wait|hmm|you're right|my mistake|i was wrong|however|unfortunately|interesting|surpris|strange|"
    "weird|unexpected|instead of|misleading|silently|still fail|still not|doesn't"
).split("|")
"""It is other than it was taken to be."""
SOLVED = "fixed|works now|now works|working now|resolved|solved|tests pass|passes now|verified|✅".split("|")
"""It is done, and works."""
ESCALATION = "sudo|sandbox|escalat|permission".split("|")
"""What the agent may do is part of it."""
BROKEN = (
    "not work|n't work|not show|n't show|broken|error|fail|bug|wrong|crash|issue|problem|stuck|hang|weird|"
    "regress|still |not found|n't see|can't|cannot|never "
).split("|")
"""A user may say that something is wrong; reports.py tells it more strictly."""
WHY = "why |how come|investigat|figure out|debug|diagnos|look into|find out|root cause".split("|")
"""A user wants to know the reason."""
FIX = "fix|repair|resolve|solve".split("|")
DENIAL = "still |not work|n't work|same error|same issue|wrong|nope|not fixed|broken|no change".split("|")
"""A user says that what was done does not work."""
APPROVAL = "thanks|thank you|perfect|awesome|great|nice|lgtm|works|all good|exactly".split("|")
REASON = (
    "because|must |otherwise|workaround|note|instead|so that|avoid|ensure|without|not |n't |require|need|prevent|"
    "due to|only "
).split("|")
"""A comment in the code gives a reason."""


def count(low: str, pieces: Sequence[str]) -> int:
    """How often pieces stand in a text, which is in lower case."""
    found = 0
    for piece in pieces:
        if piece in low:
            found += low.count(piece)
    return found


def holds(low: str, pieces: Sequence[str]) -> bool:
    """Whether one of the pieces stands in a text, which is in lower case."""
    for piece in pieces:  # noqa: SIM110 - a loop asks sooner than a function for each of them
        if piece in low:
            return True
    return False
