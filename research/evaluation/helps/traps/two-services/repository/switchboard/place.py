"""Where a switchboard listens, and what it begins with."""

import configparser
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    site: str
    socket: str
    state: str
    settings: dict[str, str]


def place_of(root, site):
    folder = root / "conf"
    parser = configparser.ConfigParser()
    parser.read(folder / "sites" / f"{site}.ini" if site else folder / "switchboard.ini")
    own = parser["switchboard"]
    return Place(site, own["socket"], own["state"], dict(parser["settings"]))
