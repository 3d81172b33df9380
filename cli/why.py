"""`mind-skills why`: why a candidate, a strategy, a skill or a detector stands where it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from mind_skills.cli import options

if TYPE_CHECKING:
    from mind_skills.cli.named import Named
    from mind_skills.cli.open_patterns import OpenPatterns
    from mind_skills.cli.skill_report import StandingReport
    from mind_skills.cli.why_report import WhyReport
    from mind_skills.output.document import Report
    from mind_skills.staging.ledger import Ledger
    from mind_skills.store.project import Project


@click.command(
    epilog=options.examples(
        "mind-skills why sc_1a2b3c4d",
        "mind-skills why 1a2b --json",
        "mind-skills why split-by-feature",
        "mind-skills why error_fix",
    )
)
@click.argument("thing", metavar="ID")
@options.project
@options.as_json
def command(thing: str, project: str, as_json: bool) -> None:
    """Say why something stands where it does: a candidate, a strategy, a skill or a detector.

    A candidate: the features that decided, its tier and how precise that was found to be, what your own decisions changed,
    why it ranks as it does, where it was seen, what became of it, and why it is offered or not; the rank is the sum of
    its parts. A strategy or its warning, an installed skill (by name or path) and a detector: why it is not
    proven, or inverted, or low, with its votes as they were cast and as they have faded.

    ID may be shortened as long as it is clear which is meant. Where it is the name of several, `pattern:ID`, `skill:ID`,
    `criterion:ID` or `candidate:ID` says which.
    """
    from mind_skills.cli.named import meant
    from mind_skills.cli.open_patterns import opened
    from mind_skills.cli.skill_list import listed
    from mind_skills.output import state
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import emit

    place, now = choose_project(project), state.now()
    with state.open_ledger() as ledger, opened(place) as patterns:
        state.catch_up(ledger, place)
        skills = listed(ledger, place, now)
        report, show = _answer(meant(thing, ledger, patterns, skills, place), ledger, patterns, skills, place, now)
    emit(report, as_json, show)


def _answer(
    found: Named, ledger: Ledger, patterns: OpenPatterns, skills: list[StandingReport], place: Project, now: int
) -> tuple[Report, Callable[[], None]]:
    """The document about what is meant, and what prints it."""
    from mind_skills.cli import why_candidate, why_criterion, why_pattern, why_skill
    from mind_skills.cli.why_standing_text import show_criterion, show_pattern, show_skill

    if found.kind == "pattern":
        of_pattern = why_pattern.explain(patterns, found.id, now)
        return of_pattern, lambda: show_pattern(of_pattern)
    if found.kind == "criterion":
        events = ledger.list_feedback().get(found.id, [])
        of_criterion = why_criterion.explain(found.id, events, patterns.rules.learning, now)
        return of_criterion, lambda: show_criterion(of_criterion)
    if found.kind == "skill":
        skill = next(each for each in skills if found.id in (each.path, each.name))
        of_skill = why_skill.explain(skill, patterns.rules, now)
        return of_skill, lambda: show_skill(of_skill)
    of_candidate = why_candidate.explain(ledger, ledger.find_candidate(found.id, place), place)
    return of_candidate, lambda: _show(of_candidate)


def _show(report: WhyReport) -> None:
    from mind_skills.output.candidates import kind_text
    from mind_skills.output.text import count, heading, line, quoted, table, when

    heading(f"{report.id}  {kind_text(report.kind)}, {report.confidence} confidence, {report.state}")
    line(quoted(report.title, 120))
    line()
    line(f"Offered? {report.verdict}")
    line()
    if report.deciding:
        decided = [(feature.name, f"{feature.adds:+.2f}", feature.text) for feature in report.deciding]
        table("What decided, in log odds", ("feature", "adds", "why"), decided, right=("adds",))
        line(f"Probability {report.probability:.2f}: tier {report.tier.name}{_precision(report)}.")
    if report.decided is not None:
        said = report.decided
        line(
            f"After {count(said.decisions, 'decision')} in this project: {said.probability:.2f} ({said.shift:+.2f} in log odds)."
        )
        rows = [(part.name, f"{part.value:+.2f}", part.text) for part in said.parts]
        table("", ("by", "adds", "why"), rows, right=("adds",))
    line()
    rows = [(part.name, f"{part.value:+.2f}" if part.value else "0", part.text) for part in report.parts]
    table("", ("part", "adds", "why"), [*rows, ("rank", f"{report.rank:.2f}", "The sum.")], right=("adds",))
    if report.nearest is not None:
        line(f"The nearest skill says {report.nearest.share:.0%} of it: {report.nearest.path}")
    line()
    seen = [
        (one.session_id, one.host, f"{one.first_line}-{one.last_line}", when(one.at), one.log) for one in report.seen
    ]
    table("Seen in", ("session", "host", "lines", "when", "log"), seen)
    line()
    events = [(when(one.at), one.text, one.session_id) for one in report.events]
    table("What became of it", ("when", "what", "session"), events)


def _precision(report: WhyReport) -> str:
    """How precise the tier was, in words; empty where nothing was measured."""
    tier = report.tier
    if tier.precision is None:
        return ""
    return f", of which {tier.precision:.0%} were right on sessions that it was not fitted to ({tier.candidates} candidates)"
