"""Short lists of words and phrases from which features are computed; in English, which most agents write.

The phrases are searched for as plain substrings of lower-cased text, so each is counted in one pass, without backtracking.
"""

from __future__ import annotations

from collections.abc import Sequence

CAUSE = (
    "because|caused by|due to|root cause|the reason|the issue|the problem|the bug|the culprit|turns out|explains|"
    "that's why|this is why|that is why|which is why|i see|i understand|found the"
).split("|")
"""A reason is given."""
STRONG = (
    "root cause|turns out|the issue is|the problem is|the bug is|the issue was|the problem was|the real |"
    "the actual |culprit|found it|that's why|this is why|that is why|explains why|this explains|see the issue|"
    "see the problem|found the issue|found the problem|found the bug|understand the issue"
).split("|")
"""A search for a cause has ended; rare in other contexts."""
REVERSAL = (
    "actually|wait|hmm|you're right|my mistake|i was wrong|however|unfortunately|interesting|surpris|strange|"
    "weird|unexpected|instead of|misleading|silently|still fail|still not|doesn't"
).split("|")
"""Something differs from what was assumed."""
SOLVED = "fixed|works now|now works|working now|resolved|solved|tests pass|passes now|verified|✅".split("|")
"""The work is done and works."""
ESCALATION = "sudo|sandbox|escalat|permission".split("|")
"""The agent's permissions are discussed."""
BROKEN = (
    "not work|n't work|not show|n't show|broken|error|fail|bug|wrong|crash|issue|problem|stuck|hang|weird|"
    "regress|still |not found|n't see|can't|cannot|never "
).split("|")
"""A user may report a problem; reports.py is stricter."""
WHY = "why |how come|investigat|figure out|debug|diagnos|look into|find out|root cause".split("|")
"""A user asks for the reason."""
FIX = "fix|repair|resolve|solve".split("|")
DENIAL = "still |not work|n't work|same error|same issue|wrong|nope|not fixed|broken|no change".split("|")
"""A user reports that the change does not work."""
APPROVAL = "thanks|thank you|perfect|awesome|great|nice|lgtm|works|all good|exactly".split("|")
REASON = (
    "because|must |otherwise|workaround|note|instead|so that|avoid|ensure|without|not |n't |require|need|prevent|"
    "due to|only "
).split("|")
"""A code comment gives a reason."""


def count_occurrences(text: str, substrings: Sequence[str]) -> int:
    """Return how often any of ``substrings`` occurs in ``text``."""
    count = 0
    for substring in substrings:
        if substring in text:
            count += text.count(substring)
    return count


def contains_any(text: str, substrings: Sequence[str]) -> bool:
    """Return whether ``text`` contains one of ``substrings``."""
    for substring in substrings:  # noqa: SIM110 - a loop is faster than any() with a generator
        if substring in text:
            return True
    return False
