"""What lies in the folder that a command is typed in is never run, whatever it is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.plugin.process_pool import run_in_processes

NAMES = ("multiprocessing.py", "struct.py", "pickle.py", "mind_skills/__init__.py", "sitecustomize.py")


def where(_: int) -> str:
    return str(Path.cwd())


@pytest.mark.process
def test_a_worker_imports_nothing_from_the_folder_that_its_parent_stands_in_and_works_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path / "ran"
    project = tmp_path / "project"
    for name in NAMES:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(f"open({str(ran)!r}, 'a').write({name!r})\n", "utf-8")
    monkeypatch.chdir(project)
    assert sorted(run_in_processes(where, [0, 1], 2)) == [(0, str(project)), (1, str(project))]
    assert not ran.exists()
    assert Path.cwd() == project
