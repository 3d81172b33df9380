"""What is measured of a sentence of the user that may be a lasting rule: numbers, each with the sign of its weight.

Signs were fixed by judgement before any weight was fitted, and a fit may take a feature out but not turn it. What decides
most is no word: where the sentence stands, and what the agent did next.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log

from mind_skills.detectors import rule_words as words
from mind_skills.detectors.features import Feature
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_later

REPLY, ACTION, FILES = 600, 1_200, 5
"""Characters of a reply and of an action, and files of a call, that are compared with a sentence."""
LATELY, WRITES = 30, 10
"""Observations before a message that it may be about, and writes after it that may hold it: so that many cost no more."""
REACH = 48
"""Characters behind a denial in which stands what is denied."""
ROWS = 7
"""Line breaks beyond which a message is laid out like a document."""
SAME = 2
"""Names that a sentence and a file of instructions share where the file says the same."""

_NAME = compile_later(r"[A-Za-z][A-Za-z0-9_]*(?:[./@-][A-Za-z0-9_]+)*")
_QUOTED = compile_later(r"`[^`]{0,320}`|\"[^\"]{0,320}\"|“[^”]{0,320}”|「[^」]{0,320}」")
_QUOTED_WORDS = 3
"""What is quoted and longer is somebody else's sentence."""
_COMMON = frozenset(
    """about after again all also always and another any are because been before being both but can could did does doing
    done don each else even every file files first for from get going had has have here how into its just keep like make
    many maybe more most must need never new not now off only other our out over own please rather run same see should
    some still such sure take than that the their them then there these they thing things this those through too use used
    using very want was way well were what when where which while who why will with without would you your yes let lets
    one two work code""".split()
)
_MEMORY = compile_later(r"[/\\](?:memory|memories)[/\\][^/\\]{1,120}\.md$", re.IGNORECASE)
"""Where a host keeps what it remembers by itself: outside the project, and read by that host alone."""
_PROJECTS = compile_later(
    r"(?:^|[/\\])(?:CLAUDE|AGENTS|GEMINI|copilot-instructions)(?:\.local)?\.md$|\.cursorrules$|\.instructions\.md$"
    r"|[/\\]\.(?:claude|cursor)[/\\]rules[/\\]",
    re.IGNORECASE,
)
"""Files of a project from which agents take their instructions."""


RULE_FEATURES: tuple[Feature, ...] = (
    # its words
    Feature(
        "rule_lasting", 1, "words", "a word for all times states how long it holds", "it says that it always holds"
    ),
    Feature(
        "rule_universal", 1, "words", "a quantifier speaks of more than the case at hand", "it speaks of all cases"
    ),
    Feature(
        "rule_forbids", 1, "words", "what is forbidden stays so; a task is hardly ever negative", "it forbids something"
    ),
    Feature(
        "rule_contrast",
        1,
        "words",
        "one thing in place of another is a choice between habits",
        "it puts one thing in another's place",
    ),
    Feature("rule_obliges", 1, "words", "a duty is stated, where a task is given", "it states a duty"),
    Feature("rule_wants", 1, "words", "a wish that no case bounds", "it says what the user wants"),
    Feature("rule_reasoned", 1, "words", "a reason outlives the case", "it gives a reason"),
    Feature("rule_occasion", 1, "words", "it says when to do so: before, whenever, unless", "it says when it holds"),
    Feature(
        "rule_instructions",
        1,
        "words",
        "it names a file of instructions, or calls itself a rule",
        "it names a file of instructions",
    ),
    Feature(
        "rule_general",
        1,
        "words",
        "a ban or a duty that points at nothing of the moment",
        "it holds for no single case",
    ),
    Feature("rule_question", -1, "words", "who asks states nothing", "it is a question"),
    Feature(
        "rule_task", -1, "words", "it begins with the verb of something that is done once", "it begins like a task"
    ),
    Feature("rule_past", -1, "words", "it tells what happened", "it tells what happened"),
    Feature("rule_reference", -1, "words", "an address or a number is one case", "it names an address or a number"),
    Feature("rule_hedged", -1, "words", "who is not sure gives no rule", "it is not sure of itself"),
    # its place
    Feature("rule_opening", -1, "session", "the session's first message is its task", "it stands in the first message"),
    Feature(
        "rule_length",
        -1,
        "session",
        "rules are said shortly; long messages are tasks and pasted text",
        "its message is long",
    ),
    Feature(
        "rule_laid_out", -1, "session", "many lines are a task or a document", "its message is laid out like a document"
    ),
    Feature(
        "rule_denied_used",
        1,
        "session",
        "it speaks against what the agent just used or named",
        "it speaks against what the agent just used",
    ),
    # what followed
    Feature("rule_dropped", 1, "remedy", "the agent did not use that any more", "the agent did not use that any more"),
    Feature(
        "rule_written",
        1,
        "remedy",
        "the agent then wrote a file of instructions",
        "the agent then wrote a file of instructions",
    ),
    Feature("rule_recorded", 1, "remedy", "what it wrote there names the same", "the agent wrote it down"),
    Feature("rule_restated", 1, "remedy", "the agent's reply repeats it", "the agent repeated it"),
)


@dataclass(slots=True)
class Talk:
    """What a session says and does, by turn of the user. Indexes are those of the observations, ascending."""

    observations: Sequence[Observation]
    turns: list[int] = field(default_factory=list[int])
    """Messages that the user wrote to the main agent."""
    writes: list[int] = field(default_factory=list[int])
    """Calls that wrote a file of instructions."""
    firsts: dict[str, int] = field(default_factory=dict[str, int])
    """The first and the last action that names a thing; made by the first message that needs them."""
    lasts: dict[str, int] = field(default_factory=dict[str, int])
    named: dict[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])

    def names(self, index: int) -> frozenset[str]:
        """What an observation names, each looked at once."""
        known = self.named.get(index)
        if known is None:
            one = self.observations[index]
            known = self.named[index] = names_of(_acted(one) if one.kind == "tool" else one.text[:REPLY])
        return known

    def end(self, at: int) -> int:
        """Where the message after this one stands."""
        place = bisect_right(self.turns, at)
        return self.turns[place] if place < len(self.turns) else len(self.observations)

    def recorded(self, at: int, names: frozenset[str], where: re.Pattern[str]) -> int:
        """How many of the names the files of instructions that match ``where`` say that were written in the turn of a message."""
        first, end = bisect_left(self.writes, at), self.end(at)
        turn = [i for i in self.writes[first : first + WRITES] if i < end]
        written = [i for i in turn if any(where.search(name) for name in self.observations[i].files[:FILES])]
        return len(names & frozenset[str]().union(*map(self.names, written)))


def talk(observations: Sequence[Observation]) -> Talk:
    """One pass over a session: turns of the user, and actions of the main agent."""
    made = Talk(observations)
    for index, one in enumerate(observations):
        if one.agent != "main":
            continue
        if one.kind == "user" and one.source == "user" and one.text:
            made.turns.append(index)
        elif one.kind == "tool" and one.action in ("edit", "write") and any(map(_instructs, one.files[:FILES])):
            made.writes.append(index)
    if made.turns:
        for index, one in enumerate(observations):
            if one.kind == "tool" and one.agent == "main":
                for name in made.names(index):
                    made.firsts.setdefault(name, index)
                    made.lasts[name] = index
    return made


def names_of(text: str) -> frozenset[str]:
    """Words and identifiers that say what a text is about, lower-cased."""
    return frozenset(low for word in _NAME.findall(text) if len(low := word.lower()) > 2 and low not in _COMMON)


def stands(talk: Talk, at: int, text: str) -> bool:
    """Whether the agent wrote it into the project's own file of instructions, so that it need not be told again."""
    return talk.recorded(at, _told(text), _PROJECTS) >= SAME


def measure(talk: Talk, at: int, sentence: str) -> dict[str, float]:
    """Every feature of a sentence in the message at ``at``, by name: 0 to 1, and the logarithm of a length."""
    text = _QUOTED.sub(lambda found: found.group() if found.group().count(" ") < _QUOTED_WORDS else " ", sentence)
    message = talk.observations[at].text
    end = talk.end(at)
    names = names_of(text)
    recent = range(max(0, at - LATELY), at)
    lately = frozenset[str]().union(*(talk.names(i) for i in recent if _heard(talk.observations[i])))
    used = _denied(text) & lately
    reply = next((i for i in range(at + 1, end) if _answers(talk.observations[i])), None)
    found = {
        "rule_lasting": _has(words.LASTING, text),
        "rule_universal": _has(words.UNIVERSAL, text),
        "rule_forbids": _has(words.FORBIDS, text),
        "rule_contrast": _has(words.CONTRAST, text),
        "rule_obliges": _has(words.OBLIGES, text),
        "rule_wants": _has(words.WANTS, text),
        "rule_reasoned": _has(words.REASONED, text),
        "rule_occasion": _has(words.OCCASION, text),
        "rule_instructions": _has(words.INSTRUCTIONS, text),
        "rule_question": float(message.endswith("?")),
        "rule_task": float(_begins_like_a_task(text)),
        "rule_past": _has(words.PAST, text),
        "rule_reference": _has(words.REFERENCE, text),
        "rule_hedged": _has(words.HEDGED, text),
        "rule_opening": float(at == talk.turns[0]),
        "rule_length": log(max(len(message), 40) / 40),
        "rule_laid_out": float(message.count("\n") > ROWS),
        "rule_denied_used": float(bool(used)),
        "rule_dropped": float(any(talk.lasts.get(name, end) < at for name in used)),
        "rule_written": float(any(at < i < end for i in talk.writes[bisect_left(talk.writes, at) :][:1])),
        "rule_recorded": min(talk.recorded(at, _told(text), _ANY), 3) / 3,
        "rule_restated": min(len(talk.names(reply) & names), 3) / 3 if reply is not None else 0.0,
    }
    stated = max(found[f"rule_{name}"] for name in ("lasting", "forbids", "contrast", "obliges"))
    single = max(found[f"rule_{name}"] for name in ("past", "reference", "question", "task"))
    found["rule_general"] = stated * (1.0 - max(single, _has(words.POINTING, text)))
    return found


_ANY = compile_later(f"{_MEMORY.pattern}|{_PROJECTS.pattern}", re.IGNORECASE)


def _instructs(name: str) -> bool:
    return _ANY.search(name) is not None


def _told(text: str) -> frozenset[str]:
    """What a sentence names beside the file that it wants it written into."""
    return frozenset(
        name for name in names_of(text) if not name.endswith(".md") and not words.INSTRUCTIONS.fullmatch(name)
    )


def _denied(text: str) -> frozenset[str]:
    """What stands behind a denial, up to the next comma."""
    behind = (text[found.end() : found.end() + REACH].partition(",")[0] for found in words.DENIED.finditer(text))
    return frozenset[str]().union(*map(names_of, behind))


def _begins_like_a_task(text: str) -> bool:
    for word in re.finditer(r"[^\s,.:;!]+", text[:200]):
        if word.group().lower() not in words.LEAD:
            return words.TASK.match(text, word.start()) is not None
    return False


def _acted(one: Observation) -> str:
    """What a call did: its command, the files it touched, and what it added."""
    files = " ".join(name.replace("\\", "/").rpartition("/")[2] for name in one.files[:FILES])
    added = "\n".join(row for row in one.change[: 2 * ACTION].split("\n") if row.startswith("+"))
    return f"{one.command[:ACTION]} {files} {added[:ACTION]}"


def _has(pattern: re.Pattern[str], text: str) -> float:
    return float(pattern.search(text) is not None)


def _heard(one: Observation) -> bool:
    return one.agent == "main" and one.kind in ("assistant", "tool")


def _answers(one: Observation) -> bool:
    return one.agent == "main" and one.kind == "assistant"
