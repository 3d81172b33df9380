"""What rests on a version is doubted once another one is seen in use, until it is seen again under the new one."""

from dataclasses import replace

from mind_skills.detectors.model import Evidence
from mind_skills.staging.doubt import DOUBT, REASON
from tests.staging.workbench import candidate

WRAPT = Evidence("warning", "context", "rests on wrapt 1.13.3, python 3.11", "", 9)


def stage_all(bench, session, *candidates):
    bench.ledger.stage(bench.project, session, "claude-code", candidates, 100)


def resting(found, *more):
    return replace(found, evidence=(*found.evidence, *more), parts={"kind": found.score})


def seen(bench):
    return {
        each.title: (each.confidence, each.score, each.reason.startswith(REASON))
        for each in bench.ledger.list_pending(bench.project)
    }


def test_another_version_in_use_makes_what_rests_on_the_old_one_doubtful(bench):
    stage_all(bench, "A", resting(candidate("one", 2.0), WRAPT), resting(candidate("two", 1.5)))
    before = seen(bench)
    one, two = sorted(before, key=lambda title: -before[title][1])
    assert bench.ledger.doubt(bench.project, "B", {"wrapt": "1.13.3", "python": "3.11.7"}, 200) == []
    assert seen(bench) == before
    (id_,) = bench.ledger.doubt(bench.project, "B", {"wrapt": "1.15.0", "numpy": "2.1"}, 300)
    assert seen(bench) == {one: ("medium", 2.0 + DOUBT, True), two: before[two]}
    assert bench.ledger.doubt(bench.project, "C", {"wrapt": "1.15.0"}, 400) == []
    assert [(r.candidate, r.session, r.detail) for r in bench.ledger.list_receipts() if r.what == "doubted"] == [
        (id_, "B", {"inUse": {"wrapt": "1.15.0"}})
    ]


def test_the_session_that_saw_it_does_not_doubt_itself(bench):
    stage_all(bench, "A", resting(candidate("one", 2.0), WRAPT))
    assert bench.ledger.doubt(bench.project, "A", {"wrapt": "1.15.0"}, 300) == []


def test_a_session_that_was_over_by_then_says_nothing_of_what_came_later(bench):
    stage_all(bench, "A", resting(candidate("one", 2.0, at=100), WRAPT))
    assert bench.ledger.doubt(bench.project, "killed long ago", {"wrapt": "1.12.0"}, 300, 99) == []
    assert len(bench.ledger.doubt(bench.project, "B", {"wrapt": "1.15.0"}, 300, 100)) == 1


def test_looking_at_the_same_session_again_takes_no_doubt_away(bench):
    one = resting(candidate("one", 2.0), WRAPT)
    stage_all(bench, "A", one)
    bench.ledger.doubt(bench.project, "B", {"wrapt": "1.15.0"}, 300)
    doubtful = seen(bench)
    for again in (one, *bench.ledger.list_staged_by(bench.project, "A")):
        stage_all(bench, "A", again)
        assert seen(bench) == doubtful == {one.title: ("medium", 2.0 + DOUBT, True)}
    other = replace(WRAPT, summary="rests on wrapt 1.15.0")
    stage_all(bench, "A", resting(candidate("one", 2.0), other))
    assert seen(bench) == {one.title: ("high", 2.0, False)}


def test_seen_again_under_the_new_version_it_is_believed_again(bench):
    old = resting(candidate("one", 2.0), WRAPT)
    stage_all(bench, "A", old)
    bench.ledger.doubt(bench.project, "B", {"wrapt": "1.15.0"}, 300)
    stage_all(
        bench, "B", resting(candidate("one", 2.0), Evidence("warning", "context", "rests on wrapt 1.15.0", "", 9))
    )
    (now,) = bench.ledger.list_pending(bench.project)
    assert (now.confidence, now.reason, now.sessions, now.score) == ("high", old.reason, ("A", "B"), 2.0)
