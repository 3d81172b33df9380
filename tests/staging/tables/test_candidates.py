"""One unreadable row does not block the others; candidates that other sessions have seen are recognised."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from mind_skills.digest.model import Facts
from mind_skills.errors import NewerDatabaseError
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Evidence, parse_bodies, serialise_candidate
from mind_skills.staging.offer import claim_offer
from mind_skills.staging.tables.schema import SCHEMA
from mind_skills.store.database import Database, Schema
from tests.staging.workbench import Workbench, candidate


def damage(bench: Workbench, table: str, anchor: str) -> None:
    with closing(sqlite3.connect(Path(bench.ledger.home, "mind-skills.db"))) as sql, sql:
        where = "fingerprint = (SELECT fingerprint FROM candidates WHERE id = ?)"
        changed = sql.execute(
            f"UPDATE {table} SET body = replace(body, '\"kind\"', '\"k\x07nd\"') WHERE {where}", [bench.id(anchor)]
        )
        assert changed.rowcount == 1


def test_an_unreadable_candidate_stays_in_the_pending_file_and_does_not_block_the_others(bench: Workbench) -> None:
    bench.stage("R", *"abc")
    before = sorted(bench.in_file())
    damage(bench, "candidates", "a")
    bench.ledger.update_pending_file(bench.project, 300)
    assert (sorted(bench.errors()), sorted(bench.in_file())) == (["b", "c"], before)
    offer = bench.claim("S")
    assert offer is not None
    assert sorted(offer.ids) == before  # its entry was rendered into a column of its own
    bench.ledger.apply_verdicts("S", {}, 400)
    assert bench.states() == {"b": "ignored", "c": "ignored"}


@pytest.mark.parametrize("table", ["candidates", "sightings"])
def test_staging_an_unreadable_candidate_again_repairs_it(bench: Workbench, table: str) -> None:
    bench.stage("R", *"abc")
    before = bench.id("a")
    damage(bench, table, "a")
    bench.stage("R", *"abc")
    assert (sorted(bench.errors()), bench.id("a")) == (["a", "b", "c"], before)
    assert [each.host for each in bench.ledger.list_activity()]


def test_an_unreadable_body_is_skipped_in_a_list_and_raises_on_its_own(bench: Workbench) -> None:
    bench.stage("R", "a")
    [candidate] = bench.ledger.list_pending(bench.project)
    body = serialise_candidate(candidate)
    broken = [
        "",
        "null",
        "[]",
        "{}",
        body[:-1],
        body.replace('"role"', '"rule"'),
        body.replace('"files": [', '"files": 5, "x": ['),
    ]
    assert parse_bodies([*broken, body]) == [candidate]


def test_of_a_version_without_digests_only_decisions_stay(tmp_path: Path) -> None:
    with Workbench(tmp_path) as bench:
        bench.stage("R", "a", "b", "c")
        bench.ledger.dismiss(bench.id("b"), "no", 150)
        bench.ledger.accept(bench.id("c"), "/c/SKILL.md", 160)
        decided = {bench.id(error): bench.ledger.find_candidate(bench.id(error)) for error in "bc"}
    new = ("probability", "deciding", "facts", "sessionFacts", "digestLength", "lastLine", "error")
    with closing(sqlite3.connect(Path(bench.home, "mind-skills.db"))) as sql, sql:
        for table in ("digests", "reminders", "muted"):
            sql.execute(f"DROP TABLE {table}")
        sql.execute("UPDATE versions SET version = version - 1 WHERE package = 'staging'")
        paths = ", ".join(f"'$.{name}'" for name in new)
        sql.execute(f"UPDATE candidates SET body = json_remove(body, {paths})")
    with Ledger.open(bench.home) as ledger:
        assert {id_: ledger.find_candidate(id_) for id_ in decided} == {
            id_: replace(
                record,
                candidate=replace(
                    record.candidate, facts=Facts(), session_facts="", digest_length=0, last_line=0, error=""
                ),
            )
            for id_, record in decided.items()
        }
        assert ledger.list_pending(bench.project) == []
        assert claim_offer(ledger.home, bench.project, "S", 200) is None
        assert ledger.stage(bench.project, "T", "codex", [candidate("b", session="T")], 300).settled_before == (
            bench.id("b"),
        )


def test_an_older_version_refuses_to_open_a_newer_database(bench: Workbench) -> None:
    with pytest.raises(NewerDatabaseError):
        Database.open(bench.home, Schema(SCHEMA.name, SCHEMA.migrations[:-1]))


def test_candidates_that_others_have_seen_are_excluded_even_if_they_are_not_on_the_list(bench: Workbench) -> None:
    anchors = [f"the {chr(97 + number) * 5} handshake hangs" for number in range(14)]
    for number, anchor in enumerate(anchors):
        bench.stage(f"S{number}", anchor)
    found = [candidate(anchor, session="T") for anchor in anchors]
    assert (len(bench.errors()), bench.ledger.exclude_seen_by_others(bench.project, "T", found)) == (10, [])
    assert bench.ledger.exclude_seen_by_others(bench.project, "S3", found) == [found[3]]


def test_a_candidate_with_another_fingerprint_is_excluded_if_others_saw_most_of_its_evidence(bench: Workbench) -> None:
    bench.stage("S", "the handshake hangs")
    known = candidate("the handshake hangs")
    more = Evidence("discovery", "cause", "agent: no entropy", "There is no entropy.", 7)
    longer = replace(known, fingerprint="f" * 32, evidence=(*known.evidence, more))
    other = replace(longer, evidence=(known.evidence[1], more))
    assert bench.ledger.exclude_seen_by_others(bench.project, "T", [longer, other]) == [other]
