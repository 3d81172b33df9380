"""Secrets that only their place gives away: a password in an address, what follows ``Bearer``, a signature in a query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from re import Match
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.place_matches import (
    Part,
    as_argument,
    as_given,
    as_piped,
    before_host,
    each_group,
    if_generated,
    if_no_reference,
    if_no_word,
    if_opaque,
    in_cookies,
    of_address,
    of_header,
    of_kubernetes,
    user_and_password,
    whole,
)


class Place(NamedTuple):
    """``hints``: characters, in small letters, of which every match holds at least one; ``parts`` gives what of a match is secret.

    ``needs``: further characters of which every text with a match holds at least one, where the hints are too common.
    """

    name: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    parts: Callable[[Match[str]], Iterator[Part]] = whole
    needs: tuple[str, ...] = ("",)
    kind: str = ""
    """What the mark says, where it is not the name."""


_Q = r"(?P<q>[\"'])?"


CONTEXTS: tuple[Place, ...] = (
    Place(
        "slack-webhook",
        ("://",),
        compile_later(r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[A-Za-z0-9/_-]{20,})"),
        needs=("hooks.slack.com/",),
    ),
    Place(
        "bearer",
        ("earer ",),
        compile_later(r"(?:bearer|Bearer)(?<![A-Za-z0-9_]......)\s{1,3}(?P<s>[A-Za-z0-9._~+/=-]{12,})"),
        if_no_word,
    ),
    Place(
        "authorization",
        ("auth",),
        compile_later(
            r"(?:uthorization|UTHORIZATION)\\{0,3}['\"]?\s{0,2}[:=]\s{0,2}\\{0,3}['\"]?"
            r"(?P<scheme>[A-Za-z][A-Za-z0-9-]{0,19}\s{1,3})?(?P<s>[A-Za-z0-9._~+/=-]{8,})"
        ),
        of_header,
        ("authorization",),
        "bearer",
    ),
    Place("cookie", ("ookie",), compile_later(r"ookie['\"]?:\s{0,2}(?P<s>[^\n]{16,65536})"), in_cookies),
    Place(
        "cookie-given",
        ("curl",),
        compile_later(r"\s(?:-b|--cookie)[ =]?(?P<s>[^\n]{16,4096})"),
        in_cookies,
        (" -b", "--cookie"),
        "cookie",
    ),
    Place(
        "cookie-jar",
        ("\t",),
        compile_later(r"\t(?:TRUE|FALSE)\t[0-9]{1,13}\t[^\t\n]{1,200}\t(?P<s>[^\s]{8,})"),
        if_generated,
        ("\ttrue\t", "\tfalse\t"),
        "cookie",
    ),
    Place(
        "url-password",
        ("://",),
        compile_later(r"://(?:[^\s:/@'\"<>()\\]{0,80}):(?P<s>[^\s/]{1,300})@(?=[\w\[$<{%.*-])"),
        of_address,
        ("@",),
        "password",
    ),
    Place("url-token", ("://",), compile_later(r"://(?P<s>[A-Za-z0-9_-]{20,200})@"), before_host, ("@",), "token"),
    Place(
        "curl-user",
        ("curl",),
        compile_later(rf"\s(?:-u|-U|--user|--proxy-user)[ =]?{_Q}[A-Za-z0-9._@+-]{{1,80}}:(?P<s>(?=\S))"),
        as_given,
        ("-u", "--proxy-u"),
        "password",
    ),
    Place(
        "database-password",
        (" -p", " -a"),
        compile_later(rf"-(?<=\s-)(?:p(?P<blank> )?|a(?P<also> )) ?{_Q}(?P<s>(?=[^\s]))"),
        as_argument,
        ("mysql", "mariadb", "mongo", "sshpass", "redis-cli", "login"),
        "password",
    ),
    Place(
        "user-and-password",
        ("auth",),
        compile_later(r"(?:auth ?= ?|BasicAuth)\(\s?[\"'][^\"'\n]{1,80}[\"'],\s?(?P<q>[\"'])(?P<s>(?=.))"),
        as_given,
        ("auth=(", "auth = (", "basicauth("),
        "password",
    ),
    Place(
        "identified-by",
        ("identified ",),
        compile_later(r"(?i:identified (?:with \S{1,60} )?(?:by|as) (?:password )?)(?P<q>[\"'])(?P<s>(?=.))"),
        as_given,
        kind="password",
    ),
    Place(
        "htpasswd",
        ("htpasswd ",),
        compile_later(rf"htpasswd (?:-\w{{1,20}} ){{1,6}}\S{{1,200}} \S{{1,80}} {_Q}(?P<s>(?=\S))"),
        as_given,
        kind="password",
    ),
    Place(
        "oracle-login",
        ("@",),
        compile_later(r"(?:sqlplus\s(?:-\w{1,20}\s){0,6}|oracle:thin:)[\"']?[\w$.]{1,60}/(?P<s>[^\s/]{3,200})@"),
        if_no_reference,
        ("sqlplus", "oracle:thin:"),
        "password",
    ),
    Place(
        "pgpass",
        (":5432:", "*"),
        compile_later(
            r"(?:\A|(?<=\n))[^\s:]{1,100}:(?:[0-9]{1,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:(?P<s>[^\s:]\S{3,200})"
        ),
        if_no_reference,
        (":5432:", ":*:"),
        "password",
    ),
    Place(
        "docker-auth",
        ("auth",),
        compile_later(r"auth\\{0,3}\"\s?:\s?\\{0,3}\"(?P<s>[A-Za-z0-9+/]{8,}={0,2})(?=\\{0,3}\")"),
        user_and_password,
        ('auth"', "auth\\"),
        "password",
    ),
    Place(
        "kubernetes-secret",
        ("secret",),
        compile_later(r"\n[ \t]{1,20}[\w./-]{1,100}: [\"']?(?P<s>[A-Za-z0-9+/]{8,}={0,2})(?=[\"']?[ \t]*(?:\n|\Z))"),
        of_kubernetes,
        ("kind: secret",),
        "secret",
    ),
    Place(
        "password-piped",
        ("|",),
        compile_later(rf"\b(?:echo|printf) (?:-n |%s )?{_Q}(?:[a-z_][\w-]{{0,30}}:)?(?P<s>(?=\S))"),
        as_piped,
        ("-stdin", "chpasswd", "--with-token", "sudo -s", "kinit", "| su "),
        "password",
    ),
    Place("telegram-token", (":aa",), compile_later(r":(?P<s>AA(?<=[0-9]{8}:AA)[A-Za-z0-9_-]{32,34})")),
    Place(
        "azure-secret", ("~",), compile_later(r"(?P<s>[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,40})"), needs=("q~",)
    ),
    Place(
        "signed-url",
        ("://",),
        compile_later(r"[?&;][A-Za-z-]{0,20}(?:[Ss]ig|[Ss]ignature)=(?P<s>[A-Za-z0-9%+/=_~-]{30,})"),
        needs=("sig=", "signature="),
        kind="signature",
    ),
    Place(
        "parameter",
        ("://",),
        compile_later(r"[?&](?:key|code|k|auth|sid|session)=(?P<s>[A-Za-z0-9_-]{20,200})(?![\w-])"),
        if_opaque,
        ("key=", "code=", "?k=", "&k=", "auth=", "sid=", "session="),
        "token",
    ),
    Place(
        "link",
        ("://",),
        compile_later(
            r"/(?:[\w-]{0,20}(?:invit|reset|magic|verif|confirm|activat|hooks?|webhook|share)[\w-]{0,20}|hooks/catch/\d{1,12}|with/key)/"
            r"(?P<s>[A-Za-z0-9/_-]{8,200})(?![\w.-])"
        ),
        if_opaque,
        needs=("invit", "reset", "magic", "verif", "confirm", "activat", "hook", "share/", "/key/"),
        kind="token",
    ),
    Place(
        "password-hash",
        ("$",),
        compile_later(
            r"(?P<s>\$(?:2[abxy]|1|5|6|7|y|gy|P|H|S|apr1|scrypt|argon2(?:id|i|d)|pbkdf2[\w-]{0,12})\$[A-Za-z0-9./$=,+]{22,200})"
        ),
    ),
    Place(
        "framework-hash",
        ("$",),
        compile_later(
            r"(?:[a-z0-9_]{3,20}\$[0-9]{1,9}|scrypt(?::[0-9]{1,9}){1,3})\$(?P<s>[A-Za-z0-9./+_-]{4,64}\$[A-Za-z0-9./+=_-]{20,200})"
            r"|SCRAM-SHA-[0-9]{1,3}\$[0-9]{1,9}:(?P<t>[A-Za-z0-9+/=:$]{40,300})"
        ),
        each_group,
        ("pbkdf2_", "scrypt", "scram-sha-", "sha1$", "sha256$", "md5$"),
        "password-hash",
    ),
    Place(
        "directory-hash",
        ("}",),
        compile_later(r"\{(?:S?SHA|S?MD5|SSHA[0-9]{3}|CRYPT|PBKDF2[\w-]{0,10})\}(?P<s>[A-Za-z0-9+/=$.]{16,200})"),
        kind="password-hash",
    ),
    Place(
        "windows-hash",
        (":::",),
        compile_later(r":[0-9a-fA-F]{32}:(?P<s>[0-9a-fA-F]{32}):::"),
        kind="password-hash",
    ),
    Place(
        "postgres-hash",
        ("md5",),
        compile_later(r"md5(?<![A-Za-z0-9]md5)(?P<s>[0-9a-f]{32})(?![A-Za-z0-9])"),
        kind="password-hash",
    ),
    Place(
        "mysql-hash",
        ("*",),
        compile_later(r"\*(?<![\w*]\*)(?P<s>[0-9A-F]{40})(?![\w*])"),
        kind="password-hash",
    ),
    Place(
        "digest",
        ("auth",),
        compile_later(
            r"uthorization\\{0,3}['\"]?\s{0,2}[:=]\s{0,2}(?:Digest|AWS4-HMAC-SHA256) "
            r"[^\n]{0,400}?(?:response|Signature)=\\{0,3}\"?(?P<s>[0-9a-f]{32,64})"
        ),
        needs=("digest ", "aws4-"),
        kind="signature",
    ),
    Place(
        "jwk",
        ("kty",),
        compile_later(r"\\?\"(?:d|p|q|dp|dq|qi|k)\\?\"\s{0,2}:\s{0,2}\\?\"(?P<s>[A-Za-z0-9_-]{20,})"),
        kind="private-key",
    ),
    Place(
        "seed-phrase",
        ("mnemonic", "phrase"),
        compile_later(
            r"(?i:(?:mnemonic|(?:seed|recovery)[ _-]?phrase)['\"]?(?:\s{0,2}[:=]|\s)\s{0,2}['\"]?)(?P<s>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b"
        ),
    ),
    Place(
        "putty-key",
        ("private-lines:",),
        compile_later(r"Private-Lines: \d{1,3}\r?\n(?P<s>(?:[A-Za-z0-9+/=]{4,80}+\r?\n?)+)"),
        kind="private-key",
    ),
)
