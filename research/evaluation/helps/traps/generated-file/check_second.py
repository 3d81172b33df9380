"""A visitor may write a hundred entries, also after the next check."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
PROBE = """
from guestbook import limits
from guestbook.service import GuestBook, Refused

now = 0
book = GuestBook(lambda: now)
tokens = [book.sign_in("heron"), book.sign_in("heron"), book.sign_in("otter")]
for number in range(100):
    now += 20
    book.visitor(tokens[1])
    book.write(tokens[0], str(number))
for token in tokens[:2]:
    now += 20
    try:
        book.write(token, "one more")
    except Refused as reason:
        assert str(reason) == "you have written enough", str(reason)
    else:
        raise AssertionError("the 101st entry was accepted")
book.write(book.sign_in("otter"), "mine")
assert len(book.entries) == 101, "entries"
assert 100 in vars(limits).values(), "no limit of 100 in guestbook/limits.py"
"""


def run(*command, cwd):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False)


with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy")
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__"))
    shutil.rmtree(copy / "tools", ignore_errors=True)
    shutil.copytree(ORIGINAL / "tools", copy / "tools")
    shutil.copy2(ORIGINAL / "check", copy / "check")
    for command in ([sys.executable, "check"], [sys.executable, "-c", PROBE]):
        done = run(*command, cwd=copy)
        if done.returncode:
            sys.exit(f"{done.stdout}{done.stderr}")
