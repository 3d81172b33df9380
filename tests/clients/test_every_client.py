"""What several real clients have in common: a session learns, one later session receives the offer, and no other."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from mind_skills.observations.read import read_session
from tests.clients.client import Client
from tests.clients.hook_client import HookClient
from tests.clients.lesson import LOOK, PROMPT, bash, script_lesson, stage_lesson, write_project
from tests.clients.observing import wait_for

all_of_them = pytest.mark.parametrize("client", ["claude", "codex", "gemini", "opencode"], indirect=True)
not_opencode = pytest.mark.parametrize(
    "client", ["claude", "codex", "gemini"], indirect=True
)  # more in test_opencode.py
claude_and_codex = pytest.mark.parametrize("client", ["claude", "codex"], indirect=True)
with_hooks = pytest.mark.parametrize("client", ["codex", "gemini"], indirect=True)


@not_opencode
def test_a_learning_is_offered_to_the_next_session_and_to_no_later_one(client: Client) -> None:
    candidate = stage_lesson(client)

    client.session("two", [LOOK], [LOOK], ["Nothing to do."], prompt="What is here?")
    offers = client.list_offers("two")
    block = offers[0][0]
    assert offers == [[block]] * 3
    assert candidate in block
    assert set(client.count_offers("two", "other")) <= {0}

    client.session("two again", [LOOK], ["Still nothing."], prompt="And now?", more=client.resume_arguments)
    assert client.list_offers("two again") == [[block]] * 2

    client.session("three", [LOOK], ["Nothing."], prompt="Hello?")
    assert client.list_offers("three") == [[], []]
    assert (client.pending(), client.hook_log()) == ([], "")
    assert client.list_finished() == [True] * 3


@all_of_them
def test_an_offer_that_the_model_never_answered_is_repeated(client: Client) -> None:
    stage_lesson(client)
    client.script("refused", status=400)
    ran = client.say("Hello")
    assert ran.code != 0 or client.host != "claude-code"
    client.wait_until_settled()
    assert set(client.count_offers("refused")) == {1}
    client.session("two")
    assert (client.count_offers("two"), client.hook_log()) == ([1], "")


@claude_and_codex
def test_a_fork_has_only_its_parents_copy_of_the_offer(client: Client) -> None:
    stage_lesson(client)
    client.session("two", [LOOK], ["Hello."])
    session = read_session(client.transcripts()[-1]).session_id
    client.session("fork", [LOOK], ["Hello."], prompt="Hello again", more=client.fork_arguments(session))
    assert client.count_offers("fork") == [1, 1]
    assert (client.pending(), client.hook_log()) == ([], "")


@with_hooks
@pytest.mark.parametrize("sent_signal", [signal.SIGKILL, signal.SIGTERM])
def test_a_session_that_is_killed_is_finished_by_the_next_start(client: Client, sent_signal: signal.Signals) -> None:
    write_project(client)
    script_lesson(client, last=[bash("touch begun; exec sleep 30")])
    with client.start(PROMPT) as running:
        wait_for((client.project / "begun").exists, "the last tool call")
        os.killpg(running.pid, sent_signal)
        running.communicate()
    client.wait_until_settled()
    if sent_signal == signal.SIGKILL:
        assert client.pending() == []
    for name in ("two", "three", "four"):
        client.session(name)
    copies = [count for name in ("two", "three", "four") for count in client.count_offers(name)]
    assert (sum(copies), copies[2]) == (1, 0)  # a terminated session may have had its end hook
    assert client.hook_log() == ""


@with_hooks
def test_install_makes_the_hooks_work_and_uninstall_restores_the_file(client: HookClient) -> None:
    client.remove_hooks()
    before = client.hooks_file.read_bytes()
    client.mind_skills("install", client.host, "--yes", "--no-history")
    candidate = stage_lesson(client)
    client.session("two")
    assert [candidate in copies[0] for copies in client.list_offers("two")] == [True]
    client.mind_skills("uninstall", client.host, "--verify")
    assert (client.hooks_file.read_bytes(), client.hook_log()) == (before, "")


@with_hooks
def test_a_session_started_in_a_subfolder_belongs_to_the_same_project(client: Client) -> None:
    stage_lesson(client)
    client.folder = client.project / "deep" / "below"
    client.folder.mkdir(parents=True)
    client.session("two")
    assert client.count_offers("two") == [1]
    assert (client.pending(), client.hook_log()) == ([], "")
    assert list(client.folder.iterdir()) == []


@with_hooks
def test_the_text_of_an_offer_is_not_an_observation(client: Client) -> None:
    stage_lesson(client)
    client.session("two", prompt="What is here?")
    read = read_session(client.transcripts()[-1])
    assert [(item.kind, item.text) for item in read.observations] == [
        ("user", "What is here?"),
        ("assistant", "Hello."),
    ]


READ_FROM = {
    "codex": ({"a-agents", "a-codex", "b-agents", "b-codex"}, {"a-agents", "a-codex", "b-agents", "b-codex"}),
    "gemini": ({"a-agents", "a-gemini", "b-agents", "b-gemini"}, {"b-agents", "b-gemini"}),
}
"""Skills of the project (a) and of the home (b) that are listed in the project and in a subfolder of it."""


def place_skill(folder: Path, name: str) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Use when {name} is wanted.\n---\nBody.\n")


def find_listed_skills(client: HookClient, name: str) -> set[str]:
    client.session(name)
    return set(re.findall(r"Use when (\S+) is wanted", client.read_first_request(name)))


@with_hooks
def test_the_client_reads_skills_from_the_folders_that_we_expect(client: HookClient) -> None:
    for name, folder in {"a": client.project, "b": client.home}.items():
        for where in ("agents", "codex", "claude", "gemini"):
            place_skill(folder / f".{where}" / "skills", f"{name}-{where}")
    in_project, below = READ_FROM[client.host]
    assert find_listed_skills(client, "root") == in_project
    client.folder = client.project / "below"
    client.folder.mkdir()
    assert find_listed_skills(client, "below") == below
