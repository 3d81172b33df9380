"""The pages that a build writes have dates in words."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DATES = {
    "donate": "28 February 2026",
    "index": "11 February 2026",
    "notes/opening": "20 January 2026",
    "notes/spring": "21 March 2026",
    "visit": "2 March 2026",
}


def run(copy, command):
    done = subprocess.run(
        [sys.executable, "press", command], cwd=copy, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    if done.returncode:
        sys.exit(f"press {command}: {done.stdout}{done.stderr}")


with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy")
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__"))
    run(copy, "build")
    run(copy, "check")
    for page, date in DATES.items():
        text = (copy / "out" / f"{page}.html").read_text(encoding="utf-8")
        if f"<p class=date>{date}</p>" not in text:
            sys.exit(f"{page}.html lacks the date {date}")
    visit = copy / "out" / "visit.html"
    visit.write_text(visit.read_text(encoding="utf-8").replace("2 March 2026", "2026-03-02"), encoding="utf-8")
    done = subprocess.run([sys.executable, "press", "check"], cwd=copy, capture_output=True, timeout=60, check=False)
    if done.returncode == 0:
        sys.exit("checks/pages.ini does not ask for the date")
