"""Reduce untrusted text to typed tokens that are safe in a prompt.

Tool output can contain anything: a repository's tests can print "ignore what you were told", and filters for such
sentences fail nearly always when measured. So nothing is filtered out; text passes only if it has the form of a name, a
code, a path or a quoted identifier (staging/names.py), in small numbers, or is in a closed list of words used by error
messages but not by instructions. Except for a single name, at most ``RUN`` consecutive characters are as a tool printed
them.
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
"""Maximum number of consecutive characters of tool output; a longer run is split by ``BREAK``."""
BREAK = " · "
_TOGETHER = RUN - 2
"""Leaves room for a space on either side."""
_NAMES, _QUOTED_WORDS, _WORDS_OF_NAMES = 3, 2, 4
"""Maximum numbers per text: names, quoted words, and words in all names together. Four words can identify a file or a
function but are too few for an instruction."""
_TLD = r"(?:com|net|org|io|ai|app|dev|xyz|ru|cn|info|top|site|online|biz|onion|example|invalid)"
_WRITTEN = compile_later(r"\S+")
_LINK = compile_later(rf"://|www\.|\.{_TLD}[/:?#]|\b(?:javascript|data|mailto|vbscript):\S", re.IGNORECASE)
_ADDRESS = compile_later(rf"://|www\.|\.{_TLD}(?![\w.])", re.IGNORECASE)
"""Also matches a bare domain, which may appear in prose but not in an identifier."""
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
"""Fixed messages of operating systems (errno.h). Nobody can choose their words, so they may be longer than ``RUN``."""
_VERBS = frozenset(
    "be call compile connect create exist exists exit export find fix import initialize load parse read reset resolve write".split()
)
"""Accepted only after a negation or failure; anywhere else they could be instructions."""
_NOT_DONE = compile_later(
    r"(?:cannot|can't|couldn't|didn't|(?:could|can|did|does|was|were|is) not|(?:failed|failure|failing|unable) to)\Z",
    re.IGNORECASE,
)
_BRACKETS = frozenset('<>`{}|\\$*#"ᐸᐳᐊᐅᚲ᚜᚛𐊕𝈶𝈷𖼿\u02ea')
"""Characters that could pass for markup or end a quote: ASCII, and lookalikes of ``<`` and ``>`` whose Unicode names do
not tell (unicode.org/Public/security, confusables.txt)."""
_ENCLOSING = frozenset({"Ps", "Pe", "Pi", "Pf"})
_SHAPES = compile_later(
    r"LESS-THAN(?! OR)|GREATER-THAN(?! OR)|(?<!UP )(?<!DOWN )ARROWHEAD|CHEVRON|ANGLE BRACKET|POINTING (?:ANGLE"
    r"|\w*-?TRIANGLE)"
    r"|\bPRECEDES\b(?! OR)|\bSUCCEEDS\b(?! OR)|POINTER|GRAVE ACCENT"
)
"""Matches Unicode character names (unicode.org, UnicodeData.txt)."""
_APOSTROPHES = "‘’‚‛()[]"
_ENTITY = compile_later(r"&(?:[A-Za-z]{2,8}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
"""A character entity, which a host or model may decode."""


def typed(text: str, limit: int) -> str:
    """Return the typed tokens of ``text`` in order, within ``limit`` characters.

    Adjacent words stay together; runs that consist only of filler words are omitted.
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
    """Strip joining words from both ends of a run, since they connect to omitted text."""
    begin, end = 0, len(run)
    while begin < end and run[begin].casefold() in _JOINS:
        begin += 1
    while begin < end and run[end - 1].casefold() in _FILLER:
        end -= 1
    return run[begin:end]


def names_something(told: str, *, alone: bool = False) -> bool:
    """Return whether typed tokens identify something.

    That is a fixed message, a name in code, or another name that is next to a word (or single, with ``alone``).
    """
    if _MESSAGES.search(told):
        return True
    words = [bare for word in told.replace(BREAK, " ").split() if (bare := word.strip(":…,."))]
    plain = [word for word in words if not word[0].isdigit() and word.strip(_QUOTES).casefold() not in _FILLER]
    named = [word for word in plain if word[0] in _QUOTES or names.telling(word) or names.usual(word)]
    code = [word for word in named if names.names_an_error(word) or (names.telling(word) and not names.file(word))]
    return bool(code or (named and (alone or len(plain) > 1)))


def named(text: str, limit: int, told: str = "") -> str:
    """List names in ``text`` that are not in ``told``, separated by commas, within the limits for one text."""
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
    """Replace every whitespace-separated word that contains the pattern."""
    return _WRITTEN.sub(lambda word: instead if pattern.search(word[0]) else word[0], text)


class _Budget:
    """What one text may still contribute."""

    def __init__(self) -> None:
        self.names, self.quoted, self.words = _NAMES, _QUOTED_WORDS, _WORDS_OF_NAMES

    def admit(self, piece: str) -> str:
        """Return ``piece`` in the form in which it may appear, empty if it may not."""
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
    """Join words and split them into runs of at most ``RUN`` characters, preferably after a colon."""
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
"""Programs at the start of a command line that do not indicate its purpose."""


def _speaks(segment: str) -> bool:
    """Return whether a simple command indicates a purpose; ``env`` and assignments do only before a program."""
    words = segment.split(maxsplit=2)
    return (words[0] not in _SILENT or (words[0] == "env" and len(words) > 1)) and not (
        "=" in words[0] and len(words) == 1
    )


_SELECTS = compile_later(r"(?<=\s)(['\"])([\w.:/^$|()*\\?-]{1,200})\1(?=\s|\Z)")
"""An expression that selects tests or files by name."""
_TAKEN = compile_later(r"(?<!\S)\w{1,40}=\$\([^()]*\)")
"""A variable set from a command substitution, which is not the main command."""


def _selected(found: re.Match[str]) -> str:
    """Return the first name in a selection expression without quotation marks, or the expression if there is none."""
    first = next(filter(None, re.split(r"[|^$()*\\?]+", found[2])), "")
    return first if first != found[2] and names.telling(first) else found[0]


def command(text: str, limit: int = RUN, plain_words: int = 3) -> str:
    """Return the first meaningful simple command of a command line.

    It is reduced to ``plain_words`` plain words, flags and names; an inline script is omitted. The agent typed it, but
    names in it (of a branch, test or file) may come from somebody else.
    """
    line = _SELECTS.sub(_selected, _TAKEN.sub("", strip(text)[:1_000]))
    segments = (part.strip() for part in re.split(r"[|;&<>$\n(]|\s\d?>", line))
    first = next((part for part in segments if part and _speaks(part)), "")
    kept: list[str] = []
    plain = 0
    for argument in re.findall(r"'[^']*'|\"[^\"]*\"|\S+", first.removeprefix("env "))[:16]:
        if argument.count("'") % 2 or argument.count('"') % 2:
            break  # an unbalanced quote or one with spaces: prose may follow
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
    if len(whole) > limit:  # if too long, drop folders
        whole = " ".join(
            word if word.startswith("-") else word.rstrip("/").rpartition("/")[2] or word for word in filter(None, kept)
        )
    return cut(whole, limit).rstrip(":")


_CODE_PIECE = compile_later(
    r"(?<![\w-])--?[A-Za-z][\w-]*(?:=[\w./:@,-]+)?|[A-Za-z_]\w*=[\w./:@,-]+(?!\w)|[A-Za-z_@$][\w.@/-]*(?:::\w+)*(?:\("
    r"|(?= ?=[^=>]))?|['\"][\w./@:-]+['\"]"
)


def code(text: str, limit: int) -> str:
    """Return the names in code or command arguments that the agent wrote, without plain words of prose.

    Names are flags, calls, assigned variables, quoted words, and words in the form of a name.
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
    """Return a detector's reason, reduced to its own ``words``, numbers, commands in backticks, and names.

    One other word is accepted after "to"; an ellipsis replaces any other.
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
    """Return ``text`` on one line in NFKC form, without links and without characters that look like markup."""
    flat = unicodedata.normalize("NFKC", _without(_LINK, strip(text), "[link]")).replace("...", "…")
    return " ".join(unbracketed(_ENTITY.sub(" ", flat)).split())


def unbracketed(text: str) -> str:
    """Replace every character that is or looks like markup with a space."""
    return "".join(" " if _is_bracket(sign) else sign for sign in text)


@lru_cache(4096)
def _is_bracket(sign: str) -> bool:
    if sign in _BRACKETS or sign.isascii() or sign in _APOSTROPHES:
        return sign in _BRACKETS
    return unicodedata.category(sign) in _ENCLOSING or _SHAPES.search(unicodedata.name(sign, "")) is not None


def said(text: str, limit: int, printed: str = "", repeats: Sequence[str] = ()) -> str:
    """Return a statement of the user or the main agent on one line, with repeated tool output as typed tokens.

    ``printed`` is tool output in the form of ``plain``, case-folded; ``repeats`` are word sequences of it as found by
    observations/printed.py. Output that the agent repeats remains untrusted.
    """
    flat = plain(text)
    parts: list[str] = []
    done = 0
    for begin, end in spans(flat, repeats) if repeats else ():
        parts += [*_own(flat[done:begin], limit, printed), typed(flat[begin:end], limit)]
        done = end
    return cut(" ".join(filter(None, [*parts, *_own(flat[done:], limit, printed)])), limit)


def _own(flat: str, limit: int, printed: str) -> list[str]:
    """Split text into parts; those that occur in ``printed`` become typed tokens."""
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
        begin = flat.rfind(" ", done, at + 1) + 1 or done  # extend to whole words
        blank = flat.find(" ", end - 1)
        end = blank if blank >= 0 else len(flat)
        parts += [flat[done:begin].strip(), typed(flat[begin:end], limit)]
        done = at = end
    return [*parts, flat[done:].strip()]


def path(text: str) -> str:
    """Return a file path of ordinary characters with a shortened name; empty if it is too long or has other
    characters.
    """
    return names.identifier(text) if len(text) <= 80 and re.fullmatch(r"[\w@.+/-]+", text, re.ASCII) else ""


def cut(text: str, limit: int) -> str:
    """Cut ``text`` to ``limit`` characters, at a word boundary if possible."""
    if len(text) <= limit:
        return text
    if limit < 2:
        return ""
    head = text[: limit - 1]
    return (head if text[limit - 1] == " " else head.rsplit(" ", 1)[0]).rstrip(" ,;:.·") + "…"
