"""The ways of finding a learning. Each takes all learnings and answers with their ids, best first.

They are kept as plain as can be, so that what the default store adds is seen: BM25 is SQLite's, over Porter's stems; the
trigram index is SQLite's as well; the vectors are memory's own without their concepts; the fusion adds reciprocal ranks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from benchmarks.retrieval.pairs import STOP_WORDS, Learning, words
from mind_skills.memory.encoders import Extras
from mind_skills.memory.features import cosine, hash_text
from mind_skills.memory.model import Health, Record
from mind_skills.memory.store import SemanticMemoryStore, open_memory

DEPTH = 50
"""So far down a list is looked for what was asked; what stands below was not found."""
RANK_OFFSET = 60
"""What is added to a rank before it is inverted, as where the method was published (Cormack and others, 2009)."""
FIRST = 5
"""What a session is told of."""
Answers = list[list[str]]
"""For each query the ids that were found, best first."""


class Method(Protocol):
    """A way of finding; ``task`` is whether the text of the task is there to be found as well."""

    def __call__(self, learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers: ...


def bm25(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
    """SQLite's BM25 over Porter's stems: any word of the query, as FTS5 is used when nobody thinks about it."""
    return _full_text("porter unicode61", learnings, [words(query) for query in queries], task=task)


def bm25_telling(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
    """The same without the query's stop words: the better of the two baselines."""
    telling = [[word for word in words(query) if word not in STOP_WORDS] for query in queries]
    return _full_text("porter unicode61", learnings, telling, task=task)


def trigram(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
    """SQLite's trigram index: any three letters in a row of a word of the query."""
    pieces = [
        [word[at : at + 3] for word in words(query) if word not in STOP_WORDS for at in range(len(word) - 2)]
        for query in queries
    ]
    return _full_text("trigram", learnings, pieces, task=task)


def hashing(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
    """The cosine of hashed words and their parts."""
    vectors = [(learning.id, hash_text(learning.whole if task else learning.text)) for learning in learnings]
    answers: Answers = []
    for query in queries:
        asked = hash_text(query)
        near = sorted(((-cosine(asked, vector), name) for name, vector in vectors))
        answers.append([name for distance, name in near[:DEPTH] if distance < 0])
    return answers


def fusion(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
    """Reciprocal ranks of BM25 and hashing, added."""
    fused: Answers = []
    for both in zip(bm25(learnings, queries, task=task), hashing(learnings, queries, task=task), strict=True):
        points: dict[str, float] = {}
        for answer in both:
            for rank, name in enumerate(answer, 1):
                points[name] = points.get(name, 0.0) + 1 / (RANK_OFFSET + rank)
        fused.append(sorted(points, key=lambda name: (-points[name], name))[:DEPTH])
    return fused


def stored(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
    """The store that mind-skills has where nothing else is installed."""
    return with_extras(None)(learnings, queries, task=task)


def with_extras(extras: Extras | None) -> Method:
    """The store with these extras, which must be at work. Raises RuntimeError where they are not, with health's reason."""

    def ask(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
        with TemporaryDirectory() as folder, open_memory(str(Path(folder, "state")), _project(folder), extras) as store:
            store.store_all(
                Record(learning.id, "learning", learning.text, learning.task if task else "", at=at)
                for at, learning in enumerate(learnings, 1)
            )
            store.rebuild()  # a model encodes only then what is many
            answers = [_asked(store, query) for query in queries]
            health = store.health()
            if extras and not used(extras, health):
                raise RuntimeError(f"{extras} were not used: {health}")
            return answers

    return ask


def _project(folder: str) -> str:
    """A folder that passes for a repository: an index lies in none else."""
    Path(folder, "project", ".git").mkdir(parents=True)
    return str(Path(folder, "project"))


def used(extras: Extras, health: Health) -> bool:
    """Whether a store with extras uses them, and has not fallen back to the default."""
    return extras.index in health.location and Path(extras.model).name in health.encoder


def _asked(store: SemanticMemoryStore, query: str) -> list[str]:
    """What lies beyond the five it is asked for counts for the MRR alone."""
    near = [hit.record.id for hit in store.query(query, limit=FIRST)]
    deep = [hit.record.id for hit in store.query(query, limit=DEPTH)]
    return near + [name for name in deep if name not in near]


def _full_text(tokenizer: str, learnings: Sequence[Learning], terms: Sequence[list[str]], *, task: bool) -> Answers:
    with closing(sqlite3.connect(":memory:")) as sql:
        sql.execute(f"CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='{tokenizer}')")
        rows = enumerate(learning.whole if task else learning.text for learning in learnings)
        sql.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", rows)
        ask = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid LIMIT ?"
        return [
            [learnings[row].id for (row,) in sql.execute(ask, (any_of(one), DEPTH))] if one else [] for one in terms
        ]


def any_of(terms: Sequence[str]) -> str:
    """A question to FTS5: a text that has any of the terms, whatever characters they consist of."""
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
