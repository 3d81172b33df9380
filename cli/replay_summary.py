"""The best distinct learnings of the sessions that were replayed, as text and as a page."""

from __future__ import annotations

import os
import shlex
from base64 import b64encode
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import NamedTuple

from mind_skills.digest.session import format_date
from mind_skills.errors import BusyDatabaseError
from mind_skills.errors.records import AmbiguousIdError, OtherProjectError, UnknownIdError
from mind_skills.observations.find_logs import FoundLogs, Log, find_logs, is_subagent_log
from mind_skills.observations.readers import opencode_db
from mind_skills.output import state
from mind_skills.output.candidates import describe_trust, list_rows
from mind_skills.output.text import (
    format_count,
    get_terminal_width,
    is_interactive,
    print_heading,
    print_line,
    print_wrapped,
    strip_control_characters,
)
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate, merge_candidates
from mind_skills.store.database import DATABASE_NAME
from mind_skills.store.home import get_state_folder
from mind_skills.store.project import Project
from mind_skills.watch.watched_files import list_compressed_logs, list_roots, list_snapshots

MAX_LOGS = 5_000
"""Maximum number of sessions to read from a period, newest first. Each takes a few kilobytes of memory."""
MAX_LEARNINGS = 10
LOCK_TIMEOUT_SECONDS = 1.0
"""Maximum time to wait for processes that lock our own database, which only shortens the commands of learnings."""
MAX_UNREADABLE = 3
_FUTURE = 1 << 62
MAX_WIDTH, INDENT = 120, 4


class Histories(NamedTuple):
    """The logs to read, newest first, and how many were left out: ``older`` than the period, ``beyond`` ``MAX_LOGS``."""

    sources: FoundLogs
    older: int
    beyond: int


def find_histories(since: int) -> Histories:
    """Find the logs of all hosts that changed at ``since`` (UTC milliseconds) or later.

    The folders depend on the host specs and the environment. Logs of other users are ignored. Problems with single logs
    are part of the result; HomeError is raised if the state folder is unusable.
    """
    dated_paths: list[tuple[int, str]] = []
    older = 0
    for root in list_roots(get_state_folder()):
        if root.host == "spool":
            continue  # events from hooks; the logs of the hosts are read instead
        for item, _, changed in list_snapshots(root):
            at = int(changed * 1000)
            if is_subagent_log(Path(item.path)):
                continue
            if at < since:
                older += 1
            elif item.kind == "database":
                sessions, older_sessions = _list_database(Path(item.path), since, at)
                dated_paths += sessions
                older += older_sessions
            else:
                dated_paths.append((at, item.path))
    dated_paths.sort(key=lambda each: (-each[0], each[1]))
    sources = find_logs(path for _, path in dated_paths[:MAX_LOGS])
    sources.compressed = list_compressed_logs(get_state_folder(), since)
    return Histories(sources, older, max(0, len(dated_paths) - MAX_LOGS))


def _list_database(path: Path, since: int, changed: int) -> tuple[list[tuple[int, str]], int]:
    """Return the sessions of a database that changed at ``since`` or later, as (time, path), and the number of others."""
    try:
        all_sessions = opencode_db.list_changed_sessions(path, 0, MAX_LOGS)
    except OSError:  # its reader will report the error
        return [(changed, str(path))], 0
    recent_sessions = [(at, f"{path}?session={name}") for name, _, at in all_sessions if at >= since]
    return recent_sessions, len(all_sessions) - len(recent_sessions)


def keep_recent(sources: FoundLogs, since: int) -> Histories:
    """Limit ``sources`` to the logs that changed at ``since`` (UTC ms) or later, at most ``MAX_LOGS``, newest first."""
    databases: dict[Path, dict[str, int]] = {}
    dated_logs = sorted(
        ((_get_change_time(log, databases), log) for log in sources.logs), key=lambda each: (-each[0], each[1])
    )
    recent_logs = [log for at, log in dated_logs if at >= since]
    older = len(sources.logs) - len(recent_logs)
    sources.logs = recent_logs[:MAX_LOGS]
    return Histories(sources, older, max(0, len(recent_logs) - MAX_LOGS))


def _get_change_time(log: Log, databases: dict[Path, dict[str, int]]) -> int:
    """Return when a log last changed (UTC ms), or ``_FUTURE`` if it cannot be read, so that its error is reported."""
    file, session = opencode_db.split_path(log.path)
    try:
        if not session:
            return file.stat().st_mtime_ns // 1_000_000
        if file not in databases:
            databases[file] = {name: at for name, _, at in opencode_db.list_changed_sessions(file, 0, MAX_LOGS)}
        return databases[file].get(session, 0)
    except OSError:
        return _FUTURE


# -- selection of learnings ----------------------------------------------------------------------------------------------


class ReplayedSession(NamedTuple):
    """A session that was read: its log, its project folder (may be empty) and its candidates to offer."""

    log: str
    project: str
    candidates: tuple[Candidate, ...]
    is_copy: bool = False


class Learning(NamedTuple):
    """The texts that describe a learning, and the command that shows it."""

    title: str
    rows: list[tuple[str, str]]
    origin: str
    trust: str
    command: str


class Summary(NamedTuple):
    """The result of a replay. ``scope`` describes the sessions that were read; ``learnings`` are the best learnings."""

    scope: str
    learnings: list[Learning]
    distinct: int
    sessions_without_learnings: int
    unreadable_logs: Sequence[str]
    next_step: str


def rank_learnings(sessions: Sequence[ReplayedSession]) -> list[Candidate]:
    """Return the distinct learnings of all sessions, best first."""
    original_fingerprints = {
        candidate.fingerprint for each in sessions if not each.is_copy for candidate in each.candidates
    }
    all_candidates = [
        candidate
        for each in sessions
        for candidate in each.candidates
        if not each.is_copy or candidate.fingerprint not in original_fingerprints
    ]
    return merge_candidates(all_candidates)


def describe_learnings(
    candidates: Iterable[Candidate], sessions: Sequence[ReplayedSession], current: Project
) -> list[Learning]:
    """Describe ``candidates``. ``current`` is the project in which the commands will be run. Raises StoreError.

    While other processes lock the database, no learning counts as staged.
    """
    session_by_key = {
        (candidate.session_id, candidate.fingerprint): each for each in sessions for candidate in each.candidates
    }
    found = [(each, session_by_key[each.session_id, each.fingerprint]) for each in candidates]
    with suppress(BusyDatabaseError):
        if os.path.exists(os.path.join(get_state_folder(), DATABASE_NAME)):
            with state.open_ledger(timeout=LOCK_TIMEOUT_SECONDS) as ledger:
                return [_describe_learning(candidate, session, current, ledger) for candidate, session in found]
    return [_describe_learning(candidate, session, current, None) for candidate, session in found]


def _describe_learning(
    candidate: Candidate, session: ReplayedSession, current: Project, ledger: Ledger | None
) -> Learning:
    project = state.resolve_log_project(candidate.host, session.project) if session.project else current
    staged_id = _find_staged(candidate, project, ledger) if ledger is not None else ""
    if staged_id:
        command = f"mind-skills show {staged_id}"
        command += "" if project.id == current.id else f" --project {_quote_path(project.root)}"
    else:
        command = f"mind-skills replay {_quote_path(session.log)}"
    sessions = f"; seen in {len(candidate.sessions)} sessions" if len(candidate.sessions) > 1 else ""
    place = os.path.basename(project.root) if session.project else ""
    origin = ", ".join(filter(None, (f"{candidate.host} {format_date(candidate.detected_at or None)}".strip(), place)))
    trust = f"{describe_trust(candidate.probability)}{sessions}"
    return Learning(candidate.title, list_rows(candidate), origin, trust, command)


def _find_staged(candidate: Candidate, project: Project, ledger: Ledger) -> str:
    """Return the id of the staged candidate for `mind-skills show`, or an empty string. Raises StoreError."""
    try:
        staged = ledger.find_candidate(candidate.id, project).candidate
    except (UnknownIdError, AmbiguousIdError, OtherProjectError):
        return ""
    return staged.id if staged.fingerprint == candidate.fingerprint else ""


def _quote_path(path: str) -> str:
    """Quote a path for a shell, with ``~`` for the home folder."""
    home = os.path.expanduser("~")
    below = path.removeprefix(home + os.sep)
    return shlex.quote(path) if below == path else f"~{os.sep}{shlex.quote(below)}"


# -- output --------------------------------------------------------------------------------------------------------------


def list_sentences(summary: Summary) -> list[str]:
    """Return the sentences before the list of learnings."""
    shown = len(summary.learnings)
    heading = format_count(summary.distinct, "distinct learning") + (
        f", the best {shown}:" if summary.distinct > shown else ":"
    )
    sentences = [summary.scope]
    if summary.sessions_without_learnings:
        sessions = format_count(summary.sessions_without_learnings, "session")
        sentences.append(f"{sessions} taught nothing worth offering.")
    if summary.unreadable_logs:
        logs = format_count(len(summary.unreadable_logs), "log")
        more = len(summary.unreadable_logs) - MAX_UNREADABLE
        suffix = f"; and {more} more, which --json lists" if more > 0 else ""
        sentences.append(f"{logs} could not be read: {'; '.join(summary.unreadable_logs[:MAX_UNREADABLE])}{suffix}.")
    return [*sentences, heading] if shown else sentences


def print_summary(summary: Summary) -> None:
    """Print the summary: each learning on at most six lines."""
    width = min(MAX_WIDTH, get_terminal_width()) if is_interactive() else 0
    for sentence in list_sentences(summary):
        print_wrapped(sentence)
    for number, each in enumerate(summary.learnings, 1):
        print_line()
        print_heading(f"{number:2}. {_fit(each.title, width - INDENT)}")
        for label, text in each.rows:
            print_line(f"    {_fit(f'{label}: {flatten(text)}', min(width, MAX_WIDTH) - INDENT)}")
        print_line(f"    {_fit(f'{each.origin}; {each.trust}', width - INDENT)}")
        print_line(f"    Show: {each.command}")
    print_line()
    print_wrapped(summary.next_step)


def flatten(text: str) -> str:
    """Return a text from a log as one line without control characters."""
    return " ".join(strip_control_characters(text).split())


def _fit(text: str, width: int) -> str:
    """Shorten ``text`` to ``width`` columns, with an ellipsis at the end; a ``width`` below 1 means no limit."""
    if width < 1 or _count_columns(text) <= width:
        return text
    from rich.cells import set_cell_size

    return set_cell_size(text, width - 1).rstrip() + "…"


def _count_columns(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


STYLE = """
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
li { margin: 1.5rem 0; } li p { margin: .2rem 0; }
.what { font-weight: 600; } code { overflow-wrap: anywhere; } .what, .row { overflow-wrap: anywhere; }
"""


def render_page(summary: Summary) -> str:
    """Render the summary as an HTML page without scripts or external resources. All text from logs is escaped."""
    allowed = b64encode(sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    items = "".join(
        f'<li><p class="what">{_escape_html(each.title)}</p>\n'
        + "".join(f'<p class="row">{label}: {_escape_html(text)}</p>\n' for label, text in each.rows)
        + f'<p class="row">{_escape_html(f"{each.origin}; {each.trust}")}</p>\n'
        f"<p>Show: <code>{_escape_html(each.command)}</code></p></li>\n"
        for each in summary.learnings
    )
    intro = "".join(f"<p>{_escape_html(sentence)}</p>\n" for sentence in list_sentences(summary))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="generator" content="mind-skills report">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>What your sessions taught</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>What your sessions taught</h1>\n{intro}{f'<ol>{items}</ol>' if items else ''}\n"
        f"<p>{_escape_html(summary.next_step)}</p>\n</main>\n</body>\n</html>\n"
    )


def _escape_html(text: str) -> str:
    return escape(flatten(text))
