"""Which skills a session used, told from its tool calls and from what the host put before the model."""

from __future__ import annotations

from typing import Any

import pytest

from mind_skills.observations import builders
from mind_skills.observations.builders import build_tool_call
from mind_skills.observations.model import LoadedSkill, Observation, Session
from mind_skills.staging.skill_use import SkillMeter, SkillUse


def seen(*observations: Observation, session: Session | None = None) -> list[SkillUse]:
    meter = SkillMeter(session or Session())
    for observation in observations:
        meter.feed(observation)
    assert meter.result() == meter.result()
    return meter.result()


def called(name: str, action: Any, line: int = 1, outcome: Any = "ok", **more: Any) -> Observation:
    return build_tool_call(name, action, line=line, outcome=outcome, **more)


@pytest.mark.parametrize("name", ["Skill", "skill", "activate_skill"])
def test_every_hosts_tool_for_skills_is_known(name: str) -> None:
    assert seen(called(name, "other", command="debugging", at=5)) == [SkillUse("debugging", "", "tool", 1, 1, 5)]


def test_a_file_that_was_read_is_named_after_its_folder() -> None:
    path = "/p/.claude/skills/debugging/SKILL.md"
    reads = [called("Read", "read", line, files=(path,), at=line) for line in (2, 7)]
    assert seen(*reads) == [SkillUse("debugging", path, "read", 2, 7, 7)]


PRINTED = {
    "cat .agents/skills/a/SKILL.md": ["a"],
    "sed -n '1,240p' /home/me/.codex/skills/b/SKILL.md": ["b"],
    "cd sub && cat .agents/skills/a/SKILL.md .agents/skills/b/SKILL.md | head -50": ["a", "b"],
    "bash -lc 'cat .agents/skills/a/SKILL.md'": ["a"],
    "pwd; head -20 '.agents/skills/a/SKILL.md'": ["a"],
    "cat .agents/skills/*/SKILL.md": [],
    "cat SKILL.md": [],
    "ls .agents/skills/a/SKILL.md": [],
    "grep -n x .agents/skills/a/SKILL.md": [],
    "sed -i s/a/b/ .agents/skills/a/SKILL.md": [],
    "cat > .agents/skills/a/SKILL.md <<'E'\nx\nE": [],
    "echo cat .agents/skills/a/SKILL.md": [],
    "rm .agents/skills/a/SKILL.md": [],
}


@pytest.mark.parametrize("command", PRINTED)
def test_a_shell_command_that_prints_a_skill_uses_it_and_no_other_does(command: str) -> None:
    assert [use.name for use in seen(called("exec_command", "run", command=command))] == PRINTED[command]


def test_what_was_refused_or_failed_or_written_was_not_used() -> None:
    path = ("/p/.claude/skills/a/SKILL.md",)
    calls = [called("Skill", "other", outcome=outcome, command="a") for outcome in ("failed", "rejected", "aborted")]
    calls += [called("Read", "read", outcome="failed", files=path), called("Write", "write", files=path)]
    assert seen(*calls, called("Grep", "search", files=path, command="SKILL.md")) == []


def test_what_the_host_brought_counts_with_its_path() -> None:
    session = Session(skills=[LoadedSkill("/p/skills/a/SKILL.md", 4, 9)])
    assert seen(session=session) == [SkillUse("a", "/p/skills/a/SKILL.md", "host", 4, 4, 9)]


BROUGHT = {
    "Base directory for this skill: /h/.claude/skills/a\n\n# A": "/h/.claude/skills/a/SKILL.md",
    "<skill>\n<name>b</name>\n<path>/h/.agents/skills/b/SKILL.md</path>\n---\nname: b": "/h/.agents/skills/b/SKILL.md",
    "<skill>\n<name>b</name>\n<path>/etc/passwd</path>": "",
    "Tell me about the base directory for this skill: /h": "",
    "": "",
}


@pytest.mark.parametrize("text", BROUGHT)
def test_a_message_that_brings_a_skill_names_its_file(text: str) -> None:
    session = Session()
    builders.record_skill(session, text, 3, 7)
    assert session.skills == ([LoadedSkill(BROUGHT[text], 3, 7)] if BROUGHT[text] else [])


def test_a_session_with_countless_skills_is_bounded() -> None:
    assert len(seen(*(called("Skill", "other", command=f"s{n}") for n in range(500)))) == 200
