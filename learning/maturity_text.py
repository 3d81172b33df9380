"""Maturity in words: what an agent is told of a pattern beside its text, as the documents format it."""

from __future__ import annotations

from collections.abc import Iterable

from mind_skills.learning.anti_patterns import percent
from mind_skills.learning.maturity import MaturityState, PatternMaturity

FEW = 3
"""Below so many observations no share is named."""
_SECTIONS: tuple[tuple[MaturityState, str, str], ...] = (
    ("proven", "Proven Patterns", "These patterns consistently work well:"),
    ("established", "Established Patterns", "These patterns have track records:"),
    ("candidate", "Candidate Patterns", "These patterns need more validation:"),
    ("deprecated", "Deprecated Patterns", "AVOID these patterns - they have poor track records:"),
)


def format_maturity(maturity: PatternMaturity) -> str:
    """The state and its figures in brackets."""
    good, bad = maturity.helpful_count, maturity.harmful_count
    total = good + bad
    if total < FEW:
        return f"[LIMITED DATA - {total} observation{'' if total == 1 else 's'}]"
    helpful, harmful = f"{percent(good, total)}% helpful", f"{percent(bad, total)}% harmful"
    return {
        "candidate": f"[CANDIDATE - {total} observations, needs more data]",
        "established": f"[ESTABLISHED - {helpful}, {harmful} from {total} observations]",
        "proven": f"[PROVEN - {helpful} from {total} observations]",
        "deprecated": f"[DEPRECATED - {harmful}, avoid using]",
    }[maturity.state]


def format_patterns(patterns: Iterable[tuple[str, PatternMaturity]]) -> str:
    """Patterns (text and maturity) by state, the most trusted first; empty where there are none."""
    by_state: dict[MaturityState, list[str]] = {}
    for content, maturity in patterns:
        by_state.setdefault(maturity.state, []).append(f"- {content} {format_maturity(maturity)}")
    return "\n\n".join(
        "\n".join([f"## {title}", "", words, "", *by_state[state]])
        for state, title, words in _SECTIONS
        if state in by_state
    )
