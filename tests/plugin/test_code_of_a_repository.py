"""Code in the folder where a command is called is never run, whatever its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.store.process_pool import run_in_processes

NAMES = ("multiprocessing.py", "struct.py", "pickle.py", "mind_skills/__init__.py", "sitecustomize.py")


def get_folder(_: int) -> str:
    return str(Path.cwd())


@pytest.mark.process
def test_a_process_of_the_pool_works_in_its_parents_folder_and_imports_nothing_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path / "ran"
    project = tmp_path / "project"
    for name in NAMES:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(f"open({str(ran)!r}, 'a').write({name!r})\n", "utf-8")
    monkeypatch.chdir(project)
    assert sorted(run_in_processes(get_folder, [0, 1], 2)) == [(0, str(project)), (1, str(project))]
    assert not ran.exists()
    assert Path.cwd() == project
