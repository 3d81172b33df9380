"""The loopback address of a checkout."""

import hashlib
from pathlib import Path


def own_address(folder):
    digest = hashlib.sha256(str(Path(folder).resolve()).encode()).digest()
    return "127." + ".".join(str(1 + number % 250) for number in digest[:3])
