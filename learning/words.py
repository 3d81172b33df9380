"""What the user's words say about the work: approval or complaint.

Only short messages are read: a long one is a task, and its words are about that. Questions say neither. A wish such as
"commit this" is no praise: whether the commit was made is seen elsewhere. English, as the documents are; in another
language nothing is seen, and the outcome rests on what was run.
"""

from __future__ import annotations

import re

SHORT = 280
"""Characters. Longer messages of the sessions that were read were always tasks or pasted output."""

_SENTENCE = re.compile(r"(?<=[.!?\n])\s+|\s[-–—]\s")
_PRAISE_FIRST = re.compile(
    r"\W*(?:(?:ok(?:ay)?|yes|yeah|yep|ah|wow|oh)\b\W*)?"
    r"(?:great|perfect(?:ly)?|nice|awesome|excellent|amazing|brilliant|wonderful|fantastic)\b",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    r"\b(?:thanks|thank you|thx|lgtm|looks (?:good|great)|love it|well done|good job|nice work|all good|exactly what i"
    r"|(?:it|that|this|everything) works|works (?:now|great|fine|perfectly|as expected|like a charm)|fixed it)\b",
    re.IGNORECASE,
)
_COMPLAINT = re.compile(
    r"\bstill (?:not|fail\w*|broken|wrong|crash\w*|the same|doesn.?t|does not|isn.?t|can.?t|getting|seeing|see|get)\b"
    r"|\b(?:does not|doesn.?t|didn.?t|did not|isn.?t|is not|not) (?:work|working|fixed|correct|right)\b"
    r"|\b(?:that|this|it)(?:'s| is) (?:wrong|broken|incorrect|worse|not (?:right|what))\b"
    r"|\byou broke\b|\bnot what i (?:asked|meant|want)|\b(?:undo|revert) (?:this|that|it|everything)\b|\bwtf\b",
    re.IGNORECASE,
)


def approves(text: str) -> bool:
    """A short message with thanks or praise in it, and no complaint."""
    if len(text) > SHORT or complains(text):
        return False
    said = [sentence for sentence in _SENTENCE.split(text.strip()) if not sentence.endswith("?")]
    return any(_PRAISE_FIRST.match(sentence) or _PRAISE.search(sentence) for sentence in said)


def complains(text: str) -> bool:
    """A short message that says that it does not work, or is not what was wanted."""
    return len(text) <= SHORT and bool(_COMPLAINT.search(text))
