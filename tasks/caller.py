"""The caller of a tool: who called it, in which project and session, and when."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mind_skills.errors import MindSkillsError
from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.output import state
from mind_skills.output.state import resolve_project_option
from mind_skills.plugin.host_process import find_host_process
from mind_skills.store import processes
from mind_skills.store.project import Project

if TYPE_CHECKING:
    from mind_skills.learning.storage import Reporter
    from mind_skills.staging.tables.sessions import ReportedSession

SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
"""Environment variable with which Claude Code passes the session id to the programs that its agent starts."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who called a tool, and from where."""

    kind: Reporter
    source: str
    project: Project
    session: str
    conversation: str
    now: int


def make_shell_caller(folder: str) -> Caller:
    """Return the caller of a command: a user, or the agent of a recognised session; ``folder`` is --project. Raises
    StoreError, MindSkillsError.
    """
    project = resolve_project_option(folder)
    session = _find_session(project)
    return Caller("agent" if session else "user", "command line", project, session, session, state.read_clock())


def refuse_agents(project: Project) -> None:
    """Raise MindSkillsError if the command was run by the agent of a recognised session. Raises StoreError."""
    if _find_session(project):
        message = "this command is for a person, not for an agent"
        raise MindSkillsError("for_a_person", message, "Run it yourself, in your own terminal.")


def make_agent_caller(project: Project, connection: str) -> Caller:
    """Return the agent connected under the name ``connection``, with its session if recognised. Raises StoreError."""
    session = _find_session(project)
    return Caller("agent", "mcp", project, session, session or connection, state.read_clock())


def _find_session(project: Project) -> str:
    """Return the id of the session whose host started this process; empty if there is no such session, or more than one."""
    if session_id := os.environ.get(SESSION_VARIABLE, ""):
        return session_id
    session_ids = [session.session_id for session in _list_host_sessions() if session.project.id == project.id]
    return session_ids[0] if len(session_ids) == 1 else ""


def _list_host_sessions() -> list[ReportedSession]:
    """List the unfinished sessions, of all projects, that run in the process which started this one."""
    pid = find_host_process()
    if not pid:
        return []
    process = processes.describe_process(pid)
    with state.open_ledger(create=False) as ledger:
        return [
            session
            for session in ledger.list_unfinished()
            if SessionMarkers(ledger.home, session.session_id).running.read() == process
        ]
