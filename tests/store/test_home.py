from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from mind_skills.errors import HomeError
from mind_skills.store.home import ensure_folder, get_state_folder


@pytest.mark.parametrize(
    ("environ", "platform", "expected"),
    [
        ({"MIND_SKILLS_HOME": "/a/b/../c", "HOME": "/h"}, "linux", "/a/c"),
        ({"XDG_STATE_HOME": "/x", "HOME": "/h"}, "linux", "/x/mind-skills"),
        ({"XDG_STATE_HOME": "relative", "HOME": "/h"}, "linux", "/h/.local/state/mind-skills"),
        ({"XDG_STATE_HOME": "", "MIND_SKILLS_HOME": "", "HOME": "/h"}, "linux", "/h/.local/state/mind-skills"),
        ({"HOME": "/h", "XDG_STATE_HOME": "/x"}, "darwin", "/h/Library/Application Support/mind-skills"),
        ({"LOCALAPPDATA": "/l"}, "win32", "/l/mind-skills"),
    ],
)
def test_the_state_folder_follows_the_environment_and_the_platform(
    environ: dict[str, str], platform: str, expected: str
) -> None:
    assert get_state_folder(environ, platform) == expected


def test_a_tilde_in_the_variable_is_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/h")
    assert get_state_folder({"MIND_SKILLS_HOME": "~/s"}, "linux") == "/h/s"


@pytest.mark.parametrize(
    ("environ", "platform", "message"),
    [
        ({}, "linux", "there is no state folder: HOME is not set"),
        ({"HOME": "here"}, "linux", "there is no state folder: HOME is not absolute"),
        ({}, "win32", "there is no state folder: LOCALAPPDATA is not set"),
        ({"MIND_SKILLS_HOME": "state"}, "linux", "MIND_SKILLS_HOME is not an absolute path: state"),
    ],
)
def test_a_missing_or_relative_state_folder_raises_an_error_that_names_the_variable(
    environ: dict[str, str], platform: str, message: str
) -> None:
    with pytest.raises(HomeError) as caught:
        get_state_folder(environ, platform)
    assert (str(caught.value), bool(caught.value.hint)) == (message, True)


def test_the_state_folder_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = ensure_folder(tmp_path / "a" / "b")
    finally:
        os.umask(before)
    assert (made, stat.S_IMODE(Path(made).stat().st_mode)) == (str(tmp_path / "a" / "b"), 0o700)


def test_an_open_state_folder_is_closed_to_others(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir(mode=0o755)
    ensure_folder(tmp_path / "s")
    assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == 0o700


def test_a_file_in_place_of_the_state_folder_raises(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("")
    with pytest.raises(HomeError, match="is not a folder"):
        ensure_folder(tmp_path / "s")


def test_a_file_among_the_parents_of_the_state_folder_raises(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("")
    with pytest.raises(HomeError, match="cannot be created"):
        ensure_folder(tmp_path / "s" / "t")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs root to make somebody else's folder")
def test_a_state_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    os.chown(tmp_path / "s", 65534, 65534)
    with pytest.raises(HomeError, match="belongs to another user"):
        ensure_folder(tmp_path / "s")
