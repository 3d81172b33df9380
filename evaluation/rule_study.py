"""The whole of `eval rules`: how well the user's lasting rules are told, on owners that had no part in it, and their weights.

Nested: weights, calibration and the least probability of an owner's sessions come from the other owners alone, the latter two
from what was chosen in each of those without that one. A message within three lines of a labelled correction is a hit, as
in judging.py. A fit sees the sentences that share most words with the correction as hits, those of messages far from any as
misses, and none of the others.
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
from mind_skills.detectors.rule_features import RULE_FEATURES, index_conversation, is_written_down, measure
from mind_skills.errors import MindSkillsError
from mind_skills.evaluation import weights
from mind_skills.evaluation.calibration import Guess, Line, least, platt
from mind_skills.evaluation.corpus import locate, owners
from mind_skills.evaluation.figures import Part, rate
from mind_skills.evaluation.fitting import Array, Fitted, fit, significant
from mind_skills.evaluation.labels import Correction, Label, load
from mind_skills.evaluation.placing import SLACK
from mind_skills.evaluation.report import RulesReport
from mind_skills.evaluation.study_report import RuleStudyReport
from mind_skills.observations.read import open_log
from mind_skills.output.text import path_text

if TYPE_CHECKING:
    from mind_skills.evaluation.answer import Progress


class Aim(NamedTuple):
    """The precision that all rules had together from the least probability on, inside a fold, of at least so many of them."""

    precision: float
    few: int


ASKED = Aim(0.75, 3)
"""What rules would be told by if none had to want them: a little above the 0.70 that is asked of them then."""
TOLD = Aim(0.55, 10)
"""What they are told by to those who want them: about as sure as a perhaps of any other kind."""
SHARED = 0.6
"""Of the words of the shorter of both, sentence or labelled correction: so many they share where the one states the other."""
SIGNS = np.array([float(feature.sign) for feature in RULE_FEATURES])
_WORD = re.compile(r"\w+")


class Row(NamedTuple):
    """One sentence. ``fitted`` is whether a fit sees it, ``known`` whether the project's own files say it already."""

    session: int
    features: tuple[float, ...]
    hit: bool
    states: bool
    fitted: bool
    known: bool


class Model(NamedTuple):
    """All that is read off labelled sessions."""

    fitted: Fitted
    line: Line
    least: float


class Rules:
    """The sentences of labelled sessions, and fits without some of their owners, each made once."""

    def __init__(self, labels: Sequence[Label], by_name: dict[str, str], rows: Sequence[Row]) -> None:
        self.owners = [by_name[label.name] for label in labels]
        self.names = sorted(set(self.owners))
        self.wanted = [len(label.rules or ()) for label in labels]
        self.rows = rows
        self.values: Array = np.array([row.features for row in rows], dtype=np.float64)
        self.owner_of = np.array([self.owners[row.session] for row in rows])
        self.without = cache(self._without)

    def _without(self, left_out: frozenset[str]) -> Fitted:
        seen: NDArray[np.bool_] = np.array([row.fitted for row in self.rows]) & ~np.isin(
            self.owner_of, sorted(left_out)
        )
        states = np.array([float(row.states) for row in self.rows])
        return fit(self.values[seen], states[seen], np.ones(int(seen.sum())), SIGNS)

    def chosen(self, owner: str, fitted: Fitted, *, known: bool) -> list[tuple[int, Guess]]:
        """The sentence of each of an owner's sessions that scores best; ``known`` lets in what the project's files say."""
        best: dict[int, Guess] = {}
        places = [i for i in map(int, np.flatnonzero(self.owner_of == owner)) if known or not self.rows[i].known]
        for place, score in zip(places, fitted.scores(self.values[places]), strict=True):
            row = self.rows[place]
            if row.session not in best or score > best[row.session].value:
                best[row.session] = Guess(float(score), row.hit)
        return list(best.items())

    def model(self, aim: Aim, left_out: frozenset[str] = frozenset(), *, known: bool = False) -> Model:
        """The model of all owners but these."""
        guesses = [
            guess
            for owner in self.names
            if owner not in left_out
            for _, guess in self.chosen(owner, self.without(left_out | {owner}), known=known)
        ]
        line = platt(guesses)
        line = Line(significant(line.slope), significant(line.offset))
        believed = [Guess(line.probability(score), hit) for score, hit in guesses]
        return Model(self.without(left_out), line, significant(_least(believed, aim)))

    def nested(self, aim: Aim, *, known: bool = False) -> RulesReport:
        """What is told in each owner's sessions by the model of all others; intervals over owners."""
        precision, recall = list[Part](), list[Part]()
        for owner in self.names:
            model = self.model(aim, frozenset({owner}), known=known)
            chosen = [guess for _, guess in self.chosen(owner, model.fitted, known=known)]
            told = [hit for score, hit in chosen if model.line.probability(score) >= model.least]
            precision.append(Part(sum(told), len(told)))
            wanted = sum(count for of, count in zip(self.owners, self.wanted, strict=True) if of == owner)
            recall.append(Part(sum(told), wanted))
        return RulesReport(precision=rate(precision), recall=rate(recall))


def _least(believed: Sequence[Guess], aim: Aim) -> float:
    """Where the aim is reached; 1, from which on nothing is told, where it is nowhere."""
    found = least(believed, aim.precision, aim.few)
    hits = [hit for value, hit in believed if value >= found]
    return found if hits and sum(hits) >= aim.precision * len(hits) else 1.0


def study(labels: Path, corpus: Path, out: Path | None, progress: Progress) -> RuleStudyReport:
    """Study the design; fit to all sessions and write ``out``, where that is given.

    Raises MindSkillsError where the labels or the sessions are not there, LogError where a session cannot be read, OSError.
    """
    found = load(labels)
    logs = locate(corpus, found.labels)
    asked = [label for label in found.labels if label.rules is not None and label.name in logs.logs]
    asked.sort(key=lambda label: label.name)
    rows: list[Row] = []
    with progress("Measuring", len(asked)) as advance:
        for number, label in enumerate(asked):
            rows += _rows(number, label, logs.logs[label.name].path, logs.logs[label.name].format)
            advance()
    if len(rows) < 2 or not any(row.states for row in rows):
        message = f"{len(asked)} sessions have labelled corrections, with {len(rows)} sentences that may state a rule."
        raise MindSkillsError(
            "too_few", message, "Give labels `corrections` with the lines in which the user stated rules."
        )
    made = Rules(asked, owners(asked, (labels.parent, corpus, corpus.parent)), rows)
    report = RuleStudyReport(
        sessions=len(asked),
        owners=len(made.names),
        sentences=len(rows),
        corrections=sum(made.wanted),
        told=made.nested(TOLD),
        asked=made.nested(ASKED),
        asked_all=made.nested(ASKED, known=True),
        problems=[*found.problems, *logs.problems],
    )
    return report if out is None else report.but(path=path_text(str(out)), changed=_write(made, out))


def _write(made: Rules, out: Path) -> bool:
    model = made.model(TOLD)
    content = {
        "weights": {
            feature.name: [float(weight), float(mean), float(deviation)]
            for feature, weight, mean, deviation in zip(
                RULE_FEATURES, model.fitted.weights, model.fitted.means, model.fitted.deviations, strict=True
            )
            if weight
        },
        "intercept": model.fitted.intercept,
        "calibration": [model.line.slope, model.line.offset],
        "tiers": {"high": 1.0, "medium": model.least, "waiting": model.least},
        "fitted": {"sessions": len(made.owners), "owners": len(made.names), "corrections": sum(made.wanted)},
    }
    text = weights.text(content)
    changed = not out.exists() or out.read_text(encoding="utf-8") != text
    if changed:
        out.write_text(text, encoding="utf-8")
    return changed


def _rows(number: int, label: Label, path: Path, form: str | None) -> Iterable[Row]:
    observations = list(open_log(path, form).observations)
    made = index_conversation(observations)
    for at, text in user_rules.propose_sentences(made):
        near = [
            each for each in label.corrections or () if each.line and abs(each.line - observations[at].line) <= SLACK
        ]
        states = any(_same(text, each) for each in near)
        features = measure(made, at, text)
        values = tuple(features[feature.name] for feature in RULE_FEATURES)
        yield Row(number, values, bool(near), states, states or not near, is_written_down(made, at, text))


def _same(text: str, correction: Correction) -> bool:
    mine, theirs = set(_WORD.findall(text.lower())), set(_WORD.findall(correction.text.lower()))
    return bool(mine and theirs) and len(mine & theirs) >= SHARED * min(len(mine), len(theirs))
