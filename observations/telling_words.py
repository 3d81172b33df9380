"""Words that tell of a secret beside them, in the languages that people write their notes and settings in.

A part of a word is enough (``requirepass``, ``dbCreds``), since what stands beside it is judged by its looks as well
(password_looks.py, random_tokens.py). Source: the words for "password", "access code" and "key" in the dictionaries of each
language.
"""

from __future__ import annotations

import re

_ENGLISH = (
    r"pass(?!ed|ing|ive|enger|port|es\b)|\bpw|pwd|p[as]?s?s?wo?r?d|\bpsw|secret|token|(?<![a-z])cred|credential|bearer|nickserv|identif(?:y|ied)\b",
    r"(?<![a-z])auth(?!or)|authori[sz]ation|logi?n\b|log[ -]in|sign[ -]?in|psk|(?<![a-z])(?:t?otp|pin|jwt|sid|hmac|salt|pepper|seed)(?![a-z])",
    r"mnemonic|cookie|wpa|vnc|unlock|passcode",
    r"(?:access|backup|recovery|unlock|security|login|invit\w*|activation|licen[cs]e|pairing|verification)[ _-]?codes?",
    r"(?:api|app|access|auth|client|cookie|crypt\w*|deploy|encrypt\w*|fernet|hash|hmac|jwt|licen[cs]e|master|private|secret|service|session"
    r"|shared|sign\w*|storage|account|subscription|wg|psk|pre[ _-]?shared)[ _.-]?keys?",
)
_OTHERS = (
    # Latin letters
    "kennw passwor[dt] zugang losung schlüssel schluessel mot\\sde\\spasse \\bmdp\\b clé(?![a-z]) identifiant contrase contrasi llave \\bclaves?\\b "
    "senha \\bchaves? palavra-passe parol password chiav wachtw sleutel toegangsc has[łl]\\w klucz şifre sifre anahtar lösen losen nyckel "
    "adgangsk nøgle passord kodeord salasan avain heslo klíč kľúč jelsz kulcs cheie lozink geslo slapta raktas parool salasõna "
    "lykilor fjalëkalim pasahitz cyfrinair pasfhocal nenosiri pasvort mật\\skhẩu kata\\s(?:sandi|laluan|kunci)",
    # Greek, Cyrillic, Armenian, Georgian
    "κωδικ συνθηματ κλειδ парол лозинк ключ секрет токен құпия сырсөз нууц գաղտն პაროლ",
    # Arabic, Hebrew, scripts of India and of South East Asia
    "كلمة\\s(?:ال)?(?:مرور|سر) رمز\\sعبور گذرواژه پاس\\s?ورڈ סיסמ מפתח पासवर्ड कूटशब्द संकेतशब्द পাসওয়ার্ড கடவுச் పాస్‌వర్డ్ รหัส စကားဝှက် ລະຫັດ ពាក្យសម្ងាត់",
    # Chinese, Japanese, Korean
    "密 秘 口令 令牌 授权码 授權碼 凭证 憑證 验证码 パス トークン 暗証 合言葉 鍵 비밀번호 암호 패스워드 토큰 인증",
)
TELLING = re.compile("|".join([*_ENGLISH, *(word for line in _OTHERS for word in line.split())]), re.IGNORECASE)
