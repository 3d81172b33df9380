"""Secrets leave a text before it is stored, shown or matched.

Each rule has a hint: a few literal characters that every match must hold. A text without any hint, which is nearly every
text, costs some dozen substring searches. A rule runs only where its hint is found, and each is linear: it starts only at
the edge of a word, and what it reads beyond is bounded. Git SHAs, UUIDs, digests, long paths, placeholders and prose
about tokens stay whole: a redaction that mangles the error message is as bad as one that misses the key.

Every rule says where secrets stand and changes nothing, so that a text can also be looked at as it would be read after
one round of decoding (decodings.py): what is found there is replaced where it came from.

What is known by its form stands in prefixes.py, by its place in places.py and, below a column's head, here, by its name in assignments.py,
and private keys of many lines in key_blocks.py. Where none of these finds anything, random_tokens.py looks once more. What is
found and what stays is told in tests/observations.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence

from mind_skills.redaction.assignments import Span, find_assignments, in_small_letters, stems_in
from mind_skills.redaction.decodings import decode
from mind_skills.redaction.key_blocks import find_key_blocks, may_hold_keys
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.passwords import find_passwords
from mind_skills.redaction.places import PLACES, Place
from mind_skills.redaction.prefixes import DATE, ISSUERS, MARKED_KEYS, Rule
from mind_skills.redaction.random_tokens import find_random
from mind_skills.redaction.values import generated, in_words, is_reference

_ENDS = r"[\"'`]?[ \t]*[,;\t|\r\n]"
_NAMES = {
    "pass": rf"pass(?:wor[dt]|wd|phrase|code|e)?{_ENDS}",
    "pw": rf"pwd{_ENDS}",
    "secret": rf"secret{_ENDS}",
    "token": rf"token{_ENDS}",
    "key": rf"key(?:(?<=api.key)|(?<=apikey)|(?<=access.key)|(?<=secret.key)|(?<=private.key)){_ENDS}",
    "senha": rf"senha{_ENDS}",
    "contrase": rf"contrase(?:ñ|n)a{_ENDS}",
    "kennw": rf"kennwort{_ENDS}",
}
_PATTERNS = {stem: compile_later(pattern) for stem, pattern in _NAMES.items()}
_CELL = compile_later(r"[\"'`>]?[\w .#()/-]{0,40}[\"'`]?")
_LONGEST = 1_000
"""Characters of a line that may be the head of a table."""


def find_columns(text: str, low: str, stems: list[str]) -> Iterator[tuple[int, int, str]]:
    """What stands in a column whose name tells of passwords or tokens, and was generated.

    ``low`` is ``text`` in small letters, and ``stems`` what stands in it of the names in assignments.py.
    """
    if "\n" not in text:
        return
    for stem in [stem for stem in stems if stem in _PATTERNS]:
        search = _PATTERNS[stem].search
        found = search(low)
        while found is not None:
            begin, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end() - 1)
            if end < 0:
                return
            done = end
            if end - begin <= _LONGEST and (by := _parted(text[begin:end])):
                cells = text[begin:end].split(by)
                told = [number for number, cell in enumerate(cells) if search(cell.lower() + "\n")]
                done = yield from _rows(text, end, by, len(cells), told)
            found = search(low, done)


def _parted(line: str) -> str:
    """What parts the cells of a line that is the head of a table; nothing where it is none."""
    by = max(",;\t|", key=line.count)
    cells = line.split(by)
    return (
        by if sum(map(bool, map(str.strip, cells))) > 1 and all(_CELL.fullmatch(cell.strip()) for cell in cells) else ""
    )


def _rows(text: str, at: int, by: str, cells: int, told: list[int]) -> Generator[tuple[int, int, str], None, int]:
    """The generated values in these columns of the lines that have as many cells; gives where the table ends."""
    while (begin := at + 1) < len(text):
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        row = _cells(text[begin:end], by)
        ruled = not text[begin:end].strip(" +-|:\r") and begin < end
        if len(row) != cells and not ruled:
            break
        for number in () if ruled else told:
            value = row[number].strip(" \t\r\"'`")
            start = begin + sum(map(len, row[:number])) + number + row[number].find(value)
            if (
                len(value) >= 6
                and " " not in value
                and not is_reference(value[:64])
                and (not in_words(value[:64]) and generated(value[:64]))
            ):
                yield start, start + len(value), "secret"
        at = end
    return at


def _cells(row: str, by: str) -> list[str]:
    """The cells of a line; a sign within quotation marks parts none."""
    if '"' not in row or by not in ",;":
        return row.split(by)
    cells = [""]
    for number, piece in enumerate(row.split('"')):
        first, *more = piece.split(by) if number % 2 == 0 else [piece]
        cells[-1] += ('"' if number else "") + first
        cells += more
    return cells


_PASSES = 4
"""One replacement may bare the edge of another secret; two passes settle every text seen, four are the bound."""
_KEY = 14
"""A key has no blank in it and is no shorter: what stands between blanks and is so long is a fifth of a text."""
_PASSWORD = 8
"""Nor is a password that is known by its looks."""
_HEAD = compile_later(r"([A-Za-z0-9_]{1,3})[A-Za-z0-9_]*+")
_ESCAPED = compile_later(r"(?:\\[nrt]|%[0-9A-F][0-9A-F])([A-Za-z0-9_]{1,3})")
"""How the words of a text begin, and those behind an escape, which looks like a part of the word."""
_SHORTEST = 8
"""Fewer characters hold no secret together with what gives it away."""
_SIGN = compile_later(r"[0-9:=>\"'：]| -|--|pass|PASS|ecret|ECRET|_KEY")
"""A text without any of these is words, a name or a plain command: of secrets it can hold keys alone."""


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


def _begins(heads: Iterable[str]) -> re.Pattern[str]:
    """How a word begins that begins with one of ``heads``, parted by their first characters: one by one they cost twice as much."""
    rest: dict[str, list[str]] = {}
    for head in sorted(heads, key=len, reverse=True):
        rest.setdefault(head[0], []).append(head[1:])
    parts = "|".join(f"{first}(?:{'|'.join(more)})" for first, more in rest.items())
    return compile_later(rf"(?<![A-Za-z0-9_])(?:{parts})")


_ISSUERS = by_head(ISSUERS)
_BEGINS = _begins(_ISSUERS)


def _keys(text: str, pieces: Iterable[str]) -> Iterator[Span]:
    """Keys of a known form, one of whose prefixes begins a word of the text, or that are marked further in."""
    runs = [piece for piece in pieces if len(piece) >= _KEY]
    if not runs:
        return
    joined = " ".join(runs)
    heads: set[str] = set(_BEGINS.findall(joined))
    if "\\" in text or "%" in text:
        heads.update(_ESCAPED.findall(text))
    for rule in MARKED_KEYS:
        if rule.hints[0] in joined:
            yield from _matches(rule, text)
    for head in sorted(_ISSUERS.keys() & heads):
        for hints, rule in _ISSUERS[head]:
            if any(map(text.__contains__, hints)):
                yield from _matches(rule, text)


def _matches(rule: Rule, text: str) -> Iterator[Span]:
    kind = rule.kind or rule.name
    for match in rule.pattern.finditer(text):
        if rule.judge is None or rule.judge(match):
            yield *match.span(), kind


def by_hint(places: Sequence[Place]) -> dict[str, tuple[Place, ...]]:
    """The places by each of their hints, so that a hint that many share is sought once."""
    found: dict[str, tuple[Place, ...]] = {}
    for place in places:
        for hint in place.hints:
            found[hint] = (*found.get(hint, ()), place)
    return found


_PLACES = by_hint(PLACES)


def _places(text: str, low: str) -> Iterator[Span]:
    """What a place gives away whose hint is in the text; ``low`` is the text in small letters."""
    for hint in [hint for hint in _PLACES if hint in low]:
        for place in _PLACES[hint]:
            if any(map(low.__contains__, place.needs)):
                for match in place.pattern.finditer(text):
                    for start, stop in place.parts(match):
                        yield start, stop, place.kind


def _long_words(text: str) -> frozenset[str]:
    """What stands between blanks and may hold a secret, each once: a fifth of a text."""
    return frozenset([piece for piece in text.split() if len(piece) >= _PASSWORD])


def _find(text: str, pieces: Iterable[str]) -> list[Span]:
    """Every secret of a text as it stands, of which ``pieces`` are the long words; of the same characters the first says the most."""
    found: list[Span] = []
    if may_hold_keys(text):
        found += [(start, stop, "private-key") for start, stop in find_key_blocks(text)]
    found += _keys(text, pieces)
    low = in_small_letters(text)
    found += _places(text, low)
    if stems := stems_in(low):
        found += find_assignments(text, low, stems)
        found += find_columns(text, low, stems)
    return found


def _find_random(text: str, pieces: Iterable[str]) -> list[Span]:
    """What looks generated: long tokens beside words that name a secret, and passwords."""
    found = [(start, stop, "secret") for start, stop in find_random(text, pieces)]
    return found + [(start, stop, "password") for start, stop in find_passwords(text, pieces)]


def _once(text: str) -> str:
    decoded, pieces = decode(text), _long_words(text)
    inner = _long_words(decoded.text) if decoded is not None else frozenset[str]()
    for find in (_find, _find_random):  # what looks random is judged by what is left beside it, so it comes last
        found = find(text, pieces)
        if decoded is not None:
            found += [(*decoded.span(start, stop), kind) for start, stop, kind in find(decoded.text, inner)]
        if found:
            return _replaced(text, found)
    return text


def _replaced(text: str, found: list[Span]) -> str:
    """``text`` with a mark for each secret; what overlaps is one, and is told by the first of the kinds that were found."""
    order = sorted(range(len(found)), key=lambda number: found[number][:2])
    parts: list[str] = []
    done = end = begin = 0
    first = len(found)
    for number in [*order, None]:
        if number is not None and found[number][0] < end:
            end, first = max(end, found[number][1]), min(first, number)
            continue
        if end:
            parts += [text[done:begin], f"[redacted:{found[first][2]}]"]
            done = end
        if number is not None:
            begin, end, _ = found[number]
            first = number
    return "".join([*parts, text[done:]])


def redact_key_blocks(text: str) -> str:
    """``text`` with every private key of many lines replaced, and nothing else."""
    return _replaced(text, [(start, stop, "private-key") for start, stop in find_key_blocks(text)])


def version() -> str:
    """The rules by name: the date of the table of prefixes, and a digest of every module of this folder.

    Read from the modules themselves, so that no rule can change and be forgotten here. Raises OSError.
    """
    from hashlib import blake2b
    from pathlib import Path

    digest = blake2b(digest_size=6)
    for module in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(module.read_bytes())
    return f"{DATE}-{digest.hexdigest()}"


def redact(text: str) -> str:
    """``text`` with every secret that a rule knows replaced by ``[redacted:kind]``. Doing it twice changes nothing more."""
    if len(text) < _SHORTEST:
        return text
    if _SIGN.search(text) is None:
        found = list(_keys(text, _long_words(text)))
        return _replaced(text, found) if found else text
    for _ in range(_PASSES):
        if (done := _once(text)) == text:
            break
        text = done
    return text
