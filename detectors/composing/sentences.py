"""Split statements into sentences and classify them: plan, instruction, question, report, explanation, remedy.

The word lists are short and English. Sentences in other languages are classified by their letters and punctuation.
"""

from __future__ import annotations

import re
from functools import lru_cache

from mind_skills.detectors.words import contains_any
from mind_skills.redaction.lazy_pattern import compile_lazily

MIN_SENTENCE_LENGTH, MAX_STATEMENT_LENGTH = 25, 4_000
"""Minimum length of a sentence, and number of characters of a statement that are read."""
_FENCE = compile_lazily(r"```.*?(?:```|\Z)", re.DOTALL)
_BOUNDARY = compile_lazily(
    r"(?<=[.!?;])(?<!e\.g\.)(?<!i\.e\.)\s+(?=[A-Z`*\"'(\[0-9_])|(?<=:)\s+(?=[A-Z`])|\n+|(?<=[。！？])"
)
_LINK = compile_lazily(r"\[([^\[\]\n]{1,80})\]\([^()\s]{1,200}\)")
"""A Markdown link."""
_MARKUP = " *#->|_"
_FILLER = compile_lazily(
    r"(?:(?:now(?! that)|so(?! that)|ah|ok(?:ay)?|and|but|also|actually|confirmed(?= root cause| ?[,:—–])|however(?=,)"
    r"|specifically(?=[,:])|wait|hmm|i see|got it|found it|good|great"
    r"|perfect|straightforward"
    r"|yes|no)[,.:!—– -]+ ?"
    r"|(?:the )?root cause(?: (?:confirmed|found))?(?:(?: is(?: that)?)?[:!—–-]{1,3}| is(?: that)?) |found (?:the )?(?:it|root cause|bug"
    r"|issue)[:!—–-]+ ?"
    r"|(?:it )?turn(?:s|ed) out(?: that|[,:])? "
    r"|i(?:[’']ve| have)? (?:verified|confirmed|found|noticed|discovered|realized|learned|can see|now see) that "
    r"|i (?:now )?(?:see|understand) (?:the|what the) (?:\w+ )?(?:issue|problem|bug)s?[:.!—–-]+ ?)+",
    re.IGNORECASE,
)
"""Filler at the start of a sentence."""
_PLANS = compile_lazily(
    r"(?:let me|let['’]s|i['’](?:ll|d|m)|i (?:will|am|need|should|want|can|could|would|have to|also|then|think|also"
    r"|just)\b"
    r"|next\b|first,|then |we (?:need|should|can|could)|going to|time to|now i|please |would you|do you|should (?:i|we)"
    r"|the user\b|my (?:\w+ )?(?:next|plan|task|goal)\b|the (?:task|goal|plan|instructions?)\b)",
    re.IGNORECASE,
)
_FIRST_PERSON = (" i’m ", " i'm ", " i need ", " i should ", " i have ")
_INTENTION = (" i will ", " i'll ", " i’ll ", " let me ")
"""Announcements in the middle of a sentence, after a reason that may turn out to be wrong."""
_INSTRUCTS = compile_lazily(
    r"(?:(?:\w+ly|also|and|then|just|you can|you could|if you) )?(?:add|comment|need|address|apply|change|check"
    r"|commit|continue|create|describe|determine|explain|extract|figure|find|give|go|investigate|launch|research"
    r"|rewrite|do(?:n['’]t| not)?"
    r"|ensure|fix|implement|keep|look|make|merge|modify|move|note|open|pass|push|put|revert|read|remove|rename|replace|report"
    r"|return|review|run|see"
    r"|set|show|stop|take|tell|try|update|use|verify|write)\b(?!\s*(?:\(|[/._:=-]\w|is\b|are\b|was\b|has\b|does\b"
    r"|fail))",
    re.IGNORECASE,
)
"""Starts a request by the user or a step of a plan."""
_ASKS = compile_lazily(r"(?:why|how|what(?:['’]s| is| are)|can you|could you|should|where)\b", re.IGNORECASE)
_PERSONAL = compile_lazily(r"(?:I|My|You)\b(?!/)")
_DONE = compile_lazily(
    r"(?:done|fixed|all (?:\w+ )?(?:tests?|checks?)|everything|perfect|great|excellent|pushed|committed|commit |summary"
    r"|changes? made|updated|verified|validation|verification|tests? pass|here(?:['’]s| is| are))\b",
    re.IGNORECASE,
)
_NARRATES = compile_lazily(r"[A-Z][a-z]+ing\b[^.!?;:。！？]*(?:\.\.\.|…)?\Z")
"""A sentence that narrates work in progress: "Inspecting the parser", or that a program printed: "Building the index..."."""
_PASS_PHRASES = tuple(
    " pass.| pass | passes| passed| is clean| are clean|looks good|look good| is green| are green|all green"
    "|look correct|looks correct| covered.|uncommitted| complete |complete and|is sound|still running|succeeded"
    "|completed"
    "|no issues|no errors|no linting|works now| is ready| are ready|now running|no regressions| error left|successfully".split(
        "|"
    )
)
_STATUS_PHRASES = (
    *_PASS_PHRASES,
    " no longer ",
    " is staged",
    " left alone",
    "updated",
    " are in.",
    ": fixed",
    " is now ",
    " now has ",
)
"""Phrases about the state of the work, which is of no use later."""
_DEPENDENT = compile_lazily(r"(?:it|this|that|these|those|they|he|she|both|same|which|there)\b", re.IGNORECASE)
_CAUSE_PHRASES = (
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

_EXPLAINS = compile_lazily(
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
)
"""Words of cause and effect, rare in other sentences. They are searched for in lower-case text, because ignoring case takes three
times as long."""
_REASON = compile_lazily(r"\b(?:because|since|due to|so that|root cause|turns out)\b", re.IGNORECASE)
_ACTION = compile_lazily(
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
)
_REPORT_START = compile_lazily(
    r"(?:(?:the|a) )?(?:\w+(?:ly|est|er|st) )?(?:fix|passed|added|replaced|changed|fixed|removed|moved|renamed"
    r"|updated|switched|implemented|created|wrapped|rewrote|refactored"
    r"|converted|extracted|introduced|reviewed|reproduced|options?)\b(?! (?:by|because))"
    r"|(?:made|resolved|reverted|restored|rejected|normalized|tightened|dropped) "
    r"(?:(?:the|an?|all|both|it|its|this|that|these|those|each|every)\b|(?-i:[A-Z`'\"]))",
    re.IGNORECASE,
)
"""Starts a report of what was done, or a list."""
_GERUND = compile_lazily(
    r"(?!\w*thing\b|(?i:according|depending|during|existing|following|regarding|remaining|spring|string|working)\b)"
    r"(?:Re-?)?[A-Za-z][a-z]+ing (?!to\b|(?:\S{1,30} ){0,4}(?:is|are|was|were|has|have|does|do|goes|go|uses|use|happens)\b)"
)
"""Starts a sentence that narrates work in progress, unless it explains something."""
_LIST_OR_COMMIT = compile_lazily(
    r"\W*\d|\W{2}|\W?\w+(?:\([\w/-]+\))?!?: [a-z]|[\w ]{3,40}: (?:https?:|~?/)|at [\w.$<>`]+ ?\("
)
"""Starts a list item, a line of a diff, a labelled address or path, a commit message, or a stack frame."""
_EXPLANATION_FACTOR = 1.4
"""Weight factor of a sentence with words of cause and effect."""
_FOREIGN = compile_lazily(r"[À-ɏ]|[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""A letter that English does not use."""
_SHORT_REPORT_LENGTH = 60
"""Status reports with fewer characters state nothing but the status."""
_PROPOSES = compile_lazily(
    r"\b(?:better|best|clean|cleanest|simplest|proper|right|real|actual|correct|minimal) (?:fix|approach|solution|way)\b"
    r"|\b(?:the|this) (?:fix|solution|workaround|remedy)(?: is|:| was)|\bfixed (?:by|via|with)\b",
)
"""States the remedy, whatever else the sentence contains."""
_COMMIT_MESSAGE = compile_lazily(r"\W?(?:fix|feat|chore|docs|refactor|test|ci|build|perf|style)(?:\([\w/-]+\))?!?: ")
"""Starts a commit message."""
_VERIFIES = compile_lazily(
    r"\b(?:to (?:verify|confirm|check|see|validate|double-check)|make sure|everything (?:works|is))\b", re.IGNORECASE
)
"""States that something is checked."""
_PLANS_ROUTINE_WORK = compile_lazily(
    r"(?:(?:now |next,? |first,? )?(?:let me|let['’]s|i['’]ll|i will|i need to|i['’]m (?:going to )?|i should"
    r"|i want to|time to|going to)"
    r" ?(?:now |also |just |first |quickly )?(?:check|look|see|read|verify|verif|inspect|search|find|examin|review"
    r"|commit|push|understand|explor|investigat"
    r"|confirm|view|pull |fetch|load|locat|trace|analy|start|continu|writ|creat|gather|list|open|think|ask|report|summar|mark|stag|test"
    r"|run (?:the (?:tests?|full)|all|full|tests?|lint|checks?)\b|do\b|get\b|try to (?:find|see)))",
    re.IGNORECASE,
)
"""A plan to read, verify or tidy up, which is not a remedy."""

_PARENTHESIS = compile_lazily(r" \([^()]*\)")
_CLAUSE_END = compile_lazily(r"(?:;| [—–-]|, ?(?:but|so|and|which|while|although|though|whereas|then)\b)(?= )")
"""End of a clause after which a sentence may be cut."""
_MIN_SHORTENED_WORDS = 8
"""Minimum number of words that must remain of a sentence whose last clauses are cut."""


@lru_cache(512)
def split_sentences(text: str) -> tuple[str, ...]:
    """Split a statement into sentences, each on one line. Code blocks, markup, filler and short sentences are omitted."""
    result: list[str] = []
    for part in _BOUNDARY.split(_LINK.sub(r"\1", _FENCE.sub("\n", text[:MAX_STATEMENT_LENGTH]))):
        sentence = " ".join(part.replace("**", "").split()).strip(_MARKUP)
        bare = _FILLER.sub("", sentence, count=1) if _FILLER.match(sentence) else sentence
        if len(bare) >= MIN_SENTENCE_LENGTH and not bare.startswith("::"):
            result.append(
                bare[0].upper() + bare[1:] if bare[0].islower() and bare[0].isascii() and bare != sentence else bare
            )
    return tuple(result)


@lru_cache(1_024)
def score_sentence(sentence: str) -> float:
    """Return the weight factor of a sentence: lower if it cannot stand alone, higher if it explains something."""
    lowered = sentence.lower()
    factor = _EXPLANATION_FACTOR if _EXPLAINS.search(lowered) else 1.0
    if _DONE.match(sentence):
        factor *= 0.6
    if contains_any(lowered, _STATUS_PHRASES):
        factor *= 0.6
    if _DEPENDENT.match(sentence) or contains_any(lowered, _FIRST_PERSON):
        factor *= 0.7
    return factor


def is_plan(sentence: str) -> bool:
    """Return whether a sentence announces the next step or narrates the current one."""
    return (
        _PLANS.match(sentence) is not None
        or _NARRATES.match(sentence) is not None
        or contains_any(sentence.lower(), _INTENTION)
    )


def is_instruction(sentence: str) -> bool:
    """Return whether a sentence begins with an instruction."""
    return _INSTRUCTS.match(sentence) is not None


def is_question(sentence: str) -> bool:
    return sentence[-1] in "?？" or _ASKS.match(sentence) is not None


def is_dependent(sentence: str) -> bool:
    """Return whether a sentence begins with a word that refers to the previous sentence."""
    return _DEPENDENT.match(sentence) is not None


def is_self_contained(sentence: str) -> bool:
    """Return whether a sentence can be quoted alone.

    False for plans, instructions, questions, status reports, sentences that begin with the speaker or the reader ("I", "You"),
    and sentences that refer to the previous one or end with a colon.
    """
    return not (
        is_plan(sentence)
        or is_instruction(sentence)
        or is_question(sentence)
        or is_status_report(sentence)
        or _PERSONAL.match(sentence)
        or _DEPENDENT.match(sentence)
        or sentence[-1] == ":"
    )


def is_status_report(sentence: str) -> bool:
    """Return whether a sentence reports that work is done, or a status without a reason."""
    lowered = sentence.lower()
    return _DONE.match(sentence) is not None or (
        contains_any(lowered, _STATUS_PHRASES) and not contains_any(lowered, _CAUSE_PHRASES)
    )


@lru_cache(1_024)
def is_statement(sentence: str) -> bool:
    """Return whether a sentence stands alone and states a fact rather than a remedy or the status of the work."""
    if (
        _is_proposal(sentence)
        or _REPORT_START.match(sentence)
        or _LIST_OR_COMMIT.match(sentence)
        or (" now " in sentence and " now require" not in sentence)
        or sentence.endswith(" now.")
        or (_GERUND.match(sentence) and not _EXPLAINS.search(sentence.lower()))
    ):
        return False
    return is_self_contained(sentence) and (
        not contains_any(sentence.lower(), _STATUS_PHRASES) or _REASON.search(sentence) is not None
    )


def _is_proposal(sentence: str) -> bool:
    return _PROPOSES.search(sentence.lower()) is not None


@lru_cache(1_024)
def is_explanation(sentence: str) -> bool:
    """Return whether a sentence states a fact in words of cause and effect, or in a language that the word lists do not cover."""
    return is_statement(sentence) and (_EXPLAINS.search(sentence.lower()) is not None or _is_foreign(sentence))


@lru_cache(1_024)
def is_remedy(sentence: str) -> bool:
    """Return whether a sentence states what was or will be done, other than reading, testing or tidying up."""
    if (
        is_question(sentence)
        or is_instruction(sentence)
        or _DEPENDENT.match(sentence)
        or sentence[-1] == ":"
        or _PLANS_ROUTINE_WORK.match(sentence)
    ):
        return False
    if _DONE.match(sentence) and len(sentence) < _SHORT_REPORT_LENGTH:
        return False
    if _VERIFIES.search(sentence) or _COMMIT_MESSAGE.match(sentence):
        return False
    if _is_proposal(sentence) and not contains_any(f"{sentence.lower()} ", _PASS_PHRASES):
        return True
    if is_explanation(sentence) or contains_any(f"{sentence.lower()} ", _PASS_PHRASES):
        return False
    return _ACTION.search(sentence.lower()) is not None or _is_foreign(sentence)


def _is_foreign(sentence: str) -> bool:
    """Return whether a sentence contains letters that English does not use."""
    return _FOREIGN.search(sentence) is not None


def shorten_sentence(text: str, limit: int) -> str:
    """Return a sentence in at most ``limit`` characters, if necessary without its parentheses and then without its last clauses.

    Empty if clauses have to be cut and what remains is too short or explains nothing.
    """
    if len(text) <= limit:
        return text
    shortened = _PARENTHESIS.sub("", text).strip()
    if len(shortened) <= limit:
        return shortened
    end = max((match.start() for match in _CLAUSE_END.finditer(shortened, 0, limit)), default=0)
    head = shortened[:end]
    return f"{head}…" if len(head.split()) >= _MIN_SHORTENED_WORDS and is_explanation(head) else ""


def truncate(text: str, limit: int) -> str:
    """Truncate ``text``, after a word if possible, to at most ``limit`` characters, including an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    return (head if text[limit - 1] == " " else head.rpartition(" ")[0] or head).rstrip(" ,;:-–—(`") + "…"


def join_command_lines(command: str) -> str:
    """Join the lines of a command with semicolons, and continued lines with spaces."""
    rows = (" ".join(row.split()) for row in command.replace("\\\n", " ").split("\n"))
    return "; ".join(row.rstrip(";") for row in rows if row)
