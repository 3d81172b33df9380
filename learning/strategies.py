"""The specification's twelve strategies for dividing a task, and how to find them in a description of the work."""

from __future__ import annotations

import re
from typing import Literal, get_args

from mind_skills.detectors.words import build_phrases, lower_preserving_offsets
from mind_skills.learning.anti_patterns import build_slug
from mind_skills.learning.profiles import DEFAULT, Profile
from mind_skills.observations.model import Observation, get_raw_text, may_contain_all
from mind_skills.redaction.lazy_pattern import compile_lazily

_SPACE = "[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
"""White space as in the original implementation's regular expressions."""
_PATTERNS: tuple[tuple[str, str, str], ...] = (
    ("Split by file type", "split", r"split(?:ting)?_+by_+file_+type"),
    ("Split by component", "split", r"split(?:ting)?_+by_+component"),
    ("Split by layer (UI/logic/data)", "split", r"split(?:ting)?_+by_+layer"),
    ("Split by feature", "split", r"split(?:ting)?_+by_+feature"),
    ("One file per subtask", "per", r"one_+file_+per_+(?:sub)?task"),
    ("Handle shared types first", "shared", r"shared_+types?_+first"),
    ("Separate API routes", "separate", r"api_+(?:routes?)?_+separate"),
    ("Tests alongside implementation", "test", r"tests?_+(?:with|alongside)_+(?:code|implementation)"),
    ("Tests in separate subtask", "separate", r"tests?_+(?:in_+)?separate_+(?:sub)?task"),
    ("Maximize parallelization", "parallel", r"parallel(?:ize)?_+(?:all|everything)"),
    ("Sequential execution order", "sequential", r"sequential_+(?:order|execution)"),
    ("Respect dependency chain", "dependency", r"dependency_+(?:chain|order)"),
)
"""Label; a word that every match contains, which is searched for first; pattern, in which ``_`` stands for white space."""
_STRATEGIES = tuple((label, word, pattern.replace("_", _SPACE)) for label, word, pattern in _PATTERNS)
STRATEGIES = tuple(label for label, *_ in _PATTERNS)
"""The labels of the strategies."""
SIGNS = (
    ("split", (("by",),)),
    ("para", (("separate", "api"), ("separate", "test"), ("parallel",))),
    ("q", (("sequential",),)),
    ("dependency", ((),)),
    ("shared", (("first",),)),
    ("test", (("with", "code"), ("with", "implementation"), ("alongside",))),
    ("task", (("file", "per", "one"),)),
)
"""Text that names a strategy contains a substring and all words of one of its sets, ignoring case."""
STRATEGY_PHRASES = build_phrases(
    {word: "|".join(pattern for _, each, pattern in _STRATEGIES if each == word) for _, word, _ in _PATTERNS},
    is_multiline=True,
)
"""Matches every text that names a strategy, and some texts that do not."""
_NEGATION = compile_lazily(
    r"(?:\b(?:not|never|avoid(?:ing)?|without|instead of|rather than|no longer|stop|against|no)|n['\u2019]t)\b(?:\W+\w+){0,3}\W*\Z",
    re.IGNORECASE,
)
"""A negation that ends at most three words before the strategy."""
_CLAUSE = compile_lazily(r"[.;:!?\n]|\bbut\b|,", re.IGNORECASE)
_MAX_CLAUSE_LENGTH = 80


def extract_strategies(description: str, profile: Profile = DEFAULT, *, is_announced: bool = False) -> list[str]:
    """Return the strategies that a text names, in order. The default profile omits those negated, or inside a word
    ("unsplit by file"); with ``is_announced``, only those that its author is about to follow are returned.
    """
    lowercase = lower_preserving_offsets(description)
    # The Kelvin sign becomes "k" in lower case.
    is_ascii_safe = lowercase is not None and "\u212a" not in description
    flags = re.ASCII if is_ascii_safe else re.ASCII | re.IGNORECASE
    text = lowercase if lowercase is not None and is_ascii_safe else description
    searched = lowercase if lowercase is not None else description.lower()
    return [
        label
        for label, word, pattern in _STRATEGIES
        if word in searched and _is_proposed(compile_lazily(pattern, flags), text, profile, is_announced=is_announced)
    ]


def _is_proposed(pattern: re.Pattern[str], text: str, profile: Profile, *, is_announced: bool) -> bool:
    if not profile.respects_negation:
        return bool(pattern.search(text))
    return any(
        _is_affirmed(text, match.start()) and (not is_announced or _is_announced(text, *match.span()))
        for match in pattern.finditer(text)
    )


def _is_affirmed(description: str, start: int) -> bool:
    if start and description[start - 1].isalnum():
        return False
    clause = _CLAUSE.split(description[max(0, start - _MAX_CLAUSE_LENGTH) : start])[-1]
    return not _NEGATION.search(clause)


_SENTENCE_END = compile_lazily(r"[.!?](?=\s|\Z)|\n")
_MAX_SENTENCE_LENGTH = 300
_OWN_PLAN = compile_lazily(
    r"\b(?:i|we|i['\u2019](?:ll|m)|we['\u2019](?:ll|re)|let['\u2019]?s|let me|my|our)\b"
    r"|\A[\W\d_]*(?:(?:the )?(?:plan|strategy|approach|decomposition|order|tasks?|steps?)\W+|now |first |then |next ){0,2}\Z",
    re.IGNORECASE,
)
"""What precedes the name of a strategy that its author is about to follow: a word for the author, or hardly anything."""
_NOT_NOW = compile_lazily(
    r"\b(?:if|whether|would|could|might|may|maybe|perhaps|consider\w*|yesterday|last|previous\w*|earlier|before|had|used to|say|says"
    r"|said|recommend\w*|suggest\w*|wrote|asked|why|usually)\b|\bshould (?:i|we)\b",
    re.IGNORECASE,
)
"""What makes the name of a strategy a condition, a question, a memory or a quotation."""
_NOT_WORTH_IT = compile_lazily(
    r"\b(?:overkill|overhead|not worth|makes (?:no|little) sense|would|wouldn['\u2019]t|could|isn['\u2019]t|is not|unnecessary"
    r"|fail(?:s|ed|ing)?|errors?|conflicts?)\b",
    re.IGNORECASE,
)


def _is_announced(text: str, start: int, end: int) -> bool:
    """Return whether the author of a text is about to follow the strategy that the text names from ``start`` to ``end``."""
    before = _SENTENCE_END.split(text[max(0, start - _MAX_SENTENCE_LENGTH) : start])[-1]
    rest = text[end : end + _MAX_SENTENCE_LENGTH]
    stop = _SENTENCE_END.search(rest)
    after = rest[: stop.start()] if stop else rest
    is_question = stop is not None and stop[0] == "?"
    is_quoted = before[-1:] in ("'", '"', "\u2018", "\u201c", "\u00ab") or before.count("`") % 2 == 1
    if is_question or is_quoted or _NOT_NOW.search(before) or _NOT_WORTH_IT.search(after):
        return False
    return _OWN_PLAN.search(before) is not None


# -- The four kinds of strategy in the specification --

StrategyKind = Literal["file-based", "feature-based", "risk-based", "research-based"]
KINDS: tuple[StrategyKind, ...] = get_args(StrategyKind)

_KIND_STRATEGIES: dict[str, str] = {
    "file-based": "Split by file type",
    "feature-based": "Split by feature",
    "risk-based": "Order by risk",
    "research-based": "Research first",
}
"""The strategy of each kind. The specification has patterns for the first two, but not for the other two."""
_BY_NAME = {build_slug(name): name for name in (*STRATEGIES, *_KIND_STRATEGIES.values())} | _KIND_STRATEGIES


def resolve_strategy(strategy: str) -> list[str]:
    """Return the strategy of this kind or name or, for any other text, the strategies that the text names."""
    strategy_name = _BY_NAME.get(build_slug(strategy))
    return [strategy_name] if strategy_name else extract_strategies(strategy)


# -- Strategies that a session follows --

MAX_PLAN_LENGTH = 20_000
"""Maximum number of characters read from a plan; the longest plan seen had 9,000."""
MIN_PARTS = 2
"""A task that was not divided into so many parts followed no strategy for dividing it."""
_LIST_ITEM = compile_lazily(r"^[ \t]*(?:[-*+\u2022]|\d{1,3}[.)])[ \t]+\S", re.MULTILINE)
_STEP = compile_lazily(
    r"[\W\d_]*(?:(?:re-?)?(?:run|test)|execute|fix|repair|debug|find|locate|identify|reproduce|investigate|diagnose|understand|analy[sz]e"
    r"|read|look|inspect|explore|examine|search|review|verify|check|confirm|validate|ensure|commit|push|open|clean|summari[sz]e|report"
    r"|lint|format|plan|split|wait|ask|update (?:the )?(?:docs?|documentation|changelog|readme|tests?)"
    r"|(?:add|write) (?:a |the |unit |more )*tests?)\b",
    re.IGNORECASE,
)
"""Start of an item that is a step of any work, and no part of this one."""


_LIST_TOOLS = frozenset({"TodoWrite", "todowrite", "update_plan", "write_todos", "TaskCreate"})
"""Tools that list parts of a task; every other one delegates a part."""


class StrategyCollector:
    """Collects the strategies that the main agent announces, in a message, plan or task, before it divides the task:
    into calls that are delegated, or into a list of parts, after which it makes as many changes.
    """

    def __init__(self) -> None:
        self._names: list[str] = []
        self._parts: set[str] = set()
        self._delegated: set[str] = set()
        self._change_count = 0

    def feed(self, observation: Observation) -> None:
        self._names += [name for name in find_named_strategies(observation) if name not in self._names]
        if not self._names or observation.outcome not in ("ok", "unknown"):
            return
        if not _is_task(observation):
            self._change_count += len(self._parts) >= MIN_PARTS and observation.action in ("edit", "write")
        elif observation.tool in _LIST_TOOLS:
            parts = _list_parts(observation.command[:MAX_PLAN_LENGTH])
            self._parts.update(part for part in parts if not _STEP.match(part))
        else:
            self._delegated.add(observation.command[:MAX_PLAN_LENGTH].strip())

    def list_followed(self) -> list[str]:
        return self._names if max(len(self._delegated), self._change_count) >= MIN_PARTS else []


def find_named_strategies(observation: Observation) -> list[str]:
    """Return the strategies that the main agent announces in a message, a plan or a task."""
    if observation.agent != "main":
        return []
    if observation.kind == "assistant":
        if not may_contain_all(observation, SIGNS) or not STRATEGY_PHRASES.matches(get_raw_text(observation)):
            return []  # without accessing ``text``, which would clean the text first
        return extract_strategies(observation.text[:MAX_PLAN_LENGTH], is_announced=True)
    return extract_strategies(observation.command[:MAX_PLAN_LENGTH], is_announced=True) if _is_task(observation) else []


def _is_task(observation: Observation) -> bool:
    is_done = observation.kind == "tool" and observation.outcome in ("ok", "unknown")
    return is_done and observation.agent == "main" and observation.action == "task"


def _list_parts(text: str) -> list[str]:
    """Return the items of a plan or of a to-do list, which has one per line; a text without a list is one part."""
    items = [line for line in text.splitlines() if _LIST_ITEM.match(line)]
    return [item.strip() for item in items or text.splitlines() if item.strip()]
