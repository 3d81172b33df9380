"""The pages that the farm builds have dates in words."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"


def run(copy, home, command):
    done = subprocess.run(
        ["./press", command],
        cwd=copy,
        env=os.environ | {"HOME": str(home)},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return done.returncode, f"press {command}: {done.stdout}{done.stderr}"


with tempfile.TemporaryDirectory() as folder:
    copy, home = Path(folder, "copy"), Path(folder, "home")
    home.mkdir()
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__", "out"))
    shutil.rmtree(copy / "share", ignore_errors=True)  # the farm has its own
    shutil.copytree(ORIGINAL / "share", copy / "share")
    shutil.copy2(ORIGINAL / "press", copy / "press")
    for command in ("build", "check"):
        code, text = run(copy, home, command)
        if code:
            sys.exit(text)
    out = copy / "out"
    months = "January February March April May June July August September October November December".split()
    for path in sorted((ORIGINAL / "pages").rglob("*.txt")):
        year, month, day = re.search(r"^date: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)[1].split("-")
        date = f"{int(day)} {months[int(month) - 1]} {year}"
        name = path.relative_to(ORIGINAL / "pages").with_suffix(".html")
        if f"<p class=date>{date}</p>" not in (out / name).read_text(encoding="utf-8"):
            sys.exit(f"{name} lacks the date {date}")
    visit = out / "visit.html"
    visit.write_text(visit.read_text(encoding="utf-8").replace("2 March 2026", "2026-03-02"), encoding="utf-8")
    if run(copy, home, "check")[0] == 0:
        sys.exit("checks do not ask for the date")
