"""The first look at a hook says what the whole handler would do, or that it does not know."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.hooks.hotpath import NOTHING, UNSURE, WORK_LEFT, decide_early, digest
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.session_state import SessionMarkers, is_checkpoint_due
from mind_skills.plugin import pausing
from mind_skills.staging import start_files
from mind_skills.store import project as projects
from mind_skills.store.home import ensure_folder
from mind_skills.store.project import resolve_project
from tests.plugin.adapters.glancing import HOSTS, NOW, after_an_end, seen
from tests.plugin.adapters.hook_host import Host

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it never knows")
NAMES = {"claude-code": ("SessionStart", "Stop", "SessionEnd"), "codex": ("SessionStart", "Stop", "SessionEnd")}
NAMES["gemini"] = ("SessionStart", "AfterAgent", "SessionEnd")


@given(st.text(max_size=60))
def test_its_digests_are_those_of_the_store(text: str) -> None:
    assert digest(text) == projects.digest_text(text)


@pytest.mark.parametrize("name", HOSTS)
def test_nearly_always_there_is_nothing_to_say_and_the_host_need_not_wait(host: Host, name: str) -> None:
    after_an_end(host)
    assert [seen(host, name, event) for event in NAMES[name]] == [WORK_LEFT] * 3


def test_a_prompt_is_nobodys_business_unless_something_was_held_back_for_it(host: Host) -> None:
    assert seen(host, "gemini", "BeforeAgent") == NOTHING
    SessionMarkers(str(host.state), "s").deferred.write("text")
    assert (seen(host, "gemini", "BeforeAgent"), seen(host, "gemini", "SessionStart")) == (UNSURE, UNSURE)


def _ready(home: str, project: str) -> None:
    start_files.set_flag(start_files.get_project_flag_path(ensure_folder(home) and home, project), is_set=True)


def _offered(home: str, project: str) -> None:
    start_files.set_flag(start_files.get_session_flag_path(ensure_folder(home) and home, "s"), is_set=True)


WAITS: dict[str, Callable[[str, str], object]] = {
    "candidates": _ready,
    "an offer of its own": _offered,
    "an offer that was not answered": lambda home, project: SessionMarkers(home, "x", project).unanswered.write(),
    "the end of another session": lambda home, project: SessionMarkers(home, "x", project).ending.write(),
    "a word for the user": lambda home, project: SessionMarkers(home, "x", project).receipt.write(),
    "a pause": pausing.pause,
}


@pytest.mark.parametrize("what", WAITS)
def test_whatever_waits_is_for_the_whole_handler(host: Host, what: str) -> None:
    WAITS[what](str(host.state), resolve_project(str(host.project)).id)
    assert seen(host) == UNSURE


@pytest.mark.parametrize("what", [what for what in WAITS if what != "a pause"])
def test_what_waits_in_another_project_changes_nothing(host: Host, what: str) -> None:
    WAITS[what](str(host.state), resolve_project(str(host.project.parent / "other")).id)
    assert seen(host) == (UNSURE if what == "an offer of its own" else WORK_LEFT)


@pytest.mark.parametrize(("wish", "expected"), [("", UNSURE), ("1", WORK_LEFT)])
def test_a_plugin_without_packages_has_something_to_say_unless_its_user_wants_none(
    host: Host, tmp_path: Path, wish: str, expected: int
) -> None:
    host.environment |= {"CLAUDE_PLUGIN_DATA": str(tmp_path / "data"), "MIND_SKILLS_NO_ENVIRONMENT": wish}
    assert seen(host) == expected


def test_a_compaction_and_a_fork_are_told_nothing_whatever_waits(host: Host) -> None:
    _ready(str(host.state), resolve_project(str(host.project)).id)
    assert [seen(host, source=source) for source in ("compact", "fork", "resume")] == [WORK_LEFT, WORK_LEFT, UNSURE]


@pytest.mark.parametrize(
    ("age", "expected"),
    [(0, NOTHING), (9_999, NOTHING), (59_999, NOTHING), (60_000, WORK_LEFT), (10**9, WORK_LEFT), (-1, WORK_LEFT)],
)
def test_a_pause_of_the_agent_is_looked_at_once_a_minute(host: Host, age: int, expected: int) -> None:
    SessionMarkers(str(host.state), "s").checked.write(str(NOW - age))
    moment = Moment("claude-code", "s", str(host.project), "", NOW)
    assert (seen(host, event="Stop"), is_checkpoint_due(str(host.state), moment, 60_000)) == (
        expected,
        expected == WORK_LEFT,
    )


@pytest.mark.parametrize(
    ("age", "expected"),
    [(9_999, NOTHING), (59_999, NOTHING), (60_000, NOTHING), (99_999, NOTHING), (100_000, WORK_LEFT)],
)
def test_or_as_often_as_plain_settings_say(host: Host, age: int, expected: int) -> None:
    (host.project / ".claude").mkdir()
    (host.project / ".claude" / "mind-skills.toml").write_text("idle_seconds = 100 # in a slow project\n")
    SessionMarkers(str(host.state), "s").checked.write(str(NOW - age))
    assert seen(host, event="Stop") == expected


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
    expected = WORK_LEFT if "source" in more else UNSURE  # whose type the handler finds wrong in the process behind
    assert seen(host, **more) == expected


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=9), st.lists, max_leaves=4))
def test_no_payload_makes_it_raise(payload: Any) -> None:
    assert decide_early("claude-code", payload, {}, NOW) == UNSURE
    named = {"hook_event_name": "Stop", "session_id": payload, "cwd": payload, "transcript_path": payload}
    assert decide_early("codex", json.loads(json.dumps(named)), {b"HOME": b"/nowhere"}, NOW) in (UNSURE, WORK_LEFT)
