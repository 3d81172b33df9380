"""`mind-skills why` about a candidate, and how the commands treat candidates that an installed skill covers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mind_skills.cli import why
from mind_skills.detectors.features import FEATURES
from mind_skills.learning.taste import MAX_SHIFT
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import compute_rank
from mind_skills.staging.offer import claim_offer
from mind_skills.store.database import DATABASE_NAME
from mind_skills.store.project import resolve_project
from mind_skills.team import outbox, sync
from mind_skills.team.contributions import ContributionKey, TeamKey, digest_project
from tests.testkit.paths import DEMO

Run = Callable[..., Any]
PARTS = ["probability", "recurrence", "novelty", "history"]


@pytest.fixture
def staged(mind_skills: Run, project: Path) -> str:
    """The id of the only candidate of the bundled session, pending in the project."""
    (project / ".git").mkdir()
    mind_skills("replay", DEMO, "--stage", "--project", project)
    (candidate,) = mind_skills("pending", "--json").json["candidates"]
    return str(candidate["id"])


def write_skill(project: Path, text: str, name: str = "exact") -> Path:
    path = project / ".claude/skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(
        f"---\nname: {name}\ndescription: Use when a price is off by a cent.\n---\n{text}\n", encoding="utf-8"
    )
    return path


def offer(apart: Path, project: Path, session: str) -> None:
    with Ledger.open(apart / "state") as ledger:
        assert claim_offer(ledger.home, resolve_project(project_folder=str(project)), session, 1_772_500_000_000)


def why_as_json(mind_skills: Run, *arguments: str) -> Any:
    done = mind_skills("why", *arguments, "--json")
    assert (done.code, done.err) == (0, "")
    return done.json


def test_why_counts_the_people_of_the_team_only_in_a_project_that_is_shared_with_it(
    mind_skills: Run, apart: Path, staged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, remote = TeamKey("acme", b"k" * 32), "https://example.com/acme/shop"
    monkeypatch.setattr(sync, "find_remote", lambda _: remote)
    before = why_as_json(mind_skills, staged)
    subject = digest_project(key, remote), key.digest("learning", before["candidate"]["fingerprint"])
    sums = [
        (ContributionKey("seen", *subject, b""), outbox.Sum(4, 4.0, 0.0)),
        (ContributionKey("decided", *subject, b""), outbox.Sum(3, 1.0, 2.0)),
    ]
    with outbox.open_outbox(str(apart / "state")) as database, database.writing() as sql:
        outbox.add_member(sql, "postgresql:///team", key)
        outbox.store_sums(sql, sums, {}, replace_all=True)
    assert why_as_json(mind_skills, staged) == before == {**before, "team": None}
    assert mind_skills("config", "set", "share_with_team", "true", "--project").code == 0
    assert why_as_json(mind_skills, staged) == {**before, "team": {"met": 4, "accepted": 1, "dismissed": 2}}


def test_the_parts_of_a_rank_are_explained_and_add_up(mind_skills: Run, staged: str) -> None:
    document = why_as_json(mind_skills, staged)
    assert [part["name"] for part in document["parts"]] == PARTS
    assert all(part["text"].endswith(".") for part in document["parts"])
    assert sum(part["value"] for part in document["parts"]) == pytest.approx(document["rank"], abs=0.001)
    (candidate,) = mind_skills("pending", "--json").json["candidates"]
    assert document["rank"] == round(candidate["score"], 3) == round(candidate["probability"], 3)


def test_why_explains_the_deciding_features(mind_skills: Run, staged: str) -> None:
    deciding = why_as_json(mind_skills, staged)["deciding"]
    says = {feature.name: feature.description for feature in FEATURES}
    assert [each["text"] for each in deciding] == [says[each["name"]] for each in deciding]
    shown = [deciding[0]["text"] in mind_skills("why", staged, *more).out for more in ([], ["--verbose"])]
    assert shown == [False, True]


def test_why_explains_how_earlier_decisions_changed_the_probability(
    mind_skills: Run, staged: str, apart: Path, project: Path
) -> None:
    assert why_as_json(mind_skills, staged)["decided"] is None
    place = resolve_project(project_folder=str(project))
    with Ledger.open(apart / "state") as ledger:
        (like,) = ledger.list_pending(place)
        for number in range(3):
            other = replace(like, id="", fingerprint=f"{number:032}", title=f"Another matter {number} of its own")
            (id_,) = ledger.stage(place, f"S{number}", "claude-code", [other], 1, adapts=False).new
            ledger.dismiss(id_, "no", 2 + number)
    told = why_as_json(mind_skills, staged)["decided"]
    assert (told["decisions"], told["shift"] < 0) == (3, True)
    parts = sum(part["value"] for part in told["parts"])
    assert told["shift"] == pytest.approx(max(-MAX_SHIFT, parts), abs=0.01)
    said = f"{told['probability']:.0%} after 3 decisions in this project ({like.probability:.0%} before)"
    assert f"\nProbability that this is a learning: {said}.\n" in mind_skills("why", staged).out
    mind_skills("config", "set", "learn_from_decisions", "false")
    assert why_as_json(mind_skills, staged)["decided"] is None


def test_recurrence_and_a_similar_skill_change_the_rank_and_are_shown(
    mind_skills: Run, staged: str, project: Path
) -> None:
    copy = project.parent / "again.jsonl"
    copy.write_bytes(DEMO.read_bytes().replace(b"5d0c3f6e", b"6e1d4a7f"))
    path = write_skill(project, "The price is a float already: no rounding mode can help Decimal(2.675).")
    done = mind_skills("replay", copy, "--stage", "--project", project)
    assert done.err == f"{project}: 0 new, 1 seen before, 0 decided before; 1 on the list.\n"
    document = why_as_json(mind_skills, staged)
    values = {part["name"]: part["value"] for part in document["parts"]}
    assert (values["recurrence"] > 0, values["novelty"] < 0) == (True, True)
    assert sum(values.values()) == pytest.approx(document["rank"], abs=0.001)
    assert (document["nearest"]["path"], 0 < document["nearest"]["share"] < 0.6) == (str(path), True)
    assert [one["host"] for one in document["seen"]] == ["claude-code"] * 2


def test_an_unknown_part_of_a_rank_and_the_remainder_are_shown(mind_skills: Run, staged: str, apart: Path) -> None:
    with Ledger.open(apart / "state") as ledger:
        (candidate,) = ledger.list_pending(resolve_project(project_folder=str(apart / "project")))
    candidate.parts["magic"] = 0.5
    candidate.score += 0.75
    parts = why.build_rank_parts(candidate)
    assert [(part.name, part.value) for part in parts[-2:]] == [("magic", 0.5), ("other", 0.25)]
    assert sum(part.value for part in parts) == pytest.approx(compute_rank(candidate), abs=0.001)


def test_why_marks_what_a_candidate_rests_on(mind_skills: Run, staged: str, project: Path, apart: Path) -> None:
    assert "rests on" not in mind_skills("why", staged).out
    with closing(sqlite3.connect(apart / "state" / DATABASE_NAME)) as database, database:
        database.execute("UPDATE candidates SET body = json_set(body, '$.taint', json('[\"issue\", \"web\"]'))")
    assert "; rests on others' text (issue, web).\n" in mind_skills("why", staged).out
