"""The solved errors of a project: those of episodes that were not dismissed, and those that a skill quotes, for
store/error_index.py. Muted ones are marked.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from mind_skills.digest.facts import name_file
from mind_skills.digest.model import EpisodeDigest, SessionDigest, SolvedError
from mind_skills.digest.session import format_date, render_digest
from mind_skills.digest.solved import list_quoted_errors
from mind_skills.staging.offer import CHARACTERS_PER_TOKEN, COMMAND
from mind_skills.staging.tables.candidates import StoredCandidate, list_candidates
from mind_skills.staging.tables.digests import find_solving_digests
from mind_skills.staging.tables.reminders import list_muted
from mind_skills.store.atomic import write_file
from mind_skills.store.error_index import EPISODE, SKILL, Entry, ErrorIndex, Record, build_index, get_index_path
from mind_skills.store.home import ensure_folder, remove_file
from mind_skills.store.project import digest_text

if TYPE_CHECKING:
    from mind_skills.learning.skills.discovery import Skill

SHOWN_CHARACTERS = 1_400
"""Number of characters that `mind-skills show` prints in addition to the digest of one episode, when no skill is installed."""
_ANY_PROGRAM = ""
MAX_PER_ERROR = 4
"""Maximum number of episodes per error, since the session that meets it may have solved it itself."""


def update_index(
    sql: sqlite3.Connection, home: str, project_id: str, command: str = "", skills: Iterable[Skill] | None = None
) -> None:
    """Write the project's file of solved errors if it changes. Without ``command`` or ``skills``, what the file has of
    them remains. Raises OSError, StoreError.
    """
    path = get_index_path(home, project_id)
    old_command, old_quotes = _read_present(path)
    muted = frozenset(list_muted(sql, project_id))
    quotes = old_quotes if skills is None else [entry for skill in skills for entry in _list_quotes(skill)]
    for each in quotes:
        each.is_muted = not muted.isdisjoint((each.key.hex(), each.record.name))
    entries = [*list_entries(sql, project_id, muted), *quotes]
    if not entries:
        remove_file(path)
        return
    content = build_index(entries, command or old_command)
    try:
        with open(path, "rb") as file:
            is_current = file.read() == content
    except OSError:
        is_current = False
    if not is_current:
        ensure_folder(home)
        ensure_folder(os.path.dirname(path))
        write_file(path, content)


def list_entries(sql: sqlite3.Connection, project_id: str, muted: frozenset[str]) -> list[Entry]:
    """List the solved errors of a project: errors with a skill first, then the newest first."""
    digests = find_solving_digests(sql, project_id)
    if not digests:
        return []
    counts: dict[str, int] = {}
    entries: list[Entry] = []
    records = sorted(
        (each for each in list_candidates(sql, project_id) if each.state != "dismissed"),
        key=lambda each: (not _find_skill(each), -each.candidate.detected_at, each.candidate.id),
    )
    for stored in records:
        session = stored.candidate.session_id
        digest = digests.get(session)
        if digest is None:
            continue
        for episode in _find_episodes(digest, stored):
            for error in episode.solved:
                counts[error.key] = counts.get(error.key, 0) + 1
                names = (error.key, stored.candidate.id, _find_skill(stored))
                if counts[error.key] > MAX_PER_ERROR:
                    continue
                key, codes = bytes.fromhex(error.key), bytes.fromhex(error.codes)
                record = _build_record(stored, digest, episode, error)
                is_muted = not muted.isdisjoint(names)
                entries.append(Entry(key, codes, bytes.fromhex(digest_text(session)), record, is_muted=is_muted))
    return entries


def _find_episodes(digest: SessionDigest, stored: StoredCandidate) -> Iterator[EpisodeDigest]:
    candidate = stored.candidate
    return (
        each
        for each in digest.episodes
        if (each.first_line, each.last_line) == (candidate.first_line, candidate.last_line)
    )


def _find_skill(stored: StoredCandidate) -> str:
    """Return the name of the installed skill that a candidate became or is covered by; empty if there is none."""
    if stored.state not in ("accepted", "covered") or not os.path.isfile(stored.detail):
        return ""
    return name_file(os.path.dirname(stored.detail))


def _build_record(stored: StoredCandidate, digest: SessionDigest, episode: EpisodeDigest, error: SolvedError) -> Record:
    if skill := _find_skill(stored):
        return Record(SKILL, skill, error.program)
    tokens = round((len(render_digest(digest, [episode])) + SHOWN_CHARACTERS) / CHARACTERS_PER_TOKEN, -1)
    date = format_date(digest.header.started or stored.candidate.detected_at)
    return Record(EPISODE, stored.candidate.id, error.program, date, f"{tokens:.0f}", error.facts)


def _list_quotes(skill: Skill) -> list[Entry]:
    """Return an entry for each error that a skill quotes, whatever program fails with it."""
    name = name_file(skill.name)
    errors = list_quoted_errors(f"{skill.description}\n{skill.text}") if name else {}
    return [
        Entry(bytes.fromhex(key), bytes.fromhex(codes), bytes(4), Record(SKILL, name, _ANY_PROGRAM))
        for key, codes in errors.items()
    ]


def _read_present(path: str) -> tuple[str, list[Entry]]:
    """Return from the present file the command, and the entries for the errors that skills quote."""
    try:
        index = ErrorIndex(path)
    except (OSError, ValueError):
        return COMMAND, []
    try:
        entries = [each for each in index.list_entries() if each.record.kind == SKILL]
        return index.read_command(), [each for each in entries if each.record.program == _ANY_PROGRAM]
    except ValueError:
        return COMMAND, []
    finally:
        index.close()
