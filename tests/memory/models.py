"""The memory with a model, and its records."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mind_skills.memory.encoders import DEFAULT_MODEL, Extras
from mind_skills.memory.model import Record
from mind_skills.memory.store import SemanticMemoryStore, open_memory

TEXTS = [f"{word} of the {thing}" for word in ("loss", "gain", "order") for thing in ("queue", "cache", "index", "log")]
RECORDS = [Record(f"r{n}", "learning", text) for n, text in enumerate(TEXTS)]


def put_into_hub_cache(model: Path, name: str = DEFAULT_MODEL) -> None:
    folder = Path(os.environ["HF_HOME"]) / "hub" / f"models--{name.replace('/', '--')}"
    shutil.copytree(model, folder / "snapshots/0123abcd")
    (folder / "refs").mkdir()
    (folder / "refs/main").write_text("0123abcd")


@contextmanager
def memory(tmp_path: Path, model: Path | str, index: str = "") -> Iterator[SemanticMemoryStore]:
    with open_memory(str(tmp_path / "home"), str(tmp_path / "project"), Extras(index, str(model))) as store:
        yield store


def ask(store: SemanticMemoryStore, text: str = TEXTS[5]) -> tuple[str, float, str]:
    hit = store.query(text)[0]
    return hit.record.id, round(hit.score, 4), store.check_health().encoder.partition("@")[0]
