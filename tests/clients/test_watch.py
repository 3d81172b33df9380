"""`mind-skills watch` next to the real clients: it learns without hooks, and with hooks nothing counts twice."""

from __future__ import annotations

from typing import Any

from tests.clients.client import Client
from tests.clients.lesson import run_lesson
from tests.clients.real_claude import Claude
from tests.clients.real_codex import Codex
from tests.clients.real_gemini import Gemini
from tests.clients.real_opencode import OpenCode
from tests.clients.watched import open_watched, run_during_session, run_skill_session


def check_learning_without_hooks(client: Client) -> None:
    client.remove_hooks()
    with open_watched(client) as machine:
        machine.watch(quiet=0.5, longest=2.0, ended=2.0)
        session = machine.run_lesson()
        (candidate,) = machine.json("pending")["candidates"]
        assert (candidate["host"], candidate["sessions"]) == (client.host, [session])
        path = run_skill_session(client, candidate["id"])
        linked = machine.until(lambda event: event["event"] == "linked")
        assert (linked["candidate"], linked["path"]) == (candidate["id"], str(path))
        machine.wait_for_finished(2)
        assert (machine.pending(), machine.counts()["accepted"], machine.count_staged()) == ([], 1, 1)
        assert machine.stop() == 0


def check_counts_with_hooks(client: Client) -> None:
    with open_watched(client) as machine:
        machine.watch(quiet=0.5, longest=2.0, ended=2.0)
        session = machine.run_lesson()
        assert machine.stop() == 0
        again = machine.json("watch", "--once")
        assert (machine.list_candidate_sessions(), machine.count_staged(), again["candidates"]) == ([(session,)], 1, 0)


def check_fork(client: Client) -> None:
    client.remove_hooks()
    with open_watched(client) as machine:
        machine.watch(quiet=0.5, longest=2.0, ended=2.0)
        session = machine.run_lesson()
        client.session("fork", prompt="Hello again", more=client.fork_arguments(session))
        assert machine.wait_for_finished(2)[0] == session
        assert (machine.list_candidate_sessions(), machine.count_staged()) == ([(session,)], 1)


def check_resumption(client: Client) -> None:
    client.remove_hooks()
    with open_watched(client) as machine:
        run_lesson(client)
        machine.json("watch", "--once")
        client.session("more", prompt="Hello again", more=client.resume_arguments)
        second = machine.json("watch", "--once")
        ((session, _),) = machine.sessions()
        assert (second["looked"], machine.list_candidate_sessions(), machine.count_staged()) == (1, [(session,)], 1)


def check_end_with_process(client: Client, shell: str, more: dict[str, Any]) -> None:
    client.remove_hooks()
    with open_watched(client) as machine:
        machine.watch(quiet=0.5, longest=2.0, ended=3600.0)
        looked: list[str] = []

        def wait() -> None:
            looked.append(machine.until(lambda event: event["event"] == "looked")["session"])

        run_during_session(client, lambda command: {"tool": shell, "input": {**more, _COMMAND[shell]: command}}, wait)
        assert machine.wait_for_finished(1) == looked
        assert machine.stop() == 0


_COMMAND = {"Bash": "command", "exec_command": "cmd"}


def test_watching_learns_from_claude_code_without_hooks_and_links_its_skill(claude: Claude) -> None:
    check_learning_without_hooks(claude)


def test_watching_learns_from_codex_without_hooks_and_links_its_skill(codex: Codex) -> None:
    check_learning_without_hooks(codex)


def test_watching_learns_from_gemini_without_hooks_and_links_its_skill(gemini: Gemini) -> None:
    check_learning_without_hooks(gemini)


def test_watching_learns_from_opencode_without_hooks_and_links_its_skill(opencode: OpenCode) -> None:
    check_learning_without_hooks(opencode)


def test_watching_in_addition_to_claude_codes_hooks_counts_nothing_twice(claude: Claude) -> None:
    check_counts_with_hooks(claude)


def test_watching_in_addition_to_codexs_hooks_counts_nothing_twice(codex: Codex) -> None:
    check_counts_with_hooks(codex)


def test_watching_in_addition_to_geminis_hooks_counts_nothing_twice(gemini: Gemini) -> None:
    check_counts_with_hooks(gemini)


def test_watching_in_addition_to_opencodes_plugin_counts_nothing_twice(opencode: OpenCode) -> None:
    check_counts_with_hooks(opencode)


def test_watching_a_claude_code_fork_does_not_learn_from_its_parents_part_again(claude: Claude) -> None:
    check_fork(claude)


def test_watching_a_codex_fork_does_not_learn_from_its_parents_part_again(codex: Codex) -> None:
    check_fork(codex)


def test_watching_an_opencode_fork_does_not_learn_from_its_parents_part_again(opencode: OpenCode) -> None:
    check_fork(opencode)


def test_a_resumed_claude_code_session_is_the_same_session(claude: Claude) -> None:
    check_resumption(claude)


def test_a_resumed_codex_session_is_the_same_session(codex: Codex) -> None:
    check_resumption(codex)


def test_a_resumed_gemini_session_is_the_same_session(gemini: Gemini) -> None:
    check_resumption(gemini)


def test_a_resumed_opencode_session_is_the_same_session(opencode: OpenCode) -> None:
    check_resumption(opencode)


def test_a_watched_claude_code_session_ends_with_its_process(claude: Claude) -> None:
    check_end_with_process(claude, "Bash", {"description": "Wait"})


def test_a_watched_codex_session_ends_with_its_process(codex: Codex) -> None:
    check_end_with_process(codex, "exec_command", {"yield_time_ms": 30_000})


def test_a_watched_opencode_session_ends_with_its_process(opencode: OpenCode) -> None:
    check_end_with_process(opencode, "Bash", {"description": "Wait"})
