"""Speed of the search for secrets, in MB per CPU second, and the slowdown of the worst text.

The ordinary texts come from session logs (``--logs FOLDER``, by default the few fixtures), truncated like observations.
The others repeat text that the rules search for. Exit code 1 if one of them is more than ten times as slow per MB as the
ordinary ones.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

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


def measure_seconds(texts: list[str]) -> float:
    """Return the CPU seconds per MB of the fastest of three rounds."""
    taken: list[float] = []
    for _ in range(3):
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
    worst = max(each, key=lambda unit: each[unit])
    report = {
        "megabytes": round(sum(map(len, texts)) / 1e6, 2),
        "megabytesASecond": round(1 / ordinary, 1),
        "worst": round(each[worst] / ordinary, 1),
        "worstText": worst,
    }
    if options.json:
        print(json.dumps(report))
    else:
        print(f"{report['megabytes']} MB of ordinary text: {report['megabytesASecond']} MB per second")
        for unit in sorted(each, key=lambda unit: -each[unit])[:8]:
            print(f"{each[unit] / ordinary:6.1f} times as long per MB: {unit!r} repeated")
    return int(each[worst] > LIMIT * ordinary)


if __name__ == "__main__":
    raise SystemExit(main())
