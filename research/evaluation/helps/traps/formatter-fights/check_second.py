"""The names were submitted, and what was submitted passes both tools."""

import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
TERM = "Propolis"
WANTED = """term: Propolis
kind: wax
aka:
  - Bee glue
  - Hive cement
  - Bee resin
  - Bee putty
  - Kittharz
  - Vorwachs
  - Propoli
  - Própolis
see:
  - Hive tool
text: Resin that bees gather to close gaps.
"""
ENTRIES = 21


def run(*command, cwd):
    return subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", timeout=60, check=False)


with tempfile.TemporaryDirectory() as folder:
    head = subprocess.run(
        ["git", "-c", "safe.directory=*", "archive", "--format=tar", "HEAD"], capture_output=True, timeout=60, check=False
    )
    if head.returncode:
        sys.exit(f"git archive: {head.stderr.decode()}")
    with tarfile.open(fileobj=io.BytesIO(head.stdout)) as archive:
        archive.extractall(folder)
    copy = Path(folder)
    shutil.rmtree(copy / "tools", ignore_errors=True)
    shutil.copytree(ORIGINAL / "tools", copy / "tools")
    shutil.copy2(ORIGINAL / "show", copy / "show")
    files = sorted(path.relative_to(copy).as_posix() for path in (copy / "terms").glob("*.txt"))
    before = {name: (copy / name).read_bytes() for name in files}
    for tool in ("tools/tidy.py", "tools/lint.py"):
        done = run(sys.executable, tool, *files, cwd=copy)
        if done.returncode:
            sys.exit(f"{tool}: {done.stdout}{done.stderr}")
    changed = [name for name in files if (copy / name).read_bytes() != before[name]]
    if changed:
        sys.exit(f"tidy would change what was submitted: {changed}")
    done = run(sys.executable, "show", TERM, cwd=copy)
    if done.stdout != WANTED:
        sys.exit(f"show {TERM}: {done.stdout}{done.stderr}")
    entries = sum(data.decode().count("term:") for data in before.values())
    if entries != ENTRIES:
        sys.exit(f"{entries} terms, and should be {ENTRIES}")
