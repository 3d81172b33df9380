"""A session as a record of the memory: what it was asked, what it tried, how it ended.

An agent may be told of it: of what tools printed there are typed tokens in it (staging/tokens.py), and no sentence.
"""

from __future__ import annotations

from mind_skills.memory.model import Record
from mind_skills.staging import tokens
from mind_skills.staging.episode import short
from mind_skills.store.project import Project, digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mind_skills.staging.analyse import Analysis

CLEAR = ("helpful", "harmful")
"""Outcomes that say something of what was tried."""
_ASKED, _COMMANDS, _FILES, _ERRORS = 300, 8, 12, 5
_REASONING = frozenset(
    """a after and approved at before call change changed checked committed complaint did done end error errors fail failed
    failed: handed in interrupted it last log min no not nothing passed pass refused retries retry run s seen succeeded:
    that the times to tool user user's was were with words work""".split()
)
"""The words that an outcome gives its reasons in (learning/success.py); its commands may hold anybody's names."""


def episode_id(host: str, session_id: str) -> str:
    """The id of the episode that a session is."""
    return f"episode-{digest(f'{host}|{session_id}')}"


def episode(project: Project | None, host: str, session_id: str, analysis: Analysis, at: int) -> Record | None:
    """A session as an episode: what it was asked, what it tried, how it ended. None where that is not clear."""
    outcome, asked = analysis.outcome, analysis.episode.asked
    if outcome.type not in CLEAR or not asked or not analysis.replied:
        return None
    return Record(
        id=episode_id(host, session_id),
        kind="episode",
        content=_told(analysis),
        task=asked,
        project=project.id if project else "",
        success=outcome.success,
        at=at if outcome.at is None else min(at, outcome.at),
        source=f"{host} {session_id}".strip(),
        taint=",".join(sorted(analysis.episode.taint)),
    )


def _told(analysis: Analysis) -> str:
    outcome, commands = analysis.outcome, analysis.episode.commands
    errors = list(dict.fromkeys(filter(None, (tokens.typed(met.signature, 120) for met in analysis.errors_met))))
    weightiest = sorted(commands.items(), key=lambda each: -each[1][1])[:_COMMANDS]
    parts = [
        ("Asked", line(analysis.episode.asked, _ASKED)),
        ("Followed", ", ".join(analysis.strategies)),
        ("Changed", short(outcome.files_touched, _FILES)),
        ("Ran", "; ".join(_counted(name, *counts) for name, counts in weightiest)),
        ("Errors", "; ".join(errors[:_ERRORS])),
        ("Ended", f"{'well' if outcome.type == 'helpful' else 'badly'}. {ended(outcome.reasoning)}"),
    ]
    return "\n".join(f"{name}: {text}" for name, text in parts if text)


def ended(reasoning: str) -> str:
    """Why a session is said to have ended so, with its commands in short."""
    return tokens.reason(reasoning, _REASONING, 200)


def _counted(signature: str, well: int, failed: int) -> str:
    counts = [f"{well} ok" if well else "", f"{failed} failed" if failed else ""]
    return f"{tokens.command(signature, 100) or 'a command'} ({', '.join(filter(None, counts)) or 'not known'})"


def line(text: str, limit: int) -> str:
    """``text`` in one line of at most ``limit`` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 3]}..."
