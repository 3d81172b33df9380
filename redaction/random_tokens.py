"""Recognises generated tokens, and finds long ones near words that announce a secret, if no other rule recognises them.

Generated tokens contain few of the character pairs that occur in words. A pair of adjacent letters or digits is called explained if
it is common in names: two digits, two letters that often follow each other, or the boundary between two words in camelCase. The share
of explained pairs is usually above 0.6 in names, paths and versions, and below 0.45 in tokens. ``MAX_EXPLAINED_SHARE`` was chosen on
one half of the strings that benchmarks/random_tokens.py generates and collects; docs/security.md reports the errors on the other half.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mind_skills.redaction.lazy_pattern import compile_lazily

_CODE_WORDS = (
    "access backup recovery unlock security login invit\\w* activation licen[cs]e pairing verification".split()
)
_KEY_WORDS = """
    api app access priv auth client cookie crypt\\w* deploy encrypt\\w* fernet functions? hash hmac jwt licen[cs]e master private secret
    service session shared sign\\w* storage account subscription wg psk
""".split()
_SHORT_WORDS = "otp totp pin jwt sid hmac salt pepper seed".split()
_ENGLISH_WORDS = (
    *(r"pass(?!ed|ing|ive|enger|port|es\b)", r"p(?<!\wp)w", r"pwd", r"p[as]?s?s?wo?r?d", r"p(?<!\wp)sw"),
    *("secret", "token", "credential", "bearer", r"c(?<![a-z]c)red", "nickserv", r"identif(?:y|ied)\b"),
    *(
        r"a(?<![a-z]a)uth(?!or)",
        "authori[sz]ation",
        "psk",
        "wpa",
        "vnc",
        "unlock",
        r"logi?n\b",
        "log[ -]?in",
        "sign[ -]?in",
    ),
    *(f"{word[0]}(?<![a-z]{word[0]}){word[1:]}(?![a-z])" for word in _SHORT_WORDS),
    *("mnemonic", "cookie"),
    *(f"{word}[ _-]?codes?" for word in _CODE_WORDS),
    *(f"{word}[ _.-]?keys?" for word in _KEY_WORDS),
)
_LATIN_WORDS = r"""
    kennw passwor[dt] zugang losung schlüssel schluessel mot\sde\spasse m(?<!\wm)dp\b clé(?![a-z]) identifiant contrase contrasi
    contrasen llave c(?<!\wc)laves?\b senha c(?<!\wc)haves? palavra-passe parol chiav wachtw sleutel toegangsc has[łl]\w klucz şifre sifre
    anahtar lösen losen nyckel adgangsk nøgle passord kodeord salasan avain heslo klíč kľúč jelsz kulcs cheie lozink geslo
    slapta raktas parool salasõna lykilor fjalëkalim pasahitz cyfrinair pasfhocal nenosiri pasvort mật\skhẩu
    kata\s(?:sandi|laluan|kunci)
"""
_OTHER_SCRIPT_WORDS = r"""
    κωδικ συνθηματ κλειδ парол лозинк ключ секрет токен құпия сырсөз нууц գաղտն პაროლ
    كلمة\s(?:ال)?(?:مرور|سر) رمز\sعبور گذرواژه پاس\s?ورڈ סיסמ מפתח
    पासवर्ड कूटशब्द संकेतशब्द পাসওয়ার্ড கடவுச் పాస్ รหัส စကားဝှက် ລະຫັດ ពាក្យសម្ងាត់
    密 秘 口令 令牌 授权码 授權碼 凭证 憑證 验证码 パス トークン 暗証 合言葉 鍵 비밀번호 암호 패스워드 토큰 인증
"""


def _group_by_first_letter(words: Iterable[str]) -> str:
    """Return an alternation of the words, grouped by first letter, so that one failed comparison rejects all words of a group."""
    heads: dict[str, list[str]] = {}
    for word in words:
        heads.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{head}(?:{'|'.join(rests)})" for head, rests in heads.items())


ANNOUNCEMENT = compile_lazily(
    _group_by_first_letter([*_ENGLISH_WORDS, *_LATIN_WORDS.split(), *_OTHER_SCRIPT_WORDS.split()])
)
"""A word that announces a secret, to be searched for in lower-case text."""


MAX_EXPLAINED_SHARE = 0.50
"""Maximum share of explained pairs in a generated token."""
_COMMON_PAIRS = frozenset(
    """ab ac ad ag ai al am an ap ar as at au ba be bl bo bu ca ce ch ci ck cl co cr ct cu da de di do ds du ea ec ed ee
    ef eg el em en ep er es et ev ex fa fe ff fi fo fr fu ge gh gi gs ha he hi ho ia ib ic id ie if ig il im in io ip ir is
    it iv ke la ld le li ll lo ls lt lu ly ma me mi mo mp na nc nd ne ng ni no ns nt nu oc od ol om on oo op or os ot ou ov
    ow pa pe pi pl po pp pr pt qu ra rc rd re rg ri rm rn ro rr rs rt ru ry sa sc se sh si so sp ss st su ta te th ti to tr
    ts tt tu ty ue ul um un up ur us ut va ve vi wa wh wi xc xt yt ze""".split()
)
"""The 180 pairs that make up 88 % of all pairs in the words of CPython's standard library (counted in version 3.11)."""
MAX_PREFIXED_SHARE = 0.62
"""Maximum share of explained pairs in a token after a prefix that names may also have. With this limit, 0.6 % of the tokens in
benchmarks/random_tokens.py are missed."""
_MIN_PAIRS = 8
"""Minimum number of pairs by which a token can be classified."""

_MIN_LENGTH = 20
_TOKEN = compile_lazily(
    r"(?:(?<=\\[nrt])|(?<![A-Za-z0-9+/_~.=@%\\-]))[A-Za-z0-9+/_~.=-]{20,200}+(?![A-Za-z0-9+/_~=@%])"
)
_HASHES = compile_lazily(r"(?<![A-Za-z0-9])(?:[0-9a-f]{7,}|[0-9A-F]{7,})(?![A-Za-z0-9])")
"""A hash in a path or URL, which is no evidence that the rest of a token is generated."""
_SESSION = compile_lazily(r"(?<![a-z])sess(?:ion)?(?:[ _-]?id)?[\"']?\s?[=,:]", re.IGNORECASE)
"""The name of a session id directly before its value; the word "session" alone is not enough."""
_REACH_BEFORE, _REACH_AFTER = 40, 24
"""Number of characters before and after a token, on its line, that are searched for a word that announces a secret."""
_DIGIT = compile_lazily(r"[0-9]")
_HEX = compile_lazily(r"(?:0x)?(?:[0-9a-f.-]+|[0-9A-F-]+)(?:p[+-]?\d+)?\Z")
_FILE = compile_lazily(r"\.[a-z][a-z0-9]{0,4}\Z")
_OBJECT_ID = compile_lazily(
    r"(?:toolu|msg|call|ses|prt|req|resp|run|chatcmpl|gen|evt|cus|pi|ch|in|sub|price|prod|acct|file|asst|thread|user|org|proj"
    r"|batch|item|step|job|task|build|trace|span)[_-]|[A-Z]{1,6}_k|MD[A-Z]6"
)
"""Prefixes of the ids that services assign to objects. These ids grant no access."""
_PUBLIC_KEY_STARTS = ("AAAAB3", "AAAAC3", "AAAAE2", "MII", "MFkw", "MCow", "Mozilla")
"""The beginnings of public keys and certificates in base64, and of user agents."""
_CHECKSUM = compile_lazily(r"(?:sha\d{1,3}|md5|h1)[-=:]", re.IGNORECASE)
_CHECKSUM_LABEL = compile_lazily(
    r"(?:sha\d{1,3}|md5|h1|base64|fingerprint|integrity|digest|etag|nonce)[\"']?\s?[:=,-]\s?[\"']?\Z", re.IGNORECASE
)
_SEPARATOR_REACH, _LABEL_REACH = 4, 20
"""Number of characters before a token that are searched for the separator of ``_CHECKSUM_LABEL``, and for the whole label."""
_ARN = compile_lazily(r"arn:aws[\w-]*:\S*\Z")
_KEY_IN_BASE64 = compile_lazily(r"(?:key|secret|token)[\"']?\s?[=:]\s?[\"']?base64:\Z", re.IGNORECASE)
_LONG_HEX = compile_lazily(r"(?:(?<=[=:\"' ])|\A)[0-9a-fA-F]{32}")
_NAMED_HEX = compile_lazily(
    r"(?<![A-Za-z0-9_])(?![A-Z0-9_]{0,40}(?:PUBLIC|CACHE|HASH|SHA|DIGEST|COMMIT))[A-Z0-9_]{0,40}"
    r"(?:KEY|IV|SALT|SECRET|TOKEN|PASS[A-Z]*|PEPPER|SEED|HMAC|CRYPT[A-Z]*)(?:_?[A-Z0-9]+)?[\"']?\s?[=:]\s?[\"']?"
    r"(?P<s>(?:0x)?[0-9a-fA-F]{32,128})(?![A-Za-z0-9])"
)
"""A variable name in upper case directly before hexadecimal digits, to which the measure of explained pairs does not apply."""


def _combine_letters(first: str, second: str) -> set[str]:
    return {left + right for left in first for right in second}


_LOWER, _UPPER, _DIGITS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
_ALL_PAIRS = frozenset(_combine_letters(_LOWER + _UPPER + _DIGITS, _LOWER + _UPPER + _DIGITS))
_EXPLAINED_PAIRS = frozenset(
    _combine_letters(_DIGITS, _DIGITS)
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


def looks_random(token: str, limit: float | None = None) -> bool:
    """Return whether a token looks generated: its share of explained pairs is at most ``limit`` (default ``MAX_EXPLAINED_SHARE``)."""
    return compute_explained_share(token) <= (MAX_EXPLAINED_SHARE if limit is None else limit)


def find_random_tokens(text: str, long_words: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of long random tokens near a word on their line that announces a secret, and of the digits in ``_NAMED_HEX``.

    ``long_words`` are the blank-separated words of the text, at least those of 20 or more characters.
    """
    # Few texts contain a generated token, and searching every text for one would cost as much as all other rules.
    candidates = {word for word in long_words if len(word) >= _MIN_LENGTH and _DIGIT.search(word)}
    joined = " ".join(candidates)
    if _LONG_HEX.search(joined) is not None:
        yield from (match.span("s") for match in _NAMED_HEX.finditer(text))
    if not any(map(_is_generated, _TOKEN.findall(joined))):
        return
    yield from (match.span() for match in _TOKEN.finditer(text) if _is_secret(match))


def _is_secret(match: re.Match[str]) -> bool:
    """Return whether a token looks generated and is announced as a secret."""
    if not _is_generated(match[0]):
        return False
    text = match.string
    line = text[max(0, match.start() - 3 * _REACH_BEFORE) : match.start()].rpartition("\n")[2]
    text_before = line[-_REACH_BEFORE:]
    name, equals_sign, _ = match[0].partition("=")
    text_before += name + equals_sign if len(name) < _REACH_BEFORE else ""
    if is_public_label(line):
        return False
    text_after = text[match.end() : match.end() + _REACH_AFTER].partition("\n")[0]
    return any(
        ANNOUNCEMENT.search(context.lower()) or _SESSION.search(context) for context in (text_before, text_after)
    )


def is_public_label(text_before: str) -> bool:
    """Return whether the text before a token labels the token as public, such as a checksum, or is the beginning of an ARN."""
    if "arn:aws" in text_before and _ARN.search(text_before) is not None:
        return True
    # Usually there is no separator. Matching the expression would take ten times as long as this check.
    if not any(separator in text_before[-_SEPARATOR_REACH:] for separator in ":=,-"):
        return False
    label = text_before[-_LABEL_REACH:]
    return _CHECKSUM_LABEL.search(label) is not None and _KEY_IN_BASE64.search(label) is None


def _is_generated(token: str) -> bool:
    if _DIGIT.search(token) is None or is_harmless(token) or is_file_name(token):
        return False
    return looks_random(_HASHES.sub("", token))


def is_file_name(token: str) -> bool:
    """Return whether a token ends with a file's suffix."""
    return _FILE.search(token) is not None


def is_harmless(token: str) -> bool:
    """Return whether a token is a hash, a checksum, an object id, a public key or a user agent."""
    return (
        _HEX.match(token) is not None
        or _OBJECT_ID.match(token) is not None
        or _CHECKSUM.match(token) is not None
        or token.startswith(_PUBLIC_KEY_STARTS)
    )
