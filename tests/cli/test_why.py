"""`mind-skills why` about a candidate, and how the commands treat candidates that an installed skill covers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mind_skills.cli import why
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import compute_rank
from mind_skills.store.database import DATABASE_NAME
from mind_skills.store.project import resolve_project
from mind_skills.team import outbox, sync
from mind_skills.team.contributions import ContributionKey, TeamKey, digest_project
from tests.testkit.paths import DEMO

Run = Callable[..., Any]


@pytest.fixture
def staged(mind_skills: Run, project: Path) -> str:
    """The id of the only candidate of the bundled session, pending in the project."""
    (project / ".git").mkdir()
    mind_skills("replay", DEMO, "--stage", "--project", project)
    (candidate,) = mind_skills("pending", "--json").json["candidates"]
    return str(candidate["id"])


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
