"""Codex and Gemini CLI on a terminal: trusted once, told once, never again after a compaction or in the next session."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

from tests.clients.hook_client import HookClient
from tests.clients.hook_terminal import AnsweringTerminal, hook_terminal
from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import WAITED, hook_log, pending, sessions
from tests.clients.real_codex import Codex
from tests.clients.real_gemini import Gemini


def learned(client: HookClient) -> None:
    """Session one has been, and its candidate waits."""
    write_project(client)
    script_lesson(client, "one")
    assert client.say("The prices test fails, please fix it.").code == 0
    client.settled()
    assert len(pending(client)) == 1


def asked(client: HookClient, shown: AnsweringTerminal, name: str) -> set[int]:
    """How many copies of the offer the requests of one prompt hold."""
    client.script(name, [f"Answer {name}."])
    shown.ask(f"please say {name}", lambda: f"Answer{name}." in shown.screen)
    return {len(copies) for copies in client.told(name)}


def trust_all(codex: Codex, shown: AnsweringTerminal) -> None:
    """Answer the question whether the hooks are trusted: by its number, which may be the answer already."""

    def trusted() -> bool:
        return "trusted_hash" in (codex.codex_home / "config.toml").read_text()

    shown.press("2", lambda: "›2.Trustall" in shown.screen or trusted(), "the answer is chosen")
    shown.press("\r", trusted, "the trust")


def test_codex_asks_once_for_trust_and_then_tells_once(codex: Codex) -> None:
    learned(codex)
    with hook_terminal(codex, "--no-daemon") as shown:
        shown.until(lambda: "Trustallandcontinue" in shown.screen, "the question whether the hooks are trusted")
        trust_all(codex, shown)
        assert asked(codex, shown, "two") == {1}
        shown.until(lambda: "Workedfor" in shown.screen, "the end of the turn")
        codex.script("compaction", ["A summary."])
        shown.ask("/compact", lambda: "Contextcompacted" in shown.screen)
        assert max(asked(codex, shown, "three")) <= 1
        shown.until(lambda: "Workedfor" in shown.screen, "the end of the turn")
        shown.ask("/clear", lambda: "OpenAICodex" in shown.screen)
        assert asked(codex, shown, "four") == {0}
        shown.close("/quit")
    codex.settled()
    assert (pending(codex), hook_log(codex)) == ([], "")
    assert [finished for _, finished in sessions(codex)] == [True] * 3
    codex.ours("uninstall", codex.host, "--verify")
    assert (codex.codex_home / "config.toml").read_text().count("trusted_hash") == 3
    codex.ours("uninstall", codex.host, "--purge", "--verify")
    assert "hooks.state" not in (codex.codex_home / "config.toml").read_text()


def servers(codex: Codex) -> list[int]:
    """The processes of the server that Codex leaves in the background of this home."""
    found: list[int] = []
    for process in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            ours = process.name.isdecimal() and str(codex.codex_home).encode() in (process / "environ").read_bytes()
            if ours and b"app-server" in (process / "cmdline").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found


def test_a_session_of_the_server_in_the_background_of_codex_ends_with_the_server(codex: Codex) -> None:
    write_project(codex)
    script_lesson(codex, "one")
    try:
        with hook_terminal(codex) as shown:
            shown.until(lambda: "Trustallandcontinue" in shown.screen, "the question whether the hooks are trusted")
            trust_all(codex, shown)
            shown.ask("The prices test fails, please fix it.", lambda: "Workedfor" in shown.screen)
            shown.until(lambda: pending(codex), "what the session learned")
            shown.close("/quit")
        assert servers(codex) != []
        assert [finished for _, finished in sessions(codex)] == [False]
    finally:
        for server in servers(codex):
            os.kill(server, signal.SIGTERM)
    end = time.monotonic() + WAITED
    while [finished for _, finished in sessions(codex)] != [True]:
        assert time.monotonic() < end, "never: the end of the session"
        time.sleep(0.05)
    codex.settled()
    assert (len(pending(codex)), hook_log(codex)) == (1, "")


def test_gemini_tells_once_and_not_again_after_clear(gemini: Gemini) -> None:
    learned(gemini)
    with hook_terminal(gemini, *gemini.on_terminal()) as shown:
        shown.until(lambda: "Typeyourmessage" in shown.screen, "a prompt")
        assert asked(gemini, shown, "two") == {1}
        assert asked(gemini, shown, "three") == {1}
        shown.ask("/clear", lambda: len(sessions(gemini)) == 3)
        assert asked(gemini, shown, "four") == {0}
        shown.close("/quit")
    gemini.settled()
    assert (pending(gemini), hook_log(gemini)) == ([], "")
    assert [finished for _, finished in sessions(gemini)] == [True] * 3
