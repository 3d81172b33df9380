from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from mind_skills.errors import (
    BusyDatabaseError,
    DamagedDatabaseError,
    HomeError,
    NewerDatabaseError,
    UnusableDatabaseError,
)
from mind_skills.store.database import Database, Schema

ONE = Schema("p", (("CREATE TABLE t (a INTEGER)",),))
TWO = Schema("p", (*ONE.migrations, ("ALTER TABLE t ADD COLUMN b INTEGER DEFAULT 7", "INSERT INTO t (a) VALUES (2)")))


def rows(home: Path, schema: Schema = ONE) -> list[tuple[int, ...]]:
    with Database.open(home, schema) as database:
        return database.sql.execute("SELECT * FROM t ORDER BY a").fetchall()


def put(home: Path, value: int) -> None:
    with Database.open(home, ONE) as database, database.writing() as sql:
        sql.execute("INSERT INTO t VALUES (?)", (value,))


def test_the_database_and_its_log_files_are_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Database.open(tmp_path / "h", ONE) as database:
            with database.writing() as sql:
                sql.execute("INSERT INTO t VALUES (1)")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "h").iterdir()}
    finally:
        os.umask(before)
    assert modes == {f"mind-skills.db{end}": 0o600 for end in ("", "-wal", "-shm", ".lock")}


def test_a_connection_uses_write_ahead_logging_and_a_busy_timeout(tmp_path: Path) -> None:
    with Database.open(tmp_path, ONE, timeout=3) as database:
        asked = ("journal_mode", "synchronous", "busy_timeout")
        assert [database.sql.execute(f"PRAGMA {name}").fetchone()[0] for name in asked] == ["wal", 1, 3000]


def test_a_brief_connection_omits_the_sync_only_if_there_is_no_older_log(tmp_path: Path) -> None:
    def is_synced(*, brief: bool = True) -> bool:
        with Database.open(tmp_path, ONE, brief=brief) as database:
            return bool(database.sql.execute("PRAGMA synchronous").fetchone()[0])

    new, closed, long = is_synced(), is_synced(), is_synced(brief=False)
    with Database.open(tmp_path, ONE) as other, other.writing() as sql:
        sql.execute("INSERT INTO t VALUES (1)")
        assert (tmp_path / "mind-skills.db-wal").exists()
        assert (new, closed, long, is_synced()) == (True, False, True, True)


def test_an_exception_rolls_back_the_transaction(tmp_path: Path) -> None:
    put(tmp_path, 1)

    def work(database: Database) -> None:
        with database.writing() as sql:
            sql.execute("INSERT INTO t VALUES (2)")
            raise KeyError

    with Database.open(tmp_path, ONE) as database, pytest.raises(KeyError):
        work(database)
    assert rows(tmp_path) == [(1,)]


def test_each_migration_is_applied_once_and_the_data_stays(tmp_path: Path) -> None:
    put(tmp_path, 1)
    assert [rows(tmp_path, TWO), rows(tmp_path, TWO)] == [[(1, 7), (2, 7)], [(1, 7), (2, 7)]]


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    put(tmp_path, 1)
    with pytest.raises(UnusableDatabaseError):
        rows(tmp_path, Schema("p", (*ONE.migrations, ("INSERT INTO t VALUES (9)", "no sql"))))
    assert rows(tmp_path) == [(1,)]


def test_each_package_has_its_own_version_in_the_database(tmp_path: Path) -> None:
    put(tmp_path, 1)
    with Database.open(tmp_path, Schema("q", (("CREATE TABLE u (a)",),))) as database:
        versions = database.sql.execute("SELECT package, version FROM versions ORDER BY 1").fetchall()
    assert versions == [("p", 1), ("q", 1)]


def test_a_database_of_a_newer_version_raises_and_is_not_changed(tmp_path: Path) -> None:
    rows(tmp_path, TWO)
    with pytest.raises(NewerDatabaseError) as caught:
        rows(tmp_path, ONE)
    assert str(caught.value) == "the p part of the database has version 2, but this mind-skills supports 1"
    assert rows(tmp_path, TWO) == [(2, 7)]


@pytest.mark.parametrize("content", [b"not a database " * 999, b"SQLite format 3\0" + b"\xff" * 9000])
def test_a_damaged_database_is_set_aside_with_its_content_and_work_goes_on(tmp_path: Path, content: bytes) -> None:
    for number in (1, 2):
        (tmp_path / "mind-skills.db").write_bytes(content)
        with Database.open(tmp_path, ONE) as database:
            assert database.set_aside == str(tmp_path / f"mind-skills.db.corrupt-{number}")
        assert (tmp_path / f"mind-skills.db.corrupt-{number}").read_bytes() == content
        put(tmp_path, number)
        assert rows(tmp_path) == [(number,)]


def test_a_database_found_damaged_while_in_use_is_set_aside_by_the_next_open(tmp_path: Path) -> None:
    with Database.open(tmp_path, ONE) as database, database.writing() as sql:
        sql.executemany("INSERT INTO t VALUES (?)", [(n,) for n in range(5000)])
    whole = bytearray((tmp_path / "mind-skills.db").read_bytes())
    whole[3 * 4096 :] = b"\xff" * (len(whole) - 3 * 4096)
    (tmp_path / "mind-skills.db").write_bytes(whole)
    with Database.open(tmp_path, ONE) as database, pytest.raises(DamagedDatabaseError), database.reading() as sql:
        sql.execute("SELECT sum(a) FROM t").fetchone()
    with Database.open(tmp_path, ONE) as database:
        assert database.set_aside == str(tmp_path / "mind-skills.db.corrupt-1")
    assert (tmp_path / "mind-skills.db.corrupt-1").read_bytes() == bytes(whole)
    assert rows(tmp_path) == []


def test_an_intact_database_that_was_suspected_is_not_set_aside(tmp_path: Path) -> None:
    put(tmp_path, 1)
    (tmp_path / "mind-skills.db.damaged").touch()
    assert rows(tmp_path) == [(1,)]
    assert not (tmp_path / "mind-skills.db.damaged").exists()


def test_a_database_that_others_have_locked_raises_busy_database_error(tmp_path: Path) -> None:
    one, two = Database.open(tmp_path, ONE), Database.open(tmp_path, ONE, timeout=0)
    with one, two, one.writing(), pytest.raises(BusyDatabaseError):
        two.writing().__enter__()


def test_a_folder_in_place_of_the_database_raises_unusable_database_error(tmp_path: Path) -> None:
    (tmp_path / "mind-skills.db").mkdir()
    with pytest.raises(UnusableDatabaseError):
        rows(tmp_path)


def test_a_reader_sees_one_state_while_others_write(tmp_path: Path) -> None:
    with Database.open(tmp_path, ONE) as database, database.reading() as sql:
        before = sql.execute("SELECT count(*) FROM t").fetchone()
        put(tmp_path, 1)
        assert sql.execute("SELECT count(*) FROM t").fetchone() == before == (0,)


def test_processes_that_create_the_database_at_once_all_succeed(tmp_path: Path) -> None:
    code = (
        "import sys; from mind_skills.store.database import Database, Schema\n"
        "for n in range(20):\n"
        "    with Database.open(sys.argv[1], Schema('p', (('CREATE TABLE t (a INTEGER)',),)), 60) as d, d.writing() as sql:\n"
        "        sql.execute('INSERT INTO t VALUES (?)', (n,))\n"
    )
    started = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "h")]) for _ in range(8)]
    assert [process.wait() for process in started] == [0] * 8
    assert len(rows(tmp_path / "h")) == 160
    assert sorted(path.name for path in (tmp_path / "h").iterdir()) == ["mind-skills.db", "mind-skills.db.lock"]


def test_a_process_killed_within_a_transaction_leaves_the_database_intact(tmp_path: Path) -> None:
    code = (
        "import os, sys; from mind_skills.store.database import Database, Schema\n"
        "with Database.open(sys.argv[1], Schema('p', (('CREATE TABLE t (a INTEGER)',),))) as d, d.writing() as sql:\n"
        "    sql.execute('INSERT INTO t VALUES (9)'); os.kill(os.getpid(), 9)\n"
    )
    put(tmp_path, 1)
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False).returncode == -9
    put(tmp_path, 2)
    assert rows(tmp_path) == [(1,), (2,)]


def test_a_programming_error_is_raised_unchanged(tmp_path: Path) -> None:
    with Database.open(tmp_path, ONE) as database, pytest.raises(sqlite3.ProgrammingError), database.writing() as sql:
        sql.execute("INSERT INTO t VALUES (?)", ())


def test_an_error_over_a_malformed_row_makes_the_next_open_check_the_file_for_damage(tmp_path: Path) -> None:
    def is_suspected_after(error: Exception) -> bool:
        with pytest.raises(type(error)), Database.open(tmp_path, ONE) as database, database.reading():
            raise error
        return (tmp_path / "mind-skills.db.damaged").exists()

    assert [
        is_suspected_after(TypeError()),
        is_suspected_after(json.JSONDecodeError("no", "x", 0)),
        is_suspected_after(KeyError("role")),
    ] == [True] * 3
    with Database.open(tmp_path, ONE) as database:
        assert database.set_aside == ""
    assert [is_suspected_after(OSError()), is_suspected_after(HomeError("", ""))] == [False, False]
    with pytest.raises(UnusableDatabaseError), Database.open(tmp_path, ONE) as database, database.reading() as sql:
        sql.execute("SELECT gone FROM t")
    assert (tmp_path / "mind-skills.db.damaged").exists()


def test_the_original_error_is_raised_if_the_check_for_damage_cannot_be_requested(tmp_path: Path) -> None:
    with Database.open(tmp_path, ONE) as database:
        (tmp_path / "mind-skills.db.damaged").mkdir()  # so the marker file cannot be created, as on a full disk
        with pytest.raises(KeyError, match="odd"), database.writing():
            raise KeyError("odd")
        with pytest.raises(UnusableDatabaseError, match="nowhere"), database.reading() as sql:
            sql.execute("SELECT * FROM nowhere")


def test_a_text_with_an_invalid_byte_is_read_with_a_replacement_character(tmp_path: Path) -> None:
    with Database.open(tmp_path, ONE) as database, database.writing() as sql:
        sql.execute("INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT)), ('whole')")
    with Database.open(tmp_path, ONE) as database, database.reading() as sql:
        assert sql.execute("SELECT a FROM t ORDER BY rowid").fetchall() == [("a\ufffdb",), ("whole",)]


def test_a_database_whose_damage_sqlite_reports_in_invalid_utf8_is_set_aside(tmp_path: Path) -> None:
    put(tmp_path, 1)
    with closing(sqlite3.connect(tmp_path / "mind-skills.db")) as sql, sql:
        sql.execute("PRAGMA writable_schema=ON")
        sql.execute("UPDATE sqlite_master SET sql = CAST(CAST(sql AS BLOB) || x'20cdcd' AS TEXT) WHERE name = 't'")
    with Database.open(tmp_path, ONE) as database:
        assert database.set_aside == str(tmp_path / "mind-skills.db.corrupt-1")
    assert rows(tmp_path) == []


def mark_read_only(home: Path) -> bytes:
    put(home, 1)
    whole = bytearray((home / "mind-skills.db").read_bytes())
    whole[18] = 3
    (home / "mind-skills.db").write_bytes(whole)
    with pytest.raises(UnusableDatabaseError, match="readonly"):
        put(home, 2)
    return bytes(whole)


def test_a_database_whose_header_says_read_only_is_set_aside(tmp_path: Path) -> None:
    whole = mark_read_only(tmp_path)
    put(tmp_path, 3)
    assert rows(tmp_path) == [(3,)]
    assert (tmp_path / "mind-skills.db.corrupt-1").read_bytes() == whole


def test_a_database_whose_file_nobody_may_write_is_not_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark_read_only(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert rows(tmp_path) == [(1,)]
    assert not list(tmp_path.glob("*.corrupt-*"))


def test_a_nested_transaction_ends_with_the_outer_one(tmp_path: Path) -> None:
    with Database.open(tmp_path, ONE) as database:

        def insert(value: int) -> None:
            with database.writing() as sql:
                sql.execute("INSERT INTO t VALUES (?)", (value,))

        def fail() -> None:
            with database.writing():
                insert(1)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        with database.writing():
            insert(2)
            with database.reading() as sql:
                assert sql.execute("SELECT a FROM t").fetchall() == [(2,)]
            assert rows(tmp_path) == []
    assert rows(tmp_path) == [(2,)]


def test_an_in_memory_database_rolls_back_errors_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def fail(database: Database) -> None:
        with database.writing() as sql:
            sql.execute("INSERT INTO t (a) VALUES (3)")
            raise KeyError("a row of another form")

    with Database.open_in_memory(TWO) as database:
        with pytest.raises(KeyError):
            fail(database)
        with database.reading() as sql:
            assert sql.execute("SELECT * FROM t").fetchall() == [(2, 7)]
    assert list(tmp_path.iterdir()) == []
