"""What several real clients do alike: each learns, is told once, is not told again, and what it writes is accepted."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from mind_skills.observations.read import read_session
from tests.clients.client import Client
from tests.clients.hook_client import HookClient
from tests.clients.lesson import LOOK, PROMPT, bash, learned, script_lesson, write_project
from tests.clients.observing import eventually

all_of_them = pytest.mark.parametrize("client", ["claude", "codex", "gemini", "opencode"], indirect=True)
not_opencode = pytest.mark.parametrize(
    "client", ["claude", "codex", "gemini"], indirect=True
)  # more in test_opencode.py
claude_and_codex = pytest.mark.parametrize("client", ["claude", "codex"], indirect=True)
with_hooks = pytest.mark.parametrize("client", ["codex", "gemini"], indirect=True)


@not_opencode
def test_a_learning_is_offered_to_the_next_session_and_to_no_later_one(client: Client) -> None:
    candidate = learned(client)

    client.session("two", [LOOK], [LOOK], ["Nothing to do."], prompt="What is here?")
    told = client.told("two")
    block = told[0][0]
    assert told == [[block]] * 3
    assert candidate in block
    assert set(client.copies("two", "other")) <= {0}

    client.session("two again", [LOOK], ["Still nothing."], prompt="And now?", more=client.resumed)
    assert client.told("two again") == [[block]] * 2

    client.session("three", [LOOK], ["Nothing."], prompt="Hello?")
    assert client.told("three") == [[], []]
    assert (client.pending(), client.hook_log()) == ([], "")
    assert client.finished() == [True] * 3


@all_of_them
def test_an_offer_that_the_model_never_answered_is_repeated(client: Client) -> None:
    learned(client)
    client.script("refused", status=400)
    ran = client.say("Hello")
    assert ran.code != 0 or client.host != "claude-code"
    client.settled()
    assert set(client.copies("refused")) == {1}
    client.session("two")
    assert (client.copies("two"), client.hook_log()) == ([1], "")


@claude_and_codex
def test_a_fork_has_only_its_parents_copy_of_the_offer(client: Client) -> None:
    learned(client)
    client.session("two", [LOOK], ["Hello."])
    session = read_session(client.transcripts()[-1]).session_id
    client.session("fork", [LOOK], ["Hello."], prompt="Hello again", more=client.forking(session))
    assert client.copies("fork") == [1, 1]
    assert (client.pending(), client.hook_log()) == ([], "")


@with_hooks
@pytest.mark.parametrize("word", [signal.SIGKILL, signal.SIGTERM])
def test_a_session_that_is_killed_is_finished_by_the_next_start(client: Client, word: signal.Signals) -> None:
    write_project(client)
    script_lesson(client, last=[bash("touch begun; exec sleep 30")])
    with client.started(PROMPT) as running:
        eventually((client.project / "begun").exists, "the last tool call")
        os.killpg(running.pid, word)
        running.communicate()
    client.settled()
    if word == signal.SIGKILL:
        assert client.pending() == []
    for name in ("two", "three", "four"):
        client.session(name)
    copies = [count for name in ("two", "three", "four") for count in client.copies(name)]
    assert (sum(copies), copies[2]) == (1, 0)  # the end of one that was terminated may have been told
    assert client.hook_log() == ""


@with_hooks
def test_install_makes_the_hooks_work_and_uninstall_restores_the_file(client: HookClient) -> None:
    client.without_hooks()
    before = client.hooks_file.read_bytes()
    client.mind_skills("install", client.host)
    candidate = learned(client)
    client.session("two")
    assert [candidate in copies[0] for copies in client.told("two")] == [True]
    client.mind_skills("uninstall", client.host, "--verify")
    assert (client.hooks_file.read_bytes(), client.hook_log()) == (before, "")


@with_hooks
def test_a_session_started_in_a_subfolder_belongs_to_the_same_project(client: Client) -> None:
    learned(client)
    client.folder = client.project / "deep" / "below"
    client.folder.mkdir(parents=True)
    client.session("two")
    assert client.copies("two") == [1]
    assert (client.pending(), client.hook_log()) == ([], "")
    assert list(client.folder.iterdir()) == []


@with_hooks
def test_the_text_of_an_offer_is_not_an_observation(client: Client) -> None:
    learned(client)
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


def skills_listed(client: HookClient, name: str) -> set[str]:
    client.session(name)
    return set(re.findall(r"Use when (\S+) is wanted", client.listed(name)))


@with_hooks
def test_the_client_reads_skills_from_the_folders_that_we_expect(client: HookClient) -> None:
    for name, folder in {"a": client.project, "b": client.home}.items():
        for where in ("agents", "codex", "claude", "gemini"):
            place_skill(folder / f".{where}" / "skills", f"{name}-{where}")
    in_project, below = READ_FROM[client.host]
    assert skills_listed(client, "root") == in_project
    client.folder = client.project / "below"
    client.folder.mkdir()
    assert skills_listed(client, "below") == below
