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


def test_the_database_and_its_log_files_are_for_their_owner_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Database.open(tmp_path / "h", ONE) as database:
            with database.writing() as sql:
                sql.execute("INSERT INTO t VALUES (1)")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "h").iterdir()}
    finally:
        os.umask(before)
    assert modes == {f"mind-skills.db{end}": 0o600 for end in ("", "-wal", "-shm", ".lock")}


def test_it_writes_ahead_and_waits(tmp_path: Path) -> None:
    with Database.open(tmp_path, ONE, timeout=3) as database:
        asked = ("journal_mode", "synchronous", "busy_timeout")
        assert [database.sql.execute(f"PRAGMA {name}").fetchone()[0] for name in asked] == ["wal", 1, 3000]


def test_an_exception_takes_the_transaction_back(tmp_path: Path) -> None:
    put(tmp_path, 1)

    def work(database: Database) -> None:
        with database.writing() as sql:
            sql.execute("INSERT INTO t VALUES (2)")
            raise KeyError

    with Database.open(tmp_path, ONE) as database, pytest.raises(KeyError):
        work(database)
    assert rows(tmp_path) == [(1,)]


def test_each_step_is_applied_once_and_the_data_stays(tmp_path: Path) -> None:
    put(tmp_path, 1)
    assert [rows(tmp_path, TWO), rows(tmp_path, TWO)] == [[(1, 7), (2, 7)], [(1, 7), (2, 7)]]


def test_a_step_that_fails_changes_nothing(tmp_path: Path) -> None:
    put(tmp_path, 1)
    with pytest.raises(UnusableDatabaseError):
        rows(tmp_path, Schema("p", (*ONE.migrations, ("INSERT INTO t VALUES (9)", "no sql"))))
    assert rows(tmp_path) == [(1,)]


def test_packages_have_versions_of_their_own(tmp_path: Path) -> None:
    put(tmp_path, 1)
    with Database.open(tmp_path, Schema("q", (("CREATE TABLE u (a)",),))) as database:
        versions = database.sql.execute("SELECT package, version FROM versions ORDER BY 1").fetchall()
    assert versions == [("p", 1), ("q", 1)]


def test_a_database_of_a_newer_version_is_a_clear_error_and_stays_as_it_is(tmp_path: Path) -> None:
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


def test_damage_found_in_the_middle_of_the_work_is_set_aside_by_the_next_open(tmp_path: Path) -> None:
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


def test_a_sound_database_that_was_suspected_stays(tmp_path: Path) -> None:
    put(tmp_path, 1)
    (tmp_path / "mind-skills.db.damaged").touch()
    assert rows(tmp_path) == [(1,)]
    assert not (tmp_path / "mind-skills.db.damaged").exists()


def test_a_database_held_by_others_is_a_typed_error(tmp_path: Path) -> None:
    one, two = Database.open(tmp_path, ONE), Database.open(tmp_path, ONE, timeout=0)
    with one, two, one.writing(), pytest.raises(BusyDatabaseError):
        two.writing().__enter__()


def test_a_folder_in_its_place_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "mind-skills.db").mkdir()
    with pytest.raises(UnusableDatabaseError):
        rows(tmp_path)


def test_a_reader_sees_one_moment(tmp_path: Path) -> None:
    with Database.open(tmp_path, ONE) as database, database.reading() as sql:
        before = sql.execute("SELECT count(*) FROM t").fetchone()
        put(tmp_path, 1)
        assert sql.execute("SELECT count(*) FROM t").fetchone() == before == (0,)


def test_processes_that_make_the_database_at_once_agree(tmp_path: Path) -> None:
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


def test_a_process_killed_in_the_middle_leaves_the_database_whole(tmp_path: Path) -> None:
    code = (
        "import os, sys; from mind_skills.store.database import Database, Schema\n"
        "with Database.open(sys.argv[1], Schema('p', (('CREATE TABLE t (a INTEGER)',),))) as d, d.writing() as sql:\n"
        "    sql.execute('INSERT INTO t VALUES (9)'); os.kill(os.getpid(), 9)\n"
    )
    put(tmp_path, 1)
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False).returncode == -9
    put(tmp_path, 2)
    assert rows(tmp_path) == [(1,), (2,)]


def test_a_programming_error_stays_what_it_is(tmp_path: Path) -> None:
    with (
        Database.open(tmp_path, ONE) as database,
        pytest.raises(sqlite3.ProgrammingError),
        database.writing() as sql,
    ):
        sql.execute("INSERT INTO t VALUES (?)", ())


def test_what_no_row_of_ours_can_hold_has_the_next_open_look_whether_the_file_is_damaged(tmp_path: Path) -> None:
    def look(error: Exception) -> bool:
        with pytest.raises(type(error)), Database.open(tmp_path, ONE) as database, database.reading():
            raise error
        return (tmp_path / "mind-skills.db.damaged").exists()

    assert [look(TypeError()), look(json.JSONDecodeError("no", "x", 0)), look(KeyError("role"))] == [True] * 3
    with Database.open(tmp_path, ONE) as database:
        assert database.set_aside == ""
    assert [look(OSError()), look(HomeError("", ""))] == [False, False]
    with pytest.raises(UnusableDatabaseError), Database.open(tmp_path, ONE) as database, database.reading() as sql:
        sql.execute("SELECT gone FROM t")
    assert (tmp_path / "mind-skills.db.damaged").exists()


def test_where_that_cannot_be_asked_for_the_error_that_was_met_is_told(tmp_path: Path) -> None:
    with Database.open(tmp_path, ONE) as database:
        (tmp_path / "mind-skills.db.damaged").mkdir()  # which no file can be made of, as on a full disk
        with pytest.raises(KeyError, match="odd"), database.writing():
            raise KeyError("odd")
        with pytest.raises(UnusableDatabaseError, match="nowhere"), database.reading() as sql:
            sql.execute("SELECT * FROM nowhere")


def test_a_byte_that_a_bad_disk_changed_within_a_text_keeps_nobody_from_the_rest(tmp_path: Path) -> None:
    with Database.open(tmp_path, ONE) as database, database.writing() as sql:
        sql.execute("INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT)), ('whole')")
    with Database.open(tmp_path, ONE) as database, database.reading() as sql:
        assert sql.execute("SELECT a FROM t ORDER BY rowid").fetchall() == [("a\ufffdb",), ("whole",)]


def test_damage_of_which_sqlite_speaks_in_bytes_that_are_no_text_is_set_aside_as_well(tmp_path: Path) -> None:
    put(tmp_path, 1)
    with closing(sqlite3.connect(tmp_path / "mind-skills.db")) as sql, sql:
        sql.execute("PRAGMA writable_schema=ON")
        sql.execute("UPDATE sqlite_master SET sql = CAST(CAST(sql AS BLOB) || x'20cdcd' AS TEXT) WHERE name = 't'")
    with Database.open(tmp_path, ONE) as database:
        assert database.set_aside == str(tmp_path / "mind-skills.db.corrupt-1")
    assert rows(tmp_path) == []


def marked_read_only(home: Path) -> bytes:
    put(home, 1)
    whole = bytearray((home / "mind-skills.db").read_bytes())
    whole[18] = 3
    (home / "mind-skills.db").write_bytes(whole)
    with pytest.raises(UnusableDatabaseError, match="readonly"):
        put(home, 2)
    return bytes(whole)


def test_a_database_that_says_of_itself_that_it_is_not_to_be_written_is_set_aside(tmp_path: Path) -> None:
    whole = marked_read_only(tmp_path)
    put(tmp_path, 3)
    assert rows(tmp_path) == [(3,)]
    assert (tmp_path / "mind-skills.db.corrupt-1").read_bytes() == whole


def test_one_that_the_system_lets_nobody_write_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marked_read_only(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert rows(tmp_path) == [(1,)]
    assert not list(tmp_path.glob("*.corrupt-*"))


def test_a_transaction_inside_of_another_one_ends_with_it(tmp_path: Path) -> None:
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


def test_what_is_in_memory_ends_with_its_connection_and_leaves_no_file(
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
