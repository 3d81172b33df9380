"""Where a user says how things are, in no word that marks a fault, and asks for nothing: a complaint all the same.

"The sidebar flickers on every page change" has no word of the usual ones in it. Whoever writes that to an agent wants it
otherwise, if what it says is trouble for somebody; a design that is explained, and news that is good, is none. English only.
"""

from __future__ import annotations

import re

from mind_skills.detectors import thresholds, words
from mind_skills.detectors.words import any_of
from mind_skills.observations.later import compile_later

_SALUTATION = any_of(r"\W*(?:hey|hi|hello|so|ok(?:ay)?|also|and|but|hm+)\b,? *|[^:\n]{1,40}: *(?=[\"“'])")
"""What stands before the point: a greeting, or whose words are quoted."""
_AT_A_LOSS = any_of(
    r"(?<=[.!,;] )(?:any (?:ideas?|clue)|ideas|why(?: is that)?"
    r"|what['’]?s (?:going on|wrong|happening)|what (?:is|could it be)[^?]{0,20})\?",
)
"""A question that asks for no more than the reason."""
_STATEMENT = any_of(
    r"[^\w@/#]*(?:the|an?|our|my|when(?:ever)?|since|after|while|if|as soon as|every\w*|each|all|some\w*|people|users?|customers?"
    r"|it|this|there|on|in|with|during|\w+ing|(?!pass|process|access|discuss|focus|press|address|express|compress|bypass)[a-z]{3,}s)\b"
)
"""How a message begins that says how things are."""
_FINITE = any_of(r"\b(?:is|are|was|were|has|have|had|does|do|did|can|will|gets?|got|\w{3,}(?:s|ed|n['’]t))\b")
_TROUBLE = any_of(
    # somebody met it
    r"\b(?:whenever|when (?:i|we|you|they|some(?:body|one)|users?|people|customers?)|every time|each time|on every|sometimes)\b",
    r"\b(?:often|randomly|occasionally|under load|suddenly|since (?:yesterday|last|the|this|monday|v?\d))\b",
    r"\bafter the (?:\w+ )?(?:upgrade|update|release|deploy\w*)\b",
    # it is not as it was, or as it was taken to be
    r"\b(?:used to|any ?more|no longer|twice|never|nothing|nobody|wrong|too (?!is\b|are\b)\w+|instead of)\b|\binstead\s*[.!?]?\s*\Z",
    # what it does to whoever uses it
    r"\b(?:los[et]s?|losing|gone|(?:leav\w+|left) [^.!?]{0,60}behind|late|slow\w*|stuck|blank|stale|away|cut off"
    r"|flicker\w*|jump\w*|crop\w*|hang\w*|fr[eo]ez\w*"
    r"|drop\w*|leak\w*|overlap\w*|disappear\w*|vanish\w*|duplicat\w*|ends? (?:up )?in|hid(?:es|den)"
    r"|disconnect\w*|ignor\w+|refus\w+|block\w*)\b",
)
_CONTENT = any_of(
    r"\b(?:fine|ready|done|match(?:es|ed)?|pass(?:es|ed)?|succe\w+|deployed|merged|approved|ran through|went through|good|great"
    r"|thanks?|perfect\w*|works (?:now|great|fine|well|like))\b"
)
_WISH = any_of(
    r"\b(?:should|shall|must|needs?|want\w*|wish\w*|would|please|let['’]?s|could you|can you|make sure|i['’]d|may|be able"
    r"|(?:is|are|has|have|ought) to)\b|\?"
)
_IMPERATIVE = compile_later(
    r"\s*(?!(?:when(?:ever)?|since|after|while|where|if|as|on|in|at|with|for|from|during|because|the|an?|our|my|your|this|that|these|it"
    r"|they|we|i|you|every|each|all|some\w*|no|not|there|people|hey|hi|so|but|and|fix|debug|find|see|get|got|investigate|resolve|solve"
    r"|repair|why|what|how|who|which|is|are|was|were|do|does|did|can|could|has|have)\b)[a-z]+(?<!s)(?<!ed)(?<!ing)(?: (?!of\b)\w+){0,2}"
    r" (?:the|an?|all|every|our|my|this|these|those|it|each|some|any)\b",
    re.IGNORECASE,
)
"""A verb in its bare form, and what to do it to."""
_QUESTION = any_of(r"\s*(?:how|which|where|who)\b[^.!\n]{0,200}\?")
_NEGATION = any_of(r"\bnot\b|n['’]t\b|\bnever\b|\bno longer\b")
_SENTENCES = compile_later(r"[^\s.!?][^.!?\n]+")


def complains(text: str) -> bool:
    """Whether a message says how things are, that this is trouble for somebody, and neither asks nor praises."""
    said = text.strip()
    said = said[found.end() :] if (found := _SALUTATION.match(said)) else said
    said = _AT_A_LOSS.sub("", said)
    if len(said) > thresholds.COMPLAINT or len(said.split()) < thresholds.EXPLANATION:
        return False
    if not (_STATEMENT.match(said) and _FINITE.search(said) and _TROUBLE.search(said)):
        return False
    other = _CONTENT.search(said) or _WISH.search(said) or words.BATCH.search(said)
    return not other and not any(demands(sentence) for sentence in _SENTENCES.findall(said))


def demands(sentence: str) -> bool:
    """Whether a sentence tells the agent what to do."""
    return bool(words.REQUEST.match(sentence) or _IMPERATIVE.match(sentence))


def asks_how(text: str) -> bool:
    """Whether a message asks how to do something, not why something does not do what it should."""
    return bool(_QUESTION.match(text)) and not _NEGATION.search(text.strip().split("\n", 1)[0])
