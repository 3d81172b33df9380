"""A PostgreSQL of its own, on a local socket, from the programs on the PATH."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

INSTALLED = find_spec("psycopg") is not None and all(shutil.which(name) for name in ("initdb", "pg_ctl"))
ANYBODY = 65534
"""PostgreSQL refuses to run as root; then it runs as this user, which owns nothing else."""


class Server(NamedTuple):
    """A running PostgreSQL of its own, which answers on a socket in ``folder``."""

    folder: Path

    def url(self, login: str = "postgres") -> str:
        return f"postgresql://{login}@/team?host={self.folder}"

    @property
    def socket(self) -> Path:
        return next(self.folder.glob(".s.PGSQL.*[0-9]"))

    def control(self, *words: str) -> None:
        """Call pg_ctl and wait for its end."""
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "60", "-l", str(self.folder / "log"), *words)

    def start(self) -> None:
        self.control("-o", f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off", "start")

    def stop(self, mode: str = "fast") -> None:
        self.control("-m", mode, "stop")

    def run(self, *words: str) -> None:
        as_root: dict[str, Any] = {"user": ANYBODY, "group": ANYBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        subprocess.run(
            words, check=True, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **as_root
        )

    def execute(self, query: str, login: str = "postgres") -> list[tuple[object, ...]]:
        """Run one query and return its rows."""
        psycopg: Any = importlib.import_module("psycopg")
        with psycopg.connect(self.url(login), autocommit=True) as connection:
            done = connection.execute(query.encode())
            return list(done.fetchall()) if done.description else []


@contextmanager
def run_server() -> Generator[Server]:
    """Start a server with an empty database `team`, and remove it at the end."""
    folder = Path(tempfile.mkdtemp(prefix="ms-team-", dir="/tmp"))
    server = Server(folder)
    if os.geteuid() == 0:
        os.chown(folder, ANYBODY, ANYBODY)
    server.run("initdb", "-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8")
    server.start()
    try:
        server.run("createdb", "-h", str(folder), "-U", "postgres", "team")
        yield server
    finally:
        server.stop("immediate")
        shutil.rmtree(folder)
