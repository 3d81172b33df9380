"""What people and agents say when something is wrong, and when they have found out why.

Each function returns the passage that carries the signal, so that the evidence can show it; empty where there is none.
"""

from __future__ import annotations

import re

from mind_skills.detectors import thresholds, words
from mind_skills.observations.errors import pasted_error

_HEADING = re.compile(r"^#{1,3}\s+(.+)$", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+|\n\s*\n|\n(?=[-*#\d])|^#{1,6} [^\n]*\n", re.MULTILINE)
_SENTENCES = re.compile(r"[^\s.!?:][^.!?:\n]+(?:[.:](?=\S)[^.!?:\n]+)*[.!?:]?")
_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[_./-][A-Za-z0-9]+)*")
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


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


def explanation(text: str) -> str:
    """The sentence in which the agent says how things are, whatever its words: no plan, no report of what was done.

    It counts only where it stands between what went wrong and the change that mended it.
    """
    if len(text) > thresholds.NARRATION:
        return ""
    for found in _SENTENCES.finditer(text):
        if _states(found.group()):
            return passage(text, found.start())
    return ""


def _states(sentence: str) -> bool:
    return bool(
        len(sentence.split()) >= thresholds.EXPLANATION
        and len(tokens(sentence)) >= thresholds.SENTENCE
        and not words.NARRATES.match(sentence)
        and words.STATES.search(sentence)
        and words.RELATES.search(sentence)
    )


def concludes(text: str) -> bool:
    """Whether the agent says that its search came to an end."""
    return bool(words.CONCLUSION.search(text))


def setback(text: str) -> str:
    """The passage in which the agent says that something behaved other than it expected; conditions and reviews do not count."""
    if len(text) > thresholds.NARRATION:
        return ""
    for found in words.SETBACK.finditer(text):
        sentence = text[max(0, found.start() - thresholds.CONDITION) : found.start()].rsplit(". ", 1)[-1]
        if not words.CONDITIONAL.search(sentence):
            return passage(text, found.start())
    return ""


def limitation(text: str) -> str:
    """The passage in which the agent says of a command that it names where that command ends: "`x y` reads ... only when ..."."""
    if len(text) > thresholds.NARRATION:
        return ""
    for found in _SENTENCES.finditer(text):
        sentence = found.group()
        if words.COMMAND_NAMED.search(sentence) and words.LIMIT.search(sentence) and _states(sentence):
            return passage(text, found.start())
    return ""


def own_slip(text: str) -> bool:
    """Whether the agent says that it mends what it has just broken itself."""
    return bool(words.OWN_SLIP.search(text))


def turns(text: str) -> bool:
    """Whether the agent says that it now does it another way."""
    return bool(words.TURN.search(text))


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
        return _complaint(text)
    first_line = text.strip().split("\n", 1)[0]
    broken = words.BROKEN.search(first_line[: thresholds.REPORT_LINE])
    if not broken and (words.REQUEST.match(text) or words.IMPERATIVE.match(text)):
        return ""
    if words.QUESTION.match(text) and not words.NEGATION.search(first_line) and not pasted_error(text):
        return ""
    return passage(text, found.start())


def _complaint(text: str) -> str:
    """A message that says how things are, and asks for nothing: whoever writes that to an agent wants it otherwise."""
    said = text.strip()
    said = said[found.end() :] if (found := words.SALUTATION.match(said)) else said
    if len(said) > thresholds.COMPLAINT or len(said.split()) < thresholds.EXPLANATION or approves(said):
        return ""
    if not words.STATEMENT.match(said) or not words.STATES.search(said):
        return ""
    asks = words.WISH.search(said) or words.BATCH.search(said)
    sentences = [found.group() for found in _SENTENCES.finditer(said)]
    return "" if asks or any(_demands(sentence) for sentence in sentences) else passage(said, 0)


def _demands(sentence: str) -> bool:
    return bool(words.REQUEST.match(sentence) or words.IMPERATIVE.match(sentence))


def gives_cause(text: str) -> str:
    """The passage of a report that already says why; empty if it only says what, or what it might be."""
    if guesses(text):
        return ""
    found = words.CAUSE.search(text)
    return passage(text, found.start()) if found else ""


def guesses(text: str) -> bool:
    """Whether a report says itself that its cause has not been established."""
    return bool(words.GUESS.search(text))


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
        lowered = word.lower()
        if len(lowered) >= thresholds.WORD and lowered not in words.COMMON:
            found.add(lowered)
        if not word.islower():
            found.update(
                part.lower()
                for part in _CAMEL.findall(word)
                if len(part) >= thresholds.WORD and part.lower() not in words.COMMON
            )
    return frozenset(found)
