"""The caller of a tool: who called it, in which project and session, and when."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mind_skills.errors import MindSkillsError
from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.output import state
from mind_skills.output.state import resolve_project_option
from mind_skills.plugin.host_process import list_ancestors
from mind_skills.store import processes
from mind_skills.store.project import Project

if TYPE_CHECKING:
    from mind_skills.learning.storage import Reporter
    from mind_skills.staging.tables.sessions import ReportedSession

SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
"""Environment variable with which Claude Code passes the session id to the programs that its agent starts."""
AGENT_VARIABLES = (SESSION_VARIABLE, "CLAUDECODE", "CODEX_THREAD_ID", "GEMINI_CLI", "OPENCODE")
"""Environment variables that hosts set for the programs that their agents start."""


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
    """Return the caller of a command: a user, or an agent; ``folder`` is --project. Raises StoreError, MindSkillsError."""
    project = resolve_project_option(folder)
    session, conversation = _find_session(project)
    return Caller(
        "agent" if conversation else "user", "command line", project, session, conversation, state.read_clock()
    )


def refuse_agents(project: Project) -> None:
    """Raise MindSkillsError if an agent ran the command. Raises StoreError."""
    if _find_session(project)[1]:
        message = "this command is for a person, not for an agent"
        raise MindSkillsError("for_a_person", message, "Run it yourself, in your own terminal.")


def make_agent_caller(project: Project, connection: str) -> Caller:
    """Return the agent connected under the name ``connection``, with its session if recognised. Raises StoreError."""
    session, _ = _find_session(project)
    return Caller("agent", "mcp", project, session, session or connection, state.read_clock())


def _find_session(project: Project) -> tuple[str, str]:
    """Return the id of the session whose agent started this process, and what its plans and decisions are stored under.

    The id is empty if several sessions of the project run in the host, or none does; both are empty if no agent did.
    """
    if session_id := os.environ.get(SESSION_VARIABLE, ""):
        return session_id, session_id
    sessions = _list_host_sessions()
    session_ids = [session.session_id for session in sessions if session.project.id == project.id]
    if len(session_ids) == 1:
        return session_ids[0], session_ids[0]
    if sessions:
        return "", sessions[0].session_id
    return "", next((f"agent of {name}" for name in AGENT_VARIABLES if os.environ.get(name)), "")


def _list_host_sessions() -> list[ReportedSession]:
    """List the unfinished sessions, of all projects, that run in the nearest process above this one that has any."""
    ancestors = [processes.describe_process(pid) for pid in list_ancestors()]
    if not ancestors:
        return []
    with state.open_ledger(create=False) as ledger:
        sessions_by_process: dict[str, list[ReportedSession]] = {}
        for session in ledger.list_unfinished():
            process = SessionMarkers(ledger.home, session.session_id).running.read()
            sessions_by_process.setdefault(process, []).append(session)
    nothing: list[ReportedSession] = []
    return next((sessions_by_process[each] for each in ancestors if each in sessions_by_process), nothing)
