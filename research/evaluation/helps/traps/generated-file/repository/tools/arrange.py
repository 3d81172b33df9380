"""Bring the package in line with where it runs."""

import json
import tomllib
from pathlib import Path

_PLURALS = {"entry": "entries", "kibibyte": "bytes", "hour": "seconds", "minute": "seconds"}
_FACTORS = {"kibibyte": 1024, "hour": 3600, "minute": 60}
_TITLE = "The limits of the guest book, in seconds, bytes and numbers."


def run(plan):
    rows = {}
    for layer in plan["rows"]:
        for row in tomllib.loads(Path("deploy", f"{layer}.toml").read_text())["row"]:
            rows[row["of"], row["kind"]] = row
    lines = [f'"""{_TITLE}"""']
    group = None
    for (of, kind), row in rows.items():
        if of != group:
            lines += ["", f"# {of}"]
            group = of
        unit = row["unit"]
        name = f"{kind}_{_PLURALS.get(unit, unit + 's')}".upper()
        lines.append(f"{name} = {json.dumps(int(row['amount'] * _FACTORS.get(unit, 1)))}")
    Path(plan["package"], "limits.py").write_text("\n".join(lines) + "\n")
