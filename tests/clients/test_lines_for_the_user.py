"""The lines that each real client shows on its terminal to the user, and never to the model."""

from __future__ import annotations

import json

import pytest

from tests.clients.client import Client
from tests.clients.lesson import PROMPT, script_lesson, stage_lesson, write_project
from tests.clients.real_codex import Codex
from tests.clients.terminal import Terminal, open_terminal
from tests.clients.test_hooks_on_a_terminal import trust_all

CLIENTS = pytest.mark.parametrize("client", ["claude", "codex", "gemini"], indirect=True)
OFFERED = "mind-skills:theagentwastoldof1episodeofanearliersession,inabout"
NOTICED = "mind-skills:1newlearningfromthissession:"
"""Without white space, as on the screen of a test."""


def build_options(client: Client) -> tuple[str, ...]:
    return ("--no-daemon",) if isinstance(client, Codex) else ()


def trust_hooks(client: Client, shown: Terminal) -> None:
    if isinstance(client, Codex):
        trust_all(client, shown)


def read_requests(client: Client) -> str:
    return (client.model / "requests.jsonl").read_text()


@CLIENTS
def test_the_terminal_shows_that_the_agent_receives_an_offer(client: Client) -> None:
    stage_lesson(client)
    with open_terminal(client, *build_options(client)) as shown:
        trust_hooks(client, shown)
        assert set(shown.ask_and_count_offers("two")) == {1}
        shown.until(lambda: OFFERED in shown.screen, "the line")
        shown.leave()
    client.wait_until_settled()
    assert ("agent was told of" in read_requests(client), client.hook_log()) == (False, "")


@CLIENTS
def test_the_terminal_shows_a_new_learning_once_at_the_pause_after_it_was_noticed(client: Client) -> None:
    write_project(client)
    script_lesson(client)
    with open_terminal(client, *build_options(client)) as shown:
        trust_hooks(client, shown)
        shown.ask(PROMPT, lambda: len(client.requests("one")) == 7 and "Fixed" in shown.screen)
        shown.until(client.pending, "the candidate")
        client.wait_until_settled()
        shown.ask_and_count_offers("two")
        shown.until(lambda: NOTICED in shown.screen, "the line")
        title = "".join(client.pending()[0]["title"].rstrip(".").split())
        assert title[:40] in shown.screen
        shown.ask_and_count_offers("three")
        shown.ask_and_count_offers("four")
        assert NOTICED not in shown.screen.rpartition("pleasesaythree")[2]  # clients redraw older lines
        shown.leave()
    client.wait_until_settled()
    assert ("new learning from this session" in json.dumps(read_requests(client)), client.hook_log()) == (False, "")


@CLIENTS
def test_a_run_without_a_terminal_prints_nothing_of_ours_to_stdout(client: Client) -> None:
    stage_lesson(client)
    assert "mind-skills:" not in client.session("two", ["Answer two."]).stdout
    assert client.count_offers("two") == [1]
