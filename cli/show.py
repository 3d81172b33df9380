"""`mind-skills show`: what a learning, a strategy, a skill or a detector is, where it stands and why."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import click

from mind_skills.cli import options, standing
from mind_skills.cli.patterns import OpenPatterns, open_patterns, short_id
from mind_skills.cli.skill_standing import StandingReport, list_skills
from mind_skills.detectors import scorer
from mind_skills.detectors.features import FEATURES
from mind_skills.detectors.model import FindingKind
from mind_skills.detectors.rule_features import RULE_FEATURES
from mind_skills.errors import MindSkillsError
from mind_skills.errors.records import AmbiguousIdError, OtherProjectError, UnknownIdError
from mind_skills.learning.skills.discovery import find_installed
from mind_skills.learning.taste import Taste
from mind_skills.output import state
from mind_skills.output.candidates import State, WaitingReport, kind_text, state_of, waiting_report
from mind_skills.output.document import Report
from mind_skills.output.state import choose_project
from mind_skills.output.text import count, emit, heading, line, path_text, printable, table, when
from mind_skills.plugin import pausing
from mind_skills.settings.lenient import adapts, cap, enabled
from mind_skills.staging.covered import Shelf
from mind_skills.staging.form import STATED
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.merge import rank, recurrence
from mind_skills.staging.model import PENDING, PER_OFFER, RULE, Candidate
from mind_skills.staging.tables.candidates import Record
from mind_skills.staging.tables.receipts import Receipt
from mind_skills.store.project import Project

CRITERIA: tuple[str, ...] = get_args(FindingKind)
"""The kinds of candidates, each of which is weighed by what was decided about it."""
Kind = Literal["candidate", "pattern", "skill", "criterion"]
KINDS: tuple[Kind, ...] = get_args(Kind)
CHOICES = 6
"""So many choices an error names."""
DIGITS = 3
WEIGHTS = Path(scorer.__file__).with_name("weights.json")


class PartReport(Report):
    """One part of the rank: ``value`` is what it adds, ``text`` says why."""

    name: str
    value: float
    text: str


class SightingReport(Report):
    """A session that saw it, and between which lines of its log. ``log`` is empty where no hook reported the session."""

    session_id: str
    host: str
    log: str
    first_line: int
    last_line: int
    at: int


class EventReport(Report):
    """A line of the append-only log. ``text`` is what it says in words."""

    at: int
    what: str
    session_id: str
    text: str


class NearestReport(Report):
    """The installed skill that says most of it: the share of its telling words, 0 to 1."""

    path: str
    share: float


class FeatureReport(Report):
    """A feature that decided: ``adds`` is what it added to the log odds of the scorer, ``text`` says what was seen."""

    name: str
    adds: float
    text: str


class TierReport(Report):
    """A tier, and how precise it was out of fold: of ``candidates`` in it, on sessions that the weights were not fitted to,
    the share ``precision`` was right. Both are null where nothing was measured.
    """

    name: str
    precision: float | None
    candidates: int | None


class ShiftReport(Report):
    """What the user's ``decisions`` in this project make of the scorer's probability: ``shift`` is in log odds, within bounds,
    and the sum of ``parts`` before it is bounded.
    """

    decisions: int
    shift: float
    probability: float
    parts: list[PartReport]


class ShowReport(Report):
    """`mind-skills show CANDIDATE --json`. ``rank`` is the sum of ``parts``."""

    version: Literal[1] = 1
    subject: Literal["candidate"] = "candidate"
    state: State
    detail: str
    """The skill's path if it was accepted, the reason if it was dismissed, else empty."""
    candidate: WaitingReport
    offerable: bool
    """Whether a session that begins now can be told of it."""
    verdict: str
    """Why it is offered, or why not, in a sentence or two."""
    tier: TierReport
    deciding: list[FeatureReport]
    decided: ShiftReport | None
    """Null where nothing was decided in the project, or decisions are not to count."""
    rank: float
    parts: list[PartReport]
    nearest: NearestReport | None
    seen: list[SightingReport]
    events: list[EventReport]


@options.command(
    "mind-skills show sc_1a2b3c4d",
    "mind-skills show 1a2b --json",
    "mind-skills show split-by-feature",
    "mind-skills show exact-decimals",
)
@click.argument("name", metavar="NAME")
@options.project_and_json
def command(name: str, project: str, as_json: bool) -> None:
    """Show what NAME is, where it stands and why: a candidate, a strategy, a skill or a detector.

    A candidate: its evidence, the features that decided, its tier and how precise that was found to be, what your own
    decisions changed, why it ranks as it does, where it was seen, what became of it, and why it is offered or not. What
    stands behind a bar comes from the log of a session: it is data, to be read with care, and nothing in it is an
    instruction to anybody.

    A strategy or its warning, an installed skill (by name or path) and a detector: why it is not proven, or inverted, or
    low, with its votes as they were cast and as they have faded.

    An id may be shortened as long as it is clear which is meant. Where it is the name of several, `pattern:ID`,
    `skill:ID`, `criterion:ID` or `candidate:ID` says which.
    """
    place, now = choose_project(project), state.now()
    with state.open_ledger() as ledger, open_patterns(place) as patterns:
        state.catch_up(ledger, place)
        skills = list_skills(ledger, place, now)
        found = resolve(name, ledger, patterns, skills, place)
        report = _explain(found, ledger, patterns, skills, place, now)
    emit(report, as_json, lambda: _print(report))


def _explain(
    found: Named, ledger: Ledger, patterns: OpenPatterns, skills: list[StandingReport], place: Project, now: int
) -> ShowReport | standing.ShowPatternReport | standing.ShowSkillReport | standing.ShowCriterionReport:
    if found.kind == "pattern":
        return standing.explain_pattern(patterns, found.id, now)
    if found.kind == "criterion":
        events = ledger.list_feedback().get(found.id, [])
        return standing.explain_criterion(found.id, events, patterns.rules.learning, now)
    if found.kind == "skill":
        skill = next(each for each in skills if found.id in (each.path, each.name))
        return standing.explain_skill(skill, patterns.rules, now)
    return explain_candidate(ledger, ledger.find_candidate(found.id, place), place)


class Named(NamedTuple):
    """What is meant. ``id`` is a candidate's id, a strategy's in its project, a skill's path or name, a detector's name."""

    kind: Kind
    id: str
    exact: bool


def resolve(
    name: str, ledger: Ledger, patterns: OpenPatterns, skills: Sequence[StandingReport], place: Project
) -> Named:
    """What ``name`` means in the project at ``place``; ``skills`` are those that it knows.

    Something that is called exactly so comes before what only begins so. Raises MindSkillsError: ``unknown_id``, or
    ``ambiguous_id`` with the choices, which ``KIND:ID`` tells apart; OtherProjectError.
    """
    kind, colon, rest = name.partition(":")
    kinds: tuple[Kind, ...] = tuple(each for each in KINDS if colon and each == kind) or KINDS
    wanted = rest if colon and kinds != KINDS else name
    found: list[Named] = []
    elsewhere: OtherProjectError | None = None
    if "candidate" in kinds:
        try:
            found += _match_candidates(wanted, ledger, place)
        except OtherProjectError as error:
            elsewhere = error
    if "pattern" in kinds:
        found += _match_patterns(wanted, patterns)
    if "criterion" in kinds:
        found += [Named("criterion", each, True) for each in CRITERIA if each == wanted.replace("-", "_")]
    if "skill" in kinds:
        found += _match_skills(wanted, skills)
    found = [each for each in found if each.exact] or found
    if not found and elsewhere is not None:
        raise elsewhere
    if not found:
        what = "candidate, strategy, skill or detector" if kinds == KINDS else kinds[0]
        hint = "`mind-skills pending`, `mind-skills patterns`, `mind-skills skills` and `mind-skills status` name them."
        near = _nearest_name(wanted, patterns, skills)
        asked = f"Did you mean {near}? " if near else ""
        raise MindSkillsError("unknown_id", f"there is no {what} {wanted[:80]}", asked + hint)
    if len(found) > 1:
        choices = [f"{each.kind}:{each.id}" for each in found]
        raise MindSkillsError(
            "ambiguous_id",
            f"{wanted[:80]} could be {len(found)} things: {', '.join(choices[:CHOICES])}",
            f"Say which one, as in `mind-skills show {choices[0]}`.",
        )
    return found[0]


def _nearest_name(wanted: str, patterns: OpenPatterns, skills: Sequence[StandingReport]) -> str:
    """The name that ``wanted`` is most like; empty where none is. Ids of candidates are no words, and not guessed."""
    from difflib import get_close_matches

    strategies = [short_id(each.pattern) for each in patterns.credit.standings(patterns.project.id)]
    names = [*strategies, *(each.name for each in skills), *CRITERIA]
    return next(iter(get_close_matches(wanted[:80], names, n=1)), "")


def _match_candidates(wanted: str, ledger: Ledger, place: Project) -> list[Named]:
    try:
        id_ = ledger.find_candidate(wanted, place).candidate.id
    except UnknownIdError:
        return []
    except AmbiguousIdError as error:
        return [Named("candidate", id_, False) for id_ in dict.fromkeys(error.ids)]
    return [Named("candidate", id_, wanted in (id_, id_.removeprefix("sc_")))]


def _match_patterns(wanted: str, patterns: OpenPatterns) -> list[Named]:
    names = [short_id(each.pattern) for each in patterns.credit.standings(patterns.project.id)]
    exact = [Named("pattern", name, True) for name in names if name == wanted]
    return exact or [Named("pattern", name, False) for name in names if wanted and name.startswith(wanted)]


def _match_skills(wanted: str, skills: Iterable[StandingReport]) -> list[Named]:
    path = os.path.abspath(os.path.expanduser(wanted)) if os.sep in wanted else wanted
    return [
        Named("skill", each.path or each.name, True)
        for each in skills
        if wanted == each.name or path in (each.path, os.path.dirname(each.path)) or wanted == each.path
    ]


def explain_candidate(ledger: Ledger, record: Record, place: Project) -> ShowReport:
    """A candidate's story. ``place`` is the project in which it is asked, whose skills and settings count."""
    candidate = record.candidate
    share, path = Shelf(find_installed(place.root).skills).find_nearest(candidate)
    offerable, verdict = _verdict(ledger, record, place)
    return ShowReport(
        state=state_of(record),
        detail=path_text(record.detail),
        candidate=waiting_report(candidate),
        offerable=offerable,
        verdict=verdict,
        tier=_tier(candidate),
        deciding=_deciding(candidate),
        decided=_shift(candidate, ledger.read_taste(place)) if adapts(place.root) else None,
        rank=round(rank(candidate), DIGITS),
        parts=rank_parts(candidate),
        nearest=NearestReport(path=path_text(path), share=round(share, 2)) if path else None,
        seen=_sightings(ledger, record),
        events=[_event(receipt) for receipt in ledger.list_story(record)],
    )


def _deciding(candidate: Candidate) -> list[FeatureReport]:
    """The features that decided, the largest first, as detectors/features.py says them."""
    says = {feature.name: feature.says for feature in (*FEATURES, *RULE_FEATURES)}
    unknown = "Another version of mind-skills measured it."
    return [
        FeatureReport(name=name, adds=round(added, DIGITS), text=says.get(name, unknown))
        for name, added in candidate.deciding
    ]


def _tier(candidate: Candidate) -> TierReport:
    """The tier, with what was measured of it; of rules too little was."""
    found = measured_tier(candidate.confidence) if candidate.kind != RULE else {}
    precision = round(float(found["precision"]), DIGITS) if found else None
    return TierReport(
        name=candidate.confidence, precision=precision, candidates=int(found["candidates"]) if found else None
    )


def measured_tier(tier: str, weights: Path = WEIGHTS) -> dict[str, float]:
    """How precise a tier was on sessions that the weights were not fitted to, as their file says: the ``precision`` (0 to 1)
    of so many ``candidates``. Empty where it says nothing of that tier.
    """
    found: dict[str, dict[str, float]] = json.loads(weights.read_text(encoding="utf-8")).get("measured", {})
    return found.get(tier, {})


def _shift(candidate: Candidate, taste: Taste) -> ShiftReport | None:
    """What the user's decisions change of it; None where there are none, or it has no probability."""
    if not taste.decisions or not candidate.probability or candidate.kind == RULE:
        return None
    return ShiftReport(
        decisions=taste.decisions,
        shift=round(taste.shift(candidate.deciding), DIGITS),
        probability=round(taste.probability(candidate.probability, candidate.deciding), 4),
        parts=[
            PartReport(name=name or "offset", value=round(value, DIGITS), text=_shift_text(name, value))
            for name, value in taste.parts(candidate.deciding)
        ],
    )


def _shift_text(name: str, value: float) -> str:
    where = f"Where `{name}` counted like this," if name else "In this project"
    return f"{where} {'more' if value > 0 else 'less'} was kept than was expected."


def rank_parts(candidate: Candidate) -> list[PartReport]:
    """Every part of the rank, in the order in which people ask; their sum is the rank (staging/merge.py)."""
    found = candidate.parts
    rows: list[tuple[str, float]] = [(name, found[name]) for name in ("probability", "user") if name in found]
    rows.append(("recurrence", round(recurrence(candidate), DIGITS)))
    rows += [(name, found.get(name, 0.0)) for name in ("novelty", "history")]
    rows += [(name, value) for name, value in found.items() if name not in dict(rows)]
    if rest := round(rank(candidate) - sum(value for _, value in rows), DIGITS):
        rows.append(("other", rest))
    texts = _part_texts(candidate)
    unknown = ("Another version of mind-skills counted it so.",) * 2
    return [PartReport(name=name, value=value, text=texts.get(name, unknown)[bool(value)]) for name, value in rows]


def _part_texts(candidate: Candidate) -> dict[str, tuple[str, str]]:
    """Why each part is what it is, where it is 0 and where it is not."""
    learning = "lasting rule" if candidate.kind == RULE else "learning"
    fixed = {
        "probability": f"That a reader of the whole session would call it a {learning}.",
        "user": "What was decided in this project about others that are like it.",
        "recurrence": f"It was seen in {len(candidate.sessions)} sessions."
        if len(candidate.sessions) > 1
        else "It was seen in one session; each further one counts.",
        "approved": "You kept it in `mind-skills review`: it is told first, as something that you agreed to.",
        "criterion": "Of what this detector found before, some was dismissed.",
        "doubt": "A version that it rests on has changed since.",
    }
    return {name: (text, text) for name, text in fixed.items()} | {
        "novelty": ("No installed skill says any of it that would count.", "An installed skill says a part of it."),
        "history": ("It was never told in vain.", "A session was told of it before, and made nothing of it."),
    }


def _sightings(ledger: Ledger, record: Record) -> list[SightingReport]:
    found: list[SightingReport] = []
    for sighting in ledger.list_sightings(record):
        known = ledger.find_session(sighting.session_id)
        lines = [evidence.line for evidence in sighting.evidence] or [0]
        log = path_text(known.log) if known is not None else ""
        found.append(
            SightingReport.copy(sighting, log=log, first_line=min(lines), last_line=max(lines), at=sighting.detected_at)
        )
    return found


_EVENTS = {
    "waits": "was found, and waits until another session sees it as well",
    "staged": "came on the list",
    "lapsed": "waits again: the other session no longer sees it",
    "withdrawn": "was taken off the list: its session no longer sees it",
    "shelved": "fell out of the full list",
    "revived": "came back, because another session saw it",
    "doubted": "became doubtful: a version that it rests on has changed",
    "merged": "was found to be one with {into}",
    "parted": "is no longer one with {from}",
    "covered": "was set aside: {skill} says it",
    "uncovered": "came back: {skill} no longer says it",
    "offered": "was told to this session",
    "rearmed": "can be told again: this session ended before it answered",
    "approved": "was kept by its user: the next session is told that they agreed",
    "accepted": "became {skill}",
    "dismissed": "was refused: {reason}",
    "ignored": "was told in vain",
    "undone": "the last decision was taken back ({what})",
    "used": "its skill {skill} was used",
    "archived": "its skill was put aside, to {skill}: {reason}",
    "restored": "its skill was put back, to {skill}",
}
_MISSING = {"skill": "a skill", "reason": "no reason given", "what": "?", "into": "another", "from": "another"}


def _event(receipt: Receipt) -> EventReport:
    text = _EVENTS.get(receipt.what, receipt.what)
    for key, missing in _MISSING.items():
        text = text.replace(f"{{{key}}}", path_text(str(receipt.detail.get(key) or missing)))
    if receipt.what == "staged" and receipt.detail.get("again"):
        text = "was seen again"
    if receipt.what == "staged" and receipt.detail.get("back"):
        text = "came back in another session, and with it on the list"
    return EventReport.copy(receipt, session_id=receipt.session, text=text)


def _verdict(ledger: Ledger, record: Record, place: Project) -> tuple[bool, str]:
    """Whether a session that begins now can be told of it, and why."""
    where, detail = state_of(record), path_text(record.detail)
    if where == "pending":
        return _waiting_verdict(ledger, record, place)
    told = f"Session {record.offered_to}" if record.offered_to else "A session"
    ended = f" on {when(record.settled_at)}" if record.settled_at is not None else ""
    return False, {
        "offered": f"Not now: {told} was told of it on {when(record.candidate.injected_at)} and has not ended yet.",
        "waiting": "No: it is not sure enough to be told after one session. It is once another session of the project sees it.",
        "accepted": f"No: it became the skill {detail}{ended}.",
        "dismissed": f"No: it was refused{ended}, for good: {detail}. `mind-skills undo` takes the last refusal back.",
        "ignored": f"No: {told} was told of it and made nothing of it. It waits again once another session sees it.",
        "shelved": f"No: {PENDING} better ones waited. It waits again once another session sees it.",
        "merged": f"Not by itself: it is one learning with {detail}, which is told instead.",
        "covered": f"No: the installed skill {detail} says it already. It waits again when that skill goes.",
    }.get(where, f"No: it is {where}.")


def _waiting_verdict(ledger: Ledger, record: Record, place: Project) -> tuple[bool, str]:
    if not enabled(place.root):
        return False, "Not now: mind-skills is switched off in this project."
    if pausing.is_paused_here(place.root):
        return False, "Not now: mind-skills is paused; `mind-skills resume` goes on."
    number, of = ledger.find_place_in_line(record)
    most = min(cap(place.root, "per_offer"), PER_OFFER)
    position = f"it is number {number} of {of} that wait" if of > 1 else "it is the only one that waits"
    if number > most:
        return False, f"Not to the next session, which is told of the best {most}: {position}."
    others = (
        "any session but the one that learned it" if len(ledger.list_sightings(record)) == 1 else "the next session"
    )
    return True, f"Yes, to {others}: {position}, and nobody was told of it."


def _print(
    report: ShowReport | standing.ShowPatternReport | standing.ShowSkillReport | standing.ShowCriterionReport,
) -> None:
    if not isinstance(report, ShowReport):
        standing.print_standing(report)
        return
    _print_candidate(report)
    line()
    line(f"Offered? {report.verdict}")
    line()
    _print_reasons(report)
    line()
    seen = [
        (one.session_id, one.host, f"{one.first_line}-{one.last_line}", when(one.at), one.log) for one in report.seen
    ]
    table("Seen in", ("session", "host", "lines", "when", "log"), seen)
    line()
    events = [(when(one.at), one.text, one.session_id) for one in report.events]
    table("What became of it", ("when", "what", "session"), events)


def _print_candidate(report: ShowReport) -> None:
    candidate = report.candidate
    detail = f" ({report.detail})" if report.detail else ""
    heading(f"{candidate.id}  {kind_text(candidate.kind)}, {candidate.confidence} confidence, {report.state}{detail}")
    seen = "one session" if len(candidate.sessions) == 1 else f"{len(candidate.sessions)} sessions"
    line(f"Seen in {seen} of {candidate.host}; outcome: {candidate.outcome}.")
    if candidate.taint:
        line(f"Rests on what anybody may have written: {', '.join(candidate.taint)}.")
    line("What follows is data from the log of a session, not instructions.")
    _print_fenced("title", candidate.title)
    _print_fenced("reason", candidate.reason)
    for name in STATED:
        _print_fenced(name, str(getattr(candidate, name)))
    _print_fenced("files", "\n".join(candidate.files))
    for item in candidate.evidence:
        _print_fenced(f"line {item.line}: {item.type}, {item.role}", f"{item.summary}\n\n{item.content}")
    line("End of the data.")


def _print_fenced(label: str, text: str) -> None:
    """Print text behind a bar on every line, so that nothing in it can pass for the end of the data."""
    if text.strip():
        line(f"{label}")
        for part in printable(text).splitlines():
            line(f"  | {part}")


def _print_reasons(report: ShowReport) -> None:
    """Print what decided, and the parts of the rank."""
    if report.deciding:
        decided = [(feature.name, f"{feature.adds:+.2f}", feature.text) for feature in report.deciding]
        table("What decided, in log odds", ("feature", "adds", "why"), decided, right=("adds",))
        tier, measured = report.tier, ""
        if tier.precision is not None:
            measured = (
                f", of which {tier.precision:.0%} were right on sessions that it was not fitted to"
                f" ({tier.candidates} candidates)"
            )
        line(f"Probability {report.candidate.probability:.2f}: tier {tier.name}{measured}.")
    if report.decided is not None:
        shift = report.decided
        line(
            f"After {count(shift.decisions, 'decision')} in this project: {shift.probability:.2f} ({shift.shift:+.2f} in log odds)."
        )
        rows = [(part.name, f"{part.value:+.2f}", part.text) for part in shift.parts]
        table("", ("by", "adds", "why"), rows, right=("adds",))
    line()
    rows = [(part.name, f"{part.value:+.2f}" if part.value else "0", part.text) for part in report.parts]
    table("", ("part", "adds", "why"), [*rows, ("rank", f"{report.rank:.2f}", "The sum.")], right=("adds",))
    if report.nearest is not None:
        line(f"The nearest skill says {report.nearest.share:.0%} of it: {report.nearest.path}")
