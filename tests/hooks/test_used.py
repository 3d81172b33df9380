"""Skills that sessions use: put down once a session, and counted for the candidate that each came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.hooks.session_skills import find_used_skills
from mind_skills.learning.outcome import Outcome
from mind_skills.observations.model import Session
from mind_skills.staging.analyse import Analysis, WrittenSkill
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.skill_use import SkillUse
from mind_skills.staging.tables.uses import SkillUseRecord
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
        """Session, name of the skill, how, and the candidate that it came from, of each row; every path is the file's."""
        with Ledger.open(self.home) as ledger:
            rows = ledger.list_uses()
        assert all(row.path in ("", str(self.skill(row.name))) for row in rows)
        return [(row.session, row.name, row.how, self.known.get(row.candidate, "")) for row in rows]

    def counted(self) -> list[tuple[str, str]]:
        """Session and candidate of each receipt of a use."""
        with Ledger.open(self.home) as ledger:
            return [(r.session, self.known[r.candidate]) for r in ledger.list_receipts() if r.event == "used"]


@pytest.fixture
def users(tmp_path: Path) -> Users:
    with Users(tmp_path) as world:
        world.tell("A starts\n A learns one\n A ends\n B starts\n B writes one\n B answers\n B ends")
        assert world.history() == {"one": "accepted"}
    return world


def test_writing_a_skill_is_not_using_it(users: Users) -> None:
    assert (users.used(), users.counted()) == ([], [])


def test_a_skill_that_is_loaded_or_read_is_put_down_and_counted_once_a_session(users: Users) -> None:
    users.tell("C starts\n C answers\n C loads one\n C loads one\n C reads_skill one\n C idles")
    assert (users.used(), users.counted()) == ([("C", "one", "tool", "one")], [])
    users.tell(
        "C ends\n C ends\n later C starts, resume\n C answers\n C ends\n later D starts\n D reads_skill one\n D ends"
    )
    assert users.used() == [("C", "one", "tool", "one"), ("D", "one", "read", "one")]
    assert users.counted() == [("C", "one"), ("D", "one")]


def test_a_session_that_was_killed_has_used_its_skills_when_it_is_recovered(users: Users) -> None:
    users.tell("C runs\n C starts\n C loads one\n C dies\n later D starts")
    assert (users.used(), users.counted()) == ([("C", "one", "tool", "one")], [("C", "one")])


def test_a_skill_that_came_from_no_candidate_is_put_down_and_counted_for_none(users: Users) -> None:
    users.tell("C starts\n C loads superpowers:debugging\n C loads mind-skills:review\n C ends")
    assert (users.used(), users.counted()) == ([("C", "superpowers:debugging", "tool", "")], [])


def test_reading_a_skill_in_order_to_change_it_is_not_using_it(users: Users) -> None:
    users.tell("C starts\n C reads_skill one\n C idles\n later C writes one\n C ends")
    assert (users.used(), users.counted()) == ([], [])


def test_a_skill_that_was_moved_is_known_by_the_candidate_that_it_names(users: Users) -> None:
    moved = users.skill("better-name")
    users.skill("one").parent.rename(moved.parent)
    users.tell("C starts\n C loads better-name\n C ends")
    assert (users.used(), users.counted()) == ([("C", "better-name", "tool", "one")], [("C", "one")])


def test_a_candidate_whose_acceptance_was_taken_back_is_not_counted(users: Users) -> None:
    with Ledger.open(users.home) as ledger:
        ledger.undo(users.now)
    users.tell("C starts\n C loads one\n C ends")
    assert users.counted() == []


def test_the_outcome_of_a_session_is_kept_when_it_has_ended(users: Users) -> None:
    users.tell("C starts\n C answers\n C idles")
    with Ledger.open(users.home) as ledger:
        before = [ended.session for ended in ledger.list_outcomes()]
    users.tell("later C ends")
    with Ledger.open(users.home) as ledger:
        (last,) = [ended for ended in ledger.list_outcomes() if ended.session == "C"]
    assert before == ["A", "B"]
    assert (last.type, last.success, last.score, last.error_count) == ("unknown", None, None, 0)


def analysis(*uses: SkillUse, wrote: tuple[WrittenSkill, ...] = ()) -> Analysis:
    return Analysis(Session(), UNKNOWN, [], skills_used=list(uses), skills_written=list(wrote))


def stand(folder: Path, name: str, text: str = "Body.") -> str:
    path = folder / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return str(path)


def test_a_name_is_looked_for_where_the_host_looks_the_project_before_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    mine = stand(tmp_path / "home/.gemini/skills", "a")
    theirs = stand(tmp_path / "project/.gemini/skills", "b", f"candidate: {learning('x').id}")
    stand(tmp_path / "home/.agents/skills", "b")
    found = find_used_skills(
        analysis(*(SkillUse(name, "", "tool", 1, 1) for name in ("a", "b", "c"))), str(tmp_path / "project"), "gemini"
    )
    assert found == [
        SkillUseRecord("a", mine, "tool", line=1),
        SkillUseRecord("b", theirs, "tool", ids=(learning("x").id,), line=1),
        SkillUseRecord("c", "", "tool", line=1),
    ]


def test_what_the_host_brought_tells_the_path_of_the_name_that_was_loaded(tmp_path: Path) -> None:
    path = "/home/me/.claude/plugins/cache/x/skills/debugging/SKILL.md"
    uses = (SkillUse("x:debugging", "", "tool", 3, 3), SkillUse("debugging", path, "host", 4, 4))
    assert find_used_skills(analysis(*uses), str(tmp_path), "claude-code") == [
        SkillUseRecord("x:debugging", path, "tool", line=3)
    ]


def test_a_skill_of_a_plugin_is_not_the_projects_of_that_name(tmp_path: Path) -> None:
    stand(tmp_path / ".claude/skills", "debugging")
    (use,) = find_used_skills(analysis(SkillUse("x:debugging", "", "tool", 3, 3)), str(tmp_path), "claude-code")
    assert use == SkillUseRecord("x:debugging", "", "tool", line=3)


def test_a_file_in_no_folder_for_skills_is_one_only_if_a_candidate_became_it(tmp_path: Path) -> None:
    path = stand(tmp_path / "docs", "a")
    (use,) = find_used_skills(analysis(SkillUse("a", "docs/a/SKILL.md", "read", 1, 1)), str(tmp_path), "codex")
    assert use == SkillUseRecord("a", path, "read", is_installed=False, line=1)


def test_what_was_loaded_before_it_was_changed_was_used(tmp_path: Path) -> None:
    path = stand(tmp_path / ".claude/skills", "a")
    wrote = (WrittenSkill(path, "", 5),)
    uses = [analysis(SkillUse("a", "", "tool", line, line), wrote=wrote) for line in (4, 6)]
    assert [find_used_skills(one, str(tmp_path), "claude-code") for one in uses] == [
        [SkillUseRecord("a", path, "tool", line=4)],
        [],
    ]


def test_a_fork_has_not_used_what_its_parent_used(tmp_path: Path) -> None:
    path = stand(tmp_path / ".claude/skills", "a")
    log = analysis(SkillUse("a", "", "tool", 4, 4, 100))
    assert [len(find_used_skills(log, str(tmp_path), "claude-code", since)) for since in (0, 99, 101)] == [1, 1, 0]
    assert path
