"""LanceDB tables over records, with an encoder that costs nothing; also for processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from mind_skills.memory.encoders import digest, packed
from mind_skills.memory.lance_following import LanceFollower
from mind_skills.memory.lance_place import Registry, locate_table
from mind_skills.memory.model import Record
from mind_skills.memory.records import PACKAGE, STEPS, Records
from mind_skills.memory.vector_store import PACKAGE as VECTORS
from mind_skills.memory.vector_store import STEPS as VECTORS_STEPS
from mind_skills.store.database import Database
from tests.testkit.paths import ROOT


class Dice:
    """A vector drawn from a text's digest: the same text is nearest to itself, everything else is far."""

    knows_meaning = True

    def __init__(self, dimension: int = 32, name: str = "dice") -> None:
        self.dimension, self.name = dimension, name

    def documents(self, texts: Sequence[str]) -> list[bytes]:
        return [self.question(text) for text in texts]

    def question(self, text: str) -> bytes:
        dice = Random(digest(text))
        return packed(dice.gauss(0, 1) for _ in range(self.dimension))


@contextmanager
def table(root: Path, encoder: Dice | None = None, home: Path | None = None) -> Iterator[tuple[Records, LanceFollower]]:
    """The records of the state folder beside a project, and the table in the project that follows them."""
    encoder = encoder or Dice()

    def encode(texts: Mapping[int, str]) -> Mapping[int, bytes]:
        return dict(zip(texts, encoder.documents(list(texts.values())), strict=True))

    where = str(home or root.parent / "home")
    with Database.open(where, PACKAGE, STEPS) as database, Database.open(where, VECTORS, VECTORS_STEPS) as vectors:
        records = Records(database)
        yield records, LanceFollower(where, locate_table(str(root)), records, Registry(vectors), encoder, encode)


def learnings(count: int, first: int = 0) -> list[Record]:
    """Records that a text of their own tells apart."""
    return [Record(f"r{n}", "learning", f"what was learned of case {n}") for n in range(first, first + count)]


def nearest(following: LanceFollower, text: str, encoder: Dice | None = None) -> tuple[int, float]:
    """The number of the nearest record and how near it is."""
    n, likeness = following.nearest((encoder or Dice()).question(text), 3)[0]
    return n, round(likeness, 4)


def merge_the_same(root: str) -> None:
    """One of several processes that store and index the same records, over and over."""
    with table(Path(root)) as (records, following):
        for turn in range(8):
            records.put(learnings(16))
            following.ready()
            assert nearest(following, f"what was learned of case {turn}")[1] == 1.0


def rebuild(root: str) -> None:
    """One of several processes that build the table anew."""
    with table(Path(root)) as (_, following):
        assert following.rebuild() == 300


def rebuild_and_die(root: str, after: str) -> None:
    """Killed in the middle of a rebuild, as if the machine had gone."""
    steps = iter(range(int(after)))

    def step() -> None:
        if next(steps, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    with table(Path(root)) as (_, following):
        following.rebuild(step)


def path_in(project: Path) -> Path:
    return project / ".hive/vectors/patterns.lance"


def beside(project: Path) -> list[str]:
    return sorted(each.name for each in path_in(project).parent.iterdir())


def process(function: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.memory.lance_tables", function, *arguments],
        cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
