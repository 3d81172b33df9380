"""`mind-skills patterns`: list the strategies that sessions followed, with their outcomes, and change their states."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal, NamedTuple

import click

from mind_skills.cli import options
from mind_skills.cli.group import ListingGroup
from mind_skills.errors import MindSkillsError
from mind_skills.learning.anti_patterns import WARNING_ID_PREFIX, DecompositionPattern
from mind_skills.learning.credit import Credit, Standing
from mind_skills.learning.maturity import MaturityState, compute_decayed_counts, format_maturity, get_multiplier
from mind_skills.learning.rules import load_rules
from mind_skills.learning.storage import SCHEMA, MaturityStorage
from mind_skills.output import state
from mind_skills.output.text import emit, print_line, print_table
from mind_skills.staging.session_votes import update_advice
from mind_skills.store.database import Database
from mind_skills.store.home import get_state_folder
from mind_skills.store.project import Project

MAX_REASON_CHARACTERS = 200


class PatternRow(NamedTuple):
    """A strategy or a warning. The counts are numbers of sessions; in the decayed counts, older sessions weigh less."""

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
    """The state and the counts behind it, as text."""


@click.group(cls=ListingGroup)
def command() -> None:
    """List the strategies that sessions of a project followed, and change their states.

    The outcome of a session is its vote on each strategy that its plans name. By default, a strategy becomes a warning
    for later sessions once it has at least three votes and at least 60 % of them are harmful. `mind-skills why ID`
    lists the votes on a strategy. Without a command, the list is shown.
    """


@options.subcommand(command, "list", "mind-skills patterns list", "mind-skills patterns list --json")
@options.project_and_json
def list_command(folder: str, as_json: bool) -> None:
    """List the strategies and warnings of a project."""
    with open_patterns(state.resolve_project_option(folder)) as patterns:
        _print_patterns(patterns.project.root, patterns.list_all(state.read_clock()), as_json)


@options.subcommand(command, "reset", "mind-skills patterns reset split-by-feature")
@click.argument("pattern", metavar="ID")
@options.project_and_json
def reset(pattern: str, folder: str, as_json: bool) -> None:
    """Reset a strategy: delete its votes and its warning."""
    _change_state(folder, pattern, as_json, lambda credit, id_, now: credit.reset(id_, now=now))


@options.subcommand(command, "deprecate", 'mind-skills patterns deprecate split-by-feature --reason "we are one team"')
@click.argument("pattern", metavar="ID")
@click.option("--reason", required=True, metavar="R", help="Reason, which is stored for later reference.")
@options.project_and_json
def deprecate(pattern: str, reason: str, folder: str, as_json: bool) -> None:
    """Deprecate a strategy, so that it is not recommended until you reset it."""
    from mind_skills.redaction.personal import redact_personal  # imported here: compiling its expressions is slow
    from mind_skills.redaction.text import clean_text

    cleaned = redact_personal(" ".join(clean_text(reason, MAX_REASON_CHARACTERS).split()))
    if not cleaned:
        raise click.BadParameter("give a short reason; it is stored for later reference", param_hint="'--reason'")
    _change_state(folder, pattern, as_json, lambda credit, id_, now: credit.deprecate(id_, cleaned, now=now))


@options.subcommand(
    command, "pin", "mind-skills patterns pin split-by-feature", "mind-skills patterns pin split-by-feature --off"
)
@click.argument("pattern", metavar="ID")
@click.option("--off", is_flag=True, help="Unpin the strategy, so that votes change its state again.")
@options.project_and_json
def pin(pattern: str, off: bool, folder: str, as_json: bool) -> None:
    """Pin a strategy to its current state, so that later votes do not change it. `mind-skills undo` reverts this."""
    _change_state(folder, pattern, as_json, lambda credit, id_, now: credit.pin(id_, now=now, pinned=not off))


def _change_state(folder: str, pattern: str, as_json: bool, change: Callable[[Credit, str, int], object]) -> None:
    """Apply ``change`` to a strategy, update what is derived from it, and print the new state."""
    now = state.read_clock()
    with open_patterns(state.resolve_project_option(folder)) as patterns:
        pattern_id = patterns.find(pattern.removeprefix(WARNING_ID_PREFIX), now).pattern.id
        change(patterns.credit, pattern_id, now)
        patterns.update_derived(now)
        name = pattern_id.rpartition("/")[2]
        _print_patterns(patterns.project.root, [each for each in patterns.list_all(now) if each.id == name], as_json)


def _print_patterns(project: str, patterns: list[PatternRow], as_json: bool) -> None:
    def render() -> None:
        rows = [(each.id, each.content, f"{each.text}{' pinned' if each.pinned else ''}") for each in patterns]
        if rows:
            print_table("", ("id", "strategy", "state"), rows)
        else:
            print_line(f"No session in {project} has followed a recognised strategy and had a clear outcome yet.")

    emit({"project": project, "patterns": patterns}, as_json, render)


class ProjectPatterns:
    """The strategies and warnings of a project, in an open database."""

    def __init__(self, database: Database, project: Project) -> None:
        self.maturities = MaturityStorage(database)
        self.rules = load_rules(project.root)
        self.credit = Credit(database, self.rules)
        self.project = project

    def list_all(self, now: int) -> list[PatternRow]:
        """Return all warnings, then all strategies, each sorted by state and text. ``now`` is in UTC milliseconds."""
        order = {"proven": 0, "established": 1, "candidate": 2, "deprecated": 3}
        standings = self.credit.list_standings(self.project.id, now=now)
        maturities = {each.pattern.id: each.maturity for each in standings}
        # A warning has no votes of its own; its state is that of the strategy that it warns against.
        standings = [
            replace(each, maturity=maturities.get(each.pattern.id.removeprefix(WARNING_ID_PREFIX), each.maturity))
            for each in standings
        ]
        standings.sort(key=lambda e: (e.pattern.kind == "pattern", order[e.maturity.state], e.pattern.content))
        return [self._make_row(each, now) for each in standings]

    def find(self, pattern_id: str, now: int) -> Standing:
        """Find a strategy or a warning by its full id or its id within the project.

        Votes are decayed to ``now`` (UTC milliseconds). Raises MindSkillsError if there is none.
        """
        for each in self.credit.list_standings(self.project.id, now=now):
            if pattern_id in (each.pattern.id, get_short_id(each.pattern)):
                return each
        raise MindSkillsError(
            "unknown_pattern",
            f"there is no strategy {pattern_id} in {self.project.root}",
            "Run `mind-skills patterns` to list the strategies.",
        )

    def update_derived(self, now: int) -> None:
        """Update the advice that the sessions of the project receive, and the records in the memory. Raises StoreError,
        OSError.
        """
        # Imported here: listing does not need the memory.
        from mind_skills.memory.records import SCHEMA as MEMORY_SCHEMA
        from mind_skills.memory.records import Records
        from mind_skills.staging.memory_records import sync_strategy_records

        update_advice(get_state_folder(), self.project.id, self.credit, now)
        with state.open_database(MEMORY_SCHEMA) as database:
            sync_strategy_records(get_state_folder(), Records(database), self.project, (), "")

    def _make_row(self, standing: Standing, now: int) -> PatternRow:
        pattern, maturity = standing.pattern, standing.maturity
        votes = self.maturities.list_votes(pattern.id.removeprefix(WARNING_ID_PREFIX))
        helpful, harmful = compute_decayed_counts(votes, self.rules.maturity, now=now)
        return PatternRow(
            id=get_short_id(pattern),
            content=pattern.content,
            kind=pattern.kind,
            state=maturity.state,
            multiplier=get_multiplier(maturity.state),
            helpful=maturity.helpful_count,
            harmful=maturity.harmful_count,
            decayed_helpful=round(helpful, 3),
            decayed_harmful=round(harmful, 3),
            last_validated=maturity.last_validated,
            inverted_to=f"{WARNING_ID_PREFIX}{pattern.id.rpartition('/')[2]}" if pattern.inverted_to else "",
            pinned=maturity.pinned,
            text=format_maturity(maturity),
        )


def get_short_id(pattern: DecompositionPattern) -> str:
    """Return the id of a strategy or warning within its project."""
    name = pattern.id.rpartition("/")[2]
    return name if pattern.kind == "pattern" else f"{WARNING_ID_PREFIX}{name}"


@contextmanager
def open_patterns(project: Project) -> Generator[ProjectPatterns]:
    """Open the strategies and warnings of a project, without creating a database. Raises StoreError."""
    with state.open_database(SCHEMA, create=False) as database:
        yield ProjectPatterns(database, project)
