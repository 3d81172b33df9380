"""Strategies: the twelve ways to divide a task that the documents look for in a description, in their order."""

from __future__ import annotations

import re
from typing import Literal, get_args

from mind_skills.detectors.phrases import lowered, phrases
from mind_skills.learning.profiles import DEFAULT, Profile
from mind_skills.observations.model import Observation
from mind_skills.observations.unread import may_hold_all, may_match
from mind_skills.redaction.lazy_pattern import compile_later

_SPACE = "[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
"""White space as the original's expressions see it."""
_SHAPES: tuple[tuple[str, str, str], ...] = (
    ("Split by file type", "split", r"split(?:ting)?_+by_+file_+type"),
    ("Split by component", "split", r"split(?:ting)?_+by_+component"),
    ("Split by layer (UI/logic/data)", "split", r"split(?:ting)?_+by_+layer"),
    ("Split by feature", "split", r"split(?:ting)?_+by_+feature"),
    ("One file per subtask", "per", r"one_+file_+per_+(?:sub)?task"),
    ("Handle shared types first", "shared", r"shared_+types?_+first"),
    ("Separate API routes", "separate", r"api_+(?:routes?)?_+separate"),
    (
        "Tests alongside implementation",
        "test",
        r"tests?_+(?:with|alongside)_+(?:code|implementation)",
    ),
    ("Tests in separate subtask", "separate", r"tests?_+(?:in_+)?separate_+(?:sub)?task"),
    ("Maximize parallelization", "parallel", r"parallel(?:ize)?_+(?:all|everything)"),
    ("Sequential execution order", "sequential", r"sequential_+(?:order|execution)"),
    ("Respect dependency chain", "dependency", r"dependency_+(?:chain|order)"),
)
"""Label, a word that stands in whatever matches and is looked for first, and the shape."""
_STRATEGIES = tuple((label, word, shape.replace("_", _SPACE)) for label, word, shape in _SHAPES)
STRATEGIES = tuple(label for label, *_ in _SHAPES)
SIGNS = (
    ("split", (("by",),)),
    ("para", (("separate", "api"), ("separate", "test"), ("parallel",))),
    ("q", (("sequential",),)),
    ("dependency", ((),)),
    ("shared", (("first",),)),
    ("test", (("with", "code"), ("with", "implementation"), ("alongside",))),
    ("task", (("file", "per", "one"),)),
)
"""Letters, and with each sets of words: whatever names a strategy holds one of them, in any case, and one of its sets."""
ANY = phrases(
    {word: "|".join(shape for _, each, shape in _STRATEGIES if each == word) for _, word, _ in _SHAPES}, across=True
)
"""Whatever names a strategy matches this, and words that name none alone may as well."""
_AGAINST = compile_later(
    r"(?:\b(?:not|never|avoid(?:ing)?|without|instead of|rather than|no longer|stop|against|no)|n['\u2019]t)\b(?:\W+\w+){0,3}\W*\Z",
    re.IGNORECASE,
)
"""Words that turn what follows into its opposite, at most three words before it."""
_CLAUSE = compile_later(r"[.;:!?\n]|\bbut\b|,", re.IGNORECASE)
_BEFORE = 80


def extract_strategies(description: str, profile: Profile = DEFAULT) -> list[str]:
    """The strategies that a description names, each once, in the order of the table.

    By default one that the description speaks against each time is left out, and so is one that only begins inside a
    word ("unsplit by file type"); the original sees neither.
    """
    low = lowered(description)
    plain = low is not None and "\u212a" not in description  # which is lowered to a plain k, and is none
    flags = re.ASCII if plain else re.ASCII | re.IGNORECASE
    text = low if low is not None and plain else description
    sought = low if low is not None else description.lower()
    return [
        label
        for label, word, shape in _STRATEGIES
        if word in sought and _proposes(compile_later(shape, flags), text, profile)
    ]


def _proposes(shape: re.Pattern[str], text: str, profile: Profile) -> bool:
    if not profile.negation_aware:
        return bool(shape.search(text))
    return any(_speaks_for(text, found.start()) for found in shape.finditer(text))


def _speaks_for(description: str, start: int) -> bool:
    if start and description[start - 1].isalnum():
        return False
    clause = _CLAUSE.split(description[max(0, start - _BEFORE) : start])[-1]
    return not _AGAINST.search(clause)


# -- the documents' four kinds --

StrategyKind = Literal["file-based", "feature-based", "risk-based", "research-based"]
KINDS: tuple[StrategyKind, ...] = get_args(StrategyKind)

_COUNTED_AS: dict[str, str] = {
    "file-based": "Split by file type",
    "feature-based": "Split by feature",
    "risk-based": "Order by risk",
    "research-based": "Research first",
}
"""The first two are what a description calls them; the documents' descriptions have no words for the other two."""
_BREAK = compile_later(r"[^a-z0-9]+")


def _plain(text: str) -> str:
    return _BREAK.sub("-", text.lower()).strip("-")


_NAMES = {_plain(name): name for name in (*STRATEGIES, *_COUNTED_AS.values())} | _COUNTED_AS


def resolve_strategy(strategy: str) -> list[str]:
    """The strategies that ``strategy`` stands for: one for a kind or a name, else those that the words speak of."""
    found = _NAMES.get(_plain(strategy))
    return [found] if found else extract_strategies(strategy)


# -- what a session says it follows --

PLAN = 20_000
"""Characters of a plan that are read: the longest seen had 9,000."""


def find_followed(observation: Observation) -> list[str]:
    """The strategies that an observation says its session follows, each once."""
    if observation.agent != "main":
        return []
    if observation.kind == "assistant":
        if not may_hold_all(observation, SIGNS) or not may_match(observation, ANY):
            return []  # without looking at the text itself, which has to be cleaned for it
        return extract_strategies(observation.text[:PLAN])
    if observation.kind == "tool" and observation.action == "task" and observation.outcome in ("ok", "unknown"):
        return extract_strategies(observation.command[:PLAN])
    return []
