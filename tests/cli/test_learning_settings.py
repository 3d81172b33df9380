"""Each setting of the learning rules takes effect in commands and hooks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks import end as ending
from mind_skills.hooks.session_state import HookCall
from mind_skills.learning.credit import Credit
from mind_skills.learning.rules import load_rules
from mind_skills.learning.storage import SCHEMA
from mind_skills.output import state
from mind_skills.settings.table import TABLE
from mind_skills.staging.analyse import analyse
from mind_skills.staging.identity import build_candidate_id
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate, Evidence
from mind_skills.store.database import Database
from mind_skills.store.project import digest_text, resolve_project
from tests.testkit.paths import DEMO

DAY = 86_400_000
SECTIONS = ("learning.", "anti_pattern.", "maturity.")
FEATURE = "Split by feature"
Run = Callable[..., Any]


pytestmark = pytest.mark.usefixtures("repository")


def write_setting(project: Path, key: str, value: object) -> None:
    section, _, name = key.partition(".")
    path = project.parent / "home/.config/mind-skills/mind-skills.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'[projects."{project}".{section}]\n{name} = {value!r}\n')


def make_candidate(kind: Any, number: int) -> Candidate:
    mark = digest_text(f"{kind} {number}", 16)
    evidence = (Evidence("problem", "symptom", "boom", "", 1), Evidence("solution", "cause", "calm", "", 2))
    return Candidate(build_candidate_id(mark), kind, f"{kind} {number}", "it failed", "high", mark, evidence, score=1.0)


def record_decisions(apart: Path, kind: str, *decisions: tuple[str, int]) -> None:
    """Stage candidates of a detector and accept or dismiss each; the number is how many days ago."""
    now, place = state.read_clock(), resolve_project(str(apart / "project"))
    with Ledger.open(apart / "state") as ledger:
        for number, (what, days) in enumerate(decisions):
            one = make_candidate(kind, number)
            ledger.stage(place, f"{kind} {number}", "claude-code", [one], now - days * DAY)
            if what == "accepted":
                ledger.accept(one.id, "/x/SKILL.md", now - days * DAY, place)
            else:
                ledger.dismiss(one.id, "no", now - days * DAY, place)


def read_weight(mind_skills: Run, name: str) -> float:
    found = mind_skills("status", "--json").json["criteria"]
    return round(next(each["weight"] for each in found if each["criterion"] == name), 2)


@pytest.mark.parametrize(
    ("key", "value", "changed"),
    [
        ("learning.half_life_days", 36_500.0, {"error_fix": 0.67, "non_obvious": 0.1}),
        ("learning.min_feedback_for_adjustment", 4, {"error_fix": 1.0, "non_obvious": 1.0}),
    ],
)
def test_learning_settings_change_the_weight_of_a_detector(
    mind_skills: Run, apart: Path, project: Path, key: str, value: float, changed: dict[str, float]
) -> None:
    record_decisions(apart, "error_fix", ("accepted", 90), ("accepted", 90), ("dismissed", 0))
    record_decisions(apart, "non_obvious", ("dismissed", 0), ("dismissed", 0), ("dismissed", 0))

    def weights() -> dict[str, float]:
        return {name: read_weight(mind_skills, name) for name in ("error_fix", "non_obvious")}

    assert weights() == {"error_fix": 0.5, "non_obvious": 0.1}
    write_setting(project, key, value)
    assert weights() == changed
    why = mind_skills("why", "non_obvious", "--json").json
    assert round(why["weight"], 2) == changed["non_obvious"]


def test_max_harmful_ratio_sets_when_a_detector_is_deprecated(mind_skills: Run, apart: Path, project: Path) -> None:
    record_decisions(apart, "error_fix", ("accepted", 0), ("dismissed", 0), ("dismissed", 0))

    def reasons() -> list[str]:
        return [
            reason for reason in mind_skills("why", "error_fix", "--json").json["reasons"] if "deprecated" in reason
        ]

    assert reasons() == [
        "More than 30% were dismissed: the detector counts as deprecated, and its candidates rank lower."
    ]
    write_setting(project, "learning.max_harmful_ratio", 0.9)
    assert reasons() == []


def test_min_feedback_changes_the_score_of_a_candidate_from_a_dismissed_detector(apart: Path, project: Path) -> None:
    record_decisions(apart, "non_obvious", ("dismissed", 0), ("dismissed", 0), ("dismissed", 0))

    def rank(session: str, line: int) -> float:
        config = load_rules(str(project)).learning
        with Ledger.open(apart / "state") as ledger:
            new = [make_candidate("non_obvious", line)]
            (id_,) = ledger.stage(
                resolve_project(str(project)), session, "claude-code", new, state.read_clock(), None, config
            ).new
            return next(each.score for each in ledger.list_pending(resolve_project(str(project))) if each.id == id_)

    assert rank("s", 9) == pytest.approx(0.1, abs=0.01)
    write_setting(project, "learning.min_feedback_for_adjustment", 4)
    assert rank("t", 19) == 1.0


@pytest.mark.parametrize(
    ("key", "value", "score", "verdict"),
    [
        ("learning.fast_completion_threshold_ms", 500_000, 0.78, "helpful"),
        ("learning.slow_completion_threshold_ms", 350_000, 0.62, "neutral"),
        ("learning.max_errors_neutral", 3, 0.78, "helpful"),
    ],
)
def test_learning_settings_change_the_score_of_a_task(
    mind_skills: Run, project: Path, key: str, value: int, score: float, verdict: str
) -> None:
    signals = ("--success", "--duration-ms", "400000", "--errors", "3", "--retries", "1")

    def scored(task: str) -> tuple[float, str]:
        found = mind_skills("task", "outcome", "record", task, *signals, "--json").json
        return found["score"], found["type"]

    assert scored("before") == (0.7, "helpful")
    write_setting(project, key, value)
    assert scored("after") == (score, verdict)


@pytest.mark.parametrize(
    ("key", "value"), [("learning.fast_completion_threshold_ms", 1_000), ("learning.max_errors_neutral", 0)]
)
def test_a_session_is_scored_with_the_settings_of_its_project_when_it_ends(
    apart: Path, project: Path, key: str, value: int
) -> None:
    plain = analyse(DEMO).outcome
    write_setting(project, key, value)
    call = HookCall("claude-code", "s", str(project), str(DEMO), state.read_clock())
    ending.handle_session_end(str(apart / "state"), call)
    with Ledger.open(apart / "state") as ledger:
        (ended,) = ledger.list_outcomes(resolve_project(str(project)))
    assert plain.score is not None
    assert ended.score is not None
    assert ended.score < plain.score


def record_votes(apart: Path, outcome: str, days: int, *sessions: str) -> None:
    now, place = state.read_clock(), resolve_project(str(apart / "project"))
    with Database.open(apart / "state", SCHEMA) as database:
        credit = Credit(database, load_rules(place.root))
        for name in sessions:
            credit.vote(place.id, name, [FEATURE], outcome, at=now - days * DAY, now=now)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("key", "value", "warning"),
    [
        ("anti_pattern.min_observations", 4, None),
        ("anti_pattern.failure_ratio_threshold", 0.7, None),
        ("anti_pattern.anti_pattern_prefix", "Better not:", "Better not: Split by feature. Failed 2/3 times (67% failure rate)"),
        ("learning.half_life_days", 30.0, "AVOID: Split by feature. Failed 2/3 times (67% failure rate)"),
    ],
)  # fmt: skip
def test_settings_change_when_a_strategy_becomes_a_warning_and_its_text(
    mind_skills: Run, apart: Path, project: Path, key: str, value: object, warning: str | None
) -> None:
    write_setting(project, key, value)
    record_votes(apart, "helpful", 0, "a")
    record_votes(apart, "harmful", 0, "b", "c")
    found = mind_skills("patterns", "--json").json["patterns"]
    assert [each["content"] for each in found if each["kind"] == "anti_pattern"] == ([warning] if warning else [])


@pytest.mark.parametrize(
    ("key", "value", "now"),
    [
        ("maturity.min_feedback", 8, "candidate"),
        ("maturity.min_helpful", 6.0, "established"),
        ("maturity.max_harmful", 0.1, "established"),
        ("maturity.deprecation_threshold", 0.1, "deprecated"),
        ("maturity.half_life_days", 5.0, "established"),
    ],
)
def test_maturity_settings_change_the_state_of_a_strategy(
    mind_skills: Run, apart: Path, project: Path, key: str, value: float, now: str
) -> None:
    """Six helpful votes and one harmful, ten days old: 5.6 are left of the six with 90 days, and 14 % are harmful."""
    record_votes(apart, "helpful", 10, *"abcdef")
    record_votes(apart, "harmful", 10, "g")

    def read_states() -> tuple[str, str]:
        (listed,) = mind_skills("patterns", "--json").json["patterns"]
        return listed["state"], mind_skills("why", "split-by-feature", "--json").json["state"]

    assert read_states() == ("proven", "proven")
    write_setting(project, key, value)
    assert read_states() == (now, now)


def test_every_setting_of_the_learning_rules_appears_in_this_module() -> None:
    text = Path(__file__).read_text()
    assert [key for key in TABLE if key.startswith(SECTIONS) and f'"{key}"' not in text] == []
