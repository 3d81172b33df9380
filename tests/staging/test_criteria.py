"""What a person accepts and dismisses tells the detectors apart."""

from dataclasses import replace

from mind_skills.staging.select import combine_candidates
from mind_skills.staging.trust import weigh_candidate, weigh_detectors
from tests.staging.workbench import candidate

NOW = 10_000


def decided(bench, accepted, dismissed, kind="error_fix"):
    """So many candidates of a detector, each staged by a session of its own and decided."""
    for number in range(accepted + dismissed):
        found = candidate(f"{kind} matter number {number} alpha{number}", session=f"S{number}", kind=kind)
        (id_,) = bench.ledger.stage(bench.project, f"{kind}-{number}", "claude-code", [found], 100).new
        if number < accepted:
            bench.ledger.accept(id_, "/skill/SKILL.md", 200)
        else:
            bench.ledger.dismiss(id_, "no", 200)


def known(bench):
    return {name: (w.helpful_count, w.harmful_count, w.weight) for name, w in bench.ledger.weigh_detectors(NOW).items()}


def test_what_was_decided_is_counted_by_detector(bench):
    decided(bench, 3, 1)
    decided(bench, 0, 2, kind="non_obvious")
    assert known(bench) == {"error_fix": (3, 1, 0.75), "non_obvious": (0, 2, 1.0)}


def test_undoing_a_decision_takes_its_judgement_back(bench):
    decided(bench, 0, 1)
    bench.ledger.undo(300)
    assert known(bench) == {}


def test_a_detector_that_was_dismissed_at_times_ranks_lower(bench):
    decided(bench, 3, 1)
    later, other = (
        candidate("the cache is stale again", score=2.0),
        candidate("the lock is held", 1.8, kind="non_obvious"),
    )
    bench.ledger.stage(bench.project, "later", "claude-code", [later, other], 500)
    assert [
        (each.kind, each.score, each.parts.get("criterion")) for each in bench.ledger.list_pending(bench.project)
    ] == [
        ("non_obvious", 1.8, None),
        ("error_fix", 1.5, -0.5),
    ]


def test_what_was_weighed_before_is_not_weighed_twice(bench):
    """A checkpoint that reads on from a mark stages what it knew, as it was staged."""
    decided(bench, 3, 1)
    bench.ledger.stage(bench.project, "later", "claude-code", [candidate("the cache is stale again", score=2.0)], 500)
    for _ in range(3):
        kept = combine_candidates(bench.ledger.list_staged_by(bench.project, "later"), [], 10_000)
        bench.ledger.stage(bench.project, "later", "claude-code", kept, 500)
    assert [(each.score, each.parts) for each in bench.ledger.list_pending(bench.project)] == [
        (1.5, {"criterion": -0.5})
    ]
    bench.ledger.undo(600)
    bench.ledger.stage(bench.project, "later", "claude-code", kept, 700)
    assert [(each.score, each.parts) for each in bench.ledger.list_pending(bench.project)] == [(2.0, {}), (1.0, {})]


def test_a_detector_that_was_always_dismissed_is_staged_and_ranks_last(bench):
    decided(bench, 0, 3)
    found = candidate("the cache is stale again", score=2.0)
    assert bench.ledger.stage(bench.project, "later", "claude-code", [found], 500).new == (found.id,)
    assert [each.score for each in bench.ledger.list_pending(bench.project)] == [0.2]


def test_a_detector_of_which_nothing_is_known_weighs_one():
    found = candidate("anything")
    assert weigh_candidate(found, {}) == found


def test_an_empty_ledger_has_no_weights(bench):
    with bench.ledger.database.reading() as sql:
        assert weigh_detectors(sql, NOW) == {}


def test_the_parts_of_a_rank_still_sum_up_to_its_score(bench):
    decided(bench, 3, 1)
    found = replace(candidate("the cache is stale again", score=2.0), parts={"kind": 1.2, "verified": 0.8})
    now = weigh_candidate(found, bench.ledger.weigh_detectors(NOW))
    assert (now.score, round(sum(now.parts.values()), 3)) == (1.5, 1.5)
