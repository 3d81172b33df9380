"""Finds secrets by their context: a password in a URL, a token after ``Bearer``, a signature in a query string.

To support another context, add a row to ``SECRET_CONTEXTS``.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from collections.abc import Callable, Iterator
from re import Match
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.values import (
    find_bare_end,
    find_quoted_span,
    is_base64,
    is_chosen,
    is_generated,
    is_identifier,
    is_password,
    is_placeholder,
    is_reference,
    is_setting,
    is_wordlike,
)

Span = tuple[int, int]


def find_secret_group(match: Match[str]) -> Iterator[Span]:
    """Yield the group ``s``, whatever it contains."""
    yield match.span("s")


def find_all_groups(match: Match[str]) -> Iterator[Span]:
    """Yield all named groups that are not empty."""
    yield from (match.span(group) for group, value in match.groupdict().items() if value)


def find_opaque_segment(match: Match[str]) -> Iterator[Span]:
    """Yield a path segment or parameter that is not wordlike, has at least 2 digits, and has at least 16 characters or mixed case."""
    value = match["s"]
    is_mixed_case = value.lower() != value != value.upper()
    if (
        is_chosen(value)
        or is_base64(value)
        or (sum(map(str.isdigit, value)) > 1 and (len(value) >= 16 or is_mixed_case) and not is_wordlike(value))
    ):
        yield match.span("s")


_FILE_PATH = compile_lazily(
    r"(?:\A|[\s\"'`=:(])(?:~|\.{1,2}|[A-Za-z]:|/(?:home|Users|usr|var|tmp|opt|root|mnt|private))[/\\][^\s\"'`:()]*\Z"
)
_MAX_PATH_LENGTH = 240


def find_link_segment(match: Match[str]) -> Iterator[Span]:
    """Yield what ``find_opaque_segment`` yields, unless it belongs to the path of a file."""
    if _FILE_PATH.search(match.string[max(0, match.start() - _MAX_PATH_LENGTH) : match.start()]) is None:
        yield from find_opaque_segment(match)


_PLACEHOLDERS = frozenset({"pass", "password", "passwd", "pwd", "token", "secret", "foobared"})
_PORT_BEFORE_QUOTE = compile_lazily(r"[0-9]{1,5}[\"']")


def find_bearer_token(match: Match[str]) -> Iterator[Span]:
    """Yield the text after ``Bearer`` if it contains a digit and is no name; otherwise it is an ordinary word."""
    if any(map(str.isdigit, match["s"])) and not is_identifier(match["s"].replace("_", "-")):
        yield match.span("s")


_SCHEMES = frozenset({"basic", "bearer", "token", "apikey", "digest", "bot", "ssws", "geniekey"})


def find_header_value(match: Match[str]) -> Iterator[Span]:
    """Yield an Authorization header's value if it looks randomly generated, or contains a digit and follows one of ``_SCHEMES``."""
    scheme, value = (match["scheme"] or "").strip().lower(), match["s"]
    is_token = scheme in _SCHEMES and (any(map(str.isdigit, value)) or ":" in _decode_base64(value))
    if is_token or (
        len(value) >= 16
        and value.count("-") < 5
        and sum(map(str.isdigit, value)) > 1
        and not is_wordlike(value)
        and is_generated(value)
    ):
        yield match.span("s")


def find_url_password(match: Match[str]) -> Iterator[Span]:
    """Yield the password in a URL, unless it is a placeholder, or a port in a quoted URL that is followed by other text."""
    value = match["s"]
    if not (is_placeholder(value) or value.lower() in _PLACEHOLDERS or _PORT_BEFORE_QUOTE.match(value)):
        yield match.span("s")


def find_url_token(match: Match[str]) -> Iterator[Span]:
    """Yield the user name in a URL if it contains at least two digits and looks randomly generated."""
    if sum(map(str.isdigit, match["s"])) > 1 and is_generated(match["s"]):
        yield match.span("s")


def find_password_value(match: Match[str]) -> Iterator[Span]:
    """Yield the password at ``s``, unless it is a placeholder, number, variable, option or path, or has fewer than three characters.

    It ends at the closing quote if ``q`` matched, else where a bare value ends. A value that begins like an option or a path is yielded
    if it looks randomly generated.
    """
    text, start = match.string, match.start("s")
    quoted = find_quoted_span(text, match.start("q")) if match["q"] else None
    stop = max(start, quoted[1]) if quoted else find_bare_end(text, start, match.start())
    value = text[start:stop]
    is_harmless = (
        value.isdigit()
        or value.lower() in _PLACEHOLDERS
        or is_placeholder(value)
        or value.startswith(("/", "./", "~/", "-"))
    )
    if len(value) > 2 and (not is_harmless or (value[0] in "/-~" and not is_wordlike(value) and is_generated(value))):
        yield start, stop


_PASSWORD_PROGRAMS = {
    "p": compile_lazily(
        r"\b(?:mysql(?:dump|admin)?|mariadb|mongo(?:sh|(?=\s))|sshpass|7z[az]?(?=\s)|(?:un)?rar(?=\s))\b"
    ),
    "p ": compile_lazily(
        r"\b(?:redis-cli|mongo(?:sh|(?=\s))|cqlsh|cypher-shell|sshpass|(?:docker|podman|registry|auth|oras|skopeo) login"
        r"|(?:twine|poetry) (?:upload|publish)|az (?:sql|acr))\b"
    ),
    "P ": compile_lazily(r"(?<![\w.-])(?:(?:un)?zip|sqlcmd|bcp|isql|mosquitto_(?:pub|sub|rr))\b"),
    "A ": compile_lazily(r"\bsnmp[a-z]{2,9}\b"),
    "w ": compile_lazily(r"\b(?:ldap[a-z]{3,8}|security add-\w{1,10}-password)\b"),
}
_PASSWORD_PROGRAMS["a "] = _PASSWORD_PROGRAMS["p "]
_PASSWORD_PROGRAMS["X "] = _PASSWORD_PROGRAMS["A "]
"""Programs that take a password directly after an option, or as a separate argument (with a space), by the option."""
_MAX_COMMAND_LENGTH = 240
_PORTS = compile_lazily(r"(?:[\d.]{1,15}:)?\d{1,5}:\d{1,5}(?![^\s/\"'])")
"""The ports that a container publishes."""


def find_password_argument(match: Match[str]) -> Iterator[Span]:
    """Yield the password (at least six characters) after an option, if the command uses that option for a password."""
    line = match.string[max(0, match.start() - _MAX_COMMAND_LENGTH) : match.start()]
    command = re.split(r"[|;&\n]", line)[-1]
    if _PASSWORD_PROGRAMS[match["option"]].search(command) and not _PORTS.match(match.string, match.start("s")):
        yield from (part for part in find_password_value(match) if part[1] - part[0] > 5)


def find_option_password(match: Match[str]) -> Iterator[Span]:
    """Yield the password after an option and a space, unless the program asks for the password and takes another argument there."""
    line = match.string[max(0, match.start() - _MAX_COMMAND_LENGTH) : match.start()]
    if _PASSWORD_PROGRAMS["p"].search(re.split(r"[|;&\n]", line)[-1]) is None:
        yield from find_setting(match)


_COOKIE_VALUE = compile_lazily(r"=(?P<s>[^\s;,\"'\\]{12,})")


def find_cookie_values(match: Match[str]) -> Iterator[Span]:
    """Yield those values in a list of cookies that look randomly generated."""
    for cookie in _COOKIE_VALUE.finditer(match.string, *match.span("s")):
        yield from find_generated_value(cookie)


def find_generated_value(match: Match[str]) -> Iterator[Span]:
    """Yield the group ``s`` if it looks randomly generated."""
    value = match["s"]
    if not is_reference(value[:64]) and not is_wordlike(value[:64]) and is_generated(value):
        yield match.span("s")


def find_literal_value(match: Match[str]) -> Iterator[Span]:
    """Yield the group ``s``, unless it is a reference, placeholder, path or number."""
    if is_base64(match["s"]) or not is_reference(match["s"]):
        yield match.span("s")


def _decode_base64(text: str) -> str:
    """Decode base64. If the text is not base64 or the result is not printable, return an empty string."""
    try:
        decoded = a2b_base64(text, strict_mode=True).decode()
    except (Error, ValueError):
        return ""
    return decoded if decoded.isprintable() else ""


def find_basic_credentials(match: Match[str]) -> Iterator[Span]:
    """Yield the group ``s`` if it is base64 for a user name and a password, separated by a colon."""
    if ":" in _decode_base64(match["s"]):
        yield match.span("s")


def find_kubernetes_value(match: Match[str]) -> Iterator[Span]:
    """Yield the group ``s`` if it is base64 for printable text."""
    if _decode_base64(match["s"]):
        yield match.span("s")


_STDIN_READERS = compile_lazily(
    r"['\"]?\s{0,3}\|[^|\n]{0,120}(?:--password-stdin|chpasswd|--with-token|--passphrase-fd 0"
    r"|\b(?:cryptsetup|smbpasswd|sudo -S|passwd --stdin|kinit\b|su\b|argon2\b|passwd\b|mkpasswd\b|aws configure\b"
    r"|secrets? (?:set|put|create|versions add)|env add))"
)


def find_piped_password(match: Match[str]) -> Iterator[Span]:
    """Yield a value that is piped to a program that reads a password from stdin."""
    for start, stop in find_password_value(match):
        if _STDIN_READERS.match(match.string, stop):
            yield start, stop


def find_setting(match: Match[str]) -> Iterator[Span]:
    """Yield a value in a place for secrets, unless it is a word, an address, a path or a number."""
    text, start = match.string, match.start("s")
    quoted = find_quoted_span(text, match.start("q")) if match["q"] else None
    stop = max(start, quoted[1]) if quoted else find_bare_end(text, start, match.start())
    if is_setting(text[start:stop]):
        yield start, stop


_SETTING_LINE = compile_lazily(
    r"(?:\A|(?<=\n))[+ \t-]{0,20}(?:[0-9]{1,6}(?:→|: ?|\t|\| ?))?(?:export )?[\"']?(?P<name>[\w./-]{1,100})[\"']?"
    r"(?: ?= ?|: ?)[\"']?(?P<s>[^\s\"'][^\n]{4,400}?)[\"']?[ \t,]*(?=\n|\Z)"
)


def find_settings(match: Match[str]) -> Iterator[Span]:
    """Yield the values of all lines of the group ``s`` that ``find_setting`` would yield."""
    for line in _SETTING_LINE.finditer(match.string, *match.span("s")):
        if is_setting(line["s"]):
            yield line.span("s")


def find_block_settings(match: Match[str]) -> Iterator[Span]:
    """Yield what ``find_settings`` would, except what identifies something, such as a version, a file or a digest."""
    for line in _SETTING_LINE.finditer(match.string, *match.span("s")):
        if is_setting(line["s"]) and _PUBLIC_SETTING.search(line["name"]) is None:
            yield line.span("s")


_FIELD = compile_lazily(r"\"(?P<name>[^\"\n\\]{1,60})\\{0,3}\"\s?:\s?\\{0,3}\"(?P<s>[^\"\s\\]{6,400})\\{0,3}\"")


def find_fields(match: Match[str]) -> Iterator[Span]:
    """Yield the values of all fields of the group ``s``, an object in JSON, that ``find_setting`` would yield."""
    for field in _FIELD.finditer(match.string, *match.span("s")):
        if is_setting(field["s"]) and not _PUBLIC_ARGUMENT.search(field["name"]):
            yield field.span("s")


_ARGUMENT = compile_lazily(r"(?:\A|(?<=[\s\"']))(?P<name>[A-Za-z][\w.:-]{0,60})=(?P<q>[\"'])?(?P<s>(?=\S))")
_PUBLIC_ENDS = "sha|commit|rev|revision|release|version|hash|digest|build|image|tag|ref|id|uuid|url|uri|host"
_PUBLIC_ARGUMENT = compile_lazily(rf"(?:{_PUBLIC_ENDS})s?[0-9]*\Z", re.IGNORECASE)
"""The end of a name whose value identifies something."""
_PUBLIC_SETTING = compile_lazily(
    rf"(?:{_PUBLIC_ENDS}|name|file|path|type|mode|region|profile)s?[0-9]*\Z", re.IGNORECASE
)
"""The same, of a name in a file of settings."""


def find_arguments(match: Match[str]) -> Iterator[Span]:
    """Yield the values of all arguments ``name=value`` of the group ``s`` that ``find_setting`` would yield."""
    for argument in _ARGUMENT.finditer(match.string, *match.span("s")):
        if _PUBLIC_ARGUMENT.search(argument["name"]) is None:
            yield from find_setting(argument)


def find_setting_group(match: Match[str]) -> Iterator[Span]:
    """Yield the group ``s``, unless it is a word, an address, a path or a number."""
    if is_setting(match["s"]):
        yield match.span("s")


_LITERAL = compile_lazily(r"(?:\b(?P<name>\w{1,40})\s?[=:]\s?)?[bfru]?(?P<q>[\"'])(?P<s>[^\"'\n\\]{0,200})(?P=q)")


def find_literals(match: Match[str]) -> Iterator[Span]:
    """Yield those literals among the arguments ``s`` of a call that ``find_setting`` would yield."""
    for literal in _LITERAL.finditer(match.string, *match.span("s")):
        if is_setting(literal["s"]) and not _PUBLIC_ARGUMENT.search(literal["name"] or ""):
            yield literal.span("s")


_USED_REACH = 2_000
_ASSIGNED_VALUE = compile_lazily(r"\s?=\s?(?P<q>[\"'])?(?P<s>(?=\S))")


def find_variable_value(match: Match[str]) -> Iterator[Span]:
    """Yield what was assigned, in the text before, to a variable that is used as a secret."""
    start = match.string.rfind(match["name"] + "=", max(0, match.start() - _USED_REACH), match.start())
    if start >= 0 and not match.string[max(0, start - 1) : start].isalnum():
        assigned = _ASSIGNED_VALUE.match(match.string, start + len(match["name"]))
        if assigned is not None:
            yield from find_setting(assigned)


_SQL_VALUE = compile_lazily(r"[NEne]?'(?P<s>(?:[^'\n]|''){0,400})'|\((?:[^()\n']|'[^'\n]*'){0,200}\)|[^,()'\s]+")
_SQL_PASSWORD = compile_lazily(r"(?:pass(?:wor[dt]|wd|phrase)?|pwd|senha|kennwort|contrasena)\W*\Z", re.IGNORECASE)
_SQL_SECRET = compile_lazily(r"(?:secret|token|api_?key|private_?key|credentials?)(?:_?value)?\W*\Z", re.IGNORECASE)
_TABLE = compile_lazily(
    r"(?i:create table (?:if not exists )?)[\"'`]?(?P<table>[\w.]{1,60})[\"'`]?\s?\((?P<columns>[^;]{1,1500}?)\)\s{0,3}(?:;|\Z)"
)
_MAX_ROWS, _TABLE_REACH = 5_000, 4_000
"""Maximum number of rows of a statement that are read, and of characters before it that are searched for the table's columns."""


def find_inserted_values(match: Match[str]) -> Iterator[Span]:
    """Yield the values of the columns that are named like secrets, in the rows that a statement inserts."""
    columns = match["columns"].split(",") if match["columns"] else _find_columns(match)
    is_secret = {index: is_setting for index, column in enumerate(columns) if _SQL_SECRET.search(column)}
    is_secret |= {index: _is_quoted_password for index, column in enumerate(columns) if _SQL_PASSWORD.search(column)}
    position = match.start("s")
    for _ in range(_MAX_ROWS if is_secret else 0):
        start = match.string.find("(", position, position + 8)
        if start < 0:
            return
        position, found = start + 1, list[Match[str]]()
        while len(found) < len(columns) and (value := _SQL_VALUE.match(match.string, position)):
            found.append(value)
            separator = _SQL_SEPARATOR.match(match.string, value.end())
            position = separator.end() if separator is not None else value.end()
        for index in is_secret.keys() & range(len(found)):
            if (content := found[index]["s"]) and is_secret[index](content):
                yield found[index].span("s")


def _find_columns(match: Match[str]) -> list[str]:
    """Return the names of a table's columns, from the statement in the same text that created it; empty if there is none."""
    for table in _TABLE.finditer(match.string, max(0, match.start() - _TABLE_REACH), match.start()):
        if table["table"] == match["table"].strip("\"'`"):
            return [(column.split() or [""])[0] for column in table["columns"].split(",")]
    return []


def _is_quoted_password(value: str) -> bool:
    return is_password(value, is_quoted=True, is_env_assignment=False, is_unspaced=True)


_SQL_SEPARATOR = compile_lazily(r"\s*,\s*|\s*\)\s*,?\s*")


class SecretContext(NamedTuple):
    """A context in which a value is secret.

    ``pattern`` is searched for only in a text that contains, in any case, one of the ``hints`` and one of ``required``, which saves
    searches if the hints are common. Both are in lower case. ``find_spans`` yields the secret spans of a match. ``kind`` is the label
    in the redaction marker. If ``is_anchored``, every match begins with a hint, so that the pattern is tried only where one stands.
    """

    name: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    find_spans: Callable[[Match[str]], Iterator[Span]]
    required: tuple[str, ...]
    kind: str
    is_anchored: bool


def _build_context(
    name: str,
    hints: str | tuple[str, ...],
    pattern: str,
    *,
    find_spans: Callable[[Match[str]], Iterator[Span]] = find_secret_group,
    required: str | tuple[str, ...] = "",
    kind: str = "",
    is_anchored: bool = False,
) -> SecretContext:
    hints, required = (words if isinstance(words, tuple) else (words,) for words in (hints, required))
    return SecretContext(name, hints, compile_lazily(pattern), find_spans, required, kind or name, is_anchored)


_OPTIONAL_QUOTE = r"(?P<q>[\"'])?"
_PROGRAM_ARGUMENTS = {
    "openssl": r"openssl (?:passwd (?:-\S{1,9} ){0,4}|[^\n|;&]{1,200}\s-(?:[kK]|pass(?:in|out)? pass:)\s?)",
    "net use": r"net use \S{1,20} \S{1,120} ",
    "mc alias": r"mc alias set \S{1,80} \S{1,120} \S{1,80} ",
    "ssh-keygen": r"ssh-keygen [^\n|;&]{0,120}-[NP] ",
    "key(": r"[kK]ey\((?:(?<=from_key\()|(?<=curityKey\())(?:[\w.]{1,40}\()?",
    "wallet(": r"Wallet\(",
    "pass": r"[pP]ass(?:word|wd|phrase)(?:[ =]<\(echo (?:-n )?|_?(?:hash)?\(|(?<=wd) (?:-\S{1,9} (?:sha\S{1,9} )?){1,4}"
    r"|[^\n<]{0,60}<<-?\s?[\"']?\w{1,20}[\"']?\n)",
    "hash": r"[hH]ash(?:pw|[sS]ync|::make)?\((?:(?<=hashpw\()|(?<=hSync\()|(?<=:make\()|(?<=t\.hash\())",
    "serializer(": r"[sS]erializer\(",
    "crypt(": r"(?<![a-zA-Z])crypt\(",
}
"""What stands before a password, by its beginning in lower case: arguments of programs, and functions that hash passwords."""

_BLOCK_HINTS = ("secrets", "credentials", "passwords", "api_keys", "apikeys")
_BLOCK_NAMES = "secrets|credentials|passwords|api_?keys"
"""The end of a heading above secrets, in YAML, TOML or an INI file."""

SECRET_CONTEXTS: tuple[SecretContext, ...] = (
    _build_context(
        "slack-webhook",
        "://",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[A-Za-z0-9/_-]{20,})",
        required="hooks.slack.com/",
    ),
    _build_context(
        "bearer",
        "earer ",
        r"(?:bearer|Bearer)(?<![A-Za-z0-9_]......)\s{1,3}(?P<s>[A-Za-z0-9._~+/=!@#%^&*-]{12,})",
        find_spans=find_bearer_token,
    ),
    _build_context(
        "authorization",
        "auth",
        r"(?:uthorization|UTHORIZATION)\\{0,3}['\"]?\s{0,2}[:=]\s{0,2}\\{0,3}['\"]?"
        r"(?P<scheme>[A-Za-z][A-Za-z0-9-]{0,19}\s{1,3})?(?P<s>[A-Za-z0-9._~+/=!@#%^&*-]{8,})",
        find_spans=find_header_value,
        required="authorization",
        kind="bearer",
    ),
    _build_context("cookie", "ookie", r"ookie['\"]?:\s{0,2}(?P<s>[^\n]{16,65536})", find_spans=find_cookie_values),
    _build_context(
        "cookie-given",
        "curl",
        r"\s(?:-b|--cookie)[ =]?(?P<s>[^\n]{16,4096})",
        find_spans=find_cookie_values,
        required=(" -b", "--cookie"),
        kind="cookie",
    ),
    _build_context(
        "cookie-jar",
        "\t",
        r"\t(?:TRUE|FALSE)\t[0-9]{1,13}\t[^\t\n]{1,200}\t(?P<s>[^\s]{8,})",
        find_spans=find_generated_value,
        required=("\ttrue\t", "\tfalse\t"),
        kind="cookie",
    ),
    _build_context(
        "url-password",
        "://",
        r"://(?:[^\s:/@'\"<>()\\]{0,80}):(?P<s>[^\s/]{1,300}|[A-Za-z0-9+/]{20,300}={0,2})@(?=[\w\[$<{%.*-])",
        find_spans=find_url_password,
        required="@",
        kind="password",
    ),
    _build_context(
        "url-token", "://", r"://(?P<s>[A-Za-z0-9_-]{20,200})@", find_spans=find_url_token, required="@", kind="token"
    ),
    _build_context(
        "curl-user",
        "curl",
        rf"\s(?:-u|-U|--user|--proxy-user)[ =]?{_OPTIONAL_QUOTE}[A-Za-z0-9._@+\\-]{{1,80}}:(?P<s>(?=\S))",
        find_spans=find_password_value,
        required=("-u", "--proxy-u"),
        kind="password",
    ),
    _build_context(
        "database-password",
        ("-p", " -a", " -w"),
        rf"-(?:(?<=\s-)|(?<=\s'-))(?P<option>p ?|[aPwAX] ) ?{_OPTIONAL_QUOTE}(?P<s>(?=[^\s]))",
        find_spans=find_password_argument,
        required=(
            *("mysql", "mariadb", "mongo", "sshpass", "redis-cli", "login", "twine", "poetry", "cqlsh", "7z", "zip"),
            *(
                "sqlcmd",
                "bcp",
                "isql",
                "ldap",
                "security add-",
                "rar ",
                "cypher-shell",
                "mosquitto_",
                "az sql",
                "az acr",
                "snmp",
            ),
        ),
        kind="password",
    ),
    _build_context(
        "identified-by",
        "identified ",
        r"(?i:identified (?:with \S{1,60} (?:by|as)|by) (?:password )?)(?P<q>[\"'])(?P<s>(?=.))",
        find_spans=find_password_value,
        kind="password",
    ),
    _build_context(
        "htpasswd",
        "htpasswd ",
        rf"htpasswd (?:-\w{{1,20}} ){{1,6}}\S{{1,200}} \S{{1,80}} {_OPTIONAL_QUOTE}(?P<s>(?=\S))",
        find_spans=find_password_value,
        kind="password",
    ),
    _build_context(
        "oracle-login",
        "@",
        r"(?:sqlplus\s(?:-\w{1,20}\s){0,6}|oracle:thin:)[\"']?[\w$.]{1,60}/(?P<s>[^\s/]{3,200})@",
        find_spans=find_literal_value,
        required=("sqlplus", "oracle:thin:"),
        kind="password",
    ),
    _build_context(
        "pgpass",
        (":5432:", "*"),
        r"(?:\A|(?<=\n))[^\s:]{1,100}:(?:[0-9]{1,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:(?P<s>[^\s:]\S{3,200})",
        find_spans=find_literal_value,
        required=(":5432:", ":*:"),
        kind="password",
    ),
    _build_context(
        "docker-auth",
        "auth",
        r"auth\\{0,3}\"\s?:\s?\\{0,3}\"(?P<s>[A-Za-z0-9+/]{8,}={0,2})(?=\\{0,3}\")",
        find_spans=find_basic_credentials,
        required=('auth"', "auth\\"),
        kind="password",
    ),
    _build_context(
        "kubernetes-secret",
        "secret",
        r"\n[ \t]{1,20}[\w./-]{1,100}: [\"']?(?P<s>[A-Za-z0-9+/]{8,}={0,2})(?=[\"']?[ \t]*(?:\n|\Z))",
        find_spans=find_kubernetes_value,
        required="kind: secret",
        kind="secret",
    ),
    _build_context(
        "password-piped",
        "|",
        rf"\b(?:echo|printf) (?:-n |[\"']?%s(?:\\n)?[\"']? )?{_OPTIONAL_QUOTE}(?:[a-z_][\w-]{{0,30}}:)?(?P<s>(?=\S))",
        find_spans=find_piped_password,
        required=(
            *("-stdin", "chpasswd", "--with-token", "sudo -s", "kinit", "| su ", "secret", "env add", "cryptsetup"),
            *("smbpasswd", "passphrase-fd", "argon2", "passwd", "aws configure"),
        ),
        kind="password",
    ),
    _build_context(
        "password-here-string",
        "<<<",
        r"(?:--password-stdin|chpasswd|--passphrase-fd 0|sudo -S|passwd|cryptsetup|secrets? (?:set|put|create|versions add)"
        rf"|env add)\b[^\n|;&<]{{0,120}}<<<\s?\$?{_OPTIONAL_QUOTE}(?P<s>(?=\S))",
        find_spans=find_password_value,
        required=("-stdin", "passwd", "passphrase-fd", "sudo -s", "cryptsetup", "secret", "env add"),
        kind="password",
    ),
    _build_context(
        "user-argument",
        ("creds", " -a", " -u"),
        r"(?:--(?:src-|dest-)?creds[ =]|\b(?:(?:https?|xh)\s(?:[^\n|;&]{0,80}\s)?-a|(?:smbclient|lftp)\s(?:[^\n|;&]{0,80}\s)?-[uU])[ =]?)"
        rf"{_OPTIONAL_QUOTE}[\w.@+-]{{1,80}}[:%,](?P<s>(?=\S))",
        find_spans=find_password_value,
        required=("creds", "http", "xh ", "smbclient", "lftp"),
        kind="password",
    ),
    _build_context(
        "redis-config",
        ("requirepass", "auth"),
        r"(?:(?:\A|\n)[^\w\n]{0,20}(?:[\w./-]{1,80}:)?(?:\d{1,6}[:-])?[^\w\n]{0,8}|--|\b[sS][eE][tT] {1,4}[\"']?)"
        rf"(?:requirepass|masterauth)[ \t=]{{1,8}}(?![a-z]{{1,40}} [a-z]){_OPTIONAL_QUOTE}(?P<s>(?=\S))",
        find_spans=find_password_value,
        required=("requirepass", "masterauth"),
        kind="password",
    ),
    _build_context(
        "rejected-value",
        "value",
        r"(?i:(?:password|passwd|passphrase|(?<![a-z])pass|secret|credential)s?|token"
        r"|(?:api|access|private|secret|auth|account|encryption|signing|master|service|client)[_-]?key)"
        r"\n[ \t]{1,8}[^\n]{1,300}?\binput_value=(?P<q>[\"'])(?P<s>(?=.))",
        find_spans=find_password_value,
        required="input_value=",
        kind="password",
    ),
    _build_context(
        "stored-secret",
        ("secret", "securestring", "put-parameter"),
        r"\b(?:(?:gh|glab) secret set [^\n|]{1,120}? (?:-b|--body)"
        r"|put-parameter (?=[^\n]{0,400}(?:SecureString|(?i:pass|secret|token|key|cred)))[^\n]{0,200}?--value"
        r"|secrets? (?:set|create|update|put) [^\n|]{0,200}?--(?:value|secret)"
        r"|(?:create-secret|put-secret-value) [^\n]{0,200}?--secret-string"
        r"|secret generic [^\n]{0,300}?--from-literal=[\w.-]{1,60}(?==)"
        rf"|ConvertTo-SecureString(?: -String)?)(?:[ =]|(?<= -b)){_OPTIONAL_QUOTE}(?P<s>(?=\S))",
        find_spans=find_password_value,
        required=("secret ", "secrets ", "-secret", "securestring", "put-parameter"),
        kind="secret",
    ),
    _build_context(
        "settings-file-written",
        (".env", "pass", "secret", "token", "credential"),
        r"\b(?:echo|printf) (?:-\w{1,2} )?(?:[\"'][A-Za-z_]\w{0,60}=%s(?:\\n)?[\"'] |[\"']?(?:export )?[A-Za-z_]\w{0,60}=)?"
        rf"{_OPTIONAL_QUOTE}(?P<s>(?=\S))(?=[^\n|;]{{1,400}}>>? ?[\w./~-]{{0,100}}(?:\.env|pw\b|passw|secret|token|credential))",
        find_spans=find_setting,
        required=("echo ", "printf "),
        kind="secret",
    ),
    _build_context(
        "settings-file-line",
        ".env",
        r"(?:\A|(?<=\n))[\w./~-]{0,200}\.env[\w.-]{0,30}?[:-](?:[0-9]{1,6}[:-])?(?:export )?[A-Za-z_]\w{0,60}="
        rf"{_OPTIONAL_QUOTE}(?P<s>(?=\S))",
        find_spans=find_setting,
        kind="secret",
    ),
    _build_context(
        "settings-file-changed",
        (".env", "stringdata:", "literals:"),
        r"(?:(?:\+\+\+ b/|diff --git a/|\*\*\* (?:Add|Update) File: )[\w./-]{0,200}\.env[^\n]{0,200}|\b(?:stringData|literals):[ \t]*)"
        r"(?P<s>(?:\n(?!diff |\*\*\* |[A-Za-z]+:)[^\n]{0,500}){1,100})",
        find_spans=find_settings,
        required=("+++ b/", "diff --git", " file: ", "stringdata:", "literals:"),
        kind="secret",
    ),
    _build_context(
        "secret-section",
        _BLOCK_HINTS,
        rf"(?<![^\n])[+ \t]{{0,40}}\[{{1,2}}[\w.\"-]{{0,80}}(?i:{_BLOCK_NAMES})[\w.\"-]{{0,40}}\]{{1,2}}[ \t\r]*"
        r"(?P<s>(?:\n(?![+ \t]{0,40}\[)[^\n]{0,500}){1,100})",
        find_spans=find_block_settings,
        required=("]\n", "] \n", "]\r\n"),
        kind="secret",
    ),
    _build_context(
        "secret-block",
        _BLOCK_HINTS,
        rf"(?<![^\n])(?P<i>[+ \t]{{0,40}})[\"']?[\w.-]{{0,40}}(?i:{_BLOCK_NAMES})[\"']?:[ \t\r]*"
        r"(?P<s>(?:\n(?P=i)(?:[ \t]|- )[^\n]{0,500}|\n){1,100})",
        find_spans=find_block_settings,
        required=(":\n", ": \n", ":\r\n"),
        kind="secret",
    ),
    _build_context(
        "settings-file-shown",
        ".env",
        r"(?:\A|[\s\"'`(/@])[\w./~-]{0,200}\.env(?:\.\w{1,20})?\b[^\n=]{0,200}(?:\n|\\n)(?:[ \t\"'\w:<>/-]{0,40}\n){0,2}"
        r"(?P<s>(?:[^\nA-Z]{0,20}[A-Z][A-Z0-9_]{1,60}=[^\n]{0,500}\n?){1,100})",
        find_spans=find_settings,
        required="=",
        kind="secret",
    ),
    _build_context(
        "inserted-row",
        "into",
        r"(?i:(?:insert|replace)\s{1,8}(?:ignore\s{1,8})?into\s{1,8}(?P<table>[\w.\"`\[\]]{1,100})\s{0,8}(?:\((?P<columns>[^()]{1,600})\))?\s{0,8}values)(?P<s>)",
        find_spans=find_inserted_values,
        required=("insert", "replace"),
        kind="secret",
    ),
    _build_context(
        "sent-at-prompt",
        ("send", ".type("),
        r"(?i:(?:assword|assphrase|token|secret|otp|passcode|pin)(?:\W{0,8}[\"'][\s{};,)\]]{0,20}|/\w?\)?[\s{};,)\]]{0,20})"
        r"(?:[\w.]{0,40}\.)?(?:send(?:line|_line|_keys)?|type|fill))"
        r"(?:\s{1,4}--|\s{1,4}-s)?[\s(]{1,4}(?P<q>[\"'])(?P<s>(?=.))",
        find_spans=find_password_value,
        required=('send "', "send '", "send -", "send(", "sendline", "send_line", "type(", "fill("),
        kind="password",
    ),
    _build_context(
        "account-list",
        ("credential", "creds", "auth", "login"),
        r"(?:credentials?|creds|[aA]uth|login)\\{0,3}[\"']?\s?(?:=>|[:=])\s?[\[(]\s?[\"']?[\w.@+-]{1,80}[\"']?\s?,\s?(?![\"']?(?:sha\d"
        r"|md5))(?P<q>[\"'])?(?P<s>(?=\S))",
        find_spans=find_setting,
        required=tuple(f"{sign}{bracket}" for sign in (":", ": ", "=", "= ", "=>", "=> ") for bracket in "[("),
        kind="password",
    ),
    _build_context(
        "value-before-name",
        "value",
        r"[\"'][vV]alue\\{0,3}[\"']\s?:\s?\\{0,3}(?P<q>[\"'])(?P<s>(?=[^\n]{6,400}?[\"'],\s{0,20}\\{0,3}[\"'](?:name|key|Name"
        r"|Key)\\{0,3}[\"']\s?:"
        r"\s?\\{0,3}[\"'][\w.-]{0,40}(?i:pass(?:word|wd|phrase)|secret|token|api_?key|private_?key|credential)[\w.-]{0,20}\\{0,3}[\"']))",
        find_spans=find_setting,
        required=("pass", "secret", "token", "key", "credential"),
        kind="secret",
    ),
    _build_context(
        "secret-object",
        ("secret", "credential", "password", "token", "keys", 'env"', '"env', '"headers', "stringdata"),
        r"\"(?i:secrets?|credentials?|api_?keys?|tokens?|passwords?|(?:remote|container)?env|environment|headers"
        r"|stringdata)\\{0,3}\"\s?:\s?\{(?P<s>[^{}]{8,4000})\}",
        find_spans=find_fields,
        required=(":{", ": {"),
        kind="secret",
    ),
    _build_context(
        "form-field",
        ('"text', '"value', '"answer'),
        r"\"(?:element|label|name|field|placeholder|selector|target|question|header|type)\\{0,3}\"\s?:\s?\\{0,3}\"[^\"\n]{0,60}"
        r"(?i:(?<!by)(?<!com)pass(?:word|wd|phrase|code)|secret|token|credential|(?:api|access|private|secret)[ _-]?key"
        r"|(?<![a-z])(?:pin|otp)(?![a-z]))[^\"\n]{0,60}\",?\s{0,20}(?:\\{0,3}\"[\w-]{1,20}\\{0,3}\":\s?(?:\\{0,3}\"[^\"\n]{0,60}\\{0,3}\"|[\w.]{1,12}),?\s{0,20}){0,3}?"
        r"\\{0,3}\"(?:text|value|answer)\\{0,3}\"\s?:\s?\\{0,3}(?P<q>\")(?P<s>(?=\S))",
        find_spans=find_setting,
        required=("pass", "secret", "token", "credential", "key", "pin", "otp"),
        kind="secret",
    ),
    _build_context(
        "account-added",
        "user ",
        r"\b(?:rabbitmqctl add_user \S{1,80}|mc admin user add \S{1,60} \S{1,80}|net user \S{1,60})"
        rf" {_OPTIONAL_QUOTE}(?P<s>(?=\S))",
        find_spans=find_password_value,
        required=("rabbitmqctl add_user", "mc admin user add", "net user"),
        kind="password",
    ),
    _build_context(
        "user-and-password-options",
        "-p",
        r"\s(?:-{1,2}u(?:ser(?:name)?)?|-U|-l|/ru?u|/u(?:ser)?)(?:[ =:])[\"']?\S{1,80}(?:\s{1,4}(?![|;&])\S{1,80}){0,4}?"
        rf"\s(?:-[pPt]|/r?p)[ :]?{_OPTIONAL_QUOTE}(?P<s>(?=\S))",
        find_spans=find_option_password,
        required=(" -u", " --user", " -l", " /ru", " /u"),
        kind="password",
    ),
    _build_context(
        "password-argument",
        (
            "connect",
            "login",
            "auth",
            "credential",
            "sign",
            "user(",
            "client(",
            "mysqli(",
            "pdo(",
            "ftp(",
            "__construct(",
        ),
        r"(?:[\w.]{3,60}|auth ?= ?)[( ,]\s{0,4}"
        r"(?P<s>(?:[\w$.>&*-]{1,60}|[\"'][^\"'\n]{1,200}[\"']),\s{0,8}[^\n;{}]{0,60}[\"'][^\n;]{6,400})",
        find_spans=find_literals,
        kind="password",
        is_anchored=True,
    ),
    _build_context(
        "account-pair",
        ("http-basic.", "]:", " -a", "auth"),
        r"(?: -A[ =]?[\"']?|http-basic\.\S{1,80} "
        r"|\]:\d{2,5}[ \t]+|auth ?=\s?[\"'])[\w.+-]{1,40}(?:@[\w.-]{1,60})?[: ][\"']?(?P<s>[^\s\"':]{6,200})",
        find_spans=find_setting_group,
        kind="password",
        is_anchored=True,
    ),
    _build_context(
        "program-argument",
        tuple(_PROGRAM_ARGUMENTS),
        rf"(?:{'|'.join(f'(?:{pattern})' for pattern in _PROGRAM_ARGUMENTS.values())})b?{_OPTIONAL_QUOTE}(?P<s>(?=[^\s\"']))",
        find_spans=find_setting,
        kind="password",
        is_anchored=True,
    ),
    _build_context(
        "shown-once",
        ("be shown", "copy your "),
        r"(?i:be shown|copy your (?:new )?(?:api )?(?:key|token"
        r"|secret)\b)[^\n]{0,80}"
        r"\n[ \t\n]{0,20}(?:[^\n]{0,60}[ :])?[\"'`]?(?P<s>[^\s\"'`]{16,200})",
        find_spans=find_setting_group,
        kind="secret",
        is_anchored=True,
    ),
    _build_context(
        "bound-parameter",
        ("pass", "token", "secret"),
        r"\w{5,20}(?:\s?=\s?[$?:]|,?[^\n()]{0,200}\)\s?(?i:values)\s?\([?$%])[^\n]{0,400}\n(?P<s>[^\n]{6,1000})",
        find_spans=find_literals,
        required=("=$", "= $", "=?", "= ?", "(?", "($", "(%"),
        kind="secret",
        is_anchored=True,
    ),
    _build_context(
        "issuer-call",
        ("stripe(", "twilio(", "resend(", "bot.run("),
        rf"[\w.]{{4,24}}\(\s?{_OPTIONAL_QUOTE}(?P<s>(?=[\w+/=-]{{16}}))",
        find_spans=find_setting,
        kind="secret",
        is_anchored=True,
    ),
    _build_context(
        "filled-field",
        ("pass", "secret", "token"),
        r"(?<![bB]y)(?<![cC]om)\w{5,10}[^\"'`\n]{0,30}[\"'`][\])]{0,3}"
        r"(?:\s?\.value\s?=|,(?:\s?with:)?|[^\n\"]{0,30}\svalue=)\s?(?P<q>[\"'])(?P<s>(?=\S))",
        find_spans=find_setting,
        required=("fill", "type(", ".value", "value="),
        kind="password",
        is_anchored=True,
    ),
    _build_context(
        "literal-replaced",
        "\n-",
        r"\n-(?P<head>[^\n]{1,120}?)[\"'](?P<s>[^\"'\n]{8,200})[\"'][^\n]{0,40}\n\+(?P=head)(?:[\w.]{0,40}[\[(.])?"
        r"(?:os\.|process\.|ENV|[gG]etenv|env\b|System\.|config\b|settings\b|secrets\b)",
        find_spans=find_setting_group,
        is_anchored=True,
        required=("environ", "getenv", "env[", "process.env"),
        kind="secret",
    ),
    _build_context(
        "stored-cookie",
        "value",
        r"\"name\\{0,3}\"\s?:\s?\\{0,3}\"[^\"\n]{1,60}\",\s{0,20}\\{0,3}\"value\\{0,3}\"\s?:\s?\\{0,3}\"(?P<s>[^\"\s\\]{16,4000})"
        r"(?=\\{0,3}\",\s{0,20}\\{0,3}\"domain)",
        find_spans=find_setting_group,
        required="domain",
        kind="cookie",
    ),
    _build_context(
        "account-address",
        ":5432",
        r"(?<![\w/.:@-])[\w.-]{2,40}/(?P<s>[^\s/@\"']{6,200}|[A-Za-z0-9+/]{24,200}={0,2})@(?=[\w-]{1,60}[.:]\w)",
        find_spans=find_setting_group,
        required="/",
        kind="password",
    ),
    _build_context(
        "driver-address",
        "@",
        r"(?:(?<![\w.-])[\w.-]{1,60}):(?P<s>[^\s/\"']{4,200})@(?=tcp\(|unix\()",
        find_spans=find_literal_value,
        required=("@tcp(", "@unix("),
        kind="password",
    ),
    _build_context(
        "settings-given",
        ("config:set", "secret", " kv p"),
        r"(?:\b(?:vault|bao) kv (?:put|patch)|\bconfig:set|\b(?:fly|flyctl|supabase|doppler|netlify|scw) secrets? set)"
        r"\s(?P<s>[^\n;|&]{6,2000})",
        find_spans=find_arguments,
        required=("config:set", "secrets set", " kv p"),
        kind="secret",
    ),
    _build_context(
        "updated-row",
        "value",
        r"(?i:\bset\s{1,8}\w{0,20}value\w{0,10}\s{0,4}=\s{0,4})'(?P<s>[^'\n]{6,400})'\s{1,8}(?=(?i:where)\b[^\n;]{0,80}'[\w.:/-]{0,60}"
        r"(?i:pass(?:word|wd|phrase)|secret|token|api_?key|private_?key|credential)[\w.-]{0,20}')",
        find_spans=find_setting_group,
        required=("value = '", "value='"),
        kind="secret",
    ),
    _build_context(
        "variable-used",
        "$",
        r"(?:[Bb]earer |[Tt]oken |(?i:key|token|secret|password|passwd|auth)[\"']?[:=]\s?[\"']?|\s-p[\"']?|\s-u\s?[\"']?[\w.@-]{1,40}:)"
        r"\$\{?(?P<name>[A-Za-z_]\w{0,40})",
        find_spans=find_variable_value,
        required=("bearer $", "token $", "key: $", "token: $", "key=$", "token=$", "password=$", "-p$", '-p"$', ":$"),
        kind="secret",
    ),
    _build_context(
        "login-argument",
        ("auth", "login"),
        r"\b(?:(?:wandb|cargo|vault|doppler|netlify|railway|supabase|hf|huggingface-cli|expo|ngrok) (?:auth )?login|snyk auth"
        r"|ngrok (?:config add-)?authtoken|with-token <<<)(?: --?[a-z-]{1,20}(?:=[\w/-]{1,40})?){0,3}"
        rf" {_OPTIONAL_QUOTE}(?P<s>(?![\w.-]{{1,20}}=)\S{{8,}})",
        find_spans=find_password_value,
        required=(" login", "snyk auth", "with-token <<<", "authtoken"),
        kind="token",
    ),
    _build_context(
        "signing-call",
        ("hmac", "fernet(", "jwt.", "cipher(", "cipheriv(", "crypt(", "fromhex(", "secret"),
        r"(?:\b(?:jwt|JWT)\.\w{2,20}\([^\"'\n]{0,120}(?:[\"'][\w.-]{0,400}[\"'],\s?|\{[^\n{}]{0,300}\},\s?)?"
        r"|createHmac\(\s?[\"'][\w-]{2,12}[\"'],\s?"
        r"|\b(?:hmac\.new|HMAC\.new|hmac\.digest|MultiFernet|Fernet|SecretBox|HmacSHA256)\("
        r"(?:[\w.]{1,40},\s?)?|hash_hmac\([\"'][\w-]{2,12}[\"'],\s?[^,\n]{1,80},\s?"
        r"|create(?:Dec|C)ipher(?:iv)?\([^,\n]{1,40},\s?(?:Buffer\.from\()?"
        r"|\bAES\.new\(|(?:en|de)crypt\([^,\n]{1,60},\s?|(?<![A-Za-z])(?i:key|seed|secret)\s?=\s?(?=bytes))"
        r"(?:b|Buffer\.from\(|bytes\.fromhex\()?(?P<q>[\"'`])(?P<s>[^\"'`\n]{6,200})(?P=q)",
        find_spans=find_literal_value,
        required=("hmac", "fernet(", "jwt.", "cipher(", "cipheriv(", "crypt(", "fromhex(", "secretbox("),
        kind="secret",
    ),
    _build_context("telegram-token", ":aa", r":(?P<s>AA(?<=[0-9]{8}:AA)[A-Za-z0-9_-]{32,34})"),
    _build_context("azure-secret", "~", r"(?P<s>[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,40})", required="q~"),
    _build_context(
        "signed-url",
        ("sig=", "://"),
        r"[?&;][A-Za-z-]{0,20}(?:[Ss]ig|[Ss]ignature)=(?P<s>[A-Za-z0-9%+/=_~-]{30,})",
        required=("sig=", "signature="),
        kind="signature",
    ),
    _build_context(
        "parameter",
        "://",
        r"[?&](?:key|code|k|auth|sid|session|appid|token_hash)=(?P<s>(?:[A-Za-z0-9_-]|%2[BbFf]|%3[Dd]){20,200})(?![\w-])",
        find_spans=find_opaque_segment,
        required=("key=", "code=", "?k=", "&k=", "auth=", "sid=", "session=", "appid=", "token_hash="),
        kind="token",
    ),
    _build_context(
        "link",
        "://",
        r"/(?:[\w-]{0,20}(?:invit|reset|magic|verif|confirm|activat|hooks?|webhook|shar(?:e|ing))[\w-]{0,20}"
        r"|hooks/catch/\d{1,12}|with/key)(?:/|[?#](?:[\w.%=@+-]{1,100}&){0,3}(?:[\w.-]{1,30}=)?)"
        r"(?P<s>[A-Za-z0-9/_+=!$*~^%.-]{8,200})(?![\w-])",
        find_spans=find_link_segment,
        required=("invit", "reset", "magic", "verif", "confirm", "activat", "hook", "shar", "/key/"),
        kind="token",
    ),
    _build_context(
        "address-key",
        "://",
        r"://[^\s/\"'`]{3,120}/(?:[\w-]{1,30}/)?(?:v\d{1,2}|rpc|wss?"
        r"|key)/(?P<s>(?![0-9a-f]{8}-[0-9a-f]{4}-)[A-Za-z0-9_-]{28,80})(?![\w./-])",
        find_spans=find_opaque_segment,
        required=("/v1/", "/v2/", "/v3/", "/v4/", "/rpc/", "/ws/", "/wss/", "/key/"),
        kind="token",
    ),
    _build_context(
        "password-hash",
        "$",
        r"(?P<s>\$(?:2[abxy]|1|5|6|7|y|gy|P|H|S|apr1|scrypt|argon2(?:id|i|d)|pbkdf2[\w-]{0,12})\$[A-Za-z0-9./$=,+]{22,200})",
    ),
    _build_context(
        "framework-hash",
        "$",
        r"(?:[a-z0-9_]{3,20}\$[0-9]{1,9}|scrypt(?::[0-9]{1,9}){1,3})\$(?P<s>[A-Za-z0-9./+_-]{4,64}\$[A-Za-z0-9./+=_-]{20,200})"
        r"|SCRAM-SHA-[0-9]{1,3}\$[0-9]{1,9}:(?P<t>[A-Za-z0-9+/=:$]{40,300})",
        find_spans=find_all_groups,
        required=("pbkdf2_", "scrypt", "scram-sha-", "sha1$", "sha256$", "md5$"),
        kind="password-hash",
    ),
    _build_context(
        "directory-hash",
        "}",
        r"\{(?:S?SHA|S?MD5|SSHA[0-9]{3}|CRYPT|PBKDF2[\w-]{0,10})\}(?P<s>[A-Za-z0-9+/=$.]{16,200})",
        kind="password-hash",
    ),
    _build_context("windows-hash", ":::", r":[0-9a-fA-F]{32}:(?P<s>[0-9a-fA-F]{32}):::", kind="password-hash"),
    _build_context(
        "postgres-hash", "md5", r"md5(?<![A-Za-z0-9]md5)(?P<s>[0-9a-f]{32})(?![A-Za-z0-9])", kind="password-hash"
    ),
    _build_context("mysql-hash", "*", r"\*(?<![\w*]\*)(?P<s>[0-9A-F]{40})(?![\w*])", kind="password-hash"),
    _build_context(
        "digest",
        "auth",
        r"uthorization\\{0,3}['\"]?\s{0,2}[:=]\s{0,2}(?:Digest|AWS4-HMAC-SHA256) "
        r"[^\n]{0,400}?(?:response|Signature)=\\{0,3}\"?(?P<s>[0-9a-f]{32,64})",
        required=("digest ", "aws4-"),
        kind="signature",
    ),
    _build_context(
        "jwk", "kty", r"\\?\"(?:d|p|q|dp|dq|qi|k)\\?\"\s{0,2}:\s{0,2}\\?\"(?P<s>[A-Za-z0-9_-]{20,})", kind="private-key"
    ),
    _build_context(
        "seed-phrase",
        ("mnemonic", "phrase"),
        r"(?i:(?:mnemonic|(?:seed|recovery)[ _-]?phrase)['\"]?(?:\s{0,2}[:=]|\s)\s{0,2}['\"]?)(?P<s>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b",
    ),
    _build_context(
        "putty-key",
        "private-lines:",
        r"Private-Lines: \d{1,3}\r?\n(?P<s>(?:[A-Za-z0-9+/=]{4,80}+\r?\n?)+)",
        kind="private-key",
    ),
)
