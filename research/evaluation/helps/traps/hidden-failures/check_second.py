"""Entries are merged, the ledger holds, and the archive can be made."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
PROBE = """
from worklog import Entry
from worklog.sheet import merge_entries
entries = [Entry("a", 5, "x"), Entry("b", 7, "x"), Entry("a", 1, "y"), Entry("a", 2, "x"), Entry("b", 1, "x")]
wanted = [Entry("a", 7, "x"), Entry("b", 8, "x"), Entry("a", 1, "y")]
assert merge_entries(entries) == wanted, merge_entries(entries)
assert entries[0] == Entry("a", 5, "x"), "the entries were changed"
assert merge_entries([]) == [], "no entries"
"""


def run(*command, cwd):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60)


with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy")
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__", ".results.json", "dist"))
    for name in ("testing", "ship", "run-tests"):
        if (ORIGINAL / name).is_dir():
            shutil.rmtree(copy / name, ignore_errors=True)
            shutil.copytree(ORIGINAL / name, copy / name)
        else:
            shutil.copy2(ORIGINAL / name, copy / name)
    for command in ([sys.executable, "-c", PROBE], [sys.executable, "run-tests"], [sys.executable, "ship"]):
        done = run(*command, cwd=copy)
        if done.returncode:
            sys.exit(f"{command[-1][:20].strip()}: {done.stdout}{done.stderr}")
if not Path("dist/worklog.zip").is_file():
    sys.exit("no dist/worklog.zip was made")
