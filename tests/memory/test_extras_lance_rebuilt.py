"""Rebuilding a table: killed, interrupted, concurrently, and on a full disk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mind_skills.errors.records import LanceError
from mind_skills.memory.lance import Registry
from tests.memory.lance_tables import Dice, build_learnings, find_nearest, list_table_folder, start_process, table
from tests.testkit.paths import ROOT

pytestmark = [pytest.mark.extras, pytest.mark.usefixtures("repository")]


def test_a_killed_rebuild_leaves_the_old_table_in_use_and_the_next_one_removes_its_files(project: Path) -> None:
    with table(project) as (records, manager):
        records.put(build_learnings(1_200))
        manager.open_current()
        before = manager.open_current().table_id
        dying = start_process("rebuild_and_die", str(project), "600")
        output = dying.communicate()[0]
        assert dying.returncode == -9, output
        assert len(list_table_folder(project)) == 2
        assert find_nearest(manager, "what was learned of case 7") == (8, 1.0)
        assert manager.open_current().table_id == before
        assert manager.rebuild() == 1_200
    assert list_table_folder(project) == ["patterns.lance"]


def test_an_interrupted_rebuild_leaves_the_old_table_in_use_and_no_other_files(project: Path) -> None:
    steps = iter(range(600))

    def step() -> None:
        if next(steps, None) is None:
            raise KeyboardInterrupt

    with table(project) as (records, manager):
        records.put(build_learnings(1_200))
        before = manager.open_current().table_id
        with pytest.raises(KeyboardInterrupt):
            manager.rebuild(step)
        assert list_table_folder(project) == ["patterns.lance"]
        assert (manager.open_current().table_id, find_nearest(manager, "what was learned of case 7")) == (
            before,
            (8, 1.0),
        )


def test_a_write_interrupted_before_its_registration_is_repaired(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with table(project) as (records, manager):
        records.put(build_learnings(3))
        manager.open_current()
        records.put(build_learnings(2, first=3))
        with monkeypatch.context() as patch:
            patch.setattr(Registry, "put", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                manager.open_current()
    with table(project) as (records, manager):
        records.remove(["r4"])
        assert sorted(manager.open_current().read_digests()) == [1, 2, 3, 4]
        assert find_nearest(manager, "what was learned of case 3") == (4, 1.0)


def test_two_concurrent_rebuilds_both_succeed_while_queries_are_answered(project: Path) -> None:
    with table(project) as (records, manager):
        records.put(build_learnings(300))
        manager.open_current()
        building = [start_process("rebuild", str(project)) for _ in range(2)]
        while any(each.poll() is None for each in building):
            assert find_nearest(manager, "what was learned of case 7") == (8, 1.0)  # queries are answered meanwhile
        output = [each.communicate()[0] for each in building]
        assert [each.returncode for each in building] == [0, 0], output
        assert manager.open_current().count() == 300
    assert list_table_folder(project) == ["patterns.lance"]


def rebuild_on_a_small_disk(folder: str) -> None:
    """Run with ``folder`` on a disk of a few MB that contains the project."""
    project = Path(folder) / "project"
    (project / ".git/info").mkdir(parents=True)
    encoder = Dice(768)
    with table(project, encoder, home=Path(folder).parent / "home") as (records, manager):
        records.put(build_learnings(600))
        before = manager.rebuild() and manager.open_current().table_id
        (Path(folder) / "filler").write_bytes(bytes(2_000_000))
        with pytest.raises(LanceError, match="the disk is full"):
            manager.rebuild()
        assert list_table_folder(project) == ["patterns.lance"]
        assert manager.open_current().table_id == before
        assert find_nearest(manager, "what was learned of case 7", encoder) == (8, 1.0)
        (Path(folder) / "filler").unlink()
        assert manager.rebuild() == 600


def test_a_full_disk_during_a_rebuild_leaves_the_old_table_in_use(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = [
        "unshare",
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-ec",
        'mount -t tmpfs -o size=5m none "$0"; exec "$@"',
    ]
    if subprocess.run([*mount, str(disk), "true"], capture_output=True, check=False).returncode:
        pytest.skip("no private mounts are permitted here")
    code = f"from tests.memory.test_extras_lance_rebuilt import rebuild_on_a_small_disk; rebuild_on_a_small_disk({str(disk)!r})"
    done = subprocess.run(
        [*mount, str(disk), sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
