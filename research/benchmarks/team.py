"""Bytes and seconds of a sync in teams of 50 and 5,000 people, with a temporary PostgreSQL; docs/team.md has the results.

usage: python -m research.benchmarks.team [--people N ...] [--events N] [--hooks ROUNDS]

Each person has added --events events about subjects of which some are common and most are rare (the rank of a subject is the
product of two uniform numbers), in 20 projects and for families. Then a member without events syncs (all sums are read), syncs
again after 20 events of its own and 200 of others, and again without news. The bytes on the socket are counted in both
directions. With --hooks, hooks in a home whose team's server is unreachable are compared with hooks in a home outside a team,
in turns. Needs the extra `team`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory

from mind_skills.plugin.command import find_entry_script, find_interpreter
from mind_skills.store.database import Database
from mind_skills.team import outbox, sync
from mind_skills.team.contributions import Contribution, ContributionKey, TeamKey
from mind_skills.team.server import read_server_sql
from research.benchmarks.hook_scenes import (
    Run,
    Scene,
    collect_orphans,
    let_orphans_end,
    stage_five_candidates,
    start_session,
)
from tests.team.postgres import PROGRAMS, Server, run_server
from tests.team.relay import Relay
from tests.team.test_extras_sync import list_stored

SUBJECTS_PER_PERSON = 20
KEY = TeamKey("acme", b"k" * 32)
_EVENTS = """
INSERT INTO mind_skills.event (team, device, seq, login, kind, project, subject, source, at, value, digest)
SELECT 'acme', device.id, {first} + n, device.login, (ARRAY['seen', 'decided', 'vote'])[1 + n % 3],
    CASE WHEN n % 2 = 0 THEN decode(md5((floor(random() * 20))::text), 'hex') ELSE ''::bytea END,
    decode(md5((floor(random() * random() * {subjects}))::text), 'hex'),
    CASE WHEN n % 3 = 1 THEN ''::bytea ELSE decode(md5(random()::text), 'hex') END, {at},
    CASE WHEN n % 3 = 0 OR random() < 0.6 THEN 1 ELSE -1 END, decode(md5(n::text), 'hex')
FROM mind_skills.device, generate_series(1, {events}) AS n WHERE device.login LIKE {who}
"""


def create_team(server: Server, people: int, events: int) -> None:
    """Create a team whose members have added ``events`` events each."""
    server.execute("DROP SCHEMA IF EXISTS mind_skills CASCADE")
    server.execute(read_server_sql())
    server.execute("INSERT INTO mind_skills.team (id, daily_cap) VALUES ('acme', 1000000000)")
    person = f"SELECT 'acme', 'person' || n FROM generate_series(1, {people - 1}) AS n"
    server.execute("ALTER TABLE mind_skills.person DISABLE TRIGGER check_people")  # they have no logins
    server.execute(f"INSERT INTO mind_skills.person {person} UNION SELECT 'acme', 'newcomer'")
    server.execute(
        "INSERT INTO mind_skills.device (id, team, login)"
        " SELECT gen_random_uuid(), team, login FROM mind_skills.person WHERE login <> 'newcomer'"
    )
    add_events(server, people, events, 0, "'person%'")
    server.execute("ANALYZE mind_skills.event")


def add_events(server: Server, people: int, events: int, first: int, who: str) -> None:
    """Add ``events`` events of each person whose login matches ``who``."""
    at = time.time_ns() // 1_000_000
    server.execute(_EVENTS.format(first=first, subjects=people * SUBJECTS_PER_PERSON, at=at, events=events, who=who))


def measure(server: Server, people: int, events: int, folder: Path) -> dict[str, object]:
    """Measure the syncs of a newcomer to a team of ``people`` people."""
    create_team(server, people, events)
    rows: dict[str, object] = {"people": people, "events": people * events}
    relay_folder = server.folder / "relay"
    relay_folder.mkdir(exist_ok=True)
    (relay_folder / server.socket.name).unlink(missing_ok=True)
    with Relay(relay_folder, server.socket) as relay, Database.open(folder, outbox.SCHEMA) as database:
        with database.writing() as sql:
            outbox.add_member(sql, f"postgresql://newcomer@/team?host={relay_folder}", KEY)
        for name in ("first", "with news", "without"):
            now = time.time_ns() // 1_000_000
            if name == "with news":
                add_events(server, people, 20, 1_000_000, "'person1_'")
                with database.writing() as sql:
                    member = outbox.find_member(sql)
                    assert member is not None
                    contributions = {
                        ContributionKey("seen", b"", bytes([n] * 16), bytes([n] * 16)): Contribution(1, now)
                        for n in range(20)
                    }
                    outbox.store_contributions(sql, contributions, (), now)
            relay.sent.clear()
            relay.received.clear()
            begin = time.perf_counter()
            sent, received, _ = sync.sync(database, now, 600)
            rows[name] = {
                "sent": sent,
                "received": received,
                "seconds": round(time.perf_counter() - begin, 2),
                "kB out": round(len(relay.sent) / 1000, 1),
                "kB in": round(len(relay.received) / 1000, 1),
            }
    ((size,),) = server.execute("SELECT pg_total_relation_size('mind_skills.event')")
    assert isinstance(size, int)
    return rows | {"MB on disk": round(size / 1e6, 1)}


def join_absent_team(scene: Scene) -> None:
    """Share the project of the scene with a team whose server does not exist."""
    remote = '[remote "origin"]\n\turl = https://example.com/acme/shop\n'
    (scene.project / ".git/config").write_text(remote, encoding="utf-8")
    settings = scene.home / ".config/mind-skills/mind-skills.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("share_with_team = true\n", encoding="utf-8")
    with outbox.open_outbox(str(scene.state)) as database, database.writing() as sql:
        outbox.add_member(sql, "postgresql://alice@127.0.0.1:9/team", KEY)


def set_up_alone(scene: Scene) -> None:
    """Set up the same home outside a team: a repository and a settings file of the same length, since hooks read both."""
    join_absent_team(scene)
    settings = scene.home / ".config/mind-skills/mind-skills.toml"
    settings.write_text("user_rules = false\n\n\n\n\n", encoding="utf-8")
    with outbox.open_outbox(str(scene.state)) as database, database.writing() as sql:
        outbox.remove_member(sql)


def compare_hooks(rounds: int, folder: Path) -> dict[str, object]:
    """Run a start with an offer and a stop, in turns with and without a team; return the ratios of the medians and of the minima.

    Both of the seconds that a host waits and of the hook's own processor time, which other processes disturb less.
    """
    ratios: dict[str, object] = {}
    for event, moment, prepare, more in (
        ("SessionStart", "start", stage_five_candidates, {"source": "startup"}),
        ("Stop", "idle", start_session, {"last_assistant_message": "Done."}),
    ):
        seconds: dict[bool, list[float]] = {True: [], False: []}
        cpu: dict[bool, list[float]] = {True: [], False: []}
        for turn in range(2 * rounds):
            joined = turn % 4 in (1, 2)

            def set_up(scene: Scene, joined: bool = joined, prepare: Callable[[Scene], None] = prepare) -> None:
                (join_absent_team if joined else set_up_alone)(scene)
                prepare(scene)

            scene = Scene(folder / "home", set_up, event, **more)
            scene.renew()
            words = [find_interpreter(), "-I", "-S", find_entry_script(), "claude-code", moment]
            before = getrusage(RUSAGE_CHILDREN)
            ran = Run(words, scene.payload, scene.environment(folder / "data"), scene.project)
            after = getrusage(RUSAGE_CHILDREN)
            let_orphans_end()
            assert ran.code == 0, ran.stderr
            seconds[joined].append(ran.seconds)
            cpu[joined].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        ratios[event] = {
            f"{name} {each.__name__}": round(each(times[True]) / each(times[False]), 3)
            for name, times in (("seconds", seconds), ("cpu", cpu))
            for each in (median, min)
        }
    return ratios


def main() -> None:
    """Print one document per team, and the ratios of the hooks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, nargs="*", default=[50, 5_000])
    parser.add_argument("--events", type=int, default=200, help="events of each person")
    parser.add_argument("--hooks", type=int, default=0, metavar="ROUNDS")
    options = parser.parse_args()
    sync.prepare_batches = list_stored
    if options.hooks:
        collect_orphans()
        with TemporaryDirectory() as folder:
            print(json.dumps(compare_hooks(options.hooks, Path(folder))), flush=True)
    with run_server(list(PROGRAMS)[-1]) as server:
        server.execute("CREATE ROLE newcomer LOGIN")
        server.execute(read_server_sql())
        server.execute("GRANT mind_skills_member TO newcomer")
        for people in options.people:
            with TemporaryDirectory() as folder:
                print(json.dumps(measure(server, people, options.events, Path(folder))), flush=True)


if __name__ == "__main__":
    main()
