"""The solved errors of a project: which episodes count, and what is reported about them at the next failure.

An episode counts if its candidate was not dismissed, nothing about it is muted, and its error was solved (digest/solved.py). The
result is written for the hook that looks an error up (store/error_index.py).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator

from mind_skills.digest.facts import name_file
from mind_skills.digest.model import EpisodeDigest, SessionDigest, SolvedError
from mind_skills.digest.session import format_date, render_digest
from mind_skills.staging.offer import CHARACTERS_PER_TOKEN, COMMAND
from mind_skills.staging.tables.candidates import StoredCandidate, list_candidates
from mind_skills.staging.tables.digests import find_solving_digests
from mind_skills.staging.tables.reminders import list_muted
from mind_skills.store.atomic import write_file
from mind_skills.store.error_index import EPISODE, SKILL, Entry, ErrorIndex, Record, build_index, get_index_path
from mind_skills.store.home import ensure_folder, remove_file
from mind_skills.store.project import digest_text

SHOWN_CHARACTERS = 1_400
"""Number of characters that `mind-skills show` prints in addition to the digest of one episode, when no skill is installed."""
MAX_PER_ERROR = 4
"""Maximum number of episodes per error, since the session that meets it may have solved it itself."""


def update_index(sql: sqlite3.Connection, home: str, project_id: str, command: str = "") -> None:
    """Write the project's file of solved errors, or remove it if there are none; an unchanged file is not written.

    ``command`` runs mind-skills in an agent's shell; if it is empty, that of the present file remains. Raises OSError, StoreError.
    """
    path = get_index_path(home, project_id)
    entries = list_entries(sql, project_id)
    if not entries:
        remove_file(path)
        return
    content = build_index(entries, command or _read_command(path))
    try:
        with open(path, "rb") as file:
            is_current = file.read() == content
    except OSError:
        is_current = False
    if not is_current:
        ensure_folder(home)
        ensure_folder(os.path.dirname(path))
        write_file(path, content)


def list_entries(sql: sqlite3.Connection, project_id: str) -> list[Entry]:
    """List the solved errors of a project: errors with a skill first, then the newest first."""
    digests = find_solving_digests(sql, project_id)
    if not digests:
        return []
    muted = frozenset(list_muted(sql, project_id))
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
                if counts[error.key] > MAX_PER_ERROR or not muted.isdisjoint(names):
                    continue
                key, codes = bytes.fromhex(error.key), bytes.fromhex(error.codes)
                record = _build_record(stored, digest, episode, error)
                entries.append(Entry(key, codes, bytes.fromhex(digest_text(session)), record))
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


def _read_command(path: str) -> str:
    try:
        index = ErrorIndex(path)
    except (OSError, ValueError):
        return COMMAND
    try:
        return index.read_command()
    finally:
        index.close()
