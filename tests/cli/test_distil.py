"""`mind-skills distil`: the best episodes of the last weeks, within a budget, until all are decided."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.cli import distil
from tests.testkit.paths import DEMO

Run = Callable[..., Any]


def test_distil_reads_each_log_of_the_project_once_and_goes_on_where_it_stopped(
    mind_skills: Run, home: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distil, "count_usable_cpus", lambda: 1)
    folder = home / ".claude/projects/shop"
    folder.mkdir(parents=True)
    demo = DEMO.read_text(encoding="utf-8")
    here = demo.replace("/home/dev/shop", str(repository))
    (folder / "one.jsonl").write_text(here, encoding="utf-8")
    (folder / "two.jsonl").write_text(
        here.replace("invoice.py", "billing.py").replace("5d0c3f6e", "6e1d4a7f"), encoding="utf-8"
    )
    (folder / "other.jsonl").write_text(demo.replace("5d0c3f6e", "7f2e5b80"), encoding="utf-8")
    shown = list[str]()
    for left, said in (
        (1, {"2 sessions of this project read", "1 of other projects"}),
        (0, {"0 sessions of this project read", "1 of other projects", "2 read before"}),
    ):
        done = mind_skills("distil", "--budget", "1000", "--json")
        note = re.sub(r", [-\d]+ to today", "", done.err.splitlines()[-1])
        assert (done.code, done.json["left"], set(note.rstrip(".").split("; "))) == (0, left, said)
        assert "Keep an episode only" in done.json["text"]
        shown += done.json["candidates"]
        assert mind_skills("dismiss", shown[-1], "--reason", "no").code == 0
    assert len(set(shown)) == len(shown) == 2
    assert mind_skills("distil").out == "Nothing is waiting.\n"
