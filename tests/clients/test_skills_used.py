"""The real Claude Code and OpenCode: the skills that a session used are recorded, however the model received them."""

from __future__ import annotations

from pathlib import Path

from tests.clients.real_claude import Claude
from tests.clients.real_opencode import OpenCode

TEXT = "---\nname: exact-money\ndescription: Use when prices are floats.\n---\nUse str().\n"


def write_skill(project: Path) -> Path:
    path = project / ".claude/skills/exact-money/SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT)
    return path


def test_claude_code_uses_a_skill_by_loading_reading_or_a_slash_command(claude: Claude) -> None:
    path = write_skill(claude.project)
    claude.session("one", [{"tool": "Skill", "input": {"skill": "exact-money"}}], ["Done."])
    claude.session("two", [{"tool": "Read", "input": {"file_path": str(path)}}], ["Done."])
    claude.session("three", ["Done."], prompt="/exact-money")
    claude.session("four", [{"tool": "Grep", "input": {"pattern": "str", "path": str(path)}}], ["Done."])
    assert claude.list_uses() == [("exact-money", str(path), how, "") for how in ("tool", "read", "host")]
    assert claude.hook_log() == ""


def test_opencode_loads_and_reads_a_skill(opencode: OpenCode) -> None:
    path = write_skill(opencode.project)
    opencode.provide_ripgrep()
    opencode.session("one", [{"tool": "skill", "input": {"name": "exact-money"}}], ["Done."])
    opencode.session("two", [{"tool": "Read", "input": {"file_path": str(path)}}], ["Done."])
    assert opencode.list_uses() == [("exact-money", str(path), how, "") for how in ("tool", "read")]
    assert opencode.hook_log() == ""
