"""A disk that gives back other bytes in one row keeps nobody from what stands in the others."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mind_skills.staging.form import UnreadableBodyError, from_body, readable, to_body
from tests.staging.workbench import Workbench


def damage(bench: Workbench, table: str, anchor: str) -> None:
    with closing(sqlite3.connect(Path(bench.ledger.home, "mind-skills.db"))) as sql, sql:
        where = "fingerprint = (SELECT fingerprint FROM candidates WHERE id = ?)"
        changed = sql.execute(
            f"UPDATE {table} SET body = replace(body, '\"kind\"', '\"k\x07nd\"') WHERE {where}", [bench.id(anchor)]
        )
        assert changed.rowcount == 1


def test_a_candidate_that_cannot_be_read_keeps_its_place_in_the_pending_file_and_nobody_from_the_others(
    bench: Workbench,
) -> None:
    bench.stage("R", *"abc")
    before = sorted(bench.in_file())
    damage(bench, "candidates", "a")
    bench.ledger.project_pending(bench.project, 300)
    assert (sorted(bench.titles()), sorted(bench.in_file())) == (["b", "c"], before)
    offer = bench.claim("S")
    assert offer is not None
    assert sorted(offer.ids) == before  # its text was made ready in a column of its own
    bench.ledger.settle("S", {}, 400)
    assert bench.states() == {"b": "ignored", "c": "ignored"}


@pytest.mark.parametrize("table", ["candidates", "sightings"])
def test_who_runs_into_it_again_mends_it(bench: Workbench, table: str) -> None:
    bench.stage("R", *"abc")
    before = bench.id("a")
    damage(bench, table, "a")
    bench.stage("R", *"abc")
    assert (sorted(bench.titles()), bench.id("a")) == (["a", "b", "c"], before)
    assert [each.host for each in bench.ledger.activity()]


def test_what_is_no_body_is_told_apart_from_what_is(bench: Workbench) -> None:
    bench.stage("R", "a")
    [candidate] = bench.ledger.pending(bench.project)
    body = to_body(candidate)
    broken = [
        "",
        "null",
        "[]",
        "{}",
        body[:-1],
        body.replace('"role"', '"rule"'),
        body.replace('"files": [', '"files": 5, "x": ['),
    ]
    assert readable([*broken, body]) == [candidate]
    for each in broken:
        with pytest.raises(UnreadableBodyError):
            from_body(each)
