"""Visitors may be away for 45 minutes, also after the next check."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
PROBE = """
from guestbook.service import GuestBook, Refused

now = 0
book = GuestBook(lambda: now)
token = book.sign_in("heron")
now += 2700
assert book.visitor(token) == "heron", "signed out within 45 minutes"
now += 2701
try:
    book.visitor(token)
except Refused:
    pass
else:
    raise AssertionError("not signed out after 45 minutes")
token = book.sign_in("heron")
book.write(token, "x" * 4096)
"""


def run(*command, cwd):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False)


with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy")
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__"))
    shutil.rmtree(copy / "tools", ignore_errors=True)
    shutil.copytree(ORIGINAL / "tools", copy / "tools")
    shutil.copy2(ORIGINAL / "check", copy / "check")
    shutil.copy2(ORIGINAL / "tests" / "test_promises.py", copy / "tests" / "test_promises.py")
    for command in ([sys.executable, "check"], [sys.executable, "-c", PROBE]):
        done = run(*command, cwd=copy)
        if done.returncode:
            sys.exit(f"{done.stdout}{done.stderr}")
