"""A command that fails with an error which an earlier session solved, in the real clients: one line, once a session."""

from __future__ import annotations

from tests.clients.client import Client
from tests.clients.lesson import bash
from tests.clients.real_claude import Claude
from tests.clients.real_opencode import OpenCode

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
