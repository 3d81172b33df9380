"""The extra `team`: tests against a real PostgreSQL, which `make team` runs; not collected where psycopg or a server is missing."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mind_skills.team.server import read_server_sql

PROGRAMS = ("initdb", "pg_ctl")
INSTALLED = find_spec("psycopg") is not None and all(shutil.which(name) for name in PROGRAMS)
if not INSTALLED and os.environ.get("MIND_SKILLS_REQUIRE_EXTRAS") == "team":
    raise RuntimeError("psycopg has to be installed, and initdb and pg_ctl of PostgreSQL have to be on the PATH")
collect_ignore_glob = [] if INSTALLED else ["test_extras_*.py"]
ANYBODY = 65534
"""PostgreSQL refuses to run as root; then it runs as this user, which owns nothing else."""
LOGINS = ("alice", "bob", "carol", "dan", "erin")


class Server(NamedTuple):
    """A running PostgreSQL of its own, which answers on a socket in ``folder``."""

    folder: Path

    def url(self, login: str = "postgres") -> str:
        return f"postgresql://{login}@/team?host={self.folder}"

    def control(self, *words: str) -> None:
        """Call pg_ctl and wait for its end."""
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "60", "-l", str(self.folder / "log"), *words)

    def start(self) -> None:
        self.control("-o", f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off", "start")

    def stop(self, mode: str = "fast") -> None:
        self.control("-m", mode, "stop")

    def run(self, *words: str) -> None:
        as_root = {"user": ANYBODY, "group": ANYBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        subprocess.run(  # type: ignore[call-overload]
            words, check=True, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **as_root
        )

    def execute(self, query: str, login: str = "postgres") -> list[tuple[object, ...]]:
        """Run one query and return its rows."""
        psycopg: Any = importlib.import_module("psycopg")
        with psycopg.connect(self.url(login), autocommit=True) as connection:
            done = connection.execute(query.encode())
            return done.fetchall() if done.description else []


@pytest.fixture(scope="session")
def cluster() -> Generator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="ms-team-", dir="/tmp"))
    server = Server(folder)
    if os.geteuid() == 0:
        os.chown(folder, ANYBODY, ANYBODY)
    server.run("initdb", "-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8")
    server.start()
    server.run("createdb", "-h", str(folder), "-U", "postgres", "team")
    for login in (*LOGINS, "mallory", "olga", "boris"):
        server.execute(f"CREATE ROLE {login} LOGIN")
    try:
        yield server
    finally:
        server.stop("immediate")
        shutil.rmtree(folder)


@pytest.fixture
def server(cluster: Server) -> Server:
    """The server with an empty team `acme` of five people; mallory is in the team `evil`, olga is the steward, boris reads."""
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
