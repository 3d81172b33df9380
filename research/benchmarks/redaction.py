"""Speed of the search for secrets, in MB per CPU second, and the slowdown of the worst text.

The ordinary texts come from session logs (``--logs FOLDER``, by default the few fixtures), truncated like observations.
Others are drawn: as programs print them, with new ids and digests in each line, or as nothing but secrets. These are read
once, so that no cache helps. The rest repeat text that the rules search for. Exit code 1 if one of any kind is more than
ten times as slow per MB as the ordinary ones.
"""

from __future__ import annotations

import argparse
import base64
import json
import string
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from uuid import UUID

from mind_skills.errors import LogError
from mind_skills.observations.read import read_session
from mind_skills.redaction.secrets import redact

FIXTURES = Path(__file__).parents[2] / "fixtures"
LENGTH, LIMIT = 100_000, 10.0
UNITS = (
    *(
        "password=",
        "password= ",
        "password=3D",
        "password={",
        "password='",
        'password="\\',
        "--password ",
        "api_key=",
        "key=",
    ),
    *(
        "token: ",
        "senha: ",
        "token=a1b2c3d4,",
        '{"password":"a1b2c3d4"},',
        "1\tpassword\n",
        "-password: \n",
        "=",
        "%3d",
        "%25",
    ),
    *(
        "\\u003d",
        "=3D",
        "[0m",
        "\\033[0m",
        "\"'",
        '\\"',
        "://a:b",
        "u:p@",
        " -u a:",
        " -p",
        "auth=('a','b'),",
        "INSERT INTO a VALUES(1,'b');",
        "Cookie: a=",
    ),
    *(
        "name: PASSWORD value ",
        "-----BEGIN PRIVATE KEY-----\n",
        "-----END PRIVATE KEY-----\n",
        "[redacted:",
        "a:b:c:d:",
        "eyJ",
    ),
    *(
        "password=[redacted:password]\n",
        "a\tTRUE\t",
        "密码：",
        "AKIA",
        "echo '",
        "kind: Secret\n a: ",
        "QUJDREVGR0hJSktM",
        "word ",
        "fobar 'Ab1-cD2_eF3g' ",
        "pass aB3-xY9_kQ2w ",
        "pass xK9$mQ2! ",
        "#pass:",
        "#token:",
        "otp: =x9$K",
        "'secret=://%2F",
        "%2FqZ8vK2mP4xT6wR1nB3cD5the ",
        "secret=createHmac('sha256','secret=",
        "key 9f86d081884c7d659a2feaa0c55ad015 ",
    ),
)


ALNUM = string.ascii_letters + string.digits


def _draw(random: Random, length: int, alphabet: str = ALNUM) -> str:
    return "".join(random.choices(alphabet, k=length))


def _base64(random: Random, length: int) -> str:
    return base64.b64encode(random.randbytes(length)).decode()


def _uuid(random: Random) -> str:
    return str(UUID(int=random.getrandbits(128), version=4))


PRINTED: dict[str, Callable[[Random], str]] = {
    "lock file of npm": lambda r: (
        f'    "node_modules/{_draw(r, 8)}": {{\n      "version": "1.2.{r.randint(0, 9)}",\n'
        f'      "integrity": "sha512-{_base64(r, 64)}",\n      "dev": true\n    }},\n'
    ),
    "lock file of Cargo": lambda r: (
        f'[[package]]\nname = "{_draw(r, 6)}"\nversion = "0.{r.randint(1, 9)}.1"\n'
        f'checksum = "{_draw(r, 64, string.hexdigits[:16])}"\n\n'
    ),
    "go.sum": lambda r: f"example.org/{_draw(r, 5)}/{_draw(r, 6)} v1.{r.randint(0, 9)}.0 h1:{_base64(r, 32)}\n",
    "commits": lambda r: f"{_draw(r, 40, string.hexdigits[:16])} fix the list of values\n",
    "UUIDs": lambda r: f"{_uuid(r)}\n",
    "base64 in lines": lambda r: f"{_base64(r, 57)}\n",
    "built files": lambda r: f"dist/assets/main-{_draw(r, 8)}.js   {r.randint(1, 999)}.{r.randint(1, 99)} kB\n",
    "ids in JSON": lambda r: f'{{"id":"{_draw(r, 20)}","userId":"{_draw(r, 24)}","at":{r.randint(0, 10**12)}}},',
    "log of requests": lambda r: (
        f"2026-11-01T10:00:{r.randint(10, 59)}Z INFO [{_draw(r, 8)}] request_id={_uuid(r)} token refreshed\n"
    ),
}
SECRETS: dict[str, Callable[[Random], str]] = {
    "tokens in JSON": lambda r: f'{{"access_token":"{_draw(r, 20)}","name":"a"}},',
    "tokens in lines": lambda r: f"    {_draw(r, 40)}\n",
    "keys in variables": lambda r: f"SHOP_KEY={_draw(r, 32)}\n",
    "short tokens in parameters": lambda r: f"token={_draw(r, 8)},",
    "escaped tokens": lambda r: f"%2F{_draw(r, 21)}the ",
}


DRAWN = PRINTED | SECRETS


def _draw_text(name: str) -> str:
    random = Random(name)
    return "".join(DRAWN[name](random) for _ in range(LENGTH // len(DRAWN[name](Random(0)))))


def measure_seconds(texts: list[str], rounds: int = 3) -> float:
    """Return the CPU seconds per MB of the fastest of some rounds."""
    taken: list[float] = []
    for _ in range(rounds):
        begin = time.process_time()
        for text in texts:
            redact(text)
        taken.append(time.process_time() - begin)
    return min(taken) / max(1, sum(map(len, texts))) * 1e6


def read_texts(folder: Path) -> list[str]:
    """Return the texts of all observations in the logs of a folder."""
    found: list[str] = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            found += [each.text for each in read_session(path).observations if each.text]
        except LogError:
            continue
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logs", type=Path, default=FIXTURES)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    texts = read_texts(options.logs)
    ordinary = measure_seconds(texts)
    each = {unit: measure_seconds([(unit * (LENGTH // len(unit) + 1))[:LENGTH]]) for unit in UNITS}
    each |= {name: measure_seconds([_draw_text(name)], rounds=1) for name in DRAWN}
    worst = max(each, key=lambda unit: each[unit])
    report = {
        "megabytes": round(sum(map(len, texts)) / 1e6, 2),
        "megabytesASecond": round(1 / ordinary, 1),
        "repeated": round(max(each[unit] for unit in UNITS) / ordinary, 1),
        "printed": round(max(each[name] for name in PRINTED) / ordinary, 1),
        "secrets": round(max(each[name] for name in SECRETS) / ordinary, 1),
        "worstText": worst,
    }
    if options.json:
        print(json.dumps(report))
    else:
        print(f"{report['megabytes']} MB of ordinary text: {report['megabytesASecond']} MB per second")
        for unit in sorted(each, key=lambda unit: -each[unit])[:20]:
            print(
                f"{each[unit] / ordinary:6.1f} times as long per MB: {unit if unit in DRAWN else f'{unit!r} repeated'}"
            )
    return int(each[worst] > LIMIT * ordinary)


if __name__ == "__main__":
    raise SystemExit(main())
