from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.errors import MindSkillsError
from mind_skills.settings import lenient
from mind_skills.settings.edit import edit_text, parse_value, set_value
from mind_skills.settings.strict import check, load
from mind_skills.settings.table import PREFIX_KEY, TABLE, WRITING_MODES
from mind_skills.store.home import get_settings_path

DEFAULTS = {
    "enabled": True,
    "idle_seconds": 60,
    "retention_days": 365,
    "redact_personal_data": True,
    "write_skills": "ask",
    "reminders": True,
    "reminders_silent_share": 0.0,
    "share_with_team": False,
    "caps.per_session": 5,
    "caps.per_offer": 5,
    "skills_dir.claude-code": ".claude/skills",
    "skills_dir.opencode": ".claude/skills",
    "skills_dir.codex": ".agents/skills",
    "skills_dir.gemini": ".agents/skills",
    "skills_dir.antigravity": ".agents/skills",
    "learning.half_life_days": 90.0,
    "learning.min_feedback_for_adjustment": 3,
    "learning.max_harmful_ratio": 0.3,
    "learning.fast_completion_threshold_ms": 300_000,
    "learning.slow_completion_threshold_ms": 1_800_000,
    "learning.max_errors_neutral": 2,
    "anti_pattern.min_observations": 3,
    "anti_pattern.failure_ratio_threshold": 0.6,
    "anti_pattern.anti_pattern_prefix": "AVOID: ",
    "maturity.min_feedback": 3,
    "maturity.min_helpful": 5.0,
    "maturity.max_harmful": 0.15,
    "maturity.deprecation_threshold": 0.3,
    "maturity.half_life_days": 90.0,
    "memory.index": ".hive/vectors/patterns.lance",
    "memory.model": "sentence-transformers/all-mpnet-base-v2",
    "memory.episodes": 2_000,
}


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def user(apart: Path, text: str) -> Path:
    return write(apart / "home/.config/mind-skills/mind-skills.toml", text)


def test_without_files_the_defaults_are_in_force(project: Path) -> None:
    assert load(str(project)) == [(key, value, "default") for key, value in DEFAULTS.items()]


def test_a_project_restricts_the_users_settings_and_each_value_names_its_file(apart: Path, project: Path) -> None:
    users = user(apart, "idle_seconds = 30\n[caps]\nper_session = 4\nper_offer = 2\n")
    projects = write(project / ".claude/mind-skills.toml", "[caps]\nper_session = 3\nper_offer = 3\n")
    expected = DEFAULTS | {"idle_seconds": 30, "caps.per_session": 3, "caps.per_offer": 2}
    origins = {"idle_seconds": str(users), "caps.per_offer": str(users), "caps.per_session": str(projects)}
    assert load(str(project)) == [(k, v, origins.get(k, "default")) for k, v in expected.items()]


@pytest.mark.parametrize(
    ("text", "code", "message", "hint"),
    [
        ("enabeld = true", "config_key", "enabeld in {} is not a setting", "Did you mean enabled?"),
        ("[caps]\nper_ofer = 3", "config_key", "caps.per_ofer in {} is not a setting", "Did you mean caps.per_offer?"),
        ("[cap]\nper_offer = 3", "config_key", "cap in {} is not a setting", "Did you mean caps?"),
        ("per_offer = 3", "config_key", "per_offer in {} is not a setting", "Did you mean caps.per_offer?"),
        ("[skills_dir]\nclaude = 'x'", "config_key", "skills_dir.claude in {} is not a setting", "Did you mean skills_dir.claude-code?"),
        ("enabled = 'yes'", "config_value", "enabled in {}: should be a boolean", "Write true or false."),
        ("enabled = 1", "config_value", "enabled in {}: should be a boolean", "Write true or false."),
        (
            "idle_seconds = 5",
            "config_value",
            "idle_seconds in {}: should be greater than or equal to 10",
            "Write a whole number from 10 to 3600.",
        ),
        ("[caps]\nper_offer = '3'", "config_value", "caps.per_offer in {}: should be a valid integer", "Write a whole number from 1 to 5."),
    ],
)  # fmt: skip
def test_a_wrong_key_or_value_is_named_with_its_file_and_a_hint(
    apart: Path, project: Path, text: str, code: str, message: str, hint: str
) -> None:
    path = user(apart, text)
    with pytest.raises(MindSkillsError) as caught:
        load(str(project))
    assert (caught.value.code, caught.value.message, caught.value.hint) == (code, message.format(path), hint)


@pytest.mark.parametrize(
    "folder",
    ["../up", "a/../b", "/abs", ".", "..", "a b", "a\nb", "`x`", "a//b", "", "a/", "x" * 101, ".git/hooks", "a/.GIT/b"],
)
def test_a_skills_folder_outside_the_project_or_with_odd_characters_is_refused(folder: str) -> None:
    with pytest.raises(MindSkillsError):
        check({"skills_dir": {"codex": folder}}, "f")


@pytest.mark.parametrize("folder", [".claude/skills", "skills", "docs/ai-skills/v1.2"])
def test_a_plain_skills_folder_is_accepted(folder: str) -> None:
    check({"skills_dir": {"codex": folder}}, "f")


@pytest.mark.parametrize("text", ["enabled = ", "\x00", "[caps", "a = 1\na = 2"])
def test_invalid_toml_raises_in_commands_and_disables_hooks(apart: Path, project: Path, text: str) -> None:
    path = user(apart, text)
    with pytest.raises(MindSkillsError, match="is not valid TOML") as caught:
        load(str(project))
    assert (caught.value.code, str(path) in caught.value.message) == ("config_syntax", True)
    assert (lenient.is_enabled(str(project)), lenient.get_idle_seconds(str(project))) == (False, 60)


def test_invalid_utf8_raises_in_commands_and_disables_hooks(apart: Path, project: Path) -> None:
    user(apart, "").write_bytes(b"enabled = '\xff'")
    with pytest.raises(MindSkillsError, match="is not valid TOML"):
        load(str(project))
    assert lenient.is_enabled(str(project)) is False


@pytest.mark.parametrize(
    ("users", "projects", "expected"),
    [("", "", True), ("enabled = false", "", False), ("", "enabled = false", False), ("enabled = false", "enabled = true", False),
     ("enabled = 'no'", "", False), ("", "[", False), ("", "enabled = 'false'", False), ("", "enabled = 0", False),
     ("", "enabled = false\nidle_seconds = ", False), ("enabled = true", "\ufeffenabled = false", False),
     ("", "\ufeffenabled = true", True), ("[", "enabled = true", False), ("", "[caps]\nper_offer = 9", True)],
)  # fmt: skip
def test_hooks_are_enabled_unless_a_file_disables_them_or_cannot_be_understood(
    apart: Path, project: Path, users: str, projects: str, expected: bool
) -> None:
    user(apart, users)
    write(project / ".claude/mind-skills.toml", projects)
    assert lenient.is_enabled(str(project)) is expected


@pytest.mark.parametrize(
    ("users", "projects", "expected"),
    [
        ("", "", (60, 5, ".claude/skills")),
        ("idle_seconds = 90\n[caps]\nper_offer = 2", "", (90, 2, ".claude/skills")),
        (
            "[caps]\nper_offer = 2",
            "[caps]\nper_offer = 3\n[skills_dir]\nclaude-code = 'a/b'",
            (60, 2, ".claude/skills"),
        ),
        ("[caps]\nper_offer = 3", "idle_seconds = 90\n[caps]\nper_offer = 2", (90, 2, ".claude/skills")),
        ("idle_seconds = 20", "idle_seconds = 1\ncaps = 4\nskills_dir = ['x']", (20, 5, ".claude/skills")),
        ("idle_seconds = true\n[caps]\nper_offer = 9", "[skills_dir]\nclaude-code = '../x'", (60, 5, ".claude/skills")),
    ],
)
def test_hooks_use_values_within_bounds_and_ignore_the_others(
    apart: Path, project: Path, users: str, projects: str, expected: tuple[int, int, str]
) -> None:
    user(apart, users)
    write(project / ".claude/mind-skills.toml", projects)
    root = str(project)
    found = (
        lenient.get_idle_seconds(root),
        lenient.get_cap(root, "per_offer"),
        lenient.get_skills_folder(root, "claude-code"),
    )
    assert found == expected


def test_the_settings_files_are_where_the_environment_variables_say(
    apart: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert get_settings_path() == str(apart / "home/.config/mind-skills/mind-skills.toml")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(apart / "xdg"))
    assert get_settings_path() == str(apart / "xdg/mind-skills/mind-skills.toml")
    monkeypatch.setenv("MIND_SKILLS_CONFIG", str(apart / "own.toml"))
    assert get_settings_path() == str(apart / "own.toml")
    assert lenient.get_project_settings_path(str(project)) == str(project / ".claude/mind-skills.toml")


@pytest.mark.parametrize(
    ("before", "key", "value", "after"),
    [
        ("", "enabled", False, "enabled = false\n"),
        ("", "caps.pending", 3, "[caps]\npending = 3\n"),
        ("# mine\nenabled = true  # for now\n", "enabled", False, "# mine\nenabled = false  # for now\n"),
        (
            "[caps]\n# few\npending = 9\nper_offer = 2\n",
            "caps.pending",
            3,
            "[caps]\n# few\npending = 3\nper_offer = 2\n",
        ),
        (
            "[caps]\nper_offer = 2\n\n[skills_dir]\n",
            "caps.pending",
            3,
            "[caps]\nper_offer = 2\npending = 3\n\n[skills_dir]\n",
        ),
        ("[caps]\npending = 3\n", "enabled", True, "enabled = true\n\n[caps]\npending = 3\n"),
        ("enabled = true\n", "skills_dir.claude-code", "a/b", 'enabled = true\n\n[skills_dir]\nclaude-code = "a/b"\n'),
        ("enabled = true # say 'no'\n", "enabled", False, "enabled = false # say 'no'\n"),
        (
            "# mine\r\n\r\n[caps]\r\n\tper_offer=3 # few\r\n",
            "caps.per_offer",
            4,
            "# mine\r\n\r\n[caps]\r\n\tper_offer=4 # few\r\n",
        ),
        ("[caps]\r\nper_offer = 3\r\n", "enabled", True, "enabled = true\r\n\r\n[caps]\r\nper_offer = 3\r\n"),
        ('[skills_dir]\ncodex = "a#b" # "c"\n', "skills_dir.codex", "d", '[skills_dir]\ncodex = "d" # "c"\n'),
        ("caps.per_offer = 3 # few\n", "caps.per_offer", 4, "caps.per_offer = 4 # few\n"),
        ("# mine\ncaps.per_offer = 3\n", "caps.per_session", 1, "# mine\ncaps.per_offer = 3\ncaps.per_session = 1\n"),
        ("# mine\n['caps'] # few\nper_offer = 3\n", "caps.per_offer", 4, "# mine\n['caps'] # few\nper_offer = 4\n"),
        ("# mine\ncaps = { per_offer = 3 } # few\n", "caps.per_offer", 4, "# mine\ncaps = { per_offer = 4 } # few\n"),
        (
            "# mine\n[projects.'/a.b']\nenabled = true\n",
            'projects."/a.b".enabled',
            False,
            "# mine\n[projects.'/a.b']\nenabled = false\n",
        ),
        (
            '# mine\nprojects = { "/a.b" = { idle_seconds = 90 } }\n',
            'projects."/a.b".enabled',
            False,
            '# mine\nprojects = { "/a.b" = { idle_seconds = 90, enabled = false} }\n',
        ),
    ],
)
def test_an_edit_changes_one_line_and_leaves_the_rest_of_the_file(
    before: str, key: str, value: bool | float | str, after: str
) -> None:
    keys = split_key(key)
    data = tomllib.loads(before)
    set_value(data, keys, value)
    assert edit_text(before, keys, value, data) == after


def split_key(key: str) -> list[str]:
    """The parts of a dotted key, which may be quoted."""
    keys: list[str] = []
    data: Any = tomllib.loads(f"{key} = 0")
    while isinstance(data, dict):
        ((name, data),) = data.items()
        keys.append(name)
    return keys


@pytest.mark.parametrize(
    ("before", "key", "after"),
    [
        ("# mine\nidle_seconds = 30 # often\nenabled = true\n", "idle_seconds", "# mine\nenabled = true\n"),
        ("a = 1\n\n[caps]\nper_offer = 4\n\n[maturity]\n", "caps.per_offer", "a = 1\n\n[maturity]\n"),
        ("[caps]\n# few\nper_offer = 4\n", "caps.per_offer", "[caps]\n# few\n"),
        ("a = 1\n[projects.'/x']\nenabled = true\n", "projects.'/x'.enabled", "a = 1\n"),
        ("caps = { per_offer = 4, per_session = 3 } # few\n", "caps.per_offer", "caps = {  per_session = 3 } # few\n"),
        ("caps.per_offer = 4\ncaps.per_session = 3\n", "caps.per_offer", "caps.per_session = 3\n"),
        ('[memory]\nmodel = """\na\nb"""\nepisodes = 3\n', "memory.model", "[memory]\nepisodes = 3\n"),
    ],
)
def test_unsetting_removes_the_setting_and_the_table_that_held_nothing_else(before: str, key: str, after: str) -> None:
    data = tomllib.loads(before)
    assert set_value(data, split_key(key), None)
    assert edit_text(before, split_key(key), None, data) == after
    assert not set_value(data, split_key(key), None)


def generate_values(key: str) -> st.SearchStrategy[Any]:
    """Valid values of a setting."""
    setting = TABLE[key]
    if isinstance(setting.default, bool):
        return st.booleans()
    if not isinstance(setting.default, str):
        return st.integers(int(setting.minimum), int(setting.maximum))
    if key == PREFIX_KEY:
        return st.sampled_from(["AVOID: ", "Please not: "])
    if key == "write_skills":
        return st.sampled_from(WRITING_MODES)
    return st.sampled_from(["", "a/b.lance"] if key.startswith("memory.") else [".claude/skills", "a/b"])


@given(
    st.lists(
        st.sampled_from(list(TABLE)).flatmap(lambda key: st.tuples(st.just(key), generate_values(key))), max_size=12
    )
)
def test_after_any_edits_the_file_contains_the_values_that_were_set(
    changes: list[tuple[str, bool | float | str]],
) -> None:
    text = "# kept\n"
    wanted: dict[str, Any] = {}
    for key, value in changes:
        set_value(wanted, key.split("."), value)
        text = edit_text(text, key.split("."), value, wanted)
    assert tomllib.loads(text) == wanted
    assert text.count("# kept") == 1
    check(wanted, "f")


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("3", 3), ('"x"', "x"), ("a/b", "a/b"), ("[1]", "[1]"), ("1.5", 1.5), ("", ""),
     ("1\nenabled = 2", "1\nenabled = 2")],
)  # fmt: skip
def test_a_value_on_the_command_line_is_toml_or_a_plain_word(text: str, value: bool | float | str) -> None:
    assert parse_value(text) == value
