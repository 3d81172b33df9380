"""Determines where a value ends in the surrounding syntax, and whether it is a secret.

A value extends to the closing quotation mark or, if unquoted, at most to the next whitespace. Values that are not secrets are recognised by
their entire form: references (``$VAR``, ``${VAR}``, ``{{ x }}``, ``<your-token>``, ``@file``), placeholders, paths, numbers, and code,
which consists of words joined by code symbols. The first symbol alone is not evidence, because a generated password may begin with any
symbol.
"""

from __future__ import annotations

import re
from functools import lru_cache

from mind_skills.redaction.lazy_pattern import compile_lazily

_MAX_JUDGED_LENGTH = 64
"""Number of characters at the beginning of a value by which it is classified."""
_MAX_BARE_LENGTH = 128
"""Maximum length of an unquoted value while it is classified. Afterwards, ``find_long_end`` finds its actual end."""

# -- where a value ends -----------------------------------------------------------------------------------------------

_OPENING_QUOTE = compile_lazily(r"[rbfuRBFU$@]{0,2}(\\{0,7})([\"'`])")
_QUOTED = {
    quote: compile_lazily(
        rf"(?!{quote}[\s,;:)\]}}&|>])(?:[^{quote}\\\n]|\\[^\n]|{quote}\\{quote}{quote}|{quote}{quote}){{0,500}}+(?={quote})"
    )
    for quote in "\"'`"
}
r"""The content of quotation marks. A quotation mark in the content is escaped, doubled, or written as ``'\''`` in a shell."""
_BARE_VALUE = compile_lazily(rf"\S{{1,{_MAX_BARE_LENGTH}}}+")
_REST = compile_lazily(r"\S*+")
_BARE_END = compile_lazily(
    r"&(?:amp;)?(?=[a-z][\w.%-]{2,30}=)|;\s?(?=[A-Za-z][A-Za-z ]{2,30}=)|,(?=[\"'][\w.-]+[\"']\s?:|[a-z_]{3,30}=)"
    r"|</(?=[A-Za-z])|\[redacted:|(?<!\\)\\[nr](?=[\w\"'\\-]|\Z)"
)
"""What ends an unquoted value, other than whitespace: the next field, a closing tag, a redaction marker, an escaped line end."""
_TRAILING_SYMBOLS = ".,;:)]}>\"'`\\。，、；"
_CHARACTERS_AFTER_QUOTE = frozenset(" \t\r\n),;:]}>+") | {""}
_BRACKETS = {")": "(", "]": "[", "}": "{", ">": "<"}
_MAX_LINE_LENGTH, _MAX_NAME_LENGTH = 240, 24
_PARAMETER = compile_lazily(r"[?&][\w.%-]*\Z")
"""The text before a name that is a query parameter."""


def find_quoted_span(text: str, index: int) -> tuple[int, int] | None:
    """Return the start and end of the text after the opening quotation mark at ``index``.

    The result is None if there is no quotation mark, if it is not closed on its line within about 500 characters, or if a letter or
    digit follows the closing quotation mark (unless the marks are escaped).
    """
    opening = _OPENING_QUOTE.match(text, index)
    if opening is None:
        return None
    start, slashes, quote = opening.end(), len(opening[1]), opening[2]
    if not slashes:
        content = _QUOTED[quote].match(text, start)
        stop = content.end() if content else _find_quote(text, quote, start)
        return (start, stop) if stop >= 0 and not text[stop + 1 : stop + 2].isalnum() else None
    stop = start
    while (stop := _find_quote(text, quote, stop)) >= 0:
        text_before = text[start:stop]
        trailing_slashes = len(text_before) - len(text_before.rstrip("\\"))
        if trailing_slashes % (2 * slashes + 2) == slashes or stop - start > 4 * _MAX_BARE_LENGTH:
            return start, stop - min(trailing_slashes, slashes)
        stop += 1
    return None


def _find_quote(text: str, quote: str, start: int) -> int:
    """Return the index of the next quotation mark on the line, or -1 if there is none within the limit."""
    stop = text.find(quote, start, start + 4 * _MAX_BARE_LENGTH)
    return -1 if stop < 0 or "\n" in text[start:stop] else stop


def closes_quote(text: str, index: int, name_end: int) -> bool:
    """Return whether the quotation mark at ``index`` closes one that was opened before ``name_end``, the end of the name."""
    opening = _OPENING_QUOTE.match(text, index)
    if opening is None or text[opening.end() : opening.end() + 1] not in _CHARACTERS_AFTER_QUOTE:
        return False
    line = text.rfind("\n", max(0, name_end - _MAX_LINE_LENGTH), name_end) + 1 or max(0, name_end - _MAX_LINE_LENGTH)
    mark = text[opening.start(1) : opening.end()]
    return (text.count(mark, line, name_end) - text.count("\\" + mark, line, name_end)) % 2 == 1


def find_bare_end(text: str, start: int, name_start: int) -> int:
    """Return the end of the unquoted value at ``start``. ``name_start`` is the index at which the value's name starts."""
    match = _BARE_VALUE.match(text, start)
    if match is None:
        return start
    stop = match.end()
    if (cut := _BARE_END.search(text, start + 1, stop)) is not None:
        stop = cut.start()
    if text.startswith("[redacted:", start):
        return start
    if (ampersand := text.find("&", start, stop)) >= 0 and _PARAMETER.search(
        text, max(0, name_start - _MAX_NAME_LENGTH), name_start
    ):
        stop = ampersand
    for quote in "\"'`":
        if text.find(quote, start, stop) >= 0:
            stop = _find_outer_quote(text, quote, start, stop, name_start)
    while stop > start and text[stop - 1] in _TRAILING_SYMBOLS:
        opener = _BRACKETS.get(text[stop - 1])
        if opener and opener in text[start:stop]:
            break
        stop -= 1
    return stop


def _find_outer_quote(text: str, quote: str, start: int, stop: int, name_start: int) -> int:
    """Return the end of the innermost quotation marks around both the name and the value, or ``stop`` if there are none."""
    line_start = text.rfind("\n", max(0, name_start - _MAX_LINE_LENGTH), name_start) + 1 or max(
        0, name_start - _MAX_LINE_LENGTH
    )
    escaped = text.count("\\" + quote, line_start, name_start)
    plain = text.count(quote, line_start, name_start) - escaped
    if escaped % 2 == 0 and plain % 2 == 0:
        return stop
    inner = text.find(quote, start, stop)
    while inner >= 0:
        if text.startswith(f"{quote}\\{quote}{quote}", inner):  # a quotation mark within shell quotes
            inner = text.find(quote, inner + 4, stop)
        elif escaped % 2 == 0 and text[inner - 1] == "\\":
            inner = text.find(quote, inner + 1, stop)
        else:
            break
    stop = inner if inner >= 0 else stop
    while stop > start and text[stop - 1] == "\\":
        stop -= 1
    return stop


def find_long_end(text: str, start: int, stop: int) -> int:
    """Return the actual end of an unquoted value: ``stop``, unless the value has at least ``_MAX_BARE_LENGTH`` characters."""
    rest = _REST.match(text, stop) if stop - start >= _MAX_BARE_LENGTH else None
    return rest.end() if rest is not None else stop


# -- how random a value looks -------------------------------------------------------------------------------------------

_COMMON_PAIRS = frozenset(
    """ab ac ad ag ai al am an ap ar as at au ba be bl bo bu ca ce ch ci ck cl co cr ct cu da de di do ds du ea ec ed ee
    ef eg el em en ep er es et ev ex fa fe ff fi fo fr fu ge gh gi gs ha he hi ho ia ib ic id ie if ig il im in io ip ir is
    it iv ke la ld le li ll lo ls lt lu ly ma me mi mo mp na nc nd ne ng ni no ns nt nu oc od ol om on oo op or os ot ou ov
    ow pa pe pi pl po pp pr pt qu ra rc rd re rg ri rm rn ro rr rs rt ru ry sa sc se sh si so sp ss st su ta te th ti to tr
    ts tt tu ty ue ul um un up ur us ut va ve vi wa wh wi xc xt yt ze""".split()
)
"""The 180 pairs that make up 88 % of all pairs in the words of CPython's standard library (counted in version 3.11)."""
_MIN_PAIRS = 8
"""Minimum number of pairs by which a token can be classified."""


def _combine_letters(first: str, second: str) -> set[str]:
    return {left + right for left in first for right in second}


_LOWER, _UPPER, _NUMERALS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
_ALL_PAIRS = frozenset(_combine_letters(_LOWER + _UPPER + _NUMERALS, _LOWER + _UPPER + _NUMERALS))
_EXPLAINED_PAIRS = frozenset(
    _combine_letters(_NUMERALS, _NUMERALS)
    | {pair for pair in _combine_letters(_LOWER + _UPPER, _LOWER + _UPPER) if pair.lower() in _COMMON_PAIRS}
    - _combine_letters(_LOWER, _UPPER)
)
_CAMEL_CASE = compile_lazily(r"[a-z][A-Z](?=[a-z])")
"""A camelCase boundary."""


def compute_explained_share(token: str, min_pairs: int = _MIN_PAIRS) -> float:
    """Return the share (0 to 1) of explained pairs among a token's letter and digit pairs; 1 if there are fewer than ``min_pairs``."""
    adjacent = list(map(str.__add__, token, token[1:]))
    pairs = sum(map(_ALL_PAIRS.__contains__, adjacent))
    if pairs < min_pairs:
        return 1.0
    return (sum(map(_EXPLAINED_PAIRS.__contains__, adjacent)) + len(_CAMEL_CASE.findall(token))) / pairs


_CASE_CHANGE = compile_lazily(r"[a-z](?=[A-Z])|[A-Z](?=[a-z])")
_MIN_MIXED_LENGTH, _MIN_CASE_CHANGES, _MAX_MIXED_SHARE = 16, 0.28, 0.5
"""Minimum length of random letters, and the limits for the shares of their pairs in which the case changes, and which are explained:
12 of 38,585 long names in sessions and in Python's library were taken for random letters, and 6 % of random ones of 24 were missed."""


@lru_cache(512)
def is_mixed_letters(value: str) -> bool:
    """Return whether a value consists of random letters of both cases, which may contain no digit by chance."""
    return (
        len(value) >= _MIN_MIXED_LENGTH
        and value.isalpha()
        and value.isascii()
        and len(_CASE_CHANGE.findall(value)) >= _MIN_CASE_CHANGES * len(value)
        and compute_explained_share(value) <= _MAX_MIXED_SHARE
    )


# -- whether a value is a secret --------------------------------------------------------------------------------------

_WORD = compile_lazily(r"[A-Z][a-z]{2,}|[a-z]{3,}|[A-Z]{3,}|[^\W\d_a-zA-Z]{2,}")
_LETTER_RUN = compile_lazily(
    r"(?<![A-Za-z])(?:[A-Z]{2,5}(?=[A-Z][a-z]))?[a-z]*(?:(?:ID|API|URL|HTTP|JSON|UI|DB|SQL|SSH|TLS|JWT)?[A-Z][a-z]+)*[A-Z]{0,4}(?![A-Za-z])"
    r"|[A-Z]{3,}(?![A-Za-z])|[^\W\d_a-zA-Z]{2,}"
)
"""A run of letters that may be words: in lower case, upper case, or camelCase."""
_VOWEL = compile_lazily(r"[aeiouyAEIOUY]|[^\x00-\x7f]")
_RARE_PAIRS = (
    "ao b[kqvx] c[jxz] dz f[hjkqvwxz] g[jkqx] h[ghjqvwxz] i[hjwy] j[bcdfghjklmnpqrtvwxyz] k[jkqvxz] l[jqxz] m[jqvwxz] nz oq p[jqxz]"
    " q[bdefghjkmnopvwxyz] r[jqxz] s[jxz] t[jq] u[hjqvwxyz] v[dhjkqtuwxyz] w[gjkmquvyz] x[gjknqwz] y[hjkquxy] z[bdfghjklmnpqrstuvwxyz]"
)
"""Rare letter pairs: fewer than 1 in 12,000 pairs in the words of Python's standard library and of our documentation."""
_UNLIKELY = compile_lazily(
    "|".join(f"[{pair[0]}{pair[0].upper()}]{pair[1:]}" for pair in _RARE_PAIRS.split())
    + "|[bcdfghjkmnpqrtvwxz]{5}|(?<!q)[aeiou]{4}"
)
_DIGITS = compile_lazily(r"[0-9]+")
_NUMBERED = compile_lazily(r"[A-Za-z][A-Za-z_.-]*[0-9]{1,4}\Z")
_SEPARATE_NUMBER = compile_lazily(r"(?<![A-Za-z0-9])[0-9]{1,4}(?![A-Za-z0-9])")
_INNER_NUMBER = compile_lazily(r"(?<=[A-Za-z])[0-9]{1,3}(?=[A-Za-z])")
"""A number within a word. Hardly any name contains two such numbers."""
_NAME = r"[A-Za-z_][\w.:-]*"
_EMBEDDED_REFERENCE = compile_lazily(
    r"\$\{[^{}\n]{0,60}\}|\$\([^()\n]{0,60}\)|\{\{[^{}\n]{0,60}\}\}|#\{[^{}\n]{0,60}\}|%\([A-Za-z_]\w{0,60}\)[sd]|<%[^%\n]{0,60}%>"
    r"|\$(?:(?<![A-Za-z0-9]\$)[A-Z][a-z]|[a-z_]|[A-Z](?![a-z]))\w{0,60}|\{[a-z_][a-z_.]{0,60}\}|<[a-z][a-z _-]{0,60}>"
)
"""References within a value."""
_REFERENCE = compile_lazily(
    rf"\$(?:[A-Za-z_]\w*(?::[\w.]+)*|[0-9@*#?!$]|\{{[^\n]*\}}?|\([^\n]*|:?{_NAME})(?:->\w+|\.[A-Za-z_]\w*|\[[^\]\n]*\]?)*"
    rf"|%(?:[A-Za-z_]\w*%|[sdrv]|\([A-Za-z_]\w*\)[sd])|![A-Za-z_]\w*!?|:[a-z_]+|:'[\w.]+'|\?"
    rf"|\{{\{{[^\n]*|\{{[%#][^\n]*|\{{(?:[A-Za-z_$][\w.$]*(?:\([^()]*\)|\[[^\[\]]*\])*)?\}}?|#\{{[^\n]*|<%[^\n]*"
    rf"|<[A-Za-z_$(?][\w $./|:()-]*>|<[a-z][a-z_-]*|\[[A-Za-z_][\w ./-]*\]|\[[a-z_]+"
    rf"|`[a-z_][a-z_./-]*(?: [^\n]*)?`?|\({{1,2}}[a-z_]+(?:\.[a-z_]+)*\){{0,2}}|\([a-z ]+"
    rf"|@(?:[\w~.-]*/[\w~./-]*|[\w-]+\.[a-z]{{2,4}}|\{{[^\n]*|env:\w+|-)"
    rf"|!(?:vault|Ref|Sub|GetAtt|ImportValue|Join|reference|env|secret|!(?:null|str|binary|python))\b.*|ENC\[.*"
    rf"|\[(?:FILTERED|REDACTED|redacted|MASKED)[^\n]*|\W{{0,3}}(?:\*{{3,}}|•{{3,}}|●{{3,}}|\.{{3,}}|…|#{{4,}}|-{{3,}}|_{{3,}}"
    rf"|[xX]{{3,}}\Z).*"
    rf"|(?:os\.environ|process\.env|import\.meta|ENV\[|env\(|getenv)[^\n]*|(?:op|vault|awssm|gcpsm|ssm|secretsmanager|file"
    rf"|https?)://?[^\n]*"
    rf"|arn:aws[\w-]*:[^\n]*|alias/[^\n]*|projects/[\w-]+/secrets/[^\n]*",
)
_MASK_CHARACTERS = "*•●xX.…#-_ "
_PLACEHOLDER = compile_lazily(
    r"(?:<|\[)?(?:your|my|some|the|an?|example|sample|dummy|fake|test|change|replace|insert|enter|put|todo|placeholder|redacted|hidden"
    r"|masked|new|old)"
    r"[_ -]?(?:own|db|api|secret|access|database|user|admin)?[_ -]?"
    r"(?:password|passwd|pass|passwort|token|secret|key|api|me|here|this|value|with|it|in|\Z)[\w -]*(?:>|\])?\Z"
    r"|\S*[_-]example\Z|(?:none|null|nil|undefined|true|false|yes|no|empty|required|optional|string|text|hidden|secret|default|latest"
    r"|changeit)\Z"
    r"|(?:[a-z0-9]{1,12}[_.-]){0,4}(?:pass(?:wor[dt]|wd|phrase|code|e)?s?|pwd?|contrase(?:ñ|n)a|senha|kennwort|пароль|secret|token|key)"
    r"(?:[_-]?(?:field|value|input|hash|file|name|reset|here))?[0-9]?\Z",
    re.IGNORECASE,
)
"""Words that are written in the place of a secret, and names of secrets."""
_PATH = compile_lazily(
    r"(?:\.{0,2}|~|[A-Za-z]:)[/\\]+(?:[\w.@ -]+[/\\]+)+[\w.@$ -]*|[A-Za-z]:\\{1,4}[\w.-]*|\.{1,2}/[\w./-]*|~/[\w./-]*|/[\w.-]+"
    r"|[\w.-]+(?:/[\w.-]+)+\.[a-z]{1,5}:[0-9]{1,6}(?::\S*)?"
)
"""A path, or a file with the number of a line as ``grep -n`` prints it."""
_NUMBER = compile_lazily(
    r"[\^~<>=!]{0,2}v?[0-9][0-9.,_:/x%+-]*(?:e[0-9]+|[a-z]{1,4}|[-.](?:alpha|beta|rc|dev)[0-9.]*)?|[0-9]{4}-[0-9]{2}-[0-9]{2}\S*"
)
_NAME_CHARACTERS = compile_lazily(r"[A-Za-z0-9_./:@~-]+")
_CODE = compile_lazily(
    r"[!&*@~+-]{0,2}[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.|->|::|:|=>)[@$A-Za-z_][\w$]*)*"
    r"(?:[(\[<{|;,)\]}+][^\n]*|[?!](?=[.(\[{<)\];,=:?]|\Z)(?<![0-9]{2}[?!])[^\n]*|\?[^\n]*:[^\n]*|(?:\.(?![0-9])|->|::)[^\n]*)"
    r"|[(\[{<][^\n]*|[\"'][^\n]*"
)
"""The beginning of code: a bracket, a quotation mark, or a name, possibly dotted, then a call, index or punctuation."""
_REGULAR_EXPRESSION = compile_lazily(r"\\[wWdDsSb](?![A-Za-z])|\[\^|a-z|A-Z|0-9\]|0-9_")
"""What regular expressions contain, and hardly any password."""
_TYPE = compile_lazily(
    r"[A-Za-z_]\w{2,40}\([\w.,=\[\]]*\)?|[A-Za-z_]\w*<[A-Za-z_][\w:, <>*&]*|[A-Za-z_][\w.]*(?:Key|Token|Secret|Password|Credentials?)"
)
"""A type, as in ``key: x25519.X25519PrivateKey``, or a call."""
_CALL = compile_lazily(r"[@$&*!]{0,2}[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[(\[{]|[a-z_]{2,}![(\[{]")
_BRIEF_CODE = compile_lazily(
    r"[\w$]+(?:\.[\w$]+)*(?:\([\w$., ]*\)?|\[[\w$.'\"+-]*\]?)+[;,)]*|[\w$]+(?:\.[\w$]+)*(?:[;,)\]}]+|(?<![0-9]{2})[!?]+[;,)\]}]*)"
)
_DOTTED = compile_lazily(r"[&*]{1,2}[A-Za-z_]\w*|[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.|->|::)[A-Za-z_$][\w$]*)+[!;,)?]*")
_CHOSEN = compile_lazily(
    r"(?=[^A-Za-z]*[A-Za-z])(?=[^0-9]*[0-9])(?=[^!@#$%^&*?]*[!@#$%^&*?])[A-Za-z0-9!@#$%^&*?._-]{8,32}"
)
_KEY_DIGITS = compile_lazily(
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
    r"|(?:0[xX](?![0-9a-fA-F]{40}\Z))?(?=[0-9]*[a-fA-F])(?=[a-fA-F]*[0-9])[0-9a-fA-F]{32,128}"
)
"""A UUID, or as many hexadecimal digits as keys and digests have, but not the address of a contract or account."""
_PUBLIC_ADDRESS = compile_lazily(r"0[xX][0-9a-fA-F]{40}")
_IDENTIFIER = compile_lazily(
    r"[@v]?(?:[A-Za-z]{1,24}[0-9]{0,4}|[0-9]{1,12}[a-z]{0,2})(?:(?:[-_./:+]|@(?=v?[0-9]+\.))(?:[A-Za-z]{1,24}[0-9]{0,4}"
    r"|[0-9]{1,12}[a-z]{0,2}))+"
)
_LETTERS = compile_lazily(r"[A-Za-z]{5,}")
_BASE64 = compile_lazily(r"(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])[A-Za-z0-9+/]{24,}={0,2}")
_URL_SAFE = compile_lazily(
    r"(?=[^_-]*[_-])(?=[^0-9]*[0-9][^0-9]*[0-9])(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])[A-Za-z0-9_-]{21,}={0,2}"
)
_MIN_CAPITALS = 0.34
"""Minimum share of capitals, and of small letters, in the letters of random base64 that has words by chance."""


@lru_cache(512)
def is_wordlike(value: str) -> bool:
    """Return whether words of at least 3 letters make up at least 60 % of the letters and digits, not counting separate numbers.

    The result is False if more than one number is within a word.
    """
    if len(_INNER_NUMBER.findall(value)) > 1:
        return False
    runs = [
        run
        for run in _LETTER_RUN.findall(value.replace("Jwt", "Token").replace("jwt", "token"))
        if len(run) > 2 and not _UNLIKELY.search(run.lower() if run.isupper() else run)
    ]
    words = sum([len(word) for run in runs for word in _WORD.findall(run) if _VOWEL.search(word)])
    return 5 * words >= 3 * (sum(map(str.isalnum, value)) - sum(map(len, _SEPARATE_NUMBER.findall(value))))


@lru_cache(512)
def is_reference(value: str) -> bool:
    """Return whether the entire value has the form of a reference, a placeholder, a path or a number."""
    value = value[:_MAX_JUDGED_LENGTH]
    return (
        is_placeholder(value)
        or is_public_address(value)
        or bool(_NUMBER.fullmatch(value) or _PATH.fullmatch(value) or _REGULAR_EXPRESSION.search(value))
    )


def is_placeholder(value: str) -> bool:
    """Return whether the entire value has the form of a reference or a placeholder, or mostly consists of references."""
    value = value[:_MAX_JUDGED_LENGTH]
    if (
        _REFERENCE.fullmatch(value)
        or (len(value) < _MAX_JUDGED_LENGTH and _PLACEHOLDER.match(value))
        or not value.strip(_MASK_CHARACTERS)
    ):
        return True
    if value.isalnum() or ("$" not in value and "{" not in value and "<" not in value and "%" not in value):
        return False
    rest = _EMBEDDED_REFERENCE.sub("", value)
    reference_length = sum(map(str.isalnum, value)) - sum(map(str.isalnum, rest))
    # A generated password may happen to contain "$ab", but the rest of it does not consist of words.
    return reference_length >= 3 and is_wordlike(value) and not is_generated(rest)


def is_code(value: str) -> bool:
    """Return whether an unquoted value is an expression: words joined by code symbols, a call, or short code."""
    head = value[:_MAX_JUDGED_LENGTH]
    if len(head) <= 12 and _BRIEF_CODE.fullmatch(head):
        return True
    if _CALL.match(head) or _TYPE.fullmatch(head):
        return True
    return (_CODE.match(head) is not None or _DOTTED.fullmatch(head) is not None) and is_wordlike(head)


def is_chosen(value: str) -> bool:
    """Return whether a value has the form of many passwords that people choose: letters, digits, and a symbol that names do not have."""
    return _CHOSEN.fullmatch(value) is not None


def is_digits(value: str) -> bool:
    """Return whether a value is a UUID or consists of 32 to 128 hexadecimal digits, so that only its label tells a key from an id."""
    return _KEY_DIGITS.fullmatch(value) is not None


def is_public_address(value: str) -> bool:
    """Return whether a value is the address of a contract or an account."""
    return _PUBLIC_ADDRESS.fullmatch(value) is not None


def is_identifier(value: str) -> bool:
    """Return whether a value consists of words and numbers with symbols between them: ``SHOP-12``, ``v1.2.3-rc.1``, ``feature/api-2``."""
    return _IDENTIFIER.fullmatch(value) is not None and all(map(is_wordlike, _LETTERS.findall(value)))


def is_base64(value: str) -> bool:
    """Return whether a value is random data in base64, which may look like a path because of its slashes, or random letters."""
    if is_mixed_letters(value):
        return True
    if _URL_SAFE.fullmatch(value) is not None:
        return not is_wordlike(value) and compute_explained_share(value) <= _MAX_MIXED_SHARE
    if _BASE64.fullmatch(value) is None or is_public_address(value):
        return False
    digits, unlikely_pairs = sum(map(str.isdigit, value)), len(_UNLIKELY.findall(value))
    capitals = sum(map(str.isupper, value)) / sum(map(str.isalpha, value))
    # In camelCase, one letter in five is a capital.
    if _MIN_CAPITALS <= capitals <= 1 - _MIN_CAPITALS and digits + unlikely_pairs > 0 and len(value) - digits > 16:
        return True
    return not is_wordlike(value) and (digits > 1 or unlikely_pairs > 1)


def is_generated(value: str) -> bool:
    """Return whether a value looks randomly generated, judging by digits, symbols, length and case only, not by the words in it."""
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if not letters or (digits < 2 and len(value) < 8):
        return False
    if digits >= 2:
        return _NUMBERED.match(value) is None or len(value) >= 20
    if value.isidentifier() or (_NAME_CHARACTERS.fullmatch(value)):
        return len(value) >= 20 and value.lower() != value != value.upper() and not set("_.-/:") & set(value)
    return _NUMBERED.match(value) is None


def _is_variable(value: str) -> bool:
    """Return whether a value may be a variable. A generated key contains several numbers, or is long and contains no words."""
    return (
        value.isidentifier()
        and len(_DIGITS.findall(value)) < 3
        and (len(value) < 20 or is_wordlike(value[:_MAX_JUDGED_LENGTH]))
    )


def is_setting(value: str) -> bool:
    """Return whether a value in a place for secrets is one, rather than a word, an address, a path or a number."""
    if is_digits(value) or is_base64(value) or is_chosen(value):
        return True
    head = value[:_MAX_JUDGED_LENGTH]
    is_harmless = is_reference(head) or is_identifier(head) or is_wordlike(head) or "://" in head
    return len(value) >= 6 and not is_harmless and any(map(str.isalpha, head)) and not head.isalpha()


def _is_scrambled(value: str, *, is_literal: bool) -> bool:
    """Return whether a value with a single number consists of letters that form no words. A variable may have some such letters."""
    if len(value) < _MIN_SCRAMBLED_LENGTH or not value.isalnum() or not any(map(str.isdigit, value)):
        return False
    return is_literal or _UNLIKELY.search(value.lower()) is not None


_MIN_SCRAMBLED_LENGTH = 14


def is_token(value: str, *, is_literal: bool) -> bool:
    """Return whether the value of a name like ``token`` or ``key`` is a secret. If ``is_literal``, it cannot be a variable."""
    head = value[:_MAX_JUDGED_LENGTH]
    if len(value) >= 8 and head.isalnum() and len(_INNER_NUMBER.findall(head)) > 2:
        return not is_public_address(value)
    if len(value) < 8 or is_reference(head):
        return False
    is_scrambled = not is_wordlike(head) and _is_scrambled(value, is_literal=is_literal)
    if not is_literal and (is_code(value) or (_is_variable(value) and not is_scrambled)):
        return False
    if is_wordlike(head) and not any(
        len(part) >= 16 and is_generated(part) and not is_wordlike(part) for part in re.split(r"\W|_", head)
    ):
        return False
    return is_generated(head) or is_scrambled


def is_password(value: str, *, is_quoted: bool, is_env_assignment: bool, is_unspaced: bool) -> bool:
    """Return whether the value of a name like ``password`` is a secret.

    If ``is_env_assignment``, the name is in upper case and only ``=`` separates it from the value, as in an environment file. If
    ``is_unspaced``, the separator contains no whitespace and is not just a colon.
    """
    head = value[:_MAX_JUDGED_LENGTH]
    if len(value) >= 6 and head.isalnum() and len(_INNER_NUMBER.findall(head)) > 2:
        return not is_public_address(value)
    if len(value) < 6 or is_reference(head):
        return False
    if is_quoted:
        return " " not in head or (not is_wordlike(head) and is_generated(head))
    if is_code(value):
        return False
    if value.isidentifier():
        return any(map(str.isdigit, head)) or is_env_assignment
    return is_unspaced or any(map(str.isdigit, head)) or not is_wordlike(head)
