"""Removed records: only a limited number of removals is stored, and purged records leave no text in any file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mind_skills.errors import StoreError
from mind_skills.memory import records
from mind_skills.memory.index import Index
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


SECRET = Record("secret", "learning", "The florbquux holds the port", task="Stop the florbquux")


def list_files_with_text(home: Path) -> list[str]:
    files = [path for path in home.rglob("*") if path.is_file()]
    return [path.name for path in files if b"florbquux" in path.read_bytes()]


@pytest.fixture
def with_secret(tmp_path: Path) -> Path:
    """A state folder with records and an up-to-date index; one text is also in freed pages of both files."""
    home = tmp_path / "state"
    with open_memory(str(home)) as store:
        store.store_all([*EVERY, SECRET])
        assert store.query("florbquux")[0].record == SECRET
    for path in (home / "mind-skills.db", *(home / "memory").glob("*.db")):
        with closing(sqlite3.connect(path, isolation_level=None)) as sql:
            sql.execute("PRAGMA secure_delete = OFF")
            sql.execute("CREATE TABLE freed AS SELECT 'florbquux'")
            sql.execute("DROP TABLE freed")
    return home


def test_a_purge_removes_the_text_from_every_file_and_does_not_rebuild_the_index(
    with_secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list((with_secret / "memory").glob("*.db"))
    with open_memory(str(with_secret)) as store, open_memory(str(with_secret)) as other:
        assert find_first(other, 7) == "r7"  # another process that has both files open
        store.purge(["secret"])
        assert list_files_with_text(with_secret) == []
        assert (find_first(other, 7), other.query("florbquux")) == ("r7", [])
        monkeypatch.setattr(Index, "purge", None)  # it is done, and queries do not repeat it
        assert (find_first(store, 7), store.check_health().healthy) == ("r7", True)
    assert list((with_secret / "memory").glob("*.db")) == before


def test_an_interrupted_purge_is_completed_by_the_next_query(
    with_secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: Index) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, open_memory(str(with_secret)) as store:
        patch.setattr(Index, "purge", interrupt)
        with pytest.raises(KeyboardInterrupt):
            store.purge(["secret"])
    assert list_files_with_text(with_secret) != []
    with open_memory(str(with_secret)) as store:
        assert (store.get("secret"), find_first(store, 7)) == (None, "r7")
    assert list_files_with_text(with_secret) == []


def test_a_purge_of_an_index_that_cannot_be_written_reports_that_the_records_are_deleted(
    with_secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Index) -> bool:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    with open_memory(str(with_secret)) as store:
        monkeypatch.setattr(Index, "purge", fail)
        with pytest.raises(StoreError, match=r"^the records are deleted, but .*: database or disk is full$"):
            store.purge(["secret"])
        assert store.get("secret") is None


def test_a_purge_that_another_process_requires_meanwhile_remains_required(
    with_secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_memory(str(with_secret)) as store, open_memory(str(with_secret)) as other:
        purge = Index.purge

        def purge_and_delete(index: Index) -> bool:
            is_done = purge(index)
            other.records.purge(["secret"])
            return is_done

        with monkeypatch.context() as patch:
            patch.setattr(Index, "purge", purge_and_delete)
            store.purge(["r0"])
        assert list_files_with_text(with_secret) != []
        assert find_first(store, 7) == "r7"
        assert list_files_with_text(with_secret) == []


def test_a_purge_changes_the_index_that_another_process_has_rebuilt(with_secret: Path) -> None:
    with open_memory(str(with_secret)) as store, open_memory(str(with_secret)) as other:
        assert find_first(store, 7) == "r7"
        other.rebuild()
        store.purge(["secret"])
        assert list_files_with_text(with_secret) == []
        assert find_first(store, 7) == "r7"


def test_a_purge_without_an_index_removes_the_text_from_every_file(tmp_path: Path) -> None:
    with open_memory(str(tmp_path)) as store, open_memory(str(tmp_path)):
        store.store_all([*EVERY, SECRET])
        store.purge(["secret"])
        assert list_files_with_text(tmp_path) == []
        assert read_rows(tmp_path, "SELECT name FROM memory_state WHERE name = 'purge'") == []
