"""The new service runs with the others, under the rules of the platform."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
NAMES = ["counter", "dice", "greeter", "slug"]
WANTED = {
    ("slug", "/make?text=A%20b"): {"slug": "a-b"},
    ("slug", "/make?text=--Two%20%20words%3A%20MORE%21"): {"slug": "two-words-more"},
}

with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy")
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__", ".stack"))
    for name in ("runner", "etc"):
        shutil.rmtree(copy / name, ignore_errors=True)
        shutil.copytree(ORIGINAL / name, copy / name)
    for name in ("stack", "services/serve.py"):
        shutil.copy2(ORIGINAL / name, copy / name)

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, "stack", *arguments], cwd=copy, capture_output=True, text=True, timeout=60, check=False
        )
        if done.returncode:
            sys.exit(f"stack {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done.stdout

    listed = sorted(line.split()[0] for line in run("check").splitlines())
    if listed != NAMES:
        sys.exit(f"stack check lists {listed}, and should list {NAMES}")
    for (service, path), wanted in WANTED.items():
        found = json.loads(run("call", service, path))
        if found != wanted:
            sys.exit(f"{service} {path}: {found}, and should be {wanted}")
