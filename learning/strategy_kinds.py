"""The documents' four kinds of strategy, and which strategy each is counted as.

An outcome may name its strategy by one of these words, by a strategy's own name, or in words that speak of one.
"""

from __future__ import annotations

from typing import Literal, get_args

from mind_skills.learning.strategies import STRATEGIES, extract
from mind_skills.redaction.lazy_pattern import compile_later

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


def named(strategy: str) -> list[str]:
    """The strategies that ``strategy`` stands for: one for a kind or a name, else those that the words speak of."""
    found = _NAMES.get(_plain(strategy))
    return [found] if found else extract(strategy)
