"""Redacts secrets before text is stored, shown or matched.

Each rule has hints, short literals, and is applied only if a text contains one of them. Most texts contain none, and cost only a few
dozen substring searches. A rule takes linear time. Git SHAs, UUIDs, digests, long paths, placeholders and prose about tokens are left
unchanged: a redaction that mangles an error message is as harmful as one that misses a key.

Rules find spans and do not change the text. A text can therefore also be searched after it was decoded once (decodings.py); a secret
that is found in the decoded text is replaced at its place in the original text.

Secrets are recognised by form (prefixes.py), by context (contexts.py), by table column (here), by name
(assignments.py), and as blocks of private keys (key_blocks.py). If none of these finds anything, random_tokens.py and
passwords.py search for generated values. tests/redaction lists what is redacted and what is left unchanged.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence

from mind_skills.redaction.assignments import Span, find_assignments, find_stems, lower_preserving_offsets
from mind_skills.redaction.contexts import SECRET_CONTEXTS, SecretContext
from mind_skills.redaction.decodings import decode
from mind_skills.redaction.key_blocks import find_key_blocks, may_contain_private_keys
from mind_skills.redaction.lazy_pattern import compile_lazily, join_words
from mind_skills.redaction.passwords import find_passwords
from mind_skills.redaction.prefixes import ISSUERS, MARKED_KEYS, SOURCES_DATE, Rule
from mind_skills.redaction.random_tokens import find_random_tokens
from mind_skills.redaction.values import is_generated, is_reference, is_wordlike

_CELL_END = r"[\"'`]?[ \t]*[,;\t|\r\n]"
_COLUMN_NAMES = {
    "pass": rf"pass(?:wor[dt]|wd|phrase|code|e)?{_CELL_END}",
    "pw": rf"pwd{_CELL_END}",
    "secret": rf"secret{_CELL_END}",
    "token": rf"token{_CELL_END}",
    "key": rf"key(?:(?<=api.key)|(?<=apikey)|(?<=access.key)|(?<=secret.key)|(?<=private.key)){_CELL_END}",
    "senha": rf"senha{_CELL_END}",
    "contrase": rf"contrase(?:ñ|n)a{_CELL_END}",
    "kennw": rf"kennwort{_CELL_END}",
}
_COLUMN_PATTERNS = {stem: compile_lazily(pattern) for stem, pattern in _COLUMN_NAMES.items()}
_CELL = compile_lazily(r"[\"'`>]?[\w .#()/-]{0,40}[\"'`]?")
_MAX_HEADER_LENGTH = 1_000
"""Maximum length of a line that may be a table header, in characters."""


def find_column_secrets(text: str, lowered: str, stems: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, kind) of the generated values in table columns whose headers announce secrets.

    ``lowered`` is ``text`` in lower case, and ``stems`` are the keys of ``assignments.NAMES`` that occur in it.
    """
    if "\n" not in text:
        return
    for stem in [stem for stem in stems if stem in _COLUMN_PATTERNS]:
        search = _COLUMN_PATTERNS[stem].search
        match = search(lowered)
        while match is not None:
            begin, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end() - 1)
            if end < 0:
                return
            position = end
            if end - begin <= _MAX_HEADER_LENGTH and (separator := _find_separator(text[begin:end])):
                cells = text[begin:end].split(separator)
                columns = [index for index, cell in enumerate(cells) if search(cell.lower() + "\n")]
                position = yield from _find_column_values(text, end, separator, len(cells), columns)
            match = search(lowered, position)


def _find_separator(line: str) -> str:
    """Return the separator of a line that may be a table header, or an empty string."""
    separator = max(",;\t|", key=line.count)
    cells = line.split(separator)
    return (
        separator
        if sum(map(bool, map(str.strip, cells))) > 1 and all(_CELL.fullmatch(cell.strip()) for cell in cells)
        else ""
    )


def _find_column_values(
    text: str, line_end: int, separator: str, column_count: int, columns: list[int]
) -> Generator[tuple[int, int, str], None, int]:
    """Yield the generated values in these columns of the rows after the index ``line_end``; return the index at which the table ends."""
    while (begin := line_end + 1) < len(text):
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        row = _split_cells(text[begin:end], separator)
        is_divider = not text[begin:end].strip(" +-|:\r") and begin < end
        if len(row) != column_count and not is_divider:
            break
        for index in () if is_divider else columns:
            value = row[index].strip(" \t\r\"'`")
            start = begin + sum(map(len, row[:index])) + index + row[index].find(value)
            if (
                len(value) >= 6
                and " " not in value
                and not is_reference(value[:64])
                and not is_wordlike(value[:64])
                and is_generated(value[:64])
            ):
                yield start, start + len(value), "secret"
        line_end = end
    return line_end


def _split_cells(row: str, separator: str) -> list[str]:
    """Split a row into cells. Commas and semicolons within quotation marks do not separate cells."""
    if '"' not in row or separator not in ",;":
        return row.split(separator)
    cells = [""]
    for index, piece in enumerate(row.split('"')):
        first, *rest = piece.split(separator) if index % 2 == 0 else [piece]
        cells[-1] += ('"' if index else "") + first
        cells += rest
    return cells


_MAX_PASSES = 4
"""Maximum number of passes. Another pass is needed if a replacement exposes the edge of another secret. No text seen so far needed more
than two."""
_MIN_KEY_LENGTH = 14
"""Minimum length of a key. Keys contain no blanks, so shorter words, which are the majority, need not be searched."""
_MIN_PASSWORD_LENGTH = 8
"""Minimum length of a password that is recognised by its form."""
_WORD_START = compile_lazily(r"([A-Za-z0-9_]{1,3})[A-Za-z0-9_]*+")
"""A word, with its first one to three characters as a group."""
_ESCAPED_WORD_START = compile_lazily(r"(?:\\[nrt]|%[0-9A-F][0-9A-F])([A-Za-z0-9_]{1,3})")
"""The first one to three characters of a word after an escape, whose last character would otherwise look like part of the word."""
_MIN_TEXT_LENGTH = 8
"""Minimum length of a text that is searched. A shorter one cannot contain both a secret and what identifies it as a secret."""
_SECRET_HINT = compile_lazily(r"[0-9:=>\"'：!@#$%^&*~|}]| -|--|\[m|nemonic|NEMONIC|hrase|HRASE")
"""A text with neither one of these nor a stem of ``assignments.NAMES`` can contain no secrets other than keys."""


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


def _find_in_context(text: str, lowered: str) -> Iterator[Span]:
    """Yield the secrets that are recognised by their context. ``lowered`` is the text in lower case."""
    for hint in [hint for hint in _CONTEXTS_BY_HINT if hint in lowered]:
        for context in _CONTEXTS_BY_HINT[hint]:
            if any(map(lowered.__contains__, context.required)):
                for match in context.pattern.finditer(text):
                    for start, stop in context.find_spans(match):
                        yield start, stop, context.kind


def _split_long_words(text: str) -> frozenset[str]:
    """Return the distinct blank-separated words that are long enough to be a password, which most are not."""
    return frozenset([word for word in text.split() if len(word) >= _MIN_PASSWORD_LENGTH])


def _find_recognised(text: str, long_words: Iterable[str]) -> list[Span]:
    """Return all secrets that a rule recognises, the most specific kinds first. For ``long_words``, see ``_find_keys``."""
    spans: list[Span] = []
    if may_contain_private_keys(text):
        spans += [(start, stop, "private-key") for start, stop in find_key_blocks(text)]
    spans += _find_keys(text, long_words)
    lowered = lower_preserving_offsets(text)
    spans += _find_in_context(text, lowered)
    if stems := find_stems(lowered):
        spans += find_assignments(text, lowered, stems)
        spans += find_column_secrets(text, lowered, stems)
    return spans


def _find_generated(text: str, long_words: Iterable[str]) -> list[Span]:
    """Return the secrets that are recognised because they look generated: long tokens near announcing words, and passwords."""
    spans = [(start, stop, "secret") for start, stop in find_random_tokens(text, long_words)]
    return spans + [(start, stop, "password") for start, stop in find_passwords(text, long_words)]


def _redact_once(text: str) -> str:
    decoded, long_words = decode(text), _split_long_words(text)
    long_decoded_words = _split_long_words(decoded.text) if decoded is not None else frozenset[str]()
    # Generated values are recognised by the words around them, so they are searched for only in a text without other secrets.
    for find_secrets in (_find_recognised, _find_generated):
        spans = find_secrets(text, long_words)
        if decoded is not None:
            spans += [
                (*decoded.get_original_span(start, stop), kind)
                for start, stop, kind in find_secrets(decoded.text, long_decoded_words)
            ]
        if spans:
            return _replace_spans(text, spans)
    return text


def _replace_spans(text: str, spans: list[Span]) -> str:
    """Replace each span with a marker. Overlapping spans become one, labelled with the kind of the first of them in ``spans``."""
    order = sorted(range(len(spans)), key=lambda index: spans[index][:2])
    parts: list[str] = []
    copied_until = end = begin = 0
    first = len(spans)
    for index in [*order, None]:
        if index is not None and spans[index][0] < end:
            end, first = max(end, spans[index][1]), min(first, index)
            continue
        if end:
            parts += [text[copied_until:begin], f"[redacted:{spans[first][2]}]"]
            copied_until = end
        if index is not None:
            begin, end, _ = spans[index]
            first = index
    return "".join([*parts, text[copied_until:]])


def redact_key_blocks(text: str) -> str:
    """Replace every private key in PEM or PGP armour with a marker, and nothing else."""
    return _replace_spans(text, [(start, stop, "private-key") for start, stop in find_key_blocks(text)])


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


def redact(text: str) -> str:
    """Replace every recognised secret with ``[redacted:kind]``. Idempotent."""
    if len(text) < _MIN_TEXT_LENGTH:
        return text
    if _SECRET_HINT.search(text) is None and not find_stems(text.lower()):
        keys = list(_find_keys(text, _split_long_words(text)))
        return _replace_spans(text, keys) if keys else text
    for _ in range(_MAX_PASSES):
        if (redacted := _redact_once(text)) == text:
            break
        text = redacted
    return text
