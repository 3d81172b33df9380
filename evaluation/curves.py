"""Chosen proposals in the order of their values, read at fixed shares of the learnings: designs are compared there."""

from __future__ import annotations

from collections.abc import Sequence

from mind_skills.evaluation.folds import Chosen
from mind_skills.evaluation.pool import Pool
from mind_skills.evaluation.study_report import CurveReport, PointReport

RECALLS = (0.2, 0.3, 0.4, 0.5)


def curve(pool: Pool, chosen: Sequence[Chosen], recalls: Sequence[float] = RECALLS) -> CurveReport:
    """At each recall that is reached: the strict and the useful precision of all from the best down to there.

    ``average`` is the mean precision over recalls up to the last of ``recalls``, 0 where that recall is not reached.
    """
    learnings = sum(len(session.label.learnings) for session in pool.sessions)
    found, noisy = set[tuple[int, int]](), set[int]()
    tries = hits = useful = 0
    points: list[PointReport] = []
    area = before = 0.0
    for each in sorted(chosen, key=lambda each: (-each.value, each.row)):
        judged = pool.sessions[each.session].proposals[each.row - pool.bounds[each.session][0]].judged
        if pool.sessions[each.session].label.silent:
            noisy.add(each.session)
        if judged.neutral:
            continue
        strict = {(each.session, index) for index in judged.found["strict"]}
        new = bool(strict - found)
        found |= strict
        tries, hits, useful = tries + 1, hits + new, useful + (new or judged.borderline)
        recall = len(found) / max(1, learnings)
        area += (min(recall, recalls[-1]) - before) * hits / tries
        before = min(recall, recalls[-1])
        while len(points) < len(recalls) and recall >= recalls[len(points)]:
            points.append(
                PointReport(
                    recall=recalls[len(points)],
                    precision=round(hits / tries, 3),
                    useful=round(useful / tries, 3),
                    candidates=tries,
                    noisy=len(noisy),
                )
            )
    return CurveReport(points=points, average=round(area / recalls[-1], 3))
