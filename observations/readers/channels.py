"""Texts that a log tells in more than one way, as for the interface and for the model: each counts once."""

from __future__ import annotations

from collections import OrderedDict

REMEMBERED = 10_000
"""What tells a text again stands a few lines away."""


class Channels:
    """A text counts as often as the channel that tells it most often."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._counts: OrderedDict[tuple[str, str], list[int]] = OrderedDict()

    def new(self, kind: str, text: str, channel: int) -> bool:
        """Take in a text of one of the channels, from 0 on; whether no other has told it already."""
        key = (kind, text if len(text) < 200 else f"{len(text)} {hash(text)}")
        counts = self._counts.setdefault(key, [0] * self._number)
        before = max(counts)
        counts[channel] += 1
        if len(self._counts) > REMEMBERED:
            self._counts.popitem(last=False)
        return counts[channel] > before
