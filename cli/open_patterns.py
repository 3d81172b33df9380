"""The patterns of a project: opened, put into words, and the advice made anew after a change by hand."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

from mind_skills.cli.pattern_report import PatternReport
from mind_skills.errors import MindSkillsError
from mind_skills.hooks.credit import advise
from mind_skills.learning.anti_patterns import WARNING, DecompositionPattern
from mind_skills.learning.credit import Credit, Standing
from mind_skills.learning.maturity import decayed_counts, format_maturity, multiplier
from mind_skills.learning.rules import rules_of
from mind_skills.learning.storage import PACKAGE, STEPS, MaturityStorage
from mind_skills.store.database import Database
from mind_skills.store.home import ensure
from mind_skills.store.project import Project


class OpenPatterns:
    """The patterns of one project, over an open database."""

    def __init__(self, home: str, database: Database, project: Project) -> None:
        self.maturities = MaturityStorage(database)
        self.rules = rules_of(project.root)
        self.credit = Credit(database, self.rules)
        self.project, self._home = project, home

    def listed(self, now: int) -> list[PatternReport]:
        """Every pattern of the project, warnings first, then by state and name; ``now`` is UTC milliseconds."""
        order = {"proven": 0, "established": 1, "candidate": 2, "deprecated": 3}
        found = self.credit.standings(self.project.id, now=now)
        stands = {each.pattern.id: each.maturity for each in found}
        found = [
            replace(each, maturity=stands.get(each.pattern.id.removeprefix(WARNING), each.maturity)) for each in found
        ]
        found.sort(key=lambda e: (e.pattern.kind == "pattern", order[e.maturity.state], e.pattern.content))
        return [self._report(each, now) for each in found]

    def named(self, pattern_id: str, now: int | None = None) -> Standing:
        """The pattern whose id is this, or ends so behind the project; ``now`` as in learning/credit.py.

        Raises MindSkillsError.
        """
        for each in self.credit.standings(self.project.id, now=now):
            if pattern_id in (each.pattern.id, short(each.pattern)):
                return each
        raise MindSkillsError(
            "unknown_pattern",
            f"there is no strategy {pattern_id} in {self.project.root}",
            "`mind-skills patterns` lists those that sessions have followed.",
        )

    def changed(self, now: int) -> None:
        """Make the project's advice ready anew. Raises StoreError, OSError."""
        advise(self._home, self.project.id, self.credit, now)

    def _report(self, standing: Standing, now: int) -> PatternReport:
        """A warning has no votes of its own: it stands where the strategy stands that it was made of."""
        pattern, maturity = standing.pattern, standing.maturity
        of = pattern.id.removeprefix(WARNING)
        helpful, harmful = decayed_counts(self.maturities.feedback(of), self.rules.maturity, now=now)
        return PatternReport(
            id=short(pattern),
            content=pattern.content,
            kind=pattern.kind,
            state=maturity.state,
            multiplier=multiplier(maturity.state),
            helpful=pattern.success_count,
            harmful=pattern.failure_count,
            decayed_helpful=round(helpful, 3),
            decayed_harmful=round(harmful, 3),
            last_validated=maturity.last_validated,
            inverted_to=f"anti-{pattern.id.rpartition('/')[2]}" if pattern.inverted_to else "",
            pinned=maturity.pinned,
            text=format_maturity(maturity),
        )


def short(pattern: DecompositionPattern) -> str:
    """The id of a pattern inside its project."""
    name = pattern.id.rpartition("/")[2]
    return name if pattern.kind == "pattern" else f"{WARNING}{name}"


@contextmanager
def opened(project: Project) -> Generator[OpenPatterns]:
    """The patterns of a project, from the state of this machine. Raises StoreError."""
    home = ensure()
    with Database.open(home, PACKAGE, STEPS) as database:
        yield OpenPatterns(home, database, project)
