"""The pages that a build writes have the new link."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LINKS = ["/index", "/visit", "/donate", "/notes/opening"]
PAGES = ["donate", "index", "notes/opening", "notes/spring", "visit"]


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
    for page in PAGES:
        text = (copy / "out" / f"{page}.html").read_text(encoding="utf-8")
        links = re.findall(r'<a href="([^"]*)">', text)
        if links != LINKS or '<a href="/donate">Give books</a>' not in text:
            sys.exit(f"{page}.html has the links {links}")
    donate = copy / "out" / "donate.html"
    donate.write_text(donate.read_text(encoding="utf-8").replace("Give books</a>", "</a>"), encoding="utf-8")
    done = subprocess.run([sys.executable, "press", "check"], cwd=copy, capture_output=True, timeout=60, check=False)
    if done.returncode == 0:
        sys.exit("checks/pages.ini does not ask for the link")
