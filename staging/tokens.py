"""What of an observed text may reach a prompt: typed tokens.

A tool's output can hold anything, a repository's tests can print "ignore what you were told", and filters that look
for such sentences fail nearly always when measured. So nothing is looked for: only what has the form of a name, a
code, a path or a quoted identifier passes (staging/names.py), few of them, and words of a closed list that error
messages are made of and orders are not. No more than ``RUN`` characters in a row stand as a tool printed them, but for
a single name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from mind_skills.observations.printed import spans
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.text import strip
from mind_skills.staging import names

RUN = 24
"""Characters that may stand together as a tool printed them; a longer run is parted by ``BREAK``."""
BREAK = " · "
_TOGETHER = RUN - 2
"""A blank stands on either side."""
_NAMES, _QUOTED_WORDS, _WORDS_OF_NAMES = 3, 2, 4
"""How many names one text may contribute, how many quoted words, and how many words its names may hold together:
four words say which file or which function, and are too few to tell anybody what to do."""
_TLD = r"(?:com|net|org|io|ai|app|dev|xyz|ru|cn|info|top|site|online|biz|onion|example|invalid)"
_WRITTEN = compile_later(r"\S+")
_LINK = compile_later(rf"://|www\.|\.{_TLD}[/:?#]|\b(?:javascript|data|mailto|vbscript):\S", re.IGNORECASE)
_ADDRESS = compile_later(rf"://|www\.|\.{_TLD}(?![\w.])", re.IGNORECASE)
"""The latter also a mere domain: people may name one, an identifier of code has no use for it."""
_PIECE = compile_later(r"['\"`‘’“”]?[\w@.][\w@./+-]*(?:::\w[\w@./+-]*)*(?:\(\))?['\"`‘’“”]?:?")
_QUOTES = "'\"`‘’“”"
_LETTERS = compile_later(r"[A-Za-z]{2}")
_QUOTED = compile_later(f"^[{_QUOTES}].*[{_QUOTES}]:?$")
_FILLER = frozenset("a an and are as at by for from has in is of on or that the to was with".split())
_JOINS = frozenset("a an and as at by for from in of on or that the to with".split())
_WORDS = frozenset(
    """a accessible an and applied are argument arguments array assert assertion assertionerror assigned at
    attribute attributes available bad build busy cache cannot class clean closed code column command commands compiler
    component config conflict conflicting connection constraint corrupt could crash current declared defined denied
    dependency deprecated directories directory disk duplicate empty entries entry error errors exceeded exception
    executable exited expected expired expression fail failed failing failure failures fatal field fields file
    files finished fixed for format found frame from function got group has identifier in incompatible incomplete
    index indices initialized installed instance integer interactive invalid is key keys library lifetime limit
    line locked long lookup malformed match members memory method mismatch mismatched missing mock module modules name
    named nil no none nonzero not null number object obsolete of ok on opened operation operator option or out output
    overflow owned owner package panic parameter parameters passed path permission permissions permitted port
    positional process properties property protocol query range reached reading received recognized recoverable recursion
    redefined reference refused registered rejected required requires resource returned revision runtime schema
    segmentation session signal signature skipped stale started statement status stderr stdin stdout stopped string
    struct subcommand submodule succeeded success supported symbol syntax table target temporary terminated test tests the
    timed timeout to token too truncated type types unable unavailable undefined unexpected unexpectedly unhandled
    uninitialized unique unknown unreachable unreadable unrecognized unresolved unset unsupported unused valid value values
    variable version versions warning warnings was with workspace wrong zero""".split()
)
_MESSAGES = compile_later(
    r"address already in use|bad file descriptor|broken pipe|command not found|connection (?:refused|reset by peer"
    r"|timed out)"
    r"|device or resource busy|directory not empty|disk quota exceeded|exec format error|file exists|invalid argument"
    r"|invalid cross-device link|is a directory|network is unreachable|no space left on device"
    r"|no such file or directory"
    r"|no such process|not a directory|operation not permitted|operation timed out|permission denied"
    r"|no test files found|no tests (?:found|ran|to run)|read-only file system|resource temporarily unavailable"
    r"|too many open files",
    re.IGNORECASE,
)
"""What systems say by themselves, whole (errno.h): nobody chooses the words, so such a message may be longer than ``RUN``.""
"""
_VERBS = frozenset(
    "be call compile connect create exist exists exit export find fix import initialize load parse read reset resolve write".split()
)
"""Stand only behind a word that says that it was not done: in any other place they could command."""
_NOT_DONE = compile_later(
    r"(?:cannot|can't|couldn't|didn't|(?:could|can|did|does|was|were|is) not|(?:failed|failure|failing|unable) to)\Z",
    re.IGNORECASE,
)
_BRACKETS = frozenset('<>`{}|\\$*#"ᐸᐳᐊᐅᚲ᚜᚛𐊕𝈶𝈷𖼿\u02ea')
"""What could pass for markup, or end a quotation: ASCII, and what looks like ``<`` and ``>`` and says so nowhere, after the
list of the Unicode consortium (unicode.org/Public/security, confusables.txt)."""
_ENCLOSING = frozenset({"Ps", "Pe", "Pi", "Pf"})
_SHAPES = compile_later(
    r"LESS-THAN(?! OR)|GREATER-THAN(?! OR)|(?<!UP )(?<!DOWN )ARROWHEAD|CHEVRON|ANGLE BRACKET|POINTING (?:ANGLE"
    r"|\w*-?TRIANGLE)"
    r"|\bPRECEDES\b(?! OR)|\bSUCCEEDS\b(?! OR)|POINTER|GRAVE ACCENT"
)
"""Of the names of characters (unicode.org, UnicodeData.txt)."""
_APOSTROPHES = "‘’‚‛()[]"
_ENTITY = compile_later(r"&(?:[A-Za-z]{2,8}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
"""A character by its name or number: some host or model may read it as the character."""


def typed(text: str, limit: int) -> str:
    """The typed tokens of ``text``, in their order and within ``limit`` characters.

    Words that stood together stay together; what is left of a sentence only by its filler is left out.
    """
    left = _Budget()
    flat = _without(_LINK, _without(_ADDRESS, strip(text), ";"), ";")
    parts: list[str] = []
    done = 0
    for found in _MESSAGES.finditer(flat):
        parts += [_admitted(flat[done : found.start()], left), " ".join(found.group().split())]
        done = found.end()
    parts.append(_admitted(flat[done:], left))
    return cut(BREAK.join(filter(None, parts)).strip(" :·"), limit)


def _admitted(text: str, left: _Budget) -> str:
    runs: list[list[str]] = [[]]
    before: tuple[str, str] = ("", "")
    for piece in _PIECE.findall(text):
        commands = piece.rstrip(":.").casefold() in _VERBS and not _NOT_DONE.search(" ".join(before))
        word = "" if commands else left.admit(piece)
        before = (before[1], piece)
        if word:
            runs[-1].append(word)
        else:
            runs.append([])
    kept = [_bounded(run) for run in runs if _tells(run)]
    return BREAK.join(_packed(run) for run in kept if run).strip(" ·")


def _bounded(run: list[str]) -> list[str]:
    """Words in a row without those at either end that only join them to what is left out."""
    begin, end = 0, len(run)
    while begin < end and run[begin].casefold() in _JOINS:
        begin += 1
    while begin < end and run[end - 1].casefold() in _FILLER:
        end -= 1
    return run[begin:end]


def names_something(told: str, *, alone: bool = False) -> bool:
    """Whether typed tokens say what it was: a fixed message, a name of code, or a name of another kind beside a word, or
    ``alone``.
    """
    if _MESSAGES.search(told):
        return True
    words = [bare for word in told.replace(BREAK, " ").split() if (bare := word.strip(":…,."))]
    plain = [word for word in words if not word[0].isdigit() and word.strip(_QUOTES).casefold() not in _FILLER]
    named = [word for word in plain if word[0] in _QUOTES or names.telling(word) or names.usual(word)]
    code = [word for word in named if names.names_an_error(word) or (names.telling(word) and not names.file(word))]
    return bool(code or (named and (alone or len(plain) > 1)))


def named(text: str, limit: int, told: str = "") -> str:
    """The names in ``text`` that ``told`` does not hold, as few as one text may contribute, with commas between them."""
    left = _Budget()
    found: list[str] = []
    for piece in _PIECE.findall(_without(_LINK, _without(_ADDRESS, strip(text), ";"), ";")):
        bare = piece.strip(":.").strip(_QUOTES).strip(".")
        if not names.telling(bare) or names.usual(bare) or bare.casefold() in _WORDS or bare in told:
            continue
        name = left.admit(bare).strip("/")
        known = name in told or any(name in other or other in name for other in found)
        tells = any(names.telling(part) for part in name.split("/")) and "REDACTED" not in name
        if tells and not known and _LETTERS.search(name) and len(", ".join([*found, name])) <= limit:
            found.append(name)
    return ", ".join(found)


def _without(pattern: re.Pattern[str], text: str, instead: str) -> str:
    """``text`` with whatever stands between blanks and holds the pattern replaced."""
    return _WRITTEN.sub(lambda word: instead if pattern.search(word[0]) else word[0], text)


class _Budget:
    """What one text may still contribute."""

    def __init__(self) -> None:
        self.names, self.quoted, self.words = _NAMES, _QUOTED_WORDS, _WORDS_OF_NAMES

    def admit(self, piece: str) -> str:
        """The piece as it may appear, empty where it may not."""
        bare = piece.strip(":.").strip(_QUOTES).strip(".")
        colon = ":" if piece.endswith(":") else ""
        quoted = _QUOTED.match(piece) is not None
        if bare.casefold() in _WORDS or (not quoted and bare.casefold() in _VERBS) or names.usual(bare):
            return (f"'{bare}'" if quoted else bare) + colon
        if quoted and names.word(bare):
            self.quoted -= 1
            return f"'{bare}'{colon}" if self.quoted >= 0 else ""
        name = names.identifier(bare) if names.telling(bare) and not names.digest(bare) else ""
        if not name:
            return ""
        self.names -= 1
        if not names.names_an_error(bare):
            self.words -= names.words_in(name)
        if self.names < 0 or self.words < 0:
            return ""
        return (f"'{name}'" if quoted else name) + colon


def _packed(run: list[str]) -> str:
    """Words in a row, parted so that no more than ``RUN`` characters stand in a row; at a colon where it can be."""
    lines: list[str] = []
    for index, word in enumerate(run):
        joined = f"{lines[-1]} {word}" if lines else word
        rest = " ".join(run[index:]).partition(":")[0]
        fits = len(joined) <= _TOGETHER and not (
            lines[-1:] and lines[-1].endswith(":") and len(lines[-1]) + len(rest) > _TOGETHER
        )
        if lines and fits:
            lines[-1] = joined
        else:
            lines.append(word)
    return BREAK.join(lines)


def _tells(run: list[str]) -> bool:
    words = [word.strip(":").casefold() for word in run]
    return any(word not in _WORDS for word in words) or sum(word not in _FILLER for word in words) > 1


_SILENT = frozenset("cd echo env export printf pushd set source test true".split())
"""Programs that a command line begins with and that do not say what it does."""


def _speaks(segment: str) -> bool:
    """Whether a simple command says what is done: ``env`` and assignments do in front of another program, not alone."""
    words = segment.split(maxsplit=2)
    return (words[0] not in _SILENT or (words[0] == "env" and len(words) > 1)) and not (
        "=" in words[0] and len(words) == 1
    )


_SELECTS = compile_later(r"(?<=\s)(['\"])([\w.:/^$|()*\\?-]{1,200})\1(?=\s|\Z)")
"""An expression that selects tests or files by their names."""
_TAKEN = compile_later(r"(?<!\S)\w{1,40}=\$\([^()]*\)")
"""A variable that takes what another command prints, which is not the one that the line is for."""


def _selected(found: re.Match[str]) -> str:
    """The first name that an expression selects, without the quotation marks; the expression as it is where that is none."""
    first = next(filter(None, re.split(r"[|^$()*\\?]+", found[2])), "")
    return first if first != found[2] and names.telling(first) else found[0]


def command(text: str, limit: int = RUN, plain_words: int = 3) -> str:
    """The first simple command of a command line that says something: ``plain_words``, and what has the form of a flag or a
    name. A program that stands in an option is left out.

    The agent typed it, but what it named (a branch, a test, a file) may have been given its name by somebody else.
    """
    line = _SELECTS.sub(_selected, _TAKEN.sub("", strip(text)[:1_000]))
    segments = (part.strip() for part in re.split(r"[|;&<>$\n(]|\s\d?>", line))
    first = next((part for part in segments if part and _speaks(part)), "")
    kept: list[str] = []
    plain = 0
    for argument in re.findall(r"'[^']*'|\"[^\"]*\"|\S+", first.removeprefix("env "))[:16]:
        if argument.count("'") % 2 or argument.count('"') % 2:
            break  # a quotation that was cut, or holds blanks: what follows are words of a sentence, not of a command
        bare = argument.strip("'\"").removeprefix("~/")
        if kept and kept[-1] in ("-c", "-e", "-p") and not re.fullmatch(r"[\w./-]+", bare, re.ASCII):
            break
        if not bare or not re.fullmatch(r"[\w./:@=+,-]+", bare, re.ASCII) or _ADDRESS.search(bare):
            continue
        if bare.isalpha():
            plain += 1
            if len(bare) > RUN:
                bare = names.identifier(bare) if names.telling(bare) else ""
            if plain > plain_words or not bare:
                break
        elif not bare.startswith("-"):
            variable, sign, value = bare.partition("=")
            bare = names.identifier(variable) + sign + names.identifier(value) if sign else names.identifier(bare)
        elif names.words_in(bare) > names.WORDS:
            bare = bare.partition("=")[0] if names.words_in(bare.partition("=")[0]) <= names.WORDS else ""
        kept.append(bare)
    while kept and kept[-1] in ("--", "-", ""):
        kept.pop()
    whole = " ".join(filter(None, kept))
    if len(whole) > limit:  # where it is too long, the names of files are worth more than their folders
        whole = " ".join(
            word if word.startswith("-") else word.rstrip("/").rpartition("/")[2] or word for word in filter(None, kept)
        )
    return cut(whole, limit).rstrip(":")


_CODE_PIECE = compile_later(
    r"(?<![\w-])--?[A-Za-z][\w-]*(?:=[\w./:@,-]+)?|[A-Za-z_]\w*=[\w./:@,-]+(?!\w)|[A-Za-z_@$][\w.@/-]*(?:::\w+)*(?:\("
    r"|(?= ?=[^=>]))?|['\"][\w./@:-]+['\"]"
)


def code(text: str, limit: int) -> str:
    """The names in a piece of code or in the arguments of a command that somebody wrote: flags, calls, variables that are set,
    quoted words, and what has the form of a name. Plain words of prose are none of these.
    """
    left = _Budget()
    found: list[str] = []
    for piece in _CODE_PIECE.findall(_without(_LINK, _without(_ADDRESS, strip(text), ";"), ";")):
        bare = piece.strip("'\"").rstrip("(").strip(".")
        marked = piece[0] in "-'\"" or piece[-1] == "(" or "=" in piece
        variable, sign, value = bare.partition("=")
        if sign and piece[0] != "-":
            name = names.identifier(variable) + sign + names.identifier(value)
        else:
            name = names.identifier(variable) if marked or names.telling(bare) else ""
        if not name or names.digest(bare) or not _LETTERS.search(name) or name in found:
            continue
        left.names -= 1
        left.words -= names.words_in(name)
        if left.names < 0 or left.words < 0 or len(" ".join([*found, name])) + 2 > limit:
            break
        found.append(f"{name}()" if piece[-1] == "(" else name)
    return " ".join(found)


def reason(text: str, words: frozenset[str], limit: int) -> str:
    """A detector's reason: its own ``words`` and numbers, commands in backticks, and names of the right form.

    Of other words one may appear, where a reason says what was gone to; an ellipsis stands for each further one.
    """
    parts: list[str] = []
    foreign = 0
    for index, part in enumerate(_without(_LINK, _without(_ADDRESS, strip(text), "…"), "…").split("`")):
        if index % 2:
            parts.append(command(part))
            continue
        for word in part.split():
            bare = word.strip(",;.()")
            if bare.casefold() in words or bare.isdecimal() or bare in ("time(s", "change(s"):
                parts.append(word)
                continue
            name = names.identifier(bare) if names.telling(bare) else ""
            if not name and parts[-1:] == ["to"] and foreign == 0 and names.word(bare):
                foreign, name = 1, bare
            parts.append((name or "…") + word[len(word.rstrip(",;.")) :])
    return cut(re.sub(r"(?: …)+", " …", re.sub(r" (?=[,;])", "", " ".join(filter(None, parts)))), limit)


def plain(text: str) -> str:
    """``text`` on one line in compatibility forms, without links and what could pass for markup."""
    flat = unicodedata.normalize("NFKC", _without(_LINK, strip(text), "[link]")).replace("...", "…")
    return " ".join(unbracketed(_ENTITY.sub(" ", flat)).split())


def unbracketed(text: str) -> str:
    """``text`` with a blank for whatever could pass for markup, also by its looks."""
    return "".join(" " if _is_bracket(sign) else sign for sign in text)


@lru_cache(4096)
def _is_bracket(sign: str) -> bool:
    if sign in _BRACKETS or sign.isascii() or sign in _APOSTROPHES:
        return sign in _BRACKETS
    return unicodedata.category(sign) in _ENCLOSING or _SHAPES.search(unicodedata.name(sign, "")) is not None


def said(text: str, limit: int, printed: str = "", repeats: Sequence[str] = ()) -> str:
    """What the user or the main agent said, on one line; what in it repeats a tool as typed tokens only.

    ``printed`` is what tools printed, in the form of ``plain`` and case-folded, ``repeats`` are runs of words of it as
    observations/printed.py finds them: a sentence does not become the agent's own by being repeated.
    """
    flat = plain(text)
    parts: list[str] = []
    done = 0
    for begin, end in spans(flat, repeats) if repeats else ():
        parts += [*_own(flat[done:begin], limit, printed), typed(flat[begin:end], limit)]
        done = end
    return cut(" ".join(filter(None, [*parts, *_own(flat[done:], limit, printed)])), limit)


def _own(flat: str, limit: int, printed: str) -> list[str]:
    """The text in parts: the words that stand in ``printed`` typed, the rest as it is."""
    folded = flat.casefold()
    if not printed or len(folded) != len(flat):
        return [(typed(flat, limit) if printed else flat).strip()]
    parts: list[str] = []
    done = at = 0
    while at + RUN < len(flat):
        if folded[at : at + RUN + 1] not in printed:
            at += 1
            continue
        end = at + RUN + 1
        while end < len(flat) and folded[at : end + 1] in printed:
            end += 1
        begin = flat.rfind(" ", done, at + 1) + 1 or done  # a run may begin and end within a word: no word is parted
        blank = flat.find(" ", end - 1)
        end = blank if blank >= 0 else len(flat)
        parts += [flat[done:begin].strip(), typed(flat[begin:end], limit)]
        done = at = end
    return [*parts, flat[done:].strip()]


def path(text: str) -> str:
    """A file path if it is made of ordinary characters and bounded, its name cut where it is a sentence; else empty."""
    return names.identifier(text) if len(text) <= 80 and re.fullmatch(r"[\w@.+/-]+", text, re.ASCII) else ""


def cut(text: str, limit: int) -> str:
    """``text`` in at most ``limit`` characters, whole words where that is possible."""
    if len(text) <= limit:
        return text
    if limit < 2:
        return ""
    head = text[: limit - 1]
    return (head if text[limit - 1] == " " else head.rsplit(" ", 1)[0]).rstrip(" ,;:.·") + "…"
