"""The report follows the clocks of the buildings, also with readings that were not there."""

import datetime
import json
import random
import shutil
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
REPORT = "daily"
BUILDINGS = json.loads((ORIGINAL / "tariffs" / "buildings.json").read_text())
CONTRACTS = {name: json.loads((ORIGINAL / "tariffs" / f"{name}.json").read_text()) for name in BUILDINGS.values()}


def shifted(building, moment):
    lead = [minutes for start, minutes in CONTRACTS[BUILDINGS[building]]["lead"] if start <= moment][-1]
    return datetime.datetime.fromtimestamp(moment + lead * 60, datetime.UTC)


def expected(readings):
    sums = {}
    for building, moment, used in readings:
        key = building, shifted(building, moment).date().isoformat()
        sums[key] = sums.get(key, Decimal(0)) + used
    return [f"{building},{day},{used:.1f}" for (building, day), used in sorted(sums.items())]


source = random.Random(3)
hidden = [
    (source.choice(sorted(BUILDINGS)), 1767225600 + source.randrange(365 * 86400), Decimal(source.randrange(999)) / 10)
    for _ in range(2000)
]
with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy")
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__"))
    for name in ("expected", "readings", "tariffs"):
        shutil.rmtree(copy / name, ignore_errors=True)
        shutil.copytree(ORIGINAL / name, copy / name)
    shutil.copy2(ORIGINAL / "verify", copy / "verify")
    (copy / "readings" / "hidden.csv").write_text("".join(f"{b},{m},{u}\n" for b, m, u in hidden))
    (copy / "expected" / f"{REPORT}.hidden.csv").write_text("\n".join(expected(hidden)) + "\n")
    done = subprocess.run(
        [sys.executable, "verify"], cwd=copy, capture_output=True, text=True, timeout=60, check=False
    )
if done.returncode or f"{REPORT}.hidden" not in done.stdout:
    sys.exit(f"{done.stdout}{done.stderr}")
if any(line.startswith(f"{REPORT}.") and not line.endswith(" ok") for line in done.stdout.splitlines()):
    sys.exit(f"no report {REPORT}:\n{done.stdout}")
