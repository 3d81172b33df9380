"""Lasting rules of the user: sentences by which they say how it is to be done from then on.

A rule is told by its place more than by its words: it follows what the agent just did and speaks of it, is short, names
no single case, and the agent works otherwise afterwards, or writes it into a file of instructions. Words are the closed
class of a language (never, all, instead of, must), each a feature and none a gate.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from mind_skills.observations.model import Observation

LONG_MESSAGE, SENTENCE, LEAST = 2_500, 320, 8
"""Characters: of a message beyond which it is a plan or pasted, of a sentence at most and at least."""
MOST_SENTENCES = 24
"""Of one message that are weighed: who writes more gives a task."""
REPLY, ACTION = 600, 1_200
"""Characters of a reply, and of an action, that are compared with a sentence."""


class Feature(NamedTuple):
    """One number of a sentence. ``sign`` says whether more of it speaks for a rule; a fit may not turn it."""

    name: str
    sign: Literal[1, -1]
    reason: str
    says: str


FEATURES: tuple[Feature, ...] = (
    Feature("lasting", 1, "a word for all times states how long it holds", "it says that it always holds"),
    Feature("universal", 1, "a quantifier speaks of more than the case at hand", "it speaks of all cases"),
    Feature("forbids", 1, "what is forbidden stays so; a task is hardly ever negative", "it forbids something"),
    Feature("contrast", 1, "one thing in place of another is a choice between habits", "it puts one thing before another"),
    Feature("obliges", 1, "a duty is stated, where a task is given", "it states a duty"),
    Feature("wants", 1, "a wish of the speaker that no case bounds", "it says what the user wants"),
    Feature("reasoned", 1, "a reason outlives the case", "it gives a reason"),
    Feature("occasion", 1, "it says when to do so: before, whenever, unless", "it says when it holds"),
    Feature("instructions", 1, "it names a file of instructions, or calls itself a rule", "it names a file of instructions"),
    Feature("question", -1, "who asks states nothing", "it is a question"),
    Feature("task", -1, "it begins with the verb of a task that is done once", "it begins like a task"),
    Feature("past", -1, "it tells what happened", "it tells what happened"),
    Feature("reference", -1, "an address or a number is one case", "it names an address or a number"),
    Feature("hedged", -1, "who is not sure gives no rule", "it is not sure of itself"),
    Feature("opening", -1, "the session's first message is its task", "it stands in the first message"),
    Feature("length", -1, "rules are said shortly; long messages are tasks and pasted text", "its message is long"),
    Feature("laid_out", -1, "headings and many lines are a task or a document", "its message is laid out like a document"),
    Feature("general", 1, "a ban or a duty that points at nothing of the moment and names no single case", "it holds for no single case"),
    Feature("words", -1, "a short sentence is clearer", "it is long"),
    Feature("written", 1, "the agent then wrote a file of instructions", "the agent then wrote a file of instructions"),
    Feature("recorded", 1, "what it wrote there shares the sentence's names", "the agent wrote it down"),
    Feature("denied_used", 1, "it speaks against what the agent just used or named", "it speaks against what the agent just used"),
    Feature("dropped", 1, "and the agent did not use that any more", "the agent did not use that any more"),
    Feature("spoken_of", 1, "it takes up what the agent just did or said", "it takes up what the agent just did"),
    Feature("adopted", 1, "what it names comes up in the agent's actions for the first time", "the agent then used what it names"),
    Feature("restated", 1, "the agent's reply repeats it", "the agent repeated it"),
)

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_END = re.compile(r"(?<=[.!?;])\s+|[。！？]|\n")
_LIST = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_PASTED = re.compile(r"\s*(?:[>|❯$#⎿⏺]|at \S+\(|\S+:\d+:|[+-]{3} )")
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|「[^」]*」")
_QUOTED_WORDS = 3
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[./@-][A-Za-z0-9_]+)*")
_COMMON = frozenset(
    """about after again all also always and another any are because been before being both but can could did does doing
    done don each else even every file files first for from get going had has have here how into its just keep like make
    many maybe more most must need never new not now off only other our out over own please rather run same see should
    some still such sure take than that the their them then there these they thing things this those through too use used
    using very want was way well were what when where which while who why will with without would you your yes let lets
    one two work code it is in on at to of or as an be by do if no so up we me my he go ok""".split()
)

_LASTING = re.compile(
    r"\b(?:always|never|whenever|from now on|going forward|in (?:the )?future|every ?time|each time|no longer|at all times"
    r"|by default|any ?more|immer|niemals|nie|künftig|stets|ab jetzt|toujours|jamais|désormais|siempre|nunca|jamás|sempre|mai"
    r"|altijd|nooit|alltid|aldrig|zawsze|nigdy|всегда|никогда)\b|항상|절대|반드시|앞으로|매번|常に|必ず|絶対|今後|毎回|总是|永远|始终|必须|以后|一律|总要",
    re.IGNORECASE,
)
_UNIVERSAL = re.compile(
    r"\b(?:all|every|everything|each|any|anything|only|alle|jede[rsnm]?|nur|tous|toutes|chaque|seulement|todos|todas|cada|solo"
    r"|todo|toda|sólo|somente|tutti|tutte|ogni)\b|모든|모두|전부|만\b|すべて|全て|のみ|だけ|所有|每个|只",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    r"\b(?:do not|don['’]?t|must ?n[o'’]t|should ?n[o'’]t|should not|must not|can ?not|can['’]?t be|never|not allowed|stop \w+ing|avoid"
    r"|(?:please|and|,|^) ?no (?!problem|worries|idea|longer|need|\w+ing\b)\w+|without \w+|nicht|kein\w{0,2}|ne \w+ pas|n['’]\w+ pas|no \w+(?:es|as|e|a)\b|não|niet|inte"
    r"|нельзя|не)\b|하지 ?마|말고|말아|아닌|ないで|しない|せず|禁止|不要|不能|别|勿",
    re.IGNORECASE | re.MULTILINE,
)
_CONTRAST = re.compile(
    r"\b(?:instead(?: of)?|rather than|not \w+|over \w+|statt|anstatt|sondern|plutôt|au lieu|en vez|en lugar|em vez|invece|вместо)\b"
    r"|대신|아닌|아니라|말고|ではなく|じゃなく|の代わり|而不是|代替",
    re.IGNORECASE,
)
_OBLIGES = re.compile(
    r"\b(?:must|should|shall|needs? to|ha(?:ve|s) to|ought to|required|supposed to|is to be|are to be|muss|müssen|soll(?:en|te)?"
    r"|doi[st]|doivent|faut|debes?|deben|hay que|deve[m]?|moet(?:en)?|должн\w+|надо)\b|해야|되어야|べき|なければ|必须|应该|需要",
    re.IGNORECASE,
)
_WANTS = re.compile(
    r"\bi(?:['’]d| would)? (?:do not |don['’]?t |never |only |really |much |greatly |always )?(?:want|wish|prefer|value|expect|(?:woul)?d rather)\b(?! (?:you )?to\b)"
    r"|\bich (?:will|möchte|bevorzuge)\b|\bje (?:veux|préfère)\b|\b(?:quiero|prefiero|quero|prefiro)\b",
    re.IGNORECASE,
)
_REASONED = re.compile(
    r"\b(?:because|cause|bc|since|so that|so we|as (?:it|that|this|we|the)|otherwise|weil|damit|denn|parce|car|porque|perché|потому)\b"
    r"|때문|니까|므로|から|ので|ため|因为",
    re.IGNORECASE,
)
_OCCASION = re.compile(
    r"\b(?:when(?:ever)?|before|until|unless|if|except|wenn|bevor|quand|avant|cuando|antes|quando|если|когда)\b|경우|때\b|전에|場合|とき|前に|如果|之前",
    re.IGNORECASE,
)
_INSTRUCTIONS = re.compile(
    r"\b(?:claude|agents|gemini|copilot-instructions|cursorrules|contributing)\.md\b|\b(?:rules?|conventions?|guidelines?|polic(?:y|ies)"
    r"|standards?|standing orders?|instructions?|regeln?|règles?|reglas?|правил\w*)\b|규칙|가이드|지침|ルール|規約|规则|规范",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"(?:\W|(?:(?:i think |maybe |probably )?(?:we|you)(?:['’]ll)? (?:also |then |probably |just |might )?(?:need to|have to|should|want to|can)|ok(?:ay)?|yes|yeah|yep|and|also|now|then|so|please|great|perfect|first|next|just|well|hey|hi|alright)\b)*"
    r"(?:can you|could you|can we|could we|would you|let['’]?s?|lets|go ahead|go|add|address|apply|audit|build|bump|change|check|clean|commit|compare"
    r"|continue|convert|create|debug|delete|deploy|do (?!not\b)|drop|examine|execute|explain|find|finish|fix|generate|get|give|implement|install"
    r"|investigate|look|make|merge|move|note|mention|explain|open|pick|plan|pull|push|put|read|reformat|refactor|reduce|release|remove|rename|replace|reply|research|reset|restart|resume|retry|revert"
    r"|review|rewrite|run|save|see|send|set|show|start|summari[sz]e|take|tell|test|try|turn|undo|update|verify|view|wait|write)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(r"\b(?:this|that|these|those|it|its|here|there|above|below|now|again)\b|이거|저거|위의|これ|それ|这个|那个", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:was|were|did|didn['’]?t|had|got|went|failed|saw|made|said|meant|broke|tried|seems?|looks?|still|i['’]m|i am|it['’]s)\b|했|었|ました|でした",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"https?://|#\d+|\bline \d+|\b\d{3,}\b|:\d+\b|\b(?:pr|phase|step|option|item|issue) #?\d", re.IGNORECASE)
_HEDGED = re.compile(
    r"\b(?:maybe|perhaps|probably|i (?:think|guess|suppose)|not sure|might|could|would|wonder\w*|vielleicht|peut-être|quizás?|talvez)\b|かもしれ|아마|可能|也许",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:do not|don['’]?t|dont|must not|should not|shouldn['’]?t|never|not|no|instead of|rather than|avoid|without|stop|than|over)\b",
    re.IGNORECASE,
)
_DENIED_REACH = 48
_FILES = re.compile(
    r"(?:^|[/\\])(?:CLAUDE|AGENTS|GEMINI|MEMORY|copilot-instructions)(?:\.local)?\.md$|\.cursorrules$|[/\\]memory[/\\][^/\\]+\.md$"
    r"|[/\\]\.(?:claude|cursor)[/\\]rules[/\\]|\.instructions\.md$",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    """One sentence of the user's: where it stands and what it says. ``at`` is an index into the observations."""

    at: int
    text: str
    among: int
    """How many sentences its message has."""


@dataclass(slots=True)
class Talk:
    """What a session says and does, by user turn. Indexes are those of the observations, ascending."""

    observations: Sequence[Observation]
    turns: list[int] = field(default_factory=list[int])
    """Messages of the user."""
    actions: list[int] = field(default_factory=list[int])
    firsts: dict[str, int] = field(default_factory=dict[str, int])
    """The first action that names a thing, and the last."""
    lasts: dict[str, int] = field(default_factory=dict[str, int])
    named: dict[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])

    def names(self, index: int) -> frozenset[str]:
        """What an observation names, each once looked at."""
        known = self.named.get(index)
        if known is None:
            one = self.observations[index]
            text = _acted(one) if one.kind == "tool" else one.text[:REPLY]
            known = self.named[index] = names_of(text)
        return known


def talk(observations: Sequence[Observation]) -> Talk:
    """One pass over a session: turns of the user, actions of the main agent and what these name."""
    made = Talk(observations)
    for index, one in enumerate(observations):
        if one.agent != "main":
            continue
        if one.kind == "user" and one.source == "user" and one.text:
            made.turns.append(index)
        elif one.kind == "tool":
            made.actions.append(index)
            for name in made.names(index):
                made.firsts.setdefault(name, index)
                made.lasts[name] = index
    return made


def _acted(one: Observation) -> str:
    files = " ".join(re.split(r"[/\\]", name)[-1] for name in one.files[:5])
    added = "\n".join(row for row in one.change[:2_000].split("\n") if row[:1] == "+")
    return f"{one.command[:ACTION]} {files} {added[:ACTION]}"


def names_of(text: str) -> frozenset[str]:
    """Words and identifiers that say what a text is about, lower-cased."""
    return frozenset(low for word in _NAME.findall(text) if len(low := word.lower()) > 2 and low not in _COMMON)


def sentences(talk: Talk) -> Iterator[Sentence]:
    """Sentences of the user that may state a rule: none of pasted text, plans, quotes and code."""
    for at in talk.turns:
        text = talk.observations[at].text
        if len(text) > LONG_MESSAGE:
            continue
        parts = [cut for part in _END.split(_FENCE.sub("\n", text)) if not _PASTED.match(part) and (cut := _clean(part))]
        for part in parts[:MOST_SENTENCES]:
            if LEAST <= len(part) <= SENTENCE:
                yield Sentence(at, part, len(parts))


def _clean(part: str) -> str:
    return " ".join(_LIST.sub("", part, count=1).split())


def _own_words(text: str) -> str:
    """Without what is quoted: of more than three words somebody else's."""
    return _QUOTED.sub(lambda found: found.group() if found.group().count(" ") < _QUOTED_WORDS else " ", text)


def measure(talk: Talk, sentence: Sentence) -> dict[str, float]:
    """Every feature of a sentence by name, each between 0 and 1 or the logarithm of a length."""
    text, at = _own_words(sentence.text), sentence.at
    message = talk.observations[at].text
    turn = bisect_left(talk.turns, at)
    before = range(talk.turns[turn - 1] + 1 if turn else 0, at)
    end = talk.turns[turn + 1] if turn + 1 < len(talk.turns) else len(talk.observations)
    names = names_of(text)
    told = frozenset(name for name in names if not name.endswith(".md") and not _INSTRUCTIONS.fullmatch(name))
    denied = frozenset[str]().union(*(names_of(text[m.end() : m.end() + _DENIED_REACH].split(",")[0]) for m in _DENIED.finditer(text)))
    lately = frozenset[str]().union(*(talk.names(i) for i in before[-30:] if _main(talk.observations[i])))
    reply = next((i for i in range(at + 1, end) if talk.observations[i].kind == "assistant" and _main(talk.observations[i])), None)
    written = [i for i in range(at + 1, end) if _instructs(talk.observations[i])]
    recorded = frozenset[str]().union(*(talk.names(i) for i in written[:10]))
    adopted = {name for name in names if talk.firsts.get(name, -1) > at}
    used = denied & lately
    found = {
        "lasting": _has(_LASTING, text),
        "universal": _has(_UNIVERSAL, text),
        "forbids": _has(_FORBIDS, text),
        "contrast": _has(_CONTRAST, text),
        "obliges": _has(_OBLIGES, text),
        "wants": _has(_WANTS, text),
        "reasoned": _has(_REASONED, text),
        "occasion": _has(_OCCASION, text),
        "instructions": _has(_INSTRUCTIONS, text),
        "question": float(text.endswith("?") or message.rstrip().endswith("?")),
        "task": float(_TASK.match(text) is not None),
        "past": _has(_PAST, text),
        "reference": _has(_REFERENCE, text),
        "hedged": _has(_HEDGED, text),
        "opening": float(turn == 0),
        "length": math.log(max(len(message), 40) / 40),
        "words": math.log(max(len(text), 30) / 30),
        "written": float(bool(written)),
        "recorded": min(len(recorded & told), 3) / 3,
        "denied_used": float(bool(used)),
        "dropped": float(any(talk.firsts.get(name, at) < at and talk.lasts[name] < at for name in used)),
        "spoken_of": min(len(lately & names), 3) / 3,
        "adopted": min(len(adopted), 2) / 2,
        "restated": min(len(talk.names(reply) & names), 3) / 3 if reply is not None else 0.0,
        "laid_out": float(message.count("\n") > 7),
        "general": 0.0,
    }
    stated = max(found[name] for name in ("lasting", "forbids", "contrast", "obliges"))
    single = max(_has(_POINTING, text), *(found[name] for name in ("past", "reference", "question", "task")))
    found["general"] = stated * (1.0 - single)
    return found


def _has(pattern: re.Pattern[str], text: str) -> float:
    return float(pattern.search(text) is not None)


def _main(one: Observation) -> bool:
    return one.agent == "main" and one.kind != "thinking"


def _instructs(one: Observation) -> bool:
    """Whether it writes a file from which agents take their instructions."""
    return one.kind == "tool" and one.action in ("edit", "write") and any(_FILES.search(name) for name in one.files)
