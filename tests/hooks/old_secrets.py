"""Secrets as an older version stored them, one for each place, and the files that contain them."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.redaction.published_tokens import ISSUED


class Secrets:
    """Secrets that no rule of an older version matched, one for each place."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {}

    def __getitem__(self, place: str) -> str:
        return self.made.setdefault(place, ISSUED["cloudflare-token"][1](Random(place)))


def find_secrets(folder: Path, secrets: Secrets) -> list[tuple[str, str]]:
    """The name of each file that contains a secret, with the place of that secret."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [
        (path.name, where) for path in files for where, s in secrets.made.items() if s.encode() in path.read_bytes()
    ]
