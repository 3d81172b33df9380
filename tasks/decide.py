"""Decisions on candidates: accepting one that has become a skill, or dismissing one permanently."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Annotated, Literal

from pydantic import Field, PlainValidator, WithJsonSchema

from mind_skills.errors import MindSkillsError
from mind_skills.learning.skills.files import FILE_NAME
from mind_skills.learning.skills.flaws import find_flaws
from mind_skills.learning.skills.lint import LintProblem
from mind_skills.output import state
from mind_skills.output.candidates import ReceiptReport, get_state
from mind_skills.output.text import format_count, format_path
from mind_skills.redaction.personal import redact_personal
from mind_skills.redaction.text import clean_text
from mind_skills.staging import memory_records
from mind_skills.staging.skill_check import record_check
from mind_skills.staging.tables.candidates import StoredCandidate
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.tool_input import Id, ProjectKey, ToolInput

MAX_REASON_LENGTH = 200
MAX_PATH_LENGTH = 4_096
"""Maximum length of a path in characters; no system allows more."""


def _check_path(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_PATH_LENGTH:
        raise ValueError(f"should be a path of at most {MAX_PATH_LENGTH} characters")
    return value


CandidateId = Annotated[Id, Field(description="The candidate's id.")]
Path = Annotated[str, PlainValidator(_check_path), WithJsonSchema({"type": "string"})]
"""Not cleaned like ``Text``: a file name need not be valid UTF-8."""


class AcceptInput(ToolInput):
    """A candidate, and the skill that it has become."""

    id: CandidateId
    skill: Annotated[Path, Field(description="Path of the SKILL.md, or of its folder.")]
    project_key: ProjectKey = ""


class DismissInput(ToolInput):
    """A candidate to dismiss, and the reason."""

    id: CandidateId
    reason: Annotated[Id, Field(description="Why, in a few words.")]
    project_key: ProjectKey = ""


def accept(
    arguments: AcceptInput,
    caller: Caller,
    *,
    force: bool = False,
    show_flaws: Callable[[str, Sequence[LintProblem]], None] | None = None,
) -> ReceiptReport:
    """Record that a candidate has become a skill, by default at a path relative to the project over MCP. Raises
    MindSkillsError if there is none, or it has errors and no ``force``; StagingError, StoreError.
    """
    path = _find_skill_file(arguments.skill, caller)
    flaws = find_flaws(path)
    if show_flaws is not None:
        show_flaws(format_path(path), flaws)
    errors = [flaw.code for flaw in flaws if flaw.severity == "error"]
    if errors and not force:
        message = f"the skill has {format_count(len(errors), 'error')}: {', '.join(dict.fromkeys(errors))}"
        hint = "`mind-skills skills lint` lists them; `mind-skills accept --force` accepts the skill as it is."
        raise MindSkillsError("skill_flawed", message, hint)
    with state.open_ledger(create=False) as ledger:
        record = ledger.accept(arguments.id, path, caller.now, caller.project)
        check = record_check(ledger, record, caller.project.root, caller.now, caller.session)
        memory_records.sync_accepted_records(ledger, caller.project, caller.now)
    return _make_receipt("accepted", record, check.problems)


def dismiss(arguments: DismissInput, caller: Caller) -> ReceiptReport:
    """Permanently dismiss a candidate. Raises StagingError, StoreError."""
    reason = redact_personal(" ".join(clean_text(arguments.reason, MAX_REASON_LENGTH).split()))
    with state.open_ledger(create=False) as ledger:
        session_id = caller.conversation if caller.kind == "agent" else ""
        record = ledger.dismiss(arguments.id, reason, caller.now, caller.project, session_id)
        memory_records.sync_accepted_records(ledger, caller.project, caller.now)
    return _make_receipt("dismissed", record)


def _find_skill_file(given_path: str, caller: Caller) -> str:
    """Return the absolute path of the SKILL.md at ``given_path``. Raises MindSkillsError if there is none."""
    path = os.path.expanduser(given_path)
    path = os.path.abspath(os.path.join(caller.project.root, path) if caller.source == "mcp" else path)
    try:
        if os.path.isdir(path):
            path = os.path.join(path, FILE_NAME)
        exists = os.path.basename(path) == FILE_NAME and os.path.isfile(path)
    except ValueError:  # a null byte
        exists = False
    if not exists:
        hint = "Give the path of the SKILL.md or of its folder."
        raise MindSkillsError(
            "skill_missing", f"there is no skill at {clean_text(format_path(given_path), MAX_REASON_LENGTH)}", hint
        )
    return path


def _make_receipt(
    decision: Literal["accepted", "dismissed"], record: StoredCandidate, problems: Sequence[str] = ()
) -> ReceiptReport:
    candidate = record.candidate
    return ReceiptReport(
        done=decision,
        id=candidate.id,
        title=candidate.title,
        state=get_state(record),
        detail=record.detail,
        problems=list(problems),
    )
