"""The real Claude Code with hooks in the user's settings instead of the plugin: installed, learns, tells once, uninstalled."""

from __future__ import annotations

from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import blocks, hook_log, pending, settled
from tests.clients.real_claude import Client

SETTINGS = """{
  "env": {"MINE": "1"},
  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}
}
"""


def test_installed_into_the_settings_it_learns_tells_once_and_goes_without_a_trace(claude: Client) -> None:
    claude.plugin = None
    settings = claude.home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text(SETTINGS)
    before = settings.read_bytes()
    claude.mind_skills("install", "claude-code")
    write_project(claude)
    script_lesson(claude, "one")
    assert claude.say("The prices test fails, please fix it.").code == 0
    settled(claude)
    assert ([blocks(request) for request in claude.requests("one")], hook_log(claude)) == ([[]] * 7, "")
    waiting = pending(claude)
    assert [item["host"] for item in waiting] == ["claude-code"]

    look = {"tool": "Bash", "input": {"command": "ls", "description": "Look around"}}
    claude.script("two", [look], ["Nothing to do."])
    assert claude.say("What is here?").code == 0
    settled(claude)
    told = [blocks(request) for request in claude.requests("two")]
    assert [len(copies) for copies in told] == [1, 1]
    assert waiting[0]["id"] in told[0][0]

    report = claude.mind_skills("doctor")
    assert (report["healthy"], [one["verdict"] for one in report["loops"]]) == (True, ["working"])
    claude.script("three", ["Nothing."])
    assert claude.say("Hello?").code == 0
    settled(claude)
    assert [blocks(request) for request in claude.requests("three")] == [[]]
    assert claude.mind_skills("uninstall", "claude-code", "--verify")["residue"] == []
    assert settings.read_bytes() == before
    claude.script("four", ["Nothing."])
    seen = report["loops"][0]["observed"]["count"]
    assert claude.say("Still there?").code == 0
    assert claude.mind_skills("status")["loops"][0]["observed"]["count"] == seen + 1
