"""Normalises text for comparisons that ignore markup, colour, escaping and spacing.

Invisible characters are removed, escapes and markup are rendered as a terminal or a browser would render them, and letters are
replaced with the lower-case Latin letters that they resemble. The result for other scripts does not matter, as long as both of the
compared texts are treated alike.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.secrets import decode
from mind_skills.redaction.text import remove_escapes

_LOOKALIKES = dict(
    zip(
        "абвгдеёзикмнопрстухчьѕіјһԁԛԝӏ" + "αβγεζηικμνορστυχωϲϳ" + "ıɡɩɑʀʟɪɴʏℓ" + "ł" + "øđħŧ" + "ⅼⅽⅾⅿⅰⅴⅹ",
        "abbrdeeзnkmhonpctyx4bsijhdqwl" + "abyeznikmvopotuxwcj" + "igiarlinyl" + "l" + "odht" + "lcdmivx",
        strict=True,
    )
) | {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ꜱ": "s", "ǫ": "q"}
"""Lower-case letters that resemble Latin letters or digits, as in Unicode's list of confusables."""
_LETTER_NAME = compile_lazily(
    r"(?:LATIN (?:EPIGRAPHIC )?LETTER (?:SMALL CAPITAL|SMALL|STRETCHED) (?:TURNED |REVERSED |INVERTED )?"
    r"|REGIONAL INDICATOR SYMBOL LETTER |NEGATIVE (?:SQUARED|CIRCLED) LATIN CAPITAL LETTER "
    r"|(?:TURNED )?LATIN SMALL LETTER (?:TURNED |REVERSED |SCRIPT |OPEN |SIDEWAYS )?"
    r"|LATIN CAPITAL LETTER (?:TURNED |REVERSED )?)([A-Z]{1,2})(?: WITH .*)?\Z"
)
"""Character names (unicode.org, UnicodeData.txt) of variants of Latin letters."""
_BLANKS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Blank characters that Unicode classifies as letters or symbols."""
_INVISIBLE = frozenset({"Mn", "Me", "Cf", "Cc", "Co", "Cs", "Cn"})
_MAX_CACHED_CODES = 20_000


class _FoldTable(dict[int, str]):
    """Cache of folded characters, by code point, for ``str.translate``."""

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        if len(self) < _MAX_CACHED_CODES:
            self[code] = folded
        return folded


def _fold_character(character: str) -> str:
    if character in "\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029":
        return "\n" if character not in "\t\v" else " "
    parts = unicodedata.normalize("NFKD", character)
    visible = "".join(part for part in parts if part not in _BLANKS and unicodedata.category(part) not in _INVISIBLE)
    return "".join(_fold_letter(part) for part in visible.casefold())


def _fold_letter(character: str) -> str:
    if character.isascii() or character in _LOOKALIKES:
        return _LOOKALIKES.get(character, character)
    match = _LETTER_NAME.match(unicodedata.name(character, ""))
    return match[1].lower() if match else character


_FOLD_TABLE = _FoldTable()
_OVERSTRUCK = compile_lazily("[^\n\b]\b")
"""An overstruck character, as in the bold and underlined words of a manual page."""
_TAGS = compile_lazily(r"<(?:[a-zA-Z/][^<>]{0,300}|!--[^<>]{0,300}--)>")
_ESCAPED_ENDS = compile_lazily(r"\\[nrt]")
_EMPHASIS = str.maketrans(dict.fromkeys("*`~", ""))
_ASCII_FOLD = bytes(ord(_fold_character(chr(code)) or " ") for code in range(128)) + bytes(128)
_ASCII_REMOVED = bytes(code for code in range(128) if not _fold_character(chr(code))) + b"*`~"
"""For ASCII: the replacement of each character, and the characters that are removed."""
_LINE_BREAK_IN_WORD = compile_lazily(r"(?<=[a-z])[-\u2010\u00ac]\n\s*(?:[>#|/*;-]+\s*)?(?=[a-z])")
"""A hyphenated line break within a word."""
_LETTER_BYTES = bytes(range(97, 123))
_NON_LETTER_BYTES = bytes(sorted(set(range(256)) - set(_LETTER_BYTES)))
_NON_LETTERS = compile_lazily(r"[\W\d_]+")
_NON_ASCII, _NON_ASCII_SYMBOL = compile_lazily("[^\x00-\x7f]+"), compile_lazily("[^\x00-\x7f\\w\u2010\u00ac]")


def render(text: str) -> str:
    """Render ``text`` as a terminal or a browser would: without escapes, overstrikes or tags. Encoded text is decoded once."""
    text = remove_escapes(text)
    if "\b" in text:
        text = _OVERSTRUCK.sub("", text)
    if (decoded := decode(text)) is not None:
        text = decoded.text
    elif "\\" in text:
        text = _ESCAPED_ENDS.sub("\n", text)
    if "&nbsp;" in text:
        text = text.replace("&nbsp;", " ")
    return _TAGS.sub(" ", text) if "<" in text else text


def blank_tags(text: str) -> str:
    """Replace each tag with spaces of the same length, so that offsets do not change."""
    return _TAGS.sub(_replace_with_spaces, text) if "<" in text else text


def _replace_with_spaces(match: re.Match[str]) -> str:
    return " " * len(match[0])


def fold(text: str) -> str:
    """Fold ``text``: remove case, accents, emphasis, invisible characters and hyphenated line breaks, and replace look-alikes."""
    if text.isascii():
        text = text.encode().translate(_ASCII_FOLD, _ASCII_REMOVED).decode()
        return _LINE_BREAK_IN_WORD.sub("", text) if "-\n" in text else text
    return _LINE_BREAK_IN_WORD.sub("", text.translate(_FOLD_TABLE).translate(_EMPHASIS))


fold_character = lru_cache(2_048)(fold)
"""``fold`` for a single character, cached."""


def fold_non_ascii(text: str) -> str:
    """Fold only the non-ASCII characters of ``text``; symbols become a separator.

    Most non-ASCII characters in outputs are symbols, and folding the entire text because of them would take ten times as long.
    """
    return text if text.isascii() else _NON_ASCII.sub(_fold_match, text)


def _fold_match(match: re.Match[str]) -> str:
    run = match[0]
    return _fold_symbols_cached(run) if len(run) <= _MAX_CACHED_CHARACTERS else _fold_symbols(run)


def _fold_symbols(run: str) -> str:
    return _NON_ASCII_SYMBOL.sub("^", run.translate(_FOLD_TABLE))


_MAX_CACHED_CHARACTERS = 16
_fold_symbols_cached = lru_cache(2_048)(_fold_symbols)


def extract_letters(text: str) -> str:
    """Return only the letters of a folded text."""
    if text.isascii():
        return text.encode().translate(None, _NON_LETTER_BYTES).decode()
    return _NON_LETTERS.sub("", text)
