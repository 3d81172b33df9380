"""Features of a sentence by the user that may state a lasting rule: numbers, each with the sign of its weight.

Signs were chosen by judgement before any weight was fitted; a fit may drop a feature but not change its sign. In addition to
the words, the features measure the form and place of the message, and what the agent did before and after it.
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
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_REPLY_LENGTH, MAX_ACTION_LENGTH, MAX_FILES = 600, 1_200, 5
"""Maximum amounts that are compared with a sentence: characters of an agent's message; characters of a command, and of the lines
that a call added; and number of files."""
RECENT_OBSERVATIONS, MAX_WRITES = 30, 10
"""Number of observations before a message to which it may refer, and of writes after it that may record its rule. Both limits
keep the cost linear."""
MAX_DENIED_LENGTH = 48
"""Number of characters after a negation that are searched for the names of what the user rejects."""
MAX_PLAIN_ROWS = 7
"""A message with more line breaks counts as a document."""
MIN_SHARED_NAMES = 2
"""Minimum number of names of a sentence that the agent must have written to an instruction file for the rule to count as recorded."""

_NAME = compile_lazily(r"[A-Za-z][A-Za-z0-9_]*(?:[./@-][A-Za-z0-9_]+)*")
_QUOTED = compile_lazily(r"`[^`]{0,320}`|\"[^\"]{0,320}\"|“[^”]{0,320}”|「[^」]{0,320}」")
_MIN_QUOTED_SENTENCE_SPACES = 3
"""Quotations with at least this many spaces are somebody else's sentences."""
_COMMON = frozenset(
    """about after again all also always and another any are because been before being both but can could did does doing
    done don each else even every file files first for from get going had has have here how into its just keep like make
    many maybe more most must need never new not now off only other our out over own please rather run same see should
    some still such sure take than that the their them then there these they thing things this those through too use used
    using very want was way well were what when where which while who why will with without would you your yes let lets
    one two work code""".split()
)
_HOST_MEMORY = compile_lazily(r"[/\\](?:memory|memories)[/\\][^/\\]{1,120}\.md$", re.IGNORECASE)
"""A host's own memory files: outside the project, and read only by that host."""
_PROJECT_INSTRUCTIONS = compile_lazily(
    r"(?:^|[/\\])(?:CLAUDE|AGENTS|GEMINI|copilot-instructions)(?:\.local)?\.md$|\.cursorrules$|\.instructions\.md$"
    r"|[/\\]\.(?:claude|cursor)[/\\]rules[/\\]",
    re.IGNORECASE,
)
"""A project's instruction files for agents."""


RULE_FEATURES: tuple[Feature, ...] = (
    # words
    Feature("rule_lasting", 1, "words", "the sentence states how long it applies", "it applies at all times"),
    Feature("rule_universal", 1, "words", "a quantifier covers more than the case at hand", "it covers all cases"),
    Feature("rule_forbids", 1, "words", "a ban lasts; a task is hardly ever negative", "it forbids something"),
    Feature("rule_contrast", 1, "words", "preferring one thing to another is a habit", "it prefers one thing to another"),
    Feature("rule_obliges", 1, "words", "a rule states a duty, a task gives an order", "it states a duty"),
    Feature("rule_wants", 1, "words", "a stated wish is often not tied to one case", "it states what the user wants"),
    Feature("rule_reasoned", 1, "words", "a reason outlives the case", "it gives a reason"),
    Feature("rule_occasion", 1, "words", "a rule states when to act: before, whenever, unless", "it states when it applies"),
    Feature("rule_instructions", 1, "words", "instruction files contain rules", "it names an instruction file, or calls itself a rule"),
    Feature("rule_general", 1, "words", "a ban or a duty that points to nothing at hand is lasting", "it is not limited to one case"),
    Feature("rule_question", -1, "words", "a question does not state a rule", "it is a question"),
    Feature("rule_task", -1, "words", "a one-time action is a task", "it begins like a task"),
    Feature("rule_past", -1, "words", "a report of what happened is not a rule", "it describes what happened"),
    Feature("rule_reference", -1, "words", "an address or a number points to one case", "it contains an address or a number"),
    Feature("rule_hedged", -1, "words", "an uncertain sentence is not a rule", "it is uncertain"),
    # form and place of the message
    Feature("rule_opening", -1, "session", "the first message of a session is its task", "it is in the first message"),
    Feature("rule_length", -1, "session", "rules are short; long messages are tasks and pasted text", "its message is long"),
    Feature("rule_laid_out", -1, "session", "a message of many lines is a task or a document", "its message is laid out like a document"),
    Feature("rule_denied_used", 1, "session", "a correction applies from then on", "it rejects what the agent just used or named"),
    # what the agent did next
    Feature("rule_dropped", 1, "remedy", "the agent took it as a lasting rule", "the agent stopped using what it rejects"),
    Feature("rule_written", 1, "remedy", "instruction files contain rules", "the agent then wrote an instruction file"),
    Feature("rule_recorded", 1, "remedy", "the agent took it as a lasting rule", "the agent wrote it to an instruction file"),
    Feature("rule_restated", 1, "remedy", "the agent acknowledged it", "the agent's reply repeated it"),
)  # fmt: skip


@dataclass(slots=True)
class Conversation:
    """Ascending indexes of a session's user messages and writes to instruction files, and the names that it mentions."""

    observations: Sequence[Observation]
    user_messages: list[int] = field(default_factory=list[int])
    """Messages from the user to the main agent."""
    instruction_writes: list[int] = field(default_factory=list[int])
    """Calls of the main agent that wrote an instruction file."""
    last_mentions: dict[str, int] = field(default_factory=dict[str, int])
    """Index of the main agent's last call that mentions a name, by name. Filled only if the session has user messages."""
    _names: dict[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])

    def read_names(self, index: int) -> frozenset[str]:
        """Return the names that a call or a message contains. Cached."""
        cached = self._names.get(index)
        if cached is None:
            observation = self.observations[index]
            cached = self._names[index] = extract_names(
                _describe_action(observation) if observation.kind == "tool" else observation.text[:MAX_REPLY_LENGTH]
            )
        return cached

    def find_turn_end(self, message_index: int) -> int:
        """Return the index of the user's next message after ``message_index``, or the number of observations."""
        position = bisect_right(self.user_messages, message_index)
        return self.user_messages[position] if position < len(self.user_messages) else len(self.observations)

    def count_recorded_names(self, message_index: int, names: frozenset[str], path_pattern: re.Pattern[str]) -> int:
        """Count the ``names`` that the agent wrote, in the turn of a message, to instruction files whose paths match ``path_pattern``."""
        first, end = bisect_left(self.instruction_writes, message_index), self.find_turn_end(message_index)
        writes = [
            index
            for index in self.instruction_writes[first : first + MAX_WRITES]
            if index < end and any(map(path_pattern.search, self.observations[index].files[:MAX_FILES]))
        ]
        return len(names & frozenset[str]().union(*map(self.read_names, writes)))


def index_conversation(observations: Sequence[Observation]) -> Conversation:
    """Index a session's user messages and the main agent's calls."""
    conversation = Conversation(observations)
    for index, observation in enumerate(observations):
        if observation.agent != "main":
            continue
        if observation.kind == "user" and observation.source == "user" and observation.text:
            conversation.user_messages.append(index)
        elif (
            observation.kind == "tool"
            and observation.action in ("edit", "write")
            and any(map(_is_instruction_file, observation.files[:MAX_FILES]))
        ):
            conversation.instruction_writes.append(index)
    if conversation.user_messages:
        for index, observation in enumerate(observations):
            if observation.kind == "tool" and observation.agent == "main":
                for name in conversation.read_names(index):
                    conversation.last_mentions[name] = index
    return conversation


def extract_names(text: str) -> frozenset[str]:
    """Return the lower-cased words and identifiers that indicate what a text is about."""
    return frozenset(
        lowered for word in _NAME.findall(text) if len(lowered := word.lower()) > 2 and lowered not in _COMMON
    )


def is_recorded(conversation: Conversation, message_index: int, text: str) -> bool:
    """Return whether the agent wrote the rule to the project's own instruction file; if so, it need not be offered."""
    return (
        conversation.count_recorded_names(message_index, _extract_rule_names(text), _PROJECT_INSTRUCTIONS)
        >= MIN_SHARED_NAMES
    )


def measure_features(conversation: Conversation, message_index: int, sentence: str) -> dict[str, float]:
    """Return every feature of a sentence of the message at ``message_index``.

    Each is from 0 to 1, except for ``rule_length``, a logarithm.
    """
    text = _QUOTED.sub(lambda quote: quote[0] if quote[0].count(" ") < _MIN_QUOTED_SENTENCE_SPACES else " ", sentence)
    message = conversation.observations[message_index].text
    turn_end = conversation.find_turn_end(message_index)
    names = extract_names(text)
    recent = range(max(0, message_index - RECENT_OBSERVATIONS), message_index)
    recent_names = frozenset[str]().union(
        *(conversation.read_names(i) for i in recent if _is_main_agent(conversation.observations[i]))
    )
    rejected = _extract_denied_names(text) & recent_names
    writes = conversation.instruction_writes
    next_write = writes[bisect_left(writes, message_index) :][:1]
    reply = next((i for i in range(message_index + 1, turn_end) if _is_reply(conversation.observations[i])), None)
    features = {
        "rule_lasting": _match(words.LASTING, text),
        "rule_universal": _match(words.UNIVERSAL, text),
        "rule_forbids": _match(words.FORBIDS, text),
        "rule_contrast": _match(words.CONTRAST, text),
        "rule_obliges": _match(words.OBLIGES, text),
        "rule_wants": _match(words.WANTS, text),
        "rule_reasoned": _match(words.REASONED, text),
        "rule_occasion": _match(words.OCCASION, text),
        "rule_instructions": _match(words.INSTRUCTIONS, text),
        "rule_question": float(message.endswith("?")),
        "rule_task": float(_is_task(text)),
        "rule_past": _match(words.PAST, text),
        "rule_reference": _match(words.REFERENCE, text),
        "rule_hedged": _match(words.HEDGED, text),
        "rule_opening": float(message_index == conversation.user_messages[0]),
        "rule_length": log(max(len(message), 40) / 40),
        "rule_laid_out": float(message.count("\n") > MAX_PLAIN_ROWS),
        "rule_denied_used": float(bool(rejected)),
        "rule_dropped": float(any(conversation.last_mentions.get(name, turn_end) < message_index for name in rejected)),
        "rule_written": float(any(message_index < i < turn_end for i in next_write)),
        "rule_recorded": min(
            conversation.count_recorded_names(message_index, _extract_rule_names(text), _INSTRUCTIONS), 3
        )
        / 3,
        "rule_restated": min(len(conversation.read_names(reply) & names), 3) / 3 if reply is not None else 0.0,
    }
    statement_signal = max(features[f"rule_{name}"] for name in ("lasting", "forbids", "contrast", "obliges"))
    single_case_signal = max(features[f"rule_{name}"] for name in ("past", "reference", "question", "task"))
    features["rule_general"] = statement_signal * (1.0 - max(single_case_signal, _match(words.POINTING, text)))
    return features


_INSTRUCTIONS = compile_lazily(f"{_HOST_MEMORY.pattern}|{_PROJECT_INSTRUCTIONS.pattern}", re.IGNORECASE)


def _is_instruction_file(name: str) -> bool:
    return _INSTRUCTIONS.search(name) is not None


def _extract_rule_names(text: str) -> frozenset[str]:
    """Return the names in a sentence, except the names of instruction files."""
    return frozenset(
        name for name in extract_names(text) if not name.endswith(".md") and not words.INSTRUCTIONS.fullmatch(name)
    )


def _extract_denied_names(text: str) -> frozenset[str]:
    """Return the names after each negation or comparison, up to the next comma."""
    denied_parts = (
        text[match.end() : match.end() + MAX_DENIED_LENGTH].partition(",")[0] for match in words.DENIED.finditer(text)
    )
    return frozenset[str]().union(*map(extract_names, denied_parts))


def _is_task(text: str) -> bool:
    for word in re.finditer(r"[^\s,.:;!]+", text[:200]):
        if word.group().lower() not in words.LEAD:
            return words.TASK.match(text, word.start()) is not None
    return False


def _describe_action(observation: Observation) -> str:
    """Return a call's command, the base names of its files, and the lines that it added, as one text."""
    files = " ".join(name.replace("\\", "/").rpartition("/")[2] for name in observation.files[:MAX_FILES])
    added = "\n".join(row for row in observation.change[: 2 * MAX_ACTION_LENGTH].split("\n") if row.startswith("+"))
    return f"{observation.command[:MAX_ACTION_LENGTH]} {files} {added[:MAX_ACTION_LENGTH]}"


def _match(pattern: re.Pattern[str], text: str) -> float:
    return float(pattern.search(text) is not None)


def _is_main_agent(observation: Observation) -> bool:
    return observation.agent == "main" and observation.kind in ("assistant", "tool")


def _is_reply(observation: Observation) -> bool:
    return observation.agent == "main" and observation.kind == "assistant"
