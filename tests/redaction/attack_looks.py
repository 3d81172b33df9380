"""Generated passwords, keys and codes that only their appearance gives away, or a nearby word that is on no list of names.

In a template ``«S»`` is a password of 16 characters with three symbols of ``!@#%^&*-_+=.~``, ``«A»`` 40 letters and digits, ``«H»``
64 hexadecimal digits, ``«C»`` a password as people choose it.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from random import Random

from tests.redaction.attack_values import ALNUM, HEX, chosen, draw_characters, password

Draw = Callable[[Random], tuple[str, str]]
_SIGNS = "!@#%^&*-_+=.~"
_OTHERS = "".join(sign for sign in string.punctuation if sign not in _SIGNS)
_MAKERS: dict[str, Callable[[Random], str]] = {
    "«S»": lambda random: password(random, without=_OTHERS),
    "«A»": lambda random: draw_characters(random, ALNUM, 38) + random.choice("23456789") + random.choice("bcdfghjk"),
    "«H»": lambda random: draw_characters(random, HEX, 64),
    "«C»": chosen,
}


def _draw(template: str) -> Draw:
    mark = next(mark for mark in _MAKERS if mark in template)

    def draw(random: Random) -> tuple[str, str]:
        secret = _MAKERS[mark](random)
        return template.replace(mark, secret), secret

    return draw


_NAMED = {
    **{
        f"label in {language}": f"{label}: «S»\n"
        for language, label in (
            *(("Italian", "parola d'ordine"), ("Dutch", "wachtwoord"), ("Polish", "hasło"), ("Turkish", "şifre")),
            *(("Swedish", "lösenord"), ("Danish", "adgangskode"), ("Norwegian", "passord"), ("Finnish", "salasana")),
            *(
                ("Czech", "heslo"),
                ("Hungarian", "jelszó"),
                ("Romanian", "parolă"),
                ("Greek", "κωδικός"),
                ("Korean", "비밀번호"),
            ),
            *(
                ("Arabic", "كلمة المرور"),
                ("Hebrew", "סיסמה"),
                ("Hindi", "पासवर्ड"),
                ("Vietnamese", "mật khẩu"),
                ("Thai", "รหัสผ่าน"),
            ),
            *(
                ("Indonesian", "kata sandi"),
                ("Persian", "رمز عبور"),
                ("Croatian", "lozinka"),
                ("Lithuanian", "slaptažodis"),
            ),
            *(
                ("Estonian", "parool"),
                ("Catalan", "contrasenya"),
                ("French", "clé d'accès"),
                ("German", "Zugriffsschlüssel"),
            ),
            *(("Albanian", "fjalëkalimi"), ("Icelandic", "lykilorð"), ("Basque", "pasahitza"), ("Georgian", "პაროლი")),
        )
    },
    **{
        f"name, {name}": f"{name}{sign}«S»\n"
        for name, sign in (
            *(
                ("smtpPasswordPlain", ": "),
                ("pass_phrase_text", "="),
                ("pswd", "="),
                ("psw", ": "),
                ("pword", "="),
                ("PASS2", "="),
            ),
            *(
                ("my-secret-text", ": "),
                ("creds", "="),
                ("FTP_CRED", "="),
                ("pairing code", ": "),
                ("login", " = "),
                ("vnc", ": "),
            ),
        )
    },
    **{
        f"name, {name}": f"{name}=«A»\n"
        for name in ("SESSION", "APP_KEY", "LICENSE_KEY", "PASSWORD_SALT", "cookie_secret")
    },
    **{f"name, {name}": f"{name}=«H»\n" for name in ("HMAC_KEY", "ENCRYPTION_IV", "TOKEN_SALT", "SIGNING_SEED")},
    "block of yaml": "db:\n  password: |\n    «S»\n  user: a\n",
    "behind a fallback": "password = vault.get('db') or '«S»'",
    "behind a choice": "const password = production ? fetched() : '«S»'",
    "in two elements": "<Password><Value>«S»</Value></Password>",
    "dumped": '["password"]=>\n  string(16) "«S»"',
    "in a sentence": "use «S» as the password for now",
    "before its word": "«S» is the password",
    "a line of a protocol": "PASS «S»\r\n230 logged in",
}
_ALONE = {
    **{
        f"option of {command.split(' ')[0]}": command
        for command in (
            *(
                "zip -P «S» out.zip a b",
                "openssl enc -aes-256-cbc -k «S» -in a",
                "ipmitool -H bmc -U ADMIN -P «S» power status",
            ),
            *(
                "sqlcmd -S db -U sa -P «S» -Q 'select 1'",
                "cqlsh -u app -p «S» host",
                "http -a deploy:«S» https://h.test/api",
            ),
            *("snmpget -v3 -u a -A '«S»' h", "mosquitto_sub -u app -P «S» -t a", "smbclient //srv/share -U deploy%«S»"),
            *("rdp /u:deploy /p:«S» /v:host", "lftp -u deploy,«S» sftp://h.test", "kinit deploy <<< '«S»'"),
        )
    },
    "piped": "echo '«S»' | sudo -S systemctl restart a",
    "argument of a call": 'new NetworkCredential("deploy", "«S»")',
    "in a pair": "users = [('deploy', '«S»')]",
    "in a data source": 'sql.Open("mysql", "app:«S»@tcp(127.0.0.1:3306)/shop")',
}
_FORMED = {
    "invitation": "https://h.test/invite/«A»",
    "reset": "https://h.test/account/reset-password/«A»",
    "signature": "https://cdn.test/a?Expires=1&Signature=«A»&Key-Pair-Id=K",
    "hash of a framework": "pbkdf2_sha256$600000$aBcDeFgHiJ$«A»=",
    "hash of a directory": "dn: cn=a\n{SSHA}«A»",
    "digest": 'Authorization: Digest username="a", response="«H»"',
}
_CHOSEN = {
    "environment file": "A=1\nDB_PASSWORD=«C»\nB=2\n",
    "properties": "spring.datasource.password=«C»\n",
    "yaml": "db:\n  password: «C»\n  user: a\n",
    "block of yaml": "db:\n  password: |\n    «C»\n  user: a\n",
    "ini": "[client]\npassword = «C»\n",
    "flag": "tool --password «C» --db a",
    "flag with equals": "tool --password=«C» --db a",
    "json": '{"user": "a", "password": "«C»"}',
    "escaped json": '"{\\"password\\": \\"«C»\\"}"',
    "numbered": "     3→DB_PASSWORD=«C»\n     4→A=1",
    "diff": "-DB_PASSWORD=old\n+DB_PASSWORD=«C»\n",
    "log line": "INFO connecting user=app password=«C» host=db",
    "setter": 'user.setPassword("«C»");',
    "argument after its name": "os.environ.get('DB_PASSWORD', '«C»')",
    "sql": "ALTER USER app WITH PASSWORD '«C»';",
    "sentence": "the password is «C» for now",
    "bold": "- **Password:** `«C»`",
    "cell": "| DB_PASSWORD | `«C»` |",
    "csv": "user,password\na,«C»\n",
    "xml": "<password>«C»</password>",
    "address": "postgres://app:«C»@db.test/shop",
    "curl": "curl -u admin:«C» https://h.test",
}
LOOKS: dict[str, dict[str, Draw]] = {
    "under a label": {kind: _draw(template) for kind, template in _NAMED.items()},
    "by its appearance": {kind: _draw(template) for kind, template in _ALONE.items()},
    "chosen by people": {kind: _draw(template) for kind, template in _CHOSEN.items()},
    "by its form": {kind: _draw(template) for kind, template in _FORMED.items()},
}
