"""Lasting rules of the user: sentences that state how things are to be done from now on.

The sentences that the user wrote to the main agent are scored, except for those in long messages, pasted lines and code
blocks. The score is computed from features, as for an episode (scorer.py, with user_rules.json): the words of the sentence,
the form and place of the message, and what the agent did before and after it. A rule that the agent wrote to the project's
own instruction file is already in force and is not reported.

The words are not specific to the subject of a project, and none decides by itself. Those in other languages have the same
meanings as the English ones. The author had read the labelled sessions, so the accuracy measured on them is optimistic.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import log
from typing import NamedTuple

from mind_skills.detectors.composing.sentences import truncate
from mind_skills.detectors.features import Feature
from mind_skills.detectors.model import Evidence, Finding
from mind_skills.detectors.scorer import Model, load_shipped_model
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_lazily

_INSTRUCTION_WORDS = compile_lazily(
    r"\b(?:claude|agents?|gemini|copilot-instructions|cursorrules|contributing)\.md\b|\b(?:rules?|conventions?|guidelines?"
    r"|polic(?:y|ies)|standards?|standing orders?|instructions?|regeln?|règles?|reglas?|правил\w{0,3})\b"
    r"|규칙|가이드|지침|ルール|規約|规则|规范",
    re.IGNORECASE,
)
"""An instruction file, or a word for its content."""
_WORD_FEATURES = {
    "rule_lasting": compile_lazily(
        r"\b(?:always|never|whenever|from now on|going forward|in (?:the )?future|every ?time|each time|no longer|at all times"
        r"|by default|any ?more|immer|niemals|nie|künftig|stets|ab jetzt|toujours|jamais|désormais|siempre|nunca|jamás|sempre|mai"
        r"|altijd|nooit|alltid|aldrig|zawsze|nigdy|всегда|никогда)\b"
        r"|항상|절대|반드시|앞으로|매번|常に|必ず|絶対|今後|毎回|总是|永远|始终|必须|以后|一律",
        re.IGNORECASE,
    ),
    "rule_universal": compile_lazily(
        r"\b(?:all|every|everything|each|any|anything|only|alle|jede[rsnm]?|nur|tous|toutes|chaque|seulement|todos|todas|cada|solo"
        r"|sólo|somente|tutti|tutte|ogni)\b|모든|모두|전부|만\b|すべて|全て|のみ|だけ|所有|每个|只",
        re.IGNORECASE,
    ),
    "rule_forbids": compile_lazily(
        r"\b(?:(?<!\bi )do(?: not|n['’]?t)|must not|mustn['’]?t|should not|shouldn['’]?t|can ?not|can['’]?t be|never|not allowed"
        r"|stop \w{1,30}ing|avoid|without \w|(?:please|and|just) no \w|nicht|kein\w{0,2}|niemals|nie|ne \w{1,30} pas|jamais|nunca|jamás"
        r"|não|mai|niet|nooit|inte|aldrig|nigdy|нельзя|не|никогда)\b"
        r"|^no (?!problem|worries|idea|longer|need)\w|하지 ?마|말고|말아|ないで|しない|せず|禁止|不要|不能|别|勿",
        re.IGNORECASE,
    ),
    "rule_contrast": compile_lazily(
        r"\b(?:instead|rather than|not \w|over \w|statt|anstatt|sondern|plutôt|au lieu|en vez|en lugar|em vez|invece|вместо)"
        r"|대신|아닌|아니라|말고|ではなく|じゃなく|の代わり|而不是|代替",
        re.IGNORECASE,
    ),
    "rule_obliges": compile_lazily(
        r"\b(?:must|should|shall|needs? to|ha(?:ve|s) to|ought to|required|supposed to|is to be|are to be|muss|müssen|soll(?:en|te)?"
        r"|doi[st]|doivent|faut|debes?|deben|hay que|deve[m]?|moet(?:en)?|должн\w{1,3}|надо)\b|해야|되어야|べき|なければ|必须|应该|需要",
        re.IGNORECASE,
    ),
    "rule_wants": compile_lazily(
        r"\bi(?:['’]d| would)? (?:do not |don['’]?t |never |only |really |much |greatly |always )?(?:want|wish|prefer|value|expect)\b"
        r"(?! (?:you )?to\b)|\bich bevorzuge\b|\bje préfère\b|\b(?:prefiero|prefiro)\b",
        re.IGNORECASE,
    ),
    "rule_reasoned": compile_lazily(
        r"\b(?:because|cause|bc|since|so that|so we|as (?:it|that|this|we|the)|otherwise|weil|damit|denn|parce|car|porque|perché|потому)\b"
        r"|때문|니까|므로|から|ので|ため|因为",
        re.IGNORECASE,
    ),
    "rule_occasion": compile_lazily(
        r"\b(?:when(?:ever)?|before|until|unless|if|except|wenn|bevor|quand|avant|cuando|antes|quando|если|когда)\b"
        r"|경우|때\b|전에|場合|とき|前に|如果|之前",
        re.IGNORECASE,
    ),
    "rule_instructions": _INSTRUCTION_WORDS,
    "rule_past": compile_lazily(
        r"\b(?:was|were|did|didn['’]?t|had|got|went|failed|saw|made|said|meant|broke|tried|seems?|looks?|still|i['’]m|i am|it['’]s)\b"
        r"|했|었|ました|でした",
        re.IGNORECASE,
    ),
    "rule_reference": compile_lazily(
        r"https?://|#\d|\bline \d|\b\d{3}|:\d|\b(?:pr|phase|step|option|item|issue) #?\d", re.IGNORECASE
    ),
    "rule_hedged": compile_lazily(
        r"\b(?:maybe|perhaps|probably|i (?:think|guess|suppose)|not sure|might|could|would|wonder\w{0,3}|vielleicht|peut-être|quizás?"
        r"|talvez)\b|かもしれ|아마|可能|也许",
        re.IGNORECASE,
    ),
}
"""Features that are 1 if the expression matches in the sentence, else 0."""
_TASK = compile_lazily(
    r"(?:add|address|apply|audit|build|bump|change|check|clean|commit|compare|continue|convert|create|debug|delete|deploy"
    r"|do(?! not\b)|drop|examine|execute|explain|find|finish|fix|generate|get|give|go|implement|install|investigate|look|make|mention"
    r"|merge|move|note|open|pick|plan|pull|push|put|read|reformat|refactor|reduce|release|remove|rename|replace|reply|research"
    r"|reset|restart|resume|retry|revert|review|rewrite|run|save|see|send|set|show|start|summari[sz]e|take|tell|test|try|turn|undo"
    r"|update|verify|view|wait|write)\b",
    re.IGNORECASE,
)
"""The verb of a one-time action at the start of a sentence; words in ``_TASK_LEAD`` may precede it."""
_TASK_LEAD = frozenset(
    """ok okay yes yeah yep no and also now then so please great perfect first next just well hey hi alright can could would
    you we i let lets let's let’s think maybe probably might need have should want to plus""".split()
)
_POINTING = compile_lazily(
    r"\b(?:this|that|these|those|it|its|here|there|above|below|now|again)\b|이거|저거|위의|これ|それ|这个|那个",
    re.IGNORECASE,
)
_DENIED = compile_lazily(
    r"\b(?:do not|don['’]?t|must not|should not|shouldn['’]?t|never|not|no|instead of|rather than|avoid|without|stop|than|over"
    r"|nicht|kein\w{0,2}|niemals|nie|statt|pas|jamais|nunca|jamás|não|mai|niet|nooit|inte|aldrig|nigdy|не|никогда)\b",
    re.IGNORECASE,
)
"""Negations and comparisons, followed by what is rejected."""
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
_INSTRUCTIONS = compile_lazily(f"{_HOST_MEMORY.pattern}|{_PROJECT_INSTRUCTIONS.pattern}", re.IGNORECASE)


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
"""Signs were chosen like those of the features of episodes (features.py)."""


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
            and any(map(_INSTRUCTIONS.search, observation.files[:MAX_FILES]))
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
    names = _extract_rule_names(text)
    return conversation.count_recorded_names(message_index, names, _PROJECT_INSTRUCTIONS) >= MIN_SHARED_NAMES


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
    recorded_count = conversation.count_recorded_names(message_index, _extract_rule_names(text), _INSTRUCTIONS)
    reply = next((i for i in range(message_index + 1, turn_end) if _is_reply(conversation.observations[i])), None)
    features = {name: _match(pattern, text) for name, pattern in _WORD_FEATURES.items()} | {
        "rule_question": float(message.endswith("?")),
        "rule_task": float(_is_task(text)),
        "rule_opening": float(message_index == conversation.user_messages[0]),
        "rule_length": log(max(len(message), 40) / 40),
        "rule_laid_out": float(message.count("\n") > MAX_PLAIN_ROWS),
        "rule_denied_used": float(bool(rejected)),
        "rule_dropped": float(any(conversation.last_mentions.get(name, turn_end) < message_index for name in rejected)),
        "rule_written": float(any(message_index < i < turn_end for i in next_write)),
        "rule_recorded": min(recorded_count, 3) / 3,
        "rule_restated": min(len(conversation.read_names(reply) & names), 3) / 3 if reply is not None else 0.0,
    }
    statement_signal = max(features[f"rule_{name}"] for name in ("lasting", "forbids", "contrast", "obliges"))
    single_case_signal = max(features[f"rule_{name}"] for name in ("past", "reference", "question", "task"))
    features["rule_general"] = statement_signal * (1.0 - max(single_case_signal, _match(_POINTING, text)))
    return features


def _extract_rule_names(text: str) -> frozenset[str]:
    """Return the names in a sentence, except the names of instruction files."""
    return frozenset(
        name for name in extract_names(text) if not name.endswith(".md") and not _INSTRUCTION_WORDS.fullmatch(name)
    )


def _extract_denied_names(text: str) -> frozenset[str]:
    """Return the names after each negation or comparison, up to the next comma."""
    denied_parts = (
        text[match.end() : match.end() + MAX_DENIED_LENGTH].partition(",")[0] for match in _DENIED.finditer(text)
    )
    return frozenset[str]().union(*map(extract_names, denied_parts))


def _is_task(text: str) -> bool:
    for word in re.finditer(r"[^\s,.:;!]+", text[:200]):
        if word.group().lower() not in _TASK_LEAD:
            return _TASK.match(text, word.start()) is not None
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


# -- From the user's messages to a finding --

WEIGHTS = "user_rules.json"
"""The file with the weights of the features."""
MAX_MESSAGE_LENGTH, MAX_SENTENCE_LENGTH, MIN_SENTENCE_LENGTH = 2_500, 320, 8
"""Maximum length of a message (longer ones are plans or pasted text), and maximum and minimum length of a sentence, in characters."""
MAX_SENTENCES = 24
"""Maximum number of sentences of a message that are scored; messages with more sentences are usually tasks."""
MAX_TITLE_LENGTH, MAX_SUMMARY_LENGTH = 120, 200
_FENCE = compile_lazily(r"```.*?(?:```|\Z)", re.DOTALL)
_END = compile_lazily(r"(?<=[.!?;])\s+|[。！？]|\n")
_BULLET = compile_lazily(r"(?:[-*•]|\d{1,2}[.)])\s+")
_PASTED = compile_lazily(r"(?:[>|❯$#⎿⏺]|at \S{1,200}\(|[+-]{3} )")
"""Starts a line that was pasted from a terminal, a diff or another text."""


class Rule(NamedTuple):
    """A sentence that may be a rule: the index of its message, its text, its features, and its probability."""

    message_index: int
    text: str
    features: dict[str, float]
    probability: float


def find_rule(observations: Sequence[Observation]) -> list[Finding]:
    """Return a list with the most probable rule of a window as a finding; empty if no rule reaches the tier ``medium``."""
    model = load_shipped_model(WEIGHTS)
    return [
        _build_finding(observations[rule.message_index], rule, model)
        for rule in rank_rules(observations, model)[:1]
        if rule.probability >= model.tiers["medium"]
    ]


def rank_rules(observations: Sequence[Observation], model: Model) -> list[Rule]:
    """Return the sentences that may be rules, most probable first, without those that the project's instruction file contains."""
    conversation = index_conversation(observations)
    rules = (
        Rule(message_index, text, features, model.compute_probability(features))
        for message_index, text in propose_sentences(conversation)
        for features in [measure_features(conversation, message_index, text)]
        if not is_recorded(conversation, message_index, text)
    )
    return sorted(rules, key=lambda rule: (-rule.probability, rule.message_index))


def propose_sentences(conversation: Conversation) -> Iterator[tuple[int, str]]:
    """Yield the message index and the text of every sentence that may be a rule."""
    for message_index in conversation.user_messages:
        text = conversation.observations[message_index].text
        if len(text) > MAX_MESSAGE_LENGTH:
            continue
        parts = map(str.strip, _END.split(_FENCE.sub("\n", text)))
        sentences = [part for part in parts if part and not _PASTED.match(part)]
        for part in sentences[:MAX_SENTENCES]:
            bullet = _BULLET.match(part)
            sentence = " ".join(part[bullet.end() if bullet else 0 :].split())
            if MIN_SENTENCE_LENGTH <= len(sentence) <= MAX_SENTENCE_LENGTH:
                yield message_index, sentence


def _build_finding(message: Observation, rule: Rule, model: Model) -> Finding:
    evidence = Evidence(
        "decision", "context", truncate(f"user: {rule.text}", MAX_SUMMARY_LENGTH), rule.text, message.line
    )
    return Finding(
        kind="user_rule",
        title=truncate(rule.text, MAX_TITLE_LENGTH),
        reason="the user stated a rule",
        anchor=" ".join(sorted(extract_names(rule.text))) or rule.text,
        evidence=(evidence,),
        probability=round(rule.probability, 4),
        deciding=model.list_deciding_features(rule.features),
    )
