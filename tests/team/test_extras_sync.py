"""Clients and a real server: the contributions of each person arrive once, and sums are published from three people on."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mind_skills.store.database import Database
from mind_skills.team import outbox
from mind_skills.team.contributions import Contribution, ContributionKey, TeamKey
from mind_skills.team.outbox import Batch, Sum
from mind_skills.team.sync import sync
from tests.team.postgres import Server

pytestmark = pytest.mark.extras
KEY = TeamKey("acme", b"k" * 32)
NOW = time.time_ns() // 1_000_000
"""The present: a client whose clock is off corrects the times of its events by the server's."""
SUBJECT, PROJECT = b"s" * 16, b"p" * 16


class Client:
    """One device of a person, whose contributions the test determines."""

    def __init__(self, folder: Path, url: str) -> None:
        self.database = Database.open(folder, outbox.SCHEMA)
        with self.database.writing() as sql:
            outbox.add_member(sql, url, KEY)

    def contribute(
        self, contributions: dict[ContributionKey, Contribution], *withdrawn: ContributionKey, now: int = NOW
    ) -> None:
        with self.database.writing() as sql:
            member = outbox.find_member(sql)
            assert member is not None
            outbox.store_contributions(sql, contributions, withdrawn, now)

    def sums(self) -> dict[tuple[str, bytes, bytes], tuple[int, float, float]]:
        with self.database.reading() as sql:
            rows = sql.execute("SELECT kind, project, subject, people, up, down FROM team_sums").fetchall()
        return {(kind, project, subject): (people, up, down) for kind, project, subject, people, up, down in rows}


def list_stored(database: Database, now: int, *, store: bool = True) -> list[Batch]:
    """Stand for ``prepare_batches`` where the test determines the contributions."""
    with database.reading() as sql:
        return list(outbox.list_batches(sql, lambda _key, _at: True))


@pytest.fixture
def join(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Client]:
    monkeypatch.setattr("mind_skills.team.sync.prepare_batches", list_stored)
    return lambda name: Client(tmp_path / name, server.url(name.partition("-")[0]))


def build_contribution_key(number: int, subject: bytes = SUBJECT) -> ContributionKey:
    return ContributionKey("seen", PROJECT, subject, number.to_bytes(16, "big"))


def test_sums_are_published_from_three_people_on(join: Callable[[str], Client]) -> None:
    alice, bob, carol = join("alice"), join("bob"), join("carol")
    alice.contribute({build_contribution_key(1): Contribution(1, NOW), build_contribution_key(2): Contribution(1, NOW)})
    bob.contribute({build_contribution_key(3): Contribution(1, NOW)})
    assert [sync(client.database, NOW)[:2] for client in (alice, bob)] == [(2, 0), (1, 0)]
    carol.contribute({build_contribution_key(number): Contribution(1, NOW) for number in range(4, 10)})
    assert sync(carol.database, NOW)[:2] == (6, 1)
    assert carol.sums() == {("seen", PROJECT, SUBJECT): (3, 6.0, 0.0)}, "six sessions of one person weigh three"
    assert sync(alice.database, NOW)[:2] == (0, 1)
    assert alice.sums() == carol.sums()
    assert sync(alice.database, NOW)[:2] == (0, 0)


def test_a_withdrawn_contribution_disappears_from_the_sums_of_everybody(join: Callable[[str], Client]) -> None:
    clients = [join(name) for name in ("alice", "bob", "carol")]
    key = ContributionKey("decided", PROJECT, SUBJECT, b"")
    for client in clients:
        client.contribute({key: Contribution(-1, NOW)})
    for client in clients * 2:
        sync(client.database, NOW)
    assert [client.sums() for client in clients] == 3 * [{("decided", PROJECT, SUBJECT): (3, 0.0, 3.0)}]
    clients[1].contribute({}, key, now=NOW + 1)
    for client in reversed(clients):
        sync(client.database, NOW)
    for client in clients:
        sync(client.database, NOW)
    assert [client.sums() for client in clients] == 3 * [{}]
    assert outbox.find_sum(clients[0].database.sql, "decided", PROJECT, SUBJECT) is None


def test_a_changed_decision_counts_once_with_its_last_value(join: Callable[[str], Client]) -> None:
    clients = [join(name) for name in ("alice", "alice-laptop", "bob", "carol")]
    key, now = ContributionKey("decided", PROJECT, SUBJECT, b""), time.time_ns() // 1_000_000
    for number, client in enumerate(clients):
        client.contribute({key: Contribution(-1, now + number)}, now=now + number)
        sync(client.database, now)
    clients[0].contribute({key: Contribution(1, now + 10)}, now=now + 10)
    for client in clients:
        sync(client.database, now + 10)
    assert clients[1].sums() == {("decided", PROJECT, SUBJECT): (3, 1.0, 2.0)}
    with clients[1].database.reading() as sql:
        assert outbox.find_sum(sql, "decided", PROJECT, SUBJECT) == Sum(3, 1.0, 2.0)


def test_a_copied_device_becomes_another_one_and_nothing_counts_twice(
    join: Callable[[str], Client], server: Server, tmp_path: Path
) -> None:
    alice = join("alice")
    alice.contribute({build_contribution_key(1): Contribution(1, NOW)})
    sync(alice.database, NOW)
    copy = join("alice-copy")
    with sqlite3.connect(tmp_path / "alice" / "mind-skills.db") as source:
        source.backup(copy.database.sql)
    alice.contribute({build_contribution_key(2): Contribution(1, NOW)})
    copy.contribute({build_contribution_key(3): Contribution(1, NOW)})
    sync(alice.database, NOW)
    assert sync(copy.database, NOW)[:2] == (2, 0), "all of its own events again, under another device"
    devices = server.execute("SELECT count(*) FROM mind_skills.device WHERE login = 'alice'")
    sources = server.execute("SELECT count(DISTINCT source) FROM mind_skills.event WHERE login = 'alice'")
    assert (devices, sources) == ([(2,)], [(3,)])


def test_a_server_restored_from_a_backup_gets_again_what_it_lost(join: Callable[[str], Client], server: Server) -> None:
    clients = [join(name) for name in ("alice", "bob", "carol")]
    for number, client in enumerate(clients):
        client.contribute({build_contribution_key(number): Contribution(1, NOW)})
        sync(client.database, NOW)
    server.execute("CREATE TABLE kept AS SELECT * FROM mind_skills.event")
    clients[0].contribute({build_contribution_key(10): Contribution(1, NOW)})
    sync(clients[0].database, NOW)
    server.execute("DELETE FROM mind_skills.event; INSERT INTO mind_skills.event SELECT * FROM kept; DROP TABLE kept")
    server.execute("SELECT mind_skills.renew()", "olga")
    for client in clients * 2:
        sync(client.database, NOW)
    assert [client.sums() for client in clients] == 3 * [{("seen", PROJECT, SUBJECT): (3, 4.0, 0.0)}]


def test_an_event_that_waits_while_the_clock_jumps_remains_the_newest_of_its_contribution(
    join: Callable[[str], Client], server: Server
) -> None:
    alice = join("alice")
    for value, decided_at, synced_at in ((1, NOW, NOW), (-1, NOW + 1, NOW + 3_600_000)):
        alice.contribute({build_contribution_key(1): Contribution(value, decided_at)}, now=decided_at)
        assert sync(alice.database, synced_at)[0] == 1
    assert server.execute("SELECT value FROM mind_skills.event ORDER BY at") == [(1,), (-1,)]


def test_a_clock_that_is_a_day_off_is_corrected(join: Callable[[str], Client], server: Server) -> None:
    day = 86_400_000
    alice = join("alice")
    alice.contribute({build_contribution_key(1): Contribution(1, NOW + day)}, now=NOW + day)
    assert sync(alice.database, NOW + day)[0] == 1
    alice.contribute({build_contribution_key(2): Contribution(1, NOW + day)}, now=NOW + day)
    assert sync(alice.database, NOW + day)[0] == 1
    times = [row[0] for row in server.execute("SELECT at FROM mind_skills.event")]
    assert [isinstance(at, int) and abs(at - NOW) < day // 2 for at in times] == [True, True]
