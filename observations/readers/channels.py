"""Texts that a log tells in more than one way, as for the interface and for the model: each counts once."""

from __future__ import annotations

from collections import OrderedDict

from mind_skills.observations.codec import integer, items, string
from mind_skills.store.project import digest

REMEMBERED = 10_000
"""What tells a text again stands a few lines away."""


class Channels:
    """A text counts as often as the channel that tells it most often. Texts are known by their digests."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._counts: OrderedDict[str, list[int]] = OrderedDict()

    def new(self, kind: str, text: str, channel: int) -> bool:
        """Take in a text of one of the channels, from 0 on; whether no other has told it already."""
        counts = self._counts.setdefault(digest(f"{kind} {text}"), [0] * self._number)
        before = max(counts)
        counts[channel] += 1
        if len(self._counts) > REMEMBERED:
            self._counts.popitem(last=False)
        return counts[channel] > before

    def told(self) -> list[object]:
        """What it has taken in, for ``restore``."""
        return [[name, *counts] for name, counts in self._counts.items()]

    def restore(self, told: object) -> None:
        """Know again what another one had taken in."""
        for row in items(told):
            name, *counts = items(row)
            self._counts[string(name)] = [integer(count) or 0 for count in counts]
