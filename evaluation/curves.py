"""Precision at fixed recalls, by which designs are compared."""

from __future__ import annotations

from collections.abc import Sequence

from mind_skills.evaluation.folds import Chosen
from mind_skills.evaluation.pool import Pool
from mind_skills.evaluation.study_report import CurveReport, PointReport

RECALLS = (0.2, 0.3, 0.4, 0.5)


def build_curve(pool: Pool, chosen: Sequence[Chosen], recalls: Sequence[float] = RECALLS) -> CurveReport:
    """Return strict and useful precision at each recall that is reached, using as few of the best candidates as possible.

    ``average`` is the mean precision up to the last of ``recalls``; where recall is not reached, precision counts as 0.
    """
    learnings = sum(len(session.label.learnings) for session in pool.sessions)
    found_learnings, noisy_sessions = set[tuple[int, int]](), set[int]()
    candidates = hits = useful = 0
    points: list[PointReport] = []
    area = previous_recall = 0.0
    for candidate in sorted(chosen, key=lambda choice: (-choice.value, choice.row)):
        judged = pool.sessions[candidate.session].proposals[candidate.row - pool.bounds[candidate.session][0]].judged
        if pool.sessions[candidate.session].label.is_silent:
            noisy_sessions.add(candidate.session)
        if judged.is_neutral:
            continue
        strict = {(candidate.session, index) for index in judged.hits_by_level["strict"]}
        is_new = bool(strict - found_learnings)
        found_learnings |= strict
        candidates, hits, useful = candidates + 1, hits + is_new, useful + (is_new or judged.is_in_borderline_range)
        recall = len(found_learnings) / max(1, learnings)
        area += (min(recall, recalls[-1]) - previous_recall) * hits / candidates
        previous_recall = min(recall, recalls[-1])
        while len(points) < len(recalls) and recall >= recalls[len(points)]:
            points.append(
                PointReport(
                    recall=recalls[len(points)],
                    precision=round(hits / candidates, 3),
                    useful=round(useful / candidates, 3),
                    candidates=candidates,
                    noisy=len(noisy_sessions),
                )
            )
    return CurveReport(points=points, average=round(area / recalls[-1], 3))
