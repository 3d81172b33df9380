"""Secrets that only their name gives away: ``password=...``, ``"token": "..."``, ``--api-key ...``.

The name is found by plain substring search and the rest is matched at that place, so that a text full of the word "token"
costs what it must and nothing is scanned twice. Whether a value is a secret is then judged: code that merely names a
variable, a type, a placeholder, a path or a count stays as it is.
"""

from __future__ import annotations

import re

_NAMES = (
    "password", "passwd", "passphrase", "pwd", "secret", "token", "key", "credential", "_auth",
)  # fmt: skip
_PASS = frozenset({"password", "passwd", "passphrase", "pwd"})
_KEY_BEFORE = re.compile(
    r"(?:api|access|private|secret|auth|account|encryption|encrypt|signing|master|service|session|client|shared|subscription)[_. -]?\Z"
)
_TAIL = re.compile(
    r"(?:[_-]?(?:key|value|base|id|access|[0-9]{1,3})){0,3}"
    r"(?P<quote>\\{0,3}[\"'`]?)\]?"
    r"(?:\s{0,8}:\s{0,2}(?:str|string|String)(?=\s{0,2}=))?"
    r"(?P<sep>\s{0,8}(?::=|=>|==?|:)\s{0,8}|\s)"
    r"(?:[rbfu]?(?P<open>\\{0,3}[\"'`])(?P<quoted>[^\"'`\s\\]{4,400})(?=\\{0,3}[\"'`])"
    r"|(?P<bare>[^\s\"'`,;<>(){}\[\]\\&|]{4,400})(?P<after>[(\[{]?))",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"[$<{%@]|\*{3,}|\.{3}|x{4,}\Z|(?:process\.env|os\.environ|env[.:_\[]|import\.meta|secrets?\.|vars?\.|config\.|self\.|this\.)"
    r"|(?:your|my|some|the|example|sample|dummy|fake|test|change|replace|insert|todo|placeholder|redacted|hidden|masked)[_-]?"
    r"(?:password|passwd|pass|token|secret|key|api|me|here|this|value|\Z)|none\Z|null\Z|undefined\Z|true\Z|false\Z",
    re.IGNORECASE,
)
_WORDS = frozenset(
    {"password", "passwd", "pwd", "secret", "string", "required", "optional", "invalid", "missing", "validation"}
)
_DOTTED = re.compile(r"[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+\Z")
_PATH = re.compile(r"(?:\.{0,2}|~|[A-Za-z]:)[/\\][^=+]*/|\./|~/|/[\w.-]+\Z|https?://|file:")


_DIGITS = re.compile(r"[0-9]+")
_NUMBERED = re.compile(r"[A-Za-z][A-Za-z_.-]*[0-9]{1,4}\Z")


def _mixed(value: str) -> bool:
    """Letters and at least two digits, or long with both cases: what generators make; words and ``name42`` are not."""
    digits = sum(c.isdigit() for c in value)
    if digits >= 2:
        return any(c.isalpha() for c in value) and _NUMBERED.match(value) is None
    return len(value) >= 20 and value.lower() != value and value.upper() != value and not set("_.") & set(value)


def _is_secret(name: str, value: str, quoted: bool, glued: bool) -> bool:
    """Whether ``value`` is one, given the ``name`` it stands under; ``glued`` is ``NAME=value`` without blanks."""
    if _PLACEHOLDER.match(value) or value.lower() in _WORDS or _PATH.match(value) or _DOTTED.match(value):
        return False
    if name in _PASS:
        if len(value) < 6 or value.endswith((":", ".")):
            return False
        return quoted or any(c.isdigit() for c in value) or (glued and not value.isidentifier())
    return len(value) >= 8 and _mixed(value)


def _span(text: str, low: str, name: str, at: int) -> tuple[int, int] | None:
    """Where the secret value of the ``name`` at ``at`` stands, if it has one."""
    if name == "key" and _KEY_BEFORE.search(low[max(0, at - 14) : at]) is None:
        return None
    match = _TAIL.match(text, at + len(name))
    if match is None:
        return None
    separator = match["sep"]
    flag = separator.isspace()
    if flag and (separator != " " or not _is_flag(low, at)):
        return None
    quoted = match["quoted"] is not None
    value = match["quoted"] if quoted else match["bare"].rstrip(".:")
    if not quoted and match["after"]:
        return None
    shouted = text[at : at + len(name)].isupper()
    environment = separator == "=" and shouted
    if (
        not quoted
        and not environment
        and name not in _PASS
        and value.isidentifier()
        and len(_DIGITS.findall(value)) < 3
    ):
        return None  # code that names a variable: ``privateKey: ed25519Seed``; a generated key is full of digits
    glued = flag or environment
    if glued and name in _PASS and shouted and len(value) >= 6 and value.isalpha():
        quoted = True  # DB_PASSWORD=correcthorse: an environment file has no variables to name
    if not _is_secret(name, value, quoted, glued):
        return None
    start = match.start("quoted") if match["quoted"] is not None else match.start("bare")
    return start, start + len(value)


def _is_flag(low: str, at: int) -> bool:
    """Whether the name at ``at`` ends a command-line flag: ``--password``, ``--db-password``."""
    start = at
    while start > 0 and at - start < 24 and (low[start - 1].isalnum() or low[start - 1] in "-_"):
        start -= 1
    return low.startswith("--", start)


def redact_assignments(text: str) -> str:
    """``text`` with the values of secret-bearing names replaced by ``[redacted:<name>]``."""
    low = text.lower()
    if len(low) != len(text):  # a few capitals grow when lowered; positions must agree
        low = "".join(c.lower() if c.isascii() else c for c in text)
    spans: list[tuple[int, int, str]] = []
    for name in _NAMES:
        at = low.find(name)
        while at >= 0:
            if (span := _span(text, low, name, at)) is not None:
                spans.append((*span, "password" if name in _PASS else "secret"))
            at = low.find(name, at + len(name))
    if not spans:
        return text
    parts: list[str] = []
    done = 0
    for start, stop, kind in sorted(spans):
        if start >= done:
            parts += [text[done:start], f"[redacted:{kind}]"]
            done = stop
    return "".join([*parts, text[done:]])
