"""Discovery of skills, and what happens to invalid ones."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.learning.skills import discovery
from mind_skills.learning.skills.discovery import find_installed_skills, find_skills, list_folders
from mind_skills.learning.skills.files import read_scalar, split_skill_file

NAMES = ("name", "description", "metadata", "license")


def skill(folder: Path, name: str, text: str = "") -> Path:
    path = folder / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(
        text or f"---\nname: {name}\ndescription: Use when {name}.\n---\nBody of {name}.\n", encoding="utf-8"
    )
    return path


def found(root: Path) -> list[str]:
    return [skill.name for skill in find_installed_skills(str(root)).skills]


class TestWhere:
    def test_every_folder_that_some_host_reads_counts_the_nearest_first(self, repository: Path, home: Path) -> None:
        places = [
            repository / "app/.claude/skills",
            repository / "app/.agents/skills",
            repository / ".claude/skills",
            repository / ".gemini/skills",
            home / ".claude/skills",
            home / ".config/opencode/skills",
            home / ".codex/skills",
        ]
        for number, place in enumerate(places):
            skill(place, f"s{number}")
        skill(repository.parent / ".claude/skills", "above-the-repository")
        assert sorted(found(repository / "app")) == [f"s{number}" for number in range(7)]
        assert found(repository / "app")[0] == "s0"
        shutil.rmtree(repository / ".git")
        assert sorted(found(repository / "app")) == ["s0", "s1", "s4", "s5", "s6"]

    def test_the_environment_moves_the_folders_of_the_home(
        self, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for variable, below in (("CLAUDE_CONFIG_DIR", ""), ("CODEX_HOME", ""), ("GEMINI_CLI_HOME", ".gemini")):
            monkeypatch.setenv(variable, str(tmp_path / variable))
            skill(tmp_path / variable / below / "skills", variable.lower().replace("_", "-"))
        skill(tmp_path / "home/.claude/skills", "left-behind")
        assert sorted(found(repository)) == ["claude-config-dir", "codex-home", "gemini-cli-home"]

    def test_a_plugin_of_claude_code_counts_unless_it_is_switched_off(self, repository: Path, tmp_path: Path) -> None:
        plugins = tmp_path / "home/.claude/plugins"
        for name in ("on", "off"):
            skill(plugins / f"cache/m/{name}/1.0/skills", f"{name}-skill")
        listed = {
            f"{name}@m": [{"scope": "user", "installPath": str(plugins / f"cache/m/{name}/1.0")}]
            for name in ("on", "off")
        }
        strange = {
            "a@m": "x",
            "b@m": [{"installPath": 3}, "y"],
            "c@m": [{"installPath": "relative"}, {"installPath": "/\0"}],
        }
        (plugins / "installed_plugins.json").write_text(json.dumps({"version": 2, "plugins": listed | strange}))
        (plugins.parent / "settings.json").write_text(json.dumps({"enabledPlugins": {"off@m": False, "on@m": True}}))
        assert found(repository) == ["on-skill"]
        for broken in ("", "[]", "{", '{"plugins": []}', "[" * 100_000):
            (plugins / "installed_plugins.json").write_text(broken)
            assert found(repository) == []

    def test_without_a_home_the_project_is_all_there_is(
        self, repository: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        skill(repository / ".claude/skills", "one")
        monkeypatch.setattr(os.path, "expanduser", lambda path: path)
        assert found(repository) == ["one"]
        assert all(place.startswith(str(repository)) for place in list_folders(str(repository)))


class TestWhat:
    def test_a_skill_carries_its_description_and_its_words(self, repository: Path) -> None:
        path = skill(repository / ".claude/skills", "round-money")
        (one,) = find_installed_skills(str(repository)).skills
        assert (one.name, one.path, one.description) == ("round-money", str(path), "Use when round-money.")
        assert one.split_passages() == [{"round", "money", "name", "description", "body"}]

    def test_a_file_that_several_links_lead_to_is_one_skill(self, repository: Path) -> None:
        skill(repository / ".agents/skills", "one")
        (repository / ".claude").mkdir()
        (repository / ".claude/skills").symlink_to(repository / ".agents/skills")
        assert found(repository) == ["one"]

    @pytest.mark.parametrize("what", ["pipe", "folder", "loop", "nowhere", "no permission"])
    def test_what_cannot_be_read_is_passed_over_with_a_warning(self, repository: Path, what: str) -> None:
        skill(repository / ".claude/skills", "good")
        path = skill(repository / ".claude/skills", "bad")
        path.unlink()
        if what == "pipe":
            os.mkfifo(path)
        elif what == "folder":
            path.mkdir()
        elif what == "no permission":
            path.touch(0o000)
            if os.access(path, os.R_OK):
                pytest.skip("this user may read everything")
        else:
            path.symlink_to(path if what == "loop" else repository / "gone")
        done = find_installed_skills(str(repository))
        assert ([one.name for one in done.skills], done.warnings) == (
            ["good"],
            (f"{path} is not a readable file",),
        )

    def test_what_is_no_folder_of_skills_is_passed_over(self, repository: Path) -> None:
        (repository / ".claude").mkdir()
        (repository / ".claude/skills").write_text("a file")
        (repository / ".agents/skills/empty").mkdir(parents=True)
        (repository / ".codex").symlink_to(repository / ".codex")
        done = find_installed_skills(str(repository))
        assert (done.skills, len(done.warnings)) == ((), 1)

    def test_one_without_frontmatter_counts_and_is_warned_of(self, repository: Path) -> None:
        path = skill(repository / ".claude/skills", "bare", "just text")
        done = find_installed_skills(str(repository))
        assert ([one.description for one in done.skills], done.warnings) == (
            [""],
            (f"{path} has no complete frontmatter",),
        )

    def test_number_and_bytes_are_bounded(self, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for number in range(9):
            skill(repository / ".claude/skills", f"s{number}", "---\nname: x\n---\n" + "word " * 40)
        monkeypatch.setattr(discovery, "MAX_SKILLS", 3)
        done = find_installed_skills(str(repository))
        assert ([one.name for one in done.skills], len(done.warnings)) == (["s0", "s1", "s2"], 1)
        monkeypatch.setattr(discovery, "MAX_SKILLS", 300)
        monkeypatch.setattr(discovery, "MAX_TOTAL_BYTES", 500)
        assert found(repository) == ["s0", "s1", "s2"]
        monkeypatch.setattr(discovery, "MAX_FOLDER_ENTRIES", 2)
        assert len(find_skills([str(repository / ".claude/skills")]).skills) == 2


class TestFrontmatter:
    @pytest.mark.parametrize(
        ("front", "said"),
        [
            ("description: Use when x.", "Use when x."),
            ("description:   Use when x   # a comment", "Use when x"),
            ('description: "Use \\"when\\" x: y"', 'Use "when" x: y'),
            ("description: 'it''s'", "it's"),
            ("description: >-\n  Use when\n\n  x.\nname: y", "Use when x."),
            ("description: |\n\tUse when\n\tx.", "Use when x."),
            ("description: Use\n  when x.\nname: y", "Use when x."),
            ("description:\n  Use when x.", "Use when x."),
            ("description:", ""),
            ("description :Use", ""),
            ("descriptions: Use", ""),
            ("metadata:\n  description: no", ""),
            ("", ""),
        ],
    )
    def test_a_description_is_found_in_every_style(self, front: str, said: str) -> None:
        assert read_scalar(front, "description") == said

    @pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    def test_line_ends_and_a_byte_order_mark_change_nothing(self, ends: str, mark: str) -> None:
        text = mark + ends.join(["---", "name: a", "---", "", "Body", "---", "more"])
        assert split_skill_file(text) == ("name: a\n", "\nBody\n---\nmore", 4, "")

    def test_what_has_no_frontmatter_is_all_body(self) -> None:
        assert split_skill_file("# x\n---\n") == ("", "# x\n---\n", 1, "none")
        assert split_skill_file("---\nname: x\n") == ("", "---\nname: x\n", 1, "open")
        assert split_skill_file("---x\n---\n").problem == "none"
        assert (
            split_skill_file("").problem,
            split_skill_file("---").problem,
            split_skill_file("---\n---").problem,
        ) == ("none", "open", "")

    @given(st.text(max_size=300), st.sampled_from(NAMES))
    def test_nothing_that_is_text_is_an_error(self, text: str, key: str) -> None:
        parts = split_skill_file(f"---\n{text}\n---\n")
        assert "\n" not in read_scalar(parts.front, key)
        split_skill_file(text)
