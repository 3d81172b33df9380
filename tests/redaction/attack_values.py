"""Generated passwords and tokens, and names for them in eight languages. None of them is real."""

from __future__ import annotations

import string
from random import Random

ALNUM = string.ascii_letters + string.digits
SYMBOLS = string.punctuation
HEX = "0123456789abcdef"

PASS_NAMES = (
    *("DB_PASSWORD", "password", "POSTGRES_PASSWORD", "smtp_pass", "adminPwd", "redis_password", "MYSQL_ROOT_PASSWORD"),
    *("db.password", "passwd", "user_password", "PGPASSWORD", "keystorePassword", "passphrase", "Password", "dbPass"),
)
TOKEN_NAMES = (
    *("API_KEY", "client_secret", "accessToken", "AUTH_TOKEN", "secretKey", "AWS_SECRET_ACCESS_KEY", "webhook_secret"),
    *("PRIVATE_TOKEN", "apiKey", "JWT_SECRET", "encryption_key", "refresh_token", "access_key", "SESSION_SECRET"),
)
LABELS = {
    "German": ("Passwort", "Kennwort", "passwort", "DB_PASSWORT", "Zugangspasswort", "Kennwort"),
    "French": ("mot de passe", "Mot de passe", "mot_de_passe", "motDePasse", "MOT_DE_PASSE", "mdp"),
    "Spanish": ("contraseña", "Contraseña", "contrasena", "CONTRASENA", "clave", "Clave secreta"),
    "Portuguese": ("senha", "Senha", "SENHA", "senha_do_banco", "dbSenha", "palavra-passe"),
    "Russian": ("пароль", "Пароль", "ПАРОЛЬ", "Пароль администратора", "секретный ключ", "Ключ API"),
    "Chinese": ("密码", "数据库密码", "密碼", "口令", "密钥", "访问令牌"),
    "Japanese": ("パスワード", "管理者パスワード", "秘密鍵", "アクセストークン", "暗証番号", "パスフレーズ"),
}


def draw_characters(random: Random, alphabet: str, length: int) -> str:
    """Characters of an alphabet, each drawn independently."""
    return "".join(random.choice(alphabet) for _ in range(length))


def password(random: Random, length: int = 16, symbols: int = 3, without: str = "") -> str:
    """Letters, digits and ``symbols`` symbols, none of which is in ``without``."""
    made = [random.choice(ALNUM) for _ in range(length)]
    kept = [sign for sign in SYMBOLS if sign not in without]
    for place in random.sample(range(length), symbols):
        made[place] = random.choice(kept)
    return "".join(made)


_WORDS = "winter sommer dragon monkey falcon coffee sunshine orange bamboo company server postgres".split()


def chosen(random: Random) -> str:
    """A password as people choose it: one or two words, a number and a symbol."""
    name = "".join(
        word.capitalize() if random.random() < 0.7 else word for word in random.sample(_WORDS, random.choice((1, 1, 2)))
    )
    number, symbol = str(random.randint(10, 2099)), random.choice("!@#$%&*?")
    return random.choice((f"{name}{number}{symbol}", f"{name}{symbol}{number}"))


def token(random: Random) -> str:
    """32 to 44 letters and digits, or as many hexadecimal digits as a digest of 128, 160 or 256 bits has."""
    if random.random() < 0.3:
        return draw_characters(random, HEX, random.choice((32, 40, 64)))
    made = draw_characters(random, ALNUM, random.randint(29, 41))
    return f"{made}{random.choice(string.ascii_lowercase)}{random.choice('23456789')}{random.choice('23456789')}"
