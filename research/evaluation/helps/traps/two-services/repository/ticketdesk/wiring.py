"""How the desk is connected."""

import configparser
from functools import cache
from pathlib import Path

from switchboard.client import Client

ROOT = Path(__file__).resolve().parents[1]


@cache
def desk():
    parser = configparser.ConfigParser()
    parser.read(ROOT / "conf" / "desk.ini")
    return parser


@cache
def line():
    return Client(ROOT, desk()["desk"].get("site", ""))
