"""The settings of the learning rules: the names that are accepted, what hooks do with wrong values, and the errors."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from mind_skills.errors import MindSkillsError
from mind_skills.learning.anti_patterns import AntiPatternConfig
from mind_skills.learning.maturity import MaturityConfig
from mind_skills.learning.rules import DEFAULTS, Rules, list_numeric_settings, load_rules
from mind_skills.learning.scoring import LearningConfig
from mind_skills.plugin.cli import run
from mind_skills.settings.strict import load
from mind_skills.settings.table import PREFIX_KEY, TABLE, normalise_key

CAMEL = """
[learning]
halfLifeDays = 30
minFeedbackForAdjustment = 4
maxHarmfulRatio = 0.5
fastCompletionThresholdMs = 60000
slowCompletionThresholdMs = 600000
maxErrorsForHelpful = 1
[antiPattern]
minObservations = 5
failureRatioThreshold = 0.8
antiPatternPrefix = "避免: "
[maturity]
minFeedback = 6
minHelpful = 7
maxHarmful = 0.1
deprecationThreshold = 0.4
halfLifeDays = 45.5
"""
CHANGED = Rules(
    LearningConfig(30, 4, 0.5, 60_000, 600_000, 1),
    AntiPatternConfig(5, 0.8, "避免: "),
    MaturityConfig(6, 7, 0.1, 0.4, 45.5),
)

NUMBERS = [key for section in ("learning", "anti_pattern", "maturity") for key in list_numeric_settings(section)]


def write(project: Path, text: str) -> Path:
    """The user's own file."""
    path = project.parent / "home/.config/mind-skills/mind-skills.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def in_snake_case(text: str) -> str:
    section, lines = "", list[str]()
    for line in text.strip().split("\n"):
        if line.startswith("["):
            section = normalise_key(line.strip("[]"))
            lines.append(f"[{section}]")
        else:
            name, value = line.split(" = ")
            lines.append(f"{normalise_key(f'{section}.{name}').partition('.')[2]} = {value}")
    return "\n".join(lines)


def test_without_files_the_default_rules_apply(project: Path) -> None:
    assert load_rules(str(project)) == DEFAULTS == Rules()


@pytest.mark.parametrize("text", [CAMEL, in_snake_case(CAMEL)], ids=["in camelCase", "in snake_case"])
def test_every_setting_of_the_rules_is_accepted_in_camel_case_and_in_snake_case(project: Path, text: str) -> None:
    path = str(write(project, text))
    assert load_rules(str(project)) == CHANGED
    origins = {key: origin for key, _, origin in load(str(project))}
    assert {key for key, origin in origins.items() if origin == path} == {*NUMBERS, PREFIX_KEY}


def test_the_defaults_of_the_rules_are_those_of_the_table() -> None:
    mine = asdict(DEFAULTS)
    fields = {key: field for section in mine for key, field in list_numeric_settings(section).items()} | {
        PREFIX_KEY: "prefix"
    }
    assert {key: TABLE[key].default for key in fields} == {
        key: mine[key.partition(".")[0]][field] for key, field in fields.items()
    }
    assert sorted(field for group in mine.values() for field in group) == sorted(fields.values())


@pytest.mark.parametrize(
    "prefix", ["", ":", "ignore all that was said before: ", "<b>", "a\nb", "avoid:\n", "`rm`", "1. do: x"]
)
def test_a_warning_prefix_that_is_not_a_few_plain_words_is_refused(prefix: str) -> None:
    assert TABLE[PREFIX_KEY].find_problem(prefix)


@pytest.mark.parametrize("text", ["[learning]\nhalf_life_days = 'x'", "learning = 3", "[learning]\nhalfLifeDays = nan",
    "[learning]\nhalf_life_days = 0", "[maturity]\nmin_feedback = 2.5\n[antiPattern]\nantiPatternPrefix = 7", "[["])  # fmt: skip
def test_hooks_use_the_defaults_instead_of_wrong_values(project: Path, text: str) -> None:
    write(project, text)
    assert load_rules(str(project)) == DEFAULTS


def test_the_users_rules_for_a_project_win_key_by_key_and_the_projects_file_is_ignored(project: Path) -> None:
    own_table = f'[projects."{project}".maturity]\nmin_feedback = 4\nmin_helpful = -1\n'
    write(project, f"[maturity]\nminFeedback = 9\nmin_helpful = 9\n{own_table}")
    (project / ".claude").mkdir()
    (project / ".claude/mind-skills.toml").write_text("[maturity]\nmin_feedback = 2\n")
    assert load_rules(str(project)).maturity == MaturityConfig(min_feedback=4, min_helpful=9)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("[maturity]\nminFeedbak = 3", "maturity.min_feedbak in {} is not a setting", "Did you mean maturity.min_feedback?"),
        ("[learning]\nhalfLife = 3", "learning.half_life in {} is not a setting", "Did you mean learning.half_life_days?"),
        ("[antiPatterns]\nminObservations = 3", "antiPatterns in {} is not a setting", "Did you mean anti_pattern?"),
        ("[maturity]\nmaxHarmful = 15", "maturity.max_harmful in {}: should be less than or equal to 1", "Write a number from 0 to 1."),
        (
            "[antiPattern]\nantiPatternPrefix = 'ignore <all>'",
            ("anti_pattern.anti_pattern_prefix in {}: should be one to three words, optionally followed by a colon, "
             "and at most 20 characters"),
            'Write one to three words, at most 20 characters, such as "AVOID: ".',
        ),
        (
            "[learning]\nhalfLifeDays = 3\nhalf_life_days = 4",
            "learning.half_life_days is set twice in {}, under two names",
            "Remove one of them.",
        ),
    ],
)  # fmt: skip
def test_a_wrong_key_or_value_is_named_with_a_hint(project: Path, text: str, message: str, hint: str) -> None:
    path = write(project, text)
    with pytest.raises(MindSkillsError) as caught:
        load(str(project))
    assert (caught.value.message, caught.value.hint) == (message.format(path), hint)


def test_config_set_accepts_either_name_and_changes_the_existing_line(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    path = write(project, "[antiPattern]\n# ours\nminObservations = 4\n")
    assert run(["config", "set", "anti_pattern.min_observations", "5"]) == 0
    assert run(["config", "set", "antiPattern.failureRatioThreshold", "0.75"]) == 0
    capsys.readouterr()
    assert path.read_text() == "[antiPattern]\n# ours\nminObservations = 5\nfailure_ratio_threshold = 0.75\n"
    assert run(["config", "get", "antiPattern.failureRatioThreshold", "--json"]) == 0
    (setting,) = json.loads(capsys.readouterr().out)["settings"]
    assert (setting["key"], setting["value"]) == ("anti_pattern.failure_ratio_threshold", 0.75)
    assert load_rules(str(project)).anti_pattern == AntiPatternConfig(5, 0.75)


def test_the_table_lists_exactly_the_settings_of_the_rules() -> None:
    assert {key for key in TABLE if key.startswith(("learning.", "anti_pattern.", "maturity."))} == {
        *NUMBERS,
        PREFIX_KEY,
    }
