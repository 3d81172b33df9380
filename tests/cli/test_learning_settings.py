"""Each setting of the learning rules takes effect in commands and hooks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks import end as ending
from mind_skills.hooks.session_state import HookCall
from mind_skills.learning.rules import load_rules
from mind_skills.output import state
from mind_skills.settings.table import TABLE
from mind_skills.staging.analyse import analyse
from mind_skills.staging.identity import build_candidate_id
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate, Evidence
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


def test_every_setting_of_the_learning_rules_appears_in_the_transcript() -> None:
    text = Path(__file__).with_name("transcripts").joinpath("rules.txt").read_text()
    assert [key for key in TABLE if key.startswith(SECTIONS) and f" set {key} " not in text] == []
