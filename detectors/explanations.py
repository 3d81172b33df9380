"""Where the agent says how things are, in no word that marks a cause: a statement of fact, neither plan nor progress.

Agents often name a cause without calling it one ("the guard looks at the raw line, the index at the trimmed one"). The words
alone prove nothing, so whoever asks must look at where they stand: behind what went wrong, and before the change that mended
it. English only, as the other words are; each pattern stays linear in the length of the text.
"""

from __future__ import annotations

from collections.abc import Callable

from mind_skills.detectors import signals, thresholds
from mind_skills.detectors.phrases import phrases
from mind_skills.detectors.words import any_of
from mind_skills.observations.later import compile_later
from mind_skills.observations.model import Observation
from mind_skills.observations.unread import may_hold_all

_SENTENCES = compile_later(r"[^\s.!?:][^.!?:\n]+(?:[.:](?=\S)[^.!?:\n]+)*[.!?:]?")
_NARRATES = any_of(
    # what the agent does, did or will do
    r"(?:\W|now|so|ok(?:ay)?|and|then|next|first|also|good|great|perfect|done|alright|right|yes)*"
    r"\b(?:i|i['’](?:ll|m|ve|d)|let|let['’]s|we|we['’](?:ll|re|ve)|you|my)\b",
    r"\W*(?:now|next|first|then|finally|if|unless|in case)\b|.{0,60}\b(?:pass(?:es|ed)?|done|green|works?)\b[^,;]{0,20}\Z",
    r"\W*(?:(?:re-?)?(?:check|runn|look|add|fix|updat|tr[iy]|read|test|switch|mov|mak|creat|us|verif|start|writ|clean|remov|renam)\w{0,3}ing)\b",
    # what is not there because nobody has come to it
    r".{0,80}(?:\bnot?\b|n['’]t\b).{0,40}\byet\b\s*(?:[,.;!]|\Z)|.{0,80}\b(?:the next step|so far|to come|up next)\b",
)
_FINITE = any_of(
    r"\b(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|gets?|got|\w{3,}(?:s|ed|n['’]t))\b"
)
"""A verb of somebody else's."""
_RELATES = any_of(
    r"\b(?:but|so|because|since|as|while|where|whereas|until|unless|only|never|not?|nor|nothing|nobody|without|instead|before|after"
    r"|which|that|yet|although|though|once|when|whenever|if|already|still|even|twice|both|each|every|too|rather|than|whose|who"
    r"|outside|inside|again|always)\b|n['’]t\b|[;,]"
)
"""Words that hold two facts against each other: how things are, and how they were taken to be."""
_COMMAND = compile_later(r"`[a-z][\w.-]*(?: [a-z][\w-]*)+[^`]*`")
"""A program with its verb, set apart as code."""
_LIMIT = any_of(
    r"\b(?:only|never|not|nothing|nobody|without|otherwise|unless|until|no longer|skip\w*|instead)\b|n['’]t\b"
)
"""Words that say where something ends."""
_LIMITS = "n't|n’t|not|only|never|nobody|without|otherwise|unless|until|no longer|skip|instead"
_LIMITED = (("`", tuple((word,) for word in _LIMITS.split("|"))),)
"""What stands in whatever names a command and says where it ends."""
_OWN_SLIP = phrases(
    {
        "forgot|accident|mistyped|misspel|overlooked|left |missed|broke|introduced": r"\bi (?:just |had |have )?"
        r"(?:forgot|accidentally|mistyped|misspel\w+|overlooked|left (?:out|in)|missed|broke|introduced)\b",
        "my ": r"\bmy (?:own |last |previous |earlier )?(?:\w+ )?"
        r"(?:typo|mistake|slip|oversight|edit|change|split|renam\w+|refactor\w*|patch)\b",
        "typo": r"\btypos?\b",
        "misspel|mis-spel": r"\bmis-?spel\w+",
        "copy": r"\bcopy[- ]and[- ]paste (?:error|mistake|slip)",
    }
)


def explanation(text: str) -> str:
    """The passage in which the agent says how things are; empty for plans, progress and longer texts."""
    return _first(text, _states)


def limitation(text: str) -> str:
    """The passage in which the agent says of a command that it names where that command ends: "`x y` reads it only when ..."."""
    if "`" not in text:
        return ""
    return _first(text, lambda one: bool(_COMMAND.search(one) and _LIMIT.search(one)) and _states(one))


def may_limit(observation: Observation) -> bool:
    """Whether the agent may say of a command where it ends; nothing is cleaned to tell."""
    return may_hold_all(observation, _LIMITED)


def own_slip(text: str) -> bool:
    """Whether the agent says that it mends what it has just broken itself, or a slip of the keyboard."""
    return _OWN_SLIP.anywhere(text)


def _first(text: str, holds: Callable[[str], bool]) -> str:
    if len(text) > thresholds.NARRATION:
        return ""
    found = next((found for found in _SENTENCES.finditer(text) if holds(found.group())), None)
    return signals.passage(text, found.start()) if found else ""


def _states(sentence: str) -> bool:
    return bool(
        len(sentence.split()) >= thresholds.EXPLANATION
        and not _NARRATES.match(sentence)
        and _RELATES.search(sentence)
        and _FINITE.search(sentence)
        and signals.says(sentence, thresholds.SENTENCE)
    )
