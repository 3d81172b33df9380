"""What people and agents say when something is wrong, and when they have found out why.

Each function returns the passage that carries the signal, so that the evidence can show it; empty where there is none.
"""

from __future__ import annotations

import re
from functools import lru_cache

from mind_skills.detectors import complaints, thresholds, words
from mind_skills.observations.errors import pasted_error
from mind_skills.observations.later import compile_later
from mind_skills.observations.model import Observation
from mind_skills.observations.unread import may_hold, may_match

_HEADING = compile_later(r"^#{1,3}\s+(.+)$", re.MULTILINE)
_SENTENCE_END = compile_later(r"(?<=[.!?:])\s+|\n\s*\n|\n(?=[-*#\d])|^#{1,6} [^\n]*\n", re.MULTILINE)
_WORDS = compile_later(r"[A-Za-z][A-Za-z0-9]*(?:[_./-][A-Za-z0-9]+)*")
_CAMEL = compile_later(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def passage(text: str, start: int) -> str:
    """The sentence around ``start`` and what follows it, on one line, bounded."""
    begin = max(0, start - thresholds.LOOK_BACK)
    for boundary in _SENTENCE_END.finditer(text, begin, start):
        begin = boundary.end()
    return " ".join(text[begin : begin + thresholds.PASSAGE].split()).lstrip("*#-> ")


def insight(text: str) -> str:
    """The passage in which a cause or a non-obvious fact is put into words."""
    found = words.INSIGHT.search(text)
    return passage(text, found.start()) if found else ""


def may_be_insight(observation: Observation) -> bool:
    """Whether a cause or a non-obvious fact may be put into words; nothing is cleaned to tell."""
    return may_match(observation, words.MAY_BE_INSIGHT)


def concludes(observation: Observation) -> bool:
    """Whether the agent says that its search came to an end; it is not cleaned where no such word stands."""
    return may_hold(observation, words.CONCLUSION.words) and words.CONCLUSION.anywhere(observation.text)


def setback(text: str) -> str:
    """The passage in which the agent says that something behaved other than it expected; conditions and reviews do not count."""
    if len(text) > thresholds.NARRATION:
        return ""
    for found in words.SETBACK.finditer(text):
        sentence = text[max(0, found.start() - thresholds.CONDITION) : found.start()].rsplit(". ", 1)[-1]
        if not words.CONDITIONAL.search(sentence):
            return passage(text, found.start())
    return ""


def may_be_setback(observation: Observation) -> bool:
    """Whether the agent may say that something behaved other than expected; nothing is cleaned to tell."""
    return may_hold(observation, words.SETBACK.words)


def turns(observation: Observation) -> bool:
    """Whether the agent says that it now does it another way; until its text was read, whether it may."""
    return may_match(observation, words.TURN)


def is_plan(text: str) -> bool:
    """A plan that an earlier planning session wrote, handed over as the prompt."""
    return bool(words.PLAN.match(text))


def problem_report(text: str) -> str:
    """The passage in which a user says that something is wrong; empty for requests, questions and features.

    A plan counts when its heading is one fix, not a batch of review comments, and its text gives the cause.
    """
    if is_plan(text):
        heading = _HEADING.search(text)
        if not heading or not words.FIX_HEADING.search(heading.group(1)) or words.BATCH.search(heading.group(1)):
            return ""
        cause = words.CAUSE.search(text, heading.end())
        return passage(text, cause.start()) if cause else ""
    found = words.REPORT.search(text)
    if not found:
        return passage(text, 0) if complaints.complains(text) else ""
    first_line = text.strip().split("\n", 1)[0]
    if complaints.demands(text) and not words.BROKEN.search(first_line[: thresholds.REPORT_LINE]):
        return ""
    return "" if complaints.asks_how(text) and not pasted_error(text) else passage(text, found.start())


def gives_cause(text: str) -> str:
    """The passage of a report that already says why; empty if it only says what, or what it might be."""
    if guesses(text):
        return ""
    found = words.CAUSE.search(text)
    return passage(text, found.start()) if found else ""


def guesses(text: str) -> bool:
    """Whether a report says itself that its cause has not been established."""
    return words.GUESS.anywhere(text)


def title_of_plan(text: str) -> str:
    """The first heading of a plan, without its marker."""
    heading = _HEADING.search(text)
    return heading.group(1).strip() if heading else ""


def approves(text: str) -> bool:
    """A short message of the user that says that it works; a word in a path or in code says nothing."""
    if len(text) > thresholds.APPROVAL:
        return False
    spoken = " ".join(word for word in text.split() if not set(word) & set("/\\`"))
    return bool(words.APPROVAL.search(spoken)) and not words.REPORT.search(text)


def denies(text: str) -> bool:
    """A short message of the user that says that what was done does not work."""
    return len(text) <= thresholds.APPROVAL and bool(words.DENIAL.search(text))


def topic(passage: str) -> str:
    """What a report is about, the same however it is worded around it; empty where it names too little to tell."""
    found = sorted(tokens(passage))
    return " ".join(found) if len(found) >= thresholds.TELLING else ""


def continues(text: str) -> bool:
    """A user message that goes on with the task at hand: a go-ahead, a request to commit, a word of praise."""
    return len(text) < thresholds.SHORT_FOLLOW_UP or (
        len(text) < thresholds.FOLLOW_UP and bool(words.FOLLOW_UP.match(text))
    )


def tokens(text: str) -> frozenset[str]:
    """Words that say what a text is about: identifiers whole and in parts, lower-cased, without common words."""
    found: set[str] = set()
    for word in _WORDS.findall(text[: thresholds.TOKENS_TEXT]):
        found.update(_tokens_of(word, thresholds.WORD))
    return frozenset(found)


def says(text: str, least: int) -> bool:
    """Whether a text has ``least`` different words that say what it is about, or more."""
    found: set[str] = set()
    for word in _WORDS.finditer(text, 0, thresholds.TOKENS_TEXT):
        found.update(_tokens_of(word.group(), thresholds.WORD))
        if len(found) >= least:
            return True
    return False


@lru_cache(4096)
def _tokens_of(word: str, least: int) -> tuple[str, ...]:
    """A word and its parts, as far as they are long enough and say something; most words of a session come again."""
    parts = [word] if word.islower() else [word, *_CAMEL.findall(word)]
    return tuple(low for low in map(str.lower, parts) if len(low) >= least and low not in words.COMMON)
