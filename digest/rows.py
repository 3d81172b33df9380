"""Rows: one observation as a reader of a digest sees it.

A row begins with its line in the log (``123``, or ``123>125`` with the line of the result), then its author (user, agent,
subagent) or the tool's action, the outcome, and what tells most of it. Further lines of a row begin with a bar. The output of a call
is shown only if it is local (observations/sources.py): of others, only command and outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mind_skills.detectors.noise import is_protocol_error
from mind_skills.digest.excerpts import (
    excerpt_change,
    excerpt_command,
    excerpt_end,
    excerpt_failure,
    excerpt_message,
)
from mind_skills.observations.model import Observation, estimate_length

CONTINUATION = "\n  | "


class Widths(NamedTuple):
    """Maximum number of characters of each part of a row."""

    user: int = 190
    agent: int = 180
    command: int = 160
    failure: int = 220
    success: int = 100
    change: int = 190


WIDTHS = Widths()
"""Widths of a digest. Between 110 and 300 characters each, what a reader can see hardly changes (docs/detection.md)."""
_PLANNING_TOOLS = frozenset(
    """TodoWrite todowrite update_plan write_todos Task ToolSearch Skill AskUserQuestion ExitPlanMode EnterPlanMode
    TaskCreate TaskUpdate TaskList TaskOutput""".split()
)
_MAX_FILES = 4


def is_dull(observation: Observation) -> bool:
    """Return whether an observation has no row: an empty message, a plain read or search, a plan, a slip in the use of a host's tool."""
    if observation.agent == "host":
        return True
    if observation.kind != "tool":
        return not estimate_length(observation) and observation.outcome != "aborted"
    if observation.tool in _PLANNING_TOOLS:
        return True
    if observation.action in ("read", "search"):
        return True
    return (
        observation.outcome == "failed" and observation.action in ("edit", "write") and is_protocol_error(observation)
    )


def render_row(observation: Observation, widths: Widths = WIDTHS, clean: Callable[[str], str] = str) -> str:
    """Return the text of a row. Pure: the same observation gives the same text. ``clean`` is applied to each text before it is cut."""
    number = f"{observation.line}"
    if observation.end_line not in (0, observation.line):
        number += f">{observation.end_line}"
    is_main = observation.agent == "main"
    if observation.kind == "tool":
        return CONTINUATION.join(
            _list_call_lines(f"{number}{'' if is_main else ' subagent'}", observation, widths, clean)
        )
    if observation.kind == "user":
        author, width = "user" if is_main else "prompt of a subagent", widths.user
        if observation.outcome == "aborted":
            return f"{number} {author} interrupted"
    else:
        author, width = "agent" if is_main else "subagent", widths.agent
    return f"{number} {author}: {excerpt_message(clean(observation.text), width)}"


def _list_call_lines(prefix: str, observation: Observation, widths: Widths, clean: Callable[[str], str]) -> list[str]:
    status: str = observation.outcome
    is_local = observation.source in ("local", "agent")
    if status == "failed" and observation.exit_code not in (None, 0, 1):
        status += f" ({observation.exit_code})"
    names = ", ".join(dict.fromkeys(flatten(clean(get_base_name(name))) for name in observation.files[:_MAX_FILES]))
    if observation.action in ("edit", "write") and names:
        head = [f"{prefix} {observation.action} {names}: {status}"]
        if observation.outcome == "failed":
            return head + (
                excerpt_failure(clean(observation.text), clean(observation.error), widths.success) if is_local else []
            )
        return head + excerpt_change(clean(observation.change), widths.change)
    tool = flatten(observation.tool)
    verb = tool if observation.action == "other" else observation.action
    command = excerpt_command(clean(observation.command), widths.command) or [names or tool]
    head = (
        [f"{prefix} {verb} {command[0]}: {status}"] if len(command) == 1 else [f"{prefix} {verb}: {status}", *command]
    )
    if not is_local:
        head[0] += f" (output of {observation.source} not shown)"
        return head
    if observation.outcome == "failed" or observation.error:
        return head + excerpt_failure(clean(observation.text), clean(observation.error), widths.failure)
    return head + excerpt_end(clean(observation.text), widths.success) if observation.action == "run" else head


def flatten(name: str) -> str:
    """Return a name on one line: that of a file, a tool or a skill can contain any sign."""
    return " ".join(name.split())


def get_base_name(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]
