"""The products are in the catalogue, and the printing works can set them."""

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
    before = plain((ORIGINAL / "catalogue/bakery.tsv").read_text(encoding="utf-8"))
    after = plain((copy / "catalogue/bakery.tsv").read_text(encoding="utf-8"))
    if not after.startswith(before):
        sys.exit("what was in the file is not there any more")
    wanted = "BK-0901 Crème brûlée tartelette 120 g 3.40 B4 BK-0902 Käsestange mit Kümmel 90 g 1.20 B4 "
    if after[len(before) :].strip() != wanted + "BK-0903 Štrúdl s mákem 150 g 2.10 B5":
        sys.exit(f"the new lines are {after[len(before):]}")
    for others in ("catalogue", "notices"):
        for path in (ORIGINAL / others).iterdir():
            if path.name != "bakery.tsv" and path.read_bytes() != (copy / others / path.name).read_bytes():
                sys.exit(f"{path.name} was changed")
