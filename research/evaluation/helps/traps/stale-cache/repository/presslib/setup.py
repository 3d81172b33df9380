"""Settings of the press."""

import configparser
from functools import cache


@cache
def setup():
    parser = configparser.ConfigParser()
    parser.read("presslib/press.ini", encoding="utf-8")
    return parser
