"""What a repository's settings may do: disable, check less often, stage and offer less. All else is the user's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.errors import MindSkillsError
from mind_skills.learning.rules import load_rules
from mind_skills.settings import lenient
from mind_skills.settings.strict import load
from mind_skills.settings.table import PREFIX_KEY, TABLE

Run = Callable[..., Any]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def write_user_file(apart: Path) -> Callable[[str], Path]:
    return lambda text: write(apart / "home/.config/mind-skills/mind-skills.toml", text)


@pytest.fixture
def write_project_file(project: Path) -> Callable[[str], Path]:
    return lambda text: write(project / ".claude/mind-skills.toml", text)


def read_twice(project: Path) -> tuple[object, ...]:
    """The settings as hooks read them; the strict reader of commands reads the same."""
    root = str(project)
    strict = {each.key: each.value for each in load(root)}
    hooks = (
        lenient.is_enabled(root),
        lenient.get_idle_seconds(root),
        lenient.get_cap(root, "per_session"),
        lenient.get_cap(root, "per_offer"),
        lenient.get_skills_folder(root, "claude-code"),
        load_rules(root).anti_pattern.prefix,
    )
    keys = ("enabled", "idle_seconds", "caps.per_session", "caps.per_offer", "skills_dir.claude-code", PREFIX_KEY)
    assert hooks == tuple(strict[key] for key in keys)
    return hooks


USUAL = (True, 60, 5, 5, ".claude/skills", "AVOID: ")


@pytest.mark.parametrize(
    ("users", "projects", "expected"),
    [
        ("enabled = false", "enabled = true", (False, *USUAL[1:])),
        ("", "[skills_dir]\nclaude-code = '.git/hooks'", USUAL),
        ("", "[anti_pattern]\nanti_pattern_prefix = 'Run this:'", USUAL),
        ("", "idle_seconds = 10\n[caps]\nper_offer = 5", USUAL),
        ("[caps]\nper_offer = 2", "[caps]\nper_offer = 3\nper_session = 1", (True, 60, 1, 2, *USUAL[4:])),
        ("", "[caps]\nper_session = 3", (True, 60, 3, *USUAL[3:])),
        ("idle_seconds = 90", "idle_seconds = 80", (True, 90, *USUAL[2:])),
        ("", "enabled = false\nidle_seconds = 600\n[caps]\nper_offer = 1", (False, 600, 5, 1, *USUAL[4:])),
        ("", "nonsense = 1\n[learning]\nhalf_life_days = 1\n[projects.x]\nenabled = false", USUAL),
        ("", "idle_seconds = 'x'\n[caps]\nper_offer = 0", USUAL),
    ],
)
def test_a_setting_of_a_repository_counts_only_if_it_restricts(
    project: Path,
    write_user_file: Callable[[str], Path],
    write_project_file: Callable[[str], Path],
    users: str,
    projects: str,
    expected: tuple[object, ...],
) -> None:
    write_user_file(users)
    write_project_file(projects)
    assert read_twice(project) == expected


@given(
    st.sampled_from(list(TABLE)),
    st.sampled_from(["true", "false", "1", "3", "30", "900", "0.1", "'x'", "'.git'", "[]"]),
)
def test_only_five_settings_of_a_repository_can_change_anything(key: str, value: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setenv("MIND_SKILLS_CONFIG", f"{name}/user.toml")
        root = Path(name).resolve() / "project"
        section, dot, last = key.rpartition(".")
        write(root / ".claude/mind-skills.toml", f"[{section}]\n{last} = {value}\n" if dot else f"{last} = {value}\n")
        if key == "enabled" and value not in ("true", "false"):
            assert not lenient.is_enabled(str(root))  # a value that cannot be read may have been meant as false
            return
        changed = {key for key, _, origin in load(str(root)) if origin != "default"}
        assert changed <= set(lenient.RESTRICTIVE_DIRECTIONS) & {key}
        usual = {name: item for name, item, _ in load(name)}
        honoured = {key for key, found, _ in load(str(root)) if found != usual[key]}
        assert (key in [one for one, _ in lenient.list_ignored_settings(str(root))]) == (
            not honoured and not _is_default(key, value)
        )


def _is_default(key: str, value: str) -> bool:
    return key in ("enabled", "reminders") and value == "true"


def test_the_users_settings_for_one_project_take_precedence(
    project: Path, write_user_file: Callable[[str], Path], write_project_file: Callable[[str], Path], mind_skills: Run
) -> None:
    (project / ".git").mkdir()
    own = write_user_file("# mine\nenabled = false\n")
    write_project_file("idle_seconds = 600\n")
    assert read_twice(project)[:2] == (False, 600)
    for key, value in (("enabled", "true"), ("idle_seconds", "30"), ("skills_dir.claude-code", "skills")):
        assert mind_skills("config", "set", key, value, "--project").code == 0
    assert own.read_text() == (
        f'# mine\nenabled = false\n\n[projects."{project}"]\nenabled = true\nidle_seconds = 30\n\n'
        f'[projects."{project}".skills_dir]\nclaude-code = "skills"\n'
    )
    assert read_twice(project) == (True, 30, 5, 5, "skills", "AVOID: ")
    (project / "inner").mkdir()
    assert (read_twice(project / "inner")[0], lenient.is_enabled(str(project.parent))) == (True, False)


def test_the_doctor_names_each_setting_of_a_repository_that_is_not_honoured(
    project: Path, write_user_file: Callable[[str], Path], write_project_file: Callable[[str], Path], mind_skills: Run
) -> None:
    write_user_file("enabled = false\n")
    path = write_project_file(
        "enabled = true\nidle_seconds = 600\n[skills_dir]\ncodex = '.git/hooks'\n[x]\n'\\u001b[31mRun this <now>' = 1\n"
    )
    reason = "is not honoured: a project's file may only set enabled to false, lengthen idle_seconds and lower the caps"
    checks = [each for each in mind_skills("doctor", "--json").json["checks"] if reason in each["text"]]
    assert [(each["state"], each["text"]) for each in checks] == [
        ("note", f"{key} in {path} {reason}") for key in ("enabled", "skills_dir.codex", "a key")
    ]
    assert (
        checks[1]["mend"] == "Run `mind-skills config set skills_dir.codex VALUE --project` to set it in your own file."
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("retention_days", "60"),
        ("redact_personal_data", "true"),
        ("memory.episodes", "60"),
        ("memory.model", "60"),
    ],
)
def test_a_global_setting_cannot_be_set_for_one_project(key: str, value: str, mind_skills: Run, apart: Path) -> None:
    done = mind_skills("config", "set", key, value, "--project", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "config_value")
    assert not (apart / "home/.config").exists()


def test_a_global_setting_in_the_users_table_or_in_the_file_of_a_project_is_reported(
    project: Path, write_user_file: Callable[[str], Path], write_project_file: Callable[[str], Path], mind_skills: Run
) -> None:
    own = write_user_file(f'[projects."{project}"]\nredact_personal_data = false\n')
    write_project_file("redact_personal_data = false\n")
    assert lenient.should_redact_personal_data()
    with pytest.raises(MindSkillsError) as raised:
        load(str(project))
    assert (raised.value.message, raised.value.hint) == (
        f'redact_personal_data in [projects."{project}"] of {own}: cannot be set for a single project',
        "Remove it there; `mind-skills config set redact_personal_data VALUE` sets it for all projects.",
    )
    own.unlink()
    (note,) = [each for each in mind_skills("doctor", "--json").json["checks"] if "is not honoured" in each["text"]]
    assert note["mend"] == "Run `mind-skills config set redact_personal_data VALUE` to set it in your own file."


def test_a_project_whose_path_contains_quotes_and_dots_has_its_own_table(apart: Path, mind_skills: Run) -> None:
    odd = apart / 'a "b.c\\d[e]#'
    odd.mkdir()
    assert mind_skills("config", "set", "caps.per_offer", "2", "--project", "--in", odd).code == 0
    assert mind_skills("config", "set", "caps.per_offer", "3", "--project", "--in", odd).code == 0
    assert (lenient.get_cap(str(odd), "per_offer"), lenient.get_cap(str(apart), "per_offer")) == (3, 5)
