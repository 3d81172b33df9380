"""The real Claude Code and OpenCode: the skills that a session used are put down, in whatever way they came before the model."""

from __future__ import annotations

from pathlib import Path

from mind_skills.staging.ledger import Ledger
from tests.clients import real_claude, real_codex, real_opencode
from tests.clients.offers import hook_log, settled

TEXT = "---\nname: exact-money\ndescription: Use when prices are floats.\n---\nUse str().\n"


def skill(project: Path) -> Path:
    path = project / ".claude/skills/exact-money/SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT)
    return path


def used(state: Path) -> list[tuple[str, str, str]]:
    """Name, path and way of each, a session after the other."""
    with Ledger.open(state) as ledger:
        return [(one.name, one.path, one.how) for one in ledger.skills_used()]


def test_claude_code_loads_reads_and_is_told_to_use_a_skill(claude: real_claude.Client) -> None:
    path = skill(claude.project)
    claude.script("one", [{"tool": "Skill", "input": {"skill": "exact-money"}}], ["Done."])
    assert claude.say("Hello").code == 0
    settled(claude)
    claude.script("two", [{"tool": "Read", "input": {"file_path": str(path)}}], ["Done."])
    assert claude.say("Hello").code == 0
    settled(claude)
    claude.script("three", ["Done."])
    assert claude.say("/exact-money").code == 0
    settled(claude)
    claude.script("four", [{"tool": "Grep", "input": {"pattern": "str", "path": str(path)}}], ["Done."])
    assert claude.say("Hello").code == 0
    settled(claude)
    assert used(claude.state) == [("exact-money", str(path), how) for how in ("tool", "read", "host")]
    assert hook_log(claude) == ""


def test_opencode_loads_and_reads_a_skill(opencode: real_opencode.Client) -> None:
    path = skill(opencode.project)
    # Its tool for skills needs ripgrep, which Codex brings along.
    opencode.extra["PATH"] = f"{real_codex.codex_binary().parents[1] / 'codex-path'}:/usr/local/bin:/usr/bin:/bin"
    opencode.script("one", [{"tool": "skill", "input": {"name": "exact-money"}}], ["Done."])
    assert opencode.say("Hello").code == 0
    settled(opencode)
    opencode.script("two", [{"tool": "Read", "input": {"file_path": str(path)}}], ["Done."])
    assert opencode.say("Hello").code == 0
    settled(opencode)
    assert used(opencode.state) == [("exact-money", str(path), how) for how in ("tool", "read")]
    assert hook_log(opencode) == ""
