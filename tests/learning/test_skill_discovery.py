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
from mind_skills.learning.skills.discovery import find_installed_skills, find_skills, list_skill_folders
from mind_skills.learning.skills.files import read_scalar, split_skill_file

NAMES = ("name", "description", "metadata", "license")


def write_skill(folder: Path, name: str, text: str = "") -> Path:
    path = folder / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(
        text or f"---\nname: {name}\ndescription: Use when {name}.\n---\nBody of {name}.\n", encoding="utf-8"
    )
    return path


def list_names(root: Path) -> list[str]:
    return [each.name for each in find_installed_skills(str(root)).skills]


class TestFolders:
    def test_skills_are_found_in_the_folders_of_every_host_and_the_nearest_come_first(
        self, repository: Path, home: Path
    ) -> None:
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
            write_skill(place, f"s{number}")
        write_skill(repository.parent / ".claude/skills", "above-the-repository")
        assert sorted(list_names(repository / "app")) == [f"s{number}" for number in range(7)]
        assert list_names(repository / "app")[0] == "s0"
        shutil.rmtree(repository / ".git")
        assert sorted(list_names(repository / "app")) == ["s0", "s1", "s4", "s5", "s6"]

    def test_accepted_skills_are_found_in_every_folder_of_the_work_tree(self, repository: Path) -> None:
        near = write_skill(repository / "app/.claude/skills", "near")
        (repository / "tree").mkdir()
        (repository / "tree/.git").touch()
        other = write_skill(repository / "tree/.claude/skills", "other")
        above = write_skill(repository.parent / ".claude/skills", "above")
        accepted = [str(near), str(other), str(above), str(repository / "gone/SKILL.md"), "", "/x/SKILL.md"]
        for root in (repository, repository / "lib"):
            assert [each.name for each in find_installed_skills(str(root), accepted).skills] == ["near"]
        assert [each.name for each in find_installed_skills(str(repository / "tree"), accepted).skills] == ["other"]
        shutil.rmtree(repository / ".git")
        assert [each.name for each in find_installed_skills(str(repository), accepted).skills] == ["near"]

    def test_environment_variables_replace_the_skill_folders_in_the_home(
        self, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for variable, below in (("CLAUDE_CONFIG_DIR", ""), ("CODEX_HOME", ""), ("GEMINI_CLI_HOME", ".gemini")):
            monkeypatch.setenv(variable, str(tmp_path / variable))
            write_skill(tmp_path / variable / below / "skills", variable.lower().replace("_", "-"))
        write_skill(tmp_path / "home/.claude/skills", "left-behind")
        assert sorted(list_names(repository)) == ["claude-config-dir", "codex-home", "gemini-cli-home"]

    def test_skills_of_a_claude_code_plugin_are_found_unless_it_is_disabled(
        self, repository: Path, tmp_path: Path
    ) -> None:
        plugins = tmp_path / "home/.claude/plugins"
        for name in ("on", "off"):
            write_skill(plugins / f"cache/m/{name}/1.0/skills", f"{name}-skill")
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
        assert list_names(repository) == ["on-skill"]
        for broken in ("", "[]", "{", '{"plugins": []}', "[" * 100_000):
            (plugins / "installed_plugins.json").write_text(broken)
            assert list_names(repository) == []

    def test_only_skills_of_the_project_are_found_if_the_home_is_unknown(
        self, repository: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_skill(repository / ".claude/skills", "one")
        monkeypatch.setattr(os.path, "expanduser", lambda path: path)
        assert list_names(repository) == ["one"]
        assert all(place.startswith(str(repository)) for place in list_skill_folders(str(repository)))


class TestSkills:
    def test_a_found_skill_has_its_description_and_its_words(self, repository: Path) -> None:
        path = write_skill(repository / ".claude/skills", "round-money")
        (one,) = find_installed_skills(str(repository)).skills
        assert (one.name, one.path, one.description) == ("round-money", str(path), "Use when round-money.")
        assert one.split_passages() == [{"round", "money", "name", "description", "body"}]

    def test_a_skill_reachable_by_several_paths_is_listed_once(self, repository: Path) -> None:
        write_skill(repository / ".agents/skills", "one")
        (repository / ".claude").mkdir()
        (repository / ".claude/skills").symlink_to(repository / ".agents/skills")
        assert list_names(repository) == ["one"]

    @pytest.mark.parametrize("what", ["pipe", "folder", "loop", "nowhere", "no permission"])
    def test_an_unreadable_skill_file_is_skipped_with_a_warning(self, repository: Path, what: str) -> None:
        write_skill(repository / ".claude/skills", "good")
        path = write_skill(repository / ".claude/skills", "bad")
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
        assert ([one.name for one in done.skills], done.warnings) == (["good"], (f"{path} is not a readable file",))

    def test_files_and_link_loops_in_place_of_skill_folders_are_skipped(self, repository: Path) -> None:
        (repository / ".claude").mkdir()
        (repository / ".claude/skills").write_text("a file")
        (repository / ".agents/skills/empty").mkdir(parents=True)
        (repository / ".codex").symlink_to(repository / ".codex")
        done = find_installed_skills(str(repository))
        assert (done.skills, len(done.warnings)) == ((), 1)

    def test_a_skill_without_frontmatter_is_listed_with_a_warning(self, repository: Path) -> None:
        path = write_skill(repository / ".claude/skills", "bare", "just text")
        done = find_installed_skills(str(repository))
        assert ([one.description for one in done.skills], done.warnings) == (
            [""],
            (f"{path} has no complete frontmatter",),
        )

    def test_the_number_and_the_size_of_skills_are_bounded(
        self, repository: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number in range(9):
            write_skill(repository / ".claude/skills", f"s{number}", "---\nname: x\n---\n" + "word " * 40)
        monkeypatch.setattr(discovery, "MAX_SKILLS", 3)
        done = find_installed_skills(str(repository))
        assert ([one.name for one in done.skills], len(done.warnings)) == (["s0", "s1", "s2"], 1)
        monkeypatch.setattr(discovery, "MAX_SKILLS", 300)
        monkeypatch.setattr(discovery, "MAX_TOTAL_BYTES", 500)
        assert list_names(repository) == ["s0", "s1", "s2"]
        monkeypatch.setattr(discovery, "MAX_FOLDER_ENTRIES", 2)
        assert len(find_skills([str(repository / ".claude/skills")]).skills) == 2


class TestFrontmatter:
    @pytest.mark.parametrize(
        ("front", "expected"),
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
    def test_a_description_is_read_in_every_yaml_style(self, front: str, expected: str) -> None:
        assert read_scalar(front, "description") == expected

    @pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    def test_line_ends_and_a_byte_order_mark_do_not_change_the_parts_of_a_file(self, ends: str, mark: str) -> None:
        text = mark + ends.join(["---", "name: a", "---", "", "Body", "---", "more"])
        assert split_skill_file(text) == ("name: a\n", "\nBody\n---\nmore", 4, "")

    def test_a_file_without_frontmatter_is_all_body(self) -> None:
        assert split_skill_file("# x\n---\n") == ("", "# x\n---\n", 1, "none")
        assert split_skill_file("---\nname: x\n") == ("", "---\nname: x\n", 1, "open")
        assert split_skill_file("---x\n---\n").problem == "none"
        assert (
            split_skill_file("").problem,
            split_skill_file("---").problem,
            split_skill_file("---\n---").problem,
        ) == ("none", "open", "")

    @given(st.text(max_size=300), st.sampled_from(NAMES))
    def test_any_text_is_split_without_an_exception(self, text: str, key: str) -> None:
        parts = split_skill_file(f"---\n{text}\n---\n")
        assert "\n" not in read_scalar(parts.front, key)
        split_skill_file(text)
