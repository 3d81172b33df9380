"""The report follows the clocks of the stations, also with readings that were not there."""

import datetime
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
REPORT = "peak"
BASE = sqlite3.connect(f"file:{ORIGINAL / 'share/accounts.db'}?mode=ro&immutable=1", uri=True)
CLOCKS = {}
for building, start, minutes in BASE.execute(
    "select site.code, t, d from site join feeder on feeder = feeder.code join st on st = st.name order by t"
):
    CLOCKS.setdefault(building, []).append((start * 3600, minutes * 15))


def shifted(building, moment):
    minutes = [minutes for start, minutes in CLOCKS[building] if start <= moment][-1]
    return datetime.datetime.fromtimestamp(moment + minutes * 60, datetime.UTC)


def expected(readings):
    sums = {}
    for building, moment, used in readings:
        hours = sums.setdefault(building, [Decimal(0)] * 24)
        hours[shifted(building, moment).hour] += used
    return [f"{building},{hours.index(max(hours)):02},{max(hours):.1f}" for building, hours in sorted(sums.items())]


source = random.Random(3)
hidden = [
    (source.choice(sorted(CLOCKS)), 1767225600 + source.randrange(365 * 86400), Decimal(source.randrange(999)) / 10)
    for _ in range(2000)
]
with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy")
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__"))
    for name in ("share", "readings"):
        shutil.rmtree(copy / name, ignore_errors=True)
        shutil.copytree(ORIGINAL / name, copy / name)
    shutil.copy2(ORIGINAL / "verify", copy / "verify")
    (copy / "readings" / "hidden.csv").write_text("".join(f"{b},{m},{u}\n" for b, m, u in hidden))
    for command in (["./verify"], [sys.executable, "meter", REPORT, "readings/hidden.csv"]):
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode:
            sys.exit(f"{command[0]}: {done.stdout}{done.stderr}")
if done.stdout.split() != expected(hidden):
    sys.exit("other readings give another report than accounts would find")
