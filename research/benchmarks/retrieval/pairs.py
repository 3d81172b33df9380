"""The pairs, the other learnings, and the words that both sides of a pair share."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
STOP_WORDS = frozenset(
    """a about after again all also although always am an and another any are as at be because been before being both but
    by can could d did didn do does doesn don each even ever every few first for from get gets go goes going got had has
    have having he her here his how i if im in instead into is isn aren it its just last let lets like ll m made make makes
    making many may me might more most much must my never no nor not now of off often on once one only or other our out
    over own rather re s same several shall she should since so some sometimes still such t than that the their them then
    there these they thing things this those though through to too two under until up us use used uses using ve very want
    wants was wasn we were weren what when where which while who whom why will with within without won would yet you
    your""".split()
)
"""Words without a topic. Numbers, names of tools and words such as "error" have one, and so are not included."""


@dataclass(frozen=True, slots=True)
class Learning:
    """A stored learning: its text, and that of its task."""

    id: str
    area: str
    text: str
    task: str

    @property
    def whole(self) -> str:
        """The indexed text if the task is known."""
        return f"{self.text}\n{self.task}"


@dataclass(frozen=True, slots=True)
class Pair:
    """A symptom as a user types it, and the id of the learning to find."""

    id: str
    query: str
    shares_words: bool
    """Whether query and learning share a content word after Porter stemming."""

    late: bool = False
    """Whether it was written after the memory was finished, to validate the other figures."""

    @property
    def half(self) -> str:
        """``dev`` or ``held-out``, by a hash of its id, so that edits of the file do not move it; ``late`` for a late pair."""
        if self.late:
            return "late"
        return "held-out" if hashlib.sha256(self.id.encode()).digest()[0] % 2 else "dev"


def load_pairs(*, late: bool = False) -> tuple[list[Pair], list[Learning]]:
    """Load the pairs, or the late ones, and all learnings, including the distractors."""
    earlier, others = _read_lines("pairs.jsonl"), _read_lines("distractors.jsonl")
    targets = _read_lines("late.jsonl") if late else earlier
    shared = find_shared_words([(line["query"], line["learning"]) for line in targets])
    pairs = [Pair(line["id"], line["query"], bool(words), late) for line, words in zip(targets, shared, strict=True)]
    stored = earlier + others + (targets if late else [])
    return pairs, [Learning(line["id"], line["area"], line["learning"], line["task"]) for line in stored]


def find_shared_words(texts: Sequence[tuple[str, str]]) -> list[set[str]]:
    """Return the stems that both texts of each pair share, by SQLite's Porter stemmer, without stop words."""
    stems = _find_stems([text for pair in texts for text in pair])
    return [stems[at] & stems[at + 1] for at in range(0, len(stems), 2)]


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, in order, with repetitions."""
    return re.findall(r"\w+", text.lower())


def _find_stems(texts: Sequence[str]) -> list[set[str]]:
    found: list[set[str]] = [set() for _ in texts]
    with sqlite3.connect(":memory:") as sql:
        sql.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter unicode61')")
        sql.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(texts, instance)")
        texts_without_stop_words = [
            " ".join(word for word in split_words(text) if word not in STOP_WORDS) for text in texts
        ]
        sql.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", enumerate(texts_without_stop_words))
        for term, row in sql.execute("SELECT term, doc FROM terms"):
            found[row].add(term)
    sql.close()
    return found


def _read_lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]
