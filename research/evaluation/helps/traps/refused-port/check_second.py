"""The new service runs with the others, under the rules of the platform."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
NEW = "palette"
NAMES = sorted([NEW, *(path.stem for path in (ORIGINAL / "services").glob("[a-z]*.py"))])
WANTED = {
    "/mix?a=ff0000&b=0000ff": {"colour": "7f007f"},
    "/mix?a=010203&b=FFFFFF": {"colour": "808081"},
}

with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy")
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__", ".stack"))
    shutil.rmtree(copy / "share", ignore_errors=True)  # the platform's own
    shutil.copytree(ORIGINAL / "share", copy / "share")
    shutil.copy2(ORIGINAL / "stack", copy / "stack")

    def run(*arguments):
        done = subprocess.run(["./stack", *arguments], cwd=copy, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode:
            sys.exit(f"stack {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done.stdout

    listed = sorted(line.split()[0] for line in run("check").splitlines())
    if listed != NAMES:
        sys.exit(f"stack check lists {listed}, and should list {NAMES}")
    for path, wanted in WANTED.items():
        found = json.loads(run("call", NEW, path))
        if found != wanted:
            sys.exit(f"{NEW} {path}: {found}, and should be {wanted}")
