"""The part of `mind-skills why` about votes: the state of a strategy, a skill or a detector, and the reasons for it.

``verdict`` explains the state in one sentence; ``reasons`` adds further arguments for and against this state. Raw
counts are numbers of votes that were cast; decayed counts are the sums of their weights now. Times are UTC
milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mind_skills.cli.patterns import ProjectPatterns, get_short_id
from mind_skills.cli.skill_standing import StandingReport, advise_failing
from mind_skills.learning import maturity
from mind_skills.learning.anti_patterns import (
    WARNING_ID_PREFIX,
    DecompositionPattern,
    compute_percent,
    should_invert,
)
from mind_skills.learning.credit import Standing
from mind_skills.learning.criteria import (
    MIN_WEIGHT,
    CriterionWeight,
    FeedbackEvent,
    compute_criterion_weight,
    should_deprecate,
)
from mind_skills.learning.maturity import (
    EPSILON,
    MaturityConfig,
    MaturityFeedback,
    MaturityState,
    compute_decayed_counts,
    compute_state,
    get_multiplier,
)
from mind_skills.learning.rules import Rules, list_numeric_settings
from mind_skills.learning.scoring import MAX_HARMFUL_SCORE, MIN_HELPFUL_SCORE, LearningConfig
from mind_skills.learning.statistics import compute_decay, compute_wilson_interval, is_plausible_time
from mind_skills.output.document import to_json_types
from mind_skills.output.text import (
    format_time,
    print_heading,
    print_line,
    print_note,
    print_table,
    print_wrapped,
    quote,
)
from mind_skills.staging.session_votes import DECISIVE_OUTCOMES, MAX_ADVICE_ITEMS

MAX_PRINTED_VOTES = 50
"""Maximum number of votes to print without ``--verbose``, and of decisions to print; the newest are printed."""
_VOTE_TEXT = (
    "Each session that loaded the skill votes by its score, from 0 to 1, for success, duration, errors and retries: helpful if "
    f"the score is at least {MIN_HELPFUL_SCORE:g}, harmful if it is at most {MAX_HARMFUL_SCORE:g}; in between, it casts no vote."
)


class CastVote(NamedTuple):
    """A vote. ``source`` is the id of the session or candidate, ``left`` the decayed weight of the vote."""

    source: str
    type: str
    at: int | None
    left: float
    counts: bool


class VoteFigures:
    """The votes on a strategy or skill, what they add up to at ``now`` (UTC milliseconds), and the thresholds that apply."""

    def __init__(self, votes: Sequence[MaturityFeedback], config: MaturityConfig, now: int) -> None:
        self.votes, self.config, self.now = votes, config, now
        self.counted = [vote for vote in votes if is_plausible_time(vote.at, now)]
        types = [vote.type for vote in self.counted]
        self.helpful, self.harmful = types.count("helpful"), types.count("harmful")
        self.decayed_sums = compute_decayed_counts(votes, config, now=now)
        total = sum(self.decayed_sums)
        self.harmful_share = self.decayed_sums[1] / total if total > EPSILON else None
        self.state_by_votes = compute_state(votes, config, now=now)

    def build_fields(self) -> dict[str, Any]:
        """Return the decayed counts, the harmful share and the times of the last votes, by name in JSON."""
        helpful_times = [vote.at for vote in self.counted if vote.type == "helpful" and vote.at is not None]
        return {
            "decayedHelpful": round(self.decayed_sums[0], 3),
            "decayedHarmful": round(self.decayed_sums[1], 3),
            "harmfulShare": None if self.harmful_share is None else round(self.harmful_share, 3),
            "lastHelpful": max(helpful_times, default=None),
            "lastVote": max((vote.at for vote in self.counted if vote.at is not None), default=None),
        }

    def list_votes(self) -> list[CastVote]:
        """Return all votes, newest first."""
        votes = [
            CastVote(
                vote.source,
                vote.type,
                vote.at,
                _compute_decayed_weight(vote.weight, vote.at, self.now, self.config.half_life_days),
                is_plausible_time(vote.at, self.now) and vote.type != "neutral",
            )
            for vote in self.votes
        ]
        return sorted(votes, key=lambda each: (-(each.at or 0), each.source))


def _compute_decayed_weight(weight: float, at: int | None, now: int, half_life_days: float) -> float:
    return round(weight * compute_decay(at, now, half_life_days), 3) if is_plausible_time(at, now) else 0.0


def _list_thresholds(section: str, config: object, *fields: str) -> dict[str, float]:
    """Return the numeric settings of a section, keyed by setting: those of ``fields``, or all if ``fields`` is empty."""
    return {
        key: float(getattr(config, field))
        for key, field in list_numeric_settings(section).items()
        if not fields or field in fields
    }


def explain_pattern(patterns: ProjectPatterns, pattern_id: str, now: int, project_option: str) -> dict[str, Any]:
    """Explain the state of a strategy or its warning at ``now`` (UTC milliseconds).

    The commands that it suggests end with ``project_option`` (see ``format_project_option``). Raises MindSkillsError if
    there is no such strategy.
    """
    requested = patterns.find(pattern_id, now)
    strategy = patterns.find(get_short_id(requested.pattern).removeprefix(WARNING_ID_PREFIX), now)
    rules, current = patterns.rules, strategy.maturity
    figures = VoteFigures(patterns.maturities.list_votes(strategy.pattern.id), rules.maturity, now)
    undone_sessions = sorted(patterns.credit.list_undone_sessions(strategy.pattern.id))
    thresholds = _list_thresholds("maturity", rules.maturity) | _list_thresholds("anti_pattern", rules.anti_pattern)
    undone_votes = [CastVote(name, "taken back", None, 0.0, counts=False) for name in undone_sessions]
    return {
        "subject": "pattern",
        "id": get_short_id(requested.pattern),
        "content": requested.pattern.content,
        "kind": requested.pattern.kind,
        "state": current.state,
        "pinned": current.pinned,
        "multiplier": get_multiplier(current.state),
        "told": _is_offered(patterns, strategy, now),
        "verdict": _explain_pattern_state(strategy, figures, patterns),
        "reasons": _list_pattern_reasons(strategy, figures, patterns, project_option),
        "helpful": strategy.pattern.success_count,
        "harmful": strategy.pattern.failure_count,
        **figures.build_fields(),
        "createdAt": strategy.pattern.created_at,
        "promotedAt": current.promoted_at,
        "deprecatedAt": current.deprecated_at,
        "invertedTo": f"{WARNING_ID_PREFIX}{get_short_id(strategy.pattern)}" if strategy.pattern.inverted_to else "",
        "thresholds": thresholds,
        "votes": [*figures.list_votes(), *undone_votes],
        "decisions": [
            {"at": each.at, "what": each.what, "session": each.source}
            for each in reversed(patterns.credit.list_decisions(strategy.pattern.id))
        ],
    }


def _is_offered(patterns: ProjectPatterns, strategy: Standing, now: int) -> bool:
    """Return whether the sessions of the project receive the strategy or its warning (hooks/session_votes.py)."""
    warning_ids = [each.id for each in patterns.credit.list_warnings(patterns.project.id)[:MAX_ADVICE_ITEMS]]
    proven = patterns.credit.list_proven(patterns.project.id, now=now)
    proven.sort(key=lambda each: (-each.maturity.helpful_count, each.pattern.id))
    return strategy.pattern.inverted_to in warning_ids or strategy.pattern.id in [
        each.pattern.id for each in proven[:MAX_ADVICE_ITEMS]
    ]


def _explain_pattern_state(strategy: Standing, figures: VoteFigures, patterns: ProjectPatterns) -> str:
    current = strategy.maturity
    if strategy.pattern.inverted_to:
        return _explain_inversion(strategy.pattern, patterns)
    if current.state == "deprecated" and not maturity.is_vote_based(current):
        return f"Deprecated manually: {current.reason}"
    if current.state != figures.state_by_votes:
        cause = "it is pinned" if current.pinned else f"its earlier votes were certain ({current.reason})"
        return f"{current.state.capitalize()} because {cause}; its votes alone would make it {figures.state_by_votes}."
    return _explain_state(current.state, figures)


def _list_pattern_reasons(
    strategy: Standing, figures: VoteFigures, patterns: ProjectPatterns, project_option: str
) -> list[str]:
    reasons = _list_reasons(strategy.maturity.state, figures)
    name = get_short_id(strategy.pattern)
    if not strategy.pattern.inverted_to:
        reasons.append(_explain_inversion(strategy.pattern, patterns))
    if strategy.maturity.state == "deprecated":
        reset = f"`mind-skills patterns reset {name}{project_option}`"
        depends_on_votes = maturity.is_vote_based(strategy.maturity) and not strategy.maturity.pinned
        changed_vote = ", or until a session withdraws or changes its vote; new votes alone do not lift this"
        permanent = f"It stays deprecated until you run {reset}{changed_vote if depends_on_votes else ''}."
        temporary = (
            "The votes are too few to be certain: it recovers if the harmful share of the remaining votes drops."
        )
        is_temporary = depends_on_votes and not maturity.is_permanent(strategy.maturity)
        reasons.append(temporary if is_temporary else permanent)
    if strategy.maturity.pinned:
        unpin = f"`mind-skills patterns pin {name} --off{project_option}`"
        reasons.append(f"It is pinned: votes do not change its state. {unpin} unpins it.")
    return reasons


def _explain_inversion(strategy: DecompositionPattern, patterns: ProjectPatterns) -> str:
    """Explain why a strategy became a warning or did not. The raw counts decide this, not the decayed ones."""
    config = patterns.rules.anti_pattern
    warnings = {each.id: each for each in patterns.credit.list_warnings(patterns.project.id)}
    counted = warnings.get(strategy.inverted_to, strategy)
    total = counted.success_count + counted.failure_count
    share, needed = compute_percent(counted.failure_count, total), f"{100 * config.failure_ratio_threshold:g}%"
    failures = f"{counted.failure_count} of {total} sessions failed ({share}%)"
    if strategy.inverted_to:
        return f"Inverted because {failures}; {needed} of at least {config.min_observations} sessions are enough."
    if total < config.min_observations:
        sessions = "1 session has" if total == 1 else f"{total} sessions have"
        return f"Not inverted because only {sessions} voted, and {config.min_observations} are needed."
    if should_invert(strategy, config):
        return f"Not inverted yet, although {failures} and {needed} are enough: only a vote inverts it, unless it is pinned."
    return f"Not inverted because {failures}, and {needed} are needed."


def explain_skill(skill: StandingReport, rules: Rules, now: int, project_option: str) -> dict[str, Any]:
    """Explain the state of a skill at ``now`` (UTC milliseconds)."""
    votes = [
        MaturityFeedback(skill.path, "helpful" if each.outcome == "helpful" else "harmful", min(each.at, now), 1.0, each.session)
        for each in skill.votes
        if each.counts
    ]  # fmt: skip
    figures = VoteFigures(votes, rules.maturity, now)
    uncounted_votes = [
        CastVote(each.session, each.outcome, each.at, 0.0, counts=False) for each in skill.votes if not each.counts
    ]
    extra_reasons = (
        [f"It is failing: {skill.failing}. {advise_failing(skill, project_option)}"] if skill.failing else []
    )
    if skill.worth != skill.multiplier:
        extra_reasons.append(
            f"Its rank is multiplied by {skill.worth:g} as long as it is uncertain whether it is failing."
        )
    if unclear := sum(each.type not in DECISIVE_OUTCOMES for each in uncounted_votes):
        extra_reasons.append(
            f"{unclear} of {skill.loads} sessions that loaded it cast no vote: their outcome is neutral or unknown."
        )
    if skill.origin is None:
        extra_reasons.append("It was not made from a candidate, so it is never proposed for archiving.")
    standing: dict[str, Any] = to_json_types(skill)
    for name in ("name", "candidate", "loads", "proposed", "failing", "problems"):
        del standing[name]
    return standing | {
        "subject": "skill",
        "id": skill.name,
        "verdict": _explain_state(skill.state, figures),
        "reasons": [*_list_reasons(skill.state, figures), *extra_reasons],
        "thresholds": _list_thresholds("maturity", rules.maturity),
        "votes": [*figures.list_votes(), *uncounted_votes],
        **figures.build_fields(),
    }


def _explain_state(state: MaturityState, figures: VoteFigures) -> str:
    """Explain from the votes why a strategy or skill has its state, or what it lacks for the next state."""
    config, harmful = figures.config, _describe_harmful_share(figures)
    if state == "candidate":
        return f"Not proven because {_describe_few_votes(figures)}."
    if state == "deprecated":
        return f"Deprecated because {harmful}, more than {_format_percent(config.deprecation_threshold)}."
    if state == "proven":
        return (
            f"Proven because {_describe_helpful(figures)} ({config.min_helpful:g} are needed) and {harmful}"
            f" (it must be less than {_format_percent(config.max_harmful)})."
        )
    unmet = _list_unmet_criteria(figures)
    return f"Not proven because {' and '.join(unmet)}." if unmet else "Established by its votes."


def _list_reasons(state: MaturityState, figures: VoteFigures) -> list[str]:
    """Return further reasons: the effect of decay, and what is missing for another state."""
    reasons: list[str] = []
    cast = figures.helpful + figures.harmful
    if cast and sum(figures.decayed_sums) < cast - 0.05:
        half = f"{figures.config.half_life_days:g} days"
        reasons.append(
            f"{sum(figures.decayed_sums):.2f} of {cast} votes remain; a vote loses half its weight in {half}."
        )
    if state == "candidate" and _list_unmet_criteria(figures):
        reasons.append(f"For the state proven, {' and '.join(_list_unmet_criteria(figures))}.")
    if state == "established" and figures.harmful_share is not None:
        needed = f"more than {_format_percent(figures.config.deprecation_threshold)} is needed"
        reasons.append(f"Not deprecated because {_describe_harmful_share(figures)} ({needed}).")
    return reasons


def _describe_few_votes(figures: VoteFigures) -> str:
    cast = figures.helpful + figures.harmful
    votes = "no vote was" if cast == 0 else "only 1 vote was" if cast == 1 else f"only {cast} votes were"
    if cast >= figures.config.min_feedback:
        return "its votes have decayed to nothing"
    return f"{votes} cast, and it needs {figures.config.min_feedback} to be more than a candidate"


def _list_unmet_criteria(figures: VoteFigures) -> list[str]:
    """Return the unmet criteria for the state ``proven``."""
    criteria: list[str] = []
    if figures.decayed_sums[0] < figures.config.min_helpful - EPSILON:
        criteria.append(f"{_describe_helpful(figures)} ({figures.config.min_helpful:g} are needed)")
    if figures.harmful_share is not None and figures.harmful_share >= figures.config.max_harmful:
        criteria.append(
            f"{_describe_harmful_share(figures)} (it must be less than {_format_percent(figures.config.max_harmful)})"
        )
    return criteria


def _describe_helpful(figures: VoteFigures) -> str:
    return f"{figures.decayed_sums[0]:.2f} helpful votes remain"


def _describe_harmful_share(figures: VoteFigures) -> str:
    """Describe the harmful share with as few decimals as show on which side of both thresholds it is."""
    share, thresholds = figures.harmful_share or 0.0, (figures.config.deprecation_threshold, figures.config.max_harmful)
    digits = next(
        (
            n
            for n in range(7)
            if all(_compare(round(share, n + 2), each) == _compare(share, each) for each in thresholds)
        ),
        0,
    )
    return f"{share:.{digits}%} of the remaining votes are harmful"


def _compare(number: float, other: float) -> int:
    """Return -1, 0 or 1 if ``number`` is less than, equal to or greater than ``other``."""
    return (number > other) - (number < other)


def _format_percent(share: float) -> str:
    """Format a setting between 0 and 1 as a percentage, rounded to six digits."""
    return f"{100 * share:g}%"


def explain_criterion(name: str, events: Sequence[FeedbackEvent], config: LearningConfig, now: int) -> dict[str, Any]:
    """Explain the weight of a detector at ``now`` (UTC milliseconds), given the decisions about its candidates."""
    weight = compute_criterion_weight(events, config, now=now)
    decayed_total = weight.decayed_helpful + weight.decayed_harmful
    low, high = compute_wilson_interval(weight.decayed_harmful, decayed_total)
    state = _get_criterion_state(weight, config)
    names = ("half_life_days", "min_feedback_for_adjustment", "max_harmful_ratio")
    return {
        "subject": "criterion",
        "id": name,
        "state": state,
        "weight": round(weight.weight, 3),
        "verdict": _explain_criterion_state(state, weight, config),
        "reasons": _list_criterion_reasons(state, weight, (low, high), config),
        "accepted": weight.helpful_count,
        "dismissed": weight.harmful_count,
        "decayedAccepted": round(weight.decayed_helpful, 3),
        "decayedDismissed": round(weight.decayed_harmful, 3),
        "dismissedShare": round(weight.decayed_harmful / decayed_total, 3) if decayed_total > 0 else None,
        "low": round(low, 3),
        "high": round(high, 3),
        "lastAccepted": weight.last_validated,
        "lastVote": max((event.at for event in events if event.at is not None), default=None),
        "thresholds": _list_thresholds("learning", config, *names),
        "votes": _list_criterion_votes(events, config, now),
    }


def _get_criterion_state(weight: CriterionWeight, config: LearningConfig) -> str:
    total = weight.helpful_count + weight.harmful_count
    if total == 0:
        return "unknown"
    return "few" if total < config.min_feedback_for_adjustment else "weighed"


def _explain_criterion_state(state: str, weight: CriterionWeight, config: LearningConfig) -> str:
    total = weight.helpful_count + weight.harmful_count
    if state == "unknown":
        return "Its weight is 1 because none of its candidates has been accepted or dismissed yet."
    if state == "few":
        noun = "candidate was" if total == 1 else "candidates were"
        needed = config.min_feedback_for_adjustment
        return f"Its weight is 1 because only {total} {noun} decided, and {needed} are needed."
    dismissals = f"{weight.harmful_count} of {total} candidates were dismissed"
    if weight.weight < 1.0:
        return f"Its weight is low because {dismissals}: the score of its next candidates is multiplied by {weight.weight:.2f}."
    return f"Its weight is 1 because none of its {total} decided candidates was dismissed."


def _list_criterion_reasons(
    state: str, weight: CriterionWeight, bounds: tuple[float, float], config: LearningConfig
) -> list[str]:
    decayed_total = weight.decayed_helpful + weight.decayed_harmful
    total = weight.helpful_count + weight.harmful_count
    reasons: list[str] = []
    if total and decayed_total < total - 0.05:
        half = f"{config.half_life_days:g} days"
        reasons.append(f"{decayed_total:.2f} of {total} decisions remain; a decision loses half its weight in {half}.")
    if state == "weighed":
        reasons.append(f"The share of dismissals is between {bounds[0]:.0%} and {bounds[1]:.0%} (95 % interval).")
    if should_deprecate(weight, config):
        reasons.append(
            f"More than {_format_percent(config.max_harmful_ratio)} were dismissed: the detector counts as deprecated,"
            " and its candidates rank lower."
        )
    if state == "weighed" and weight.weight == MIN_WEIGHT:
        reasons.append(f"The weight is never less than {MIN_WEIGHT:g}, so that the detector can recover.")
    return reasons


def _list_criterion_votes(events: Sequence[FeedbackEvent], config: LearningConfig, now: int) -> list[CastVote]:
    """Return all decisions, newest first. The source of a decision is the id of its candidate."""
    votes = [
        CastVote(
            event.id.rpartition("/")[2],
            "accepted" if event.type == "helpful" else "dismissed",
            event.at,
            _compute_decayed_weight(1.0, event.at, now, config.half_life_days),
            is_plausible_time(event.at, now),
        )
        for event in events
    ]
    return sorted(votes, key=lambda each: (-(each.at or 0), each.source))


def print_standing(report: dict[str, Any], *, verbose: bool = False) -> None:
    """Print what one of the functions above returned, with the latest votes; with ``verbose``, with all votes."""
    subject = report["subject"]
    weight = f", weight {report['weight']:g}" if subject == "criterion" else ""
    print_heading(f"{report['id']}  {report['state']}{weight}{', pinned' if report.get('pinned') else ''}")
    if subject == "pattern":
        print_line(quote(report["content"], 200))
    if subject == "skill":
        gone = f" (archived: {report['archived']})" if report["archived"] else " (gone)"
        print_line(f"{report['path'] or 'unknown file'}{'' if report['installed'] else gone}")
        if report["installed"]:
            print_line(f"Read by {', '.join(report['hosts']) or 'no supported host'}.")
    print_line()
    for text in (report["verdict"], *report["reasons"]):
        print_line(text)
    if subject == "skill":
        print_wrapped(_VOTE_TEXT)
    print_line()
    for text in _describe_figures(report):
        print_line(text)
    votes: list[CastVote] = report["votes"]
    rows = [
        (each.source, each.type, format_time(each.at), f"{each.left:.2f}" if each.counts else "-") for each in votes
    ]
    if rows:
        print_line()
        shown = rows if verbose else rows[:MAX_PRINTED_VOTES]
        print_table("Votes", ("who", "what", "when", "weight"), shown, right_aligned=("weight",))
        if len(shown) < len(rows):
            print_line(f"and {len(rows) - len(shown)} older votes; --verbose lists all of them.")
    print_line()
    print_line("Settings: " + ", ".join(f"{key} {value:g}" for key, value in report["thresholds"].items()) + ".")
    if decisions := [
        (format_time(each["at"]), each["what"], each["session"] or "by hand")
        for each in report.get("decisions", [])[:MAX_PRINTED_VOTES]
    ]:
        print_line()
        print_table("Decisions that `mind-skills undo` can revert, newest first", ("when", "what", "who"), decisions)
    if verbose and len(rows) <= MAX_PRINTED_VOTES:
        print_note("--verbose adds nothing here: everything is shown already.")


def _describe_figures(report: dict[str, Any]) -> Iterator[str]:
    last_vote = format_time(report["lastVote"])
    if report["subject"] == "criterion":
        yield (
            f"{report['accepted']} accepted ({report['decayedAccepted']:.2f} remaining, last {format_time(report['lastAccepted'])}),"
            f" {report['dismissed']} dismissed ({report['decayedDismissed']:.2f} remaining); last decision {last_vote}."
        )
        return
    if report["subject"] == "pattern":
        yield f"{'The warning' if report['invertedTo'] else 'It'} is {'offered' if report['told'] else 'not offered'} to sessions."
    elif origin := report["origin"]:
        sessions, accepted = ", ".join(origin["sessions"]) or "a deleted session", format_time(origin["acceptedAt"])
        yield f"From {origin['candidate']} {quote(origin['title'], 120)}, noticed in {sessions}, accepted {accepted}."
    if (share := report.get("confidence")) is not None:
        yield f"Helpful: {share:.0%} of the remaining votes (95 % interval: {report['low']:.0%} to {report['high']:.0%})."
    yield (
        f"{report['helpful']} helpful ({report['decayedHelpful']:.2f} remaining, last {format_time(report['lastHelpful'])}),"
        f" {report['harmful']} harmful ({report['decayedHarmful']:.2f} remaining); last vote {last_vote}."
    )
    for label, key in (("Proven", "promotedAt"), ("Deprecated", "deprecatedAt")):
        if report.get(key) is not None:
            yield f"{label} last on {format_time(report[key])}."
