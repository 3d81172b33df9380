"""What an installation leaves that was killed, or refused by the disk, after the file had been replaced."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_half_written_files_of_one_that_was_killed_go_with_the_next_and_nobody_elses(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    settings = home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text('{"model": "opus"}\n')
    theirs = home / ".claude/settings.json.4711.tmp"
    theirs.write_text("{")
    before = tree(home)
    mind_skills("install", "claude-code")
    state = home / ".local/state/mind-skills/install"
    left = [settings.with_name("settings.json.0123456789ab.tmp"), state / "x.before.0123456789ab.tmp"]
    for path in left:
        path.write_text("{")
    assert mind_skills("uninstall", "claude-code", "--dry-run").code == 0
    assert all(path.exists() for path in left)
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert tree(home) == before


@pytest.mark.parametrize("step", range(1, 6))
def test_where_a_folder_cannot_be_synced_what_was_there_still_comes_back_to_the_byte(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    settings = home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text('{"model":"opus",\n "hooks" : {}}')
    before = tree(home)
    real, folders = os.fsync, []

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            folders.append(descriptor)
            if len(folders) == step:
                raise OSError(errno.EIO, "Input/output error")
        real(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        done = mind_skills("install", "claude-code", "--json")
    assert (done.code, len(folders) >= step) == (1, True)
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert tree(home) == before
