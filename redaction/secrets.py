"""Redacts secrets before text is stored, shown or matched.

Each rule has hints, short literals, and is applied only if a text contains one of them. Most texts contain none, and cost only a few
dozen substring searches. A rule takes linear time. Git SHAs, UUIDs, digests, long paths, placeholders and prose about tokens are left
unchanged: a redaction that mangles an error message is as harmful as one that misses a key.

Rules find spans and do not change the text. A text can therefore also be searched after it was decoded once: escapes of JSON and
programming languages, percent-encoding, quoted-printable and character references, and terminal colours, whether their ESC character is
present, written as an escape, or missing; and lines around the name of a secret without what a tool printed before each of them
(decoding.py). A secret that is found in the decoded text is replaced at its place in the original text.

Secrets are recognised by form (prefixes.py), by context (contexts.py), by name or table column (assignments.py), and as blocks of private
keys (here). If none of these finds anything, random_values.py searches for generated values. tests/redaction lists what is redacted
and what is left unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, zip_longest

from mind_skills.redaction.assignments import (
    Span,
    find_assigned_secrets,
    find_column_secrets,
    find_stems,
    lower_preserving_offsets,
)
from mind_skills.redaction.contexts import SECRET_CONTEXTS, SecretContext
from mind_skills.redaction.decoding import Decoded, decode, find_framed_parts
from mind_skills.redaction.lazy_pattern import compile_lazily, join_words
from mind_skills.redaction.prefixes import ISSUERS, MARKED_KEYS, SOURCES_DATE, Rule
from mind_skills.redaction.random_values import find_passwords, find_random_tokens

# -- private keys ----------------------------------------------------------------------------------------------------------
# In PEM and PGP armour: on several lines, or on one line with escapes; complete, or truncated at either end. Editors, file readers and
# diffs may add a prefix to each line: a number, a bar, ``-``, ``+``, ``>``, ``#``.

_KEY_HINTS = ("PRIVATE KEY", "Static key V1")
"""Every marker contains one of these."""
_KEY_LABEL = r"(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)"
_KEY_BEGIN = compile_lazily(rf"-----BEGIN {_KEY_LABEL}-----|---- BEGIN {_KEY_LABEL} ----")
_KEY_END = compile_lazily(rf"-----END {_KEY_LABEL}-----|---- END {_KEY_LABEL} ----")
_KEY_LINE_PREFIX = (
    r"(?:[\w.~/-]{1,120}?[:-][0-9]{1,6}[:-](?=[A-Za-z0-9+/]))?[ \t]*+"
    r"(?:[0-9]{1,6}[ \t]*+[:|→│.)]|[0-9]{1,6}[ \t]++(?=\S))?[ \t]*+(?:[-+>#*|;,\"']{1,3}[ \t]*+)?"
)
"""The prefix that a tool may have added to a line of a key."""
_COLOUR = r"(?:\[[0-9;]{0,8}m)?"
_KEY_BODY = compile_lazily(
    r"(?:(?:\\[nr]|[\s\"',>|]|\[[0-9;]{0,8}m)*+"
    rf"(?:(?<=[\s\]m]){_COLOUR}{_KEY_LINE_PREFIX}(?=[A-Za-z0-9+/=]{{16}}))?"
    r"(?:[A-Za-z0-9+/=]{16,}+|(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{1,80}+))*+"
)
_LAST_KEY_LINE = compile_lazily(
    rf"(?:\\[nr]|[\s\"',]){{0,80}}+{_KEY_LINE_PREFIX}(?=[A-Za-z]{{0,14}}[0-9=+/])"
    r"[A-Za-z0-9+/=]{1,15}(?=[\"',]{0,2}[ \t]*(?:\\[nr]|[\r\n]|\Z))"
)
"""The last line of a key, which is shorter. It must not consist of letters alone, because these could be a word."""
_BASE64 = compile_lazily(r"[A-Za-z0-9+/=]{1,76}")
_KEY_LINE = compile_lazily(
    rf"{_COLOUR}{_KEY_LINE_PREFIX}(?P<body>[A-Za-z0-9+/=]{{1,76}})[\"',\\n]{{0,4}}{_COLOUR}\s*+\Z"
)
_MIN_KEY_BODY_LENGTH = 32
"""Minimum number of characters of key data. A marker with less key data is a mere mention."""
_MAX_KEY_LINES = 400
"""Maximum number of lines that are checked before an END without a BEGIN. A 16,384-bit key has 200."""


def may_contain_private_keys(text: str) -> bool:
    """Return whether a text may contain a key marker."""
    return any(map(text.__contains__, _KEY_HINTS))


def find_key_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of private keys, but not of certificates, or of markers that are only mentioned.

    Keys are nested if one was pasted into another. A BEGIN is pending until its END, so that one pass handles any depth. If a BEGIN
    is followed by key data but not by an END, the key ends where the data ends.
    """
    markers = _find_markers(text)
    pending: list[tuple[int, int]] = []
    position = 0
    for marker, next_marker in zip_longest(markers, markers[1:]):
        start, position = max(marker.start(), position), marker.end()
        if _KEY_END.match(marker[0]):
            if pending and marker.start() - pending[-1][1] >= _MIN_KEY_BODY_LENGTH:
                yield pending.pop()[0], marker.end()
            else:
                pending.clear()
            continue
        if next_marker is None or not _KEY_END.match(next_marker[0]):
            stop = _find_body_end(text, position, next_marker.start() if next_marker is not None else len(text))
            if stop - position >= _MIN_KEY_BODY_LENGTH:
                yield start, stop
                position = stop
                continue
        pending.append((start, position))
    yield from _find_headless_blocks(text)


def _find_body_end(text: str, start: int, limit: int) -> int:
    """Return the end of a key without an END, whose data begins at ``start``."""
    body = _KEY_BODY.match(text, start, limit)
    stop = body.end() if body is not None else start
    if stop - start >= _MIN_KEY_BODY_LENGTH and (tail := _LAST_KEY_LINE.match(text, stop, limit)) is not None:
        return tail.end()
    return stop


def _find_markers(text: str) -> list[re.Match[str]]:
    """Return all BEGIN and END markers in order.

    An END that shares its dashes with a preceding BEGIN is dropped; a BEGIN that shares its dashes with a preceding END is not.
    """
    markers: list[re.Match[str]] = []
    for marker in sorted((*_KEY_BEGIN.finditer(text), *_KEY_END.finditer(text)), key=lambda marker: marker.start()):
        if not markers or marker.start() >= markers[-1].end() or _KEY_BEGIN.match(marker[0]):
            markers.append(marker)
    return markers


def _find_headless_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of keys whose BEGIN was cut off: each END before the first BEGIN, and the base64 lines before that END."""
    begin = _KEY_BEGIN.search(text)
    previous_end = 0
    for end in _KEY_END.finditer(text):
        if begin is not None and begin.start() < end.start():
            break
        stop = start = text.rfind("\n", previous_end, end.start()) + 1 or previous_end
        length = 0
        for _ in range(_MAX_KEY_LINES):
            if start <= previous_end:
                break
            line_start = text.rfind("\n", previous_end, start - 1) + 1 or previous_end
            line = _KEY_LINE.match(text, line_start, start)
            if line is None:
                break
            length += len(line["body"])
            start = line_start
        if length >= _MIN_KEY_BODY_LENGTH and start < stop:
            yield start, end.end()
        elif end.start() - stop >= _MIN_KEY_BODY_LENGTH and _BASE64.match(text, stop, end.start()):
            yield stop, end.end()
        previous_end = end.end()


# -- all rules -------------------------------------------------------------------------------------------------------------

_MAX_PASSES, _MAX_GENERATED_PASSES = 1_000, 12
"""Maximum number of passes of the rules, each around the replacements of the one before, and of the search for generated values."""
FindSecrets = Callable[[str, Iterable[str]], list[Span]]
_MIN_KEY_LENGTH = 14
"""Minimum length of a key. Keys contain no spaces, so shorter words, which are the majority, need not be searched."""
_MIN_PASSWORD_LENGTH = 8
"""Minimum length of a password that is recognised by its form."""
_WORD_START = compile_lazily(r"([A-Za-z0-9_]{1,3})[A-Za-z0-9_]*+")
"""A word, with its first one to three characters as a group."""
_ESCAPED_WORD_START = compile_lazily(r"(?:\\[nrt]|%[0-9A-F][0-9A-F])([A-Za-z0-9_]{1,3})")
"""The first one to three characters of a word after an escape, whose last character would otherwise look like part of the word."""
_MIN_TEXT_LENGTH = 8
"""Minimum length of a text that is searched. A shorter one cannot contain both a secret and what identifies it as a secret."""
_SECRET_HINT = compile_lazily(r"[0-9:=>\"'：!@#$%^&*~|}]| -|--|\[m|nemonic|NEMONIC|hrase|HRASE|[A-Z][a-z]?[A-Z]")
"""A text with neither one of these nor a stem of ``assignments.SECRET_NAMES`` can contain no secrets other than keys."""


def group_by_head(rules: Sequence[Rule]) -> dict[str, tuple[tuple[tuple[str, ...], Rule], ...]]:
    """Group the rules by head: the first one to three word characters of their prefixes.

    Each rule is paired with those of its prefixes that begin with the head. If a head does not occur in a text, its rules cannot match.
    """
    rules_by_head: dict[str, dict[Rule, tuple[str, ...]]] = {}
    for rule in rules:
        for hint in rule.hints:
            if match := _WORD_START.search(hint):
                rules_of_head = rules_by_head.setdefault(match[1], {})
                rules_of_head[rule] = (*rules_of_head.get(rule, ()), hint)
    return {
        head: tuple((hints, rule) for rule, hints in rules_of_head.items())
        for head, rules_of_head in rules_by_head.items()
    }


_RULES_BY_HEAD = group_by_head(ISSUERS)
_HEADS = compile_lazily(rf"(?<![A-Za-z0-9_])(?:{join_words(_RULES_BY_HEAD)})")


def _find_keys(text: str, long_words: Iterable[str]) -> Iterator[Span]:
    """Yield the keys that ``ISSUERS`` and ``MARKED_KEYS`` recognise. ``long_words`` is the result of ``_split_long_words``."""
    candidates = [word for word in long_words if len(word) >= _MIN_KEY_LENGTH]
    if not candidates:
        return
    joined = " ".join(candidates)
    heads: set[str] = set(_HEADS.findall(joined))
    if "\\" in text or "%" in text:
        heads.update(_ESCAPED_WORD_START.findall(text))
    for rule in MARKED_KEYS:
        if rule.hints[0] in joined:
            yield from _match_rule(rule, text)
    for head in sorted(_RULES_BY_HEAD.keys() & heads):
        for hints, rule in _RULES_BY_HEAD[head]:
            if any(map(text.__contains__, hints)):
                yield from _match_rule(rule, text)


def _match_rule(rule: Rule, text: str) -> Iterator[Span]:
    kind = rule.kind or rule.name
    for match in rule.pattern.finditer(text):
        if rule.is_key is None or rule.is_key(match):
            yield *match.span(), kind


def group_by_hint(contexts: Sequence[SecretContext]) -> dict[str, tuple[SecretContext, ...]]:
    """Group the contexts by hint, so that a shared hint is searched for once."""
    contexts_by_hint: dict[str, tuple[SecretContext, ...]] = {}
    for context in contexts:
        for hint in context.hints:
            contexts_by_hint[hint] = (*contexts_by_hint.get(hint, ()), context)
    return contexts_by_hint


_CONTEXTS_BY_HINT = group_by_hint(SECRET_CONTEXTS)
_GATES = ("(", '"', "@", " -", "$", "")
"""Parts of hints. A text without the part is not searched for the hints that contain it, which saves a third of the searches."""
_HINTS_BY_GATE = [
    (gate, tuple(hint for hint in _CONTEXTS_BY_HINT if next(filter(hint.__contains__, _GATES)) == gate))
    for gate in _GATES
]


def _find_in_context(text: str, lowered: str) -> Iterator[Span]:
    """Yield the secrets that are recognised by their context. ``lowered`` is the text in lower case."""
    contains = lowered.__contains__
    hints = [list(filter(contains, hints)) for gate, hints in _HINTS_BY_GATE if gate in lowered]
    for hint in chain.from_iterable(hints):
        for context in _CONTEXTS_BY_HINT.get(hint, ()):
            if not context.required[0] or any(map(contains, context.required)):
                matches = (
                    _match_at(context.pattern, text, lowered, hint)
                    if context.is_anchored
                    else context.pattern.finditer(text)
                )
                for match in matches:
                    for start, stop in context.find_spans(match):
                        yield start, stop, context.kind


def _match_at(pattern: re.Pattern[str], text: str, lowered: str, hint: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begin where the hint stands, each after the end of the one before."""
    index = lowered.find(hint)
    while index >= 0:
        end = index + 1
        if (match := pattern.match(text, index)) is not None:
            yield match
            end = max(end, match.end())
        index = lowered.find(hint, end)


def _split_long_words(text: str) -> frozenset[str]:
    """Return the distinct whitespace-separated words that are long enough to be a password, which most are not."""
    return frozenset([word for word in text.split() if len(word) >= _MIN_PASSWORD_LENGTH])


def _find_recognised(text: str, long_words: Iterable[str]) -> list[Span]:
    """Return all secrets that a rule recognises, the most specific kinds first. For ``long_words``, see ``_find_keys``."""
    spans: list[Span] = []
    if may_contain_private_keys(text):
        spans += [(start, stop, "private-key") for start, stop in find_key_blocks(text)]
    spans += _find_keys(text, long_words)
    lowered = lower_preserving_offsets(text)
    return spans + find_announced(text, lowered, find_stems(lowered))


def find_announced(text: str, lowered: str, stems: list[str]) -> list[Span]:
    """Return all secrets that a place, a name or the header of a column announces.

    ``lowered`` is ``text`` in lower case, and ``stems`` are the stems of names in it.
    """
    spans = _find_announced_plainly(text, lowered, stems)
    for part in find_framed_parts(text, lowered, stems):
        part_lowered = lower_preserving_offsets(part.text)
        found = _find_announced_plainly(part.text, part_lowered, find_stems(part_lowered))
        found = found or _find_generated(part.text, _split_long_words(part.text))
        spans += [(*part.get_original_span(start, stop), kind) for start, stop, kind in found]
    return spans


def _find_announced_plainly(text: str, lowered: str, stems: list[str]) -> list[Span]:
    spans = list(_find_in_context(text, lowered))
    if stems:
        spans += find_assigned_secrets(text, lowered, stems)
        spans += find_column_secrets(text, lowered, stems)
    return spans


def _find_generated(text: str, long_words: Iterable[str]) -> list[Span]:
    """Return the secrets that look randomly generated: long tokens near words that indicate a secret, and passwords."""
    spans = [(start, stop, "secret") for start, stop in find_random_tokens(text, long_words)]
    return spans + [(start, stop, "password") for start, stop in find_passwords(text, long_words)]


_MARKER = compile_lazily(r"\[redacted:[a-z0-9-]{1,40}\]")
_CONTEXT = 400
"""Number of characters around a marker in which its insertion may expose another secret."""


def _cut_around(text: str, places: Iterable[tuple[int, int]]) -> list[tuple[int, str]]:
    """Return the parts of a text around some places, each with its start, or all of it if they are most of it, or it may have long keys."""
    parts: list[tuple[int, int]] = []
    for start, stop in places:
        first = max(0, start - _CONTEXT)
        first = text.rfind("\n", max(0, first - _CONTEXT), first) + 1 or first
        if parts and first <= parts[-1][1]:
            first = parts.pop()[0]
        parts.append((first, stop + _CONTEXT))
    if 2 * sum(stop - start for start, stop in parts) > len(text) or (parts and may_contain_private_keys(text)):
        return [(0, text)]
    return [(start, text[start:stop]) for start, stop in parts]


_GENERATED_MARKER = compile_lazily(r"\[redacted:(?:secret|password)\]")


def _mask_marker(marker: re.Match[str]) -> str:
    return "[redacted:".ljust(len(marker[0]) - 1) + "]"


@lru_cache(1)
def _prepare(text: str) -> tuple[str, frozenset[str], Decoded | None, frozenset[str]]:
    if "[redacted:" in text:
        text = _GENERATED_MARKER.sub(_mask_marker, text)
    decoded = decode(text)
    return text, _split_long_words(text), decoded, _split_long_words(decoded.text) if decoded else frozenset()


def _find_decoded(text: str, find_secrets: FindSecrets) -> list[Span]:
    """Return the secrets in a text and in what it is when it was decoded.

    The words in a marker of another secret indicate none: each would make what follows it one, and that what follows it.
    """
    text, long_words, decoded, decoded_words = _prepare(text)
    spans = find_secrets(text, long_words)
    if decoded is not None:
        found = find_secrets(decoded.text, decoded_words)
        spans += [(*decoded.get_original_span(start, stop), kind) for start, stop, kind in found]
    return spans


def _replace_found(
    text: str, parts: list[tuple[int, str]], find_secrets: FindSecrets, values: list[str] | None
) -> tuple[str, list[tuple[int, int]]]:
    """Replace the secrets in parts of a text, each with its start, and return where the markers stand."""
    found = [(start, _find_decoded(part, find_secrets)) for start, part in parts]
    spans = [(start + first, start + stop, kind) for start, each in found for first, stop, kind in each]
    if values is not None:
        values += [text[start:stop] for start, stop, _ in spans]
    return _replace_spans(text, spans) if spans else (text, [])


def _redact_recognised(text: str, parts: list[tuple[int, str]], values: list[str] | None) -> str:
    """Replace what rules recognise in parts of a text, and then around each replacement, which may expose the edge of another secret."""
    for _ in range(_MAX_PASSES):
        text, places = _replace_found(text, parts, _find_recognised, values)
        if not places:
            break
        parts = _cut_around(text, places)
    return text


def _replace_spans(text: str, spans: list[Span]) -> tuple[str, list[tuple[int, int]]]:
    """Replace each span with a marker, and return where the markers stand.

    Overlapping spans become one, labelled with the kind of the first of them in ``spans``.
    """
    order = sorted(range(len(spans)), key=lambda index: spans[index][:2])
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    copied_until = end = begin = length = 0
    first = len(spans)
    for index in [*order, None]:
        if index is not None and spans[index][0] < end:
            end, first = max(end, spans[index][1]), min(first, index)
            continue
        if end:
            marker = f"[redacted:{spans[first][2]}]"
            parts += [text[copied_until:begin], marker]
            length += begin - copied_until + len(marker)
            places.append((length - len(marker), length))
            copied_until = end
        if index is not None:
            begin, end, _ = spans[index]
            first = index
    return "".join([*parts, text[copied_until:]]), places


def redact_key_blocks(text: str) -> str:
    """Replace every private key in PEM or PGP armour with a marker, and nothing else."""
    return _replace_spans(text, [(start, stop, "private-key") for start, stop in find_key_blocks(text)])[0]


def compute_rules_version() -> str:
    """Return the version of the rules: the date of the prefix table, and a digest of the modules in this folder.

    The digest is computed from the source code, so any change to a rule changes the version. Raises OSError.
    """
    from hashlib import blake2b
    from pathlib import Path

    digest = blake2b(digest_size=6)
    for module in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(module.read_bytes())
    return f"{SOURCES_DATE}-{digest.hexdigest()}"


def redact(text: str, values: list[str] | None = None) -> str:
    """Replace every recognised secret with ``[redacted:kind]``, and append it to ``values``, if given. Idempotent."""
    if len(text) < _MIN_TEXT_LENGTH:
        return text
    if _SECRET_HINT.search(text) is None and not find_stems(text.lower()):
        keys = list(_find_keys(text, _split_long_words(text)))
        if values is not None:
            values += [text[start:stop] for start, stop, _ in keys]
        return _replace_spans(text, keys)[0] if keys else text
    text = _redact_recognised(text, [(0, text)], values)
    # Generated values are recognised by the words around them, so they are searched for only in a text without other secrets.
    parts = [(0, text)]
    for _ in range(_MAX_GENERATED_PASSES):
        text, places = _replace_found(text, parts, _find_generated, values)
        if not places:
            break
        text = _redact_recognised(text, _cut_around(text, places), values)
        parts = _cut_around(text, (marker.span() for marker in _MARKER.finditer(text)))
    return text
