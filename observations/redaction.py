"""Secrets leave a text before it is stored, shown or matched.

Each rule has a hint: a few literal characters that every match must hold. A text without any hint, which is nearly every
text, costs some dozen substring searches. A rule runs only where its hint is found, and each is linear: it starts only at
the edge of a word, and what it reads beyond is bounded. Git SHAs, UUIDs, digests, long paths, placeholders and prose
about tokens stay whole: a redaction that mangles the error message is as bad as one that misses the key.

What is known by its form stands in token_formats.py, by its place in contexts.py, by its name in assignments.py, and private
keys of many lines in key_blocks.py. The list of what is found and what stays is tests/observations/planted.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mind_skills.observations.assignments import redact_assignments
from mind_skills.observations.contexts import CONTEXTS
from mind_skills.observations.issuers import ISSUERS, MARKED_KEYS, Rule
from mind_skills.observations.key_blocks import HINT, redact_key_blocks
from mind_skills.observations.random_tokens import redact_random
from mind_skills.observations.token_formats import DATE

_PASSES = 4
"""One replacement may bare the edge of another secret; two passes settle every text seen, four are the bound."""
_KEY = 14
"""A key has no blank in it and is no shorter: what stands between blanks and is so long is a fifth of a text."""
_HEAD = re.compile(r"([A-Za-z0-9_]{1,3})[A-Za-z0-9_]*+")
_ESCAPED = re.compile(r"(?:\\[nrt]|%[0-9A-F][0-9A-F])([A-Za-z0-9_]{1,3})")
"""How the words of a text begin, and those behind an escape, which looks like a part of the word."""
_SHORTEST = 8
"""Fewer characters hold no secret together with what gives it away."""
_MODULES = (
    "assignments",
    "contexts",
    "issuers",
    "key_blocks",
    "personal",
    "random_tokens",
    "redaction",
    "token_formats",
)
_SIGN = re.compile(r"[0-9:=>]")
"""A text without any of these, a flag or a dash is words, a name or a plain command: of secrets it can hold keys alone."""


def by_head(rules: Sequence[Rule]) -> dict[str, tuple[tuple[tuple[str, ...], Rule], ...]]:
    """The rules by the first word characters of their prefixes, at most three: where none occurs no rule can match.

    With each rule stand those of its prefixes that begin so.
    """
    found: dict[str, dict[Rule, tuple[str, ...]]] = {}
    for rule in rules:
        for hint in rule.hints:
            if match := _HEAD.search(hint):
                begun = found.setdefault(match[1], {})
                begun[rule] = (*begun.get(rule, ()), hint)
    return {head: tuple((hints, rule) for rule, hints in begun.items()) for head, begun in found.items()}


_ISSUERS = by_head(ISSUERS)


def _keys(text: str, runs: list[str]) -> str:
    """``text`` after the rules for keys one of whose prefixes might begin a word of it."""
    heads: list[str] = _HEAD.findall(" ".join(runs))
    if "\\" in text or "%" in text:
        heads += _ESCAPED.findall(text)
    for rule in MARKED_KEYS:
        if rule.hints[0] in text:
            text = rule.pattern.sub(rule.replace, text)
    if _ISSUERS.keys().isdisjoint(heads):
        return text
    for head in sorted(_ISSUERS.keys() & heads):
        for hints, rule in _ISSUERS[head]:
            if any(map(text.__contains__, hints)):
                text = rule.pattern.sub(rule.replace, text)
    return text


def by_hint(rules: Sequence[Rule]) -> dict[str, tuple[Rule, ...]]:
    """The rules by each of their hints, so that a hint that many share is sought once."""
    found: dict[str, tuple[Rule, ...]] = {}
    for rule in rules:
        for hint in rule.hints:
            found[hint] = (*found.get(hint, ()), rule)
    return found


_CONTEXTS = by_hint(CONTEXTS)


def _places(text: str) -> str:
    """``text`` after the rules whose hint is in it."""
    for hint in [hint for hint in _CONTEXTS if hint in text]:
        for rule in _CONTEXTS[hint]:
            if any(map(text.__contains__, rule.needs)):
                text = rule.pattern.sub(rule.replace, text)
    return text


def _once(text: str) -> str:
    if HINT in text:
        text = redact_key_blocks(text)
    if runs := [piece for piece in text.split() if len(piece) >= _KEY]:
        text = _keys(text, runs)
    text = redact_assignments(_places(text))
    return redact_random(text) if runs else text


def version() -> str:
    """The rules by name: the date of the table of formats, and a digest of every module that takes something out.

    Read from the modules themselves, so that no rule can change and be forgotten here. Raises OSError.
    """
    from hashlib import blake2b
    from pathlib import Path

    digest = blake2b(digest_size=6)
    for name in _MODULES:
        digest.update(Path(__file__).with_name(f"{name}.py").read_bytes())
    return f"{DATE}-{digest.hexdigest()}"


def redact(text: str) -> str:
    """``text`` with every secret that a rule knows replaced by ``[redacted:kind]``. Doing it twice changes nothing more."""
    if len(text) < _SHORTEST:
        return text
    if _SIGN.search(text) is None and " -" not in text and "--" not in text:
        runs = [piece for piece in text.split() if len(piece) >= _KEY]
        return _keys(text, runs) if runs else text
    for _ in range(_PASSES):
        if (done := _once(text)) == text:
            break
        text = done
    return text
