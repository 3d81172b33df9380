"""10,000 events of five clients through a bad network and a bad server: the sums are exact."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mind_skills.errors import MindSkillsError
from mind_skills.team import server as connection
from mind_skills.team import sync as syncing
from mind_skills.team.contributions import Contribution, ContributionKey, ContributionKind
from tests.team.conftest import LOGINS
from tests.team.postgres import Server
from tests.team.test_extras_sync import Client, list_stored

pytestmark = pytest.mark.extras
EVENTS = 10_000 if os.environ.get("MIND_SKILLS_DEEP") else 1_000
SUBJECTS = 40
SEED = 20261123


def count_expected(
    contributions: dict[str, dict[ContributionKey, int]],
) -> dict[tuple[str, bytes, bytes], tuple[int, float, float]]:
    """Count what the sums have to be: people, and the contributions of each person, weighing three at most."""
    people: dict[tuple[str, bytes, bytes], dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for person, made in contributions.items():
        for key, value in made.items():
            if value:
                people[key[:3]][person][value < 0] += 1
    sums: dict[tuple[str, bytes, bytes], tuple[int, float, float]] = {}
    for subject, by_person in people.items():
        if len(by_person) >= 3:
            weights = {person: min(1.0, 3.0 / sum(counts)) for person, counts in by_person.items()}
            up = sum(counts[0] * weights[person] for person, counts in by_person.items())
            sums[subject] = (
                len(by_person),
                round(up, 9),
                round(sum(c[1] * weights[p] for p, c in by_person.items()), 9),
            )
    return sums


def test_the_sums_are_exact_after_lost_answers_offline_spells_a_crash_a_backup_and_a_copy(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, now = Random(SEED), time.time_ns() // 1_000_000
    monkeypatch.setattr(syncing, "prepare_batches", list_stored)
    clients = {login: Client(tmp_path / login, server.url(login)) for login in LOGINS}
    contributions: dict[str, dict[ContributionKey, int]] = {login: {} for login in LOGINS}
    skew = {login: 86_400_000 * number for number, login in zip((0, 1, -1, 0, 0), LOGINS, strict=True)}
    pushed, real_push = [0], connection.push_events

    def lose_answers(*arguments: Any) -> list[int]:
        found = real_push(*arguments)
        pushed[0] += 1
        if pushed[0] % 4 == 0:
            raise MindSkillsError("team_unreachable", "the answer was lost", "")
        return found

    monkeypatch.setattr(connection, "push_events", lose_answers)
    steps = 50
    backup: list[bool] = []
    for step in range(steps):
        for login, client in clients.items():
            made: dict[ContributionKey, Contribution] = {}
            for _ in range(EVENTS // steps // len(LOGINS)):
                number = random.randrange(SUBJECTS)
                kind: ContributionKind
                kind, source = random.choice(
                    (("vote", random.randbytes(16)), ("seen", random.randbytes(16)), ("decided", b""))
                )
                key = ContributionKey(kind, b"p" * 16, number.to_bytes(16, "big"), source)
                made[key] = Contribution(1 if kind == "seen" else random.choice((1, -1)), now + step + skew[login])
            withdrawn = [key for key in contributions[login] if random.random() < 0.01 and key not in made]
            client.contribute(made, *withdrawn, now=now + step + skew[login])
            contributions[login] |= {key: each.value for key, each in made.items()} | dict.fromkeys(withdrawn, 0)
            if random.random() < 0.4:  # else offline
                with suppress(MindSkillsError):
                    syncing.sync(client.database, now + step + skew[login])
        if step == 20:
            server.stop("immediate")
            with pytest.raises(MindSkillsError, match="does not answer"):
                syncing.sync(clients["alice"].database, now)
            server.start()
        if step == 30:
            server.execute("DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT * FROM mind_skills.event")
            backup.append(True)
        if step == 35:
            server.execute(
                "TRUNCATE mind_skills.event; INSERT INTO mind_skills.event SELECT * FROM kept; DROP TABLE kept"
            )
            server.execute("SELECT mind_skills.renew()", "olga")
        if step == 40:
            with copy_client(clients["bob"], tmp_path / "copy") as copy:
                key = ContributionKey("vote", b"p" * 16, (1).to_bytes(16, "big"), b"of the copy too!")
                copy.contribute({key: Contribution(1, now + step + skew["bob"])}, now=now + step + skew["bob"])
                contributions["bob"][key] = 1
                monkeypatch.setattr(connection, "push_events", real_push)
                syncing.sync(copy.database, now + step + skew["bob"])
                monkeypatch.setattr(connection, "push_events", lose_answers)
    monkeypatch.setattr(connection, "push_events", real_push)
    for login, client in [*clients.items(), *clients.items()]:
        syncing.sync(client.database, now + steps + skew[login])
    expected = count_expected(contributions)
    assert len(expected) > SUBJECTS
    for client in clients.values():
        found = {key: (people, round(up, 9), round(down, 9)) for key, (people, up, down) in client.sums().items()}
        assert found == expected


@contextmanager
def copy_client(client: Client, folder: Path) -> Generator[Client]:
    """Copy the home of a device."""
    copy = Client(folder, "")
    client.database.sql.backup(copy.database.sql)
    try:
        yield copy
    finally:
        copy.database.close()
