"""The `identity` command: how well the exact key and the family key join learnings that readers call the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ValidationError

from mind_skills.detectors.features import Facts
from mind_skills.detectors.registry import build_finding, measure_episodes
from mind_skills.detectors.scorer import Scored, load_shipped_model
from mind_skills.detectors.timeline import build_timeline
from mind_skills.detectors.vetoes import find_veto
from mind_skills.errors import MindSkillsError
from mind_skills.evaluation import running
from mind_skills.evaluation.labels import Label, locate_logs
from mind_skills.evaluation.score import Progress
from mind_skills.learning.statistics import compute_wilson_interval
from mind_skills.observations.read import open_log
from mind_skills.output.document import Report
from mind_skills.output.text import format_count, format_path, print_heading, print_line, print_table
from mind_skills.staging.family import FamilyKey, build_family_key
from mind_skills.staging.identity import compute_fingerprint


class Side(BaseModel):
    """One learning of a pair. ``first`` and ``last`` are its lines in the session, 1-based, both inclusive."""

    session: str
    repo: str
    first: int
    last: int
    slack: int = 0
    """Tolerance, in lines, at both ends of a labelled learning. If 0, the lines are exactly the lines of a candidate."""


class Pair(BaseModel):
    """Two learnings of different sessions, and whether a reader calls them the same."""

    a: Side
    b: Side
    same: Literal["yes", "no", "unsure"]
    half: str = "all"
    """The set of owners that the pair belongs to, such as ``design`` or ``score``."""

    @property
    def is_one_project(self) -> bool:
        return self.a.repo == self.b.repo


class Keys(NamedTuple):
    """The keys of the finding at a side of a pair."""

    exact: str
    family: FamilyKey | None


Place = tuple[str, int, int, int]
"""Session name, first line, last line and slack of a side."""


class ShareReport(Report):
    """``hits`` of ``tries``. ``share`` is null if ``tries`` is 0; ``low`` and ``high`` bound its 95 % Wilson interval."""

    hits: int
    tries: int
    share: float | None
    low: float
    high: float


class KeyReport(Report):
    """Precision counts joined pairs, recall counts pairs that a reader calls the same. Unsure pairs count in neither."""

    key: str
    precision: ShareReport
    recall: ShareReport
    unsure: int
    """Unsure pairs that were joined."""


class HalfReport(Report):
    """Results for the pairs of one set of owners."""

    name: str
    pairs: int
    same: int
    unsure: int
    keys: list[KeyReport]


class PairReport(Report):
    """A pair that a key joins, or that a reader calls the same. ``family`` is the family key of both, if it is the same."""

    half: str
    same: str
    exact: bool
    family: list[str] | None
    a: str
    b: str


class IdentityReport(Report):
    """Output of `identity --json`. ``with_family`` counts the sides that have a family key."""

    pairs: str
    corpus: str
    sides: int
    found: int
    """Sides for which the detector proposes an episode; the others have no key."""
    with_family: int
    halves: list[HalfReport]
    rows: list[PairReport] | None = None
    problems: list[str]


def study_keys(pairs: Path, corpus: Path, jobs: int, progress: Progress, *, rows: bool = False) -> IdentityReport:
    """Compute both keys for the two sides of every pair, and compare them with the reader's judgement.

    Raises:
        MindSkillsError: as in ``load_pairs``, ``locate_logs`` and ``running.run_tasks``.
    """
    judged = load_pairs(pairs)
    places = sorted({_build_place(side) for pair in judged for side in (pair.a, pair.b)})
    labels = [Label(session_file=name, length=0) for name in sorted({place[0] for place in places})]
    located = locate_logs(corpus, labels)
    tasks = [running.Task(label, located.logs[label.name]) for label in labels if label.name in located.logs]
    with progress("Reading", len(tasks)) as advance:
        outcomes = running.run_tasks(partial(_find_session_keys, places=places), tasks, jobs, advance)
    keys = {
        place: place_keys for session_keys in outcomes.results.values() for place, place_keys in session_keys.items()
    }
    problems = [
        *located.problems,
        *outcomes.problems,
        *(f"{format_path(name)}: no such session." for name in located.missing),
    ]
    return IdentityReport(
        pairs=format_path(str(pairs)),
        corpus=format_path(str(corpus)),
        sides=len(places),
        found=len(keys),
        with_family=sum(place_keys.family is not None for place_keys in keys.values()),
        halves=[
            build_half(name, [pair for pair in judged if pair.half == name], keys)
            for name in dict.fromkeys(pair.half for pair in judged)
        ],
        rows=list(_list_rows(judged, keys)) if rows else None,
        problems=problems,
    )


def load_pairs(path: Path) -> list[Pair]:
    """Read a file of pairs, one JSON object per line. Raises MindSkillsError if there are none or a line is invalid."""
    if not path.is_file():
        raise MindSkillsError(
            "no_labels",
            f"No such file: {path}",
            "Pass a file with one JSON object per line, with the keys a, b and same.",
        )
    pairs: list[Pair] = []
    for line_number, line in enumerate(path.read_text(encoding="utf-8-sig", errors="replace").split("\n"), 1):
        if line.strip():
            try:
                pairs.append(Pair.model_validate(json.loads(line)))
            except (ValidationError, ValueError, RecursionError) as failure:
                reason = str(failure).partition("\n")[0]
                raise MindSkillsError("no_labels", f"{path}, line {line_number} is not a pair.", reason) from failure
    if not pairs:
        raise MindSkillsError("no_labels", f"No pairs in {path}.", "The file is empty.")
    return pairs


class JoinMethod(NamedTuple):
    """A way to join learnings. ``is_local``: only learnings of the same project are joined."""

    name: str
    is_local: bool
    joins: Callable[[Keys, Keys], bool]


def _share_exact_key(a: Keys, b: Keys) -> bool:
    return a.exact == b.exact


def _share_family_key(a: Keys, b: Keys) -> bool:
    return a.family is not None and a.family == b.family


def _share_any_key(a: Keys, b: Keys) -> bool:
    return _share_exact_key(a, b) or _share_family_key(a, b)


_EXACT, _FAMILY = (
    JoinMethod("exact, one project", True, _share_exact_key),
    JoinMethod("family, any projects", False, _share_family_key),
)
_JOIN_METHODS = (
    _EXACT,
    JoinMethod("family, one project", True, _share_family_key),
    JoinMethod("either, one project", True, _share_any_key),
    _FAMILY,
)


def build_half(name: str, pairs: Sequence[Pair], keys: Mapping[Place, Keys]) -> HalfReport:
    """Return precision and recall of every way to join learnings, on the pairs of one half."""
    return HalfReport(
        name=name,
        pairs=len(pairs),
        same=sum(pair.same == "yes" for pair in pairs),
        unsure=sum(pair.same == "unsure" for pair in pairs),
        keys=[
            _score(method, [pair for pair in pairs if pair.is_one_project or not method.is_local], keys)
            for method in _JOIN_METHODS
        ],
    )


def _score(method: JoinMethod, pairs: Sequence[Pair], keys: Mapping[Place, Keys]) -> KeyReport:
    joined = [pair.same for pair in pairs if _is_joined(method, pair, keys)]
    return KeyReport(
        key=method.name,
        precision=_build_share(joined.count("yes"), len(joined) - joined.count("unsure")),
        recall=_build_share(joined.count("yes"), sum(pair.same == "yes" for pair in pairs)),
        unsure=joined.count("unsure"),
    )


def _is_joined(method: JoinMethod, pair: Pair, keys: Mapping[Place, Keys]) -> bool:
    a, b = keys.get(_build_place(pair.a)), keys.get(_build_place(pair.b))
    return a is not None and b is not None and (pair.is_one_project or not method.is_local) and method.joins(a, b)


def _build_share(hits: int, tries: int) -> ShareReport:
    low, high = compute_wilson_interval(hits, tries)
    share = round(hits / tries, 3) if tries else None
    return ShareReport(hits=hits, tries=tries, share=share, low=round(low, 3), high=round(high, 3))


def _build_place(side: Side) -> Place:
    return side.session, side.first, side.last, side.slack


def _list_rows(pairs: Iterable[Pair], keys: Mapping[Place, Keys]) -> Iterable[PairReport]:
    for pair in pairs:
        exact, family = (_is_joined(method, pair, keys) for method in (_EXACT, _FAMILY))
        if exact or family or pair.same == "yes":
            common = keys[_build_place(pair.a)].family if family else None
            a, b = (f"{format_path(side.session)}:{side.first}-{side.last}" for side in (pair.a, pair.b))
            yield PairReport(
                half=pair.half, same=pair.same, exact=exact, family=list(common) if common else None, a=a, b=b
            )


def _find_session_keys(task: running.Task, places: Sequence[Place]) -> running.Outcome[dict[Place, Keys]]:
    session_places = [place for place in places if place[0] == task.label.name]
    return running.run_guarded(task, partial(_find_keys, places=session_places))


def _find_keys(task: running.Task, places: Sequence[Place]) -> dict[Place, Keys]:
    """Return the keys of the most probable proposal at each place; ties go to the shortest proposal, then to the first.

    Places without a proposal are omitted. Vetoed proposals are skipped at places that have slack.
    """
    log = open_log(task.log.path, task.log.format)
    observations = list(log.observations)
    facts, model = Facts(build_timeline(observations, log.session.project)), load_shipped_model()
    proposals = [Scored(episode, model.compute_probability(values)) for episode, values in measure_episodes(facts)]
    proposals.sort(
        key=lambda scored: (-scored.probability, scored.episode.last - scored.episode.first, scored.episode.first)
    )
    keys: dict[Place, Keys] = {}
    for place in places:
        _, begin, end, slack = place
        for scored in proposals:
            first, last = observations[scored.episode.first], observations[scored.episode.last]
            ends = (first.line, last.end_line or last.line)
            is_at_place = ends[0] >= begin - slack and ends[1] <= end + slack if slack else ends == (begin, end)
            if is_at_place and not (slack and find_veto(facts.timeline, scored.episode)):
                finding = build_finding(facts, scored, model)
                exact = compute_fingerprint(
                    finding.kind, finding.anchor, finding.evidence, remedy=finding.remedy, cause=finding.cause
                )
                family = build_family_key(
                    finding.kind, symptom=finding.symptom, remedy=finding.remedy, evidence=finding.evidence
                )
                keys[place] = Keys(exact, family)
                break
    return keys


def print_identity(report: IdentityReport) -> None:
    """Print precision and recall of every key by half, and the pairs in ``rows``."""
    print_heading(
        f"{format_count(report.sides, 'learning')}: {report.found} with a proposal, {report.with_family} with a family key"
    )
    for half in report.halves:
        print_line(f"  {half.name}: {format_count(half.pairs, 'pair')}, {half.same} the same, {half.unsure} unsure")
        rows = [(key.key, *_format_share(key.precision), *_format_share(key.recall)) for key in half.keys]
        columns = ("joined by", "precision", "95 %", "of", "recall", "95 %", "of")
        print_table("", columns, rows, right_aligned=columns[1:])
        print_line()
    for row in report.rows or ():
        joined = " ".join(filter(None, ["exact" if row.exact else "", "family" if row.family else ""])) or "not joined"
        print_line(f"  {row.half}, {row.same}, {joined}: {row.a} {row.b}")


def _format_share(share: ShareReport) -> tuple[str, str, str]:
    text = "-" if share.share is None else f"{share.share:.2f}"
    return text, f"{share.low:.2f}-{share.high:.2f}", f"{share.hits} of {share.tries}"
