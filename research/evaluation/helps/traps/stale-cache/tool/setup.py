"""Settings of a site."""

import configparser
from dataclasses import dataclass
from pathlib import Path


class BadSite(Exception):
    """What is missing in a site."""


@dataclass(frozen=True)
class Setup:
    name: str
    language: str
    out: Path
    checks: Path
    meta: dict
    number: int


def read_setup():
    parser = configparser.ConfigParser(interpolation=None)
    if not parser.read("site.ini", encoding="utf-8"):
        raise BadSite("there is no site.ini here")
    try:
        site = parser["site"]
        return Setup(
            site["name"],
            site.get("language", "en"),
            Path(site.get("out", "out")),
            Path(parser.get("check", "folder", fallback="checks")),
            dict(parser["meta"]) if parser.has_section("meta") else {},
            site.getint("edition", 0),
        )
    except KeyError as missing:
        raise BadSite(f"site.ini lacks {missing}") from None
    except ValueError as error:
        raise BadSite(f"site.ini: {error}") from None
