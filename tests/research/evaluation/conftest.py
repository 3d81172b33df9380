from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.redaction import personal
from research.evaluation.__main__ import main
from tests.testkit.command import CommandResult
from tests.testkit.paths import DEMO, FIXTURES

RECORDED = {
    "demo.jsonl": (DEMO, [(1, 22)]),
    "old.jsonl": (FIXTURES / "codex/rollout-2025.jsonl", [(4, 7)]),
    "gemini.jsonl": (FIXTURES / "gemini/chat-0.61.jsonl", [(7, 22)]),
    "codex.jsonl": (FIXTURES / "codex/rollout-0.169.jsonl", []),
}


@pytest.fixture(autouse=True)
def _apart(apart: Path) -> None:
    """Every test has its own home, state, settings and project, whether it requests them or not."""


@pytest.fixture
def evaluate(capsys: pytest.CaptureFixture[str]) -> Callable[..., CommandResult]:
    """A function that runs a command line of the evaluation in this process."""

    def call(*arguments: str | Path) -> CommandResult:
        personal.is_personal_redaction_enabled.cache_clear()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return CommandResult(code, captured.out, captured.err)

    return call


class Place:
    """A folder of sessions and the file of their labels."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.labels = folder / "sessions", folder / "labels.jsonl"
        self.folder.mkdir(parents=True)
        self.written: list[str] = []

    def session(self, name: str, recorded: Path = DEMO, *, learnings: tuple[Any, ...] = (), **more: Any) -> None:
        (self.folder / name).write_bytes(recorded.read_bytes())
        self.label(name, learnings=learnings, **more)

    def label(self, name: str, *, learnings: tuple[Any, ...] = (), **more: Any) -> None:
        keys = ("start_line", "end_line", "key_phrases")
        found = [dict(zip(keys, each, strict=False)) for each in learnings]
        self.line(json.dumps({"session_file": f"sessions/{name}", "learnings": found} | more))

    def line(self, text: str) -> None:
        self.written.append(text)
        self.labels.write_text("\n".join(self.written), encoding="utf-8")

    @property
    def arguments(self) -> tuple[str, ...]:
        return "--labels", str(self.labels), "--corpus", str(self.folder), "--jobs", "1"


@pytest.fixture
def place(apart: Path) -> Place:
    return Place(apart / "labelled")


@pytest.fixture
def corpus(place: Place) -> Place:
    """Every recorded session once for each of six owners."""
    for owner in range(6):
        for name, (recorded, ranges) in RECORDED.items():
            learnings = tuple((first, last, ["round", "make all", "valeu"]) for first, last in ranges)
            source = f"Owner{owner}/shop"
            place.session(f"{owner}-{name}", recorded, learnings=learnings, source_repo=source, format=name)
    return place
