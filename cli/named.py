"""What an ID of `mind-skills why` is: a candidate, a strategy, a skill or a detector. The one place that decides it.

Something that is called exactly so comes before what only begins so. Where it could be several, the error names them, and
``KIND:ID`` says which is meant.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, get_args

from mind_skills.cli.open_patterns import OpenPatterns, short
from mind_skills.cli.skill_report import StandingReport
from mind_skills.detectors.model import FindingKind
from mind_skills.errors import MindSkillsError
from mind_skills.errors.records import AmbiguousIdError, OtherProjectError, UnknownIdError
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import Project

CRITERIA: tuple[str, ...] = get_args(FindingKind)
"""The kinds of candidates, each of which is weighed by what was decided about it."""

Kind = Literal["candidate", "pattern", "skill", "criterion"]
KINDS: tuple[Kind, ...] = ("candidate", "pattern", "skill", "criterion")
CHOICES = 6
"""So many choices an error names."""


class Named(NamedTuple):
    """What is meant. ``id`` is a candidate's id, a strategy's in its project, a skill's path or name, a detector's name."""

    kind: Kind
    id: str
    exact: bool


def meant(
    text: str,
    ledger: Ledger,
    patterns: OpenPatterns,
    skills: Sequence[StandingReport],
    place: Project,
) -> Named:
    """What ``text`` means in the project at ``place``; ``skills`` are those that it knows.

    Raises MindSkillsError: ``unknown_id``, or ``ambiguous_id`` with the choices; OtherProjectError.
    """
    kind, colon, rest = text.partition(":")
    kinds: tuple[Kind, ...] = tuple(each for each in KINDS if colon and each == kind) or KINDS
    wanted = rest if colon and kinds != KINDS else text
    found: list[Named] = []
    elsewhere: OtherProjectError | None = None
    if "candidate" in kinds:
        try:
            found += _candidates(wanted, ledger, place)
        except OtherProjectError as error:
            elsewhere = error
    if "pattern" in kinds:
        found += _patterns(wanted, patterns)
    if "criterion" in kinds:
        found += [Named("criterion", name, True) for name in CRITERIA if name == wanted.replace("-", "_")]
    if "skill" in kinds:
        found += _skills(wanted, skills)
    found = [each for each in found if each.exact] or found
    if not found and elsewhere is not None:
        raise elsewhere
    if not found:
        kinds_said = "candidate, strategy, skill or detector" if kinds == KINDS else kinds[0]
        hint = "`mind-skills pending`, `mind-skills patterns`, `mind-skills skills` and `mind-skills status` name them."
        near = _near(wanted, patterns, skills)
        asked = f"Did you mean {near}? " if near else ""
        raise MindSkillsError("unknown_id", f"there is no {kinds_said} {wanted[:80]}", asked + hint)
    if len(found) > 1:
        choices = [f"{each.kind}:{each.id}" for each in found]
        raise MindSkillsError(
            "ambiguous_id",
            f"{wanted[:80]} could be {len(found)} things: {', '.join(choices[:CHOICES])}",
            f"Say which one, as in `mind-skills why {choices[0]}`.",
        )
    return found[0]


def _near(wanted: str, patterns: OpenPatterns, skills: Sequence[StandingReport]) -> str:
    """The name that ``wanted`` is most like; empty where none is. Ids of candidates are no words, and not guessed."""
    from difflib import get_close_matches

    strategies = [short(each.pattern) for each in patterns.credit.standings(patterns.project.id)]
    names = [*strategies, *(each.name for each in skills), *CRITERIA]
    return next(iter(get_close_matches(wanted[:80], names, n=1)), "")


def _candidates(wanted: str, ledger: Ledger, place: Project) -> list[Named]:
    try:
        id_ = ledger.find_candidate(wanted, place).candidate.id
    except UnknownIdError:
        return []
    except AmbiguousIdError as error:
        return [Named("candidate", id_, False) for id_ in dict.fromkeys(error.ids)]
    return [Named("candidate", id_, wanted in (id_, id_.removeprefix("sc_")))]


def _patterns(wanted: str, patterns: OpenPatterns) -> list[Named]:
    names = [short(each.pattern) for each in patterns.credit.standings(patterns.project.id)]
    exact = [Named("pattern", name, True) for name in names if name == wanted]
    return exact or [Named("pattern", name, False) for name in names if wanted and name.startswith(wanted)]


def _skills(wanted: str, skills: Iterable[StandingReport]) -> list[Named]:
    path = os.path.abspath(os.path.expanduser(wanted)) if os.sep in wanted else wanted
    return [
        Named("skill", each.path or each.name, True)
        for each in skills
        if wanted == each.name or path in (each.path, os.path.dirname(each.path)) or wanted == each.path
    ]
