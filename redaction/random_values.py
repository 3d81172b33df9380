"""Finds randomly generated values that no other rule recognises: long random tokens near words that indicate a secret, and passwords.

Generated tokens contain few of the character pairs that occur in words. A pair of adjacent letters or digits is called explained if
it is common in names: two digits, two letters that often follow each other, or the boundary between two words in camelCase. The share
of explained pairs is usually above 0.6 in names, paths and versions, and below 0.45 in tokens. ``MAX_EXPLAINED_SHARE`` was chosen on
one half of the strings of research/benchmarks/random_tokens.py; docs/security.md reports the errors on the other half.

A password has an unambiguous form if it mixes lower case, upper case and symbols, and contains few letter pairs of ordinary words; in
100,000 lines of sessions, only passwords had this form. A token with fewer symbols or kinds of characters, or with symbols that also
occur in names (``- _ . + =``), is a password only if it directly follows an option, or if a word that indicates a secret is near it on
its line, or on the previous line if the token is the first on its line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from mind_skills.redaction.assignments import lower_preserving_offsets
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.values import (
    compute_explained_share,
    is_base64,
    is_chosen,
    is_code,
    is_digits,
    is_mixed_letters,
    is_reference,
    is_wordlike,
)

_CODE_WORDS = (
    "access backup recovery unlock security login invit\\w* activation licen[cs]e pairing verification".split()
)
_KEY_WORDS = """
    api app access setup priv auth client cookie crypt\\w* deploy encrypt\\w* fernet functions? hash hmac jwt licen[cs]e master
    private secret service session shared sign\\w* storage account subscription wg psk
""".split()
_SHORT_WORDS = "otp totp pin jwt sid hmac salt pepper seed".split()
_ENGLISH_WORDS = r"""
    pass(?<!---\spass)(?<!bypass)(?<!compass)(?<!surpass)(?!ed|ing|ive|enger|port|es\b|\n[\x20\t]) p(?<!\wp)w(?!d)
    pwd(?<!\$\(pwd)(?<!`pwd)(?!\s-[lp]\b) p[as]?s?s?wo?r?d(?<!pwd)
    p(?<!\wp)sw
    secret token credential bearer c(?<![a-z]c)red nickserv
    x(?<![a-z]x)-(?!cache|surrogate|idempotency|request|amz)[a-z-]{2,24}-key(?!s)
    identif(?:y|ied)\b a(?<![a-z]a)uth(?!or) authori[sz]ation psk wpa vnc unlock logi?n\b log[\x20-]?in sign[\x20-]?in mnemonic cookie
"""
_LATIN_WORDS = r"""
    kennw passwor[dt] zugang losung schlüssel schluessel mot\sde\spasse jeton m(?<!\wm)dp\b clé(?![a-z]) identifiant contrase contrasi
    contrasen llave c(?<!\wc)laves?\b senha c(?<!\wc)haves? palavra-passe parol chiav wachtw sleutel toegangsc hasł hasl[oe] klucz şifre
    sifre anahtar lösen losen nyckel adgangsk nøgle passord kodeord salasan avain heslo klíč kľúč jelsz kulcs cheie lozink
    geslo clef segredo bí\smật slapta raktas parool salasõna lykilor fjalëkalim pasahitz cyfrinair pasfhocal nenosiri pasvort mật\skhẩu
    kata\s(?:sandi|laluan|kunci)
"""
_OTHER_SCRIPT_WORDS = r"""
    κωδικ συνθηματ κλειδ парол лозинк ключ секрет токен құпия сырсөз нууц գաղտն პაროლ
    シークレット キー(?<=apiキー) キー(?<=api\sキー) キー(?<=アクセスキー)
    비밀키 시크릿 키(?<=api키) 키(?<=api\s키) 키(?<=액세스\s키) مفتاح كلمة\s(?:ال)?(?:مرور|سر) رمز\sعبور گذرواژه پاس\s?ورڈ סיסמ מפתח
    पासवर्ड कूटशब्द संकेतशब्द পাসওয়ার্ড கடவுச் పాస్ รหัส စကားဝှက် ລະຫັດ ពាក្យសម្ងាត់
    密 秘 口令 令牌 授权码 授權碼 凭证 憑證 验证码 パス トークン 暗証 合言葉 鍵 비밀번호 비번 암호 패스워드 토큰 인증
"""


def _group_by_first_letter(words: Iterable[str]) -> str:
    """Return an alternation of the words, grouped by first letter, so that one failed comparison rejects all words of a group."""
    heads: dict[str, list[str]] = {}
    for word in words:
        heads.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{head}(?:{'|'.join(rests)})" for head, rests in heads.items())


_SECRET_WORD = compile_lazily(
    _group_by_first_letter(
        [
            *_ENGLISH_WORDS.split(),
            *(f"{word[0]}(?<![a-z]{word[0]}){word[1:]}(?![a-z])" for word in _SHORT_WORDS),
            *(f"{word}[ _-]?codes?" for word in _CODE_WORDS),
            *(f"{word}[ _.-]?keys?" for word in _KEY_WORDS),
            *_LATIN_WORDS.split(),
            *_OTHER_SCRIPT_WORDS.split(),
        ]
    )
)
"""A word that indicates a secret, to be searched for in lower-case text."""
FOREIGN_STEMS = tuple(
    stem
    for word in (*_LATIN_WORDS.split(), *_OTHER_SCRIPT_WORDS.split())
    if (len(stem := re.split(r"[\\(\[?]", word)[0]) > 4 or not stem.isascii()) and "pass" not in stem
)
"""The beginnings of those words that are not English. None of them is common in English."""


MAX_EXPLAINED_SHARE = 0.50
"""Maximum share of explained pairs in a generated token."""
MAX_PREFIXED_SHARE = 0.62
"""Maximum share of explained pairs in a token after a prefix that names may also have. With this limit, 0.6 % of the tokens in
research/benchmarks/random_tokens.py are missed."""
_MIN_LENGTH = 20
_TOKEN = compile_lazily(
    r"(?:(?<=\\[nrt])|(?<![A-Za-z0-9+/_~.=@%\\-]))[A-Za-z0-9+/_~.=-]{20,200}+(?![A-Za-z0-9+/_~=@%])"
)
_HASHES = compile_lazily(r"(?<![A-Za-z0-9])(?:[0-9a-f]{7,}|[0-9A-F]{7,})(?![A-Za-z0-9])")
"""A hash in a path or URL, which is no evidence that the rest of a token is generated."""
_SESSION = compile_lazily(r"(?<![a-z])sess(?:ion)?(?:[ _-]?id)?[\"']?\s?[=,:]", re.IGNORECASE)
"""The name of a session id directly before its value; the word "session" alone is not enough."""
_REACH_BEFORE, _REACH_AFTER = 40, 24
"""Number of characters before and after a token, on its line, that are searched for a word that indicates a secret."""
_MIN_ASSIGNED_LENGTH = 8
_DIGIT = compile_lazily(r"[0-9]")
_DIGIT_OR_LETTERS = compile_lazily(r"[0-9]|(?<![A-Za-z])(?=[A-Za-z]{20})(?:[a-z]*+[A-Z]++){3}")
"""What every generated token contains: a digit, or letters whose case changes."""
_HEX = compile_lazily(r"(?:0x)?(?:[0-9a-f.-]+|[0-9A-F-]+)(?:p[+-]?\d+)?\Z|(?:\w{1,12}=)?0[xX][0-9a-fA-F]{40}\Z")
_FILE = compile_lazily(r"\.[a-z][a-z0-9]{0,4}\Z")
"""The suffix of a file."""
_OBJECT_ID = compile_lazily(
    r"(?:\A|/(?=[^/]*\Z))(?:(?:toolu|msg|call|ses|session|prt|req|resp|run|chatcmpl|gen|evt|cus|pi|ch|in|sub|price|prod|acct|file|asst"
    r"|thread"
    r"|user|org|proj|batch|item|step|job|task|build|trace|span|deployment|dpl)[_-]|[A-Z]{1,6}_k[gw]D|MD[A-Z](?:6|[a-z0-9]O[a-z])"
    r"|SNYK-|(?:ami|vpc|vol|subnet|snap|eni|sg|i)-[0-9a-f]{8,17}\Z|[a-z][a-z0-9-]{0,50}-[0-9a-f]{7,10}-[a-z0-9]{5}\Z"
    r"|GHSA(?:-[2-9cfghjmpqrvwx]{4}){3}|01[0-9A-HJKMNP-TV-Z]{24}(?![A-Za-z0-9]))"
)
"""Beginnings of the ids that services assign to objects, and whole GitHub advisories and ULIDs, alone or as the last part of a path.
These ids grant no access."""
_PUBLIC_KEY_STARTS = ("AAAAB3", "AAAAC3", "AAAAE2", "MII", "MFkw", "MCow", "Mozilla")
"""The beginnings of public keys and certificates in base64, and of user agents."""
_ALPHABETS = ("ABCDEFGH", "abcdefgh", "01234567")
_CHECKSUM = compile_lazily(r"(?:sha\d{1,3}|md5|h1)[-=:]", re.IGNORECASE)
_CHECKSUM_LABEL = compile_lazily(
    r"[a-z]-[0-9]:\Z|(?:sha\d{1,3}|md5|h1|base64|fingerprint|integrity|digest|etag|nonce|user\.signingkey)[\"']?\s?[:=,-]\s?[\"']?\Z",
    re.IGNORECASE,
)
_SEPARATOR_REACH, _LABEL_REACH = 4, 20
"""Number of characters before a token that are searched for the separator of ``_CHECKSUM_LABEL``, and for the whole label."""
_ARN = compile_lazily(r"arn:aws[\w-]*:\S*\Z")
_KEY_IN_BASE64 = compile_lazily(r"(?:key|secret|token)[\"']?\s?[=:]\s?[\"']?base64:\Z", re.IGNORECASE)
_KEY_DIGITS = compile_lazily(
    r"(?:(?<![A-Za-z0-9_.-])|(?<=\\[nrt]))(?:(?:0x)?[0-9a-fA-F]{32,128}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"
    r"(?![A-Za-z0-9_-]|\.[A-Za-z0-9])"
)
"""Hexadecimal digits and UUIDs, to which the measure of explained pairs does not apply."""
_KEY_DIGITS_HINT = compile_lazily(r"[0-9a-fA-F]{32}|[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_VARIABLE = compile_lazily(
    r"(?<![A-Za-z0-9_])(?![A-Z0-9_]{0,40}(?:PUBLIC|CACHE|HASH|SHA|DIGEST|COMMIT|CHECKSUM|MD5|REV|REF|TREE|HEAD|TAG|BUILD|ADDR|FINGERPRINT"
    r"|NONCE|VERSION|RELEASE|GPG_KEY=|BASE=|MERGE|PARENT|ORIG|BEFORE|AFTER|(?<![A-Z0-9])(?:OLD|NEW|FROM|TO|START|END|GOOD|BAD|LAST|PREV"
    r"|FIRST|SRC|DST"
    r"|TARGET|SOURCE|MAIN|MASTER=|BRANCH|SUBMODULE|UPSTREAM|TIP|A|B)(?![A-Z])|ID(?:S?_|S?=)))[A-Z0-9_]{3,40}=[\"']?\Z"
)
"""A variable in upper case directly before hexadecimal digits, unless its name says that they identify something."""
_KEY_VARIABLE = compile_lazily(
    r"(?<![A-Za-z0-9_])(?=[A-Z0-9_]{0,40}(?:LIVE|SANDBOX|KEY|_SK(?![A-Z])|SEED|SIGN(?!AL)|CREDS?(?![A-Z])|STRIPE|TWILIO|SENDGRID|MAILGUN"
    r"|POSTMARK"
    r"|RESEND|OPENAI|ANTHROPIC|PLAID|PADDLE|ALCHEMY|INFURA|HELIUS))"
    r"(?![A-Z0-9_]{0,40}(?:TENANT|PROJECT|ACCOUNT|WORKSPACE|ORG(?![A-Z])|USER|CUSTOMER|PRICE|PRODUCT|REQUEST|SESSION|PUBLI[CS]|CACHE"
    r"|[GP][GP]{1,2}_KEY|DIGEST"
    r"|COMMIT|FINGERPRINT|PRIMARY|PARTITION|IDEMPOTENCY|(?:_|KEY)IDS?(?![A-Z])))[A-Z0-9_]{3,40}"
    r"(?:\s?[=:]\s{0,8}|[\"'`]{0,2}\s(?:is\s|was\s)?(?:(?:now\s)?set\s)?(?:to|is|was|as)\s)[\"'`]?\Z"
)
"""A variable whose name contains that of an issuer of keys, or another word that those of ids do not contain: a UUID in it is a key."""
_RECORD_KEY = compile_lazily(r"(?:\A|[\n{,])(?:[ \t>+-]|[0-9]{1,6}[:→])*+[\"']?[kK]ey[\"']?\s?[:=]\s?[\"']?\Z")
"""The field ``key`` of a record, whose value is the record's id if it is a UUID."""
_PUBLIC_WORD = compile_lazily(
    r"(?<![a-z])(?:commits?|sha-?\d*|digests?|checksums?|hash(?:es)?|md5|crc|fingerprint|etag|integrity|revision|rev|ref|tree|blob|parent"
    r"|merged?|branch|image|layer|id|ids|uuid|guid|request|trace|span|version|address|user|users|account|tenant|client|customer|order"
    r"|record"
    r"|row|session|job|run|task|event|message|object|device|thread|conversation|subscription|workspace|project|org|team|node|pod|container"
    r"|build|deploy(?:ment)?|public|cache|primary|foreign|unique|idempotency|partition|sort|signing|(?:by|from|at|in)\W*\Z)(?![a-z])",
)
"""A word between a word for a secret and digits, which then identify something else; to be searched for in lower-case text."""
_PUBLIC_ID = compile_lazily(
    r"(?<![a-z])(?:commits?|sha-?\d*|digests?|checksums?|hash(?:es)?|md5|fingerprint|etag|revision|tree|blob|merged?|image|id|ids|uuid|guid"
    r"|request|trace|span|version|order|record|job|run|event|container|build|deployment|public|branch|rev|address)(?![a-z])"
)
"""Those words for public things that a message about a secret hardly contains otherwise."""
_WHERE = compile_lazily(
    r"\sfor\s[\w.+-]{1,40}@[\w.-]{1,60}|\s(?:in|at|from|of"
    r"|on)\s[\"'`]?(?:[\w.-]{1,40}/){0,8}[\w.-]{1,40}\.[a-z]{1,5}[\"'`]?(?::[0-9]{1,6}){0,2}(?:,?\s(?:\(?(?:on\s)?line\s)[0-9]{1,6}\)?)?[\"'`]?"
)
"""The file in which a value stands, between the word that names it and the value; to be searched for in lower-case text."""
_NO_SEPARATOR = compile_lazily(r"[;{}&!@$%^+\\/]")
"""What ``_DIRECTLY_AFTER`` never matches. No word before it need be searched for."""
_LISTED = compile_lazily(r"(?:(?<=\n.{40})|(?<=\A.{40}))[ \t]+[^\s#]")
"""What follows a commit that begins a line."""
_DIGEST_OF = compile_lazily(
    r"(?:sha-?\d{0,3}|md5|checksum|digest|hash|fingerprint)(?:sum)?\s(?:of|for|from|mismatch|\()"
    r"|\bcommit\b|gpg|pgp|recv-key|keyserver|\.(?:tgz|tar\.gz|zip|git)#\Z"
)
"""What calls digits on the same line a digest or a public key, in lower case."""
_KEY_WORD = compile_lazily(
    r"(?<![a-z_-])(?<!cache )(?<!primary )(?<!foreign )(?<!public )(?<!sort )(?<!partition )(?<!object )(?<!unique )(?<!host )"
    r"(?<!idempotency )(?<!react )(?<!row )key(?![a-z_])"
)
_SAID_TO_BE = compile_lazily(
    r"[\"'`»」)]?,?\s(?:(?:and\s(?:I\s)?|which\sI\s)?(?:stored|saved|set|put|wrote|written|used|added)\s(?:it\s|this\s|that\s)?(?:as|in"
    r"|into|to|under)\s|as|is|was|als|ist|est|es|è|é|como|comme|как|>{1,2})(?:(?<=\s)|\s)|[\"'`)\];,]{1,4}\s{1,4}(?://|#|/\*)"
)
_MIN_DENSE_COUNT, _DENSE_DISTANCE, _DENSE_WORD_DISTANCE = 64, 28, 60
"""Minimum number of candidates, and maximum number of characters for each candidate and for each word, in a text that consists of them."""
_WORDS_BEFORE = 72
"""Number of characters before a value that are searched for a word that indicates a secret."""
_MAX_WORD_LENGTH = 40


def find_random_tokens(text: str, long_words: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of long random tokens and of digits near a word that indicates a secret.

    ``long_words`` are the whitespace-separated words of the text, at least those of 20 or more characters.
    """
    # Few texts contain a generated token, and searching every text for one would cost as much as all other rules.
    candidates = {word for word in long_words if len(word) >= _MIN_LENGTH and _DIGIT_OR_LETTERS.search(word)}
    joined = " ".join(candidates)
    if _KEY_DIGITS_HINT.search(joined) is not None:
        digits = list(_KEY_DIGITS.finditer(text))
        words = _find_words(text)
        yield from (match.span() for match in digits if is_digits(match[0]) and _are_digits_secret(match, words))
    generated = set(filter(_is_generated, set(_TOKEN.findall(joined))))
    if not generated:
        return
    matches = [match for match in _TOKEN.finditer(text) if match[0] in generated or _is_generated(match[0])]
    is_dense = _is_dense(len(matches), text)
    if is_dense:
        yield from (match.span() for match in matches)
        return
    words, end = _find_words(text), -1
    for match in matches:
        is_continued = end >= 0 and _CONTINUATION.fullmatch(text, end, match.start()) is not None
        if not _is_called(match) and (is_continued or _is_near_word(match, words)):
            end = match.end()
            yield match.span()


class _Words(NamedTuple):
    """The words for secrets in a text: the spans of ``_SECRET_WORD``, and where they and other evidence start, in ascending order."""

    spans: list[tuple[int, int]]
    starts: list[int]

    def are_near(self, start: int, stop: int) -> bool:
        """Return whether one may stand between two indexes."""
        index = bisect_left(self.starts, start - _MAX_WORD_LENGTH)
        return index < len(self.starts) and self.starts[index] < stop


_CONTINUATION = compile_lazily(r"[\"'`,]{0,2}[ \t]*\r?\n[ \t]*(?:[>|#*+-][ \t]*)?[\"'`]?")
"""What stands between the lines of a secret that has several."""


@lru_cache(1)
def _find_words(text: str) -> _Words:
    """Return the words for secrets in a text, which two searches need."""
    lowered = lower_preserving_offsets(text)
    spans = [word.span() for word in _SECRET_WORD.finditer(lowered)]
    others = [word.start() for pattern in (_KEY_WORD, _SESSION) for word in pattern.finditer(lowered)]
    return _Words(spans, sorted([*(start for start, _ in spans), *others]))


def _is_called(match: re.Match[str]) -> bool:
    """Return whether a token is the name of a function."""
    return match.string.startswith("(", match.end())


def _is_sparse(count: int, text: str) -> bool:
    """Return whether a text has too few candidates to be dense."""
    return count <= _MIN_DENSE_COUNT or count * _DENSE_DISTANCE <= len(text)


def _is_dense(count: int, text: str) -> bool | None:
    """Return whether a text consists of so many candidates and words for secrets that examining what is around each would take too long.

    No such text is worth reading, so all candidates are redacted; if it contains few words (None), those with a strong symbol.
    """
    if _is_sparse(count, text):
        return False
    words = sum(len(pattern.findall(text.lower())) for pattern in (_SECRET_WORD, _KEY_WORD))
    return words * _DENSE_WORD_DISTANCE > len(text) or None


def _are_digits_secret(match: re.Match[str], words: _Words) -> bool:
    """Return whether hexadecimal digits or a UUID follow a word or a variable that indicates a secret."""
    text, start = match.string, match.start()
    if _is_public_label(text[max(0, start - 3 * _REACH_BEFORE) : start].rpartition("\n")[2]):
        return False
    is_uuid = "-" in match[0]
    is_variable, is_key = (
        pattern.search(text, max(0, start - 48), start) is not None for pattern in (_VARIABLE, _KEY_VARIABLE)
    )
    if is_key or (is_variable and not is_uuid):
        return True
    if text[match.end() : match.end() + 2] in ('":', "':") or _LISTED.match(text, match.end()):
        return _is_said_to_be_secret(match)
    if is_uuid and _RECORD_KEY.search(text, max(0, start - 24), start):
        return False
    return _follows_word(match, words) or _is_said_to_be_secret(match)


def _is_said_to_be_secret(match: re.Match[str]) -> bool:
    """Return whether a word after a value calls it a secret, as in ``use X as the password``."""
    said = _SAID_TO_BE.match(match.string, match.end())
    if said is None:
        return False
    text_after = match.string[said.end() : said.end() + _REACH_AFTER].lower()
    word = _SECRET_WORD.search(text_after)
    return word is not None and _PUBLIC_WORD.search(text_after[: word.start()]) is None


def _follows_word(match: re.Match[str], words: _Words) -> bool:
    """Return whether a value directly follows a word that indicates a secret, or an account, on its line or on the line above it."""
    text, start = match.string, match.start()
    before = text[max(0, start - _WORDS_BEFORE) : start].lower()
    ended = before.rstrip(" \t\n\"'`*")
    if ended.endswith(_ACCOUNT_ENDS) and _ACCOUNT.search(before) is not None:
        return True
    return words.are_near(start - _WORDS_BEFORE, start) and _ends_with_word(before)


@lru_cache(256)
def _ends_with_word(text: str) -> bool:
    """Return whether a text in lower case ends with a word that indicates a secret and what may separate it from its value."""
    text = _TAG.sub(" ", text) if "<" in text else text
    near = _NO_SEPARATOR.split(_WHERE.sub("", text))[-1]
    words = [word.end() for pattern in (_SECRET_WORD, _KEY_WORD) for word in pattern.finditer(near)]
    end = max(words, default=-1)
    return (
        end >= 0
        and (_DIRECTLY_AFTER.fullmatch(near, end) is not None or _BELOW_COMMENT.search(text) is not None)
        and _PUBLIC_WORD.search(near[end:]) is None
        and _DIGEST_OF.search(text.rpartition("\n")[2]) is None
    )


def names_secret(lowered: str) -> bool:
    """Return whether a text in lower case contains a word for a secret."""
    return _SECRET_WORD.search(lowered) is not None or _KEY_WORD.search(lowered) is not None


def names_public(lowered: str) -> bool:
    """Return whether a text in lower case contains a word for something that is identified by digits."""
    return _PUBLIC_ID.search(lowered) is not None


def is_object_id(value: str) -> bool:
    """Return whether a value has the form of an id that a service assigns to an object, which grants no access."""
    return _OBJECT_ID.match(value) is not None


def _is_near_word(match: re.Match[str], words: _Words) -> bool:
    """Return whether a word near a token indicates a secret."""
    text = match.string
    may_be_near = words.are_near(match.start() - _REACH_BEFORE, match.end() + _REACH_AFTER)
    line = text[max(0, match.start() - 3 * _REACH_BEFORE) : match.start()].rpartition("\n")[2]
    text_before = line[-_REACH_BEFORE:]
    name, equals_sign, _ = match[0].partition("=")
    text_before += name + equals_sign if equals_sign and len(name) < _REACH_BEFORE else ""
    if _is_public_label(line) or (equals_sign and name.lower().endswith("id")):
        return False
    text_after = text[match.end() : match.end() + _REACH_AFTER].partition("\n")[0]
    return (
        (may_be_near and any(map(_contains_word, (text_before, text_after))))
        or _follows_word(match, words)
        or _is_in_key_variable(match)
    )


def _is_in_key_variable(match: re.Match[str]) -> bool:
    """Return whether a value, which may begin with its name, follows a variable that is named like a key."""
    start = match.start() + match[0].rstrip("=").rfind("=") + 1
    return _KEY_VARIABLE.search(match.string, max(0, start - _WORDS_BEFORE), start) is not None


@lru_cache(256)
def _contains_word(text: str) -> bool:
    return _SECRET_WORD.search(text.lower()) is not None or _SESSION.search(text) is not None


def _is_public_label(text_before: str) -> bool:
    """Return whether the text before a token labels the token as public, such as a checksum, or is the beginning of an ARN."""
    if "arn:aws" in text_before and _ARN.search(text_before) is not None:
        return True
    # Usually there is no separator. Matching the expression would take ten times as long as this check.
    if not any(separator in text_before[-_SEPARATOR_REACH:] for separator in ":=,-"):
        return False
    label = text_before[-_LABEL_REACH:]
    return _CHECKSUM_LABEL.search(label) is not None and _KEY_IN_BASE64.search(label) is None


def _is_generated(token: str) -> bool:
    if _DIGIT.search(token) is None:
        return is_mixed_letters(token.rpartition("=")[2])
    if _is_harmless(token) or _FILE.search(token):
        return False
    value = token.rstrip("=").rpartition("=")[2]
    if "=" in token and (is_digits(value) or len(value) < _MIN_ASSIGNED_LENGTH):
        return False
    without_hashes = _HASHES.sub("", token)
    return compute_explained_share(without_hashes) <= MAX_EXPLAINED_SHARE or is_base64(without_hashes)


def _is_harmless(token: str) -> bool:
    """Return whether a token is a hash, a checksum, an object id, a public key or a user agent."""
    return (
        _HEX.match(token) is not None
        or _OBJECT_ID.search(token) is not None
        or _CHECKSUM.match(token) is not None
        or any(map(token.__contains__, _ALPHABETS))
        or token.startswith(_PUBLIC_KEY_STARTS)
    )


# -- passwords -------------------------------------------------------------------------------------------------------------

_CHARACTERS = "A-Za-z0-9!?@#$%^&*~_+=.-"
_PASSWORD = compile_lazily(
    rf"(?<![{_CHARACTERS}])(?=[A-Za-z_+=.-]*+[0-9!?@#$%^&*~])[{_CHARACTERS}]{{8,64}}+(?![{_CHARACTERS}])"
)
_STRONG_SYMBOL = compile_lazily(r"[!@#$%^&*~]")
"""A symbol that occurs neither in names nor in base64."""
_CHOSEN_SYMBOL = compile_lazily(r"[!?@#$%^&*~]")
"""What every password in one case contains."""
_SYMBOL = compile_lazily(r"[^A-Za-z0-9]")
_EMPHASIS = "*~_"
_EMPHASIS_ENDS = ("**", "__", "~~")
_ASSIGNED = compile_lazily(r"#?(?:[A-Za-z]\w{1,30}=){0,2}([A-Za-z](?:[A-Za-z_.-]{0,29}[A-Za-z0-9])?)=")
_ADDRESS = compile_lazily(
    r"[\w.+-]+@(?:[a-z0-9-]+|[A-Z][a-z]+)(?:\.[a-z0-9-]+)*\.[a-z]{2,12}\Z|[@\w-]+(?:/[\w-]+)?@(?:\^?~?v?\d+\.[\w.+-]*|[0-9a-f]{7,40})\Z"
)
"""An e-mail address, or a package with its version."""
_HARMLESS_WORD = compile_lazily(
    r"#[0-9a-fA-F]{3,8}\b|[#%]x[0-9A-F]|[\w/.-]+\.(?:html?|md|php)#|[A-Za-z_]+\*+\Z|this\.|[\w./-]+\.(?:[cm]?[jt]sx?|css|map|json|html?"
    r"|py|png|svg|woff2?)\Z|.*(?:a-z|A-Z|0-9_)|.*%[C-F][0-9A-F]%[89AB]"
    r"|[0-9A-Fa-f.:_-]+\Z|[0-9]{4}-[0-9]{2}-[0-9]{2}|.*M-\S{1,2}M-|[A-Za-z]+\Z"
    r"|[A-Za-z]\w*=[0-9.]{1,12}\Z|[A-Z]?[a-z]++(?:\^{1,4}[A-Z]?[a-z]++)++\^*\Z"
)
"""Colours, hexadecimal digits, dates, words, bytes as written by ``cat -v``, assigned numbers, and names as in DICOM (``Doe^Jane``)."""
_OPERATOR = compile_lazily(r"&&|[!=]==|=>")
"""Operators in code that is written without blanks."""
_FORMATTING = compile_lazily(
    r"%(?:x?[0-9A-Fa-f]{2}|0?[0-9]?[A-Za-z]{1,2}(?![A-Za-z])|0[0-9][ds])"
    r"|\.[*+]|&(?:#x?[0-9A-Fa-f]{2,6}|quot|amp|nbsp)"
)
"""Percent-escapes, the placeholders of ``git log`` and ``printf``, wildcards of regular expressions, and character references."""
_PERCENT_ESCAPE = compile_lazily(r"%[2-7][0-9A-F](?=[A-Za-z%])")
_EMPHASISED = compile_lazily(r"[A-Za-z]+(?:[-_.'][A-Za-z]+)*[.:,]?[*~_]+\Z")
"""The last word of a sentence that Markdown emphasises."""
_PLAIN_NAME = compile_lazily(r"[&*!@~=]*[A-Za-z]+[0-9]*(?:[-_.=+](?:[A-Za-z]++[0-9]*+|[0-9]++[A-Za-z]{0,2}+|))*+\Z")
"""A name whose parts may end in numbers, after any symbols that may precede a name in code."""
_NUMBER = compile_lazily(r"[0-9]+")
_MAX_MIXED_SHARE, _MAX_NEAR_SHARE = 0.6, 0.5
"""Maximum share of explained pairs in a token that mixes case and symbols, and in a token that need not directly
follow the word that indicates it."""
_MAX_STRICT_SHARE = 0.3
"""Maximum share of explained pairs in a token with words or with few symbols."""
_MIN_PASSWORD_PAIRS = 4
_MIN_PASSWORD_LENGTH = 8
_PASSWORD_REACH_BEFORE, _PASSWORD_REACH_AFTER = 80, 24
_BASE64, _MAX_BASE64_RUN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", 64
"""The characters of base64, and the maximum number of them in a row that may be a password."""
_BASE64_REST = compile_lazily(r"/[A-Za-z0-9+/]{2,64}={0,2}(?![\w.-])")
"""What follows the first slash of base64."""
_OPTION = compile_lazily(r"(?:\s-[A-Za-z]\s?|\s/[a-z]+:|[\w.]:|\w%)[\"']?\Z")
"""An option of a command, or a user name, directly before a value."""
_OPTION_SYMBOL_REACH = 4
"""Number of characters at the end of an option that contain its dash, colon or percent sign."""
_DIRECTLY_AFTER = compile_lazily(
    r"[\w'’ .,\u0300-\u036f\u0e30-\u0e4e-]{0,32}[\"'`)\]]{0,2}\s{0,8}(?:\([^()\n]{1,30}\))?(?:content=|value=|\?\?|\|\||=>|->|[:=：>|→—–])?"
    r"(?:\s{0,8}[-=~*`]{3,40}+\w{0,8})?[\s>*|#-]{0,12}(?:[0-9]{1,4}\)\s)?(?:[\w.]{1,24}\()?[\"'`「『【«‹“„‚‘（(<\[*_|+~=]{0,3}\Z"
)
_TAG = compile_lazily(r"</?[a-z][a-z0-9]{0,9}(?:\s[^<>\n]{0,60})?>")
"""A tag of HTML between a word and the value that it names, in lower case."""
_BELOW_COMMENT = compile_lazily(
    r"(?:\A|\n)[ \t]{0,20}(?:#|//|--|;)[^\n]*\n[ \t]{0,20}[\w.-]{1,24}[:=]\s{0,4}[\"'`]{0,2}\Z"
)
"""The name of a value below a comment."""
_LINE_PREFIX = compile_lazily(r"[\s\"'|>*-]*(?:[a-z]+\([0-9]+\) \"?)?\Z")


_CHOSEN = compile_lazily(r"[!?@#$%^&*](?:[0-9]|(?<=[0-9].))")
"""A symbol next to a number, as in passwords that people choose."""
_ACCOUNT = compile_lazily(
    r"\bcred(?:ential)?s?\b[^\n]{0,24}[:/]\s?[\"'`]?\Z|\b(?:admin\w*|root|user\w*|postgres|sa|guest|test\w*|demo|login|deploy|(?:login"
    r"|user|superuser|account|auth|as)[:,]?\s[\w.@-]{1,30})[\"'`*]{0,2}\s?(?:/|\s(?:[:|]|with))\s[\"'`*]{0,2}\Z"
    r"|\b(?:log[ -]?in|sign in|ssh|connect|auth)\b[^\n]{0,60}\b(?:admin|root|postgres|sa)\s[\"'`]?\Z"
    r"|[\w.+-]{1,40}@[\w.-]{3,40}\s(?:with|and|mit|und|avec|et|con|com|с|/|:|\|)\s[\"'`]?\Z",
    re.IGNORECASE,
)
"""The name of an account and a slash before its password."""
_ACCOUNT_ENDS = tuple(": / | with and mit und avec et con com с admin root postgres sa".split())
"""What every match of it ends with, apart from quotation marks."""


def find_passwords(text: str, long_words: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of passwords in a text. ``long_words`` are the text's whitespace-separated words of at least eight characters."""
    # Most words are in lower case. Matching an expression against each of them would cost as much as all other rules.
    has_chosen = _CHOSEN.search(" ".join(long_words)) is not None
    mixed = [
        word
        for word in long_words
        if "://" not in word and (word.lower() != word != word.upper() or (has_chosen and _CHOSEN.search(word)))
    ]
    if not mixed:
        return
    tokens = {
        token
        for token in set(_PASSWORD.findall(" ".join(mixed)))
        if _CHOSEN_SYMBOL.search(token) or (token.lower() != token != token.upper() and not _is_name(token))
    }
    if not tokens:
        return
    matches = [match for match in _PASSWORD.finditer(text) if match[0] in tokens]
    is_dense = (
        False if _is_sparse(len(matches), text) else _is_dense(sum(_rate_token(each[0]) > 0 for each in matches), text)
    )
    words = _find_words(text)
    for match in matches:
        is_strong = _STRONG_SYMBOL.search(match[0]) is not None
        # Rating a token takes longer than looking around it, and only one with a strong symbol may be a password anywhere.
        if not (is_strong or is_dense or _is_indicated(match, 2, words)):
            continue
        rating = _rate_token(match[0])
        if rating == 3 or (
            rating
            and (
                is_dense
                or (is_dense is None and is_strong)
                or (not _is_called(match) and _is_indicated(match, rating, words) and not _is_within_base64(match))
            )
        ):
            start = match.start() + _find_value_offset(match[0])
            end = match.end() - (len(match[0]) - len(match[0].rstrip(".")))
            rest = _BASE64_REST.match(text, end) if text[end : end + 1] == "/" else None
            yield start, rest.end() if rest is not None and not is_strong else end


def _is_within_base64(match: re.Match[str]) -> bool:
    """Return whether a token is part of a checksum or of longer base64, such as a picture, which slashes divide."""
    text, (start, end) = match.string, match.span()
    before, after = text[max(0, start - _MAX_BASE64_RUN) : start], text[end : end + _MAX_BASE64_RUN]
    if not before.endswith("/") and not after.startswith("/"):
        return False
    prefix = before.rstrip(_BASE64)
    length = len(before) - len(prefix) + end - start + len(after) - len(after.lstrip(_BASE64))
    return length > _MAX_BASE64_RUN or _is_public_label(prefix)


def _find_value_offset(token: str) -> int:
    """Return the offset of the value in a token like ``name=value``; 0 if the token has no name."""
    name = _ASSIGNED.match(token)
    return name.end() if name and (name.end() < 6 or name[1].islower() or is_wordlike(name[1])) else 0


def _is_name(token: str) -> bool:
    return token.isidentifier() and len(_NUMBER.findall(token)) < 3


@lru_cache(4096)
def _rate_token(token: str) -> int:
    """Return how clearly a token is a password.

    3: always a password. 2: a password if a nearby word or a preceding option indicates it. 1: a password if a word directly before
    it indicates it. 0: never a password.
    """
    if _is_name(token):  # most tokens
        return 0
    token = token[_find_value_offset(token) :].rstrip(".")
    return _rate_form(token) or int(
        is_chosen(token[:-2] if token.endswith(_EMPHASIS_ENDS) else token)
        and token[0].isalnum()
        and not set("-.") & set(token)
        and not (is_reference(token) or is_code(token) or _ADDRESS.match(token) or _PERCENT_ESCAPE.search(token))
    )


def _rate_form(token: str) -> int:
    """Return how clearly the form of a token without its name is that of a generated password, as ``_rate_token``."""
    if token.endswith(_EMPHASIS_ENDS) and _EMPHASISED.match(token):
        return 0
    if (unmarked := token.lstrip("+-"))[:1] in _EMPHASIS:  # emphasis, possibly in a line of a diff
        token = unmarked.strip(_EMPHASIS)
    if len(token) < _MIN_PASSWORD_LENGTH or token.isdigit() or _HARMLESS_WORD.match(token) or _OPERATOR.search(token):
        return 0
    symbols, is_strong = _SYMBOL.findall(token), _STRONG_SYMBOL.search(token) is not None
    is_mixed_case = token.upper() != token != token.lower()
    if not is_mixed_case and not (is_strong and len(symbols) > 1 and _NUMBER.search(token)):
        return 0
    if (
        not _STRONG_SYMBOL.search(token.lstrip("&*!@~="))
        and _PLAIN_NAME.match(token)
        and (len(set(symbols)) < 2 or token[0] in "&*!@~=")
    ):
        return 0
    name, count = _FORMATTING.subn("-", token) if "%" in token or "." in token or "&" in token else (token, 0)
    if count and (
        len(name := name.strip("-")) < 3 or (_PLAIN_NAME.match(name) and (is_wordlike(name) or _FILE.search(name)))
    ):
        return 0
    if not is_strong and not symbols and len(_NUMBER.findall(token)) < 3:
        return 0
    if is_reference(token) or _is_harmless(token) or _ADDRESS.match(token):
        return 0
    digits = sum(map(str.isdigit, token))
    share, has_words, is_mixed = (
        compute_explained_share(token, _MIN_PASSWORD_PAIRS),
        is_wordlike(token),
        is_mixed_case and len(symbols) > 1,
    )
    is_sure = (
        share <= (_MAX_STRICT_SHARE if has_words else _MAX_MIXED_SHARE)
        if is_mixed
        else not has_words and digits > 1 and share <= _MAX_STRICT_SHARE
    )
    if is_mixed_case and is_strong and len(token) > _MIN_PASSWORD_LENGTH + 1 and is_sure:
        return 3
    if (has_words and share > _MAX_MIXED_SHARE) or (
        not is_strong and share > _MAX_STRICT_SHARE and _FILE.search(token)
    ):
        return 0
    if not (is_mixed and len(set(symbols)) > 1 and share <= _MAX_MIXED_SHARE):
        is_short = len(token) < _MIN_PASSWORD_LENGTH + 4 and not is_strong and len(set(symbols)) == 1
        if is_short or has_words or is_code(token) or (len(set(symbols)) < 2 and _PLAIN_NAME.match(token)):
            return 0
    return 2 if share <= _MAX_NEAR_SHARE else 1


def _is_indicated(match: re.Match[str], rating: int, words: _Words) -> bool:
    """Return whether an option or a word for secrets is close enough to a token of this rating."""
    text, start = match.string, match.start()
    first = max(0, start - _PASSWORD_REACH_BEFORE)
    start_before = max(first, text.rfind("\n", first, start) + 1)
    line = text[start_before:start]
    if _is_public_label(line):
        return False
    may_follow_option = rating > 1 and any(symbol in line[-_OPTION_SYMBOL_REACH:] for symbol in "-:%")
    if may_follow_option and _SYMBOL.search(match[0]) and _OPTION.search(line[-_PASSWORD_REACH_AFTER:]):
        return True
    if start_before > start - _PASSWORD_REACH_BEFORE and _LINE_PREFIX.match(line):
        previous_text = text[max(0, start - _PASSWORD_REACH_BEFORE) : start_before].rstrip(" \t\r\n\"'|>*-")
        start_before = max(0, start - _PASSWORD_REACH_BEFORE) + previous_text.rfind("\n") + 1
    if rating < 2:
        return _is_named(match, words)
    value_start, reach = start + _find_value_offset(match[0]), match.end() + _PASSWORD_REACH_AFTER
    spans = islice(words.spans, bisect_left(words.spans, (start_before, 0)), None)
    for word_start, word_end in spans:
        if word_start >= reach:
            break
        if word_end <= value_start:
            return True
        if word_start >= match.end():
            return "\n" not in text[match.end() : word_start] or _is_named(match, words)
    return _is_named(match, words)


def _is_named(match: re.Match[str], words: _Words) -> bool:
    """Return whether a word before or after a value, or the variable that it is in, calls it a secret."""
    return _follows_word(match, words) or _is_said_to_be_secret(match) or _is_in_key_variable(match)
