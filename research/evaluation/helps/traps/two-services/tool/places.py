"""The boards of the house, and which device hangs on which."""

import os
import zlib
from pathlib import Path

FIRST = "front"
TITLES = {
    "front": "front office",
    "gate-north": "north gate, barrier and lights",
    "gate-south": "south gate, barrier and lights",
    "desk-a": "training",
    "desk-b": "training",
    "shop": "museum shop",
    "cafe": "cafe and terrace",
    "hall-1": "hall of gems",
    "hall-2": "hall of boats",
    "hall-3": "hall of mills",
    "hall-4": "hall of clocks",
    "hall-5": "hall of maps",
    "lift": "lifts",
    "yard": "yard and coaches",
    "quay-1": "pumps, line A",
    "quay-2": "pumps, line B",
    "quay-3": "pumps, line C",
    "store": "store below the stairs",
    "rota": "rota of the guides",
    "lab": "workshop",
    "night": "night watch",
    "spare-1": "in reserve",
    "spare-2": "in reserve",
    "spare-3": "in reserve"
}
START = {"discount": "0", "family": "off", "largest-group": "12", "receipt": "short", "dogs": "off"}


def folder():
    found = Path(os.environ.get("HOME", "/"), ".switchboard")
    found.mkdir(exist_ok=True)
    return found


def number_of(name):
    """The number under which a board listens."""
    return zlib.crc32(name.encode()) % 9000 + 1000


def place_of(asset):
    """Devices are spread over the boards by the sum of their asset."""
    names = [name for name in TITLES if name != FIRST]
    return names[zlib.crc32(asset.encode()) % len(names)]
