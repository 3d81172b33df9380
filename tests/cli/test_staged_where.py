"""`replay --stage` writes where the user is, or says; never where a log says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.testkit.paths import DEMO

Run = Callable[..., Any]


def here(log: Path, project: Path) -> Path:
    """A copy of a log whose project is this one."""
    copy = project.parent / f"{project.name}.jsonl"
    copy.write_bytes(log.read_bytes().replace(b'"cwd": "/home/dev/shop"', b'"cwd": "%s"' % str(project).encode()))
    return copy


def test_a_log_names_no_folder_to_write_into(mind_skills: Run, apart: Path, project: Path) -> None:
    victim = apart / "victim"
    (victim / ".git" / "info").mkdir(parents=True)
    done = mind_skills("replay", here(DEMO, victim), "--stage")
    assert (done.code, done.err.partition(": ")[2]) == (
        1,
        f"not staged, its project is {victim}. Run the command in the project's folder, or use --project.\n",
    )
    assert sorted(path.name for path in victim.rglob("*")) == [".git", "info"]
    (project / ".git").mkdir()
    (project / "inner").mkdir()
    done = mind_skills("replay", here(DEMO, project / "inner"), "--stage")
    assert done.err == f"{project}: 1 new, 0 seen before, 0 decided before; 1 on the list.\n"
    assert list((project / "inner").iterdir()) == []
