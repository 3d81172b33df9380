"""The command of the press."""

import argparse
import shutil
import sys
from pathlib import Path

from looking import find_complaints
from pages import read_pages
from rendering import BadMark, Renderer
from setup import BadSite, read_setup
from stock import Stock
from words import count_words


def build(setup):
    pages = read_pages(Path("pages"))
    stock = Stock(setup)
    renderer = Renderer(setup)
    shutil.rmtree(setup.out, ignore_errors=True)
    shutil.copytree("assets", setup.out, ignore=shutil.ignore_patterns(".*"))
    for page in pages:
        target = setup.out / f"{page.name}.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(stock.take(page, renderer.render), encoding="utf-8")
    stock.close()
    print(f"press: {len(pages)} pages")
    return 0


def check(setup):
    found = list(find_complaints(setup))
    for complaint in found[:20]:
        print(f"press: {complaint}", file=sys.stderr)
    if len(found) > 20:
        print(f"press: and {len(found) - 20} more", file=sys.stderr)
    if not found:
        print("press: ok")
    return 1 if found else 0


def clean(setup):
    shutil.rmtree(setup.out, ignore_errors=True)
    print(f"press: {setup.out}/ removed")
    return 0


def words(setup):
    for name, count in count_words(Path("pages")):
        print(f"{count:>6} {name}")
    return 0


COMMANDS = {
    "build": (build, "write all pages"),
    "check": (check, "look at what was written"),
    "clean": (clean, "remove what was written"),
    "words": (words, "count the words of each page"),
}


def main(arguments):
    parser = argparse.ArgumentParser(prog="press")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, text) in COMMANDS.items():
        commands.add_parser(name, help=text, description=text)
    options = parser.parse_args(arguments)
    try:
        return COMMANDS[options.command][0](read_setup())
    except (BadMark, BadSite) as error:
        print(f"press: {error}", file=sys.stderr)
        return 1
