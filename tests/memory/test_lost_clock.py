"""The row with the records' version may be lost on a bad disk; versions then continue after the highest one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mind_skills.memory.model import Record
from mind_skills.memory.store import open_memory

PORT = Record("port", "learning", "The old server still holds the port: stop it before the new one binds.")
HEAP = Record("heap", "learning", "An unbounded cache grows the heap; give the LRU a limit.")
ZONE = Record("zone", "pattern", "Compare instants in UTC, never local times.")


@pytest.mark.parametrize("damage", ["DELETE FROM memory_state", "UPDATE memory_state SET value = x'00ff'"])
def test_changes_made_after_the_version_was_lost_reach_the_index(tmp_path: Path, damage: str) -> None:
    with open_memory(str(tmp_path)) as store:
        store.store_all([PORT, HEAP])
        store.remove("heap")
    with closing(sqlite3.connect(tmp_path / "mind-skills.db")) as sql, sql:
        sql.execute(f"{damage} WHERE name = 'clock'")
    with open_memory(str(tmp_path)) as store:
        store.store_all([ZONE])
        store.remove("port")
        assert [hit.record.id for hit in store.query("compare instants in UTC")] == ["zone"]
        assert [hit.record.id for hit in store.query("the server holds the port")] == []
        assert [record.id for record in store.list_all()] == ["zone"]
