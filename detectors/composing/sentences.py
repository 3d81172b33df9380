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
_ENDS = compile_later(
    r"(?<=[.!?;])(?<!e\.g\.)(?<!i\.e\.)\s+(?=[A-Z`*\"'(\[0-9_])|(?<=:)\s+(?=[A-Z`])|\n+|(?<=[。！？])"
)
_LINKED = compile_later(r"\[([^\[\]\n]{1,80})\]\([^()\s]{1,200}\)")
"""A name with the place that it is linked to."""
_DRESS = " *#->|_"
_LEAD = compile_later(
    r"(?:(?:now(?! that)|so(?! that)|ah|ok(?:ay)?|and|but|also|actually|wait|hmm|i see|got it|found it|good|great"
    r"|perfect|straightforward"
    r"|yes|no)[,.:!—– -]+ ?"
    r"|(?:the )?root cause(?: (?:confirmed|found|is(?: that)?))?[:!—–-]* |found (?:the )?(?:it|root cause|bug"
    r"|issue)[:!—–-]+ ?"
    r"|(?:it )?turn(?:s|ed) out(?: that|[,:])? "
    r"|i(?:[’']ve| have)? (?:verified|confirmed|found|noticed|discovered|realized|learned|can see|now see) that "
    r"|i (?:now )?(?:see|understand) (?:the|what the) (?:\w+ )?(?:issue|problem|bug)s?[:.!—–-]+ ?)+",
    re.IGNORECASE,
)
"""Words before the point."""
_PLANS = compile_later(
    r"(?:let me|let['’]s|i['’](?:ll|d|m)|i (?:will|am|need|should|want|can|could|would|have to|also|then|think|also"
    r"|just)\b"
    r"|next\b|first,|then |we (?:need|should|can|could)|going to|time to|now i|please |would you|do you|should (?:i|we)"
    r"|the user\b|my (?:\w+ )?(?:next|plan|task|goal)\b|the (?:task|goal|plan|instructions?)\b)",
    re.IGNORECASE,
)
_OF_ONESELF = (" i’m ", " i'm ", " i need ", " i should ", " i have ")
_WILL = (" i will ", " i'll ", " i’ll ", " let me ")
"""A plan behind its reason, which may turn out to be wrong."""
_INSTRUCTS = compile_later(
    r"(?:(?:\w+ly|also|and|then|just|you can|you could|if you) )?(?:add|comment|need|address|apply|change|check"
    r"|commit|continue|create|describe|determine|explain|extract|figure|find|give|go|investigate|launch|research"
    r"|rewrite|do(?:n['’]t| not)?"
    r"|ensure|fix|implement|keep|look|make|merge|modify|move|note|open|pass|push|put|revert|read|remove|rename|replace|report"
    r"|return|review|run|see"
    r"|set|show|stop|take|tell|try|update|use|verify|write)\b(?!\s*(?:\(|[/._:=-]\w|is\b|are\b|was\b|has\b|does\b"
    r"|fail))",
    re.IGNORECASE,
)
"""Begins with what is to be done: a request of the user, or a step of a plan."""
_ASKS = compile_later(r"(?:why|how|what(?:['’]s| is| are)|can you|could you|should|where)\b", re.IGNORECASE)
_TELLS_OF_ONESELF = compile_later(r"(?:I|My|You)\b(?!/)")
_DONE = compile_later(
    r"(?:done|fixed|all (?:\w+ )?(?:tests?|checks?)|everything|perfect|great|excellent|pushed|committed|commit |summary"
    r"|changes? made|updated|verified|validation|verification|tests? pass|here(?:['’]s| is| are))\b",
    re.IGNORECASE,
)
_NARRATES = compile_later(r"[A-Z][a-z]+ing\b[^.!?;:。！？]*\Z")
"""The headings of what somebody is at: "Inspecting the parser"."""
_PASSED = tuple(
    " pass.| pass | passes| passed| is clean| are clean|looks good|look good| is green| are green|all green"
    "|look correct|looks correct| covered.|uncommitted| complete |complete and|is sound|still running|succeeded"
    "|completed"
    "|no issues|no errors|no linting|works now| is ready| are ready|now running|no regressions| error left|successfully".split(
        "|"
    )
)
_STATUS = (
    *_PASSED,
    " no longer ",
    " is staged",
    " left alone",
    "updated",
    " are in.",
    ": fixed",
    " is now ",
    " now has ",
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

_EXPLAINS = compile_later(
    r"\b(?:because|due to|since|so (?:that|the|it|a|no)|twice|turns? out|which means|means? that|mean(?:s|ing) "
    r"|caus(?:e[sd]?|ing)|reason|culprit|root|instead of"
    r"|rather than|never|cannot|silently|unless|without|must|require[sd]?|needs?|lacks?|lacking|missing|expects"
    r"|assum(?:e[sd]?|ing)"
    r"|block(?:s|ed|ing)|den(?:y|ies|ied)|refuse[sd]?|reject(?:s|ed)|ignor(?:e[sd]?|ing)|breaks?|broke|wrong|invalid"
    r"|unsupported|stale|outdated"
    r"|deprecated|tries|tried|defaults? to|resolves? to|overrid(?:es?|den)|overwrit(?:es?|ten)|shadow(?:s|ed)|leaks?"
    r"|loses?|drops?|skips?"
    r"|strips?|conflicts?|mismatch|com(?:es?|ing) from|treat(?:s|ed)|interpret(?:s|ed)|swallow(?:s|ed)|(?:do|does|did"
    r"|may|might|could|would|will|can|is|are) ?not|null|undefined"
    r"|was not|not (?:on|in|set|found|available|installed)|fails?|failed|failing|depends? on|only)\b|n['’]t\b",
    re.IGNORECASE,
)
"""What sentences hold that say how something comes about, and others seldom do."""
_GIVES_A_REASON = compile_later(r"\b(?:because|since|due to|so that|root cause|turns out)\b", re.IGNORECASE)
_TELLS_WHAT_IS_DONE = compile_later(
    r"\b(?:add(?:s|ed|ing)?|us(?:e[sd]?|ing)|set(?:s|ting)?|(?:re-?)?run(?:s|ning)?|switch(?:ed|ing)|replac(?:e[sd]?"
    r"|ing)|chang(?:ed|ing)"
    r"|mov(?:e[sd]?|ing)|renam(?:e[sd]?|ing)|remov(?:e[sd]?|ing)|pass(?:es|ed|ing)? (?:the|a|it|`|-)|install(?:ed"
    r"|ing)?|wrap(?:s|ped|ping)?"
    r"|redirect(?:ed|ing)?|isolat(?:ed?|ing)|bump(?:ed|ing)?|pin(?:ned|ning)?|(?:up|down)grad(?:e[sd]?|ing)"
    r"|fix(?:e[sd]|ing)?|mak(?:es?|ing)|made"
    r"|instead|now|convert(?:s|ed|ing)?|updat(?:e[sd]?|ing)|quot(?:e[sd]?|ing)|escap(?:e[sd]?|ing)|mock(?:s|ed|ing)?"
    r"|stub(?:s|bed|bing)?"
    r"|outside|directly|regenerat(?:e[sd]?|ing)|rebuil(?:d|t|ding)|clear(?:s|ed|ing)?|delet(?:e[sd]?|ing)"
    r"|retry(?:ing)?|avoid(?:s|ed|ing)?)\b",
    re.IGNORECASE,
)
_DID = compile_later(
    r"(?:(?:the|a) )?(?:\w+(?:ly|est|er|st) )?(?:fix|passed|added|replaced|changed|fixed|removed|moved|renamed"
    r"|updated|switched|implemented|created|wrapped|rewrote|refactored"
    r"|converted|extracted|introduced|reviewed|reproduced|options?)\b(?! (?:by|because))",
    re.IGNORECASE,
)
"""Begins a report of what was done, or a list."""
_PLACED = compile_later(r"\W*\d|\W{2}|\W?\w+(?:\([\w/-]+\))?!?: [a-z]|[\w ]{3,40}: (?:https?:|~?/)")
"""Begins with a number, as the rows of a list and of a diff do, with marks, or as the message of a commit."""
_REASONED = 1.4
"""What the weight of a sentence with words of cause and effect is multiplied by."""
_FOREIGN = compile_later(r"[À-ɏ]|[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""A letter that English has not."""
_SHORT_REPORT = 60
"""Characters of a report of work done that says no more than that."""
_PROPOSES = compile_later(
    r"\b(?:better|best|clean|cleanest|simplest|proper|right|real|actual|correct|minimal) (?:fix|approach|solution|way)\b"
    r"|\b(?:the|this) (?:fix|solution|workaround|remedy)(?: is|:| was)|\bfixed (?:by|via|with)\b",
    re.IGNORECASE,
)
"""Says what the remedy is, whatever the words."""
_COMMITTED = compile_later(r"\W?(?:fix|feat|chore|docs|refactor|test|ci|build|perf|style)(?:\([\w/-]+\))?!?: ")
"""Begins the message of a commit."""
_VERIFIES = compile_later(
    r"\b(?:to (?:verify|confirm|check|see|validate|double-check)|make sure|everything (?:works|is))\b", re.IGNORECASE
)
"""Says that something is looked at."""
_LOOKS = compile_later(
    r"(?:(?:now |next,? |first,? )?(?:let me|let['’]s|i['’]ll|i will|i need to|i['’]m (?:going to )?|i should"
    r"|i want to|time to|going to)"
    r" ?(?:now |also |just |first |quickly )?(?:check|look|see|read|verify|verif|inspect|search|find|examin|review"
    r"|commit|push|understand|explor|investigat"
    r"|confirm|view|pull |fetch|load|locat|trace|analy|start|continu|writ|creat|gather|list|open|think|ask|report|summar|mark|stag|test"
    r"|run (?:the (?:tests?|full)|all|full|tests?|lint|checks?)\b|do\b|get\b|try to (?:find|see)))",
    re.IGNORECASE,
)
"""A plan to look at something, or to tidy up: no remedy."""


@lru_cache(512)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a statement on one line each, without code blocks, marks of layout and words before the point."""
    found: list[str] = []
    for part in _ENDS.split(_LINKED.sub(r"\1", _FENCE.sub("\n", text[:SAID]))):
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
    factor = _REASONED if _EXPLAINS.search(sentence) else 1.0
    if _DONE.match(sentence):
        factor *= 0.6
    if holds(low, _STATUS):
        factor *= 0.6
    if _LEANS.match(sentence) or holds(low, _OF_ONESELF):
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


def leans(sentence: str) -> bool:
    """Whether it says something of what the one before it named."""
    return _LEANS.match(sentence) is not None


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


def states(sentence: str) -> bool:
    """Whether a sentence stands alone and says how something is, not how the work stands."""
    if (
        _proposes(sentence)
        or _DID.match(sentence)
        or _PLACED.match(sentence)
        or (" now " in sentence and " now require" not in sentence)
    ):
        return False
    return stands_alone(sentence) and (
        not holds(sentence.lower(), _STATUS) or _GIVES_A_REASON.search(sentence) is not None
    )


def _proposes(sentence: str) -> bool:
    return _PROPOSES.search(sentence) is not None


def explains(sentence: str) -> bool:
    """Whether such a sentence has words of cause and effect."""
    return states(sentence) and (_EXPLAINS.search(sentence) is not None or _is_foreign(sentence))


def remedies(sentence: str) -> bool:
    """Whether a sentence says what was done or is about to be done, other than looking, testing or tidying up."""
    if asks(sentence) or instructs(sentence) or _LEANS.match(sentence) or sentence[-1] == ":" or _LOOKS.match(sentence):
        return False
    if _DONE.match(sentence) and len(sentence) < _SHORT_REPORT:
        return False
    if _VERIFIES.search(sentence) or _COMMITTED.match(sentence):
        return False
    if _proposes(sentence) and not holds(f"{sentence.lower()} ", _PASSED):
        return True
    if explains(sentence) or holds(f"{sentence.lower()} ", _PASSED):
        return False
    return _TELLS_WHAT_IS_DONE.search(sentence) is not None or _is_foreign(sentence)


def _is_foreign(sentence: str) -> bool:
    """Whether the lists, which are English, say nothing of it."""
    return _FOREIGN.search(sentence) is not None


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
