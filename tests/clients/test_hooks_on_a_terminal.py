"""Codex and Gemini CLI on a terminal: trusted once, told once, never again after a compaction or in the next session."""

from __future__ import annotations

import os
import signal

from tests.clients.lesson import PROMPT, learned, script_lesson, write_project
from tests.clients.observing import eventually, processes
from tests.clients.real_codex import Codex
from tests.clients.real_gemini import Gemini
from tests.clients.terminal import Terminal, terminal


def trust_all(codex: Codex, shown: Terminal) -> None:
    """Answer the question whether the hooks are trusted: by its number, which may be the answer already."""

    def trusted() -> bool:
        return "trusted_hash" in codex.config.read_text()

    shown.press("2", lambda: "›2.Trustall" in shown.screen or trusted(), "the answer is chosen")
    shown.press("\r", trusted, "the trust")


def test_codex_asks_once_for_trust_and_then_makes_the_offer_once(codex: Codex) -> None:
    learned(codex)
    with terminal(codex, "--no-daemon") as shown:
        trust_all(codex, shown)
        assert set(shown.asked("two")) == {1}
        shown.until(lambda: "Workedfor" in shown.screen, "the end of the turn")
        codex.script("compaction", ["A summary."])
        shown.ask("/compact", lambda: "Contextcompacted" in shown.screen)
        assert max(shown.asked("three")) <= 1
        shown.until(lambda: "Workedfor" in shown.screen, "the end of the turn")
        clear(shown)
        assert set(shown.asked("four")) == {0}
        shown.leave()
    codex.settled()
    assert (codex.pending(), codex.hook_log()) == ([], "")
    assert codex.finished() == [True] * 3
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


def servers(codex: Codex) -> list[int]:
    """The processes of the server that Codex leaves in the background of this home."""
    return processes(str(codex.codex_home), b"\0app-server")


def test_a_session_in_codexs_background_server_ends_with_the_server(codex: Codex) -> None:
    write_project(codex)
    script_lesson(codex)
    try:
        with terminal(codex) as shown:
            trust_all(codex, shown)
            shown.ask(PROMPT, lambda: "Workedfor" in shown.screen)
            shown.until(codex.pending, "what the session learned")
            shown.leave()
        assert servers(codex) != []
        assert codex.finished() == [False]
    finally:
        for server in servers(codex):
            os.kill(server, signal.SIGTERM)
    eventually(lambda: codex.finished() == [True], "the end of the session")
    codex.settled()
    assert (len(codex.pending()), codex.hook_log()) == (1, "")


def test_gemini_makes_the_offer_once_and_not_again_after_clear(gemini: Gemini) -> None:
    learned(gemini)
    with terminal(gemini) as shown:
        assert set(shown.asked("two")) == {1}
        assert set(shown.asked("three")) == {1}
        shown.ask("/clear", lambda: len(gemini.sessions()) == 3)
        assert set(shown.asked("four")) == {0}
        shown.leave()
    gemini.settled()
    assert (gemini.pending(), gemini.hook_log()) == ([], "")
    assert gemini.finished() == [True] * 3
