"""Accepted and dismissed candidates change the weights of their detectors."""

from dataclasses import replace

import pytest

from mind_skills.learning.scoring import DEFAULTS
from mind_skills.staging.trust import weigh_candidate, weigh_detectors
from mind_skills.store.project import resolve_project
from tests.staging.workbench import candidate

NOW = 10_000


def stage_and_decide(bench, accepted, dismissed, kind="error_fix"):
    """Stage candidates of one detector, each from a session of its own, and accept or dismiss them."""
    for number in range(accepted + dismissed):
        found = candidate(f"{kind} matter number {number} alpha{number}", session=f"S{number}", kind=kind)
        (id_,) = bench.ledger.stage(bench.project, f"{kind}-{number}", "claude-code", [found], 100).new
        if number < accepted:
            bench.ledger.accept(id_, "/skill/SKILL.md", 200)
        else:
            bench.ledger.dismiss(id_, "no", 200)


def read_weights(bench):
    return {
        name: (w.helpful_count, w.harmful_count, w.weight)
        for name, w in bench.ledger.weigh_detectors(NOW, DEFAULTS, bench.project).items()
    }


def test_decisions_are_counted_per_detector(bench):
    stage_and_decide(bench, 3, 1)
    stage_and_decide(bench, 0, 2, kind="non_obvious")
    assert read_weights(bench) == {"error_fix": (3, 1, 0.75), "non_obvious": (0, 2, 1.0)}


@pytest.mark.parametrize(
    ("session", "elsewhere"), [("", {"error_fix": (0, 3, 0.1)}), ("S", {})], ids=["a person", "an agent"]
)
def test_dismissals_by_an_agent_count_only_in_its_project(bench, tmp_path, session, elsewhere):
    for number in range(3):
        found = candidate(f"matter number {number} alpha{number}", session=f"S{number}", kind="error_fix")
        (id_,) = bench.ledger.stage(bench.project, f"S{number}", "claude-code", [found], 100).new
        bench.ledger.dismiss(id_, "no", 200, bench.project, session)
    assert read_weights(bench) == {"error_fix": (0, 3, 0.1)}
    (tmp_path / "other").mkdir()
    bench.project = resolve_project(project_folder=str(tmp_path / "other"))
    assert read_weights(bench) == elsewhere


def test_an_undone_decision_is_not_counted(bench):
    stage_and_decide(bench, 0, 1)
    bench.ledger.undo(300)
    assert read_weights(bench) == {}


def test_candidates_of_a_sometimes_dismissed_detector_rank_lower(bench):
    stage_and_decide(bench, 3, 1)
    later, other = (
        candidate("the cache is stale again", score=2.0),
        candidate("the lock is held", 1.8, kind="non_obvious"),
    )
    bench.ledger.stage(bench.project, "later", "claude-code", [later, other], 500)
    assert [
        (each.kind, each.score, each.parts.get("criterion")) for each in bench.ledger.list_pending(bench.project)
    ] == [("non_obvious", 1.8, None), ("error_fix", 1.5, -0.5)]


def test_staging_a_weighed_candidate_again_does_not_weigh_it_twice(bench):
    """A resumed checkpoint stages its earlier candidates again, as they were stored."""
    stage_and_decide(bench, 3, 1)
    bench.ledger.stage(bench.project, "later", "claude-code", [candidate("the cache is stale again", score=2.0)], 500)
    for _ in range(3):
        kept = bench.ledger.list_staged_by(bench.project, "later")
        bench.ledger.stage(bench.project, "later", "claude-code", kept, 500)
    assert [(each.score, each.parts) for each in bench.ledger.list_pending(bench.project)] == [
        (1.5, {"criterion": -0.5})
    ]
    bench.ledger.undo(600)
    bench.ledger.stage(bench.project, "later", "claude-code", kept, 700)
    assert [(each.score, each.parts) for each in bench.ledger.list_pending(bench.project)] == [(2.0, {}), (1.0, {})]


def test_candidates_of_an_always_dismissed_detector_are_staged_with_a_tenth_of_their_score(bench):
    stage_and_decide(bench, 0, 3)
    found = candidate("the cache is stale again", score=2.0)
    assert bench.ledger.stage(bench.project, "later", "claude-code", [found], 500).new == (found.id,)
    assert [each.score for each in bench.ledger.list_pending(bench.project)] == [0.2]


def test_a_detector_without_decisions_has_weight_one():
    found = candidate("anything")
    assert weigh_candidate(found, {}) == found


def test_an_empty_ledger_has_no_weights(bench):
    with bench.ledger.database.reading() as sql:
        assert weigh_detectors(sql, NOW, DEFAULTS, bench.project.id) == {}


def test_the_parts_of_a_weighed_candidate_sum_up_to_its_score(bench):
    stage_and_decide(bench, 3, 1)
    found = replace(candidate("the cache is stale again", score=2.0), parts={"kind": 1.2, "verified": 0.8})
    now = weigh_candidate(found, bench.ledger.weigh_detectors(NOW, DEFAULTS, bench.project))
    assert (now.score, round(sum(now.parts.values()), 3)) == (1.5, 1.5)
