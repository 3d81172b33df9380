"""Words are found, also in feeds with other code pages."""

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
WANTED = {
    "CAFÉ": ["dune: Café moulu, 1.69", "dune: Café solúvel, 8.35"],
    "čaj": ["brook: Čaj černý, 3.54"],
    "ĄŽUOL": ["elm: Ąžuolų gilių kava, 8.72"],
    "ře": ["fir: Řeřicha, 1.32"],
    "ÂN": ["yew: Ânimo, 1.32"],
    "çà": ["ash: Çà et là, 1.32"],
    "ö": ["elm: Köömned, 9.83", "oak: Öö, 1.32"],
    "zebra": [],
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
    for word, wanted in WANTED.items():
        done = run(sys.executable, "feed", "find", word, cwd=copy)
        if done.returncode != (not wanted) or done.stdout.splitlines() != wanted:
            sys.exit(f"feed find {word}: {done.stdout}{done.stderr}, and should be {wanted}")
