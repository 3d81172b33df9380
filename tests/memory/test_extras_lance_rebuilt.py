"""Rebuilding a table: killed, interrupted, concurrently, and on a full disk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mind_skills.errors.records import LanceError
from mind_skills.memory.lance_location import Registry
from tests.memory.lance_tables import Dice, beside, learnings, nearest, process, table
from tests.testkit.paths import ROOT

pytestmark = [pytest.mark.extras, pytest.mark.usefixtures("repository")]


def test_a_rebuild_that_is_killed_leaves_the_old_table_in_use_and_the_next_one_sweeps(project: Path) -> None:
    with table(project) as (records, following):
        records.put(learnings(1_200))
        following.open_current()
        before = following.open_current().mark
        dying = process("rebuild_and_die", str(project), "600")
        said = dying.communicate()[0]
        assert dying.returncode == -9, said
        assert len(beside(project)) == 2
        assert nearest(following, "what was learned of case 7") == (8, 1.0)
        assert following.open_current().mark == before
        assert following.rebuild() == 1_200
    assert beside(project) == ["patterns.lance"]


def test_a_rebuild_that_is_interrupted_leaves_the_old_table_in_use_and_nothing_beside_it(project: Path) -> None:
    steps = iter(range(600))

    def step() -> None:
        if next(steps, None) is None:
            raise KeyboardInterrupt

    with table(project) as (records, following):
        records.put(learnings(1_200))
        before = following.open_current().mark
        with pytest.raises(KeyboardInterrupt):
            following.rebuild(step)
        assert beside(project) == ["patterns.lance"]
        assert (following.open_current().mark, nearest(following, "what was learned of case 7")) == (before, (8, 1.0))


def test_a_writer_that_was_killed_between_the_table_and_its_note_is_made_good(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with table(project) as (records, following):
        records.put(learnings(3))
        following.open_current()
        records.put(learnings(2, first=3))
        with monkeypatch.context() as patch:
            patch.setattr(Registry, "put", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                following.open_current()
    with table(project) as (records, following):
        records.remove(["r4"])
        assert sorted(following.open_current().read_digests()) == [1, 2, 3, 4]
        assert nearest(following, "what was learned of case 3") == (4, 1.0)


def test_two_rebuilds_at_once_wait_for_each_other(project: Path) -> None:
    with table(project) as (records, following):
        records.put(learnings(300))
        following.open_current()
        building = [process("rebuild", str(project)) for _ in range(2)]
        while any(each.poll() is None for each in building):
            assert nearest(following, "what was learned of case 7") == (8, 1.0)  # and whoever asks has an answer
        said = [each.communicate()[0] for each in building]
        assert [each.returncode for each in building] == [0, 0], said
        assert following.open_current().count() == 300
    assert beside(project) == ["patterns.lance"]


def on_a_small_disk(folder: str) -> None:
    """Run with ``folder`` on a disk of a few MB that contains the project."""
    project = Path(folder) / "project"
    (project / ".git/info").mkdir(parents=True)
    encoder = Dice(768)
    with table(project, encoder, home=Path(folder).parent / "home") as (records, following):
        records.put(learnings(600))
        before = following.rebuild() and following.open_current().mark
        (Path(folder) / "filler").write_bytes(bytes(2_000_000))
        with pytest.raises(LanceError, match="the disk is full"):
            following.rebuild()
        assert beside(project) == ["patterns.lance"]
        assert following.open_current().mark == before
        assert nearest(following, "what was learned of case 7", encoder) == (8, 1.0)
        (Path(folder) / "filler").unlink()
        assert following.rebuild() == 600


def test_a_disk_that_is_full_in_the_middle_of_a_rebuild_leaves_the_old_table(tmp_path: Path) -> None:
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
    code = f"from tests.memory.test_extras_lance_rebuilt import on_a_small_disk; on_a_small_disk({str(disk)!r})"
    done = subprocess.run(
        [*mount, str(disk), sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
