"""Secrets that only their name gives away: ``password=...``, ``"token": "..."``, ``--api-key ...``.

The name is found by plain substring search and the rest is matched at that place, so that a text full of the word "token"
costs what it must and nothing is scanned twice. Whether a value is a secret is then judged: code that merely names a
variable, a type, a placeholder, a path or a count stays as it is.
"""

from __future__ import annotations

import re

NAMES = ("pass", "pwd", "secret", "token", "key", "credential", "_auth")
_PASS = frozenset({"pass", "pwd"})
_REST_OF_PASS = re.compile(r"(?:word|wd|phrase|code)s?|(?![a-z])")
"""What makes a name of "pass"; "passed" and "bypass" are none."""
_KEY_BEFORE = re.compile(
    r"(?:api|access|private|secret|auth|account|encryption|encrypt|signing|master|service|session|client|shared|subscription)[_. -]?\Z"
)
_TAIL = re.compile(
    r"(?:[_-]?(?:key|value|base|id|access|[0-9]{1,3})){0,3}"
    r"(?P<quote>\\{0,3}[\"'`]?)\]?"
    r"(?:\s{0,8}:\s{0,2}(?:str|string|String)(?=\s{0,2}=))?"
    r"(?P<sep>\s{0,8}(?::=|=>|==?|:)\s{0,8}|\s|,\s{0,8}(?=[\"'])|>(?=[^<>\s]{4,400}</))"
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
_NAMED = re.compile(r"name\\{0,3}[\"']?\s{0,2}[:=]\s{0,2}\\{0,3}[\"']?[a-z0-9_.-]{0,40}\Z")
_PAIR = re.compile(
    r"[A-Za-z0-9_.-]{0,40}\\{0,3}[\"']?\s{0,3},?\s{0,20}\\{0,3}[\"']?[Vv]alue\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}"
    r"\\{0,3}[\"']?([^\s\"'`,;<>(){}\[\]\\]{6,400})"
)
"""A name and its value as two fields, as containers and pipelines have them: ``- name: DB_PASSWORD``, ``value: ...``."""
_COMMANDED = re.compile(
    r"(?:\b(?:login|account)\s{1,4}\S{1,80}\s{1,4}|\bconfigure set [a-z_]{0,20}|\bsetx [a-z0-9_]{0,30})\Z"
)
"""What stands before a name that a blank parts from its value: a .netrc, or a command that keeps settings."""
_WORDS = frozenset(
    {"password", "passwd", "pwd", "secret", "string", "required", "optional", "invalid", "missing", "validation"}
)
_DOTTED = re.compile(r"[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+\Z")
_PATH = re.compile(r"(?:\.{0,2}|~|[A-Za-z]:)[/\\][^=+]*/|\./|~/|/[\w.-]+\Z|https?://|file:")


_MARK = 32
"""Characters before a name in which a mark of ours begins, if it is the word of one: ``[redacted:password]``."""
_OURS_BEFORE, _OURS_BEHIND = re.compile(r"\[redacted:[a-z0-9-]*\Z"), re.compile(r"[a-z0-9-]*\]")
"""Nothing else is taken for one: who writes ``[redacted:`` before a password must not keep it from being seen."""
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


def _begins(text: str, low: str, name: str, at: int) -> int:
    """Where the name at ``at`` ends, 0 where it is none: "passed", "bypass", a key that opens nothing, a mark of ours."""
    begun = low.rfind("[redacted:", max(0, at - _MARK), at)
    if begun >= 0 and _OURS_BEFORE.search(low[begun:at]) and _OURS_BEHIND.match(low, at):
        return 0
    if name == "key":
        return 0 if _KEY_BEFORE.search(low[max(0, at - 14) : at]) is None else at + len(name)
    if name != "pass":
        return at + len(name)
    rest = _REST_OF_PASS.match(low, at + len(name))
    if rest is None:
        return 0
    if rest.end() == at + len(name) and low[max(0, at - 1) : at].isalpha() and not text[at].isupper():
        return 0
    return rest.end()


def _span(text: str, low: str, name: str, at: int) -> tuple[int, int] | None:
    """Where the secret value of the ``name`` at ``at`` stands, if it has one."""
    ends = _begins(text, low, name, at)
    match = _TAIL.match(text, ends) if ends else None
    if match is None:
        return _paired(text, low, name, at, ends) if ends else None
    separator = match["sep"]
    spaced = separator.isspace() or separator[0] == ","
    commanded = separator.isspace() and _COMMANDED.search(low, max(0, at - 100), at) is not None
    if spaced and not commanded and (separator not in (" ", ",", ", ") or not _is_flag(low, at)):
        return _paired(text, low, name, at, ends)
    quoted = match["quoted"] is not None
    value = match["quoted"] if quoted else match["bare"].rstrip(".:")
    if not quoted and match["after"]:
        return None
    if not _counts(text[at:ends], name, value, separator, quoted=quoted, spaced=spaced):
        return None
    start = match.start("quoted") if quoted else match.start("bare")
    return start, start + len(value)


def _counts(written: str, name: str, value: str, separator: str, *, quoted: bool, spaced: bool) -> bool:
    """Whether the value is a secret and not code: ``privateKey: ed25519Seed`` names a variable."""
    environment = separator == "=" and written.isupper()
    literal = quoted or environment or name in _PASS or separator == ">"
    if not literal and value.isidentifier() and len(_DIGITS.findall(value)) < 3:
        return False  # a generated key is full of digits
    glued = spaced or environment
    if glued and name in _PASS and written.isupper() and len(value) >= 6 and value.isalpha():
        quoted = True  # DB_PASSWORD=correcthorse: an environment file has no variables to name
    return _is_secret(name, value, quoted, glued)


def _paired(text: str, low: str, name: str, at: int, ends: int) -> tuple[int, int] | None:
    """The value in the field beside the one that holds the name."""
    if "alue" not in text[ends : ends + 90] or _NAMED.search(low, max(0, at - 60), at) is None:
        return None
    match = _PAIR.match(text, ends)
    if match is None or not _is_secret(name, match[1], True, True):
        return None
    return match.span(1)


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
    for name in [name for name in NAMES if name in low]:
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
