from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mind_skills.errors import StoreError
from mind_skills.store import git

LINE = b"**/.claude/mind-skills-pending.json*\n"


@pytest.mark.parametrize("before", [b"", b"# mine\n*.o\n", b"*.o", b"\xff\r\n"])
def test_the_pattern_is_added_once_and_removed_once_and_the_rest_keeps_its_bytes(tmp_path: Path, before: bytes) -> None:
    (tmp_path / "info").mkdir()
    (tmp_path / "info" / "exclude").write_bytes(before)
    assert [git.add_exclude_pattern(str(tmp_path)), git.add_exclude_pattern(str(tmp_path))] == [True, False]
    gap = b"" if not before or before.endswith(b"\n") else b"\n"
    assert (tmp_path / "info" / "exclude").read_bytes() == before + gap + LINE
    assert [git.remove_exclude_pattern(str(tmp_path)), git.remove_exclude_pattern(str(tmp_path))] == [True, False]
    assert (tmp_path / "info" / "exclude").read_bytes() == before + gap


def test_the_exclude_file_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "info").mkdir()
    (tmp_path / "info" / "exclude").touch(mode=0o664)
    mode = (tmp_path / "info" / "exclude").stat().st_mode
    git.add_exclude_pattern(str(tmp_path))
    assert (tmp_path / "info" / "exclude").stat().st_mode == mode


def test_a_repository_without_an_info_folder_gets_one(tmp_path: Path) -> None:
    git.add_exclude_pattern(str(tmp_path))
    assert (tmp_path / "info" / "exclude").read_bytes() == LINE


def test_a_symlink_in_place_of_the_exclude_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "info").mkdir()
    (tmp_path / "info" / "exclude").symlink_to(tmp_path / "target")
    with pytest.raises(StoreError):
        git.add_exclude_pattern(str(tmp_path))
    assert not (tmp_path / "target").exists()


def test_git_ignores_pending_files_and_those_set_aside_in_the_root_and_below(tmp_path: Path) -> None:
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, env=environ, check=True)
    for name in (".claude", "sub/.claude"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "mind-skills-pending.json").touch()
        (tmp_path / name / "mind-skills-pending.json.corrupt-1").touch()
    git.add_exclude_pattern(str(tmp_path / ".git"))
    ran = subprocess.run(["git", "status", "--porcelain"], cwd=tmp_path, env=environ, check=True, capture_output=True)
    assert ran.stdout == b""


def test_patterns_that_many_processes_add_at_once_are_each_added_once(tmp_path: Path) -> None:
    (tmp_path / "info").mkdir()
    (tmp_path / "info" / "exclude").write_bytes(b"*.o\n")
    code = (
        "import sys; from mind_skills.store import git; input();"
        " print([git.add_exclude_pattern(sys.argv[1], f'/{n}') for n in range(20)])"
    )
    line = [sys.executable, "-c", code, str(tmp_path)]
    pipe = subprocess.PIPE
    started = [subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=pipe, text=True) for _ in range(8)]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    ends = [(process.communicate()[1], process.returncode) for process in started]
    assert ends == [("", 0)] * 8
    assert (tmp_path / "info" / "exclude").read_text().split() == ["*.o", *(f"/{n}" for n in range(20))]
    assert [path.name for path in (tmp_path / "info").iterdir()] == ["exclude"]
