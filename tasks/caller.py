"""Who asks, where, and when: what every tool is told beside its arguments."""

from __future__ import annotations

import os
from dataclasses import dataclass

from mind_skills.errors import MindSkillsError
from mind_skills.hooks import processes
from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.learning.tasks import SaidBy
from mind_skills.output import state
from mind_skills.output.state import choose_project
from mind_skills.plugin.parent import find_host_process
from mind_skills.staging.ledger import Ledger
from mind_skills.store.home import ensure
from mind_skills.store.project import Project

SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
"""By which Claude Code tells the programs that it starts for its agent which session they belong to."""


@dataclass(frozen=True, slots=True)
class Caller:
    """``kind`` says how far what is said can be trusted, ``source`` through which door it came.

    ``session`` is the host's session, empty where it is not known; ``conversation`` is that or else one connection of a
    client, so that what is planned in it and what is completed in it belong together. ``now`` is UTC milliseconds.
    """

    kind: SaidBy
    source: str
    project: Project
    session: str
    conversation: str
    now: int


def make_shell_caller(project: str) -> Caller:
    """Whoever types a command: a person, or the agent of a session that is known to be an agent's.

    Raises MindSkillsError where ``project`` is not a folder, StoreError.
    """
    place = choose_project(project)
    session = _find_session(place)
    return Caller("agent" if session else "user", "command line", place, session, session, state.now())


def refuse_agents(place: Project) -> None:
    """Raise MindSkillsError where the command was typed by an agent, as far as that is known; StoreError."""
    if _find_session(place):
        message = "an agent cannot say this: it is for a person"
        raise MindSkillsError("for_a_person", message, "Type it yourself, in a terminal of your own.")


def make_agent_caller(place: Project, connection: str) -> Caller:
    """The agent at the other end of a ``connection``, in the session that its host is running, where that is known.

    Raises StoreError.
    """
    session = _find_session(place)
    return Caller("agent", "mcp", place, session, session or connection, state.now())


def _find_session(place: Project) -> str:
    """The session of the host that started this process; empty where there is none, or more than one."""
    if named := os.environ.get(SESSION_VARIABLE, ""):
        return named
    pid = find_host_process()
    if not pid:
        return ""
    home, words = ensure(), processes.describe_process(pid)
    with Ledger.open(home) as ledger:
        found = [
            seen.session_id
            for seen in ledger.list_unfinished()
            if seen.project.id == place.id and SessionMarkers(home, seen.session_id).running.read() == words
        ]
    return found[0] if len(found) == 1 else ""
