"""Batches of logs: each is one task of the scan and one Parquet part of its results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import NamedTuple

from mind_skills.fleet.listing import Entry

MAX_BATCH_BYTES = 64_000_000
MAX_BATCH_LOGS = 100
"""A task costs the scheduler about 6 ms and 6.5 kB regardless of its work; reading a batch of this size takes seconds."""
MIN_BATCH_BYTES = 1_000_000
BATCHES_PER_WORKER = 8
"""A small scan has smaller batches, so that all workers finish at about the same time."""


class Batch(NamedTuple):
    """Logs that one task reads. ``name`` is a hash of their paths, sizes and times; ``size`` is in bytes."""

    name: str
    entries: tuple[Entry, ...]
    size: int


def make_batches(entries: Iterable[Entry], max_bytes: int = MAX_BATCH_BYTES) -> Iterator[Batch]:
    """Divide ``entries`` into batches, in order. A batch has at most 100 logs and ``max_bytes``, unless a single log is larger."""
    current: list[Entry] = []
    size = 0
    for entry in entries:
        if current and (size + entry.bytes_to_read > max_bytes or len(current) == MAX_BATCH_LOGS):
            yield Batch(_name_batch(current), tuple(current), size)
            current, size = [], 0
        current.append(entry)
        size += entry.bytes_to_read
    if current:
        yield Batch(_name_batch(current), tuple(current), size)


def choose_batch_bytes(total: int, workers: int) -> int:
    """Return the maximum size of a batch, in bytes, for ``total`` bytes on this number of ``workers``."""
    return max(MIN_BATCH_BYTES, min(MAX_BATCH_BYTES, total // max(1, workers * BATCHES_PER_WORKER)))


def _name_batch(entries: Iterable[Entry]) -> str:
    text = "\n".join(f"{entry.uri}\0{entry.size}\0{entry.mtime_ns}" for entry in entries)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
