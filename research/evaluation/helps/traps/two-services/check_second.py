"""Groups of 25 may be sold, and the desk says so."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
AS_SET = {
    ("sell", "child", "20"): (0, "North gate: 110.00 EUR"),
    ("sell", "child", "26"): (1, "desk: more than 25 tickets at once"),
    ("room", "25"): (0, "yes"),
    ("room", "26"): (1, "at most 25 at once"),
}
AT_FIRST = {("room", "13"): (1, "at most 12 at once"), ("room", "12"): (0, "yes")}


def ask(copy, asked):
    for arguments, (code, text) in asked.items():
        done = subprocess.run(
            [sys.executable, "desk", *arguments], cwd=copy, capture_output=True, text=True, timeout=60, check=False
        )
        said = (done.stdout + done.stderr).strip()
        if done.returncode != code or text not in said:
            yield f"desk {' '.join(arguments)}: {said} ({done.returncode}), and should be {text} ({code})"


with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy")
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__", "*.sock"))
    for name in ("conf", "switchboard"):
        shutil.rmtree(copy / name, ignore_errors=True)
        shutil.copytree(ORIGINAL / name, copy / name)
    wrong = [*ask(copy, AS_SET)]
    shutil.copytree(copy, Path(folder, "new"), ignore=shutil.ignore_patterns("__pycache__", "run"))
    wrong += ask(Path(folder, "new"), AT_FIRST)
if wrong:
    sys.exit("\n".join(wrong))
