"""Where a skill, a strategy or a detector stands and why: the part of `mind-skills show` that is about votes.

``verdict`` says in a sentence why it stands where it does, ``reasons`` what else speaks for and against it. Raw counts are
of votes that were cast, decayed ones of what is left of them now. Times are UTC milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mind_skills.cli.patterns import OpenPatterns, short_id
from mind_skills.cli.skill_standing import OriginReport, StandingReport
from mind_skills.cli.skills import advise_failing
from mind_skills.hooks.credit import LINES
from mind_skills.learning import maturity
from mind_skills.learning.anti_patterns import WARNING, AntiPatternConfig, percent
from mind_skills.learning.credit import Standing
from mind_skills.learning.criteria import FLOOR, CriterionWeight, FeedbackEvent, criterion_weight, should_deprecate
from mind_skills.learning.maturity import (
    EPSILON,
    MaturityConfig,
    MaturityFeedback,
    MaturityState,
    decayed_counts,
    maturity_state,
    multiplier,
)
from mind_skills.learning.rules import Rules, numbers
from mind_skills.learning.scoring import LearningConfig
from mind_skills.learning.statistics import believable, decay, wilson
from mind_skills.output.document import Report
from mind_skills.output.text import heading, line, quoted, table, when

VOTES = 50
"""Votes that are printed, the newest; --json has all of them."""
CriterionState = Literal["unknown", "few", "weighed"]


class CastReport(Report):
    """A vote: ``source`` is the session, or the candidate; ``left`` what its age has left of it.

    ``counts`` is false where nothing was said by it: the session came out neutral or unknown, its time cannot be
    believed, or it was taken back.
    """

    source: str
    type: str
    at: int | None
    left: float
    counts: bool


class DecidedReport(Report):
    """A decision that `mind-skills undo` can take back, in its turn."""

    at: int
    what: str
    session: str


class VotedReport(Report):
    """What `mind-skills show --json` says of anything that votes move. ``thresholds`` are the settings in force, by their keys."""

    version: Literal[1] = 1
    id: str
    verdict: str
    reasons: list[str]
    last_vote: int | None
    thresholds: dict[str, float]
    votes: list[CastReport]


class MaturityReport(VotedReport):
    """A strategy or a skill. ``harmful_share`` is of what is left of its votes, null where nothing is."""

    state: MaturityState
    multiplier: float
    helpful: int
    harmful: int
    decayed_helpful: float
    decayed_harmful: float
    harmful_share: float | None
    last_helpful: int | None


class ShowPatternReport(MaturityReport):
    """`mind-skills show STRATEGY --json`. ``told`` says whether the sessions of the project are told of it, as a proven
    pattern or as a warning.
    """

    subject: Literal["pattern"] = "pattern"
    content: str
    kind: Literal["pattern", "anti_pattern"]
    pinned: bool
    told: bool
    created_at: int
    promoted_at: int | None
    deprecated_at: int | None
    inverted_to: str
    decisions: list[DecidedReport]


class ShowSkillReport(MaturityReport):
    """`mind-skills show SKILL --json`. ``confidence`` is the share of what is left that is helpful, with its 95 % bounds.

    ``worth`` is what the skill makes of a rank, ``multiplier`` what the documents make of its state; ``hosts`` read it.
    ``installed`` is false where no file is found any more, ``archived`` is the folder where it stands then if it was put
    aside, else empty.
    """

    subject: Literal["skill"] = "skill"
    path: str
    installed: bool
    archived: str
    hosts: list[str]
    worth: float
    confidence: float | None
    low: float
    high: float
    last_used: int | None
    origin: OriginReport | None


class ShowCriterionReport(VotedReport):
    """`mind-skills show DETECTOR --json`. The votes are the candidates of all projects that were accepted or dismissed.

    ``dismissed_share`` is of what is left of them, null where nothing is, with its 95 % bounds.
    """

    subject: Literal["criterion"] = "criterion"
    state: CriterionState
    weight: float
    accepted: int
    dismissed: int
    decayed_accepted: float
    decayed_dismissed: float
    dismissed_share: float | None
    low: float
    high: float
    last_accepted: int | None


@dataclass(frozen=True, slots=True)
class Figures:
    """Votes and what is left of them at one time, and the numbers that they are measured by."""

    votes: Sequence[MaturityFeedback]
    config: MaturityConfig
    now: int
    helpful: int
    harmful: int
    left: tuple[float, float]
    """Of the helpful, and of the harmful ones."""
    by_votes: MaturityState
    """The state that the votes alone would give."""

    @property
    def share(self) -> float | None:
        """The harmful share of what is left; None where nothing is."""
        total = sum(self.left)
        return self.left[1] / total if total > EPSILON else None

    def document(self) -> dict[str, object]:
        """Those members of a MaturityReport that are figures."""
        helped = [vote.at for vote in self.votes if vote.type == "helpful" and vote.at is not None]
        return {
            "decayed_helpful": round(self.left[0], 3),
            "decayed_harmful": round(self.left[1], 3),
            "harmful_share": None if self.share is None else round(self.share, 3),
            "last_helpful": max(helped, default=None),
            "last_vote": max((vote.at for vote in self.votes if vote.at is not None), default=None),
        }

    def casts(self) -> list[CastReport]:
        """Every vote, the newest first."""
        found = [
            CastReport.copy(
                vote,
                left=_left(vote.weight, vote.at, self.now, self.config.half_life_days),
                counts=believable(vote.at, self.now) and vote.type != "neutral",
            )
            for vote in self.votes
        ]
        return sorted(found, key=lambda each: (-(each.at or 0), each.source))


def _left(weight: float, at: int | None, now: int, half_life_days: float) -> float:
    return round(weight * decay(at, now, half_life_days), 3) if believable(at, now) else 0.0


def _thresholds(section: str, config: object, *fields: str) -> dict[str, float]:
    """The numbers of a section of the settings by their keys: all of them, or those of some ``fields``."""
    return {key: getattr(config, field) for key, field in numbers(section).items() if not fields or field in fields}


def measure_votes(votes: Sequence[MaturityFeedback], config: MaturityConfig, now: int) -> Figures:
    """The figures of these votes at ``now`` (UTC ms)."""
    types = [vote.type for vote in votes if believable(vote.at, now)]
    left, state = decayed_counts(votes, config, now=now), maturity_state(votes, config, now=now)
    return Figures(votes, config, now, types.count("helpful"), types.count("harmful"), left, state)


def explain_pattern(patterns: OpenPatterns, pattern_id: str, now: int) -> ShowPatternReport:
    """Where a strategy, or the warning that it became, stands at ``now`` (UTC ms). Raises MindSkillsError where there is none."""
    asked = patterns.find(pattern_id, now)
    of = patterns.find(short_id(asked.pattern).removeprefix(WARNING), now)
    rules, maturity = patterns.rules, of.maturity
    seen = measure_votes(patterns.maturities.feedback(of.pattern.id), rules.maturity, now)
    taken_back = sorted(patterns.credit.refused(of.pattern.id))
    return ShowPatternReport.of(
        {
            "id": short_id(asked.pattern),
            "content": asked.pattern.content,
            "kind": asked.pattern.kind,
            "state": maturity.state,
            "multiplier": multiplier(maturity.state),
            "pinned": maturity.pinned,
            "told": _is_told(patterns, of, now),
            "verdict": _pattern_verdict(of, seen, patterns),
            "reasons": _pattern_reasons(of, seen, patterns),
            "helpful": of.pattern.success_count,
            "harmful": of.pattern.failure_count,
            **seen.document(),
            "created_at": of.pattern.created_at,
            "promoted_at": maturity.promoted_at,
            "deprecated_at": maturity.deprecated_at,
            "inverted_to": f"{WARNING}{short_id(of.pattern)}" if of.pattern.inverted_to else "",
            "thresholds": _thresholds("maturity", rules.maturity) | _thresholds("anti_pattern", rules.anti_pattern),
            "votes": [
                *seen.casts(),
                *(CastReport(source=name, type="taken back", at=None, left=0.0, counts=False) for name in taken_back),
            ],
            "decisions": [
                DecidedReport.copy(each, session=each.source)
                for each in reversed(patterns.credit.decisions(of.pattern.id))
            ],
        }
    )


def _is_told(patterns: OpenPatterns, of: Standing, now: int) -> bool:
    """Whether it is among the lines that the sessions of the project are told, as hooks/credit.py chooses them."""
    warned = [each.id for each in patterns.credit.warnings(patterns.project.id)[:LINES]]
    proven = patterns.credit.proven(patterns.project.id, now=now)
    proven.sort(key=lambda each: (-each.maturity.helpful_count, each.pattern.id))
    return of.pattern.inverted_to in warned or of.pattern.id in [each.pattern.id for each in proven[:LINES]]


def _pattern_verdict(of: Standing, seen: Figures, patterns: OpenPatterns) -> str:
    if of.pattern.inverted_to:
        return _inversion(of, patterns.rules.anti_pattern)
    if of.maturity.state == "deprecated" and not maturity.is_vote_based(of.maturity):
        return f"Deprecated because it was given up by hand: {of.maturity.reason}"
    if of.maturity.state != seen.by_votes:
        held = "it is pinned" if of.maturity.pinned else "what was given up stays so until it is reset"
        return f"{of.maturity.state.capitalize()} because {held}; its votes alone would make it {seen.by_votes}."
    return _verdict(of.maturity.state, seen)


def _pattern_reasons(of: Standing, seen: Figures, patterns: OpenPatterns) -> list[str]:
    found = _reasons(of.maturity.state, seen)
    name = short_id(of.pattern)
    if not of.pattern.inverted_to:
        found.append(_inversion(of, patterns.rules.anti_pattern))
    if of.maturity.state == "deprecated":
        stays = f"It stays so until `mind-skills patterns reset {name}`, or until the votes behind it change."
        passing = "Too few votes to be sure: it comes back by itself when fewer of what is left of them are harmful."
        found.append(stays if maturity.is_permanent(of.maturity) else passing)
    if of.maturity.pinned:
        found.append(f"It is pinned: no vote moves it; `mind-skills patterns pin {name} --off` lets it go.")
    return found


def _inversion(of: Standing, config: AntiPatternConfig) -> str:
    """Why a strategy became a warning, or did not: the raw counts decide, which do not fade."""
    failure, total = of.pattern.failure_count, of.pattern.success_count + of.pattern.failure_count
    share, needed = f"{percent(failure, total)}%", f"{100 * config.failure_ratio_threshold:g}%"
    seen = f"{failure} of {total} sessions failed ({share})"
    if of.pattern.inverted_to:
        return f"Inverted because {seen}; {needed} of at least {config.min_observations} are enough."
    if total < config.min_observations:
        sessions = "1 session was" if total == 1 else f"{total} sessions were"
        return f"Not inverted because only {sessions} seen, and {config.min_observations} are needed."
    return f"Not inverted because {seen}, and {needed} are needed."


def explain_skill(skill: StandingReport, rules: Rules, now: int) -> ShowSkillReport:
    """Where an installed skill stands at ``now`` (UTC ms), or one that is gone but was used."""
    votes = [
        MaturityFeedback(skill.path, "helpful" if each.outcome == "helpful" else "harmful", min(each.at, now), 1.0, each.session)
        for each in skill.votes
        if each.counts
    ]  # fmt: skip
    seen = measure_votes(votes, rules.maturity, now)
    silent = [
        CastReport(source=each.session, type=each.outcome, at=each.at, left=0.0, counts=False)
        for each in skill.votes
        if not each.counts
    ]
    more = [f"It fails: {skill.failing}. {advise_failing(skill)}"] if skill.failing else []
    if skill.worth != skill.multiplier:
        more.append(f"It makes x {skill.worth:g} of a rank as long as it is not sure that it fails.")
    if silent:
        more.append(f"{len(silent)} of {skill.loads} sessions that loaded it said nothing: neutral, or not known.")
    if skill.origin is None:
        more.append("It came from no candidate of ours, so it is only reported on.")
    return ShowSkillReport.copy(
        skill,
        id=skill.name,
        verdict=_verdict(skill.state, seen),
        reasons=[*_reasons(skill.state, seen), *more],
        thresholds=_thresholds("maturity", rules.maturity),
        **seen.document() | {"votes": [*seen.casts(), *silent]},
    )


def _verdict(state: MaturityState, f: Figures) -> str:
    """Why it is in its state, or what keeps it from the next one, by the votes."""
    if state == "candidate":
        return f"Not proven because {_few(f)}."
    if state == "deprecated":
        return f"Deprecated because {_share(f)} harmful, more than {f.config.deprecation_threshold:.0%}."
    if state == "proven":
        return (
            f"Proven because {_helpful_left(f)} ({f.config.min_helpful:g} are needed) and {_share(f)} harmful"
            f" (less than {f.config.max_harmful:.0%} is needed)."
        )
    return f"Not proven because {' and '.join(_missing(f))}." if _missing(f) else "Established by its votes."


def _reasons(state: MaturityState, f: Figures) -> list[str]:
    """What else is to be said: what fading took, what a few votes leave open."""
    found: list[str] = []
    cast = f.helpful + f.harmful
    if cast and sum(f.left) < cast - 0.05:
        half = f"{f.config.half_life_days:g} days"
        found.append(f"{sum(f.left):.2f} of {cast} votes are left; each counts half after {half}.")
    if state == "candidate" and _missing(f):
        found.append(f"For proven, {' and '.join(_missing(f))}.")
    if state == "established" and f.share is not None:
        needed = f"more than {f.config.deprecation_threshold:.0%} would be needed"
        found.append(f"Not deprecated because {_share(f)} harmful, and {needed}.")
    return found


def _few(f: Figures) -> str:
    cast = f.helpful + f.harmful
    votes = "no vote was" if cast == 0 else "only 1 vote was" if cast == 1 else f"only {cast} votes were"
    if cast >= f.config.min_feedback:
        return "nothing is left of its votes"
    return f"{votes} cast, and {f.config.min_feedback} make it more than a candidate"


def _missing(f: Figures) -> list[str]:
    """What keeps it from being proven."""
    found: list[str] = []
    if f.left[0] < f.config.min_helpful - EPSILON:
        found.append(f"{_helpful_left(f)}, and {f.config.min_helpful:g} are needed")
    if f.share is not None and f.share >= f.config.max_harmful:
        found.append(f"{_share(f)} harmful, and it must be less than {f.config.max_harmful:.0%}")
    return found


def _helpful_left(f: Figures) -> str:
    return f"{f.left[0]:.2f} helpful votes are left"


def _share(f: Figures) -> str:
    return f"{f.share or 0.0:.0%} of what is left is"


def explain_criterion(
    name: str, events: Sequence[FeedbackEvent], config: LearningConfig, now: int
) -> ShowCriterionReport:
    """What became of a detector's candidates, and what that makes of its next ones, at ``now`` (UTC ms).

    ``events`` are what was decided about its candidates.
    """
    known = criterion_weight(events, config, now=now)
    left = known.helpful_left + known.harmful_left
    low, high = wilson(known.harmful_left, left)
    state = _criterion_state(known, config)
    return ShowCriterionReport(
        id=name,
        state=state,
        weight=round(known.weight, 3),
        verdict=_criterion_verdict(state, known, config),
        reasons=_criterion_reasons(state, known, (low, high), config),
        accepted=known.helpful_count,
        dismissed=known.harmful_count,
        decayed_accepted=round(known.helpful_left, 3),
        decayed_dismissed=round(known.harmful_left, 3),
        dismissed_share=round(known.harmful_left / left, 3) if left > 0 else None,
        low=round(low, 3),
        high=round(high, 3),
        last_accepted=known.last_validated,
        last_vote=max((event.at for event in events if event.at is not None), default=None),
        thresholds=_thresholds(
            "learning", config, "half_life_days", "min_feedback_for_adjustment", "max_harmful_ratio"
        ),
        votes=_criterion_casts(events, config, now),
    )


def _criterion_state(known: CriterionWeight, config: LearningConfig) -> CriterionState:
    total = known.helpful_count + known.harmful_count
    if total == 0:
        return "unknown"
    return "few" if total < config.min_feedback_for_adjustment else "weighed"


def _criterion_verdict(state: CriterionState, known: CriterionWeight, config: LearningConfig) -> str:
    total = known.helpful_count + known.harmful_count
    if state == "unknown":
        return "It weighs 1 because nothing of its candidates was accepted or dismissed yet."
    if state == "few":
        needed = config.min_feedback_for_adjustment
        were = "candidate was" if total == 1 else "candidates were"
        return f"It weighs 1 because only {total} {were} decided, and {needed} are needed."
    decided = f"{known.harmful_count} of {total} candidates were dismissed"
    if known.weight < 1.0:
        return f"Low because {decided}: its next ones rank x {known.weight:.2f}."
    return f"It weighs 1 because none of its {total} decided candidates was dismissed."


def _criterion_reasons(
    state: CriterionState, known: CriterionWeight, bounds: tuple[float, float], config: LearningConfig
) -> list[str]:
    left = known.helpful_left + known.harmful_left
    total = known.helpful_count + known.harmful_count
    found: list[str] = []
    if total and left < total - 0.05:
        half = f"{config.half_life_days:g} days"
        found.append(f"{left:.2f} of {total} decisions are left; each counts half after {half}.")
    if state == "weighed":
        found.append(f"The dismissed share is {bounds[0]:.0%} to {bounds[1]:.0%} at 95 %.")
    if should_deprecate(known, config):
        most = f"{config.max_harmful_ratio:.0%}"
        found.append(f"More than {most} were dismissed: it counts as deprecated, and ranks lower.")
    if state == "weighed" and known.weight == FLOOR:
        found.append(f"A weight is never less than {FLOOR:g}, so that what was right in the end comes back.")
    return found


def _criterion_casts(events: Sequence[FeedbackEvent], config: LearningConfig, now: int) -> list[CastReport]:
    """Every decision, the newest first; its source is the candidate's id."""
    found = [
        CastReport(
            source=event.id.rpartition("/")[2],
            type="accepted" if event.type == "helpful" else "dismissed",
            at=event.at,
            left=_left(1.0, event.at, now, config.half_life_days),
            counts=believable(event.at, now),
        )
        for event in events
    ]
    return sorted(found, key=lambda each: (-(each.at or 0), each.source))


def print_standing(report: ShowPatternReport | ShowSkillReport | ShowCriterionReport) -> None:
    """Print what it is, where it stands and why, and the votes on it."""
    weight = report.weight if isinstance(report, ShowCriterionReport) else report.multiplier
    pinned = ", pinned" if isinstance(report, ShowPatternReport) and report.pinned else ""
    heading(f"{report.id}  {report.state}, x {weight:g}{pinned}")
    if isinstance(report, ShowPatternReport):
        line(quoted(report.content, 200))
    if isinstance(report, ShowSkillReport):
        gone = f" (archived: {report.archived})" if report.archived else " (gone)"
        line(f"{report.path or 'no file is known'}{'' if report.installed else gone}")
        line(f"Read by {', '.join(report.hosts) or 'no host that is known'}.")
    line()
    for text in (report.verdict, *report.reasons):
        line(text)
    line()
    _print_figures(report)
    rows = [
        (each.source, each.type, when(each.at), f"{each.left:.2f}" if each.counts else "-") for each in report.votes
    ]
    if rows:
        line()
        table("Votes", ("who", "what", "when", "left"), rows[:VOTES], right=("left",))
    if rows[VOTES:]:
        line(f"and {len(rows) - VOTES} older ones; --json has them all.")
    line()
    line("Measured by " + ", ".join(f"{key} {value:g}" for key, value in report.thresholds.items()) + ".")
    if isinstance(report, ShowPatternReport) and report.decisions:
        line()
        decided = [(when(each.at), each.what, each.session or "by hand") for each in report.decisions[:VOTES]]
        table("What `mind-skills undo` takes back, in its turn", ("when", "what", "who"), decided)


def _print_figures(report: ShowPatternReport | ShowSkillReport | ShowCriterionReport) -> None:
    if isinstance(report, ShowCriterionReport):
        line(
            f"{report.accepted} accepted ({report.decayed_accepted:.2f} left, last {when(report.last_accepted)}),"
            f" {report.dismissed} dismissed ({report.decayed_dismissed:.2f} left); last decision {when(report.last_vote)}."
        )
        return
    if isinstance(report, ShowPatternReport):
        line(f"Sessions are {'told' if report.told else 'not told'} of it.")
    elif report.origin is not None:
        origin = report.origin
        seen = ", ".join(origin.sessions) or "a session that is not known any more"
        title = quoted(origin.title, 120)
        line(f"From {origin.candidate} {title}, seen by {seen}, accepted {when(origin.accepted_at)}.")
    if isinstance(report, ShowSkillReport) and report.confidence is not None:
        line(f"Helpful: {report.confidence:.0%} of what is left ({report.low:.0%} to {report.high:.0%}).")
    line(
        f"{report.helpful} helpful ({report.decayed_helpful:.2f} left, last {when(report.last_helpful)}),"
        f" {report.harmful} harmful ({report.decayed_harmful:.2f} left); last vote {when(report.last_vote)}."
    )
    if isinstance(report, ShowPatternReport):
        for word, at in (("Proven", report.promoted_at), ("Deprecated", report.deprecated_at)):
            if at is not None:
                line(f"{word} last on {when(at)}.")
