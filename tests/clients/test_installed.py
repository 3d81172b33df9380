"""The real Claude Code with hooks in the settings instead of the plugin: installed, learns, offers once, uninstalled."""

from __future__ import annotations

from tests.clients.lesson import LOOK, stage_lesson
from tests.clients.real_claude import Claude

SETTINGS = """{
  "env": {"MINE": "1"},
  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}
}
"""


def test_hooks_installed_into_the_settings_work_and_are_removed_without_a_trace(claude: Claude) -> None:
    claude.plugin = None
    settings = claude.home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text(SETTINGS)
    before = settings.read_bytes()
    claude.mind_skills("install", "claude-code", "--yes", "--no-history")
    candidate = stage_lesson(claude)

    claude.session("two", [LOOK], ["Nothing to do."], prompt="What is here?")
    offers = claude.list_offers("two")
    assert [len(copies) for copies in offers] == [1, 1]
    assert candidate in offers[0][0]

    report = claude.mind_skills("doctor")
    assert (report["healthy"], [one["verdict"] for one in report["loops"]]) == (True, ["working"])
    claude.session("three", ["Nothing."], prompt="Hello?")
    assert claude.list_offers("three") == [[]]
    assert claude.mind_skills("uninstall", "claude-code", "--verify")["residue"] == []
    assert settings.read_bytes() == before
    claude.script("four", ["Nothing."])
    seen = report["loops"][0]["observed"]["count"]
    assert claude.say("Still there?").code == 0
    assert claude.mind_skills("status")["loops"][0]["observed"]["count"] == seen + 1
