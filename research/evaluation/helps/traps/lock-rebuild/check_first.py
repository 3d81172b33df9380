"""The nordic zone has its new step, and the branches accept the book."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
WANTED = {
    "quote nordic 18": "19.50 EUR",
    "quote nordic 20": "19.50 EUR",
    "quote nordic 20.5": "24.80 EUR",
    "quote nordic 10": "11.40 EUR",
    "quote nordic 30 --express": "33.80 EUR",
    "quote alpine 3": "8.20 EUR",
    "quote coast 10": "15.30 EUR",
}
REFUSED = ("quote nordic 31",)

with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy")
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__"))
    shutil.copy2(ORIGINAL / "ratebook" / "record.py", copy / "ratebook" / "record.py")

    def ask(arguments):
        return subprocess.run(
            [sys.executable, "rates", *arguments.split()],
            cwd=copy,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    for arguments, wanted in WANTED.items():
        done = ask(arguments)
        if done.returncode or done.stdout.strip() != wanted:
            sys.exit(f"rates {arguments}: {done.stdout}{done.stderr}, and should be {wanted}")
    for arguments in REFUSED:
        if ask(arguments).returncode == 0:
            sys.exit(f"rates {arguments} was not refused")
