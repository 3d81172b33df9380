"""The index may be damaged or deleted at any time: the records are unaffected and queries still work."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Thread

import pytest

from mind_skills.errors.records import UnusableIndexError
from mind_skills.memory import features, index, index_manager
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
        assert first(store) == "r7"
    return place


def first(store: object) -> str:
    assert isinstance(store, SemanticMemoryStore)
    return store.query(QUESTION)[0].record.id


def file(filled: str) -> Path:
    [path] = (Path(filled) / index_manager.FOLDER_NAME).glob("*.db")
    return path


def answers(filled: str) -> bool:
    """Return whether all records are found and there is exactly one intact index."""
    with open_memory(filled) as store:
        assert isinstance(store, SemanticMemoryStore)
        said = first(store)
        health = store.check_health()
        assert (health.healthy, health.count) == (True, len(EVERY))
        assert list(store.list_all()) == EVERY
    assert file(filled).is_file()
    return said == "r7"


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


def _a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "harm",
    [_gone, _no_database, _empty, _junk_within, _foreign, _full_text_damaged, _a_folder],
    ids=lambda each: each.__name__,
)
def test_whatever_has_become_of_the_index_another_takes_its_place(filled: str, harm: Callable[[Path], None]) -> None:
    path = file(filled)
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    harm(path)
    if harm is _a_folder:
        with open_memory(filled) as store:
            assert first(store) == "r7"
        return
    assert answers(filled)


def test_what_is_damaged_while_it_is_open_is_built_anew(filled: str) -> None:
    with open_memory(filled) as store:
        assert first(store) == "r7"
        _full_text_damaged(file(filled))
        assert first(store) == "r7"
        assert store.check_health().healthy
    assert answers(filled)


def test_the_changes_of_another_process_are_followed(filled: str) -> None:
    with open_memory(filled) as one, open_memory(filled) as other:
        assert first(one) == "r7"
        other.store(replace(EVERY[7], content="Something else altogether"))
        other.remove("r8")
        assert first(one) != "r7"
        assert "r8" not in [hit.record.id for hit in one.query("server number 8", 40)]
        other.store_all(EVERY)
        assert first(one) == "r7"


def test_an_index_of_another_lexicon_is_built_anew(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file(filled)
    monkeypatch.setattr(features, "_fingerprint", ["another"])
    assert answers(filled)
    assert file(filled) != before


def test_an_older_copy_of_the_state_that_is_put_back_is_what_is_asked(filled: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    state = Path(filled) / "mind-skills.db"
    shutil.copy(state, copy)
    with open_memory(filled) as store:
        store.store(Record("new", "learning", "Something new"))
        assert store.query("something new")[0].record.id == "new"
    for end in ("-wal", "-shm"):
        state.with_name(state.name + end).unlink(missing_ok=True)
    shutil.copy(copy, state)
    assert answers(filled)


def test_a_state_database_that_had_to_be_replaced_brings_nothing_of_the_old_one(filled: str) -> None:
    Path(filled, "mind-skills.db").write_bytes(b"no database" * 1_000)
    with open_memory(filled) as store:
        assert (list(store.query(QUESTION)), store.check_health().count) == ([], 0)
        store.store(EVERY[7])
        assert first(store) == "r7"


def test_a_disk_that_is_full_in_mid_rebuild_leaves_the_old_index(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file(filled)
    monkeypatch.setattr(index, "_SETUP_STATEMENTS", (*index._SETUP_STATEMENTS, "PRAGMA max_page_count = 20"))
    with open_memory(filled) as store:
        assert isinstance(store, SemanticMemoryStore)
        with pytest.raises(UnusableIndexError, match="full") as refused:
            store.rebuild()
        assert (refused.value.code, refused.value.hint.endswith("memory rebuild")) == ("memory_index", True)
        assert first(store) == "r7"
    assert file(filled) == before


def test_a_rebuild_that_is_interrupted_leaves_the_old_index(filled: str) -> None:
    before = file(filled)

    def stop() -> None:
        raise KeyboardInterrupt

    with open_memory(filled) as store:
        assert isinstance(store, SemanticMemoryStore)
        with pytest.raises(KeyboardInterrupt):
            store.rebuild(stop)
        assert first(store) == "r7"
    assert file(filled) == before


KILLED = """
import os, signal, sys
from mind_skills.memory.store import open_memory
with open_memory(sys.argv[1]) as store:
    store.rebuild(lambda: os.kill(os.getpid(), signal.SIGKILL))
"""


def test_what_a_killed_rebuild_leaves_is_swept_by_the_next(filled: str) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, filled], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(list((Path(filled) / index_manager.FOLDER_NAME).glob("*.db"))) == 2
    with open_memory(filled) as store:
        assert isinstance(store, SemanticMemoryStore)
        assert first(store) == "r7"
        steps: list[int] = []
        assert store.rebuild(lambda: steps.append(1)) == len(steps) == len(EVERY)
    assert answers(filled)


def test_rebuilds_at_once_wait_for_each_other_and_leave_one_index(filled: str) -> None:
    gate = Barrier(4)
    done: list[int] = []

    def work() -> None:
        with open_memory(filled) as store:
            assert isinstance(store, SemanticMemoryStore)
            gate.wait()
            done.append(store.rebuild())
            assert first(store) == "r7"

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == [len(EVERY)] * 4
    assert answers(filled)


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
def test_many_processes_that_store_and_ask_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    filled = str(tmp_path / "state")
    running = [subprocess.Popen([sys.executable, "-c", STORING, filled, str(number)]) for number in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    with open_memory(filled) as store:
        ids = [record.id for record in store.list_all()]
        assert (len(ids), len(set(ids))) == (201, 201)
        assert store.query("said last by")[0].record.id == "shared"
        assert store.check_health().healthy


@pytest.fixture
def closed(filled: str) -> Iterator[Path]:
    folder = Path(filled) / index_manager.FOLDER_NAME
    folder.chmod(0o500)
    yield folder
    folder.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_folder_that_cannot_be_written_is_named(filled: str, closed: Path) -> None:
    with open_memory(filled) as store:
        store.store(Record("new", "learning", "x"))
        with pytest.raises(UnusableIndexError, match=str(closed)):
            store.query("x")
        assert store.get("new") is not None


def test_the_files_are_for_their_owner_alone(filled: str) -> None:
    modes = {path.name: path.stat().st_mode & 0o077 for path in (Path(filled) / index_manager.FOLDER_NAME).iterdir()}
    assert set(modes.values()) == {0}
    assert (Path(filled) / index_manager.FOLDER_NAME).stat().st_mode & 0o077 == 0
