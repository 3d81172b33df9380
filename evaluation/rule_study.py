"""The `rules` command: how well the user's lasting rules are found, out of fold, and the fit of their weights.

Cross-validation is nested: weights, calibration and threshold for an owner's sessions come from the other owners only.
Each of these is left out once more, and calibration and threshold come from the sentences chosen in that owner's
sessions. A message within three lines of a labelled correction is a hit, as in judging.py. A fit uses sentences that
share most words with a correction as hits, sentences of messages far from any correction as misses, and no others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mind_skills.detectors import user_rules
from mind_skills.detectors.user_rules import RULE_FEATURES, index_conversation, is_recorded, measure_features
from mind_skills.errors import MindSkillsError
from mind_skills.evaluation import weights
from mind_skills.evaluation.calibration import Guess, Line, find_threshold, fit_platt
from mind_skills.evaluation.fitting import Array, Fitted, fit, round_significant
from mind_skills.evaluation.judging import SLACK
from mind_skills.evaluation.labels import Correction, Label, find_owners, load_labels, locate_logs
from mind_skills.evaluation.rates import Count, build_rate
from mind_skills.evaluation.report import RulesReport, RuleStudyReport
from mind_skills.observations.read import open_log
from mind_skills.output.text import format_path

if TYPE_CHECKING:
    from mind_skills.evaluation.score import Progress


class Aim(NamedTuple):
    """The precision that rules at or above the threshold should reach inside a fold, and the minimum number of these rules."""

    precision: float
    min_rules: int


STRICT_AIM = Aim(0.75, 3)
"""For offering rules without opt-in: a little above the required 0.70."""
OFFER_AIM = Aim(0.55, 10)
"""For users who opted in: about as certain as a medium candidate of another kind."""
MIN_SHARED_WORD_SHARE = 0.6
"""Minimum number of words that a sentence and a labelled correction share, as a fraction of the words of the shorter one."""
SIGNS = np.array([float(feature.sign) for feature in RULE_FEATURES])
_WORD = re.compile(r"\w+")


class Row(NamedTuple):
    """One sentence. ``is_hit``: its message is near a correction. ``is_rule``: it also shares most words with that correction.

    ``is_fitted``: a fit uses the sentence. ``is_in_project_file``: the agent wrote the rule to the project's instruction file.
    """

    session: int
    features: tuple[float, ...]
    is_hit: bool
    is_rule: bool
    is_fitted: bool
    is_in_project_file: bool


class Model(NamedTuple):
    """Everything that is fitted to labelled sessions."""

    fitted: Fitted
    line: Line
    threshold: float


class RulePool:
    """The sentences of labelled sessions, and cached fits without some of the owners."""

    def __init__(self, labels: Sequence[Label], owners_by_name: dict[str, str], rows: Sequence[Row]) -> None:
        self.owners = [owners_by_name[label.name] for label in labels]
        self.names = sorted(set(self.owners))
        self.correction_counts = [len(label.correction_lines or ()) for label in labels]
        self.rows = rows
        self.values: Array = np.array([row.features for row in rows], dtype=np.float64)
        self.row_owners = np.array([self.owners[row.session] for row in rows])
        self.fit_without = cache(self._fit)

    def _fit(self, left_out: frozenset[str]) -> Fitted:
        is_seen: NDArray[np.bool_] = np.array([row.is_fitted for row in self.rows]) & ~np.isin(
            self.row_owners, sorted(left_out)
        )
        is_rule = np.array([float(row.is_rule) for row in self.rows])
        return fit(self.values[is_seen], is_rule[is_seen], np.ones(int(is_seen.sum())), SIGNS)

    def choose_best(self, owner: str, fitted: Fitted, *, include_written: bool) -> list[Guess]:
        """Return the best-scoring sentence of each session of an owner.

        Rules that the agent wrote to the project's instruction file are considered only with ``include_written``.
        """
        best: dict[int, Guess] = {}
        indexes = [
            i
            for i in map(int, np.flatnonzero(self.row_owners == owner))
            if include_written or not self.rows[i].is_in_project_file
        ]
        for index, score in zip(indexes, fitted.compute_scores(self.values[indexes]), strict=True):
            row = self.rows[index]
            if row.session not in best or score > best[row.session].value:
                best[row.session] = Guess(float(score), row.is_hit)
        return list(best.values())

    def build_model(self, aim: Aim, left_out: frozenset[str] = frozenset(), *, include_written: bool = False) -> Model:
        """Build the model of all owners except ``left_out``."""
        guesses = [
            guess
            for owner in self.names
            if owner not in left_out
            for guess in self.choose_best(owner, self.fit_without(left_out | {owner}), include_written=include_written)
        ]
        line = fit_platt(guesses)
        line = Line(round_significant(line.slope), round_significant(line.offset))
        calibrated = [Guess(line.compute_probability(score), hit) for score, hit in guesses]
        return Model(self.fit_without(left_out), line, round_significant(_find_offer_threshold(calibrated, aim)))

    def measure_nested(self, aim: Aim, *, include_written: bool = False) -> RulesReport:
        """Measure the rules offered in each owner's sessions by the model of all others. Intervals are over owners."""
        precision, recall = list[Count](), list[Count]()
        for owner in self.names:
            model = self.build_model(aim, frozenset({owner}), include_written=include_written)
            chosen = self.choose_best(owner, model.fitted, include_written=include_written)
            hits = [hit for score, hit in chosen if model.line.compute_probability(score) >= model.threshold]
            precision.append(Count(sum(hits), len(hits)))
            corrections = sum(
                count
                for session_owner, count in zip(self.owners, self.correction_counts, strict=True)
                if session_owner == owner
            )
            recall.append(Count(sum(hits), corrections))
        return RulesReport(precision=build_rate(precision), recall=build_rate(recall))


def _find_offer_threshold(guesses: Sequence[Guess], aim: Aim) -> float:
    """Return the threshold at which the aim is reached, or 1 (nothing is offered) if it is not."""
    threshold = find_threshold(guesses, aim.precision, aim.min_rules)
    hits = [hit for value, hit in guesses if value >= threshold]
    return threshold if hits and sum(hits) >= aim.precision * len(hits) else 1.0


def study_rules(labels: Path, corpus: Path, out: Path | None, progress: Progress) -> RuleStudyReport:
    """Measure the design, and if ``out`` is given, fit to all sessions and write the weights to it.

    Raises MindSkillsError if labels or sessions are missing or too few, LogError if a session cannot be read, and
    OSError if ``out`` cannot be written.
    """
    loaded = load_labels(labels)
    logs = locate_logs(corpus, loaded.labels)
    labelled = [label for label in loaded.labels if label.correction_lines is not None and label.name in logs.logs]
    labelled.sort(key=lambda label: label.name)
    rows: list[Row] = []
    with progress("Measuring", len(labelled)) as advance:
        for session_index, label in enumerate(labelled):
            rows += _build_rows(session_index, label, logs.logs[label.name].path, logs.logs[label.name].format)
            advance()
    if len(rows) < 2 or not any(row.is_rule for row in rows):
        message = (
            f"{len(labelled)} sessions have labelled corrections, with {len(rows)} sentences that may state a rule."
        )
        raise MindSkillsError(
            "too_few", message, "Add `corrections` to more labels, with the lines in which the user stated rules."
        )
    pool = RulePool(labelled, find_owners(labelled, (labels.parent, corpus, corpus.parent)), rows)
    report = RuleStudyReport(
        sessions=len(labelled),
        owners=len(pool.names),
        sentences=len(rows),
        corrections=sum(pool.correction_counts),
        told=pool.measure_nested(OFFER_AIM),
        asked=pool.measure_nested(STRICT_AIM),
        asked_all=pool.measure_nested(STRICT_AIM, include_written=True),
        problems=[*loaded.problems, *logs.problems],
    )
    return report if out is None else report.replace(path=format_path(str(out)), changed=_write_weights(pool, out))


def _write_weights(pool: RulePool, out: Path) -> bool:
    """Fit to all sessions and write the weights to ``out``. Return whether the file changed."""
    model = pool.build_model(OFFER_AIM)
    content = {
        "weights": weights.list_weights(RULE_FEATURES, model.fitted),
        "intercept": model.fitted.intercept,
        "calibration": [model.line.slope, model.line.offset],
        "tiers": {"high": 1.0, "medium": model.threshold, "waiting": model.threshold},
        "fitted": {"sessions": len(pool.owners), "owners": len(pool.names), "corrections": sum(pool.correction_counts)},
    }
    return weights.write_document(content, out)


def _build_rows(session_index: int, label: Label, path: Path, format_name: str | None) -> Iterable[Row]:
    observations = list(open_log(path, format_name).observations)
    conversation = index_conversation(observations)
    for message_index, text in user_rules.propose_sentences(conversation):
        line = observations[message_index].line
        corrections = [
            correction
            for correction in label.corrections or ()
            if correction.line and abs(correction.line - line) <= SLACK
        ]
        is_rule = any(_is_same_rule(text, correction) for correction in corrections)
        features = measure_features(conversation, message_index, text)
        yield Row(
            session_index,
            features=tuple(features[feature.name] for feature in RULE_FEATURES),
            is_hit=bool(corrections),
            is_rule=is_rule,
            is_fitted=is_rule or not corrections,
            is_in_project_file=is_recorded(conversation, message_index, text),
        )


def _is_same_rule(text: str, correction: Correction) -> bool:
    words, correction_words = set(_WORD.findall(text.lower())), set(_WORD.findall(correction.text.lower()))
    return bool(words and correction_words) and len(words & correction_words) >= MIN_SHARED_WORD_SHARE * min(
        len(words), len(correction_words)
    )
