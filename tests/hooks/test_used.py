"""Skills that sessions use: recorded once per session, and counted for the candidate that each came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.learning.outcome import Outcome
from mind_skills.observations.model import Session
from mind_skills.staging.analyse import Analysis, SkillUse, WrittenSkill
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.session_skills import find_used_skills
from mind_skills.staging.tables.sessions import SkillUseRecord
from tests.hooks.lifecycle_world import World, learning

UNKNOWN = Outcome("unknown", None, None, 0, 0, 0, "")


class Users(World):
    """Sessions that also load and read skills."""

    def calls(self, session: str, tool: str, **given: str) -> None:
        use = {"type": "tool_use", "id": f"t{self.now}{tool}", "name": tool, "input": given}
        self.block(session, "assistant", use)
        self.block(session, "user", {"type": "tool_result", "tool_use_id": f"t{self.now}{tool}", "content": "done"})

    def loads(self, session: str, name: str) -> None:
        self.calls(session, "Skill", skill=name)

    def reads_skill(self, session: str, name: str) -> None:
        self.calls(session, "Read", file_path=str(self.skill(name)))

    def skill(self, name: str) -> Path:
        return self.project / ".claude/skills" / name / "SKILL.md"

    def used(self) -> list[tuple[str, str, str, str]]:
        """Session, name of the skill, way of use and name of its candidate, for each row."""
        with Ledger.open(self.home) as ledger:
            rows = ledger.list_uses()
        assert all(row.path in ("", str(self.skill(row.name))) for row in rows)
        return [(row.session, row.name, row.how, self.names_by_id.get(row.candidate, "")) for row in rows]

    def counted(self) -> list[tuple[str, str]]:
        """Session and candidate of each use that was counted."""
        with Ledger.open(self.home) as ledger:
            return [(r.session, self.names_by_id[r.candidate]) for r in ledger.list_receipts() if r.event == "used"]


@pytest.fixture
def users(tmp_path: Path) -> Users:
    with Users(tmp_path) as world:
        world.tell("A starts\n A learns one\n A ends\n B starts\n B writes one\n B answers\n B ends")
        assert world.history() == {"one": "accepted"}
    return world


def test_writing_a_skill_is_not_using_it(users: Users) -> None:
    assert (users.used(), users.counted()) == ([], [])


def test_a_skill_that_is_loaded_or_read_is_recorded_and_counted_once_per_session(users: Users) -> None:
    users.tell("C starts\n C answers\n C loads one\n C loads one\n C reads_skill one\n C idles")
    assert (users.used(), users.counted()) == ([("C", "one", "tool", "one")], [])
    users.tell(
        "C ends\n C ends\n later C starts, resume\n C answers\n C ends\n later D starts\n D reads_skill one\n D ends"
    )
    assert users.used() == [("C", "one", "tool", "one"), ("D", "one", "read", "one")]
    assert users.counted() == [("C", "one"), ("D", "one")]


def test_recovery_records_the_skills_that_a_killed_session_used(users: Users) -> None:
    users.tell("C runs\n C starts\n C loads one\n C dies\n later D starts")
    assert (users.used(), users.counted()) == ([("C", "one", "tool", "one")], [("C", "one")])


def test_a_skill_that_came_from_no_candidate_is_recorded_and_counted_for_none(users: Users) -> None:
    users.tell("C starts\n C loads superpowers:debugging\n C loads mind-skills:review\n C ends")
    assert (users.used(), users.counted()) == ([("C", "superpowers:debugging", "tool", "")], [])


def test_reading_a_skill_in_order_to_change_it_is_not_using_it(users: Users) -> None:
    users.tell("C starts\n C reads_skill one\n C idles\n later C writes one\n C ends")
    assert (users.used(), users.counted()) == ([], [])


def test_a_moved_skill_is_recognised_by_the_candidate_that_its_file_names(users: Users) -> None:
    moved = users.skill("better-name")
    users.skill("one").parent.rename(moved.parent)
    users.tell("C starts\n C loads better-name\n C ends")
    assert (users.used(), users.counted()) == ([("C", "better-name", "tool", "one")], [("C", "one")])


def test_a_use_is_not_counted_for_a_candidate_whose_acceptance_was_undone(users: Users) -> None:
    with Ledger.open(users.home) as ledger:
        ledger.undo(users.now)
    users.tell("C starts\n C loads one\n C ends")
    assert users.counted() == []


def test_the_outcome_of_a_session_is_stored_at_its_end_and_not_before(users: Users) -> None:
    users.tell("C starts\n C answers\n C idles")
    with Ledger.open(users.home) as ledger:
        before = [ended.session for ended in ledger.list_outcomes()]
    users.tell("later C ends")
    with Ledger.open(users.home) as ledger:
        (last,) = [ended for ended in ledger.list_outcomes() if ended.session == "C"]
    assert before == ["A", "B"]
    assert (last.type, last.success, last.score, last.error_count) == ("unknown", None, None, 0)


def analysis(*uses: SkillUse, wrote: tuple[WrittenSkill, ...] = ()) -> Analysis:
    return Analysis(Session(), UNKNOWN, skills_used=list(uses), skills_written=list(wrote))


def write_skill(folder: Path, name: str, text: str = "Body.") -> str:
    path = folder / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return str(path)


def test_a_loaded_skill_is_looked_for_in_the_folders_of_its_host_and_in_the_project_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    mine = write_skill(tmp_path / "home/.gemini/skills", "a")
    theirs = write_skill(tmp_path / "project/.gemini/skills", "b", f"candidate: {learning('x').id}")
    write_skill(tmp_path / "home/.agents/skills", "b")
    found = find_used_skills(
        analysis(*(SkillUse(name, "", "tool", 1, 1) for name in ("a", "b", "c"))), str(tmp_path / "project"), "gemini"
    )
    assert found == [
        SkillUseRecord("a", mine, "tool", line=1),
        SkillUseRecord("b", theirs, "tool", ids=(learning("x").id,), line=1),
        SkillUseRecord("c", "", "tool", line=1),
    ]


def test_a_skill_text_supplied_by_the_host_shows_the_path_of_the_loaded_skill(tmp_path: Path) -> None:
    path = "/home/me/.claude/plugins/cache/x/skills/debugging/SKILL.md"
    uses = (SkillUse("x:debugging", "", "tool", 3, 3), SkillUse("debugging", path, "host", 4, 4))
    assert find_used_skills(analysis(*uses), str(tmp_path), "claude-code") == [
        SkillUseRecord("x:debugging", path, "tool", line=3)
    ]


def test_a_plugin_skill_is_not_resolved_to_the_project_skill_of_the_same_name(tmp_path: Path) -> None:
    write_skill(tmp_path / ".claude/skills", "debugging")
    (use,) = find_used_skills(analysis(SkillUse("x:debugging", "", "tool", 3, 3)), str(tmp_path), "claude-code")
    assert use == SkillUseRecord("x:debugging", "", "tool", line=3)


def test_a_skill_read_outside_the_skill_folders_is_recorded_as_not_installed(tmp_path: Path) -> None:
    path = write_skill(tmp_path / "docs", "a")
    (use,) = find_used_skills(analysis(SkillUse("a", "docs/a/SKILL.md", "read", 1, 1)), str(tmp_path), "codex")
    assert use == SkillUseRecord("a", path, "read", is_installed=False, line=1)


def test_a_skill_counts_as_used_only_if_it_was_loaded_before_the_session_changed_it(tmp_path: Path) -> None:
    path = write_skill(tmp_path / ".claude/skills", "a")
    wrote = (WrittenSkill(path, "", 5),)
    uses = [analysis(SkillUse("a", "", "tool", line, line), wrote=wrote) for line in (4, 6)]
    assert [find_used_skills(one, str(tmp_path), "claude-code") for one in uses] == [
        [SkillUseRecord("a", path, "tool", line=4)],
        [],
    ]


def test_a_fork_does_not_count_the_skills_that_its_parent_used(tmp_path: Path) -> None:
    write_skill(tmp_path / ".claude/skills", "a")
    log = analysis(SkillUse("a", "", "tool", 4, 4, 100), SkillUse("b", "", "tool", 5, 5, 200))
    used = {
        since: [each.name for each in find_used_skills(log, str(tmp_path), "claude-code", since)]
        for since in (0, 100, 101, 201)
    }
    assert used == {0: ["a", "b"], 100: ["a", "b"], 101: ["b"], 201: []}


def test_a_skill_counts_as_used_although_the_session_wrote_another_of_the_same_name(tmp_path: Path) -> None:
    path = write_skill(tmp_path / ".claude/skills", "a")
    wrote = (WrittenSkill(str(tmp_path / "elsewhere/a/SKILL.md"), "", 3),)
    log = analysis(SkillUse("a", path, "tool", 4, 4), SkillUse("other", "", "tool", 5, 5), wrote=wrote)
    assert find_used_skills(log, str(tmp_path), "claude-code") == [
        SkillUseRecord("a", path, "tool", line=4),
        SkillUseRecord("other", "", "tool", line=5),
    ]
