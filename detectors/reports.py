"""Whether a user says that something is wrong, and does not ask for something new.

English, in words that people use of programs. It is a feature among others, and no episode is proposed or refused for it.
"""

from __future__ import annotations

import re

from mind_skills.detectors.phrases import phrases
from mind_skills.redaction.lazy_pattern import compile_later

_PLAN = compile_later(r"\s*(?:implement|execute|carry out) the following plan", re.IGNORECASE)
_HEADING = compile_later(r"^#{1,3}\s+(\S.*)$", re.MULTILINE)
_MENDING = compile_later(
    r"^(?:plan:\s*)?(?:bug ?)?(?:fix|debug|resolve|investigate|repair)\b|\bbug\b|\bregression\b", re.IGNORECASE
)
_BATCH = compile_later(
    r"\b(?:issues|comments|findings|suggestions|feedback|warnings|todos|improvements)\b", re.IGNORECASE
)
"""Many small fixes under one heading, none of which is a story of its own."""
_REASON = (
    "because",
    "root cause",
    "due to",
    "caus",
    "problem is",
    "issue is",
    "bug is",
    "never ",
    "doesn't",
    "does not",
    "without ",
)
_REQUEST = compile_later(
    r"\s*(?:please |can you |could you |ok(?:ay)?,? |now |also,? |let'?s |i want to |i'd like |we should |add |remove |create |implement"
    r"|write |rename |update |refactor |generate |review |explain |what |how |is |are |does |do )",
    re.IGNORECASE,
)
_FIRST_LINE = 300
_NEGATED = (
    r"\b(?:can(?:not|['’]t| not)|could(?: not|n['’]t)|won['’]t|will not|would(?: not|n['’]t)|do(?:es)?(?: not|n['’]t)"
    r"|did(?: not|n['’]t)|(?:is|are|was|were|has|have)(?: not|n['’]t)|not) (?:\w{1,30} ){0,2}"
    r"(?:work|run|re-?run|start|build|compil|load|show|see|display|appear|visible|find|found|produc|captur|count|open|connect|pass"
    r"|trigger|updat|save|return|render|match|respond|appl|handl|propagat|inherit|includ|persist|set)"
)
_BROKEN = {
    "not |n't |n’t ": _NEGATED,
    "fail|broken|break|bug|crash|hang|stuck|freez|tim": r"\b(?:fails?|failing|failed|failure|broken|breaks?|bug(?:gy)?|crash\w*|hangs?"
    r"|stuck|freez\w*|tim(?:es|ed|ing) out)\b",
    "wrong|incorrect|weird|strange|unexpected|regression|silently": r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|weird|strange|unexpected(?:ly)?"
    r"|regression|silently)\b",
    "error|exception": r"\b\w+(?:error|exception): |\berror: |\berrors? when\b",
    "traceback|panic": r"\btraceback\b|\bpanic: ",
    "root cause|infinite loop|leak|race condition|deadlock": r"\b(?:root cause|infinite loop|leak(?:s|ing|ed)?"
    r"|race condition|deadlock\w*)\b",
}
BROKEN = phrases(_BROKEN)
"""Something is broken, in words that no request for something new would hold."""
REPORT = phrases(
    {
        **_BROKEN,
        "missing|deprecat": r"\b(?:missing|deprecat\w+)\b",
        "error|exception|warning|traceback|panic": r"\b(?:error|exception|warning|traceback|panic)s?\b[:\s]",
        "rror|xception": r"\b\w+(?:error|exception)\b(?=[:(\"']| when| if| as soon| whenever)",
        "why ": r"\bwhy (?:did|does|do|is|are|was|isn't|doesn't)\b",
        "still ": r"\bstill (?:have|get|see|show|the)\w*\b",
        "never ": r"\bnever (?:captured|called|passed|set|updated)\b",
        "debug|investigate|diagnose|troubleshoot": r"^\s*(?:debug|investigate|diagnose|troubleshoot)\b",
    }
)
"""Something is wrong."""


def plans(text: str) -> bool:
    """Whether a message is a plan that an earlier session wrote, handed over to be carried out."""
    return _PLAN.match(text) is not None


def reports(text: str) -> bool:
    """Whether a message says that something is wrong; a plan does where it is headed by one fix and gives a reason."""
    if plans(text):
        heading = _HEADING.search(text)
        if heading is None or not _MENDING.search(heading[1]) or _BATCH.search(heading[1]):
            return False
        low = text[heading.end() :].lower()
        return any(word in low for word in _REASON)
    if not REPORT.anywhere(text):
        return False
    first = text.strip().split("\n", 1)[0][:_FIRST_LINE]
    return not _REQUEST.match(text) or BROKEN.anywhere(first)
