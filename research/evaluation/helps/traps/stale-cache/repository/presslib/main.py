"""The command."""

import shutil
import sys
from pathlib import Path

from presslib.check import complaints
from presslib.page import read_pages
from presslib.render import BadMark, render
from presslib.setup import setup


def build(out):
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree("assets", out, ignore=shutil.ignore_patterns(".*"))
    pages = read_pages()
    for page in pages:
        target = out / f"{page.name}.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(render(page), encoding="utf-8")
    print(f"press: {len(pages)} pages")
    return 0


def check(out):
    found = list(complaints(out))
    for complaint in found:
        print(f"press: {complaint}", file=sys.stderr)
    if not found:
        print("press: ok")
    return 1 if found else 0


def clean(out):
    shutil.rmtree(out, ignore_errors=True)
    print(f"press: {out}/ removed")
    return 0


COMMANDS = {"build": build, "check": check, "clean": clean}


def main(arguments):
    if len(arguments) != 1 or arguments[0] not in COMMANDS:
        print(f"usage: press {'|'.join(COMMANDS)}", file=sys.stderr)
        return 2
    try:
        return COMMANDS[arguments[0]](Path(setup()["site"]["out"]))
    except BadMark as error:
        print(f"press: {error}", file=sys.stderr)
        return 1
