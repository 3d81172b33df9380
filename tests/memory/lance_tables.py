"""LanceDB tables over records, with a cheap encoder; also run in separate processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from mind_skills.memory.encoders import compute_digest, pack_vector
from mind_skills.memory.lance import LanceIndexManager, Registry, locate_table
from mind_skills.memory.model import Record
from mind_skills.memory.records import SCHEMA, Records
from mind_skills.memory.vector_store import SCHEMA as VECTORS
from mind_skills.store.database import Database
from tests.testkit.paths import ROOT


class Dice:
    """Returns a random vector seeded by the text's digest: equal texts are nearest, all others are far apart."""

    captures_meaning = True

    def __init__(self, dimension: int = 32, name: str = "dice") -> None:
        self.dimension, self.name = dimension, name

    def encode_documents(self, texts: Sequence[str]) -> list[bytes]:
        return [self.encode_query(text) for text in texts]

    def encode_query(self, text: str) -> bytes:
        dice = Random(compute_digest(text))
        return pack_vector(dice.gauss(0, 1) for _ in range(self.dimension))


@contextmanager
def table(
    root: Path, encoder: Dice | None = None, home: Path | None = None
) -> Iterator[tuple[Records, LanceIndexManager]]:
    """Open the records in a state folder next to the project, and the project's table."""
    encoder = encoder or Dice()

    def encode(texts: Mapping[int, str]) -> Mapping[int, bytes]:
        return dict(zip(texts, encoder.encode_documents(list(texts.values())), strict=True))

    where = str(home or root.parent / "home")
    with Database.open(where, SCHEMA) as database, Database.open(where, VECTORS) as vectors:
        records = Records(database)
        yield records, LanceIndexManager(where, locate_table(str(root)), records, Registry(vectors), encoder, encode)


def build_learnings(count: int, first: int = 0) -> list[Record]:
    """Build records with distinct texts."""
    return [Record(f"r{n}", "learning", f"what was learned of case {n}") for n in range(first, first + count)]


def find_nearest(manager: LanceIndexManager, text: str, encoder: Dice | None = None) -> tuple[int, float]:
    """Return the number of the nearest record and its similarity."""
    n, similarity = manager.find_nearest((encoder or Dice()).encode_query(text), 3)[0]
    return n, round(similarity, 4)


def merge_same_records(root: str) -> None:
    """Store and index records repeatedly, as one of several concurrent processes."""
    with table(Path(root)) as (records, manager):
        for turn in range(8):
            records.put(build_learnings(16))
            manager.open_current()
            assert find_nearest(manager, f"what was learned of case {turn}")[1] == 1.0


def rebuild(root: str) -> None:
    """Rebuild the table, as one of several concurrent processes."""
    with table(Path(root)) as (_, manager):
        assert manager.rebuild() == 300


def rebuild_and_die(root: str, after: str) -> None:
    """Die in the middle of a rebuild, as in a power cut."""
    steps = iter(range(int(after)))

    def step() -> None:
        if next(steps, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    with table(Path(root)) as (_, manager):
        manager.rebuild(step)


def locate_table_in(project: Path) -> Path:
    return project / ".hive/vectors/patterns.lance"


def list_table_folder(project: Path) -> list[str]:
    return sorted(each.name for each in locate_table_in(project).parent.iterdir())


def start_process(function: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.memory.lance_tables", function, *arguments],
        cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
