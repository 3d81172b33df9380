"""Digests are stored for each session and read back whole."""

from __future__ import annotations

import pytest

from mind_skills.digest.model import Facts, Header, SessionDigest
from mind_skills.staging.tables.digests import find_digest_time, put_digest
from tests.staging.workbench import Workbench, episode

DIGEST = SessionDigest(
    Header("codex", 1_767_312_000_000, 12, 90, "helpful", ("passed",), True, ("release",), "Fix it.", 2),
    [
        episode("a", facts=Facts("make", changed=("a.py", "b.py")), deciding=(("length", -0.5),), taint=("web",)),
        episode("b"),
    ],
)


def put(bench: Workbench, digest: SessionDigest, at: int) -> None:
    with bench.ledger.database.writing() as sql:
        put_digest(sql, "S", bench.project.id, digest, at)


def test_the_last_digest_of_a_session_is_found_as_it_was_stored(bench: Workbench) -> None:
    assert bench.ledger.find_digest("S") is None
    for at, digest in ((1, SessionDigest()), (2, DIGEST)):
        put(bench, digest, at)
        with bench.ledger.database.reading() as sql:
            assert (bench.ledger.find_digest("S"), find_digest_time(sql, "S")) == (digest, at)


@pytest.mark.parametrize(
    "body", ["", "{", "[]", "{}", '{"header": {}, "episodes": [{}]}', '{"header": {"x": 1}, "episodes": []}']
)
def test_an_unreadable_digest_counts_as_none(bench: Workbench, body: str) -> None:
    put(bench, DIGEST, 1)
    with bench.ledger.database.writing() as sql:
        sql.execute("UPDATE digests SET body = ?", (body,))
    assert bench.ledger.find_digest("S") is None
