"""What of a match is secret, if anything: of an address, a header, a cookie, the argument of a program."""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from collections.abc import Iterator
from re import Match

from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.values import (
    end_of_bare,
    end_of_quoted,
    generated,
    in_words,
    is_placeholder,
    is_reference,
)

Part = tuple[int, int]
"""Where a secret begins and ends."""


def whole(match: Match[str]) -> Iterator[Part]:
    """The group ``s``, as it is."""
    yield match.span("s")


def each_group(match: Match[str]) -> Iterator[Part]:
    """The groups that matched."""
    yield from (match.span(group) for group, value in match.groupdict().items() if value)


def if_opaque(match: Match[str]) -> Iterator[Part]:
    """A part of a path that is no word: an id of 16 characters or more, or letters of both cases and digits."""
    value = match["s"]
    cased = value.lower() != value != value.upper()
    if sum(map(str.isdigit, value)) > 1 and (len(value) >= 16 or cased) and not in_words(value):
        yield match.span("s")


_USUAL = frozenset({"pass", "password", "passwd", "pwd", "token", "secret"})
_PORT = compile_later(r"[0-9]{1,5}(?:[/\"']|\Z)")


def if_no_word(match: Match[str]) -> Iterator[Part]:
    """What follows ``Bearer``, if it is no word."""
    if not match["s"].isalpha() and any(map(str.isdigit, match["s"])):
        yield match.span("s")


_SCHEMES = frozenset({"basic", "bearer", "token", "apikey", "digest", "bot", "ssws", "geniekey"})


def of_header(match: Match[str]) -> Iterator[Part]:
    """The value of an Authorization header; under a scheme that is not known only what was surely generated."""
    scheme, value = (match["scheme"] or "").strip().lower(), match["s"]
    known = scheme in _SCHEMES and not value.isalpha() and any(map(str.isdigit, value))
    if known or (
        len(value) >= 16
        and value.count("-") < 5
        and sum(map(str.isdigit, value)) > 1
        and not in_words(value)
        and generated(value)
    ):
        yield match.span("s")


def of_address(match: Match[str]) -> Iterator[Part]:
    value = match["s"]
    if not (is_placeholder(value) or value.lower() in _USUAL or _PORT.match(value)) or value.isdigit():
        yield match.span("s")


def before_host(match: Match[str]) -> Iterator[Part]:
    if sum(map(str.isdigit, match["s"])) > 1 and generated(match["s"]):
        yield match.span("s")


def _to_its_end(match: Match[str]) -> Part:
    """The value that begins where ``s`` does, to its quotation mark, which ``q`` holds if there is one, or to a blank."""
    text, at = match.string, match.start("s")
    if (opened := match.start("q")) >= 0:
        quoted = end_of_quoted(text, opened)
        if quoted is not None:
            return at, max(at, quoted[1])
    return at, end_of_bare(text, at, match.start())


def as_given(match: Match[str]) -> Iterator[Part]:
    """What a program is given as the password, unless it is a number, a variable or a path."""
    start, stop = _to_its_end(match)
    value = match.string[start:stop]
    plain = (
        value.isdigit() or value.lower() in _USUAL or is_placeholder(value) or value.startswith(("/", "./", "~/", "-"))
    )
    if len(value) > 2 and (not plain or (value[0] in "/-~" and not in_words(value) and generated(value))):
        yield start, stop


_TAKES_PASSWORD = (
    compile_later(r"\b(?:mysql(?:dump|admin)?|mariadb|mongosh?|sshpass)\b"),
    compile_later(r"\b(?:redis-cli|mongosh?|sshpass|(?:docker|podman|registry) login)\b"),
)
"""Programs that take a password right behind ``-p``, and such that take it behind a blank."""
_REACH = 240


def as_argument(match: Match[str]) -> Iterator[Part]:
    """``-p`` and ``-a`` give a password to few programs only: the command that they stand in must be one of those."""
    line = match.string[max(0, match.start() - _REACH) : match.start()]
    command = re.split(r"[|;&\n]", line)[-1]
    if _TAKES_PASSWORD[bool(match["blank"] or match["also"])].search(command):
        yield from (part for part in as_given(match) if part[1] - part[0] > 5)


_VALUE = compile_later(r"=([^\s;,\"'\\]{12,})")


def in_cookies(match: Match[str]) -> Iterator[Part]:
    """The values in a line of cookies that were generated."""
    for one in _VALUE.finditer(match.string, *match.span("s")):
        if not is_reference(one[1][:64]) and not in_words(one[1][:64]) and generated(one[1]):
            yield one.span(1)


def if_generated(match: Match[str]) -> Iterator[Part]:
    value = match["s"]
    if not is_reference(value[:64]) and not in_words(value[:64]) and generated(value):
        yield match.span("s")


def if_no_reference(match: Match[str]) -> Iterator[Part]:
    if not is_reference(match["s"]):
        yield match.span("s")


def _encoded(text: str) -> str:
    """What base64 holds, if that is text without control characters."""
    try:
        told = a2b_base64(text, strict_mode=True).decode()
    except (Error, ValueError):
        return ""
    return told if told.isprintable() else ""


def user_and_password(match: Match[str]) -> Iterator[Part]:
    if ":" in _encoded(match["s"]):
        yield match.span("s")


def of_kubernetes(match: Match[str]) -> Iterator[Part]:
    if _encoded(match["s"]):
        yield match.span("s")


_TAKES_STDIN = compile_later(
    r"['\"]?\s{0,3}\|[^|\n]{0,120}(?:--password-stdin|chpasswd|--with-token|\b(?:sudo -S|passwd --stdin|kinit\b|su\b))"
)


def as_piped(match: Match[str]) -> Iterator[Part]:
    """What is written to a program that reads a password."""
    for start, stop in as_given(match):
        if _TAKES_STDIN.match(match.string, stop):
            yield start, stop
