"""The pages that the farm builds have the new link."""

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
    names = sorted(path.relative_to(ORIGINAL / "pages") for path in (ORIGINAL / "pages").rglob("*.txt"))
    for name in names:
        text = (out / name.with_suffix(".html")).read_text(encoding="utf-8")
        links = re.findall(r'<a href="([^"]*)">', text.partition("</nav>")[0])
        if links != ["/index", "/visit", "/donate", "/notes/opening"] or '<a href="/donate">Give books</a>' not in text:
            sys.exit(f"{name} has the links {links}")
    last = out / names[-1].with_suffix(".html")
    last.write_text(last.read_text(encoding="utf-8").replace("Give books</a>", "</a>"), encoding="utf-8")
    if run(copy, home, "check")[0] == 0:
        sys.exit("checks/pages.ini does not ask for the link")
