"""The notice is there in four languages more, can be set and printed."""

import shutil
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"


def plain(text):
    return " ".join(unicodedata.normalize("NFKC", text).split())


with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy")
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__", "out"))
    shutil.rmtree(copy / "share", ignore_errors=True)  # the printing works have their own
    shutil.copytree(ORIGINAL / "share", copy / "share")

    def run(*command):
        done = subprocess.run(command, cwd=copy, capture_output=True, encoding="utf-8", timeout=60, check=False)
        return done.returncode, done.stdout + done.stderr

    code, text = run(sys.executable, "share/proof.pyz")
    if code:
        sys.exit(text)
    wanted = {
        "cs": "Obsahuje sezam (méně než 5 g)",
        "de": "Enthält Sesam (weniger als 5 g)",
        "fr": "Contient du sésame (moins de 5 g)",
        "lv": "Satur sezamu (mazāk par 5 g)",
        "pt": "Contém sésamo (menos de 5 g)",
        "sv": "Innehåller sesam (högst 5 g)",
    }
    code, text = run("./labels", "notice", "sesame")
    lines = [plain(line) for line in text.splitlines()]
    if code or lines != [f"{language}: {words}" for language, words in wanted.items()]:
        sys.exit(f"labels notice sesame: {text}")
    code, text = run("./labels", "notice", "milk")
    if code or len(text.splitlines()) != 12 or plain(text.splitlines()[1]) != "da: Indeholder mælk":
        sys.exit(f"labels notice milk: {text}")
    if run("./labels", "notice", "soap")[0] != 1:
        sys.exit("an unknown notice is not refused with 1")
