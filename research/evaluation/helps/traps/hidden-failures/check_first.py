"""Weeks are parsed and described, the ledger holds, and the archive can be made."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
PROBE = """
from worklog import Entry, describe_duration, parse_duration, parse_sheet
assert parse_duration("1w 2d") == 7 * 480, "1w 2d"
assert parse_duration("3w 5m") == 7205, "3w 5m"
assert parse_sheet("garden 2w 1h dug") == [Entry("garden", 4860, "dug")], "a sheet with weeks"
assert describe_duration(480) == "1 day", "one day in words"
assert "week" in describe_duration(2400), "a week in words"
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
