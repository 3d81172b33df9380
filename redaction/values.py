"""What stands in the place of a secret: where it ends in the syntax around it, and whether it is one.

A value goes to the end of its token: to the closing quotation mark, or to the next blank. What is no secret is known by
its whole shape: a reference (``$VAR``, ``${VAR}``, ``{{ x }}``, ``<your-token>``, ``@file``), a word that stands for one,
a path, a number, or code, which is made of words and joined by the signs of code. A sign at its beginning says nothing:
generated passwords begin with any.
"""

from __future__ import annotations

import re

from mind_skills.redaction.lazy_pattern import compile_later

_LOOK = 64
"""Characters of a value that are judged."""
_SHORT = 128
"""Characters up to which the end of a value is sought before it is known to be one."""

# -- where it ends ----------------------------------------------------------------------------------------------------

_OPEN = compile_later(r"[rbfuRBFU$@]{0,2}(\\{0,7})([\"'`])")
_QUOTED = {
    quote: compile_later(
        rf"(?!{quote}[\s,;:)\]}}&|>])(?:[^{quote}\\\n]|\\[^\n]|{quote}\\{quote}{quote}|{quote}{quote}){{0,500}}+(?={quote})"
    )
    for quote in "\"'`"
}
"""The inside of quotation marks: a mark within is escaped, doubled, or as ``'\\''`` in a shell."""
_BARE = compile_later(rf"\S{{1,{_SHORT}}}+")
_REST = compile_later(r"\S*+")
_STOP = compile_later(
    r"&(?:amp;)?(?=[a-z][\w.%-]{2,30}=)|;\s?(?=[A-Za-z][A-Za-z ]{2,30}=)|,(?=[\"'][\w.-]+[\"']\s?:|[a-z_]{3,30}=)"
    r"|</(?=[A-Za-z])|\[redacted:|(?<!\\)\\[nr](?=[\w\"'\\-]|\Z)"
)
"""Where a value without quotation marks ends though no blank follows: the next parameter, a closing tag, a mark of ours."""
_AFTER = ".,;:)]}>\"'`\\。，、；"
_BEHIND = frozenset(" \t\r\n),;:]}>+") | {""}
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_LINE, _NAMED = 240, 24
_PARAMETER = compile_later(r"[?&][\w.%-]*\Z")
"""A name that is one of the parameters of an address."""


def end_of_quoted(text: str, at: int) -> tuple[int, int] | None:
    """Begin and end of what the quotation mark at ``at`` opens; None where none does, or it is not closed in its line."""
    opened = _OPEN.match(text, at)
    if opened is None:
        return None
    start, slashes, quote = opened.end(), len(opened[1]), opened[2]
    if not slashes:
        inside = _QUOTED[quote].match(text, start)
        stop = inside.end() if inside else _first(text, quote, start)
        return (start, stop) if stop >= 0 and not text[stop + 1 : stop + 2].isalnum() else None
    stop = start
    while (stop := _first(text, quote, stop)) >= 0:
        before = text[start:stop]
        run = len(before) - len(before.rstrip("\\"))
        if run % (2 * slashes + 2) == slashes or stop - start > 4 * _SHORT:
            return start, stop - min(run, slashes)
        stop += 1
    return None


def _first(text: str, quote: str, start: int) -> int:
    stop = text.find(quote, start, start + 4 * _SHORT)
    return -1 if stop < 0 or "\n" in text[start:stop] else stop


def closes(text: str, at: int, ends: int) -> bool:
    """Whether the quotation mark at ``at`` closes one that was opened before the name that ends at ``ends``."""
    opened = _OPEN.match(text, at)
    if opened is None or text[opened.end() : opened.end() + 1] not in _BEHIND:
        return False
    line = text.rfind("\n", max(0, ends - _LINE), ends) + 1 or max(0, ends - _LINE)
    mark = text[opened.start(1) : opened.end()]
    return (text.count(mark, line, ends) - text.count("\\" + mark, line, ends)) % 2 == 1


def end_of_bare(text: str, at: int, name_at: int) -> int:
    """Where a value without quotation marks of its own ends; ``name_at`` is where its name stands."""
    found = _BARE.match(text, at)
    if found is None:
        return at
    stop = found.end()
    if (cut := _STOP.search(text, at + 1, stop)) is not None:
        stop = cut.start()
    if text.startswith("[redacted:", at):
        return at
    if (parted := text.find("&", at, stop)) >= 0 and _PARAMETER.search(text, max(0, name_at - _NAMED), name_at):
        stop = parted
    for quote in "\"'`":
        if text.find(quote, at, stop) >= 0:
            stop = _outer_end(text, quote, at, stop, name_at)
    while stop > at and text[stop - 1] in _AFTER:
        opener = _PAIRS.get(text[stop - 1])
        if opener and opener in text[at:stop]:
            break
        stop -= 1
    return stop


def _outer_end(text: str, quote: str, at: int, stop: int, name_at: int) -> int:
    """Where the quotation marks end in which name and value stand together, if they do: the innermost that is open."""
    line = text.rfind("\n", max(0, name_at - _LINE), name_at) + 1 or max(0, name_at - _LINE)
    escaped = text.count("\\" + quote, line, name_at)
    plain = text.count(quote, line, name_at) - escaped
    if escaped % 2 == 0 and plain % 2 == 0:
        return stop
    inner = text.find(quote, at, stop)
    while inner >= 0:
        if text.startswith(f"{quote}\\{quote}{quote}", inner):  # as a shell writes one within its own
            inner = text.find(quote, inner + 4, stop)
        elif escaped % 2 == 0 and text[inner - 1] == "\\":
            inner = text.find(quote, inner + 1, stop)
        else:
            break
    stop = inner if inner >= 0 else stop
    while stop > at and text[stop - 1] == "\\":
        stop -= 1
    return stop


def end_of_long(text: str, at: int, stop: int) -> int:
    """Where a value without quotation marks ends that is longer than was looked at."""
    rest = _REST.match(text, stop) if stop - at >= _SHORT else None
    return rest.end() if rest is not None else stop


# -- whether it is one ------------------------------------------------------------------------------------------------

_WORD = compile_later(r"[A-Z][a-z]{2,}|[a-z]{3,}|[A-Z]{3,}|[^\W\d_a-zA-Z]{2,}")
_RUN = compile_later(
    r"(?<![A-Za-z])(?:[A-Z]{2,5}(?=[A-Z][a-z]))?[a-z]*(?:[A-Z][a-z]+)*[A-Z]{0,4}(?![A-Za-z])"
    r"|[A-Z]{3,}(?![A-Za-z])|[^\W\d_a-zA-Z]{2,}"
)
"""Letters in a row that are words side by side: small ones, capitals, or as in camelCase."""
_VOWEL = compile_later(r"[aeiouyAEIOUY]|[^\x00-\x7f]")
_RARE_PAIRS = (
    "ao b[kqvx] c[jxz] dz f[hjkqvwxz] g[jkqx] h[ghjqvwxz] i[hjwy] j[bcdfghjklmnpqrtvwxyz] k[jkqvxz] l[jqxz] m[jqvwxz] nz oq p[jqxz]"
    " q[bdefghjkmnopvwxyz] r[jqxz] s[jxz] t[jq] u[hjqvwxyz] v[dhjkqtuwxyz] w[gjkmquvyz] x[gjknqwz] y[hjkquxy] z[bdfghjklmnpqrstuvwxyz]"
)
"""Letters that seldom stand side by side: fewer than 1 in 12,000 pairs in the words of Python's library and of our pages."""
_UNLIKELY = compile_later(
    "|".join(f"[{pair[0]}{pair[0].upper()}]{pair[1:]}" for pair in _RARE_PAIRS.split())
    + "|[bcdfghjkmnpqrtvwxz]{5}|[aeiou]{4}"
)
_DIGITS = compile_later(r"[0-9]+")
_NUMBERED = compile_later(r"[A-Za-z][A-Za-z_.-]*[0-9]{1,4}\Z")
_ALONE = compile_later(r"(?<![A-Za-z0-9])[0-9]{1,4}(?![A-Za-z0-9])")
_INNER = compile_later(r"(?<=[A-Za-z])[0-9]{1,3}(?=[A-Za-z])")
"""A number within a word; hardly any text has two of them."""
_NAME = r"[A-Za-z_][\w.:-]*"
_INSIDE = compile_later(
    r"\$\{[^{}\n]{0,60}\}|\$\([^()\n]{0,60}\)|\{\{[^{}\n]{0,60}\}\}|#\{[^{}\n]{0,60}\}|%\([A-Za-z_]\w{0,60}\)[sd]|<%[^%\n]{0,60}%>"
    r"|\$[A-Za-z_]\w{0,60}|\{[a-z_][a-z_.]{0,60}\}|<[a-z][a-z _-]{0,60}>"
)
"""References within a value."""
_REFERENCE = compile_later(
    rf"\$(?:[A-Za-z_]\w*(?::[\w.]+)*|[0-9@*#?!$]|\{{[^\n]*\}}?|\([^\n]*|:?{_NAME})(?:->\w+|\[[^\]\n]*\]?)*"
    rf"|%(?:[A-Za-z_]\w*%|[sdrv]|\([A-Za-z_]\w*\)[sd])|![A-Za-z_]\w*!?|:[a-z_]+|:'[\w.]+'|\?"
    rf"|\{{\{{[^\n]*|\{{[%#][^\n]*|\{{(?:[A-Za-z_$][\w.$]*(?:\([^()]*\)|\[[^\[\]]*\])*)?\}}?|#\{{[^\n]*|<%[^\n]*"
    rf"|<[A-Za-z_$(?][\w $./|:()-]*>|<[a-z][a-z_-]*|\[[A-Za-z_][\w ./-]*\]|\[[a-z_]+"
    rf"|`[a-z_][a-z_./-]*(?: [^\n]*)?`?|\({{1,2}}[a-z_]+(?:\.[a-z_]+)*\){{0,2}}|\([a-z ]+"
    rf"|@(?:[\w~.-]*/[\w~./-]*|[\w-]+\.[a-z]{{2,4}}|\{{[^\n]*|env:\w+|-)"
    rf"|!(?:vault|Ref|Sub|GetAtt|ImportValue|Join|reference|env|secret|!(?:null|str|binary|python))\b.*|ENC\[.*"
    rf"|\[(?:FILTERED|REDACTED|redacted|MASKED)[^\n]*|\W{{0,3}}(?:\*{{3,}}|•{{3,}}|●{{3,}}|\.{{3,}}|…|#{{4,}}|-{{3,}}|_{{3,}}|[xX]{{3,}}\Z).*"
    rf"|(?:os\.environ|process\.env|import\.meta|ENV\[|env\(|getenv)[^\n]*|(?:op|vault|awssm|gcpsm|ssm|secretsmanager|file|https?)://?[^\n]*"
    rf"|arn:aws[\w-]*:[^\n]*|alias/[^\n]*|projects/[\w-]+/secrets/[^\n]*",
)
_MASK = "*•●xX.…#-_ "
_STANDS_FOR = compile_later(
    r"(?:<|\[)?(?:your|my|some|the|an?|example|sample|dummy|fake|test|change|replace|insert|enter|put|todo|placeholder|redacted|hidden|masked|new|old)"
    r"[_ -]?(?:own|db|api|secret|access|database|user|admin)?[_ -]?"
    r"(?:password|passwd|pass|passwort|token|secret|key|api|me|here|this|value|with|it|in|\Z)[\w -]*(?:>|\])?\Z"
    r"|\S*[_-]example\Z|(?:none|null|nil|undefined|true|false|yes|no|empty|required|optional|string|text|hidden|secret|default|changeit)\Z"
    r"|(?:[a-z0-9]{1,12}[_.-]){0,4}(?:pass(?:wor[dt]|wd|phrase|code|e)?s?|pwd?|contrase(?:ñ|n)a|senha|kennwort|пароль|secret|token|key)"
    r"(?:[_-]?(?:field|value|input|hash|file|name|reset|here))?[0-9]?\Z",
    re.IGNORECASE,
)
"""A word that stands for a secret, and a name of one."""
_PATH = compile_later(
    r"(?:\.{0,2}|~|[A-Za-z]:)[/\\]+(?:[\w.@ -]+[/\\]+)+[\w.@$ -]*|[A-Za-z]:\\{1,4}[\w.-]*|\.{1,2}/[\w./-]*|~/[\w./-]*|/[\w.-]+"
)
_NUMBER = compile_later(
    r"[\^~<>=!]{0,2}v?[0-9][0-9.,_:/x%+-]*(?:e[0-9]+|[a-z]{1,4}|[-.](?:alpha|beta|rc|dev)[0-9.]*)?|[0-9]{4}-[0-9]{2}-[0-9]{2}\S*"
)
_JOINS = compile_later(r"[A-Za-z0-9_./:@~-]+")
_CODE = compile_later(
    r"[!&*@~+-]{0,2}[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.|->|::|:|=>)[@$A-Za-z_][\w$]*)*"
    r"(?:[(\[<{?!|;,)\]}+][^\n]*|(?:\.|->|::)[^\n]*)"
    r"|[(\[{<][^\n]*|[\"'][^\n]*"
)
"""How code begins: a name, perhaps dotted, and then a call, an index, the next argument, or the end of a statement."""
_CALL = compile_later(r"[@$&*!]{0,2}[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[(\[{]|[a-z_]{2,}![(\[{]")
_BRIEF_CODE = compile_later(
    r"[\w$]+(?:\.[\w$]+)*(?:\([\w$., ]*\)?|\[[\w$.'\"+-]*\]?)+[;,)]*|[\w$]+(?:\.[\w$]+)*[;,)\]}!?]+"
)
_DOTTED = compile_later(r"[&*]{1,2}[A-Za-z_]\w*|[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.|->|::)[A-Za-z_$][\w$]*)+[!;,)?]*")
UUID = compile_later(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")


def in_words(value: str) -> bool:
    """Whether three fifths of the letters and digits belong to words of three letters or more."""
    if len(_INNER.findall(value)) > 1:
        return False
    runs = [
        run
        for run in _RUN.findall(value)
        if len(run) > 2 and not _UNLIKELY.search(run.lower() if run.isupper() else run)
    ]
    words = sum([len(word) for run in runs for word in _WORD.findall(run) if _VOWEL.search(word)])
    return 5 * words >= 3 * (sum(map(str.isalnum, value)) - sum(map(len, _ALONE.findall(value))))


def is_reference(value: str) -> bool:
    """Whether it refers to a secret that stands elsewhere, stands for one, or is a path or a number."""
    value = value[:_LOOK]
    return is_placeholder(value) or bool(_NUMBER.fullmatch(value) or _PATH.fullmatch(value))


def is_placeholder(value: str) -> bool:
    """Whether it refers to a secret that stands elsewhere or stands for one, by its whole shape."""
    value = value[:_LOOK]
    if _REFERENCE.fullmatch(value) or (len(value) < _LOOK and _STANDS_FOR.match(value)) or not value.strip(_MASK):
        return True
    if value.isalnum() or ("$" not in value and "{" not in value and "<" not in value and "%" not in value):
        return False
    rest, count = _INSIDE.subn("", value)
    # Of a generated password that happens to hold "$ab" more is left than words.
    return bool(count) and _clear(value, rest)


def _clear(value: str, rest: str) -> bool:
    named = sum(map(str.isalnum, value)) - sum(map(str.isalnum, rest))
    return named >= 3 and in_words(value) and not generated(rest)


def is_code(value: str) -> bool:
    """Whether an unquoted value is an expression: names of words joined by the signs of code, or a brief call."""
    head = value[:_LOOK]
    if len(head) <= 12 and _BRIEF_CODE.fullmatch(head):
        return True
    if _CALL.match(head):
        return True
    return (_CODE.match(head) is not None or _DOTTED.fullmatch(head) is not None) and in_words(head)


def generated(value: str) -> bool:
    """Whether a generator made it: letters and digits that are no words, or signs in between."""
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if not letters or (digits < 2 and len(value) < 8):
        return False
    if digits >= 2:
        return _NUMBERED.match(value) is None or len(value) >= 20
    if value.isidentifier() or (_JOINS.fullmatch(value)):
        return len(value) >= 20 and value.lower() != value != value.upper() and not set("_.-/:") & set(value)
    return _NUMBERED.match(value) is None


def _is_variable(value: str) -> bool:
    """Whether it might be the name of a variable: a generated key is full of digits, or long and no words."""
    return value.isidentifier() and len(_DIGITS.findall(value)) < 3 and (len(value) < 20 or in_words(value[:_LOOK]))


def is_token(value: str, *, literal: bool) -> bool:
    """Whether the value under the name of a token or a key is one; ``literal`` where it cannot be the name of a variable."""
    head = value[:_LOOK]
    if len(value) >= 8 and head.isalnum() and len(_INNER.findall(head)) > 2:
        return True
    if len(value) < 8 or is_reference(head) or UUID.fullmatch(value):
        return False
    if not literal and (is_code(value) or _is_variable(value)):
        return False
    if in_words(head) and not any(
        len(part) >= 16 and generated(part) and not in_words(part) for part in re.split(r"\W|_", head)
    ):
        return False
    return generated(head)


def is_password(value: str, *, quoted: bool, environment: bool, glued: bool) -> bool:
    """Whether the value under the name of a password is one.

    ``environment``: the name is in capitals and the value directly behind it; ``glued``: no blank stands between them.
    """
    head = value[:_LOOK]
    if len(value) >= 6 and head.isalnum() and len(_INNER.findall(head)) > 2:
        return True
    if len(value) < 6 or is_reference(head):
        return False
    if quoted:
        return " " not in head or (not in_words(head) and generated(head))
    if is_code(value):
        return False
    if value.isidentifier():
        return any(map(str.isdigit, head)) or environment
    return glued or any(map(str.isdigit, head)) or not in_words(head)
