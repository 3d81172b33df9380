"""Secrets that only their place gives away: a password in an address, what follows ``Bearer``, a signature in a query."""

from __future__ import annotations

import re
from re import Match

from mind_skills.observations.issuers import Rule, mark
from mind_skills.observations.later import Later

_NUMBERED = re.compile(r"[A-Za-z][A-Za-z_.-]*[0-9]{1,4}\Z")
_PLACEHOLDER = re.compile(
    r"\$|\{|<|%(?![0-9A-Fa-f]{2})|\*{2,}|x{3,}\Z|\.{3}|\[redacted"
    r"|(?:your|my|some|the|example|dummy)[_-]?(?:password|pass|token|secret)\b",
    re.IGNORECASE,
)
_USUAL = frozenset({"pass", "password", "passwd", "pwd", "token", "secret"})


def generated(value: str) -> bool:
    """Whether a generator made it: letters with at least two digits, and no name with a number behind it."""
    if sum(c.isdigit() for c in value) < 2 or not any(c.isalpha() for c in value):
        return False
    return _NUMBERED.match(value) is None


def _bearer(match: Match[str]) -> str:
    value = match[2]
    if value.isalpha() or not any(c.isdigit() for c in value):
        return match[0]
    return match[1] + mark("bearer")


def _header(match: Match[str]) -> str:
    """The value of an Authorization header; under a scheme that is not known only what was surely generated."""
    before, scheme, value = match[1], match[2] or "", match[3]
    known = scheme.strip().lower() in _SCHEMES and not value.isalpha() and any(c.isdigit() for c in value)
    return before + scheme + mark("bearer") if known or (len(value) >= 16 and generated(value)) else match[0]


_SCHEMES = frozenset({"basic", "bearer", "token", "apikey", "digest", "bot", "ssws", "geniekey"})


def _url(match: Match[str]) -> str:
    user, password = match[1], match[2]
    if _PLACEHOLDER.match(password) or password.lower() in _USUAL:
        return match[0]
    return f"://{user}:{mark('password')}@"


def _alone(match: Match[str]) -> str:
    return f"://{mark('token')}@" if generated(match[1]) else match[0]


def _given(match: Match[str]) -> str:
    """What a command line gives a program as the password, unless it is a number, a variable or a path."""
    value = match[2]
    plain = (
        value.isdigit()
        or value.lower() in _USUAL
        or _PLACEHOLDER.match(value)
        or value.startswith(("/", "./", "~", "-"))
    )
    return match[0] if plain else match[1] + mark("password")


_TAKES_PASSWORD = (
    re.compile(r"\b(?:mysql(?:dump|admin)?|mariadb|mongosh?|sshpass)\b"),
    re.compile(r"\b(?:redis-cli|mongosh?|sshpass|(?:docker|podman|registry) login)\b"),
)
"""Programs that take a password right behind ``-p``, and such that take it behind a blank."""
_REACH = 240


def _argument(match: Match[str]) -> str:
    """``-p`` and ``-a`` give a password to few programs only: the command that they stand in must be one of those."""
    line = match.string[max(0, match.start() - _REACH) : match.start()]
    command = re.split(r"[|;&\n]", line)[-1]
    return _given(match) if _TAKES_PASSWORD[match[1][2:3] == " "].search(command) else match[0]


def _cookie(match: Match[str]) -> str:
    return match[1] + _VALUE.sub(lambda one: one[1] + mark("cookie") if generated(one[2]) else one[0], match[2])


_VALUE = re.compile(r"([=])([A-Za-z0-9._~+/%-]{16,})")


CONTEXTS: tuple[Rule, ...] = (
    Rule(
        "slack-webhook",
        ("://",),
        Later(r"(hooks\.slack\.com/(?:services|workflows|triggers)/)[A-Za-z0-9/_-]{20,}"),
        r"\1" + mark("slack-webhook"),
        ("hooks.slack.com/",),
    ),
    Rule(
        "discord-webhook",
        ("://",),
        Later(r"(/api/webhooks/\d{5,25}/)[A-Za-z0-9_-]{30,}"),
        r"\1" + mark("discord-webhook"),
        ("/api/webhooks/",),
    ),
    Rule(
        "teams-webhook",
        ("://",),
        Later(r"(/IncomingWebhook/)[A-Za-z0-9/_-]{30,}"),
        r"\1" + mark("teams-webhook"),
        ("/IncomingWebhook/",),
    ),
    Rule(
        "bearer",
        ("earer ",),
        Later(r"((?:bearer|Bearer)(?<![A-Za-z0-9_]......)\s{1,3})([A-Za-z0-9._~+/=-]{12,})"),
        _bearer,
    ),
    Rule(
        "authorization",
        ("uthorization", "UTHORIZATION"),
        Later(
            r"((?:uthorization|UTHORIZATION)\\{0,3}['\"]?\s{0,2}[:=]\s{0,2}\\{0,3}['\"]?)"
            r"([A-Za-z][A-Za-z0-9-]{0,19}\s{1,3})?([A-Za-z0-9._~+/=-]{8,})"
        ),
        _header,
    ),
    Rule("cookie", ("ookie",), Later(r"(ookie['\"]?:\s{0,2})([^\n]{16,65536})"), _cookie),
    Rule("url-password", ("://",), Later(r"://([^\s:/@'\"<>()\\]{0,80}):([^\s/@'\"<>\\]{1,300})@"), _url, ("@",)),
    Rule("url-token", ("://",), Later(r"://([A-Za-z0-9_-]{20,200})@"), _alone, ("@",)),
    Rule(
        "curl-user",
        ("curl",),
        Later(r"(\s(?:-u|--user)[ =]?['\"]?[A-Za-z0-9._@+-]{1,80}:)([^\s'\"@:]{3,200})"),
        _given,
        ("-u",),
    ),
    Rule(
        "database-password",
        (" -p", " -a"),
        Later(r"(-(?<=\s-)(?:p|a ) ?['\"]?)([^\s'\"|;&]{6,200})"),
        _argument,
        ("mysql", "mariadb", "mongo", "sshpass", "redis-cli", "login"),
    ),
    Rule("telegram-token", (":AA",), Later(r":AA(?<=[0-9]{8}:AA)[A-Za-z0-9_-]{32,34}"), ":" + mark("telegram-token")),
    Rule("azure-secret", ("Q~",), Later(r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,40}"), mark("azure-secret")),
    Rule(
        "azure-signature",
        ("://",),
        Later(r"([?&;]sig=)[A-Za-z0-9%+/=_-]{30,}"),
        r"\1" + mark("signature"),
        ("sig=",),
    ),
    Rule(
        "signed-url",
        ("://",),
        Later(r"(X-(?:Amz|Goog)-Signature=)[A-Fa-f0-9]{32,}"),
        r"\1" + mark("signature"),
        ("-Signature=",),
    ),
    Rule(
        "password-hash",
        ("$",),
        Later(r"\$(?:2[aby]|5|6|y|apr1|argon2(?:id|i|d))\$[A-Za-z0-9./$=,+]{30,200}"),
        mark("password-hash"),
    ),
    Rule(
        "jwk",
        ("kty",),
        Later(r"(\\?\"(?:d|p|q|dp|dq|qi|k)\\?\"\s{0,2}:\s{0,2}\\?\")[A-Za-z0-9_-]{20,}"),
        r"\1" + mark("private-key"),
    ),
    Rule(
        "seed-phrase",
        ("nemonic", "NEMONIC", "phrase"),
        Later(
            r"(?i:((?:mnemonic|(?:seed|recovery)[ _-]?phrase)['\"]?\s{0,2}[:=]\s{0,2}['\"]?))(?:[a-z]{3,8} ){11,23}[a-z]{3,8}\b"
        ),
        r"\1" + mark("seed-phrase"),
    ),
    Rule(
        "putty-key",
        ("Private-Lines:",),
        Later(r"(Private-Lines: \d{1,3}\r?\n)(?:[A-Za-z0-9+/=]{4,80}+\r?\n?)+"),
        r"\1" + mark("private-key") + "\n",
    ),
)
