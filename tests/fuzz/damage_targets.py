"""Our own database, damaged: set aside or told of, and never in the way of the pending file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from mind_skills.errors import StoreError
from mind_skills.hooks.end import handle_session_end
from mind_skills.hooks.recover import recover_sessions, register_start
from mind_skills.hooks.start import handle_session_start
from mind_skills.staging.pending_file import parse_pending_file
from tests.fuzz import world
from tests.fuzz.life_targets import looked, no_bug
from tests.fuzz.target import Target, promise
from tests.fuzz.world import MINUTE, NOW, World

TRIES = 4


def _database(data: bytes) -> None:
    """Our own database with any bytes in it, or cut short: what SQLite can tell is set aside, and the pending file stays."""
    place = world.fresh()
    path = Path(place.home, "mind-skills.db")
    path.write_bytes(_damaged(path.read_bytes(), data))
    failed: Exception | None = None
    for number in range(TRIES):  # the first may say that it is damaged, the next ones work with another
        before = {str(each["id"]) for each in parse_pending_file(place.pending()).candidates}
        try:
            _worked(place, NOW + (number + 2) * MINUTE)
            failed = None
        except StoreError as error:
            promise(error.code and str(error), "a database that cannot be used has a reason")
            failed = error
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            failed = error  # a row that was changed where SQLite has no means to tell: a hook puts it into its log
    promise(
        failed is None or _looks_whole(path), f"a damaged database is set aside, and the next one works: {failed!r}"
    )
    if list(path.parent.glob("*.corrupt-1")):
        left = {str(each["id"]) for each in parse_pending_file(place.pending()).candidates}
        promise(before <= left, "what stands in the pending file stays there")


def _looks_whole(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as sql:
        try:
            return bool(sql.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
        except sqlite3.DatabaseError:
            return False


def _worked(place: World, at: int) -> None:
    call = place.make_call(f"at{at}", at)
    handle_session_start(place.home, call)
    no_bug(register_start(place.home, call))
    looked(handle_session_end, place, place.told, at)
    no_bug(recover_sessions(place.home, at))


def _damaged(database: bytes, how: bytes) -> bytes:
    """``how``: four bytes a change; which byte, in 256ths of a page and pages, and what it becomes, or that all ends there."""
    changed = bytearray(database)
    for number in range(0, min(len(how), 256) - 3, 4):
        page, high, low, value = how[number : number + 4]
        place = (page % max(1, len(database) // 4096)) * 4096 + (high % 16) * 256 + low
        if high >= 0xF0:
            return bytes(changed[: place + value])
        if high >= 0x80:
            changed[place : place + 64] = bytes([value]) * len(changed[place : place + 64])
        elif place < len(changed):
            changed[place] ^= value or 0x80
    return bytes(changed)


def _damages() -> Iterator[bytes]:
    world.fresh()  # making the first one takes longer than an input may
    yield from (bytes([0, 0, low, 1]) for low in (0, 16, 18, 24, 28, 40, 44, 52, 56, 60, 96, 100, 103))
    yield from (bytes([page, high, low, 7]) for page in range(0, 120, 7) for high, low in ((0, 0), (0, 8), (5, 9)))
    yield bytes([0, 0xF0, 0, 0])
    yield bytes([3, 0xF4, 0, 17])
    yield bytes([0, 0x80, 0, 0])
    yield bytes(range(64))


TARGETS = (Target("own_database", _database, _damages, ("store/database.py", "store/processes.py")),)
