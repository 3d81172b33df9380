"""Only a limited number of removals is stored: an index that is further behind is rebuilt, with the same results."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mind_skills.memory import records
from mind_skills.memory.model import Record
from mind_skills.memory.store import SemanticMemoryStore, open_memory

EVERY = [Record(f"r{number}", "learning", f"The server number {number} holds the port") for number in range(20)]


def read_rows(home: Path, text: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(home / "mind-skills.db")) as sql:
        return sql.execute(text).fetchall()


def find_first(store: object, number: int) -> str:
    assert isinstance(store, SemanticMemoryStore)
    return store.query(f"who holds the port of server number {number}")[0].record.id


def test_stored_removals_are_limited_and_an_index_too_far_behind_is_rebuilt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MAX_REMOVED", 5)
    with open_memory(str(tmp_path)) as store:
        store.store_all(EVERY)
        assert find_first(store, 7) == "r7"  # from here on there is an index
    first = {path.name for path in (tmp_path / "memory").glob("*.db")}
    with open_memory(str(tmp_path)) as store:
        for number in range(4):
            store.remove(f"r{number}")
        assert (find_first(store, 7), find_first(store, 2) == "r2") == ("r7", False)
    assert {path.name for path in (tmp_path / "memory").glob("*.db")} == first  # the index was updated
    with open_memory(str(tmp_path)) as store:
        for number in range(8, 20):
            store.remove(f"r{number}")
    assert len(read_rows(tmp_path, "SELECT n FROM memory_removed")) == 5
    with open_memory(str(tmp_path)) as store:
        assert isinstance(store, SemanticMemoryStore)
        assert (find_first(store, 7), find_first(store, 9) == "r9") == ("r7", False)
        assert sorted(hit.record.id for hit in store.query("server port", limit=50)) == ["r4", "r5", "r6", "r7"]
    assert {path.name for path in (tmp_path / "memory").glob("*.db")}.isdisjoint(first)  # the index was rebuilt


@pytest.mark.parametrize("note", ["", "x", "-1"])
def test_an_invalid_removal_horizon_is_ignored(tmp_path: Path, note: str) -> None:
    from mind_skills.memory.records import SCHEMA
    from mind_skills.store.database import Database

    with Database.open(str(tmp_path), SCHEMA) as database:
        stored = records.Records(database)
        stored.write_note(records.HORIZON_NOTE, note)
        assert stored.has_all_removals(0)


def test_an_id_that_is_passed_twice_is_removed_once(tmp_path: Path) -> None:
    with open_memory(str(tmp_path)) as store:
        store.store_all(EVERY[:2])
        assert store.records.remove(["r0", "r0"]) == 1
