"""Bring a package in line with where it runs."""

import csv
import sqlite3
from pathlib import Path

PLURALS = {"entry": "entries", "kibibyte": "bytes", "hour": "seconds", "minute": "seconds", "day": "seconds", "try": "tries"}
FACTORS = {"kibibyte": 1024, "day": 86400, "hour": 3600, "minute": 60}


def _constant(kind, unit, amount):
    name = f"{kind}_{PLURALS.get(unit, unit + 's')}".upper()
    return f"{name} = {int(float(amount) * FACTORS.get(unit, 1))}"


def arrange(share, service):
    """Write the settings of a service: those of the fleet, over which go its own."""
    base = sqlite3.connect(f"file:{share / 'fleet.db'}?mode=ro", uri=True)
    with open("deploy/own.csv", newline="", encoding="utf-8") as file:
        own = {row["code"]: row for row in csv.DictReader(file)}
    unknown = set(own) - {code for (code,) in base.execute("select code from base")}
    if unknown:
        return f"deploy/own.csv: no code {min(unknown)}"
    for part, title in base.execute("select part, title from parts where service = ?", (service,)).fetchall():
        lines = [f'"""{title}"""', ""]
        rows = base.execute("select code, kind, unit, amount from base where part = ? order by code", (part,))
        for code, kind, unit, amount in rows:
            row = own.get(code, {"amount": amount, "unit": unit})
            if row["amount"] is not None:
                lines.append(_constant(kind, row["unit"], row["amount"]))
        path, text = Path(service, "settings", f"{part}.py"), "\n".join(lines) + "\n"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    return None
