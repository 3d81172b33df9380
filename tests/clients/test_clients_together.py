"""Concurrent clients of different hosts in one project: one of them receives the offer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.clients.hook_client import HookClient
from tests.clients.lesson import LOOK, run_lesson
from tests.clients.real_codex import Codex
from tests.clients.real_gemini import Gemini


def share_project(first: HookClient, second: HookClient) -> None:
    """Let the second client work in the project of the first with the same state; each has its own home and model."""
    second.project = second.folder = first.project
    second.state = first.state


def test_of_concurrent_codex_and_gemini_sessions_one_receives_the_offer(codex: Codex, gemini: Gemini) -> None:
    run_lesson(codex)
    share_project(codex, gemini)
    for client in (codex, gemini):
        client.script("two", [LOOK], ["Hello."])
    with ThreadPoolExecutor(2) as pool:
        assert [ran.code for ran in pool.map(lambda client: client.say("What is here?"), (codex, gemini))] == [0, 0]
    codex.wait_until_settled()
    copies = [set(client.count_offers("two")) for client in (codex, gemini)]
    assert sorted(copies, key=max) == [{0}, {1}]
    assert (codex.pending(), codex.hook_log()) == ([], "")
