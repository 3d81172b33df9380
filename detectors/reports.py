"""Decide whether a user's message reports a problem rather than requesting something new.

English only. The result is one feature among others; no episode is proposed or vetoed because of it.
"""

from __future__ import annotations

import re

from mind_skills.detectors.phrases import build_phrases
from mind_skills.redaction.lazy_pattern import compile_lazily

_PLAN = compile_lazily(r"\s*(?:implement|execute|carry out) the following plan", re.IGNORECASE)
_HEADING = compile_lazily(r"^#{1,3}\s+(\S.*)$", re.MULTILINE)
_FIX_HEADING = compile_lazily(
    r"^(?:plan:\s*)?(?:bug ?)?(?:fix|debug|resolve|investigate|repair)\b|\bbug\b|\bregression\b", re.IGNORECASE
)
_MANY_FIXES = compile_lazily(
    r"\b(?:issues|comments|findings|suggestions|feedback|warnings|todos|improvements)\b", re.IGNORECASE
)
"""Words in a heading that announce many small fixes, none of which is an episode by itself."""
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
_REQUEST = compile_lazily(
    r"\s*(?:please |can you |could you |ok(?:ay)?,? |now |also,? |let'?s |i want to |i'd like |we should |add |remove |create |implement"
    r"|write |rename |update |refactor |generate |review |explain |what |how |is |are |does |do )",
    re.IGNORECASE,
)
_MAX_FIRST_LINE_LENGTH = 300
_NEGATION = (
    r"\b(?:can(?:not|['’]t| not)|could(?: not|n['’]t)|won['’]t|will not|would(?: not|n['’]t)|do(?:es)?(?: not|n['’]t)"
    r"|did(?: not|n['’]t)|(?:is|are|was|were|has|have)(?: not|n['’]t)|not) (?:\w{1,30} ){0,2}"
    r"(?:work|run|re-?run|start|build|compil|load|show|see|display|appear|visible|find|found|produc|captur|count|open|connect|pass"
    r"|trigger|updat|save|return|render|match|respond|appl|handl|propagat|inherit|includ|persist|set)"
)
_MALFUNCTION = {
    "not |n't |n’t ": _NEGATION,
    "fail|broken|break|bug|crash|hang|stuck|freez|tim": r"\b(?:fails?|failing|failed|failure|broken|breaks?|bug(?:gy)?|crash\w*|hangs?"
    r"|stuck|freez\w*|tim(?:es|ed|ing) out)\b",
    "wrong|incorrect|weird|strange|unexpected|regression|silently": r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|weird|strange|unexpected(?:ly)?"
    r"|regression|silently)\b",
    "error|exception": r"\b\w+(?:error|exception): |\berror: |\berrors? when\b",
    "traceback|panic": r"\btraceback\b|\bpanic: ",
    "root cause|infinite loop|leak|race condition|deadlock": r"\b(?:root cause|infinite loop|leak(?:s|ing|ed)?"
    r"|race condition|deadlock\w*)\b",
}
MALFUNCTION = build_phrases(_MALFUNCTION)
"""Words for something broken that a request for something new does not use."""
PROBLEM = build_phrases(
    {
        **_MALFUNCTION,
        "missing|deprecat": r"\b(?:missing|deprecat\w+)\b",
        "error|exception|warning|traceback|panic": r"\b(?:error|exception|warning|traceback|panic)s?\b[:\s]",
        "rror|xception": r"\b\w+(?:error|exception)\b(?=[:(\"']| when| if| as soon| whenever)",
        "why ": r"\bwhy (?:did|does|do|is|are|was|isn't|doesn't)\b",
        "still ": r"\bstill (?:have|get|see|show|the)\w*\b",
        "never ": r"\bnever (?:captured|called|passed|set|updated)\b",
        "debug|investigate|diagnose|troubleshoot": r"^\s*(?:debug|investigate|diagnose|troubleshoot)\b",
    }
)
"""Words for something that is wrong."""


def is_plan(text: str) -> bool:
    """Return whether a message begins by asking the agent to carry out a plan."""
    return _PLAN.match(text) is not None


def reports_problem(text: str) -> bool:
    """Return whether a message reports a problem. A plan does so if its first heading names one fix and its text gives a reason."""
    if is_plan(text):
        heading = _HEADING.search(text)
        if heading is None or not _FIX_HEADING.search(heading[1]) or _MANY_FIXES.search(heading[1]):
            return False
        lowered = text[heading.end() :].lower()
        return any(word in lowered for word in _REASON)
    if not PROBLEM.matches(text):
        return False
    first_line = text.strip().split("\n", 1)[0][:_MAX_FIRST_LINE_LENGTH]
    return not _REQUEST.match(text) or MALFUNCTION.matches(first_line)
