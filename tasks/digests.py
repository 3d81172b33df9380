"""The tools with which an agent reads digests: `show` for candidates that it was told of, `distil` for the best of the last weeks."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Annotated

from pydantic import Field

from mind_skills.errors import MindSkillsError
from mind_skills.output import state
from mind_skills.output.digests import BestReport, DigestsReport, show_digests, show_lines
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.tool_input import Id, Line, ProjectKey, ToolInput

MAX_IDS = 10
DISTIL_TIMEOUT_SECONDS = 600


class ShowInput(ToolInput):
    """Candidates, or lines of the log of the first one's session."""

    ids: Annotated[list[Id], Field(min_length=1, max_length=MAX_IDS, description="Ids of candidates.")]
    lines: Annotated[Line, Field(description="Lines of the log to look at instead, as 120-180.")] = ""
    project_key: ProjectKey = ""


class DistilInput(ToolInput):
    """A period, and about how many tokens to return."""

    since: Annotated[Line, Field(description="A period such as 30d, or a date. Default: 30d.")] = ""
    budget: Annotated[int, Field(ge=1_000, le=100_000)] = 6_000
    project_key: ProjectKey = ""


def show(arguments: ShowInput, caller: Caller) -> DigestsReport:
    """Return digests, or a part of a log. Raises StagingError, StoreError, MindSkillsError, LogError."""
    with state.open_ledger(create=False) as ledger:
        if arguments.lines:
            return show_lines(ledger, caller.project, arguments.ids[0], arguments.lines)
        return show_digests(ledger, caller.project, arguments.ids)


def distil(arguments: DistilInput, caller: Caller) -> BestReport:
    """Read the logs of the project that were not read yet, and return the best digests. Raises MindSkillsError."""
    command = [
        sys.executable,
        "-m",
        "mind_skills.plugin.console",
        "distil",
        "--json",
        "--budget",
        str(arguments.budget),
    ]
    command += ["--project", caller.project.root, *(["--since", arguments.since] if arguments.since else [])]
    try:
        done = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=DISTIL_TIMEOUT_SECONDS, check=False
        )
        document = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as failure:
        hint = "Run `mind-skills distil` in a shell."
        raise MindSkillsError("distil_failed", "the logs could not be read", hint) from failure
    if "error" in document:
        error = document["error"]
        raise MindSkillsError(error["code"], error["message"], error["hint"])
    return BestReport.from_values(document)
