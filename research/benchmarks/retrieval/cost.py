"""Cost of a query as a multiple of a bare FTS5 query over the same records, interleaved in one run.

The bare query searches a plain FTS5 table of the texts for any word of the query; it returns the best five by BM25. The
first query, at which the store's index is updated, is not measured.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TypedDict

from mind_skills.memory.model import Record
from mind_skills.memory.store import open_memory
from research.benchmarks.retrieval.methods import FIRST, build_any_query
from research.benchmarks.retrieval.pairs import Learning, split_words
from research.benchmarks.retrieval.synthetic import generate_variations

ROUNDS = 3


class Cost(TypedDict):
    """Results for one size: medians in milliseconds, and their ratio, which can be compared across machines."""

    records: int
    queries: int
    bare_ms: float
    store_ms: float
    ratio: float
    slowest_ratio: float
    """Ratio of the slowest query of the store to the slowest bare one."""


def measure_cost(learnings: Sequence[Learning], queries: Sequence[str], size: int) -> Cost:
    """Measure both over ``size`` variations of the learnings, including the task texts."""
    with TemporaryDirectory() as folder:
        texts = list(generate_variations(learnings, size))
        with _open_bare_index(Path(folder, "bare.db"), texts) as bare, open_memory(str(Path(folder, "state"))) as store:
            store.store_all(Record(one.id, "learning", one.text, one.task, at=at) for at, one in enumerate(texts, 1))
            del texts
            store.query("the first question brings the index up to date", limit=FIRST)
            return _measure(queries, size, bare, lambda query: store.query(query, limit=FIRST))


def _measure(queries: Sequence[str], size: int, bare: Callable[[str], object], store: Callable[[str], object]) -> Cost:
    """Return the medians of each query's fastest of a few rounds, which reduces the influence of other processes."""
    fastest: dict[str, list[float]] = {"bare": [], "store": []}
    for query in queries:
        taken: dict[str, list[float]] = {"bare": [], "store": []}
        for turn in range(ROUNDS):
            for name, ask in (("bare", bare), ("store", store)) if turn % 2 else (("store", store), ("bare", bare)):
                begin = time.perf_counter()
                ask(query)
                taken[name].append(1_000 * (time.perf_counter() - begin))
        for name, times in taken.items():
            fastest[name].append(min(times))
    return {
        "records": size,
        "queries": len(queries),
        "bare_ms": median(fastest["bare"]),
        "store_ms": median(fastest["store"]),
        "ratio": median(fastest["store"]) / median(fastest["bare"]),
        "slowest_ratio": max(fastest["store"]) / max(fastest["bare"]),
    }


@contextmanager
def _open_bare_index(path: Path, learnings: Sequence[Learning]) -> Iterator[Callable[[str], object]]:
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter unicode61')")
        rows = ((at, one.whole) for at, one in enumerate(learnings))
        sql.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", rows)
        sql.commit()
        ask = "SELECT rowid, text FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?"
        yield lambda query: sql.execute(ask, (build_any_query(split_words(query)), FIRST)).fetchall()
