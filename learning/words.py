"""What the user's words say about the work: approval or complaint.

Only short messages are read: a long one is a task, and its words are about that. Questions say neither. A wish such as
"commit this" is no praise: whether the commit was made is seen elsewhere. English, as the documents are; in another
language nothing is seen, and the outcome rests on what was run.
"""

from __future__ import annotations

import re

from mind_skills.detectors.phrases import phrases
from mind_skills.redaction.lazy_pattern import compile_later

SHORT = 280
"""Characters. Longer messages of the sessions that were read were always tasks or pasted output."""

_SENTENCE = compile_later(r"(?<=[.!?\n])\s+|\s[-–—]\s")
_PRAISE_FIRST = compile_later(
    r"\W*(?:(?:ok(?:ay)?|yes|yeah|yep|ah|wow|oh)\b\W*)?"
    r"(?:great|perfect(?:ly)?|nice|awesome|excellent|amazing|brilliant|wonderful|fantastic)\b",
    re.IGNORECASE,
)
_PRAISE = phrases(
    {
        "thanks": r"\bthanks\b",
        "thank you": r"\bthank you\b",
        "thx": r"\bthx\b",
        "lgtm": r"\blgtm\b",
        "looks ": r"\blooks (?:good|great)\b",
        "love it": r"\blove it\b",
        "well done": r"\bwell done\b",
        "good job": r"\bgood job\b",
        "nice work": r"\bnice work\b",
        "all good": r"\ball good\b",
        "exactly what i": r"\bexactly what i\b",
        " works": r"\b(?:it|that|this|everything) works\b",
        "works ": r"\bworks (?:now|great|fine|perfectly|as expected|like a charm)\b",
        "fixed it": r"\bfixed it\b",
    }
)
_FIRST = ("great", "perfect", "nice", "awesome", "excellent", "amazing", "brilliant", "wonderful", "fantastic")
"""One of these stands in a sentence that begins with praise."""
_COMPLAINT = phrases(
    {
        "still ": r"\bstill (?:not|fail\w*|broken|wrong|crash\w*|the same|doesn.?t|does not|isn.?t|can.?t|getting|seeing|see|get)\b",
        "t work|t fixed|t correct|t right": r"\b(?:does not|doesn.?t|didn.?t|did not|isn.?t|is not|not)"
        r" (?:work|working|fixed|correct|right)\b",
        "s wrong|s broken|s incorrect|s worse|s not ": r"\b(?:that|this|it)(?:'s| is)"
        r" (?:wrong|broken|incorrect|worse|not (?:right|what))\b",
        "you broke": r"\byou broke\b",
        "not what i ": r"\bnot what i (?:asked|meant|want)",
        "undo |revert ": r"\b(?:undo|revert) (?:this|that|it|everything)\b",
        "wtf": r"\bwtf\b",
    }
)


def approves(text: str) -> bool:
    """A short message with thanks or praise in it, and no complaint."""
    if len(text) > SHORT or complains(text):
        return False
    first = any(map(text.lower().__contains__, _FIRST))
    if not first and not _PRAISE.anywhere(text):
        return False
    said = [sentence for sentence in _SENTENCE.split(text.strip()) if not sentence.endswith("?")]
    return any((first and _PRAISE_FIRST.match(sentence)) or _PRAISE.anywhere(sentence) for sentence in said)


def complains(text: str) -> bool:
    """A short message that says that it does not work, or is not what was wanted."""
    return len(text) <= SHORT and _COMPLAINT.anywhere(text)
