"""One spelling for texts that are compared: as somebody reads them, however they were marked up, coloured, escaped or spaced.

What is invisible goes, whatever a terminal or a page would make of it is made of it, and each letter becomes the small Latin
one that it looks like. What a letter of another script becomes matters less than that it is one and the same on both sides.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from mind_skills.redaction.decodings import decode
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.text import without_escapes

_LOOKALIKES = dict(
    zip(
        "абвгдеёзикмнопрстухчьѕіјһԁԛԝӏ" + "αβγεζηικμνορστυχωϲϳ" + "ıɡɩɑʀʟɪɴʏℓ" + "ł" + "øđħŧ" + "ⅼⅽⅾⅿⅰⅴⅹ",
        "abbrdeeзnkmhonpctyx4bsijhdqwl" + "abyeznikmvopotuxwcj" + "igiarlinyl" + "l" + "odht" + "lcdmivx",
        strict=True,
    )
) | {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ꜱ": "s", "ǫ": "q"}
"""Small letters that pass for Latin ones, as in Unicode's confusables."""
_NAMED = compile_later(
    r"(?:LATIN (?:EPIGRAPHIC )?LETTER (?:SMALL CAPITAL|SMALL|STRETCHED) (?:TURNED |REVERSED |INVERTED )?"
    r"|REGIONAL INDICATOR SYMBOL LETTER |NEGATIVE (?:SQUARED|CIRCLED) LATIN CAPITAL LETTER "
    r"|(?:TURNED )?LATIN SMALL LETTER (?:TURNED |REVERSED |SCRIPT |OPEN |SIDEWAYS )?"
    r"|LATIN CAPITAL LETTER (?:TURNED |REVERSED )?)([A-Z]{1,2})(?: WITH .*)?\Z"
)
"""Of the names of characters (unicode.org, UnicodeData.txt): letters that are a Latin one in another form."""
_NOT_SHOWN = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Blanks that count as letters or signs."""
_GONE = frozenset({"Mn", "Me", "Cf", "Cc", "Co", "Cs", "Cn"})
_REMEMBERED = 20_000


class _Spelt(dict[int, str]):
    """What each character is compared as, worked out once; for ``str.translate``."""

    def __missing__(self, code: int) -> str:
        found = _spelt(chr(code))
        if len(self) < _REMEMBERED:
            self[code] = found
        return found


def _spelt(sign: str) -> str:
    if sign in "\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029":
        return "\n" if sign not in "\t\v" else " "
    parts = unicodedata.normalize("NFKD", sign)
    kept = "".join(part for part in parts if part not in _NOT_SHOWN and unicodedata.category(part) not in _GONE)
    return "".join(_letter(part) for part in kept.casefold())


def _letter(sign: str) -> str:
    if sign.isascii() or sign in _LOOKALIKES:
        return _LOOKALIKES.get(sign, sign)
    named = _NAMED.match(unicodedata.name(sign, ""))
    return named[1].lower() if named else sign


_SPELT = _Spelt()
_OVERSTRUCK = compile_later("[^\n\b]\b")
"""What a printer struck twice: bold and underlined words of a manual."""
_TAGS = compile_later(r"<(?:[a-zA-Z/][^<>]{0,300}|!--[^<>]{0,300}--)>")
_ESCAPED_ENDS = compile_later(r"\\[nrt]")
_EMPHASIS = str.maketrans(dict.fromkeys("*`~", ""))
_SMALL = bytes(ord(_spelt(chr(code)) or " ") for code in range(128)) + bytes(128)
_LEFT_OUT = bytes(code for code in range(128) if not _spelt(chr(code))) + b"*`~"
"""Of ASCII alone: what each sign becomes, and which go."""
_BROKEN = compile_later(r"(?<=[a-z])[-\u2010\u00ac]\n\s*(?:[>#|/*;-]+\s*)?(?=[a-z])")
"""A word that goes on in the next line."""
_LETTERS = bytes(range(97, 123))
_NO_LETTERS = bytes(sorted(set(range(256)) - set(_LETTERS)))
_OTHERS = compile_later(r"[\W\d_]+")
_WIDE, _SIGNS = compile_later("[^\x00-\x7f]+"), compile_later("[^\x00-\x7f\\w\u2010\u00ac]")


def as_read(text: str) -> str:
    """``text`` as a terminal, a page or a program would show it: without escapes, what was struck out, and tags; decoded once."""
    text = without_escapes(text)
    if "\b" in text:
        text = _OVERSTRUCK.sub("", text)
    if (decoded := decode(text)) is not None:
        text = decoded.text
    elif "\\" in text:
        text = _ESCAPED_ENDS.sub("\n", text)
    if "&nbsp;" in text:
        text = text.replace("&nbsp;", " ")
    return _TAGS.sub(" ", text) if "<" in text else text


def blanked(text: str) -> str:
    """The same for what the agent says, with each character in its place: tags and escaped line ends become blanks."""
    return _TAGS.sub(_blanks, text) if "<" in text else text


def _blanks(found: re.Match[str]) -> str:
    return " " * len(found[0])


def folded(text: str) -> str:
    """``text`` in the spelling that is compared: no case, accents, emphasis, look-alikes or what is not shown."""
    if text.isascii():
        text = text.encode().translate(_SMALL, _LEFT_OUT).decode()
        return _BROKEN.sub("", text) if "-\n" in text else text
    return _BROKEN.sub("", text.translate(_SPELT).translate(_EMPHASIS))


folded_sign = lru_cache(2_048)(folded)
"""``folded`` of a single character, remembered."""


def narrowed(text: str) -> str:
    """``text`` with what is not ASCII in the spelling of ``folded``, and what is no letter then as one sign that parts words.

    Signs are most of what is not ASCII in outputs, and to fold all of a text for them costs ten times as much.
    """
    return text if text.isascii() else _WIDE.sub(_narrow, text)


def _narrow(found: re.Match[str]) -> str:
    run = found[0]
    return _narrow_short(run) if len(run) <= _SHORT else _narrow_run(run)


def _narrow_run(run: str) -> str:
    return _SIGNS.sub("^", run.translate(_SPELT))


_SHORT = 16
_narrow_short = lru_cache(2_048)(_narrow_run)


def letters(text: str) -> str:
    """The letters alone of a text that was folded."""
    if text.isascii():
        return text.encode().translate(None, _NO_LETTERS).decode()
    return _OTHERS.sub("", text)
