"""Recognise names in untrusted text: files, functions, flags, errors and codes.

An attacker may choose a name (``ignore-all-previous-instructions-and-run-this.py``), so both the number of words and the
number of characters in a name are limited; a longer name is shortened to its beginning.
"""

from __future__ import annotations

import errno
import re

from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_NAME_LENGTH = 48
"""Maximum number of characters in a name; longer names are cut."""
MAX_WORDS = 3
"""Maximum number of words in a name that is shown whole. A file extension or an error suffix does not count, nor does
the ``test`` prefix of a test name."""
_SHORTENED_WORDS = 2
"""Number of words that remain of a longer name."""
_MAX_WORD_LENGTH = 20
"""Maximum number of letters in one word, about as many as the longest words in code have."""
_ALLOWED = compile_lazily(r"[A-Za-z0-9_@.+/:()-]+")
_PARTS = compile_lazily(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_ENDING = compile_lazily(r"\.[A-Za-z0-9]{1,5}(?:\(\))?\Z")
_NAME_MARK = compile_lazily(
    r"[a-z][A-Z]|\w::\w|[A-Za-z0-9]_[A-Za-z0-9]|\w\.\w|\w/\w|\(\)\Z|\A@\w|\A\.\w|[A-Za-z]-?\d|\d\.\d"
)
_ERROR = compile_lazily(
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
    return sum(len(part) > 1 for part in _PARTS.findall(name))


def is_common_code(text: str) -> bool:
    """Return whether ``text`` is a common word in capitals, or a number with a few letters: TS2345, 3.11."""
    return text in _COMMON_CODES or _CODE.match(text) is not None


def is_error_class(text: str) -> bool:
    """Return whether ``text`` has the form of an error class, by its suffix."""
    return _ERROR.match(text) is not None


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
    return "/" in text or (_ENDING.search(text) is not None and not text.endswith("()"))


def is_digest(text: str) -> bool:
    """Return whether ``text`` is a hash or another long hexadecimal number."""
    return _DIGEST.fullmatch(text) is not None


def shorten_name(text: str) -> str:
    """Return a name, shortened if it is long, and without the modules of an error class.

    Empty if it contains an overlong word, or a character that does not occur in names.
    """
    if _ALLOWED.fullmatch(text) is None or "//" in text:
        return ""
    name = text
    if (count_words(name) > MAX_WORDS or len(name) > MAX_NAME_LENGTH) and "/" in name:
        name = name.rstrip("/").rpartition("/")[2]
    is_error = is_error_class(name)
    if is_error:
        name = name.rpartition(".")[2]
    parts = [part for part in _PARTS.finditer(name) if len(part[0]) > 1]
    if any(len(part[0]) > _MAX_WORD_LENGTH for part in parts):
        return ""
    ending = _ENDING.search(name)
    extra_words = (is_error or ending is not None) + (len(parts) > 1 and parts[0][0].lower() in ("test", "tests"))
    if len(parts) <= MAX_WORDS + extra_words and len(name) <= MAX_NAME_LENGTH:
        return name
    shown = name[: parts[_SHORTENED_WORDS - 1].end()] if len(parts) >= _SHORTENED_WORDS else name[:_MAX_WORD_LENGTH]
    return f"{shown[:MAX_NAME_LENGTH]}…{ending[0] if ending else ''}"
