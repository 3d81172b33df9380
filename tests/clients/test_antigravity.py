"""Antigravity's engine of google-antigravity, live: what it writes is what the reader understands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mind_skills.observations.find_logs import find_logs
from mind_skills.observations.read import read_session
from tests.clients.client import run_client
from tests.clients.real_antigravity import PYTHON, Antigravity, make_session

pytestmark = [
    pytest.mark.extras,
    pytest.mark.skipif(not PYTHON, reason="MIND_SKILLS_ANTIGRAVITY names no Python with google-antigravity"),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Antigravity]:
    """The engine after one session and its continuation."""
    with run_client(Antigravity, tmp_path_factory.mktemp("engine").resolve()) as antigravity:
        antigravity.session("one", *make_session(antigravity.project), prompt="fix the program")
        antigravity.session("resumed", ["You are welcome."], prompt="thanks", more=["--continue"])
        yield antigravity


def find_log(client: Antigravity) -> Path:
    """Return the one transcript in the home that is a session's."""
    (log,) = find_logs([str(client.home)]).logs
    return log.path


def test_a_live_transcript_is_understood_without_a_warning(client: Antigravity) -> None:
    session = read_session(find_log(client))
    assert (session.host, session.project, session.warnings) == ("antigravity", str(client.project), [])
    assert session.session_id == find_log(client).parents[2].name
    calls = [(one.tool, one.outcome, one.exit_code) for one in session.observations if one.kind == "tool"]
    assert calls == [
        ("run_command", "failed", 1),
        ("view_file", "ok", None),
        ("run_command", "ok", 0),
        ("replace_file_content", "failed", None),
        ("replace_file_content", "ok", None),
        ("run_command", "ok", 0),
        ("write_to_file", "ok", None),
        ("view_file", "failed", None),
        ("run_command", "ok", 0),
        ("search_web", "denied", None),
        ("read_url_content", "failed", None),
        ("no_such_tool", "failed", None),
        ("define_subagent", "ok", None),
        ("invoke_subagent", "ok", None),
        ("run_command", "ok", 0),
    ]
    texts = [(one.agent, one.source, one.text) for one in session.observations if one.kind == "user"]
    assert texts == [
        ("main", "user", "fix the program"),
        ("subagent", "agent", "Count the files."),
        ("main", "user", "thanks"),
    ]


def test_the_cut_transcript_tells_the_same_story(client: Antigravity) -> None:
    log = find_log(client)
    full, plain = read_session(log), read_session(log.with_name("transcript.jsonl"))
    stories = [[(one.kind, one.command, one.files, one.outcome) for one in each.observations] for each in (full, plain)]
    assert stories[0] == stories[1]
    assert {warning.message for warning in plain.warnings} == {
        "the client cut the tool_calls of steps of the type PLANNER_RESPONSE",
        "the client cut the content of steps of the type RUN_COMMAND",
    }


def test_a_live_session_becomes_a_learning(client: Antigravity) -> None:
    replayed = client.mind_skills("replay", str(client.home / ".gemini"))
    (session,) = replayed["sessions"]
    (candidate,) = session["candidates"]
    assert (session["host"], candidate["kind"]) == ("antigravity", "error_fix")
