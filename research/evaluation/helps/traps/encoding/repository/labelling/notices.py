"""Sentences on labels."""

import configparser
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "notices"


def read_notices():
    """All notices: by language, then by name."""
    found = {}
    for path in sorted(FOLDER.glob("*.ini")):
        parser = configparser.ConfigParser(interpolation=None)
        parser.read(path, encoding="utf-8")
        found[path.stem] = dict(parser["notices"])
    return found
