"""Whether a token looks generated, and the fallback that rests on it: long random tokens beside words that name a secret.

What a generator drew has few of the pairs that words have. Of a token's neighbouring letters and digits the share is
counted that names explain: two digits, two letters that often follow each other, the seam of camelCase. Names, paths and
versions have more than 0.6 of these as a rule, tokens less than 0.45. ``LIMIT`` was chosen on one half of the strings that
benchmarks/random_tokens.py draws and collects, and is reported on the other (docs/security.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mind_skills.redaction.lazy_pattern import compile_later

_CODES = "access backup recovery unlock security login invit\\w* activation licen[cs]e pairing verification".split()
_KEYS = """
    api app access priv auth client cookie crypt\\w* deploy encrypt\\w* fernet functions? hash hmac jwt licen[cs]e master private secret
    service session shared sign\\w* storage account subscription wg psk
""".split()
_BRIEF = "otp totp pin jwt sid hmac salt pepper seed".split()
_ENGLISH = (
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
    *(f"{word[0]}(?<![a-z]{word[0]}){word[1:]}(?![a-z])" for word in _BRIEF),
    *("mnemonic", "cookie"),
    *(f"{word}[ _-]?codes?" for word in _CODES),
    *(f"{word}[ _.-]?keys?" for word in _KEYS),
)
_LATIN = r"""
    kennw passwor[dt] zugang losung schlüssel schluessel mot\sde\spasse m(?<!\wm)dp\b clé(?![a-z]) identifiant contrase contrasi
    contrasen llave c(?<!\wc)laves?\b senha c(?<!\wc)haves? palavra-passe parol chiav wachtw sleutel toegangsc has[łl]\w klucz şifre sifre
    anahtar lösen losen nyckel adgangsk nøgle passord kodeord salasan avain heslo klíč kľúč jelsz kulcs cheie lozink geslo
    slapta raktas parool salasõna lykilor fjalëkalim pasahitz cyfrinair pasfhocal nenosiri pasvort mật\skhẩu
    kata\s(?:sandi|laluan|kunci)
"""
_OTHER_SCRIPTS = r"""
    κωδικ συνθηματ κλειδ парол лозинк ключ секрет токен құпия сырсөз нууц գաղտն პაროლ
    كلمة\s(?:ال)?(?:مرور|سر) رمز\sعبور گذرواژه پاس\s?ورڈ סיסמ מפתח
    पासवर्ड कूटशब्द संकेतशब्द পাসওয়ার্ড கடவுச் పాస్ รหัส စကားဝှက် ລະຫັດ ពាក្យសម្ងាត់
    密 秘 口令 令牌 授权码 授權碼 凭证 憑證 验证码 パス トークン 暗証 合言葉 鍵 비밀번호 암호 패스워드 토큰 인증
"""


def _by_first_letter(words: Iterable[str]) -> str:
    """One expression of those, all of which begin with a letter: where that is another one, none of them is tried."""
    heads: dict[str, list[str]] = {}
    for word in words:
        heads.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{head}(?:{'|'.join(rests)})" for head, rests in heads.items())


TELLING = compile_later(_by_first_letter([*_ENGLISH, *_LATIN.split(), *_OTHER_SCRIPTS.split()]))
"""To be sought in small letters."""


LIMIT = 0.50
"""Share of explained pairs up to which a token looks generated."""
_PAIRS = frozenset(
    """ab ac ad ag ai al am an ap ar as at au ba be bl bo bu ca ce ch ci ck cl co cr ct cu da de di do ds du ea ec ed ee
    ef eg el em en ep er es et ev ex fa fe ff fi fo fr fu ge gh gi gs ha he hi ho ia ib ic id ie if ig il im in io ip ir is
    it iv ke la ld le li ll lo ls lt lu ly ma me mi mo mp na nc nd ne ng ni no ns nt nu oc od ol om on oo op or os ot ou ov
    ow pa pe pi pl po pp pr pt qu ra rc rd re rg ri rm rn ro rr rs rt ru ry sa sc se sh si so sp ss st su ta te th ti to tr
    ts tt tu ty ue ul um un up ur us ut va ve vi wa wh wi xc xt yt ze""".split()
)
"""The 180 pairs that make up 88 % of those in the words of CPython's standard library (counted, 3.11)."""
BEHIND_PREFIX = 0.62
"""The same behind a prefix that keys have and names may have: 0.6 % of the tokens are missed (benchmarks/random_tokens.py)."""
_LEAST = 8
"""Pairs without which nothing can be said."""

_SHORTEST = 20
_TOKEN = compile_later(r"(?:(?<=\\[nrt])|(?<![A-Za-z0-9+/_~.=@%\\-]))[A-Za-z0-9+/_~.=-]{20,200}+(?![A-Za-z0-9+/_~=@%])")
_HASHES = compile_later(r"(?<![A-Za-z0-9])(?:[0-9a-f]{7,}|[0-9A-F]{7,})(?![A-Za-z0-9])")
"""What stands in paths and addresses, and says nothing of what is beside it."""
_SESSION = compile_later(r"(?<![a-z])sess(?:ion)?(?:[ _-]?id)?[\"']?\s?[=,:]", re.IGNORECASE)
"""The name of a session right before its value; the word alone says nothing."""
_BEFORE, _BEHIND = 40, 24
"""Characters of the line before a token and behind it in which a word may stand that names it."""
_DIGIT = compile_later(r"[0-9]")
_HEX = compile_later(r"(?:0x)?(?:[0-9a-f.-]+|[0-9A-F-]+)(?:p[+-]?\d+)?\Z")
_FILE = compile_later(r"\.[a-z][a-z0-9]{0,4}\Z")
_ID = compile_later(
    r"(?:toolu|msg|call|ses|prt|req|resp|run|chatcmpl|gen|evt|cus|pi|ch|in|sub|price|prod|acct|file|asst|thread|user|org|proj"
    r"|batch|item|step|job|task|build|trace|span)[_-]|[A-Z]{1,6}_k|MD[A-Z]6"
)
"""What services begin the ids of their objects with, which open nothing."""
_PUBLIC = ("AAAAB3", "AAAAC3", "AAAAE2", "MII", "MFkw", "MCow", "Mozilla")
"""How public keys and certificates begin in base64."""
_SUM = compile_later(r"(?:sha\d{1,3}|md5|h1)[-=:]", re.IGNORECASE)
_SUMMED = compile_later(
    r"(?:sha\d{1,3}|md5|h1|base64|fingerprint|integrity|digest|etag|nonce)[\"']?\s?[:=,-]\s?[\"']?\Z", re.IGNORECASE
)
_SEPARATOR, _LABEL = 4, 20
"""Characters at the end of a line within which ``_SUMMED`` has its separator, and all of it."""
_ARN = compile_later(r"arn:aws[\w-]*:\S*\Z")
_KEY_IN_BASE64 = compile_later(r"(?:key|secret|token)[\"']?\s?[=:]\s?[\"']?base64:\Z", re.IGNORECASE)
_LONG_HEX = compile_later(r"(?:(?<=[=:\"' ])|\A)[0-9a-fA-F]{32}")
_NAMED_HEX = compile_later(
    r"(?<![A-Za-z0-9_])(?![A-Z0-9_]{0,40}(?:PUBLIC|CACHE|HASH|SHA|DIGEST|COMMIT))[A-Z0-9_]{0,40}"
    r"(?:KEY|IV|SALT|SECRET|TOKEN|PASS[A-Z]*|PEPPER|SEED|HMAC|CRYPT[A-Z]*)(?:_?[A-Z0-9]+)?[\"']?\s?[=:]\s?[\"']?"
    r"(?P<s>(?:0x)?[0-9a-fA-F]{32,128})(?![A-Za-z0-9])"
)
"""The name of a variable in capitals right before hexadecimal digits, which say nothing of themselves."""


def _both(first: str, second: str) -> set[str]:
    return {one + other for one in first for other in second}


_SMALL, _LARGE, _FIGURES = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
_ALL = frozenset(_both(_SMALL + _LARGE + _FIGURES, _SMALL + _LARGE + _FIGURES))
_KNOWN = frozenset(
    _both(_FIGURES, _FIGURES)
    | {pair for pair in _both(_SMALL + _LARGE, _SMALL + _LARGE) if pair.lower() in _PAIRS} - _both(_SMALL, _LARGE)
)
_SEAM = compile_later(r"[a-z][A-Z](?=[a-z])")
"""As in camelCase."""


def explained(token: str, least: int = _LEAST) -> float:
    """The share of a token's neighbouring letters and digits that names explain, 0 to 1; 1 where there are fewer than ``least``."""
    neighbours = list(map(str.__add__, token, token[1:]))
    pairs = sum(map(_ALL.__contains__, neighbours))
    if pairs < least:
        return 1.0
    return (sum(map(_KNOWN.__contains__, neighbours)) + len(_SEAM.findall(token))) / pairs


def looks_random(token: str, limit: float | None = None) -> bool:
    """Whether a generator made it: at most ``limit`` of its pairs are explained, ``LIMIT`` as a rule."""
    return explained(token) <= (LIMIT if limit is None else limit)


def find_random(text: str, pieces: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where the long random tokens stand that share a line with a word that names a secret, and are near it.

    ``pieces`` are the words of the text, at least those of 20 characters and more.
    """
    # Nearly no text holds a generated token, and a look at every character costs as much as all other rules.
    long = {piece for piece in pieces if len(piece) >= _SHORTEST and _DIGIT.search(piece)}
    joined = " ".join(long)
    if _LONG_HEX.search(joined) is not None:
        yield from (match.span("s") for match in _NAMED_HEX.finditer(text))
    if not any(map(_generated, _TOKEN.findall(joined))):
        return
    yield from (match.span() for match in _TOKEN.finditer(text) if _is_secret(match))


def _is_secret(match: re.Match[str]) -> bool:
    if not _generated(match[0]):
        return False
    text = match.string
    line = text[max(0, match.start() - 3 * _BEFORE) : match.start()].rpartition("\n")[2]
    before = line[-_BEFORE:]
    name, sign, _ = match[0].partition("=")
    before += name + sign if len(name) < _BEFORE else ""
    if opens_nothing(line):
        return False
    behind = text[match.end() : match.end() + _BEHIND].partition("\n")[0]
    return any(TELLING.search(beside.lower()) or _SESSION.search(beside) for beside in (before, behind))


def opens_nothing(before: str) -> bool:
    """Whether what follows is a checksum, by its label, or names what stands elsewhere."""
    if "arn:aws" in before and _ARN.search(before) is not None:
        return True
    if not any(sign in before[-_SEPARATOR:] for sign in ":=,-"):  # nearly always: an expression takes ten times as long
        return False
    label = before[-_LABEL:]
    return _SUMMED.search(label) is not None and _KEY_IN_BASE64.search(label) is None


def _generated(token: str) -> bool:
    if _DIGIT.search(token) is None or is_harmless(token) or is_file(token):
        return False
    return looks_random(_HASHES.sub("", token))


def is_file(token: str) -> bool:
    """Whether it ends as names of files do."""
    return _FILE.search(token) is not None


def is_harmless(token: str) -> bool:
    """Hashes, ids of objects, and public keys."""
    return (
        _HEX.match(token) is not None
        or _ID.match(token) is not None
        or _SUM.match(token) is not None
        or token.startswith(_PUBLIC)
    )
