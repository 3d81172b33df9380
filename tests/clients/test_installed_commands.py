"""What `mind-skills install` makes visible in each real client on a terminal: slash commands and the status line."""

from __future__ import annotations

import json

import pytest

from mind_skills.hooks.start import find_command
from tests.clients.client import Client
from tests.clients.lesson import stage_lesson
from tests.clients.real_claude import Claude
from tests.clients.terminal import open_terminal


@pytest.mark.parametrize("client", ["claude", "gemini", "opencode"], indirect=True)
def test_an_installed_slash_command_gives_the_model_a_command_that_it_can_run(client: Client) -> None:
    client.remove_hooks()
    client.mind_skills("install", client.host, "--yes", "--no-history", "--no-mcp")
    client.script("one", ["Answer one."])
    with open_terminal(client) as shown:
        shown.ask("/mind-skills-status", lambda: "Answerone." in shown.screen)
        shown.leave()
    client.wait_until_settled()
    sent = json.dumps(client.requests("one"))
    assert (f"Run `{find_command()} status --json` and tell the user" in sent, "Installed by" in sent) == (True, False)
    assert client.mind_skills("uninstall", client.host, "--verify")["residue"] == []


def test_the_users_status_line_is_shown_next_to_the_number_of_waiting_candidates(claude: Claude) -> None:
    stage_lesson(claude)
    claude.plugin = None
    settings = claude.home / ".claude/settings.json"
    settings.write_text('{"statusLine": {"type": "command", "command": "echo mine: ok # mine"}}')
    before = settings.read_bytes()
    claude.mind_skills("install", "claude-code", "--yes", "--no-history", "--no-mcp", "--statusline")
    installed = settings.read_bytes()
    line = {"statusLine": json.loads(installed)["statusLine"]}  # the start hook would offer the pending candidate
    settings.write_text(json.dumps(line))
    with open_terminal(claude) as shown:
        shown.until(lambda: "mine:ok|1learningtoreview" in shown.screen, "the status line")
        shown.leave()
    claude.wait_until_settled()
    settings.write_bytes(installed)
    claude.mind_skills("uninstall", "claude-code", "--verify")
    assert settings.read_bytes() == before
