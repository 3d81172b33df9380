"""Reduce untrusted text to typed tokens that are safe in a prompt.

Tool output can contain anything: a repository's tests can print "ignore what you were told", and filters for such sentences
nearly always failed when they were measured. So text passes only if it has the form of a name, a code, a path or a quoted
word, of which a few are allowed, or is in a closed list of words and messages that occur in errors but not
in instructions. Except for a single name or a fixed message (staging/messages.py), at most ``MAX_RUN_LENGTH`` consecutive
characters are exactly as a tool printed them.
"""

from __future__ import annotations

import errno
import itertools
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from mind_skills.observations.repetition import find_spans
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.text import strip_controls
from mind_skills.staging.messages import FIXED_MESSAGES, FRAGMENTS

MAX_RUN_LENGTH = 24
"""Maximum number of consecutive characters of tool output; a longer run of words is split by ``BREAK``."""
BREAK = " · "
_MAX_RUN_PART_LENGTH = MAX_RUN_LENGTH - 2
"""Maximum number of characters in a part of a split run; a space follows on either side."""
_MAX_CONNECTED_MESSAGES = 2
"""Maximum number of fixed messages that remain connected with each other by names or a colon."""
_MAX_NAMES, _MAX_QUOTED_WORDS, _MAX_NAME_WORDS = 3, 2, 4
"""Maximum numbers per text: of names, of quoted words, and of words in all names together. Four words can identify a file or a
function but are too few for an instruction."""
_TLD = r"(?:com|net|org|io|ai|app|dev|xyz|ru|cn|info|top|site|online|biz|onion|example|invalid)"
_WORD = compile_lazily(r"\S+")
_LINK = compile_lazily(rf"://|www\.|\.{_TLD}[/:?#]|\b(?:javascript|data|mailto|vbscript):\S", re.IGNORECASE)
_ADDRESS = compile_lazily(rf"://|www\.|\.{_TLD}(?![\w.])", re.IGNORECASE)
"""Matches a bare domain as well, which ``_LINK`` does not: it may appear in prose but not among typed tokens."""
_PIECE = compile_lazily(
    r"['\"`‘’“”]?(?:(?<![\w-])--?(?=[A-Za-z]))?[\w@.][\w@./+-]*(?:::\w[\w@./+-]*)*(?:\(\))?['\"`‘’“”]?:?"
)
_QUOTES = "'\"`‘’“”"
_LETTERS = compile_lazily(r"[A-Za-z]{2}")
_QUOTED = compile_lazily(f"^[{_QUOTES}].*[{_QUOTES}]:?$")
_FILLER = frozenset("a an and are as at by for from has in is of on or that the to was with".split())
_SEVERITIES = frozenset({"error:", "fatal:", "failed:", "warning:"})
"""Labels that add nothing to a fixed message that follows."""
_LINE_NUMBER = compile_lazily(r"(\.[A-Za-z]{1,5}):\d+(?::\d+)?(?=:)|\bline \d+(?=:)")
"""The number of a line or a column before a message, which changes while the error remains the same."""
_PRODUCTS = frozenset(
    """BitBucket CodeRabbit GitHub GitLab GraphQL JavaScript LaTeX MariaDB MongoDB MySQL NumPy OpenAI OpenSSL PostgreSQL PowerShell
    PyPI PyTorch SQLite TypeScript VSCode WebAssembly WebSocket YouTube iOS macOS""".split()
)
"""Products that are spelled like names in code, but whose names identify nothing in a project."""
_CAPITAL_SEVERITIES = frozenset({"ERROR", "FAIL", "FAILED", "FATAL"})
_JOINING_WORDS = frozenset("a an and as at by for from in of on or that the to with".split())
_WORDS = frozenset(
    """a abstract accessible actual ambiguous an and applied architecture are argument arguments array artifact artifacts
    assert assertion assertionerror assigned at attempts attribute attributes available awaited bad body borrowed bounds brace
    bracket branch build busy byte bytes cache callable callback cannot certificate certificates character characters checksum
    circular class clean client closed closing code colon column columns comma command commands compiler component config
    configuration conflict conflicting connection constraint container corrupt could coverage crash crate crates credentials
    current daemon database deadlock declared default defaults defined denied dependency deprecated depth detached device
    dimension dimensions directories directory dirty disk diverged domain duplicate duplicated empty encoding entries entry enum
    environment error errors exceeded exception executable exited expected expired expression fail failed failing failure
    failures fatal field fields file files finished fixed flag flags for format found frame from function generic got group
    handler handshake has header headers heap hook hooks host hostname identifier immutable in incompatible incomplete
    indentation index indices inherited initialized installed instance integer integrity interactive interface interpreter
    invalid is iterable key keys left length lexer library lifetime limit line linker list loader locked lockfile long lookup
    macro malformed manifest match members memory method mismatch mismatched missing mock module modules moved mutable name
    named negative nested network newline nil no none nonzero not null number object obsolete of offset ok on opened opening
    operation operator option options or out output overflow owned owner package panic parameter parameters parenthesis parser
    passed path payload permission permissions permitted platform plugin plugins pointer port position positional positions
    positive private process promise properties property protected protocol proxy query range reached reading received
    recognized recoverable recursion redefined reference refs refused registered rejected remote removed required requires
    resource returned revision right row rows rule runtime schema scope seconds segmentation server session setting settings
    shape signal signature size skipped slice snapshot snapshots socket stack stale started statement status stderr stdin stdout
    stopped string struct subcommand submodule succeeded success supported symbol syntax table tag tags target targets temporary
    terminated test tests the thread threshold timed timeout to token too toolchain trait transaction truncated tuple type types
    unable unavailable unbalanced unclosed uncommitted undefined underflow unexpected unexpectedly unhandled unicode
    uninitialized unique unknown unmatched unmerged unreachable unreadable unrecognized unresolved unset unstaged unsupported
    unterminated untracked unused upstream valid value values variable version versions volume warning warnings was whitespace
    with worker workspace worktree wrong zero""".split()
)
_VERBS = frozenset(
    "be call compile connect create exist exists exit export find fix import initialize load parse read reset resolve write".split()
)
"""Unless quoted, these are accepted only after words such as "cannot" or "failed to"; elsewhere they could be instructions."""
_NOT_DONE = compile_lazily(
    r"(?:cannot|can't|couldn't|didn't|(?:could|can|did|does|was|were|is) not|(?:failed|failure|failing|unable) to)\Z",
    re.IGNORECASE,
)
_BRACKETS = frozenset('<>`{}|\\$*#"ᐸᐳᐊᐅᚲ᚜᚛𐊕𝈶𝈷𖼿\u02ea')
"""Characters that could pass for markup or end a quote: ASCII characters, and lookalikes of ``<`` and ``>`` whose
Unicode names do not reveal them (unicode.org/Public/security, confusables.txt)."""
_POSSIBLE_MARKUP = compile_lazily(r"[<>`{}|\\$*#\"]|[^\x00-\x7f]")
"""The only characters for which ``_is_bracket`` can be true."""
_ENCLOSING = frozenset({"Ps", "Pe", "Pi", "Pf"})
_SHAPES = compile_lazily(
    r"LESS-THAN(?! OR)|GREATER-THAN(?! OR)|(?<!UP )(?<!DOWN )ARROWHEAD|CHEVRON|ANGLE BRACKET|POINTING (?:ANGLE"
    r"|\w*-?TRIANGLE)"
    r"|\bPRECEDES\b(?! OR)|\bSUCCEEDS\b(?! OR)|POINTER|GRAVE ACCENT"
)
"""Matches the Unicode names of bracket-like characters (unicode.org, UnicodeData.txt)."""
_APOSTROPHES = "‘’‚‛()[]"
_ENTITY = compile_lazily(r"&(?:[A-Za-z]{2,8}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
"""A character entity, which a host or model may decode."""


def reduce_to_tokens(text: str, limit: int) -> str:
    """Return the typed tokens of ``text`` in order, within ``limit`` characters.

    Adjacent tokens and fixed messages form a run. A run that consists of numbers, filler words and at most one other word of the
    closed list is omitted, and so are line numbers.
    """
    budget = _Budget()
    runs: list[list[str]] = [[]]
    line = _LINE_NUMBER.sub(r"\1", _replace_addresses(text, ";"))
    end_of_last = 0
    for found in FIXED_MESSAGES.finditer(line):
        _admit_pieces(line[end_of_last : found.start()], budget, runs)
        end_of_last = found.end()
        colon = ":" if line[end_of_last : end_of_last + 1] == ":" else ""
        if runs[-1] and runs[-1][-1].casefold() in _SEVERITIES:
            runs[-1].pop()
        runs[-1].append(" ".join(found.group().split()) + colon)
    _admit_pieces(line[end_of_last:], budget, runs)
    stripped = [_strip_joining_words(run) for run in runs if _is_informative(run)]
    return cut_at_word(BREAK.join(_split_run(run) for run in stripped if run).strip(" :·"), limit)


def _admit_pieces(text: str, budget: _Budget, runs: list[list[str]]) -> None:
    """Append the admitted tokens of ``text`` to the last run; a piece that is not admitted begins a new run."""
    previous_pieces: tuple[str, str] = ("", "")
    for piece in _PIECE.findall(text):
        is_command = piece.rstrip(":.").casefold() in _VERBS and not _NOT_DONE.search(" ".join(previous_pieces))
        word = "" if is_command else budget.admit(piece)
        previous_pieces = (previous_pieces[1], piece)
        if word:
            runs[-1].append(word)
        else:
            runs.append([])


def _strip_joining_words(run: list[str]) -> list[str]:
    """Strip joining words and line numbers from the start of a run and filler words from its end: they connect it to omitted text."""
    begin, end = 0, len(run)
    while begin < end and (run[begin].casefold() in _JOINING_WORDS or re.fullmatch(r"\d+:", run[begin])):
        begin += 1
    while begin < end and run[end - 1].casefold() in _FILLER:
        end -= 1
    return run[begin:end]


def contains_name(typed_tokens: str, *, accepts_single: bool = False) -> bool:
    """Return whether typed tokens identify something.

    They do if they contain a fixed message that is no fragment, the name of an error or of something in code, or a path, code,
    flag or quoted word together with another informative word (with ``accepts_single``, also without one).
    """
    if _contains_message(typed_tokens):
        return True
    words = [stripped for word in typed_tokens.replace(BREAK, " ").split() if (stripped := word.strip(":…,."))]
    informative = [word for word in words if not word[0].isdigit() and word.strip(_QUOTES).casefold() not in _FILLER]
    found = [word for word in informative if word[0] in _QUOTES + "-" or is_name(word) or is_common_code(word)]
    found = [word for word in found if word not in _CAPITAL_SEVERITIES]
    code_names = [word for word in found if is_error_class(word) or (is_name(word) and not is_path(word))]
    return bool(code_names or (found and (accepts_single or len(informative) > 1)))


def contains_error(typed_tokens: str) -> bool:
    """Return whether typed tokens contain an error class, or a fixed message that is no fragment."""
    return any(is_error_class(word.strip(":.,")) for word in typed_tokens.split()) or _contains_message(typed_tokens)


def _contains_message(typed_tokens: str) -> bool:
    return any(not FRAGMENTS.fullmatch(found.group()) for found in FIXED_MESSAGES.finditer(typed_tokens))


def list_names(text: str, limit: int, shown: str = "") -> str:
    """Return the names in ``text`` that are not in ``shown``, separated by commas, within the limits for one text."""
    budget = _Budget()
    found: list[str] = []
    for piece in _PIECE.findall(_replace_addresses(text, ";")):
        stripped = _strip_punctuation(piece).removeprefix("./")
        if (
            not is_name(stripped.removeprefix("."))  # a name such as ".py" alone is no more than a kind of file
            or is_common_code(stripped)
            or stripped in _PRODUCTS
            or stripped.casefold() in _WORDS
            or stripped in shown
        ):
            continue
        name = budget.admit(stripped).strip("/")
        is_shown = name in shown or any(name in other or other in name for other in found)
        is_informative = any(is_name(part) for part in name.split("/")) and "REDACTED" not in name
        if is_informative and not is_shown and _LETTERS.search(name) and len(", ".join([*found, name])) <= limit:
            found.append(name)
    return ", ".join(found)


def _replace_addresses(text: str, replacement: str) -> str:
    """Remove control characters from ``text``, and replace every word that contains a link or a domain."""
    return _replace_words(_LINK, _replace_words(_ADDRESS, strip_controls(text), replacement), replacement)


def _replace_words(pattern: re.Pattern[str], text: str, replacement: str) -> str:
    """Replace every whitespace-separated word that contains a match of ``pattern``, which must not match whitespace."""
    if not pattern.search(text):
        return text
    return _WORD.sub(lambda word: replacement if pattern.search(word[0]) else word[0], text)


def _strip_punctuation(piece: str) -> str:
    """Remove quotation marks, colons and full stops around a piece, but not the dot of a hidden file or of ``./``."""
    stripped = piece.strip(":").rstrip(".").strip(_QUOTES).rstrip(".:")
    return stripped.lstrip(".") if stripped.startswith("..") else stripped


class _Budget:
    """The numbers of names, quoted words and words in names that one text may still contribute."""

    def __init__(self) -> None:
        self.names, self.quoted, self.words = _MAX_NAMES, _MAX_QUOTED_WORDS, _MAX_NAME_WORDS

    def admit(self, piece: str) -> str:
        """Return ``piece`` in the form in which it may appear, or an empty string if it must not appear."""
        stripped = _strip_punctuation(piece)
        if is_common_code(stripped.removeprefix(".")) or is_digest(stripped.removeprefix(".")):
            stripped = stripped.removeprefix(".")
        colon = ":" if piece.endswith(":") else ""
        is_quoted = _QUOTED.match(piece) is not None
        if (
            stripped.casefold() in _WORDS
            or (not is_quoted and stripped.casefold() in _VERBS)
            or is_common_code(stripped)
        ):
            return (f"'{stripped}'" if is_quoted else stripped) + colon
        if is_quoted and is_plain_word(stripped):
            self.quoted -= 1
            return f"'{stripped}'{colon}" if self.quoted >= 0 else ""
        is_short_flag = is_flag(stripped) and count_words(stripped) <= MAX_WORDS_PER_NAME
        is_admissible = is_short_flag or (is_name(stripped) and not is_digest(stripped))
        name = shorten_name(stripped) if is_admissible else ""
        if not name:
            return ""
        self.names -= 1
        if not is_error_class(stripped):
            self.words -= count_words(name)
        if self.names < 0 or self.words < 0:
            return ""
        return (f"'{name}'" if is_quoted else name) + colon


def _split_run(run: list[str]) -> str:
    """Join the tokens of a run: with a space where the text may be as it was printed, else with ``BREAK``.

    Words are split as by ``_split_words``. A fixed message remains connected with a label that ends with a colon, and with names
    or codes next to it, but not with words, nor with more than one other message.
    """
    parts: list[str] = []
    groups = [list(group) for _, group in itertools.groupby(run, key=_is_message)]
    for number, members in enumerate(groups):
        if _is_message(members[0]):
            parts += members
            continue
        head = list(itertools.takewhile(_is_naming, members)) if number else []
        rest = members[len(head) :]
        is_last, is_label = number == len(groups) - 1, members[-1].endswith(":")
        tail = [] if is_last or is_label else list(itertools.takewhile(_is_naming, reversed(rest)))[::-1]
        for words in (head, rest[: len(rest) - len(tail)], tail):
            parts += _split_words(words)
    text, messages = "", 0
    for part, previous in zip(parts, ["", *parts], strict=False):
        is_message, follows_message = _is_message(part), _is_message(previous)
        is_connected = (
            previous.endswith(":") or (not follows_message and all(map(_is_naming, previous.split())))
            if is_message
            else follows_message and all(map(_is_naming, part.split()))
        )
        is_connected = is_connected and messages + is_message <= _MAX_CONNECTED_MESSAGES
        messages = messages + is_message if is_connected else int(is_message)
        text += f"{' ' if is_connected else BREAK}{part}" if text else part
    return text


def _is_message(token: str) -> bool:
    return FIXED_MESSAGES.fullmatch(token.rstrip(":")) is not None


def _is_naming(token: str) -> bool:
    """Return whether a token is a name, a code or a quoted word, rather than a word of the closed lists."""
    word = token.rstrip(":")
    return word[:1] in _QUOTES or word.casefold() not in _WORDS | _VERBS


def _split_words(words: list[str]) -> list[str]:
    """Join words into parts of at most ``_MAX_RUN_PART_LENGTH`` characters, or of one word; split at colons if possible."""
    lines: list[str] = []
    for index, word in enumerate(words):
        joined = f"{lines[-1]} {word}" if lines else word
        until_colon = " ".join(words[index:]).partition(":")[0]
        fits = len(joined) <= _MAX_RUN_PART_LENGTH and not (
            lines[-1:] and lines[-1].endswith(":") and len(lines[-1]) + len(until_colon) > _MAX_RUN_PART_LENGTH
        )
        if lines and fits:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines


def _is_informative(run: list[str]) -> bool:
    words = [word.strip(":").casefold() for word in run]
    words = [word for word in words if not word.isdecimal()]
    return any(word not in _WORDS for word in words) or sum(word not in _FILLER for word in words) > 1


_UNINFORMATIVE_PROGRAMS = frozenset("Write-Host cd echo env export printf pushd set source test true".split())
"""Programs that do not indicate the purpose of a command line that they begin."""


def has_purpose(segment: str) -> bool:
    """Return whether a simple command indicates a purpose; ``cd``, ``env`` alone, an assignment alone or one letter (but R) does not."""
    words = segment.split(maxsplit=2)
    return (
        (len(words[0]) > 1 or words[0] == "R")
        and (words[0] not in _UNINFORMATIVE_PROGRAMS or (words[0] == "env" and len(words) > 1))
        and not ("=" in words[0] and len(words) == 1)
    )


_SELECTION = compile_lazily(r"(?<=\s)(['\"])([\w.:/^$|()*\\?-]{1,200})\1(?=\s|\Z)")
"""A quoted argument, such as an expression that selects tests or files by name."""
_SUBSTITUTION = compile_lazily(
    r"(?<!\S)\w{1,40}=(?:\$\([^()]*\)|\"[^\"$\n]*\$[^\"\n]*\"|'[^'$\n]*\$[^'\n]*'|[^\s\"';&|$]*\$[^\s\"';&|(]+)"
    r"|(?:\A|(?<=[;\n]))\s*\$(?:env:)?[A-Za-z]\w{0,40} ?\+?="
    r"\s*(?:(?=[A-Za-z])|(?:'[^'\n]*'|\"[^\"\n]*\"|\d+)\s*(?:[;\n]|\Z))"
)
"""An assignment whose value has a substitution; in PowerShell, also an assignment of a value, or the left side of the assignment
of a command's output."""


_ENVIRONMENT = compile_lazily(r"\Aenv (?:-[uC] \S+ |-\S+ )*")
_FOLDERS = compile_lazily(r"\A.*/(?!\.\.\.\Z)(?=[^/]*(?:/\.\.\.)?\Z)")
"""The folders of a path; those of a Go pattern such as ``./cart/...``, but the last."""
_BESIDE_THE_COMMAND = compile_lazily(
    r"(?:\A|(?<=[;\n]))[ \t]*#[^;\n]*|(?<=\bgit) -C (?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s;&|]+)(?=\s)"
)
"""Comments, and the folder in which git runs."""


def _get_selected_name(found: re.Match[str]) -> str:
    """Return the first part of a selection expression if that is a name, else the whole expression with its quotes."""
    first = next(filter(None, re.split(r"[|^$()*\\?]+", found[2])), "")
    return first if first != found[2] and is_name(first) else found[0]


def shorten_command(text: str, limit: int = MAX_RUN_LENGTH, plain_words: int = 3) -> str:
    """Return the first simple command of a command line that indicates a purpose, within ``limit`` characters.

    It is reduced to at most ``plain_words`` plain words, flags and names; an inline script is omitted. Although the agent
    wrote the command, names in it (of a branch, test or file) may come from somebody else.
    """
    line = _BESIDE_THE_COMMAND.sub("", strip_controls(text)[:1_000])
    line = _SELECTION.sub(_get_selected_name, _SUBSTITUTION.sub("", line))
    pieces = re.split(r"[|;&<>\n]|(?<![\w./:@=+,-])([$(])|\s\d?>", line)
    segments = zip(map(str.strip, pieces[::2]), [*pieces[1::2], None], strict=True)
    first, is_computed = next(((part, end) for part, end in segments if part and has_purpose(part)), ("", None))
    words: list[str] = []
    plain_count = 0
    for argument in re.findall(r"'[^']*'|\"[^\"]*\"|\S+", _ENVIRONMENT.sub("", first))[:16]:
        if words and re.search(r"\A[^'\"]*[$(]", argument):
            words.append("…")
        if argument.count("'") % 2 or argument.count('"') % 2 or "$" in argument or "(" in argument:
            break  # the shell computes the rest, or the quotation mark is unbalanced: prose may follow
        unquoted = argument.strip("'\")").removeprefix("~/")
        if words and words[-1] in ("-c", "-e", "-p") and not re.fullmatch(r"[\w./-]+", unquoted, re.ASCII):
            break
        if not re.fullmatch(r"[\w./:@=+,-]+", unquoted, re.ASCII) or _ADDRESS.search(unquoted) or is_digest(unquoted):
            continue
        if unquoted.isalpha():
            plain_count += 1
            if len(unquoted) > MAX_RUN_LENGTH:
                unquoted = shorten_name(unquoted) if is_name(unquoted) else ""
            if plain_count > plain_words or not unquoted:
                break
        elif not unquoted.startswith("-"):
            variable, equals, value = unquoted.partition("=")
            unquoted = shorten_name(variable) + equals + shorten_name(value) if equals else shorten_name(unquoted)
        elif count_words(unquoted) > MAX_WORDS_PER_NAME:
            flag = unquoted.partition("=")[0]
            unquoted = flag if count_words(flag) <= MAX_WORDS_PER_NAME else ""
        words.append(unquoted)
    while words and words[-1] in ("--", "-", ""):
        words.pop()
    if is_computed and words and words[-1] != "…":
        words.append("…")
    result = " ".join(filter(None, words))
    if len(result) > limit:  # drop folders
        result = " ".join(
            word if word.startswith("-") else _FOLDERS.sub("", word.rstrip("/")) or word for word in filter(None, words)
        )
    return cut_at_word(result, limit).rstrip(":")


_CODE_PIECE = compile_lazily(
    r"(?<![\w-])--?[A-Za-z][\w-]*(?:=[\w./:@,-]+)?|[A-Za-z_]\w*=[\w./:@,-]+(?!\w)|[A-Za-z_@$][\w.@/-]*(?:::\w+)*(?:\("
    r"|(?= ?=[^=>]))?|['\"][\w./@:-]+['\"]"
)


def extract_code_names(text: str, limit: int) -> str:
    """Return the names in code or command arguments that the agent wrote, without plain words.

    Names are flags, calls, assigned variables, quoted words, and words that have the form of a name.
    """
    budget = _Budget()
    found: list[str] = []
    for piece in _CODE_PIECE.findall(_replace_addresses(text, ";")):
        stripped = piece.strip("'\"").rstrip("(").strip(".")
        is_marked = piece[0] in "-'\"" or piece[-1] == "(" or "=" in piece
        variable, equals, value = stripped.partition("=")
        if equals and piece[0] != "-":
            assigned = shorten_name(variable)
            name = assigned and f"{assigned}={shorten_name(value)}"
            if assigned and count_words(name) > budget.words:
                name = f"{assigned}=…"
        else:
            name = shorten_name(variable) if is_marked or is_name(stripped) else ""
        if not name or is_digest(stripped) or not _LETTERS.search(name) or name in found:
            continue
        budget.names -= 1
        budget.words -= count_words(name)
        if budget.names < 0 or budget.words < 0 or len(" ".join([*found, name])) + 2 > limit:
            break
        found.append(f"{name}()" if piece[-1] == "(" else name)
    return " ".join(found)


_REASON_WORDS = frozenset(
    """a after agent and approved at call change command committed complained did done earlier end error errors fail failed
    failed: has in interrupted last log min no not nothing pass passed refused retries retry s since submitted succeeded:
    that the timestamps to tool user was work""".split()
)
"""Words of our own in the reasons for an outcome (learning/outcome.py). Any other word in a reason may come from the
session, for example from a command."""
_MAX_REASON_LENGTH = 200


def neutralise_reason(text: str) -> str:
    """Return the reason for a session's outcome, reduced to words of our own, numbers, names, and shortened commands.

    One other plain word is accepted, after "to". An ellipsis replaces all other words.
    """
    parts: list[str] = []
    foreign_count = 0
    for index, part in enumerate(_replace_addresses(text, "…").split("`")):
        if index % 2:
            parts.append(shorten_command(part))
            continue
        for word in part.split():
            stripped = word.strip(",;.()")
            if stripped.casefold() in _REASON_WORDS or stripped.isdecimal() or stripped in ("time(s", "change(s"):
                parts.append(word)
                continue
            name = shorten_name(stripped) if is_name(stripped) else ""
            if not name and parts[-1:] == ["to"] and foreign_count == 0 and is_plain_word(stripped):
                foreign_count, name = 1, stripped
            parts.append((name or "…") + word[len(word.rstrip(",;.")) :])
    reason = re.sub(r" (?=[,;])", "", " ".join(filter(None, parts)))
    return cut_at_word(re.sub(r"(?: …)+", " …", reason), _MAX_REASON_LENGTH)


def flatten_text(text: str) -> str:
    """Return ``text`` on one line in NFKC form, without links and without characters that look like markup."""
    line = unicodedata.normalize("NFKC", _replace_words(_LINK, strip_controls(text), "[link]")).replace("...", "…")
    return " ".join(replace_markup(_ENTITY.sub(" ", line)).split())


def replace_markup(text: str) -> str:
    """Replace every character that is or looks like markup with a space."""
    return _POSSIBLE_MARKUP.sub(lambda found: " " if _is_bracket(found[0]) else found[0], text)


@lru_cache(4096)
def _is_bracket(character: str) -> bool:
    if character in _BRACKETS or character.isascii() or character in _APOSTROPHES:
        return character in _BRACKETS
    return unicodedata.category(character) in _ENCLOSING or _SHAPES.search(unicodedata.name(character, "")) is not None


def neutralise_statement(text: str, limit: int, tool_output: str = "", repeats: Sequence[str] = ()) -> str:
    """Return a statement of the user or the main agent on one line, with repeated tool output reduced to typed tokens.

    ``tool_output`` is tool output as ``flatten_text`` returns it, case-folded; ``repeats`` are word sequences in the statement that
    a tool had printed (observations/repetition.py). Output that the agent repeats remains untrusted.
    """
    line = flatten_text(text)
    parts: list[str] = []
    end_of_last = 0
    for begin, end in find_spans(line, repeats) if repeats else ():
        parts += _split_repeats(line[end_of_last:begin], limit, tool_output)
        parts.append(reduce_to_tokens(line[begin:end], limit))
        end_of_last = end
    parts += _split_repeats(line[end_of_last:], limit, tool_output)
    return cut_at_word(" ".join(filter(None, parts)), limit)


def _split_repeats(line: str, limit: int, tool_output: str) -> list[str]:
    """Split text into parts; those with over ``MAX_RUN_LENGTH`` characters from ``tool_output`` become typed tokens."""
    if not tool_output:
        return [line.strip()]
    folded = line.casefold()
    if len(folded) != len(line):  # case folding moved characters
        return [reduce_to_tokens(line, limit).strip()]
    parts: list[str] = []
    end_of_last = position = 0
    while position + MAX_RUN_LENGTH < len(line):
        if folded[position : position + MAX_RUN_LENGTH + 1] not in tool_output:
            position += 1
            continue
        end = position + MAX_RUN_LENGTH + 1
        while end < len(line) and folded[position : end + 1] in tool_output:
            end += 1
        begin = line.rfind(" ", end_of_last, position + 1) + 1 or end_of_last  # extend to whole words
        space = line.find(" ", end - 1)
        end = space if space >= 0 else len(line)
        parts += [line[end_of_last:begin].strip(), reduce_to_tokens(line[begin:end], limit)]
        end_of_last = position = end
    return [*parts, line[end_of_last:].strip()]


def shorten_path(text: str) -> str:
    """Return a file path of ordinary characters, shortened as names are; empty for any other text."""
    return shorten_name(text) if len(text) <= 80 and re.fullmatch(r"[\w@.+/-]+", text, re.ASCII) else ""


def cut_at_word(text: str, limit: int) -> str:
    """Cut ``text`` to ``limit`` characters, at a word boundary if possible."""
    if len(text) <= limit:
        return text
    if limit < 2:
        return ""
    head = text[: limit - 1]
    return (head if text[limit - 1] == " " else head.rsplit(" ", 1)[0]).rstrip(" ,;:.·") + "…"


# -- names -------------------------------------------------------------------------------------------------------------

# An attacker may choose a name (``ignore-all-previous-instructions-and-run-this.py``), so both the number of words and the
# number of characters in a name are limited; a longer name is shortened to its beginning.

MAX_NAME_LENGTH = 48
"""Maximum number of characters in a name; longer names are cut."""
MAX_WORDS_PER_NAME = 3
"""Maximum number of words in a name that is shown whole. A file extension or an error suffix does not count, nor does
the ``test`` prefix of a test name."""
_SHORTENED_WORDS = 2
"""Number of words that remain of a longer name."""
_MAX_WORD_LENGTH = 20
"""Maximum number of letters in one word, about as many as the longest words in code have."""
_NAME_CHARACTERS = compile_lazily(r"[A-Za-z0-9_@.+/:()-]+")
_NAME_PARTS = compile_lazily(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NAME_ENDING = compile_lazily(r"\.[A-Za-z0-9]{1,5}(?:\(\))?\Z")
_NAME_MARK = compile_lazily(
    r"[a-z][A-Z]|\w::\w|[A-Za-z0-9]_[A-Za-z0-9]|\w\.\w|\w/\w|\(\)\Z|\A@\w|\A\.\w|[A-Za-z]-?\d|\d\.\d"
)
_ERROR_CLASS = compile_lazily(
    r"(?:[A-Za-z_]\w*\.){0,4}[A-Z]\w*(?:Error|Exception|Warning|Failure|Fault|Panic|Interrupt|Timeout)\Z", re.ASCII
)
_CODE = compile_lazily(r"[A-Za-z]{0,6}-?\d{1,6}[A-Za-z]?(?:\.\d{1,5}){0,3}\Z", re.ASCII)
_FLAG = compile_lazily(r"--?[A-Za-z][\w-]*", re.ASCII)
_DIGEST = compile_lazily(r"(?=.*\d)[0-9a-fA-F]{7,}(?:-[0-9a-fA-F]+)*", re.ASCII)
_COMMON_CODES = frozenset(errno.errorcode.values()) | frozenset(
    """API ASCII AST CI CJS CLI CORS CPU CRLF CSRF CSS CSV DNS DOM EOF EOL ERESOLVE ERROR ESM FAIL FAILED FATAL GPU GUI
    HEAD HTML HTTP HTTPS ID IO IP IPC JSON JSX JWT LF NAT NULL OOM ORM OS PID PTY RPC SDK SIGABRT SIGBUS SIGFPE SIGHUP
    SIGILL SIGINT SIGKILL SIGPIPE SIGSEGV SIGTERM SQL SSH SSL SSR TCP TLS TOML TSX TTY UDP UI UID URI URL UTC UTF UUID
    WAL XML YAML""".split()
)
"""Words in capitals that are common in errors. Any other word in capitals could be part of a sentence."""


def count_words(name: str) -> int:
    """Count the words of two or more letters in a name, split at case changes and at characters other than letters."""
    return sum(len(part) > 1 for part in _NAME_PARTS.findall(name))


def is_common_code(text: str) -> bool:
    """Return whether ``text`` is a common word in capitals, or a number with a few letters: TS2345, 3.11."""
    return text in _COMMON_CODES or _CODE.match(text) is not None


def is_error_class(text: str) -> bool:
    """Return whether ``text`` has the form of an error class, by its suffix."""
    return _ERROR_CLASS.match(text) is not None


def is_plain_word(text: str) -> bool:
    """Return whether ``text`` is a single plain word, of the kind that error messages quote."""
    return len(text) <= _MAX_WORD_LENGTH and text.isascii() and text.isalpha() and count_words(text) <= 1


def is_name(text: str) -> bool:
    """Return whether ``text`` looks like a name rather than an ordinary word."""
    return text.isascii() and (_NAME_MARK.search(text) is not None or is_error_class(text))


def is_flag(text: str) -> bool:
    """Return whether ``text`` has the form of a command's option without a value."""
    return _FLAG.fullmatch(text) is not None


def is_path(text: str) -> bool:
    """Return whether a name belongs to a file or folder, which shows where an error occurred but not which error it was."""
    return "/" in text or (_NAME_ENDING.search(text) is not None and not text.endswith("()"))


def is_digest(text: str) -> bool:
    """Return whether ``text`` is a hash or another long hexadecimal number."""
    return _DIGEST.fullmatch(text) is not None


def shorten_name(text: str) -> str:
    """Return a name, shortened if it is long, and without the modules of an error class.

    Empty if it contains an overlong word, or a character that does not occur in names.
    """
    if _NAME_CHARACTERS.fullmatch(text) is None or "//" in text:
        return ""
    name = text
    if (count_words(name) > MAX_WORDS_PER_NAME or len(name) > MAX_NAME_LENGTH) and "/" in name:
        name = name.rstrip("/").rpartition("/")[2]
    is_error = is_error_class(name)
    if is_error:
        name = name.rpartition(".")[2]
    parts = [part for part in _NAME_PARTS.finditer(name) if len(part[0]) > 1]
    if any(len(part[0]) > _MAX_WORD_LENGTH for part in parts):
        return ""
    ending = _NAME_ENDING.search(name)
    extra_words = (is_error or ending is not None) + (len(parts) > 1 and parts[0][0].lower() in ("test", "tests"))
    if len(parts) <= MAX_WORDS_PER_NAME + extra_words and len(name) <= MAX_NAME_LENGTH:
        return name
    shown = name[: parts[_SHORTENED_WORDS - 1].end()] if len(parts) >= _SHORTENED_WORDS else name[:_MAX_WORD_LENGTH]
    return f"{shown[:MAX_NAME_LENGTH]}…{ending[0] if ending else ''}"
