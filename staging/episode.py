"""Summarise a session for the memory. An agent may read it, so what strangers may have written is reduced to typed
facts (digest/facts.py).
"""

from __future__ import annotations

from mind_skills.digest import facts
from mind_skills.digest.rows import get_base_name
from mind_skills.memory.model import Record
from mind_skills.store.project import Project, digest_text

TYPE_CHECKING = False
if TYPE_CHECKING:  # not at run time, because some commands that use this module read no log
    from mind_skills.staging.analyse import Analysis

CLEAR_OUTCOMES = ("helpful", "harmful")
"""Outcomes that are clear enough for a memory record."""
_MAX_SHOWN_REQUEST_LENGTH, _MAX_LISTED_COMMANDS, _MAX_LISTED_FILES, _MAX_LISTED_ERRORS = 300, 8, 12, 5


def build_episode_id(host: str, session_id: str) -> str:
    return f"episode-{digest_text(f'{host}|{session_id}')}"


def make_record(project: Project | None, host: str, session_id: str, analysis: Analysis, at: int) -> Record | None:
    """Build a session's record, dated ``at`` (UTC ms) or earlier; None without a request, a response or a clear outcome."""
    outcome, request = analysis.outcome, analysis.episode.request
    if outcome.type not in CLEAR_OUTCOMES or not request or not analysis.has_replied:
        return None
    return Record(
        id=build_episode_id(host, session_id),
        kind="episode",
        content=analysis.session.secrets.clean(_summarise(analysis)),
        task=request,
        project=project.id if project else "",
        success=outcome.success,
        at=at if outcome.at is None else min(at, outcome.at),
        source=f"{host} {session_id}".strip(),
        taint=",".join(sorted(analysis.episode.taint)),
    )


def _summarise(analysis: Analysis) -> str:
    outcome, commands = analysis.outcome, analysis.episode.commands
    errors = list(dict.fromkeys(filter(None, (facts.classify_error(error.signature) for error in analysis.errors))))
    most_failed = sorted(commands.items(), key=lambda each: -each[1][1])[:_MAX_LISTED_COMMANDS]
    minutes = f", {round(outcome.duration_ms / 60_000)} min" if outcome.at is not None else ""
    parts = [
        ("Asked", collapse_to_line(analysis.episode.request, _MAX_SHOWN_REQUEST_LENGTH)),
        ("Followed", ", ".join(analysis.strategies)),
        ("Changed", describe_files(outcome.files_touched, _MAX_LISTED_FILES)),
        ("Ran", "; ".join(_describe_command(name, *counts) for name, counts in most_failed)),
        ("Errors", "; ".join(errors[:_MAX_LISTED_ERRORS])),
        ("Ended", f"{'well' if outcome.type == 'helpful' else 'badly'}{minutes}, failed calls: {outcome.error_count}"),
    ]
    return "\n".join(f"{name}: {text}" for name, text in parts if text)


def describe_files(paths: tuple[str, ...], limit: int) -> str:
    """Return a phrase with up to ``limit`` well-formed base names; the others are counted."""
    bases = dict.fromkeys(map(get_base_name, paths))
    names = list(dict.fromkeys(name for base in bases if (name := facts.name_file(base))))[:limit]
    more = len(bases) - len(names)
    rest = f"{more} more" if names else f"{more} files" if more > 1 else "a file"
    return " and ".join(filter(None, (", ".join(names), rest if more else "")))


def _describe_command(signature: str, succeeded: int, failed: int) -> str:
    counts = [f"{succeeded} ok" if succeeded else "", f"{failed} failed" if failed else ""]
    return f"{facts.name_program(signature) or 'a command'} ({', '.join(filter(None, counts)) or 'result unknown'})"


def collapse_to_line(text: str, limit: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 3]}..."
