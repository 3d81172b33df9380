"""Secrets leave a text before it is stored, shown or matched.

Each rule has a hint: a few literal characters that every match must hold. A text without any hint, which is nearly every
text, costs a dozen substring searches. A rule runs only where its hint is found, and each is linear: it starts only at
the edge of a word, and what it reads beyond is bounded. Git SHAs, UUIDs, digests, long paths, placeholders and prose
about tokens stay whole: a redaction that mangles the error message is as bad as one that misses the key.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match

from mind_skills.observations.assignments import redact_assignments

_PASSES = 4
"""One replacement may bare the edge of another secret; two passes settle every text seen, four are the bound."""

_E = r"(?![A-Za-z0-9])"

Replace = str | Callable[[Match[str]], str]


def _mark(kind: str) -> str:
    return f"[redacted:{kind}]"


def _openai(match: Match[str]) -> str:
    """``sk-`` keys are mixed letters and digits; ``sk-`` names (packages, CSS classes) are words joined by dashes."""
    body = match[1]
    if body.startswith(("ant-", "proj-", "or-v1-", "svcacct-", "admin-", "None-", "lf-")):
        return _mark("api-key")
    solid = any(len(part) >= 20 for part in re.split("[-_]", body))
    if solid and any(c.isdigit() for c in body) and any(c.isalpha() for c in body):
        return _mark("api-key")
    return match[0]


def _bearer(match: Match[str]) -> str:
    value = match[2]
    if value.isalpha() or not any(c.isdigit() for c in value):
        return match[0]
    return match[1] + _mark("bearer")


_PLACEHOLDER = re.compile(
    r"\$|\{|<|%|\*{2,}|x{3,}\Z|\.{3}|\[redacted|(?:your|my)[_-]?(?:password|pass|token|secret)\b", re.IGNORECASE
)


def _url(match: Match[str]) -> str:
    user, password = match[1], match[2]
    if _PLACEHOLDER.match(password) or password.lower() in {"pass", "password", "pwd", "token", "secret"}:
        return match[0]
    return f"://{user}:{_mark('password')}@"


def _curl(match: Match[str]) -> str:
    return match[0] if match[3].isdigit() or _PLACEHOLDER.match(match[3]) else match[1] + match[2] + _mark("password")


_Rule = tuple[tuple[str, ...], re.Pattern[str], Replace]


def _token(kind: str, prefix: str, body: str, *hints: str, width: int) -> _Rule:
    """A key of one issuer: the prefix is sought literally, and only then is it looked whether it begins a word."""
    edge = rf"(?<![A-Za-z0-9_{'-' if kind in ('sk', 'jwt') else ''}].{{{width}}})"
    return hints, re.compile(prefix + edge + body, re.DOTALL), _openai if kind == "sk" else _mark(kind)


_TOKENS: tuple[_Rule, ...] = (
    _token("aws-key", "A[KSB]IA", r"[A-Z0-9]{16}" + _E, "AKIA", "ASIA", "ABIA", width=4),
    _token("google-key", "AIza", r"[A-Za-z0-9_-]{35}" + _E, "AIza", width=4),
    _token("google-token", r"ya29\.", r"[A-Za-z0-9_-]{20,}", "ya29.", width=5),
    _token("google-secret", "GOCSPX-", r"[A-Za-z0-9_-]{20,}", "GOCSPX-", width=7),
    _token("github-token", "gh[pousr]_", r"[A-Za-z0-9_]{30,}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", width=4),
    _token("github-token", "github_pat_", r"[A-Za-z0-9_]{22,}", "github_pat_", width=11),
    _token("gitlab-token", "gl(?:pat|imt|oas)-", r"[A-Za-z0-9_=.-]{16,}", "glpat-", "glimt-", "gloas-", width=6),
    _token("gitlab-token", "gl(?:dt|rt|ft)-", r"[A-Za-z0-9_=.-]{16,}", "gldt-", "glrt-", "glft-", width=5),
    _token("gitlab-token", "gl(?:cbt|ptt)-", r"[A-Za-z0-9_=.-]{16,}", "glcbt-", "glptt-", width=6),
    _token("gitlab-token", "gl(?:soat|ffct)-", r"[A-Za-z0-9_=.-]{16,}", "glsoat-", "glffct-", width=7),
    _token("gitlab-token", "glagent-", r"[A-Za-z0-9_=.-]{16,}", "glagent-", width=8),
    _token("slack-token", "xox[abceoprs]-", r"[A-Za-z0-9-]{10,}", "xox", width=5),
    _token("slack-token", "xapp-", r"[A-Za-z0-9-]{10,}", "xapp-", width=5),
    _token("stripe-key", "[srp]k_(?:live|test)_", r"[A-Za-z0-9]{10,}", "_live_", "_test_", width=8),
    _token("stripe-secret", "whsec_", r"[A-Za-z0-9+/=]{16,}", "whsec_", width=6),
    _token("npm-token", "npm_", r"[A-Za-z0-9]{36}" + _E, "npm_", width=4),
    _token("pypi-token", "pypi-Ag", r"[A-Za-z0-9_-]{30,}", "pypi-Ag", width=7),
    _token("sk", "sk-", r"([A-Za-z0-9_-]{20,})", "sk-", width=3),
    _token("hugging-face-token", "hf_", r"[A-Za-z0-9]{30,}", "hf_", width=3),
    _token("api-key", "gsk_", r"[A-Za-z0-9]{40,}", "gsk_", width=4),
    _token("api-key", "xai-", r"[A-Za-z0-9]{40,}", "xai-", width=4),
    _token("sendgrid-key", r"SG\.", r"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}", "SG.", width=3),
    _token("digitalocean-token", "do[opr]_v1_", r"[a-f0-9]{40,}", "_v1_", width=7),
    _token("shopify-token", "shp(?:at|ca|pa|ss)_", r"[A-Fa-f0-9]{32}" + _E, "shp", width=6),
    _token("databricks-token", "dapi", r"[a-f0-9]{32}" + _E, "dapi", width=4),
    _token("vault-token", r"hv[sb]\.", r"[A-Za-z0-9_-]{24,}", "hvs.", "hvb.", width=4),
    _token("linear-key", "lin_api_", r"[A-Za-z0-9]{30,}", "lin_api_", width=8),
    _token("age-key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{50,}", "AGE-SECRET-KEY-1", width=16),
    _token("jwt", "eyJ", r"[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,3}", "eyJ", width=3),
)
_RUN = re.compile(r"[A-Za-z0-9_.-]{14,}")
"""What a key looks like from afar: hints are sought in the runs alone, a tenth of a text."""

_TEXTS: tuple[_Rule, ...] = (
    (
        ("hooks.slack.com",),
        re.compile(r"(hooks\.slack\.com/(?:services|workflows|triggers)/)[A-Za-z0-9/_-]{20,}"),
        r"\1" + _mark("slack-webhook"),
    ),
    (("/api/webhooks/",), re.compile(r"(/api/webhooks/\d{5,25}/)[A-Za-z0-9_-]{30,}"), r"\1" + _mark("discord-webhook")),
    (
        ("earer ", "EARER "),
        re.compile(r"((?:bearer|BEARER|Bearer)(?<![A-Za-z0-9_]......)\s{1,3})([A-Za-z0-9._~+/=-]{12,})"),
        _bearer,
    ),
    (
        ("uthorization",),
        re.compile(
            r"(uthorization['\"]?\s{0,2}[:=]\s{0,2}['\"]?(?:[Bb]asic|[Tt]oken|[Aa]pi[Kk]ey)\s{1,3})([A-Za-z0-9._~+/=-]{8,})"
        ),
        _bearer,
    ),
    (("://",), re.compile(r"://([^\s:/@'\"<>()\\]{0,80}):([^\s/@'\"<>\\]{1,300})@"), _url),
    (("curl",), re.compile(r"(\s(?:-u|--user)[ =]?['\"]?)([A-Za-z0-9._@+-]{1,80}:)([^\s'\"@:]{3,200})"), _curl),
)

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY = re.compile(
    r"(?:(?:\\[nr]|[\s\"',>|])*(?:[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{1,80}))*"
)
_BODY = 32
"""Fewer characters of key than this after BEGIN are a mention of the marker, not a key."""


def _key_blocks(text: str) -> str:
    """Replace private key blocks, whole or cut off at either end."""
    begins = list(_BEGIN.finditer(text))
    ends = list(_END.finditer(text))
    parts: list[str] = []
    done = 0
    for at, begin in enumerate(begins):
        limit = begins[at + 1].start() if at + 1 < len(begins) else len(text)
        while ends and ends[0].start() < begin.end():
            ends.pop(0)
        if ends and ends[0].start() < limit:
            body_end, stop = ends[0].start(), ends[0].end()
        else:
            run = _KEY_BODY.match(text, begin.end(), limit)
            body_end = stop = run.end() if run is not None else begin.end()
        if body_end - begin.end() >= _BODY:
            parts += [text[done : begin.start()], _mark("private-key")]
            done = stop
    return _headless("".join([*parts, text[done:]]))


def _headless(text: str) -> str:
    """A key whose BEGIN was cut off: the base64 lines before END go with it."""
    end = _END.search(text)
    if end is None or _BEGIN.search(text, 0, end.start()) is not None:
        return text
    lines = text[: end.start()].split("\n")
    first = len(lines) - 1 if lines[-1] == "" else len(lines)
    while first > 0 and len(line := lines[first - 1].strip()) >= 1 and _BASE64.fullmatch(line):
        first -= 1
    if sum(map(len, lines[first:])) < _BODY:
        return text
    kept = "".join(line + "\n" for line in lines[:first])
    return kept + _mark("private-key") + text[end.end() :]


_BASE64 = re.compile(r"[A-Za-z0-9+/=]{1,76}")


def _apply(rules: tuple[_Rule, ...], text: str, seen: str) -> str:
    """``text`` after the rules whose hint is in ``seen``."""
    for hints, pattern, replace in rules:
        for hint in hints:
            if hint in seen:
                text = pattern.sub(replace, text)
                break
    return text


def _once(text: str) -> str:
    if "PRIVATE KEY" in text:
        text = _key_blocks(text)
    runs = _RUN.findall(text)
    if runs:
        text = _apply(_TOKENS, text, " ".join(runs))
    return redact_assignments(_apply(_TEXTS, text, text))


def redact(text: str) -> str:
    """``text`` with every secret that a rule knows replaced by ``[redacted:kind]``. Doing it twice changes nothing more."""
    for _ in range(_PASSES):
        if (done := _once(text)) == text:
            break
        text = done
    return text
