"""The index may be damaged or deleted at any time: the records are unaffected and queries still work."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Thread
from typing import NoReturn

import pytest

from mind_skills.errors.records import UnusableIndexError
from mind_skills.memory import index
from mind_skills.memory.model import Record
from mind_skills.memory.store import SemanticMemoryStore, open_memory

EVERY = [Record(f"r{number}", "learning", f"The server number {number} holds the port") for number in range(40)]
QUESTION = "who holds the port of server number 7"


@pytest.fixture
def filled(tmp_path: Path) -> str:
    """A state folder with records and an up-to-date index."""
    place = str(tmp_path / "state")
    with open_memory(place) as store:
        store.store_all(EVERY)
        assert find_first(store) == "r7"
    return place


def find_first(store: object) -> str:
    assert isinstance(store, SemanticMemoryStore)
    return store.query(QUESTION)[0].record.id


def find_index_file(filled: str) -> Path:
    [path] = (Path(filled) / index.FOLDER_NAME).glob("*.db")
    return path


def is_intact(filled: str) -> bool:
    """Return whether all records are found and there is exactly one intact index."""
    with open_memory(filled) as store:
        assert isinstance(store, SemanticMemoryStore)
        best = find_first(store)
        health = store.check_health()
        assert (health.healthy, health.count) == (True, len(EVERY))
        assert list(store.list_all()) == EVERY
    assert find_index_file(filled).is_file()
    return best == "r7"


def _gone(path: Path) -> None:
    path.unlink()


def _no_database(path: Path) -> None:
    path.write_bytes(b"this is no database\n" * 1_000)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _junk_within(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for page in range(1, len(data) // 4096):
        # The same bytes each time: SQLite has no checksums, so of random ones some pass for vectors of other words.
        data[page * 4096 + 100 : page * 4096 + 600] = b"\xff" * 500
    path.write_bytes(data)


def _foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as sql:
        sql.execute("CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER)")
        sql.execute("INSERT INTO state VALUES ('version', 1), ('count', 40)")
    sql.close()


def _full_text_damaged(path: Path) -> None:
    with sqlite3.connect(path) as sql:
        sql.execute("UPDATE found_data SET block = x'0102030405'")
    sql.close()


def _without_state(path: Path) -> None:
    with sqlite3.connect(path) as sql:
        sql.execute("DELETE FROM state")
    sql.close()


def _with_texts_for_numbers(path: Path) -> None:
    with sqlite3.connect(path) as sql:
        sql.execute("UPDATE state SET value = 'many' WHERE name = 'count'")
        sql.execute("UPDATE touches SET share = 'x'")
        sql.execute("UPDATE features SET pieces = 'x'")
    sql.close()


def _a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "harm",
    [
        _gone,
        _no_database,
        _empty,
        _junk_within,
        _foreign,
        _full_text_damaged,
        _without_state,
        _with_texts_for_numbers,
        _a_folder,
    ],
    ids=lambda each: each.__name__,
)
def test_a_missing_or_damaged_index_is_replaced(filled: str, harm: Callable[[Path], None]) -> None:
    path = find_index_file(filled)
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    harm(path)
    if harm is _a_folder:
        with open_memory(filled) as store:
            assert find_first(store) == "r7"
        return
    assert is_intact(filled)


def test_an_index_damaged_while_open_is_rebuilt(filled: str) -> None:
    with open_memory(filled) as store:
        assert find_first(store) == "r7"
        _full_text_damaged(find_index_file(filled))
        assert find_first(store) == "r7"
        assert store.check_health().healthy
    assert is_intact(filled)


def test_a_bug_in_a_search_is_raised_and_not_taken_for_a_damaged_index(filled: str) -> None:
    before = find_index_file(filled)

    def fail(_: index.Index) -> None:
        raise TypeError("a bug")

    with open_memory(filled) as store:
        assert isinstance(store, SemanticMemoryStore)
        with pytest.raises(TypeError, match="a bug"):
            store._index.query(fail)
        assert find_first(store) == "r7"
    assert is_intact(filled)
    assert find_index_file(filled) == before


def test_progress_that_cannot_be_written_is_raised_and_not_taken_for_a_damaged_index(filled: str) -> None:
    before, reported = find_index_file(filled), list[int]()

    def report(record_count: int) -> NoReturn:
        reported.append(record_count)
        raise ValueError("I/O operation on closed file")

    with open_memory(filled, progress=report) as store:
        store.store(replace(EVERY[7], task="free the port"))
        with pytest.raises(ValueError, match="closed file"):
            find_first(store)
    assert (find_index_file(filled), reported) == (before, [1])


@pytest.mark.parametrize("count", [-1, 1])
def test_a_wrong_number_of_entries_in_the_index_does_not_prevent_a_search(filled: str, count: int) -> None:
    with closing(sqlite3.connect(find_index_file(filled), isolation_level=None)) as sql:
        sql.execute("UPDATE state SET value = ? WHERE name = 'count'", (count,))
    with open_memory(filled) as store:
        assert find_first(store) == "r7"


def test_changes_by_another_open_store_are_found(filled: str) -> None:
    with open_memory(filled) as one, open_memory(filled) as other:
        assert find_first(one) == "r7"
        other.store(replace(EVERY[7], content="Something else altogether"))
        other.remove("r8")
        assert find_first(one) != "r7"
        assert "r8" not in [hit.record.id for hit in one.query("server number 8", 40)]
        other.store_all(EVERY)
        assert find_first(one) == "r7"


def test_an_index_of_another_lexicon_is_rebuilt(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = find_index_file(filled)
    monkeypatch.setattr(index, "compute_fingerprint", lambda: "another")
    assert is_intact(filled)
    assert find_index_file(filled) != before


def test_queries_search_the_records_of_a_restored_older_state(filled: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    state = Path(filled) / "mind-skills.db"
    shutil.copy(state, copy)
    with open_memory(filled) as store:
        store.store(Record("new", "learning", "Something new"))
        assert store.query("something new")[0].record.id == "new"
    for end in ("-wal", "-shm"):
        state.with_name(state.name + end).unlink(missing_ok=True)
    shutil.copy(copy, state)
    assert is_intact(filled)


def test_a_replaced_state_database_has_no_records_of_the_damaged_one(filled: str) -> None:
    Path(filled, "mind-skills.db").write_bytes(b"no database" * 1_000)
    with open_memory(filled) as store:
        assert (list(store.query(QUESTION)), store.check_health().count) == ([], 0)
        store.store(EVERY[7])
        assert find_first(store) == "r7"


def test_a_full_disk_during_a_rebuild_leaves_the_old_index_in_use(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = find_index_file(filled)
    monkeypatch.setattr(index, "_SETUP_STATEMENTS", (*index._SETUP_STATEMENTS, "PRAGMA max_page_count = 20"))
    with open_memory(filled) as store:
        assert isinstance(store, SemanticMemoryStore)
        with pytest.raises(UnusableIndexError, match="full") as refused:
            store.rebuild()
        assert (refused.value.code, refused.value.hint.endswith("memory rebuild")) == ("memory_index", True)
        assert find_first(store) == "r7"
    assert find_index_file(filled) == before


def test_an_interrupted_rebuild_leaves_the_old_index_in_use(filled: str) -> None:
    before = find_index_file(filled)

    def stop() -> None:
        raise KeyboardInterrupt

    with open_memory(filled) as store:
        assert isinstance(store, SemanticMemoryStore)
        with pytest.raises(KeyboardInterrupt):
            store.rebuild(stop)
        assert find_first(store) == "r7"
    assert find_index_file(filled) == before


KILLED = """
import os, signal, sys
from mind_skills.memory.store import open_memory
with open_memory(sys.argv[1]) as store:
    store.rebuild(lambda: os.kill(os.getpid(), signal.SIGKILL))
"""


def test_the_next_rebuild_removes_the_files_of_a_killed_one(filled: str) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, filled], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(list((Path(filled) / index.FOLDER_NAME).glob("*.db"))) == 2
    with open_memory(filled) as store:
        assert isinstance(store, SemanticMemoryStore)
        assert find_first(store) == "r7"
        steps: list[int] = []
        assert store.rebuild(lambda: steps.append(1)) == len(steps) == len(EVERY)
    assert is_intact(filled)


def test_concurrent_rebuilds_all_succeed_and_leave_one_index(filled: str) -> None:
    gate = Barrier(4)
    done: list[int] = []

    def work() -> None:
        with open_memory(filled) as store:
            assert isinstance(store, SemanticMemoryStore)
            gate.wait()
            done.append(store.rebuild())
            assert find_first(store) == "r7"

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == [len(EVERY)] * 4
    assert is_intact(filled)


STORING = """
import sys
from mind_skills.memory.model import Record
from mind_skills.memory.store import open_memory
with open_memory(sys.argv[1]) as store:
    for number in range(50):
        store.store(Record(f"{sys.argv[2]}-{number}", "learning", f"process {sys.argv[2]} says {number}"))
        store.store(Record("shared", "learning", f"said last by {sys.argv[2]}"))
        if number % 10 == 0:
            store.query(f"what says process {sys.argv[2]}")
"""


@pytest.mark.process
def test_processes_that_store_and_query_at_once_lose_and_duplicate_nothing(tmp_path: Path) -> None:
    filled = str(tmp_path / "state")
    running = [subprocess.Popen([sys.executable, "-c", STORING, filled, str(number)]) for number in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    with open_memory(filled) as store:
        ids = [record.id for record in store.list_all()]
        assert (len(ids), len(set(ids))) == (201, 201)
        assert store.query("said last by")[0].record.id == "shared"
        assert store.check_health().healthy


@pytest.fixture
def unwritable(filled: str) -> Iterator[Path]:
    folder = Path(filled) / index.FOLDER_NAME
    folder.chmod(0o500)
    yield folder
    folder.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="root can write everywhere")
def test_an_unwritable_index_folder_is_named_in_the_error(filled: str, unwritable: Path) -> None:
    with open_memory(filled) as store:
        store.store(Record("new", "learning", "x"))
        with pytest.raises(UnusableIndexError, match=str(unwritable)):
            store.query("x")
        assert store.get("new") is not None


def test_only_the_owner_can_access_the_index_files(filled: str) -> None:
    modes = {path.name: path.stat().st_mode & 0o077 for path in (Path(filled) / index.FOLDER_NAME).iterdir()}
    assert set(modes.values()) == {0}
    assert (Path(filled) / index.FOLDER_NAME).stat().st_mode & 0o077 == 0
