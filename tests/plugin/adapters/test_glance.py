"""The early decision of a hook is what the whole handler would do, or that it is unsure."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.hooks import hotpath
from mind_skills.hooks.hotpath import (
    NOTHING,
    UNSURE,
    WORK_LEFT,
    UnsureError,
    decide_early,
    decode_payload,
    digest,
    require_plain_path,
)
from mind_skills.hooks.session_state import HookCall, SessionMarkers, is_checkpoint_due
from mind_skills.plugin import pausing
from mind_skills.staging import start_files
from mind_skills.store import project as projects
from mind_skills.store.home import ensure_folder
from mind_skills.store.project import resolve_project
from tests.plugin.adapters.glancing import HOSTS, NOW, after_an_end, decide
from tests.plugin.adapters.hook_host import Host

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the early decision is always unsure")
NAMES = {"claude-code": ("SessionStart", "Stop", "SessionEnd"), "codex": ("SessionStart", "Stop", "SessionEnd")}
NAMES["gemini"] = ("SessionStart", "AfterAgent", "SessionEnd")


@given(st.text(max_size=60))
def test_the_digests_of_the_early_decision_are_those_of_the_store(text: str) -> None:
    assert digest(text) == projects.digest_text(text)


@pytest.mark.parametrize("name", HOSTS)
def test_an_ordinary_event_needs_no_reply_and_the_host_need_not_wait(host: Host, name: str) -> None:
    after_an_end(host)
    assert [decide(host, name, event) for event in NAMES[name]] == [WORK_LEFT] * 3


def test_a_prompt_needs_nothing_unless_an_offer_was_deferred_to_it(host: Host) -> None:
    assert decide(host, "gemini", "BeforeAgent") == NOTHING
    SessionMarkers(str(host.state), "s").deferred.write("text")
    assert (decide(host, "gemini", "BeforeAgent"), decide(host, "gemini", "SessionStart")) == (UNSURE, UNSURE)


def _ready(home: str, project: str) -> None:
    start_files.set_flag(start_files.get_project_flag_path(ensure_folder(home) and home, project), is_set=True)


def _offered(home: str, project: str) -> None:
    start_files.set_flag(start_files.get_session_flag_path(ensure_folder(home) and home, "s"), is_set=True)


WAITS: dict[str, Callable[[str, str], object]] = {
    "candidates": _ready,
    "an offer of its own": _offered,
    "an offer that was not answered": lambda home, project: SessionMarkers(home, "x", project).unanswered.write(),
    "the end of another session": lambda home, project: SessionMarkers(home, "x", project).ending.write(),
    "a line for the user": lambda home, project: SessionMarkers(home, "x", project).receipt.write(),
    "a pause": pausing.pause,
}


@pytest.mark.parametrize("what", WAITS)
def test_anything_that_waits_is_left_to_the_whole_handler(host: Host, what: str) -> None:
    WAITS[what](str(host.state), resolve_project(str(host.project)).id)
    assert decide(host) == UNSURE


@pytest.mark.parametrize("what", [what for what in WAITS if what != "a pause"])
def test_only_an_offer_of_the_session_itself_counts_from_another_project(host: Host, what: str) -> None:
    WAITS[what](str(host.state), resolve_project(str(host.project.parent / "other")).id)
    assert decide(host) == (UNSURE if what == "an offer of its own" else WORK_LEFT)


@pytest.mark.parametrize(("no_environment", "expected"), [("", UNSURE), ("1", WORK_LEFT)])
def test_a_plugin_without_packages_is_left_to_the_whole_handler_unless_they_are_unwanted(
    host: Host, tmp_path: Path, no_environment: str, expected: int
) -> None:
    host.environment |= {"CLAUDE_PLUGIN_DATA": str(tmp_path / "data"), "MIND_SKILLS_NO_ENVIRONMENT": no_environment}
    assert decide(host) == expected


@pytest.mark.parametrize("folder", ["venv", "environment"])
def test_a_plugin_with_its_packages_needs_no_reply(host: Host, tmp_path: Path, folder: str) -> None:
    host.environment["CLAUDE_PLUGIN_DATA"] = str(tmp_path / "data")
    (tmp_path / "data" / folder).mkdir(parents=True)
    assert decide(host) == WORK_LEFT


@pytest.mark.parametrize("path", ["", "/", "a", "./a", "/a/", "//a", "/a//b", "/a/./b", "/a/../b", "/a/..", "/a\0b"])
def test_a_path_that_is_not_absolute_and_normalised_is_left_to_the_whole_handler(path: str) -> None:
    with pytest.raises(UnsureError):
        require_plain_path(path)
    assert require_plain_path("/a/b.c/..d") == "/a/b.c/..d"


@pytest.mark.parametrize(("sizes", "is_refused"), [((4, 6), False), ((4, 7), True), ((11,), True)])
def test_a_payload_that_is_too_large_is_refused_in_whatever_pieces_it_arrives(
    monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...], is_refused: bool
) -> None:
    pieces = iter([*(b"x" * size for size in sizes), b""])
    monkeypatch.setattr(hotpath, "system", SimpleNamespace(read=lambda descriptor, size: next(pieces)))
    monkeypatch.setattr(hotpath, "MAX_PAYLOAD_BYTES", 10)
    parts: list[bytes] = []
    if is_refused:
        with pytest.raises(ValueError, match="larger than 10 bytes"):
            hotpath._read_stdin(parts)
    else:
        hotpath._read_stdin(parts)
        assert b"".join(parts) == b"x" * sum(sizes)


def test_a_compaction_and_a_fork_receive_no_offer_even_if_candidates_wait(host: Host) -> None:
    _ready(str(host.state), resolve_project(str(host.project)).id)
    assert [decide(host, source=source) for source in ("compact", "fork", "resume")] == [WORK_LEFT, WORK_LEFT, UNSURE]


@pytest.mark.parametrize(
    ("age", "expected"),
    [(0, NOTHING), (9_999, NOTHING), (59_999, NOTHING), (60_000, WORK_LEFT), (10**9, WORK_LEFT), (-1, WORK_LEFT)],
)
def test_a_checkpoint_is_due_once_a_minute(host: Host, age: int, expected: int) -> None:
    SessionMarkers(str(host.state), "s").checked.write(str(NOW - age))
    call = HookCall("claude-code", "s", str(host.project), "", NOW)
    assert (decide(host, event="Stop"), is_checkpoint_due(str(host.state), call, 60_000)) == (
        expected,
        expected == WORK_LEFT,
    )


@pytest.mark.parametrize(
    ("seconds", "age", "expected"),
    [
        (10, 9_999, NOTHING),
        (10, 10_000, WORK_LEFT),
        (100, 9_999, NOTHING),
        (100, 60_000, NOTHING),
        (100, 99_999, NOTHING),
        (100, 100_000, WORK_LEFT),
    ],
)
def test_a_checkpoint_is_due_as_often_as_plain_settings_say(host: Host, seconds: int, age: int, expected: int) -> None:
    users = host.project.parent / ".config" / "mind-skills" / "mind-skills.toml"
    for path, least in ((host.project / ".claude" / "mind-skills.toml", seconds), (users, min(seconds, 60))):
        path.parent.mkdir(parents=True)
        path.write_text(f"idle_seconds = {least} # as this project needs\n")
    SessionMarkers(str(host.state), "s").checked.write(str(NOW - age))
    assert decide(host, event="Stop") == expected


def test_a_state_folder_that_is_open_to_others_is_left_to_the_whole_handler(host: Host) -> None:
    after_an_end(host)
    host.state.chmod(0o755)
    assert decide(host, event="SessionEnd") == UNSURE


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
def test_an_unusual_payload_is_left_to_the_whole_handler_or_to_the_worker(host: Host, more: dict[str, Any]) -> None:
    expected = WORK_LEFT if "source" in more else UNSURE  # the worker finds that its type is wrong
    assert decide(host, **more) == expected


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=9), st.lists, max_leaves=4))
def test_no_payload_makes_the_early_decision_raise(payload: Any) -> None:
    assert decide_early("claude-code", payload, {}, NOW) == UNSURE
    named = {"hook_event_name": "Stop", "session_id": payload, "cwd": payload, "transcript_path": payload}
    assert decide_early("codex", json.loads(json.dumps(named)), {b"HOME": b"/nowhere"}, NOW) in (UNSURE, WORK_LEFT)


@pytest.mark.parametrize("odd", [b"\xe9", b"\xff", b"\xe2\x82", b"\xed\xa0\xbd \xe9"])
def test_bytes_that_are_not_utf_8_are_replaced(odd: bytes) -> None:
    assert decode_payload(b'{"a": "caf' + odd + b'!"}') == {"a": f"caf{odd.decode('utf-8', 'replace')}!"}
