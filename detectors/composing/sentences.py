"""Sentences of what was said, and which of them can stand alone: no plan, no report of work done, nothing that leans on the
sentence before it.

The lists are short and English. A sentence in another language is judged by what it names alone.
"""

from __future__ import annotations

import re
from functools import lru_cache

from mind_skills.detectors.words import holds
from mind_skills.redaction.lazy_pattern import compile_later

LEAST, SAID = 25, 4_000
"""Characters of the shortest sentence that says something, and of a statement that are looked at."""
_FENCE = compile_later(r"```.*?(?:```|\Z)", re.DOTALL)
_ENDS = compile_later(r"(?<=[.!?;])\s+(?=[A-Z`*\"'(\[0-9_])|(?<=:)\s+(?=[A-Z`])|\n+|(?<=[。！？])")
_DRESS = " *#->|_"
_LEAD = compile_later(
    r"(?:(?:now(?! that)|so(?! that)|ah|ok(?:ay)?|and|but|also|actually|wait|hmm|i see|got it|found it|good|great|perfect"
    r"|yes|no)[,.:!—– -]+ ?"
    r"|(?:the )?root cause(?: (?:confirmed|found|is(?: that)?))?[:!—–-]* |found (?:the )?(?:it|root cause|bug|issue)[:!—–-]+ ?"
    r"|(?:it )?turn(?:s|ed) out(?: that|[,:])? "
    r"|i (?:now )?(?:see|understand) (?:the|what the) (?:\w+ )?(?:issue|problem|bug)s?[:.!—–-]+ ?)+",
    re.IGNORECASE,
)
"""Words before the point."""
_PLANS = compile_later(
    r"(?:let me|let['’]s|i['’](?:ll|d|m)|i (?:will|am|need|should|want|can|could|would|have to|also|then|think|also|just)\b"
    r"|next\b|first,|then |we (?:need|should|can|could)|going to|time to|now i|please |would you|do you|should (?:i|we)"
    r"|the user\b|my (?:\w+ )?(?:next|plan|task|goal)\b|the (?:task|goal|plan|instructions?)\b)",
    re.IGNORECASE,
)
_WILL = (" i will ", " i'll ", " i’ll ", " let me ")
"""A plan behind its reason, which may turn out to be wrong."""
_INSTRUCTS = compile_later(
    r"(?:(?:\w+ly|also|and|then|just) )?(?:add|address|apply|change|check|commit|continue|create|determine|extract|do(?:n['’]t| not)?"
    r"|ensure|fix|implement|investigate|keep|look|make|merge|modify|move|note|open|push|put|read|remove|rename|replace|report|return|review|run|see"
    r"|set|show|stop|take|tell|try|update|use|verify|write)\b(?!\s*(?:\(|[/._:=-]\w|is\b|are\b|was\b|has\b|does\b|fail))",
    re.IGNORECASE,
)
"""Begins with what is to be done: a request of the user, or a step of a plan."""
_ASKS = compile_later(r"(?:why|how|what(?:['’]s| is| are)|can you|could you|should|where)\b", re.IGNORECASE)
_TELLS_OF_ONESELF = compile_later(r"I\b(?!/)|My\b")
_DONE = compile_later(
    r"(?:done|fixed|all (?:\w+ )?(?:tests?|checks?)|everything|perfect|great|excellent|pushed|committed|commit |summary"
    r"|changes? made|updated|verified|validation|verification|tests? pass|here(?:['’]s| is| are)|i (?:did|have|ran|added|fixed))\b",
    re.IGNORECASE,
)
_NARRATES = compile_later(r"[A-Z][a-z]+ing\b[^.!?;:。！？]*\Z")
"""The headings of what somebody is at: "Inspecting the parser"."""
_STATUS = (
    *(
        " pass.",
        " passes",
        " passed",
        " is clean",
        " are clean",
        "looks good",
        "look good",
        " is green",
        " are green",
        "updated",
    ),
    *(
        "still running",
        "rerunning",
        "succeeded",
        "completed",
        "no issues",
        "no errors",
        "no linting",
        "works now",
    ),
    *(
        " is ready",
        " are ready",
        " are in.",
        ": fixed",
        "now running",
        "no regressions",
        " error left",
        "successfully",
        " is now ",
        " now has ",
    ),
)
"""How things stand, which is of no use later."""
_LEANS = compile_later(r"(?:it|this|that|these|those|they|he|she|both|same|which|there)\b", re.IGNORECASE)
_SAYS_WHY = (
    *(
        "because",
        "cause",
        "due to",
        "turns out",
        "issue is",
        "issue was",
        "problem is",
        "problem was",
        "bug is",
        "bug was",
        "reason",
    ),
    *(
        "culprit",
        "why",
        "since ",
        "so that",
        " only ",
        " not ",
        "n't",
        "n’t",
        "never",
        "instead of",
        "rather than",
        "silently",
    ),
    *("must ", "require", "expect", " once ", " unless "),
)


@lru_cache(512)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a statement on one line each, without code blocks, marks of layout and words before the point."""
    found: list[str] = []
    for part in _ENDS.split(_FENCE.sub("\n", text[:SAID])):
        sentence = " ".join(part.replace("**", "").split()).strip(_DRESS)
        bare = _LEAD.sub("", sentence, count=1) if _LEAD.match(sentence) else sentence
        if len(bare) >= LEAST and not bare.startswith("::"):
            found.append(
                bare[0].upper() + bare[1:] if bare[0].islower() and bare[0].isascii() and bare != sentence else bare
            )
    return tuple(found)


def worth(sentence: str) -> float:
    """What a sentence's weight is multiplied by: less for what cannot stand alone, more for what says why."""
    low = sentence.lower()
    factor = 1.15 if holds(low, _SAYS_WHY) else 1.0
    if _DONE.match(sentence):
        factor *= 0.6
    if holds(low, _STATUS):
        factor *= 0.6
    if _LEANS.match(sentence):
        factor *= 0.7
    return factor


def plans(sentence: str) -> bool:
    """Whether somebody says what comes next, or what they are at."""
    return _PLANS.match(sentence) is not None or _NARRATES.match(sentence) is not None or holds(sentence.lower(), _WILL)


def instructs(sentence: str) -> bool:
    """Whether it begins with what somebody is to do."""
    return _INSTRUCTS.match(sentence) is not None


def asks(sentence: str) -> bool:
    """Whether it is a question."""
    return sentence[-1] in "?？" or _ASKS.match(sentence) is not None


def stands_alone(sentence: str) -> bool:
    """Whether a sentence is no plan, no question, no report of work done or of how things stand, tells of something else than
    who says it, and does not lean on the one before it.
    """
    return not (
        plans(sentence)
        or instructs(sentence)
        or asks(sentence)
        or reports(sentence)
        or _TELLS_OF_ONESELF.match(sentence)
        or _LEANS.match(sentence)
        or sentence[-1] == ":"
    )


def reports(sentence: str) -> bool:
    """Whether it tells of work done or how things stand, and not why."""
    low = sentence.lower()
    return _DONE.match(sentence) is not None or (holds(low, _STATUS) and not holds(low, _SAYS_WHY))


def cut(text: str, limit: int) -> str:
    """``text`` within ``limit`` characters, an ellipsis for the words that are left out; no word is cut."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    return (head if text[limit - 1] == " " else head.rpartition(" ")[0] or head).rstrip(" ,;:-–—(`") + "…"


def line_of(command: str) -> str:
    """A command on one line: its lines parted by semicolons, those that go on joined."""
    rows = (" ".join(row.split()) for row in command.replace("\\\n", " ").split("\n"))
    return "; ".join(row.rstrip(";") for row in rows if row)
