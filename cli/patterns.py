"""`mind-skills patterns`: the strategies that sessions followed, how they came out, and what a person decides of them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

import click

from mind_skills.cli import options
from mind_skills.cli.group import ListingGroup
from mind_skills.errors import MindSkillsError
from mind_skills.hooks.credit import update_advice
from mind_skills.learning.anti_patterns import WARNING, DecompositionPattern
from mind_skills.learning.credit import Credit, Standing
from mind_skills.learning.maturity import MaturityState, decayed_counts, format_maturity, multiplier
from mind_skills.learning.rules import rules_of
from mind_skills.learning.storage import PACKAGE, STEPS, MaturityStorage
from mind_skills.output import state
from mind_skills.output.document import Report
from mind_skills.output.state import choose_project
from mind_skills.output.text import emit, line, table
from mind_skills.store.database import Database
from mind_skills.store.home import ensure
from mind_skills.store.project import Project

REASON = 200
"""Characters of a reason that are kept."""


class PatternReport(Report):
    """A strategy or a warning. Counts are of sessions; the decayed ones have faded by half in 90 days."""

    id: str
    content: str
    kind: Literal["pattern", "anti_pattern"]
    state: MaturityState
    multiplier: float
    helpful: int
    harmful: int
    decayed_helpful: float
    decayed_harmful: float
    last_validated: int | None
    inverted_to: str
    pinned: bool
    text: str
    """The state in words, with its figures."""


class PatternsReport(Report):
    """`mind-skills patterns --json`."""

    version: Literal[1] = 1
    project: str
    patterns: list[PatternReport]


@click.group(cls=ListingGroup)
def command() -> None:
    """Show the strategies that sessions of a project followed, and change where they stand.

    A session has one vote on each strategy that its plans name, from how it came out. What fails in three of five
    sessions or more becomes a warning that later sessions are told. `mind-skills show ID` has every vote on one. Without
    a command the list is shown.
    """


@options.subcommand(command, "list", "mind-skills patterns list", "mind-skills patterns list --json")
@options.project_and_json
def list_command(project: str, as_json: bool) -> None:
    """List the strategies and warnings of a project."""
    with open_patterns(choose_project(project)) as patterns:
        _print(patterns.project.root, patterns.list_all(state.now()), as_json)


@options.subcommand(command, "reset", "mind-skills patterns reset split-by-feature")
@click.argument("pattern", metavar="ID")
@options.project_and_json
def reset(pattern: str, project: str, as_json: bool) -> None:
    """Begin anew with a strategy: its votes and its warning are gone, and no session is told of them any more."""
    _change(project, pattern, as_json, lambda patterns, id_, now: patterns.credit.reset(id_, now=now))


@options.subcommand(command, "deprecate", 'mind-skills patterns deprecate split-by-feature --reason "we are one team"')
@click.argument("pattern", metavar="ID")
@click.option("--reason", required=True, metavar="R", help="Why; for whoever wonders later.")
@options.project_and_json
def deprecate(pattern: str, reason: str, project: str, as_json: bool) -> None:
    """Give a strategy up: it is not recommended any more, until it is reset."""
    from mind_skills.redaction.personal import redact_personal  # only here: its expressions take as long as the rest
    from mind_skills.redaction.text import clean

    why = redact_personal(" ".join(clean(reason, REASON).split()))
    if not why:
        raise click.BadParameter("say in a few words why; whoever wonders later reads it", param_hint="'--reason'")
    _change(project, pattern, as_json, lambda patterns, id_, now: patterns.credit.deprecate(id_, why, now=now))


@options.subcommand(
    command, "pin", "mind-skills patterns pin split-by-feature", "mind-skills patterns pin split-by-feature --off"
)
@click.argument("pattern", metavar="ID")
@click.option("--off", is_flag=True, help="Let its votes move it again.")
@options.project_and_json
def pin(pattern: str, off: bool, project: str, as_json: bool) -> None:
    """Hold a strategy in the state that it has, whatever later sessions say. `mind-skills undo` takes it back."""
    _change(project, pattern, as_json, lambda patterns, id_, now: patterns.credit.pin(id_, now=now, pinned=not off))


def _change(project: str, pattern: str, as_json: bool, change: Callable[[OpenPatterns, str, int], object]) -> None:
    """``change`` one strategy, named by its id or its warning's, make the advice anew, and print where it stands then."""
    now = state.now()
    with open_patterns(choose_project(project)) as patterns:
        found = patterns.find(pattern.removeprefix(WARNING)).pattern.id
        change(patterns, found, now)
        patterns.renew_advice(now)
        name = found.rpartition("/")[2]
        _print(patterns.project.root, [each for each in patterns.list_all(now) if each.id == name], as_json)


def _print(project: str, found: list[PatternReport], as_json: bool) -> None:
    def render() -> None:
        rows = [(each.id, each.content, f"{each.text}{' pinned' if each.pinned else ''}") for each in found]
        if rows:
            table("", ("id", "strategy", "stands"), rows)
        else:
            line(f"No session in {project} has followed a strategy that is known, or come out clearly.")

    emit(PatternsReport(project=project, patterns=found), as_json, render)


class OpenPatterns:
    """The patterns of one project, over an open database."""

    def __init__(self, home: str, database: Database, project: Project) -> None:
        self.maturities = MaturityStorage(database)
        self.rules = rules_of(project.root)
        self.credit = Credit(database, self.rules)
        self.project, self._home = project, home

    def list_all(self, now: int) -> list[PatternReport]:
        """Every pattern of the project, warnings first, then by state and name; ``now`` is UTC milliseconds."""
        order = {"proven": 0, "established": 1, "candidate": 2, "deprecated": 3}
        found = self.credit.standings(self.project.id, now=now)
        stands = {each.pattern.id: each.maturity for each in found}
        # A warning has no votes of its own: it stands where the strategy stands that it was made of.
        found = [
            replace(each, maturity=stands.get(each.pattern.id.removeprefix(WARNING), each.maturity)) for each in found
        ]
        found.sort(key=lambda e: (e.pattern.kind == "pattern", order[e.maturity.state], e.pattern.content))
        return [self._report(each, now) for each in found]

    def find(self, pattern_id: str, now: int | None = None) -> Standing:
        """The pattern whose id is this, or ends so behind the project; ``now`` as in learning/credit.py.

        Raises MindSkillsError.
        """
        for each in self.credit.standings(self.project.id, now=now):
            if pattern_id in (each.pattern.id, short_id(each.pattern)):
                return each
        raise MindSkillsError(
            "unknown_pattern",
            f"there is no strategy {pattern_id} in {self.project.root}",
            "`mind-skills patterns` lists those that sessions have followed.",
        )

    def renew_advice(self, now: int) -> None:
        """Make the project's advice ready anew. Raises StoreError, OSError."""
        update_advice(self._home, self.project.id, self.credit, now)

    def _report(self, standing: Standing, now: int) -> PatternReport:
        pattern, maturity = standing.pattern, standing.maturity
        votes = self.maturities.feedback(pattern.id.removeprefix(WARNING))
        helpful, harmful = decayed_counts(votes, self.rules.maturity, now=now)
        return PatternReport.copy(
            pattern,
            id=short_id(pattern),
            state=maturity.state,
            multiplier=multiplier(maturity.state),
            helpful=pattern.success_count,
            harmful=pattern.failure_count,
            decayed_helpful=round(helpful, 3),
            decayed_harmful=round(harmful, 3),
            last_validated=maturity.last_validated,
            inverted_to=f"{WARNING}{pattern.id.rpartition('/')[2]}" if pattern.inverted_to else "",
            pinned=maturity.pinned,
            text=format_maturity(maturity),
        )


def short_id(pattern: DecompositionPattern) -> str:
    """The id of a pattern inside its project."""
    name = pattern.id.rpartition("/")[2]
    return name if pattern.kind == "pattern" else f"{WARNING}{name}"


@contextmanager
def open_patterns(project: Project) -> Generator[OpenPatterns]:
    """The patterns of a project, from the state of this machine. Raises StoreError."""
    home = ensure()
    with Database.open(home, PACKAGE, STEPS) as database:
        yield OpenPatterns(home, database, project)
