"""Names are those that the suppliers sent, also in feeds with other code pages."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
HIDDEN = {
    "ash": (1, ["Oeufs à la neige", "Gruyère", "Çà et là", "Señal"]),
    "fir": (2, ["Żółć", "Řeřicha", "Ákos"]),
    "oak": (5, ["Ļaudis", "Žąsis", "Öö"]),
    "yew": (4, ["Pão", "Ânimo", "Vovó"]),
}


def run(*command, cwd):
    return subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", timeout=60, check=False)


with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy")
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__"))
    for name in ("feeds", "tools"):
        shutil.rmtree(copy / name, ignore_errors=True)
        shutil.copytree(ORIGINAL / name, copy / name)
    shutil.copytree(ORIGINAL, Path(folder, "original"))
    for feed, (form, names) in HIDDEN.items():
        table = Path(folder, f"{feed}.csv")
        table.write_text("".join(f"{name},132,2\n" for name in names), encoding="utf-8")
        target = copy / "feeds" / f"{feed}.dat"
        done = run(sys.executable, "tools/pack", str(table), str(target), str(form), cwd=Path(folder, "original"))
        if done.returncode:
            sys.exit(done.stderr)
    for feed in ("brook", "dune", "elm"):
        done = run(sys.executable, "feed", "control", feed, cwd=copy)
        if done.returncode:
            sys.exit(f"feed control {feed}: {done.stdout}{done.stderr}")
    for feed, (_, names) in HIDDEN.items():
        done = run(sys.executable, "feed", "names", feed, cwd=copy)
        if done.stdout.splitlines() != sorted(names):
            sys.exit(f"feed names {feed}: {done.stdout}{done.stderr}")
