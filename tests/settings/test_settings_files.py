"""Which settings files count; none of them can delay a hook, or be misread as permission to run."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from mind_skills.errors import MindSkillsError, UnwritablePathError
from mind_skills.settings import edit, lenient, strict
from mind_skills.settings.edit import change_setting
from mind_skills.settings.strict import load
from mind_skills.settings.table import Value
from mind_skills.store.home import get_settings_path


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def user(apart: Path, text: str) -> Path:
    return write(apart / "home/.config/mind-skills/mind-skills.toml", text)


@pytest.mark.parametrize("whose", ["user", "project"])
@pytest.mark.parametrize("what", ["pipe", "folder", "link to a device", "too large", "key without end"])
def test_a_settings_path_that_is_no_proper_file_disables_hooks_without_a_wait(
    apart: Path, project: Path, whose: str, what: str
) -> None:
    path = user(apart, "") if whose == "user" else write(project / ".claude/mind-skills.toml", "")
    path.unlink()
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    elif "device" in what:
        path.symlink_to("/dev/zero")
    else:
        path.write_text("#" * (lenient.MAX_BYTES + 1) if what == "too large" else "a." * 5000 + "a = 1")
    assert (lenient.is_enabled(str(project)), lenient.get_idle_seconds(str(project))) == (False, 60)
    assert lenient.explain_disabling_problem(str(project)).startswith(
        f"mind-skills is disabled here until {path} is corrected: "
    )
    with pytest.raises(MindSkillsError) as caught:
        load(str(project))
    refused = whose == "project" and "device" in what
    assert caught.value.code == ("refused_path" if refused else "config_unreadable")
    assert str(path) in caught.value.message
    step = "Shorten it" if what in ("too large", "key without end") else "Replace it with a regular file"
    assert caught.value.hint == f"{step}, or move it away."


def test_the_users_file_may_be_a_link_and_the_projects_may_not(apart: Path, project: Path) -> None:
    real = write(apart / "dotfiles/own.toml", "enabled = true\nidle_seconds = 30\n")
    link = user(apart, "")
    link.unlink()
    link.symlink_to(real)
    assert (lenient.is_enabled(str(project)), lenient.get_idle_seconds(str(project))) == (True, 30)
    (project / ".claude").mkdir()
    (project / ".claude/mind-skills.toml").symlink_to(real)
    assert (lenient.is_enabled(str(project)), get_error_code(project)) == (False, "refused_path")


def get_error_code(project: Path) -> str:
    with pytest.raises(MindSkillsError) as caught:
        load(str(project))
    return caught.value.code


@pytest.mark.parametrize(("nearer", "expected"), [("", False), ("enabled = true", False), ("idle_seconds = 20", False)])
def test_a_disabled_repository_is_disabled_in_all_its_folders(project: Path, nearer: str, expected: bool) -> None:
    (project / ".git").mkdir()
    top = write(project / ".claude/mind-skills.toml", "enabled = false\n")
    (project / "packages/shop/src").mkdir(parents=True)
    if nearer:
        write(project / "packages/shop/.claude/mind-skills.toml", nearer)
    folder = str(project / "packages/shop/src")
    assert lenient.is_enabled(folder) is expected
    assert (load(folder)[0].value, str(top) in lenient.list_settings_files(folder)) == (expected, True)


def test_a_disabled_repository_is_disabled_in_its_worktrees(apart: Path, project: Path) -> None:
    tree, git = apart / "tree", project / ".git"
    (git / "worktrees/tree").mkdir(parents=True)
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {git}/worktrees/tree\n")
    (git / "worktrees/tree/commondir").write_text("../..\n")
    (git / "worktrees/tree/gitdir").write_text(f"{tree}/.git\n")
    write(project / ".claude/mind-skills.toml", "enabled = false\n")
    assert lenient.is_enabled(str(tree)) is False


def test_without_a_repository_the_settings_in_folders_above_do_not_count(apart: Path, project: Path) -> None:
    write(apart / ".claude/mind-skills.toml", "enabled = false\n")
    assert lenient.list_settings_files(str(project)) == [
        str(project / ".claude/mind-skills.toml"),
        get_settings_path(),
    ]


def test_a_byte_order_mark_is_accepted_and_removed_by_the_next_change(apart: Path, project: Path) -> None:
    path = user(apart, "\ufeff# mine\nidle_seconds = 30\n")
    assert load(str(project))[1].value == 30
    change_setting("enabled", "false", None)
    assert path.read_text(encoding="utf-8") == "# mine\nidle_seconds = 30\nenabled = false\n"


def test_a_change_preserves_windows_line_endings(apart: Path) -> None:
    path = user(apart, "")
    path.write_bytes(b"# mine\r\nidle_seconds = 30 # short\r\n")
    change_setting("idle_seconds", "40", None)
    assert path.read_bytes() == b"# mine\r\nidle_seconds = 40 # short\r\n"


def test_settings_that_two_processes_change_at_the_same_time_are_both_saved(
    apart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = user(apart, "idle_seconds = 60\n")
    parsed = edit.parse_value

    def overtaken(text: str) -> Value:
        """Another process changes the file after this one has read it."""
        monkeypatch.setattr(edit, "parse_value", parsed)
        change_setting("idle_seconds", "90", None)
        return parsed(text)

    monkeypatch.setattr(edit, "parse_value", overtaken)
    change_setting("retention_days", "400", None)
    assert path.read_text() == "idle_seconds = 90\nretention_days = 400\n"


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not locked there")
def test_a_change_holds_the_lock_from_its_last_read_to_its_write(apart: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    path = user(apart, "idle_seconds = 60\n")
    read, states = strict.read, list[str]()

    def read_and_probe(where: str) -> dict[str, object]:
        descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            states.append("others may change it")
        except BlockingIOError:
            states.append("alone")
        finally:
            os.close(descriptor)
        return read(where)

    monkeypatch.setattr(strict, "read", read_and_probe)
    change_setting("idle_seconds", "90", None)
    assert states == ["others may change it", "alone"]


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not locked there")
@pytest.mark.parametrize("reason", [errno.ENOTSUP, errno.ENOLCK, errno.ENOSYS, errno.EINVAL, errno.EBADF])
def test_settings_can_be_changed_on_a_file_system_without_locks(
    apart: Path, monkeypatch: pytest.MonkeyPatch, reason: int
) -> None:
    path = user(apart, "# mine\nidle_seconds = 60\n")
    refuse_locks(monkeypatch, reason)
    change_setting("idle_seconds", "90", None)
    assert path.read_text() == "# mine\nidle_seconds = 90\n"


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not locked there")
def test_a_lock_that_fails_for_another_reason_raises_and_changes_nothing(
    apart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = user(apart, "idle_seconds = 60\n")
    refuse_locks(monkeypatch, errno.EIO)
    with pytest.raises(UnwritablePathError) as caught:
        change_setting("idle_seconds", "90", None)
    assert (str(caught.value), caught.value.code) == (f"{path.parent}: {os.strerror(errno.EIO)}", "unwritable")
    assert path.read_text() == "idle_seconds = 60\n"


def refuse_locks(monkeypatch: pytest.MonkeyPatch, reason: int) -> None:
    import fcntl

    def refused(_descriptor: int, _operation: int) -> None:
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr(fcntl, "flock", refused)
