"""The first look at a hook says what the whole handler would do, or that it does not know."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hook_host import Host
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.hooks import traces
from mind_skills.hooks.moment import Moment
from mind_skills.plugin import pausing, settings
from mind_skills.plugin.adapters import adapter
from mind_skills.plugin.glance import BEHIND, EVENTS, NOTHING, UNSURE, glance
from mind_skills.staging import flags
from mind_skills.store import project as projects
from mind_skills.store.home import ensure
from mind_skills.store.places import UnsureError, digest, switches
from mind_skills.store.project import find

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it never knows")
NOW = 1_800_000_000_000
HOSTS = sorted(EVENTS)
NAMES = {"claude-code": ("SessionStart", "Stop", "SessionEnd"), "codex": ("SessionStart", "Stop", "SessionEnd")}
NAMES["gemini"] = ("SessionStart", "AfterAgent", "SessionEnd")


def seen(host: Host, name: str = "claude-code", event: str = "SessionStart", **more: Any) -> int:
    """The verdict on a payload of this session, with the environment that this host gives."""
    payload = {**host.payload(event), **more}
    environment = dict(host.environment)
    if name != "claude-code":
        environment.pop("CLAUDE_PROJECT_DIR")
    return glance(name, payload, {os.fsencode(k): os.fsencode(v) for k, v in environment.items()}, NOW)


def after_an_end(host: Host) -> None:
    """Other sessions have ended here before."""
    for place in (traces.ENDING, traces.UNANSWERED):
        traces.put(str(host.state), place, find(str(host.project)).id, "earlier")
        traces.drop(str(host.state), place, find(str(host.project)).id, "earlier")


def test_it_knows_the_events_of_the_adapters() -> None:
    assert {name: vars(adapter(name))["EVENTS"] for name in EVENTS} == EVENTS


@given(st.text(max_size=60))
def test_its_digests_are_those_of_the_store(text: str) -> None:
    assert digest(text) == projects.digest(text)


@pytest.mark.parametrize("name", HOSTS)
def test_nearly_always_there_is_nothing_to_say_and_the_host_need_not_wait(host: Host, name: str) -> None:
    after_an_end(host)
    assert [seen(host, name, event) for event in NAMES[name]] == [BEHIND] * 3


def test_a_prompt_is_nobodys_business_unless_something_was_held_back_for_it(host: Host) -> None:
    assert seen(host, "gemini", "BeforeAgent") == NOTHING
    traces.put(str(host.state), traces.HELD, "", "s", "text")
    assert (seen(host, "gemini", "BeforeAgent"), seen(host, "gemini", "SessionStart")) == (UNSURE, UNSURE)


def _ready(home: str, project: str) -> None:
    flags.put(flags.project_flag(ensure(home) and home, project), up=True)


def _offered(home: str, project: str) -> None:
    flags.put(flags.session_flag(ensure(home) and home, "s"), up=True)


WAITS: dict[str, Callable[[str, str], object]] = {
    "candidates": _ready,
    "an offer of its own": _offered,
    "an offer that was not answered": lambda home, project: traces.put(home, traces.UNANSWERED, project, "x"),
    "the end of another session": lambda home, project: traces.put(home, traces.ENDING, project, "x"),
    "a word for the user": lambda home, project: traces.put(home, traces.RECEIPTS, project, "x"),
    "a pause": pausing.pause,
}


@pytest.mark.parametrize("what", WAITS)
def test_whatever_waits_is_for_the_whole_handler(host: Host, what: str) -> None:
    WAITS[what](str(host.state), find(str(host.project)).id)
    assert seen(host) == UNSURE


@pytest.mark.parametrize("what", [what for what in WAITS if what != "a pause"])
def test_what_waits_in_another_project_changes_nothing(host: Host, what: str) -> None:
    WAITS[what](str(host.state), find(str(host.project.parent / "other")).id)
    assert seen(host) == (UNSURE if what == "an offer of its own" else BEHIND)


def test_a_compaction_and_a_fork_are_told_nothing_whatever_waits(host: Host) -> None:
    _ready(str(host.state), find(str(host.project)).id)
    assert [seen(host, source=source) for source in ("compact", "fork", "resume")] == [BEHIND, BEHIND, UNSURE]


@pytest.mark.parametrize(
    ("age", "expected"),
    [(0, NOTHING), (9_999, NOTHING), (59_999, NOTHING), (60_000, BEHIND), (10**9, BEHIND), (-1, BEHIND)],
)
def test_a_pause_of_the_agent_is_looked_at_once_a_minute(host: Host, age: int, expected: int) -> None:
    traces.put(str(host.state), traces.CHECKED, "", "s", str(NOW - age))
    moment = Moment("claude-code", "s", str(host.project), "", NOW)
    assert (seen(host, event="Stop"), traces.due(str(host.state), moment, 60_000)) == (expected, expected == BEHIND)


@pytest.mark.parametrize(
    ("age", "expected"), [(9_999, NOTHING), (59_999, NOTHING), (60_000, NOTHING), (99_999, NOTHING), (100_000, BEHIND)]
)
def test_or_as_often_as_plain_settings_say(host: Host, age: int, expected: int) -> None:
    (host.project / ".claude").mkdir()
    (host.project / ".claude" / "mind-skills.toml").write_text("idle_seconds = 100 # in a slow project\n")
    traces.put(str(host.state), traces.CHECKED, "", "s", str(NOW - age))
    assert seen(host, event="Stop") == expected


PLACES = {
    "the project": "project/.claude/mind-skills.toml",
    "its repository": ".claude/mind-skills.toml",
    "the user": ".config/mind-skills/mind-skills.toml",
}


@pytest.mark.parametrize("whose", PLACES)
def test_plain_settings_are_read_at_once_and_others_by_the_whole_handler(
    host: Host, tmp_path: Path, whose: str
) -> None:
    if whose == "its repository":
        (host.project / ".git" / "info").rmdir()
        (host.project / ".git").rename(tmp_path / ".git")
    after_an_end(host)
    path = tmp_path / PLACES[whose]
    path.parent.mkdir(exist_ok=True, parents=True)
    for text, expected in (("enabled = true\n", BEHIND), ("enabled = false\n", NOTHING), ("[caps]\n", UNSURE)):
        path.write_text(text)
        assert [seen(host, event=event) for event in ("Stop", "SessionEnd")] == [expected] * 2
    host.environment["MIND_SKILLS_CONFIG"] = str(path)
    assert [seen(host, event=event) for event in ("Stop", "SessionEnd")] == [UNSURE, UNSURE]


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
    '"',
    "é",
    "\f",
)


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map("".join), min_size=2, max_size=2))
def test_settings_that_are_read_at_once_say_what_the_settings_module_reads_in_them(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        top = Path(name).resolve()
        (top / ".git").mkdir()
        (top / ".claude").mkdir()
        patch.setenv("MIND_SKILLS_CONFIG", str(top / "user.toml"))
        files = [str(top / ".claude/mind-skills.toml"), str(top / "user.toml")]
        for path, text in zip(files, texts, strict=True):
            Path(path).write_bytes(text.encode())
        try:
            on, seconds = switches(files)
        except UnsureError:
            return
        assert (on, seconds or 60) == (settings.enabled(str(top)), settings.idle_seconds(str(top)))


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


SHAPES: dict[str, Callable[[Path], Path]] = {
    "a repository": lambda top: _made(top / "a", ".git"),
    "a folder of a repository": lambda top: _made(top / "a" / "b" / "c", "../../.git"),
    "a folder with settings": lambda top: _made(top / "a", ".claude"),
    "a folder below one with settings": lambda top: _made(top / "a" / "b", "../.claude"),
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
    project = find(adapter(name).moment(host.payload("SessionEnd"), environment, NOW)[1].project)
    traces.put(str(host.state), traces.ENDING, project.id, "earlier")
    assert seen(host, name, "SessionEnd") == BEHIND
    assert Path(traces.place(str(host.state), traces.ENDING, project.id, "s")).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("what", ["link", "submodule", "worktree of another", "worktree with a link in its path"])
def test_a_project_that_is_not_what_it_nearly_always_is_is_for_the_whole_handler(
    host: Host, tmp_path: Path, what: str
) -> None:
    tree = _worktree(tmp_path / "work")
    (tmp_path / "link").symlink_to(host.project)
    if what == "submodule":
        (tree / ".git").write_text("gitdir: ../main/.git/modules/tree\n")
    elif what == "worktree of another":
        (tmp_path / "work/main/.git/worktrees/tree/gitdir").write_text("/elsewhere/.git\n")
    elif what == "worktree with a link in its path":
        (tmp_path / "other").symlink_to(tmp_path / "work/main")
        (tree / ".git").write_text(f"gitdir: {tmp_path}/other/.git/worktrees/tree\n")
    host.environment["CLAUDE_PROJECT_DIR"] = str(tmp_path / "link" if what == "link" else tree)
    assert seen(host) == UNSURE


def test_the_settings_of_the_main_checkout_hold_in_its_worktrees(host: Host, tmp_path: Path) -> None:
    tree = _worktree(tmp_path / "work")
    host.environment["CLAUDE_PROJECT_DIR"] = str(tree)
    assert seen(host, event="Stop") == BEHIND
    (tmp_path / "work/main/.claude").mkdir()
    (tmp_path / "work/main/.claude/mind-skills.toml").write_text("enabled = false\n")
    assert (seen(host, event="Stop"), settings.enabled(str(tree))) == (NOTHING, False)


def test_a_state_folder_that_others_can_write_is_for_the_whole_handler(host: Host) -> None:
    after_an_end(host)
    host.state.chmod(0o755)
    assert seen(host, event="SessionEnd") == UNSURE


@pytest.mark.parametrize(
    "more",
    [
        {"session_id": ""},
        {"session_id": 1},
        {"hook_event_name": "PreToolUse"},
        {"hook_event_name": []},
        {"transcript_path": 3},
        {"agent_id": "a"},
        {"source": []},
    ],
)
def test_a_payload_that_is_unusual_is_for_the_whole_handler(host: Host, more: dict[str, Any]) -> None:
    expected = BEHIND if "source" in more else UNSURE  # whose type the handler finds wrong in the process behind
    assert seen(host, **more) == expected


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=9), st.lists, max_leaves=4))
def test_no_payload_makes_it_raise(payload: Any) -> None:
    assert glance("claude-code", payload, {}, NOW) == UNSURE
    named = {"hook_event_name": "Stop", "session_id": payload, "cwd": payload, "transcript_path": payload}
    assert glance("codex", json.loads(json.dumps(named)), {b"HOME": b"/nowhere"}, NOW) in (UNSURE, BEHIND)
