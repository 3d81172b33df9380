"""What becomes of a candidate: it is a skill now, or it is refused for good."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Annotated, Literal

from pydantic import Field, PlainValidator, WithJsonSchema

from mind_skills.errors import MindSkillsError
from mind_skills.hooks import remember
from mind_skills.learning.skills.lint import Flaw
from mind_skills.output import state
from mind_skills.output.candidates import ReceiptReport, state_of
from mind_skills.output.text import count, path_text
from mind_skills.redaction.personal import redact_personal
from mind_skills.redaction.text import clean
from mind_skills.staging.tables.candidates import Record
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.lint import find_flaws
from mind_skills.tasks.tool_input import Id, ProjectKey, ToolInput

SKILL = "SKILL.md"
REASON = 200
"""Characters of a reason that are kept."""
LONGEST = 4_096
"""Characters of a path: more than any system takes."""


def _check_path(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST:
        raise ValueError(f"it is no path of at most {LONGEST} characters")
    return value


CandidateId = Annotated[Id, Field(description="The candidate's id.")]
Path = Annotated[str, PlainValidator(_check_path), WithJsonSchema({"type": "string"})]
"""Not a text: the bytes of a name need not be UTF-8."""


class AcceptInput(ToolInput):
    """Which candidate has become which skill."""

    id: CandidateId
    skill: Annotated[Path, Field(description="Path of its SKILL.md, or the folder.")]
    project_key: ProjectKey = ""


class DismissInput(ToolInput):
    """Which candidate is refused, and why."""

    id: CandidateId
    reason: Annotated[Id, Field(description="Why, in a few words.")]
    project_key: ProjectKey = ""


def accept(
    arguments: AcceptInput,
    caller: Caller,
    *,
    force: bool = False,
    show_flaws: Callable[[str, Sequence[Flaw]], None] | None = None,
) -> ReceiptReport:
    """Record that a candidate has become a skill. ``show_flaws`` is called with the skill's path and its flaws.

    A path is relative to the working directory of a command line, to the project for an agent. Raises MindSkillsError
    where there is no such skill, or it has errors and ``force`` is not set, StoreError.
    """
    path = _find_skill_file(arguments.skill, caller)
    flaws = find_flaws(path)
    if show_flaws is not None:
        show_flaws(path_text(path), flaws)
    errors = [flaw.code for flaw in flaws if flaw.severity == "error"]
    if errors and not force:
        message = f"the skill has {count(len(errors), 'error')}: {', '.join(dict.fromkeys(errors))}"
        hint = "`mind-skills skills lint` shows them until they are mended; --force accepts it as it is."
        raise MindSkillsError("skill_flawed", message, hint)
    with state.open_ledger() as ledger:
        record = ledger.accept(arguments.id, path, caller.now, caller.project)
        remember.update_accepted(ledger, caller.project, caller.now)
    return _make_receipt("accepted", record)


def dismiss(arguments: DismissInput, caller: Caller) -> ReceiptReport:
    """Refuse a candidate for good. Raises StoreError."""
    why = redact_personal(" ".join(clean(arguments.reason, REASON).split()))
    with state.open_ledger() as ledger:
        record = ledger.dismiss(arguments.id, why, caller.now, caller.project)
        remember.update_accepted(ledger, caller.project, caller.now)
    return _make_receipt("dismissed", record)


def _find_skill_file(named: str, caller: Caller) -> str:
    """The absolute path of the SKILL.md that a path names. Raises MindSkillsError where there is none."""
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


def _make_receipt(done: Literal["accepted", "dismissed"], record: Record) -> ReceiptReport:
    candidate = record.candidate
    where = state_of(record)
    return ReceiptReport(done=done, id=candidate.id, title=candidate.title, state=where, detail=record.detail)
