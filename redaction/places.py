"""Secrets that only their place gives away: a password in an address, what follows ``Bearer``, a signature in a query.

To recognise another place, add a row to ``PLACES``; what of a match is secret, if anything, is the row's ``parts``.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from collections.abc import Callable, Iterator
from re import Match
from typing import NamedTuple

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


class Place(NamedTuple):
    """``hints``: texts in lower case of which every match holds at least one; ``parts`` gives what of a match is secret.

    ``needs``: further texts of which every text with a match holds at least one, where the hints are too common. ``kind`` is
    what the mark says.
    """

    name: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    parts: Callable[[Match[str]], Iterator[Part]]
    needs: tuple[str, ...]
    kind: str


def _place(
    name: str,
    hints: str | tuple[str, ...],
    pattern: str,
    *,
    parts: Callable[[Match[str]], Iterator[Part]] = whole,
    needs: str | tuple[str, ...] = "",
    kind: str = "",
) -> Place:
    hints, needs = (each if isinstance(each, tuple) else (each,) for each in (hints, needs))
    return Place(name, hints, compile_later(pattern), parts, needs, kind or name)


_Q = r"(?P<q>[\"'])?"

PLACES: tuple[Place, ...] = (
    _place(
        "slack-webhook",
        "://",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[A-Za-z0-9/_-]{20,})",
        needs="hooks.slack.com/",
    ),
    _place(
        "bearer",
        "earer ",
        r"(?:bearer|Bearer)(?<![A-Za-z0-9_]......)\s{1,3}(?P<s>[A-Za-z0-9._~+/=-]{12,})",
        parts=if_no_word,
    ),
    _place(
        "authorization",
        "auth",
        r"(?:uthorization|UTHORIZATION)\\{0,3}['\"]?\s{0,2}[:=]\s{0,2}\\{0,3}['\"]?"
        r"(?P<scheme>[A-Za-z][A-Za-z0-9-]{0,19}\s{1,3})?(?P<s>[A-Za-z0-9._~+/=-]{8,})",
        parts=of_header,
        needs="authorization",
        kind="bearer",
    ),
    _place("cookie", "ookie", r"ookie['\"]?:\s{0,2}(?P<s>[^\n]{16,65536})", parts=in_cookies),
    _place(
        "cookie-given",
        "curl",
        r"\s(?:-b|--cookie)[ =]?(?P<s>[^\n]{16,4096})",
        parts=in_cookies,
        needs=(" -b", "--cookie"),
        kind="cookie",
    ),
    _place(
        "cookie-jar",
        "\t",
        r"\t(?:TRUE|FALSE)\t[0-9]{1,13}\t[^\t\n]{1,200}\t(?P<s>[^\s]{8,})",
        parts=if_generated,
        needs=("\ttrue\t", "\tfalse\t"),
        kind="cookie",
    ),
    _place(
        "url-password",
        "://",
        r"://(?:[^\s:/@'\"<>()\\]{0,80}):(?P<s>[^\s/]{1,300})@(?=[\w\[$<{%.*-])",
        parts=of_address,
        needs="@",
        kind="password",
    ),
    _place("url-token", "://", r"://(?P<s>[A-Za-z0-9_-]{20,200})@", parts=before_host, needs="@", kind="token"),
    _place(
        "curl-user",
        "curl",
        rf"\s(?:-u|-U|--user|--proxy-user)[ =]?{_Q}[A-Za-z0-9._@+-]{{1,80}}:(?P<s>(?=\S))",
        parts=as_given,
        needs=("-u", "--proxy-u"),
        kind="password",
    ),
    _place(
        "database-password",
        (" -p", " -a"),
        rf"-(?<=\s-)(?:p(?P<blank> )?|a(?P<also> )) ?{_Q}(?P<s>(?=[^\s]))",
        parts=as_argument,
        needs=("mysql", "mariadb", "mongo", "sshpass", "redis-cli", "login"),
        kind="password",
    ),
    _place(
        "user-and-password",
        "auth",
        r"(?:auth ?= ?|BasicAuth)\(\s?[\"'][^\"'\n]{1,80}[\"'],\s?(?P<q>[\"'])(?P<s>(?=.))",
        parts=as_given,
        needs=("auth=(", "auth = (", "basicauth("),
        kind="password",
    ),
    _place(
        "identified-by",
        "identified ",
        r"(?i:identified (?:with \S{1,60} )?(?:by|as) (?:password )?)(?P<q>[\"'])(?P<s>(?=.))",
        parts=as_given,
        kind="password",
    ),
    _place(
        "htpasswd",
        "htpasswd ",
        rf"htpasswd (?:-\w{{1,20}} ){{1,6}}\S{{1,200}} \S{{1,80}} {_Q}(?P<s>(?=\S))",
        parts=as_given,
        kind="password",
    ),
    _place(
        "oracle-login",
        "@",
        r"(?:sqlplus\s(?:-\w{1,20}\s){0,6}|oracle:thin:)[\"']?[\w$.]{1,60}/(?P<s>[^\s/]{3,200})@",
        parts=if_no_reference,
        needs=("sqlplus", "oracle:thin:"),
        kind="password",
    ),
    _place(
        "pgpass",
        (":5432:", "*"),
        r"(?:\A|(?<=\n))[^\s:]{1,100}:(?:[0-9]{1,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:(?P<s>[^\s:]\S{3,200})",
        parts=if_no_reference,
        needs=(":5432:", ":*:"),
        kind="password",
    ),
    _place(
        "docker-auth",
        "auth",
        r"auth\\{0,3}\"\s?:\s?\\{0,3}\"(?P<s>[A-Za-z0-9+/]{8,}={0,2})(?=\\{0,3}\")",
        parts=user_and_password,
        needs=('auth"', "auth\\"),
        kind="password",
    ),
    _place(
        "kubernetes-secret",
        "secret",
        r"\n[ \t]{1,20}[\w./-]{1,100}: [\"']?(?P<s>[A-Za-z0-9+/]{8,}={0,2})(?=[\"']?[ \t]*(?:\n|\Z))",
        parts=of_kubernetes,
        needs="kind: secret",
        kind="secret",
    ),
    _place(
        "password-piped",
        "|",
        rf"\b(?:echo|printf) (?:-n |%s )?{_Q}(?:[a-z_][\w-]{{0,30}}:)?(?P<s>(?=\S))",
        parts=as_piped,
        needs=("-stdin", "chpasswd", "--with-token", "sudo -s", "kinit", "| su "),
        kind="password",
    ),
    _place("telegram-token", ":aa", r":(?P<s>AA(?<=[0-9]{8}:AA)[A-Za-z0-9_-]{32,34})"),
    _place("azure-secret", "~", r"(?P<s>[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,40})", needs="q~"),
    _place(
        "signed-url",
        "://",
        r"[?&;][A-Za-z-]{0,20}(?:[Ss]ig|[Ss]ignature)=(?P<s>[A-Za-z0-9%+/=_~-]{30,})",
        needs=("sig=", "signature="),
        kind="signature",
    ),
    _place(
        "parameter",
        "://",
        r"[?&](?:key|code|k|auth|sid|session)=(?P<s>[A-Za-z0-9_-]{20,200})(?![\w-])",
        parts=if_opaque,
        needs=("key=", "code=", "?k=", "&k=", "auth=", "sid=", "session="),
        kind="token",
    ),
    _place(
        "link",
        "://",
        r"/(?:[\w-]{0,20}(?:invit|reset|magic|verif|confirm|activat|hooks?|webhook|share)[\w-]{0,20}|hooks/catch/\d{1,12}|with/key)/"
        r"(?P<s>[A-Za-z0-9/_-]{8,200})(?![\w.-])",
        parts=if_opaque,
        needs=("invit", "reset", "magic", "verif", "confirm", "activat", "hook", "share/", "/key/"),
        kind="token",
    ),
    _place(
        "password-hash",
        "$",
        r"(?P<s>\$(?:2[abxy]|1|5|6|7|y|gy|P|H|S|apr1|scrypt|argon2(?:id|i|d)|pbkdf2[\w-]{0,12})\$[A-Za-z0-9./$=,+]{22,200})",
    ),
    _place(
        "framework-hash",
        "$",
        r"(?:[a-z0-9_]{3,20}\$[0-9]{1,9}|scrypt(?::[0-9]{1,9}){1,3})\$(?P<s>[A-Za-z0-9./+_-]{4,64}\$[A-Za-z0-9./+=_-]{20,200})"
        r"|SCRAM-SHA-[0-9]{1,3}\$[0-9]{1,9}:(?P<t>[A-Za-z0-9+/=:$]{40,300})",
        parts=each_group,
        needs=("pbkdf2_", "scrypt", "scram-sha-", "sha1$", "sha256$", "md5$"),
        kind="password-hash",
    ),
    _place(
        "directory-hash",
        "}",
        r"\{(?:S?SHA|S?MD5|SSHA[0-9]{3}|CRYPT|PBKDF2[\w-]{0,10})\}(?P<s>[A-Za-z0-9+/=$.]{16,200})",
        kind="password-hash",
    ),
    _place("windows-hash", ":::", r":[0-9a-fA-F]{32}:(?P<s>[0-9a-fA-F]{32}):::", kind="password-hash"),
    _place("postgres-hash", "md5", r"md5(?<![A-Za-z0-9]md5)(?P<s>[0-9a-f]{32})(?![A-Za-z0-9])", kind="password-hash"),
    _place("mysql-hash", "*", r"\*(?<![\w*]\*)(?P<s>[0-9A-F]{40})(?![\w*])", kind="password-hash"),
    _place(
        "digest",
        "auth",
        r"uthorization\\{0,3}['\"]?\s{0,2}[:=]\s{0,2}(?:Digest|AWS4-HMAC-SHA256) "
        r"[^\n]{0,400}?(?:response|Signature)=\\{0,3}\"?(?P<s>[0-9a-f]{32,64})",
        needs=("digest ", "aws4-"),
        kind="signature",
    ),
    _place(
        "jwk", "kty", r"\\?\"(?:d|p|q|dp|dq|qi|k)\\?\"\s{0,2}:\s{0,2}\\?\"(?P<s>[A-Za-z0-9_-]{20,})", kind="private-key"
    ),
    _place(
        "seed-phrase",
        ("mnemonic", "phrase"),
        r"(?i:(?:mnemonic|(?:seed|recovery)[ _-]?phrase)['\"]?(?:\s{0,2}[:=]|\s)\s{0,2}['\"]?)(?P<s>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b",
    ),
    _place(
        "putty-key",
        "private-lines:",
        r"Private-Lines: \d{1,3}\r?\n(?P<s>(?:[A-Za-z0-9+/=]{4,80}+\r?\n?)+)",
        kind="private-key",
    ),
)
