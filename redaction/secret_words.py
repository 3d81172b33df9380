"""Words that tell of a secret beside them, in the languages that people write their notes and settings in.

A part of a word is enough (``requirepass``, ``dbCreds``), since what stands beside it is judged by its looks as well
(passwords.py, random_tokens.py). Source: the words for "password", "access code" and "key" in the dictionaries of each
language.
"""

from __future__ import annotations

from collections.abc import Iterable

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
