"""Issued keys, passwords and private keys between escapes or colours, and as programs that show files print them."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

from tests.redaction.attack_values import password
from tests.redaction.planted import ISSUED, pem

Draw = Callable[[Random], tuple[str, str]]
ESC = "\x1b"


def _issued(random: Random) -> str:
    """A key of an issuer whose keys contain no character that a decoder could interpret."""
    name = random.choice(("github-token", "aws-key", "npm-token", "stripe-key", "slack-token", "gitlab-token", "jwt"))
    return random.choice(ISSUED[name])(random)


def _around(before: str, behind: str) -> Draw:
    def draw(random: Random) -> tuple[str, str]:
        secret = _issued(random)
        return f"{before}{secret}{behind}", secret

    return draw


def _named(before: str, behind: str) -> Draw:
    def draw(random: Random) -> tuple[str, str]:
        secret = password(random, without="%=\\\"'&;[]<>{}/?#@")
        return f"{before}{secret}{behind}", secret

    return draw


FORMS: dict[str, Draw] = {
    "\\u0022": _around("{\\u0022a\\u0022:\\u0022", "\\u0022}"),
    "\\u003d": _around("a\\u003d", "\\u0026b\\u003dc"),
    "\\u0027": _around("x\\u0027", "\\u0027"),
    "\\u003D": _around("a\\u003D", "\\u0026"),
    "%3d": _around("u=a%3d", "%26y"),
    "%22": _around("u=%22", "%22"),
    "%20": _around("q=see%20", "%20here"),
    "%2f": _around("u=https%3a%2f%2fh.test%2f", "%2fx"),
    "%253D": _around("u=a%3D", "%2526y"),
    "=3D": _around("token=3D", "=20x"),
    "=22": _around("x =22", "=22 y"),
    "=0A": _around("x=0A", "=0A"),
    "\\x3d": _around("a\\x3d", "\\x26"),
    "\\075": _around("a\\075", "\\046"),
    "&quot;": _around("x=&quot;", "&quot;"),
    "&#61;": _around("x&#61;", "&#38;y"),
    "&#x3d;": _around("x&#x3d;", "&#x26;y"),
    "\\t": _around("a\\t", "\\tb"),
    "\\r\\n": _around("a\\r\\n", "\\r\\nb"),
    "colour": _around(f"x={ESC}[31m", f"{ESC}[0m"),
    "colour, no ESC": _around("x=[31m", "[0m"),
    "colour, 256": _around("x=[38;5;208m", "[39m"),
    "colour, \\033": _around("x=\\033[1;32m", "\\033[0m"),
    "colour, \\x1b": _around("x=\\x1b[32m", "\\x1b[39m"),
    "colour, \\u001b": _around("x=\\u001b[32m", "\\u001b[39m"),
    "colour, \\e": _around("x=\\e[32m", "\\e[0m"),
    "colour, ^[": _around("x=^[[32m", "^[[0m"),
    "password, \\u0022": _named("{\\u0022password\\u0022:\\u0022", "\\u0022}"),
    "password, \\u003d": _named("DB_PASSWORD\\u003d", "\\u0026b\\u003dc"),
    "password, %3d": _named("u=password%3d", "%26y%3d1"),
    "password, %3D": _named("u=password%3D", "%26y%3D1"),
    "password, %22": _named("%7B%22password%22%3A%22", "%22%7D"),
    "password, =3D": _named("DB_PASSWORD=3D", "=0A"),
    "password, &quot;": _named("{&quot;password&quot;:&quot;", "&quot;}"),
    "password, colour": _named(f"{ESC}[33mpassword{ESC}[0m: {ESC}[32m", f"{ESC}[0m"),
    "password, colour, no ESC": _named("[33mpassword[0m=[32m", "[0m"),
    "password, colour, \\033": _named("\\033[33mpassword\\033[0m=\\033[32m", "\\033[0m"),
    "password, colour, \\x1b": _named("\\x1b[33mpassword\\x1b[0m: '\\x1b[32m", "\\x1b[0m'"),
    "password, quoted colour": _named('"password": [32m\'', "'[0m"),
    "password, address in %": _named("postgres%3A%2F%2Fapp%3A", "%40db.internal%2Fapp"),
}


def _key(shown: Callable[[list[str]], list[str]]) -> Draw:
    """A private key in another form; the secret is a line from its middle."""

    def draw(random: Random) -> tuple[str, str]:
        lines = pem(random.choice(("", "RSA ", "EC ", "OPENSSH ")))(random).splitlines()
        return "\n".join(shown(lines)), lines[5]

    return draw


def _numbered(form: str, begin: int = 1) -> Callable[[list[str]], list[str]]:
    return lambda lines: [form.format(number, line) for number, line in enumerate(lines, begin)]


def _with(front: str, lines: list[str]) -> list[str]:
    return [front + line for line in lines]


FORMS |= {
    "key, cat -n": _key(_numbered("{:6d}\t{}")),
    "key, cat -n, no END": _key(lambda lines: _numbered("{:6d}\t{}")(lines[:-1])),
    "key, cat -n, no BEGIN": _key(lambda lines: _numbered("{:6d}\t{}", 2)(lines[1:])),
    "key, arrow": _key(_numbered("{:6d}→{}")),
    "key, arrow, no END": _key(lambda lines: _numbered("{:6d}→{}")(lines[:-2])),
    "key, arrow, no BEGIN": _key(lambda lines: _numbered("{:6d}→{}", 2)(lines[1:])),
    "key, bar, no END": _key(lambda lines: _numbered("{:3d} | {}")(lines[:-1])),
    "key, colon, no END": _key(lambda lines: _numbered("{}: {}")(lines[:-1])),
    "key, padded, no END": _key(lambda lines: _numbered("{:05d}| {}")(lines[:-1])),
    "key, no END": _key(lambda lines: lines[:-1]),
    "key, removed": _key(lambda lines: _with("-", lines)),
    "key, removed, no END": _key(lambda lines: _with("-", lines[:-1])),
    "key, removed, no BEGIN": _key(lambda lines: _with("-", lines[1:])),
    "key, added, no END": _key(lambda lines: _with("+", lines[:-1])),
    "key, added, no BEGIN": _key(lambda lines: _with("+", lines[1:])),
    "key, quoted, no END": _key(lambda lines: _with("> ", lines[:-1])),
    "key, commented, no END": _key(lambda lines: _with("# ", lines[:-1])),
    "key, indented, no END": _key(lambda lines: _with("      ", lines[:-1])),
    "key, grep, no END": _key(lambda lines: ["id:1:" + lines[0], *_numbered("id-{}-{}", 2)(lines[1:-1])]),
    "key, file and line, no END": _key(_numbered("certs/id_rsa:{}:{}")),
    "key, json list, no END": _key(lambda lines: ["[", *(f"  {json.dumps(line)}," for line in lines[:-1])]),
    "key, python lines, no END": _key(lambda lines: [f'    "{line}\\n"' for line in lines[:-1]]),
    "key, coloured diff": _key(lambda lines: [f"[31m-{line}[m" for line in lines[:-1]]),
    "key, ends cut": _key(lambda lines: [*lines[:8], "[...]"]),
}
