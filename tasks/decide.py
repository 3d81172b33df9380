"""What becomes of a candidate: it is a skill now, or it is refused for good."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Annotated

from pydantic import Field, PlainValidator, WithJsonSchema

from mind_skills.errors import MindSkillsError
from mind_skills.hooks import remember
from mind_skills.output import state
from mind_skills.output.text import count, path_text
from mind_skills.redaction.personal import redact_personal
from mind_skills.redaction.text import clean
from mind_skills.staging.records import Record
from mind_skills.tasks import linting
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.given import Given, Id, Line
from mind_skills.tasks.lint_report import FlawReport, SkillReport

SKILL = "SKILL.md"
REASON = 200
"""Characters of a reason that are kept."""
LONGEST = 4_096
"""Characters of a path: more than any system takes."""
Tell = Callable[[SkillReport], None]


def _path(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST:
        raise ValueError(f"it is no path of at most {LONGEST} characters")
    return value


Path = Annotated[str, PlainValidator(_path), WithJsonSchema({"type": "string"})]
"""Not a text: the bytes of a name need not be UTF-8."""


class AcceptInput(Given):
    """Which candidate has become which skill."""

    id: Annotated[Id, Field(description="The candidate's id.")]
    skill: Annotated[Path, Field(description="Path of its SKILL.md, or the folder.")]
    project_key: Annotated[Line, Field(description="The project's folder, if it is not the current one.")] = ""


class DismissInput(Given):
    """Which candidate is refused, and why."""

    id: Annotated[Id, Field(description="The candidate's id.")]
    reason: Annotated[Id, Field(description="Why, in a few words.")]
    project_key: Annotated[Line, Field(description="The project's folder, if it is not the current one.")] = ""


def _nothing(report: SkillReport) -> None:
    """Nobody is there to be told."""


def accept(given: AcceptInput, caller: Caller, *, force: bool = False, tell: Tell = _nothing) -> Record:
    """Record that a candidate has become a skill. ``tell`` hears what is wrong with the skill.

    A path is relative to the working directory for who types it, to the project for an agent. Raises MindSkillsError
    where there is no such skill, or it has errors and ``force`` is not set, StoreError.
    """
    path = _skill_file(given.skill, caller)
    _check(path, tell, force=force)
    with state.open_ledger() as ledger:
        record = ledger.accept(given.id, path, caller.now, caller.project)
        remember.accepted(ledger, caller.project, caller.now)
        return record


def dismiss(given: DismissInput, caller: Caller) -> Record:
    """Refuse a candidate for good. Raises StoreError."""
    why = redact_personal(" ".join(clean(given.reason, REASON).split()))
    with state.open_ledger() as ledger:
        record = ledger.dismiss(given.id, why, caller.now, caller.project)
        remember.accepted(ledger, caller.project, caller.now)
        return record


def _check(path: str, tell: Tell, *, force: bool) -> None:
    report = linting.report([(path, linting.flaws(path))])
    for each in report.skills:
        tell(each)
    if report.totals.errors and not force:
        message = f"the skill has {count(report.totals.errors, 'error')}: {', '.join(_codes(report.skills[0].flaws))}"
        hint = "`mind-skills skills lint` shows them until they are mended; --force accepts it as it is."
        raise MindSkillsError("skill_flawed", message, hint)


def _codes(flaws: Sequence[FlawReport]) -> list[str]:
    return list(dict.fromkeys(flaw.code for flaw in flaws if flaw.severity == "error"))


def _skill_file(named: str, caller: Caller) -> str:
    """The absolute path of the SKILL.md that is meant. Raises MindSkillsError where there is none."""
    path = os.path.expanduser(named)
    path = os.path.abspath(os.path.join(caller.project.root, path) if caller.source == "mcp" else path)
    try:
        if os.path.isdir(path):
            path = os.path.join(path, SKILL)
        found = os.path.basename(path) == SKILL and os.path.isfile(path)
    except ValueError:  # a null byte
        found = False
    if not found:
        hint = "Name the SKILL.md, or the folder that it is in."
        raise MindSkillsError("skill_missing", f"there is no skill at {clean(path_text(named), REASON)}", hint)
    return path
