"""A hundred thousand vectors: built, searched, rebuilt."""

from __future__ import annotations

import importlib
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from mind_skills.memory.encoders import compute_digest
from mind_skills.memory.lance import LanceIndexManager, Registry, locate_table
from mind_skills.memory.records import SCHEMA, Records
from mind_skills.memory.vector_store import SCHEMA as VECTORS
from mind_skills.memory.vector_store import Vectors
from mind_skills.store.database import Database
from tests.memory.lance_tables import Dice, build_learnings

pytestmark = [pytest.mark.extras, pytest.mark.usefixtures("repository")]

MANY = 100_000


class QuickDice(Dice):
    """Like Dice, but a hundred times as fast."""

    def encode_documents(self, texts: Sequence[str]) -> list[bytes]:
        numpy: Any = importlib.import_module("numpy")
        rows = [
            numpy.random.default_rng(int(compute_digest(text), 16)).standard_normal(self.dimension, "f4")
            for text in texts
        ]
        return [(row / numpy.linalg.norm(row)).astype("<f4").tobytes() for row in rows]

    def encode_query(self, text: str) -> bytes:
        return self.encode_documents([text])[0]


def test_a_hundred_thousand_vectors_are_indexed_searched_and_indexed_again(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    encoder = QuickDice(768)
    took: dict[str, float] = {}
    began = time.perf_counter()

    def record_time(what: str) -> None:
        nonlocal began
        took[what] = time.perf_counter() - began
        began = time.perf_counter()

    with ExitStack() as stack:
        home = str(tmp_path / "home")
        database = stack.enter_context(Database.open(home, SCHEMA))
        tables = stack.enter_context(Database.open(home, VECTORS))
        records = Records(database)
        for number in range(0, MANY, 10_000):
            records.put(build_learnings(10_000, number))
        record_time("store the records")
        vectors = Vectors(tables, records, encoder)
        assert (vectors.count_pending(), vectors.encode_pending(), vectors.count_pending()) == (MANY, MANY, 0)
        record_time("keep their vectors")
        question = encoder.encode_query("what was learned of case 77")
        alone = vectors.find_nearest(question, "", 10)
        record_time("ask the state database")

        def read_vectors(texts: Any) -> Any:
            return {n: vector for n, (_, vector) in vectors.read_vectors(texts).items()}

        manager = LanceIndexManager(home, locate_table(str(project)), records, Registry(tables), encoder, read_vectors)
        assert manager.rebuild() == MANY
        record_time("build the LanceDB table")
        first = manager.find_nearest(question, 10)
        record_time("ask it")
        assert [(n, round(likeness, 4)) for n, likeness in first] == [(n, round(likeness, 4)) for n, likeness in alone]
        assert (first[0][0], round(first[0][1], 4)) == (78, 1.0)
        manager.find_nearest(question, 10)
        record_time("ask it again")
        assert manager.rebuild() == MANY
        record_time("build it again")
        assert manager.find_nearest(question, 10) == first
        assert manager.open_current().count() == MANY
    size = sum(each.stat().st_size for each in (project / ".hive").rglob("*")) / 1e6
    state = (tmp_path / "home/mind-skills.db").stat().st_size / 1e6
    with capsys.disabled():
        print()
        print(*(f"{what}: {seconds:.2f} s" for what, seconds in took.items()), sep="\n")
        print(f"the table takes {size:.0f} MB, the state database {state:.0f} MB")
