"""Codex and Gemini CLI on a terminal: trust is asked once, and an offer is made once."""

from __future__ import annotations

import os
import signal

from tests.clients.lesson import PROMPT, script_lesson, stage_lesson, write_project
from tests.clients.observing import find_processes, wait_for
from tests.clients.real_codex import Codex
from tests.clients.real_gemini import Gemini
from tests.clients.terminal import Terminal, open_terminal


def trust_all(codex: Codex, shown: Terminal) -> None:
    """Answer the question whether the hooks are trusted: by its number, which may already confirm it."""

    def trusted() -> bool:
        return "trusted_hash" in codex.config.read_text()

    shown.press("2", lambda: "›2.Trustall" in shown.screen or trusted(), "the answer is chosen")
    shown.press("\r", trusted, "the trust")


def test_codex_asks_once_for_trust_and_then_makes_the_offer_once(codex: Codex) -> None:
    stage_lesson(codex)
    with open_terminal(codex, "--no-daemon") as shown:
        trust_all(codex, shown)
        assert set(shown.ask_and_count_offers("two")) == {1}
        shown.until(lambda: "Workedfor" in shown.screen, "the end of the turn")
        codex.script("compaction", ["A summary."])
        shown.ask("/compact", lambda: "Contextcompacted" in shown.screen)
        assert max(shown.ask_and_count_offers("three")) <= 1
        shown.until(lambda: "Workedfor" in shown.screen, "the end of the turn")
        clear(shown)
        assert set(shown.ask_and_count_offers("four")) == {0}
        shown.leave()
    codex.wait_until_settled()
    assert (codex.pending(), codex.hook_log()) == ([], "")
    assert codex.list_finished() == [True] * 3
    codex.mind_skills("uninstall", codex.host, "--verify")
    assert codex.config.read_text().count("trusted_hash") == 3
    codex.mind_skills("uninstall", codex.host, "--purge", "--verify")
    assert "hooks.state" not in codex.config.read_text()


def clear(shown: Terminal) -> None:
    """Begin a new chat, which Codex refuses until it has ended the turn, a moment after it has shown the answer."""
    refused = "'/clear'isdisabledwhile"
    shown.ask("/clear", lambda: "OpenAICodex" in shown.screen or refused in shown.screen)
    while refused in shown.screen:
        shown.ask("/clear", lambda: "OpenAICodex" in shown.screen or refused in shown.screen)


def find_servers(codex: Codex) -> list[int]:
    """Find the processes of the server that Codex leaves in the background for this home."""
    return find_processes(str(codex.codex_home), b"\0app-server")


def test_a_session_in_codexs_background_server_ends_with_the_server(codex: Codex) -> None:
    write_project(codex)
    script_lesson(codex)
    try:
        with open_terminal(codex) as shown:
            trust_all(codex, shown)
            shown.ask(PROMPT, lambda: "Workedfor" in shown.screen)
            shown.until(codex.pending, "what the session learned")
            shown.leave()
        assert find_servers(codex) != []
        assert codex.list_finished() == [False]
    finally:
        for server in find_servers(codex):
            os.kill(server, signal.SIGTERM)
    wait_for(lambda: codex.list_finished() == [True], "the end of the session")
    codex.wait_until_settled()
    assert (len(codex.pending()), codex.hook_log()) == (1, "")


def test_gemini_makes_the_offer_once_and_not_again_after_clear(gemini: Gemini) -> None:
    stage_lesson(gemini)
    with open_terminal(gemini) as shown:
        assert set(shown.ask_and_count_offers("two")) == {1}
        assert set(shown.ask_and_count_offers("three")) == {1}
        shown.ask("/clear", lambda: len(gemini.sessions()) == 3)
        assert set(shown.ask_and_count_offers("four")) == {0}
        shown.leave()
    gemini.wait_until_settled()
    assert (gemini.pending(), gemini.hook_log()) == ([], "")
    assert gemini.list_finished() == [True] * 3
