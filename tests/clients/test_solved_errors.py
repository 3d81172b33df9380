"""A command that fails with an error which an earlier session solved, in the real clients: one line, once a session."""

from __future__ import annotations

import json
from typing import Any

from tests.clients.client import Client
from tests.clients.hook_client import HookClient
from tests.clients.lesson import bash
from tests.clients.real_claude import Claude
from tests.clients.real_codex import Codex
from tests.clients.real_gemini import Gemini
from tests.clients.real_opencode import OpenCode
from tests.clients.record_payloads import RECORDER

CHECK = "sh check_ledger.sh"
SCRIPT = '[ -f ledger.lock ] && echo "3 checks passed" || { echo "LedgerError: the lock of ledgerkit is not written yet" >&2; exit 3; }\n'
REMINDER = "mind-skills: the same error was solved on "


def solve(client: Client) -> None:
    """Run a session in which the command fails twice, and passes after another command."""
    (client.project / "check_ledger.sh").write_text(SCRIPT)
    client.session(
        "one",
        ["I run the check first.", bash(CHECK)],
        ["The lock is missing, so I try again.", bash(CHECK)],
        [
            "It turns out that the root cause is the lock: nothing writes it before the check.",
            bash("cp check_ledger.sh ledger.lock"),
        ],
        [bash(CHECK)],
        ["The root cause was the missing lock. It passes now."],
        prompt="The ledger check fails, please find out why.",
    )
    (client.project / "ledger.lock").unlink()


def count_reminders(client: Client, name: str) -> list[int]:
    """Run a session whose command passes, then fails twice; count the reminders in each request."""
    client.session(
        name, [bash("true")], [bash(CHECK)], [bash(CHECK)], ["It fails."], prompt="Run the ledger check, please."
    )
    return [str(request).count(REMINDER) for request in client.requests(name)]


def test_claude_code_is_told_once(claude: Claude) -> None:
    solve(claude)
    assert count_reminders(claude, "two") == [0, 0, 1, 1]
    claude.mind_skills("config", "set", "reminders", "false")
    assert count_reminders(claude, "three") == [0, 0, 0, 0]


def test_opencode_is_told_once(opencode: OpenCode) -> None:
    solve(opencode)
    assert count_reminders(opencode, "two") == [0, 0, 1, 1]
    opencode.mind_skills("config", "set", "reminders", "false")
    assert count_reminders(opencode, "three") == [0, 0, 0, 0]


def test_claude_code_is_told_of_a_skill_that_quotes_the_error(claude: Claude) -> None:
    (claude.project / "check_ledger.sh").write_text(SCRIPT)
    skill = claude.project / ".claude/skills/ledger-locks/SKILL.md"
    skill.parent.mkdir(parents=True)
    quote = "LedgerError: the lock of ledgerkit is not written yet"
    skill.write_text(f"---\nname: ledger-locks\ndescription: Locks of ledgers.\n---\nIf `{quote}` appears, write it.\n")
    claude.session("one", [bash("true")], ["Fine."], prompt="Is the ledger fine?")
    claude.session("two", [bash(CHECK)], [bash(CHECK)], ["It fails."], prompt="Run the ledger check, please.")
    line = "the skill ledger-locks covers this error; load it."
    assert [str(request).count(line) for request in claude.requests("two")] == [0, 1, 1]


def record_calls(client: HookClient, event: str) -> list[dict[str, Any]]:
    """Return what the client sends after a command that passes, and after one that fails."""
    into, script = client.home / "payloads", client.home / "record.py"
    into.mkdir()
    script.write_text(RECORDER)
    client.change(hooks={event: [{"hooks": [{"type": "command", "command": f"/usr/bin/python3 {script} {into}"}]}]})
    client.session("one", [bash("echo fine")], [bash("echo broken; exit 3")], ["Done."], prompt="Run both, please.")
    return [json.loads(path.read_text()) for path in sorted(into.iterdir())]


def test_codex_does_not_say_that_a_command_failed(codex: Codex) -> None:
    """If this fails, Codex has learned it: then it can have reminders (docs/hosts/codex.md)."""
    passed, failed = record_calls(codex, "PostToolUse")
    assert passed.keys() == failed.keys()
    assert (passed["tool_response"], failed["tool_response"]) == ("fine\n", "broken\n")


def test_gemini_says_it_only_in_the_text_after_every_command(gemini: Gemini) -> None:
    """If this fails, see docs/hosts/gemini.md."""
    passed, failed = record_calls(gemini, "AfterTool")
    assert passed["tool_response"].keys() == failed["tool_response"].keys()
    texts = passed["tool_response"]["llmContent"], failed["tool_response"]["llmContent"]
    assert ["Exit Code: 3" in text for text in texts] == [False, True]
