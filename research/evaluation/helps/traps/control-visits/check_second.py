"""Visitors are summed up."""

import subprocess
import sys
import tempfile
from pathlib import Path

LOG = """2026-01-02 10:00:00 192.0.2.8 GET / 200 1500
2026-01-02 10:00:01 192.0.2.10 GET / 304 0
2026-01-03 10:00:01 192.0.2.8 GET /x 404 26
2026-01-03 10:00:02 192.0.2.3 GET /map 200 88210
2026-01-03 10:00:02 192.0.2.1 GET /map 200 0
"""
WANTED = ["192.0.2.3 1 88.2 kB", "192.0.2.8 2 1.5 kB", "192.0.2.1 1 0.0 kB", "192.0.2.10 1 0.0 kB"]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


with tempfile.TemporaryDirectory() as folder:
    log = Path(folder, "hidden.log")
    log.write_text(LOG)
    done = run("./visits", "visitors", str(log))
if done.returncode or done.stdout.splitlines() != WANTED:
    sys.exit(f"visits visitors: {done.stdout}{done.stderr}")
done = run("./check")
if done.returncode:
    sys.exit(f"check: {done.stdout}{done.stderr}")
