"""Which skills a session used, derived from its tool calls and from what the host gave to the model."""

from __future__ import annotations

from typing import Any

import pytest

from mind_skills.observations import builders
from mind_skills.observations.builders import build_tool_call
from mind_skills.observations.model import LoadedSkill, Observation, Session
from mind_skills.staging.analyse import SkillUse, SkillUseCollector


def list_uses(*observations: Observation, session: Session | None = None) -> list[SkillUse]:
    meter = SkillUseCollector(session or Session(host="claude-code"))
    for observation in observations:
        meter.feed(observation)
    assert meter.result() == meter.result()
    return meter.result()


def make_call(name: str, action: Any, line: int = 1, outcome: Any = "ok", **more: Any) -> Observation:
    return build_tool_call(name, action, line=line, outcome=outcome, **more)


@pytest.mark.parametrize(
    ("host", "name"), [("claude-code", "Skill"), ("opencode", "skill"), ("gemini", "activate_skill")]
)
def test_the_skill_tool_of_every_host_is_recognised(host: str, name: str) -> None:
    assert list_uses(make_call(name, "other", command="debugging", at=5), session=Session(host=host)) == [
        SkillUse("debugging", "", "tool", 1, 1, 5)
    ]


def test_a_skill_file_that_was_read_is_named_after_its_folder() -> None:
    path = "/p/.claude/skills/debugging/SKILL.md"
    reads = [make_call("Read", "read", line, files=(path,), at=line) for line in (2, 7)]
    assert list_uses(*reads) == [SkillUse("debugging", path, "read", 2, 7, 7)]


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
def test_only_a_shell_command_that_prints_a_skill_uses_it(command: str) -> None:
    assert [use.name for use in list_uses(make_call("exec_command", "run", command=command))] == PRINTED[command]


def test_a_failed_or_refused_call_a_write_and_a_search_are_no_use_of_a_skill() -> None:
    path = ("/p/.claude/skills/a/SKILL.md",)
    calls = [make_call("Skill", "other", outcome=outcome, command="a") for outcome in ("failed", "rejected", "aborted")]
    calls += [make_call("Read", "read", outcome="failed", files=path), make_call("Write", "write", files=path)]
    assert list_uses(*calls, make_call("Grep", "search", files=path, command="SKILL.md")) == []


def test_a_skill_that_the_host_supplied_counts_with_its_path() -> None:
    session = Session(skills=[LoadedSkill("/p/skills/a/SKILL.md", 4, 9)])
    assert list_uses(session=session) == [SkillUse("a", "/p/skills/a/SKILL.md", "host", 4, 4, 9)]


SUPPLIED = {
    "Base directory for this skill: /h/.claude/skills/a\n\n# A": "/h/.claude/skills/a/SKILL.md",
    "<skill>\n<name>b</name>\n<path>/h/.agents/skills/b/SKILL.md</path>\n---\nname: b": "/h/.agents/skills/b/SKILL.md",
    "<skill>\n<name>b</name>\n<path>/etc/passwd</path>": "",
    "Tell me about the base directory for this skill: /h": "",
    "": "",
}


@pytest.mark.parametrize("text", SUPPLIED)
def test_a_message_that_supplies_a_skill_records_its_file(text: str) -> None:
    session = Session()
    builders.record_skill(session, text, 3, 7)
    assert session.skills == ([LoadedSkill(SUPPLIED[text], 3, 7)] if SUPPLIED[text] else [])


def test_at_most_two_hundred_skills_of_a_session_are_recorded() -> None:
    assert len(list_uses(*(make_call("Skill", "other", command=f"s{n}") for n in range(500)))) == 200
