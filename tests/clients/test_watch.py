"""`mind-skills watch` beside the real clients: with no hook installed it learns, and with hooks nothing counts twice."""

from __future__ import annotations

from typing import Any

from tests.clients.client import Client
from tests.clients.lesson import learns
from tests.clients.real_claude import Claude
from tests.clients.real_codex import Codex
from tests.clients.real_gemini import Gemini
from tests.clients.real_opencode import OpenCode
from tests.clients.watched import watched, while_it_works, writes_a_skill


def learns_by_watching_alone(client: Client) -> None:
    client.without_hooks()
    with watched(client) as machine:
        machine.watch(quiet=0.5, longest=2.0, ended=2.0)
        session = machine.learns()
        (candidate,) = machine.json("pending")["candidates"]
        assert (candidate["host"], candidate["sessions"]) == (client.host, [session])
        path = writes_a_skill(client, candidate["id"])
        linked = machine.until(lambda event: event["event"] == "linked")
        assert (linked["candidate"], linked["path"]) == (candidate["id"], str(path))
        machine.over(2)
        assert (machine.pending(), machine.counts()["accepted"], machine.staged()) == ([], 1, 1)
        assert machine.stop() == 0


def counts_once_beside_hooks(client: Client) -> None:
    with watched(client) as machine:
        machine.watch(quiet=0.5, longest=2.0, ended=2.0)
        session = machine.learns()
        assert machine.stop() == 0
        again = machine.json("watch", "--once")
        assert (machine.learned(), machine.staged(), again["candidates"]) == ([(session,)], 1, 0)


def a_fork_learns_nothing_again(client: Client) -> None:
    client.without_hooks()
    with watched(client) as machine:
        machine.watch(quiet=0.5, longest=2.0, ended=2.0)
        session = machine.learns()
        client.session("fork", prompt="Hello again", more=client.forking(session))
        assert machine.over(2)[0] == session
        assert (machine.learned(), machine.staged()) == ([(session,)], 1)


def a_resumption_learns_nothing_again(client: Client) -> None:
    client.without_hooks()
    with watched(client) as machine:
        learns(client)
        machine.json("watch", "--once")
        client.session("more", prompt="Hello again", more=client.resumed)
        second = machine.json("watch", "--once")
        ((session, _),) = machine.sessions()
        assert (second["looked"], machine.learned(), machine.staged()) == (1, [(session,)], 1)


def ends_with_its_process(client: Client, shell: str, more: dict[str, Any]) -> None:
    client.without_hooks()
    with watched(client) as machine:
        machine.watch(quiet=0.5, longest=2.0, ended=3600.0)
        looked: list[str] = []

        def wait() -> None:
            looked.append(machine.until(lambda event: event["event"] == "looked")["session"])

        while_it_works(client, lambda command: {"tool": shell, "input": {**more, _COMMAND[shell]: command}}, wait)
        assert machine.over(1) == looked
        assert machine.stop() == 0


_COMMAND = {"Bash": "command", "exec_command": "cmd"}


def test_watching_learns_from_claude_code_without_hooks_and_links_its_skill(claude: Claude) -> None:
    learns_by_watching_alone(claude)


def test_watching_learns_from_codex_without_hooks_and_links_its_skill(codex: Codex) -> None:
    learns_by_watching_alone(codex)


def test_watching_learns_from_gemini_without_hooks_and_links_its_skill(gemini: Gemini) -> None:
    learns_by_watching_alone(gemini)


def test_watching_learns_from_opencode_without_hooks_and_links_its_skill(opencode: OpenCode) -> None:
    learns_by_watching_alone(opencode)


def test_watching_in_addition_to_claude_codes_hooks_counts_nothing_twice(claude: Claude) -> None:
    counts_once_beside_hooks(claude)


def test_watching_in_addition_to_codexs_hooks_counts_nothing_twice(codex: Codex) -> None:
    counts_once_beside_hooks(codex)


def test_watching_in_addition_to_geminis_hooks_counts_nothing_twice(gemini: Gemini) -> None:
    counts_once_beside_hooks(gemini)


def test_watching_in_addition_to_opencodes_plugin_counts_nothing_twice(opencode: OpenCode) -> None:
    counts_once_beside_hooks(opencode)


def test_watching_a_claude_code_fork_does_not_learn_from_its_parents_part_again(claude: Claude) -> None:
    a_fork_learns_nothing_again(claude)


def test_watching_a_codex_fork_does_not_learn_from_its_parents_part_again(codex: Codex) -> None:
    a_fork_learns_nothing_again(codex)


def test_watching_an_opencode_fork_does_not_learn_from_its_parents_part_again(opencode: OpenCode) -> None:
    a_fork_learns_nothing_again(opencode)


def test_a_resumed_claude_code_session_is_the_same_session(claude: Claude) -> None:
    a_resumption_learns_nothing_again(claude)


def test_a_resumed_codex_session_is_the_same_session(codex: Codex) -> None:
    a_resumption_learns_nothing_again(codex)


def test_a_resumed_gemini_session_is_the_same_session(gemini: Gemini) -> None:
    a_resumption_learns_nothing_again(gemini)


def test_a_resumed_opencode_session_is_the_same_session(opencode: OpenCode) -> None:
    a_resumption_learns_nothing_again(opencode)


def test_a_watched_claude_code_session_ends_with_its_process(claude: Claude) -> None:
    ends_with_its_process(claude, "Bash", {"description": "Wait"})


def test_a_watched_codex_session_ends_with_its_process(codex: Codex) -> None:
    ends_with_its_process(codex, "exec_command", {"yield_time_ms": 30_000})


def test_a_watched_opencode_session_ends_with_its_process(opencode: OpenCode) -> None:
    ends_with_its_process(opencode, "Bash", {"description": "Wait"})
