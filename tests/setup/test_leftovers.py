"""Leftovers of an installation that was killed, or failed to sync, after it had replaced the file."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_an_uninstall_removes_our_temporary_files_and_no_foreign_ones(
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
def test_uninstalling_after_a_failed_sync_restores_the_home_byte_for_byte(
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
