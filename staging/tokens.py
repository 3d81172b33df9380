"""What of an observed text may reach a prompt: typed tokens.

A tool's output can hold anything, a repository's tests can print "ignore what you were told", and filters that look
for such sentences fail nearly always when measured. So nothing is looked for: only what has the form of a name, a
code, a path or a quoted identifier passes, and words of a closed list that error messages are made of and orders are
not.
"""

from __future__ import annotations

import re

from mind_skills.observations.text import strip

_WORD_LENGTH, _NAMES = 48, 8
_LINK = re.compile(r"\S*(?:://|www\.)\S*", re.IGNORECASE)
_PIECE = re.compile(r"['\"`‘’“”]?[\w@.][\w@./+-]*(?:\(\))?['\"`‘’“”]?:?")
_NAME = re.compile(r"[a-z]+[A-Z]|[A-Z]{2}|\d|[\w]_[\w]|[\w]\.[\w]|/|\(\)|^@|^\.\w")
_QUOTES = "'\"`‘’“”"
_QUOTED = re.compile(f"^[{_QUOTES}].*[{_QUOTES}]:?$")
_FILLER = frozenset("a an and are as at by for from has in is must of on or that the to was with".split())
_WORDS = frozenset(
    """a an and are argument arguments array assert assertion assertionerror at attribute bad be build call
    cannot class code column command compile compiler component config connection constraint could crash declared
    defined denied dependency duplicate empty error errors exceeded exception exist exists exit expected export
    expression fail failed failing failure fatal field file fix fixed for found from function got has import in index
    initialized instance invalid is key limit line lookup match memory method mismatch missing mock module must name
    named no none not null number object of on operator option or out output overflow package panic parameter parse path
    permission port property query range reached read reading recursion reference refused required reset resolve
    returned schema segmentation signal status string syntax table test tests the timed timeout to token too type
    types unable undefined unexpected unhandled unique unknown unresolved unsupported value variable version was with
    write""".split()
)


def typed(text: str, limit: int) -> str:
    """The typed tokens of ``text``, in their order, at most eight names and ``limit`` characters.

    Words that stood together stay together; what is left of a sentence only by its filler is left out.
    """
    runs: list[list[str]] = [[]]
    names = 0
    for piece in _PIECE.findall(_LINK.sub(" ", strip(text))):
        bare = piece.strip(":.").strip(_QUOTES)
        known = bare.casefold() in _WORDS
        named = bool(_QUOTED.match(piece) or _NAME.search(bare)) and not known
        if not bare or len(bare) > _WORD_LENGTH or not (known or (named and names < _NAMES)):
            runs.append([])
            continue
        names += named
        runs[-1].append((f"'{bare}'" if _QUOTED.match(piece) else bare) + (":" if piece.endswith(":") else ""))
    return cut(" ".join(word for run in runs if _tells(run) for word in run).strip(" :"), limit)


def _tells(run: list[str]) -> bool:
    words = [word.strip(":").casefold() for word in run]
    return any(word not in _WORDS for word in words) or sum(word not in _FILLER for word in words) > 1


def command(text: str, limit: int) -> str:
    """The first simple command of a command line, in ordinary characters: what the agent itself typed."""
    first = re.split(r"[|;&<>$\n]|\s\d?>", strip(text), maxsplit=1)[0]
    return cut(" ".join(re.sub(r"[^\w ./:@=+-]", " ", first, flags=re.ASCII).split()), limit)


def said(text: str, limit: int) -> str:
    """What the user or the main agent said, on one line, without links and what could pass for markup."""
    plain = _LINK.sub("[link]", strip(text))
    return cut(" ".join(re.sub(r"[<>`{}|\\$*#\"]", " ", plain).split()), limit)


def path(text: str) -> str:
    """A file path if it is made of ordinary characters and bounded, else empty."""
    return text if len(text) <= 80 and re.fullmatch(r"[\w@.+/-]+", text, re.ASCII) else ""


def cut(text: str, limit: int) -> str:
    """``text`` in at most ``limit`` characters, whole words where that is possible."""
    if len(text) <= limit:
        return text
    return text[: limit - 1].rsplit(" ", 1)[0].rstrip(" ,;:.") + "…" if limit > 1 else ""
