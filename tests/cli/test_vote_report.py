"""`mind-skills why` about strategies, skills and detectors: their states, their votes, and how an id is resolved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.learning.credit import Credit
from mind_skills.learning.outcome import Outcome, OutcomeType
from mind_skills.learning.rules import DEFAULTS
from mind_skills.learning.storage import SCHEMA
from mind_skills.output import state
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.sessions import SkillUseRecord
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.testkit.paths import DEMO

DAY, HOUR = 86_400_000, 3_600_000
FEATURE, NAME = "Split by feature", "split-by-feature"
Run = Callable[..., Any]


pytestmark = pytest.mark.usefixtures("repository")


def record_votes(apart: Path, outcome: str, days: int, *sessions: str, strategy: str = FEATURE) -> int:
    now = state.read_clock()
    with Database.open(apart / "state", SCHEMA) as database:
        for name in sessions:
            Credit(database, DEFAULTS).vote(
                resolve_project(str(apart / "project")).id,
                name,
                [strategy],
                outcome,  # type: ignore[arg-type]
                at=now - days * DAY,
                now=now,
            )
    return now - days * DAY


def why_as_json(mind_skills: Run, *arguments: str) -> Any:
    done = mind_skills("why", *arguments, "--json")
    assert (done.code, done.err) == (0, "")
    return done.json


def read_verdict(mind_skills: Run, *arguments: str) -> tuple[str, list[str]]:
    found = why_as_json(mind_skills, *arguments)
    return found["verdict"], found["reasons"]


class TestStrategies:
    def test_why_says_what_a_strategy_lacks_to_be_proven(self, mind_skills: Run, apart: Path) -> None:
        record_votes(apart, "helpful", 90, *"abcd")
        record_votes(apart, "harmful", 90, "e")
        assert read_verdict(mind_skills, NAME) == (
            (
                "Not proven because 2.00 helpful votes remain (5 are needed)"
                " and 20% of the remaining votes are harmful (it must be less than 15%)."
            ),
            [
                "2.50 of 5 votes remain; a vote loses half its weight in 90 days.",
                "Not deprecated because 20% of the remaining votes are harmful (more than 30% is needed).",
                "Not inverted because 1 of 5 sessions failed (20%), and 60% are needed.",
            ],
        )

    def test_a_strategy_with_few_votes_is_a_candidate(self, mind_skills: Run, apart: Path) -> None:
        record_votes(apart, "helpful", 0, "a", "b")
        assert read_verdict(mind_skills, NAME) == (
            "Not proven because only 2 votes were cast, and it needs 3 to be more than a candidate.",
            [
                "For the state proven, 2.00 helpful votes remain (5 are needed).",
                "Not inverted because only 2 sessions have voted, and 3 are needed.",
            ],
        )

    def test_why_says_why_a_strategy_is_proven(self, mind_skills: Run, apart: Path) -> None:
        record_votes(apart, "helpful", 0, *"abcde")
        assert read_verdict(mind_skills, NAME)[0] == (
            "Proven because 5.00 helpful votes remain (5 are needed) and 0% of the remaining votes are harmful"
            " (it must be less than 15%)."
        )
        assert why_as_json(mind_skills, NAME)["told"] is True

    @pytest.mark.parametrize("name", [NAME, f"anti-{NAME}"])
    def test_an_inverted_strategy_is_explained_under_either_of_its_names(
        self, mind_skills: Run, apart: Path, name: str
    ) -> None:
        record_votes(apart, "helpful", 2, "a")
        last = record_votes(apart, "harmful", 1, "b", "c", "d")
        found = why_as_json(mind_skills, name)
        assert (found["id"], found["state"], found["told"], found["invertedTo"]) == (
            name,
            "deprecated",
            True,
            f"anti-{NAME}",
        )
        assert (found["verdict"], found["reasons"]) == (
            "Inverted because 2 of 3 sessions failed (67%); 60% of at least 3 sessions are enough.",
            [f"It stays deprecated until you run `mind-skills patterns reset {NAME}`, or until its votes change."],
        )
        assert (found["helpful"], found["harmful"], found["lastVote"]) == (1, 3, pytest.approx(last, abs=60_000))
        assert "\nThe warning is offered to sessions.\n" in mind_skills("why", name).out

    def test_why_lists_counts_thresholds_votes_and_decisions(self, mind_skills: Run, apart: Path) -> None:
        helped = record_votes(apart, "helpful", 90, "a")
        harmed = record_votes(apart, "harmful", 0, "b")
        found = why_as_json(mind_skills, NAME)
        numbers = {
            key: found[key] for key in ("helpful", "harmful", "decayedHelpful", "decayedHarmful", "harmfulShare")
        }
        assert numbers == {
            "helpful": 1,
            "harmful": 1,
            "decayedHelpful": 0.5,
            "decayedHarmful": 1.0,
            "harmfulShare": 0.667,
        }
        assert (found["lastHelpful"], found["lastVote"]) == (
            pytest.approx(helped, abs=60_000),
            pytest.approx(harmed, abs=60_000),
        )
        assert found["thresholds"] == {
            "maturity.min_feedback": 3,
            "maturity.min_helpful": 5,
            "maturity.max_harmful": 0.15,
            "maturity.deprecation_threshold": 0.3,
            "maturity.half_life_days": 90,
            "anti_pattern.min_observations": 3,
            "anti_pattern.failure_ratio_threshold": 0.6,
        }
        assert [(each["source"], each["type"], each["left"], each["counts"]) for each in found["votes"]] == [
            ("b", "harmful", 1.0, True),
            ("a", "helpful", 0.5, True),
        ]
        assert [(each["what"], each["session"]) for each in found["decisions"]] == [("vote", "b"), ("vote", "a")]

    def test_why_marks_what_a_person_undid_pinned_or_deprecated(self, mind_skills: Run, apart: Path) -> None:
        record_votes(apart, "helpful", 0, *"abcde")
        mind_skills("undo")
        assert [each for each in why_as_json(mind_skills, NAME)["votes"] if each["type"] == "taken back"] == [
            {"source": "e", "type": "taken back", "at": None, "left": 0.0, "counts": False}
        ]
        mind_skills("patterns", "pin", NAME)
        record_votes(apart, "helpful", 0, "f", "g")
        assert read_verdict(mind_skills, NAME) == (
            "Established because it is pinned; its votes alone would make it proven.",
            [
                "Not deprecated because 0% of the remaining votes are harmful (more than 30% is needed).",
                "Not inverted because 0 of 6 sessions failed (0%), and 60% are needed.",
                f"It is pinned: votes do not change its state. `mind-skills patterns pin {NAME} --off` unpins it.",
            ],
        )
        mind_skills("patterns", "reset", NAME)
        mind_skills("patterns", "deprecate", NAME, "--reason", "we are one team")
        assert read_verdict(mind_skills, NAME)[0] == "Deprecated manually: we are one team"

    def test_later_votes_do_not_change_the_reason_of_a_warning(self, mind_skills: Run, apart: Path) -> None:
        record_votes(apart, "harmful", 0, *"abc")
        record_votes(apart, "helpful", 0, *"defgh")
        assert read_verdict(mind_skills, NAME)[0] == (
            "Inverted because 3 of 3 sessions failed (100%); 60% of at least 3 sessions are enough."
        )
        counts = [(each["helpful"], each["harmful"]) for each in mind_skills("patterns", "--json").json["patterns"]]
        assert counts == [(5, 3)] * 2

    def test_why_says_which_deprecations_a_vote_can_lift(self, mind_skills: Run, apart: Path) -> None:
        record_votes(apart, "helpful", 700, *"abcd")
        record_votes(apart, "harmful", 0, *"efg")
        kept = f"It stays deprecated until you run `mind-skills patterns reset {NAME}`"
        assert read_verdict(mind_skills, NAME)[1][-1] == f"{kept}, or until its votes change."
        record_votes(apart, "helpful", 0, *"hijklmno")
        assert read_verdict(mind_skills, NAME)[0] == (
            "Deprecated because its earlier votes were certain (Failed 2/6 times (33% failure rate));"
            " its votes alone would make it established."
        )
        mind_skills("patterns", "reset", NAME)
        mind_skills("patterns", "deprecate", NAME, "--reason", "we are one team")
        assert read_verdict(mind_skills, NAME)[1][-1] == f"{kept}."

    def test_a_strategy_that_is_pinned_while_it_fails_is_not_inverted(self, mind_skills: Run, apart: Path) -> None:
        record_votes(apart, "helpful", 0, "a")
        mind_skills("patterns", "pin", NAME)
        record_votes(apart, "harmful", 0, *"bcde")
        verdict, reasons = read_verdict(mind_skills, NAME)
        assert verdict == "Candidate because it is pinned; its votes alone would make it deprecated."
        assert reasons[-2] == (
            "Not inverted yet, although 4 of 5 sessions failed (80%) and 60% are enough: only a vote inverts it, unless"
            " it is pinned."
        )

    def test_a_share_is_printed_with_the_decimals_that_show_its_side_of_a_threshold(
        self, mind_skills: Run, apart: Path
    ) -> None:
        record_votes(apart, "helpful", 1, *"abcdefg")
        record_votes(apart, "harmful", 0, *"hij")
        assert read_verdict(mind_skills, NAME)[0] == (
            "Deprecated because 30.2% of the remaining votes are harmful, more than 30%."
        )
        mind_skills("config", "set", "maturity.deprecation_threshold", "0.305", "--project")
        assert read_verdict(mind_skills, NAME)[1][1] == (
            "Not deprecated because 30% of the remaining votes are harmful (more than 30.5% is needed)."
        )

    def test_a_vote_from_far_in_the_future_is_listed_but_counts_nowhere(self, mind_skills: Run, apart: Path) -> None:
        now = state.read_clock()
        with Database.open(apart / "state", SCHEMA) as database:
            for name in "abc":
                ahead, place = now + 30 * DAY, resolve_project(str(apart / "project")).id
                Credit(database).vote(place, name, [FEATURE], "helpful", at=ahead, now=ahead)
        found = why_as_json(mind_skills, NAME)
        assert [found[key] for key in ("helpful", "harmful", "lastHelpful", "lastVote")] == [0, 0, None, None]
        assert [(each["source"], each["counts"]) for each in found["votes"]] == [(name, False) for name in "abc"]
        (listed,) = mind_skills("patterns", "--json").json["patterns"]
        assert (listed["helpful"], listed["text"]) == (0, "[LIMITED DATA - 0 observations]")

    def test_suggested_commands_name_the_project_that_was_given(
        self, mind_skills: Run, apart: Path, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        record_votes(apart, "harmful", 0, *"abc")
        mind_skills("patterns", "pin", NAME)
        monkeypatch.chdir(tmp_path)
        reasons = read_verdict(mind_skills, NAME, "--project", str(project))[1]
        reset, unpin = (
            f"`mind-skills patterns {words} --project {project}`" for words in (f"reset {NAME}", f"pin {NAME} --off")
        )
        assert reasons[-2:] == [
            f"It stays deprecated until you run {reset}.",
            f"It is pinned: votes do not change its state. {unpin} unpins it.",
        ]

    def test_the_printed_text_has_the_verdict_the_votes_and_the_thresholds(self, mind_skills: Run, apart: Path) -> None:
        record_votes(apart, "harmful", 0, *"abc")
        text = mind_skills("why", NAME).out
        for words in (
            "Inverted because 3 of 3",
            "0 helpful (0.00 remaining",
            "3 harmful (3.00 remaining",
            "maturity.min_helpful 5",
        ):
            assert words in text


def write_skill(project: Path, name: str, folder: str = ".claude/skills") -> Path:
    path = project / folder / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"---\nname: {name}\ndescription: Use when prices are off.\n---\ntext\n", encoding="utf-8")
    return path


def record_session(apart: Path, path: Path, session: str, outcome: OutcomeType, days: int = 0) -> None:
    now, place = state.read_clock() - days * DAY, resolve_project(str(apart / "project"))
    came = Outcome(outcome, 0.9, outcome == "helpful", 1, 0, 0, "it did", at=now)
    with Ledger.open(apart / "state") as ledger:
        ledger.register_session(session, "claude-code", place, "", now)
        seen = ledger.find_session(session)
        assert seen is not None
        ledger.store_analysis(seen, [SkillUseRecord(path.parent.name, str(path), "tool", now - HOUR)], came, now)
        ledger.finish_session(session, now)


class TestSkills:
    def test_why_says_what_a_skill_lacks_to_be_proven(self, mind_skills: Run, apart: Path, project: Path) -> None:
        path = write_skill(project, "exact")
        for name in "abcd":
            record_session(apart, path, name, "helpful")
        record_session(apart, path, "e", "neutral")
        found = why_as_json(mind_skills, "exact")
        assert (found["subject"], found["id"], found["state"]) == ("skill", "exact", "established")
        assert found["verdict"] == "Not proven because 4.00 helpful votes remain (5 are needed)."
        assert found["reasons"][1:] == [
            "1 of 5 sessions that loaded it cast no vote: their outcome is neutral or unknown.",
            "It was not made from a candidate, so it is never proposed for archiving.",
        ]
        assert sorted((each["source"], each["type"], each["counts"]) for each in found["votes"]) == [
            *((name, "helpful", True) for name in "abcd"),
            ("e", "neutral", False),
        ]

    def test_the_projects_settings_apply_to_the_state_of_a_skill(
        self, mind_skills: Run, apart: Path, project: Path
    ) -> None:
        path = write_skill(project, "exact")
        for name in "abcd":
            record_session(apart, path, name, "helpful")
        assert mind_skills("config", "set", "maturity.min_helpful", "4", "--project").code == 0
        assert why_as_json(mind_skills, "exact")["state"] == "proven"
        (listed,) = mind_skills("skills", "--json").json["skills"]
        assert listed["state"] == "proven"

    def test_a_failing_skill_that_every_session_loaded_is_compared_with_none(
        self, mind_skills: Run, apart: Path, project: Path
    ) -> None:
        path = write_skill(project, "exact")
        for days in range(10):
            record_session(apart, path, str(days), "harmful" if days else "helpful", days)
        (listed,) = mind_skills("skills", "--json").json["skills"]
        assert listed["failing"] == ("9 of 10 sessions that loaded it were harmful (90% after decay, 59% to 98%)")

    def test_a_skill_that_no_session_loaded_has_no_vote(self, mind_skills: Run, project: Path) -> None:
        path = write_skill(project, "exact")
        for named in ("exact", str(path), str(path.parent)):
            assert read_verdict(mind_skills, named)[0] == (
                "Not proven because no vote was cast, and it needs 3 to be more than a candidate."
            )


class TestDetectors:
    def test_a_detector_without_decisions_has_weight_one(self, mind_skills: Run) -> None:
        found = why_as_json(mind_skills, "error_fix")
        assert (found["subject"], found["state"], found["weight"], found["votes"]) == ("criterion", "unknown", 1.0, [])
        assert why_as_json(mind_skills, "error-fix") == found

    def test_a_dismissal_is_listed_among_the_votes_of_a_detector(self, mind_skills: Run, project: Path) -> None:
        mind_skills("replay", DEMO, "--stage", "--project", project)
        (candidate,) = mind_skills("pending", "--json").json["candidates"]
        mind_skills("dismiss", candidate["id"], "--reason", "no")
        found = why_as_json(mind_skills, candidate["kind"])
        assert (found["state"], found["verdict"]) == (
            "few",
            "Its weight is 1 because only 1 candidate was decided, and 3 are needed.",
        )
        assert [(each["source"], each["type"]) for each in found["votes"]] == [(candidate["id"], "dismissed")]


class TestIds:
    def test_an_unknown_name_is_an_error(self, mind_skills: Run) -> None:
        for text in ("none", "pattern:none", "", "sc_", "zz:top", "x" * 5_000):
            done = mind_skills("why", text, "--json")
            assert (text[:20], done.code, done.json["error"]["code"]) == (text[:20], 1, "unknown_id")

    def test_the_error_for_a_mistyped_name_suggests_the_nearest(self, mind_skills: Run, project: Path) -> None:
        write_skill(project, NAME)
        there = (
            "Run `mind-skills pending`, `mind-skills patterns`, `mind-skills skills` or `mind-skills status --verbose` to"
            " list valid names."
        )
        said = [
            mind_skills("why", text, "--json").json["error"]["hint"] for text in (NAME[:-1] + "x", "eror_fix", "zz")
        ]
        assert said == [f"Did you mean {NAME}? {there}", f"Did you mean error_fix? {there}", there]

    def test_the_error_for_an_ambiguous_name_lists_what_it_matches(
        self, mind_skills: Run, apart: Path, project: Path
    ) -> None:
        path = write_skill(project, NAME)
        record_votes(apart, "helpful", 0, "a")
        done = mind_skills("why", NAME, "--json")
        assert (done.code, done.json["error"]) == (
            1,
            {
                "code": "ambiguous_id",
                "message": f"{NAME} matches 2 things: pattern:{NAME}, skill:{path}",
                "hint": f"Use one of these, as in `mind-skills why pattern:{NAME}`.",
            },
        )
        assert [why_as_json(mind_skills, f"{kind}:{NAME}")["subject"] for kind in ("pattern", "skill")] == [
            "pattern",
            "skill",
        ]

    def test_an_unambiguous_prefix_of_a_strategys_name_is_enough(self, mind_skills: Run, apart: Path) -> None:
        record_votes(apart, "helpful", 0, "a")
        assert why_as_json(mind_skills, "split-by")["id"] == NAME
        record_votes(apart, "helpful", 0, "a", strategy="Split by layer (UI/logic/data)")
        assert mind_skills("why", "split-by", "--json").json["error"]["message"] == (
            "split-by matches 2 things: pattern:split-by-feature, pattern:split-by-layer-ui-logic-data"
        )

    def test_a_candidate_is_found_by_the_beginning_of_its_id(self, mind_skills: Run, project: Path) -> None:
        mind_skills("replay", DEMO, "--stage", "--project", project)
        (candidate,) = mind_skills("pending", "--json").json["candidates"]
        found = [
            why_as_json(mind_skills, text)
            for text in (candidate["id"], candidate["id"][3:7], f"candidate:{candidate['id']}")
        ]
        assert [(each["subject"], each["candidate"]["id"]) for each in found] == [("candidate", candidate["id"])] * 3
