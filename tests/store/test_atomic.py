from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from mind_skills.errors import RefusedPathError, StoreError, UnwritablePathError
from mind_skills.store import atomic
from mind_skills.store.atomic import Folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_write_replaces_the_file_readable_by_its_owner_alone_and_leaves_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"old")
    atomic.write_file(tmp_path / "f", b"new")
    assert contents(tmp_path) == {"f": b"new"}
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == 0o600


def test_a_reader_that_has_the_old_file_open_keeps_the_old_content(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"old")
    with (tmp_path / "f").open("rb") as reader:
        atomic.write_file(tmp_path / "f", b"new")
        assert reader.read() == b"old"


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "f").write_bytes(b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UnwritablePathError, match="No space left"):
        atomic.write_file(tmp_path / "f", b"new")
    assert contents(tmp_path) == {"f": b"old"}


def link(path: Path) -> None:
    path.symlink_to(path.parent / "elsewhere")


@pytest.mark.parametrize("make", [link, Path.mkdir, os.mkfifo])
@pytest.mark.parametrize("act", ["write", "read", "remove"])
def test_anything_but_a_regular_file_is_refused_and_left_in_place(
    tmp_path: Path, make: Callable[[Path], None], act: str
) -> None:
    make(tmp_path / "f")
    with Folder(tmp_path) as folder, pytest.raises(RefusedPathError):
        {
            "write": lambda: folder.write("f", b""),
            "read": lambda: folder.read("f", 9),
            "remove": lambda: folder.remove("f"),
        }[act]()
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(RefusedPathError, match="is a symbolic link"):
        atomic.write_file(tmp_path / "link" / "f", b"")
    assert contents(tmp_path / "real") == {}


def test_a_folder_swapped_for_a_link_after_it_was_opened_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    (tmp_path / "d").mkdir()
    with Folder(tmp_path / "d") as folder:
        (tmp_path / "d").rename(tmp_path / "was")
        (tmp_path / "d").symlink_to(tmp_path / "victim")
        folder.write("f", b"x")
    assert (contents(tmp_path / "victim"), contents(tmp_path / "was")) == ({}, {"f": b"x"})


def test_a_folder_is_created_on_request_but_not_its_parents(tmp_path: Path) -> None:
    with Folder(tmp_path / "d", make=True) as folder:
        folder.write("f", b"x")
    assert contents(tmp_path / "d") == {"f": b"x"}
    with pytest.raises(StoreError):
        Folder(tmp_path / "e" / "f", make=True)


def test_a_read_returns_one_byte_more_than_the_limit_of_a_longer_file(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"x" * 100)
    with Folder(tmp_path) as folder:
        assert (folder.read("f", 200), folder.read("f", 10), folder.read("g", 10)) == (b"x" * 100, b"x" * 11, None)


def test_setting_a_file_aside_overwrites_nothing(tmp_path: Path) -> None:
    names: list[str] = []
    with Folder(tmp_path) as folder:
        for content in (b"1", b"2", b"3"):
            folder.write("f", content)
            names.append(folder.set_aside("f", "corrupt"))
    assert names == ["f.corrupt-1", "f.corrupt-2", "f.corrupt-3"]
    assert contents(tmp_path) == dict(zip(names, (b"1", b"2", b"3"), strict=True))


def test_sweeping_removes_only_the_temporary_files_that_killed_writers_left(tmp_path: Path) -> None:
    names = ["f", "f.0123456789ab.tmp", "f.corrupt-1", "f.tmp", "fg.0123456789ab.tmp"]
    for name in names:
        (tmp_path / name).touch()
    with Folder(tmp_path) as folder:
        folder.remove_temporary_files("f")
    assert sorted(contents(tmp_path)) == [name for name in names if name != "f.0123456789ab.tmp"]


def test_removing_a_missing_file_does_nothing(tmp_path: Path) -> None:
    with Folder(tmp_path) as folder:
        folder.remove("f")
        folder.close()
