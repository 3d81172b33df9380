"""Retrieval methods. Each receives all learnings and returns the ids that it finds for each query, best first.

They are deliberately plain, to show what the default store adds: BM25 is SQLite's with Porter stemming; the trigram
index is SQLite's too; the vectors are those of memory without concepts; fusion adds reciprocal ranks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from mind_skills.memory.encoders import Extras
from mind_skills.memory.features import compute_cosine, hash_text
from mind_skills.memory.model import Health, Record
from mind_skills.memory.store import SemanticMemoryStore, open_memory
from research.benchmarks.retrieval.pairs import STOP_WORDS, Learning, split_words

DEPTH = 50
"""Length of the result list; anything further down counts as not found."""
RANK_OFFSET = 60
"""Added to a rank before inversion, as published (Cormack and others, 2009)."""
FIRST = 5
"""Number of results in the answer to a query."""
Answers = list[list[str]]
"""The ids found for each query, best first."""


class Method(Protocol):
    """A retrieval method; ``task`` is whether the task text is indexed as well."""

    def __call__(self, learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers: ...


def bm25(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
    """Search by SQLite's BM25 with Porter stemming for any word of the query, as in a default use of FTS5."""
    return _search_full_text("porter unicode61", learnings, [split_words(query) for query in queries], task=task)


def bm25_without_stop_words(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
    """Search as ``bm25`` does, without the query's stop words: the better of the two baselines."""
    content_words = [[word for word in split_words(query) if word not in STOP_WORDS] for query in queries]
    return _search_full_text("porter unicode61", learnings, content_words, task=task)


def trigram(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
    """Search SQLite's trigram index for any three consecutive letters of a word of the query."""
    pieces = [
        [word[at : at + 3] for word in split_words(query) if word not in STOP_WORDS for at in range(len(word) - 2)]
        for query in queries
    ]
    return _search_full_text("trigram", learnings, pieces, task=task)


def hashing(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
    """Rank by the cosine similarity of hashed words and their parts."""
    vectors = [(learning.id, hash_text(learning.whole if task else learning.text)) for learning in learnings]
    answers: Answers = []
    for query in queries:
        query_vector = hash_text(query)
        near = sorted(((-compute_cosine(query_vector, vector), name) for name, vector in vectors))
        answers.append([name for distance, name in near[:DEPTH] if distance < 0])
    return answers


def fusion(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
    """Rank by the sum of the reciprocal ranks of BM25 and hashing."""
    fused: Answers = []
    for both in zip(bm25(learnings, queries, task=task), hashing(learnings, queries, task=task), strict=True):
        points: dict[str, float] = {}
        for answer in both:
            for rank, name in enumerate(answer, 1):
                points[name] = points.get(name, 0.0) + 1 / (RANK_OFFSET + rank)
        fused.append(sorted(points, key=lambda name: (-points[name], name))[:DEPTH])
    return fused


def search_store(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
    """Search the store of mind-skills without extras."""
    return with_extras(None)(learnings, queries, task=task)


def with_extras(extras: Extras | None) -> Method:
    """Return a method that searches the store with these extras, and raises RuntimeError if the store does not use them."""

    def ask(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
        with (
            TemporaryDirectory() as folder,
            open_memory(str(Path(folder, "state")), _create_project(folder), extras) as store,
        ):
            store.store_all(
                Record(learning.id, "learning", learning.text, learning.task if task else "", at=at)
                for at, learning in enumerate(learnings, 1)
            )
            store.rebuild()  # a model encodes only in bulk
            answers = [_search(store, query) for query in queries]
            health = store.check_health()
            if extras and not uses_extras(extras, health):
                raise RuntimeError(f"{extras} were not used: {health}")
            return answers

    return ask


def _create_project(folder: str) -> str:
    """Make a folder look like a repository, since only those have an index."""
    Path(folder, "project", ".git").mkdir(parents=True)
    return str(Path(folder, "project"))


def uses_extras(extras: Extras, health: Health) -> bool:
    """Return whether a store uses its extras and has not fallen back to the default."""
    return extras.index in health.location and Path(extras.model).name in health.encoder


def _search(store: SemanticMemoryStore, query: str) -> list[str]:
    """Return the ids found: those of a query for five results, then more, which affect only the MRR."""
    near = [hit.record.id for hit in store.query(query, limit=FIRST)]
    deep = [hit.record.id for hit in store.query(query, limit=DEPTH)]
    return near + [name for name in deep if name not in near]


def _search_full_text(
    tokenizer: str, learnings: Sequence[Learning], terms: Sequence[list[str]], *, task: bool
) -> Answers:
    with closing(sqlite3.connect(":memory:")) as sql:
        sql.execute(f"CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='{tokenizer}')")
        rows = enumerate(learning.whole if task else learning.text for learning in learnings)
        sql.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", rows)
        ask = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid LIMIT ?"
        return [
            [learnings[row].id for (row,) in sql.execute(ask, (build_any_query(one), DEPTH))] if one else []
            for one in terms
        ]


def build_any_query(terms: Sequence[str]) -> str:
    """Return an FTS5 query for texts with any of the terms, escaping special characters."""
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
