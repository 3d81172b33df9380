"""The early decision reads a project and its plain settings as the store and the settings module do, or is unsure."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.hooks.hotpath import MAX_SMALL_FILE_BYTES, NOTHING, UNSURE, WORK_LEFT, UnsureError, read_hook_settings
from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.plugin.adapters import get_adapter
from mind_skills.settings import lenient
from mind_skills.store.project import resolve_project
from tests.plugin.adapters.glancing import HOSTS, NOW, after_an_end, decide
from tests.plugin.adapters.hook_host import Host

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the early decision is always unsure")
PLACES = {
    "the project": "project/.claude/mind-skills.toml",
    "its repository": ".claude/mind-skills.toml",
    "the user": ".config/mind-skills/mind-skills.toml",
}


@pytest.mark.parametrize("whose", PLACES)
def test_the_early_decision_reads_plain_settings_and_leaves_others_to_the_whole_handler(
    host: Host, tmp_path: Path, whose: str
) -> None:
    if whose == "its repository":
        (host.project / ".git" / "info").rmdir()
        (host.project / ".git").rename(tmp_path / ".git")
    after_an_end(host)
    path = tmp_path / PLACES[whose]
    path.parent.mkdir(exist_ok=True, parents=True)
    for text, expected in (("enabled = true\n", WORK_LEFT), ("enabled = false\n", NOTHING), ("[caps]\n", UNSURE)):
        path.write_text(text)
        assert [decide(host, event=event) for event in ("Stop", "SessionEnd")] == [expected] * 2
    host.environment["MIND_SKILLS_CONFIG"] = str(path)
    assert [decide(host, event=event) for event in ("Stop", "SessionEnd")] == [UNSURE, UNSURE]


@pytest.mark.parametrize(
    "content",
    [
        b"enabled = false # \xff\n",
        b"enabled = false\n".ljust(MAX_SMALL_FILE_BYTES + 1, b"#"),
        b"idle_seconds = 010\n",
    ],
)
def test_settings_that_are_not_plain_are_left_to_the_whole_handler(host: Host, content: bytes) -> None:
    after_an_end(host)
    (host.project / ".claude").mkdir()
    (host.project / ".claude" / "mind-skills.toml").write_bytes(content)
    assert decide(host, event="Stop") == UNSURE


WORDS = (
    "enabled",
    "idle_seconds",
    "=",
    " ",
    "true",
    "false",
    "30",
    "010",
    "4000",
    "#",
    "\n",
    "\r\n",
    "\r",
    "[a]",
    '[projects."TOP"]',
    "\nenabled = true\n",
    "\nenabled = false\n",
    "\nidle_seconds = 90\n",
    '"',
    "é",
    "\f",
)


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map("".join), min_size=2, max_size=2))
def test_plain_settings_have_the_values_that_the_settings_module_reads(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        top = Path(name).resolve() / "work"
        (top / ".git").mkdir(parents=True)
        (top / ".claude").mkdir()
        users = str(top.parent / "user.toml")
        patch.setenv("MIND_SKILLS_CONFIG", users)
        both = [str(top / ".claude/mind-skills.toml"), users]
        for path, text in zip(both, texts, strict=True):
            Path(path).write_bytes(text.replace("TOP", str(top)).encode())
        try:
            on, seconds, _ = read_hook_settings(both)
        except UnsureError:
            return
        assert (on, seconds) == (lenient.is_enabled(str(top)), lenient.get_idle_seconds(str(top)))


def test_the_early_decision_reads_the_users_settings_for_a_project(host: Host, tmp_path: Path) -> None:
    after_an_end(host)
    path = tmp_path / PLACES["the user"]
    path.parent.mkdir(parents=True)
    other, own = f'[projects."{tmp_path}/other"]\n', f'[projects."{host.project}"]\n'
    for text, expected in (
        (f"{other}enabled = false\n", WORK_LEFT),
        (f"{other}enabled = true\n\n{own}enabled = false # not here\n", NOTHING),
        (f"enabled = false\n{own}enabled = true\n", WORK_LEFT),
        (f"{own}{own}", UNSURE),
        (own.replace("]", ".caps]"), UNSURE),
    ):
        path.write_text(text)
        assert decide(host, event="Stop") == expected


def _worktree(top: Path) -> Path:
    """As `git worktree add` leaves it."""
    git = _made(top / "main", ".git") / ".git" / "worktrees" / "tree"
    tree = top / "tree"
    for folder in (git, tree / "src"):
        folder.mkdir(parents=True)
    (tree / ".git").write_text(f"gitdir: {git}\n")
    (git / "gitdir").write_text(f"{tree}/.git\n")
    (git / "commondir").write_text("../..\n")
    return tree


def _made(folder: Path, mark: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / mark).mkdir()
    return folder


def _file(path: Path) -> Path:
    path.write_text("")
    return path


SHAPES: dict[str, Callable[[Path], Path]] = {
    "a repository": lambda top: _made(top / "a", ".git"),
    "a folder of a repository": lambda top: _made(top / "a" / "b" / "c", "../../.git"),
    "a folder with settings": lambda top: _made(top / "a", ".claude"),
    "a folder below one with settings": lambda top: _made(top / "a" / "b", "../.claude"),
    "settings below other settings": lambda top: _made(_made(top / "a" / "b", ".claude"), "../.claude"),
    "a folder below a file with the name of settings": lambda top: (
        _file(_made(top / "a", "b") / ".claude").parent / "b"
    ),
    "settings within a repository": lambda top: _made(_made(top / "a" / "b", ".claude"), "../.git"),
    "a worktree": _worktree,
    "a folder of a worktree": lambda top: _worktree(top) / "src",
    "nothing special": lambda top: _made(top / "a", "x"),
}


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_end_of_a_session_is_announced_in_the_project_that_it_belongs_to(
    host: Host, tmp_path: Path, shape: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".claude").mkdir()
    host.project.rename(tmp_path / "else")
    host.project = SHAPES[shape](tmp_path / "work")
    host.environment["CLAUDE_PROJECT_DIR"] = str(host.project)
    environment = {} if name == "codex" else {f"{name.split('-', 1)[0].upper()}_PROJECT_DIR": str(host.project)}
    project = resolve_project(get_adapter(name).parse_payload(host.payload("SessionEnd"), environment, NOW)[1].project)
    SessionMarkers(str(host.state), "earlier", project.id).ending.write()
    assert decide(host, name, "SessionEnd") == WORK_LEFT
    assert Path(SessionMarkers(str(host.state), "s", project.id).ending.path).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "what",
    ["link", "submodule", "worktree of another", "worktree of another repository", "worktree with a link in its path"],
)
def test_a_project_with_an_unusual_git_entry_is_left_to_the_whole_handler(
    host: Host, tmp_path: Path, what: str
) -> None:
    tree = _worktree(tmp_path / "work")
    (tmp_path / "link").symlink_to(host.project)
    if what == "submodule":
        (tree / ".git").write_text("gitdir: ../main/.git/modules/tree\n")
    elif what == "worktree of another":
        (tmp_path / "work/main/.git/worktrees/tree/gitdir").write_text("/elsewhere/.git\n")
    elif what == "worktree of another repository":
        (tmp_path / "work/main/.git/worktrees/tree/commondir").write_text("../../../elsewhere/.git\n")
    elif what == "worktree with a link in its path":
        (tmp_path / "other").symlink_to(tmp_path / "work/main")
        (tree / ".git").write_text(f"gitdir: {tmp_path}/other/.git/worktrees/tree\n")
    host.environment["CLAUDE_PROJECT_DIR"] = str(tmp_path / "link" if what == "link" else tree)
    assert decide(host) == UNSURE


def test_the_settings_of_the_main_checkout_apply_in_its_worktrees(host: Host, tmp_path: Path) -> None:
    tree = _worktree(tmp_path / "work")
    host.environment["CLAUDE_PROJECT_DIR"] = str(tree)
    assert decide(host, event="Stop") == WORK_LEFT
    (tmp_path / "work/main/.claude").mkdir()
    (tmp_path / "work/main/.claude/mind-skills.toml").write_text("enabled = false\n")
    assert (decide(host, event="Stop"), lenient.is_enabled(str(tree))) == (NOTHING, False)
