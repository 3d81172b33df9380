"""Secrets as an older version kept them, each for one place, and where they are left."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.redaction.published_tokens import ISSUED


class Secrets:
    """Secrets that no rule of an older version knew, each for one place."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {}

    def __getitem__(self, place: str) -> str:
        return self.made.setdefault(place, ISSUED["cloudflare-token"][1](Random(place)))


def left(folder: Path, secrets: Secrets) -> list[tuple[str, str]]:
    """Which secrets stand in the bytes of which files."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [
        (path.name, where) for path in files for where, s in secrets.made.items() if s.encode() in path.read_bytes()
    ]
