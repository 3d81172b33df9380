"""What the desk is, and what its tickets cost."""

import configparser
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@cache
def desk():
    parser = configparser.ConfigParser()
    parser.read(ROOT / "conf" / "desk.ini")
    return parser
