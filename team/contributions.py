"""What this device reports to the team: votes, decisions, sightings, and bodies of families, derived from the local
tables. Digests are under the team's key, which the server never receives; a body has the digest of a package's name,
which may be private.
"""

from __future__ import annotations

import binascii
import json
import re
import secrets
import sqlite3
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from mind_skills.digest.facts import name_family
from mind_skills.errors import MindSkillsError
from mind_skills.staging.model import TEAM_SESSION, Candidate
from mind_skills.staging.tables.candidates import StoredCandidate, list_candidates, list_sightings

KEY_BYTES = 32
CHECK_BYTES = 4
"""Bytes of a code by which a mistyped one is noticed."""
DIGEST_BYTES = 16
_TEAM_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class TeamKey(NamedTuple):
    """The name of a team and its secret key of 32 bytes."""

    team: str
    secret: bytes

    @property
    def code(self) -> str:
        """The text that members type to join: name, a dot, and in base64 the key and a check of both."""
        check = blake2b(self.team.encode(), key=self.secret, digest_size=CHECK_BYTES).digest()
        return f"{self.team}.{urlsafe_b64encode(self.secret + check).decode()}"

    def digest(self, purpose: str, *parts: str) -> bytes:
        """Return 16 bytes that identify ``parts`` within the team; digests for different purposes are never equal."""
        mac = blake2b(key=self.secret, digest_size=DIGEST_BYTES)
        for part in (purpose, *parts):
            data = part.encode("utf-8", "surrogatepass")
            mac.update(len(data).to_bytes(8, "big") + data)
        return mac.digest()


def create_key(team: str) -> TeamKey:
    """Create a key for a new team. Raises MindSkillsError if the name is invalid."""
    if not _TEAM_NAME.fullmatch(team):
        hint = "Use up to 40 lower-case letters, digits and dashes."
        raise MindSkillsError("team_code", f"{team!r} cannot be the name of a team", hint)
    return TeamKey(team, secrets.token_bytes(KEY_BYTES))


def parse_code(text: str) -> TeamKey:
    """Parse the text that `team init` printed. Raises MindSkillsError, whose message does not repeat the secret text."""
    team, _, encoded = text.strip().partition(".")
    try:
        key = TeamKey(team, urlsafe_b64decode(encoded)[:KEY_BYTES])
    except (binascii.Error, ValueError):
        key = TeamKey(team, b"")
    if not _TEAM_NAME.fullmatch(team) or len(key.secret) != KEY_BYTES or key.code != text.strip():
        hint = "Copy exactly what `mind-skills team init` printed: a name, a dot and 48 characters."
        raise MindSkillsError("team_code", "this is not the code of a team, or a character of it is wrong", hint)
    return key


# -- contributions ---------------------------------------------------------------------------------------------------------

ContributionKind = Literal["vote", "decided", "seen", "body"]
_VALUES = {"accepted": 1, "dismissed": -1, "helpful": 1, "harmful": -1}
_TYPED = re.compile(r"[A-Za-z0-9_.:'\[\]-]{0,60}(?: [A-Za-z0-9_.:'\[\]-]{1,60}){0,7}")
"""The same pattern as in server.sql; a test compares the two."""
_SKILL_VOTES = (
    "SELECT used.session, used.name, outcomes.type, outcomes.at FROM skills_used AS used JOIN outcomes USING (session)"
    " WHERE used.project = ? AND outcomes.type"
)
_STRATEGY_VOTES = (
    "SELECT source, pattern_id, type, at FROM maturity_feedback"
    " WHERE substr(pattern_id, 1, ?) = ? AND source != '' AND weight"
)
BODY_FIELDS = ("kind", "error", "package", "program", "remedy")


class ContributionKey(NamedTuple):
    """The identity of a contribution; a newer one replaces it. ``project`` is empty for a family, ``source`` for the
    person. Digests of 16 bytes.
    """

    kind: ContributionKind
    project: bytes
    subject: bytes
    source: bytes


class Contribution(NamedTuple):
    """``value`` is 1, -1, or 0 if withdrawn; ``at`` is UTC milliseconds; ``body`` is JSON, or empty."""

    value: int
    at: int
    body: str = ""


def digest_project(key: TeamKey, remote: str) -> bytes:
    """Return the digest of the project with this git remote, regardless of protocol, user, port and a final ``.git``."""
    address = re.sub(r"\A[a-z+]+://", "", remote.strip()).rpartition("@")[2]
    host, _, path = address.replace(":", "/", 1).partition("/")
    path = re.sub(r"\A\d+/", "", path).strip("/").removesuffix(".git")
    return key.digest("project", host.partition(":")[0].lower(), path)


def digest_body(key: TeamKey, body: Mapping[str, str]) -> bytes:
    """Return the subject of the family that a body describes."""
    return key.digest("family", *(body[name] for name in BODY_FIELDS))


def is_typed(body: Mapping[str, str]) -> bool:
    """Return whether each value of a body is at most eight words without slashes, as the server requires."""
    return all(_TYPED.fullmatch(value) for value in body.values())


def _describe_candidate_family(candidate: Candidate) -> dict[str, str]:
    """Return the body of a candidate's family; empty if it has none."""
    error, program = name_family(candidate.facts)
    return dict(zip(BODY_FIELDS, ("learning", error, "", program, ""), strict=True)) if error else {}


def collect_contributions(
    sql: sqlite3.Connection,
    key: TeamKey,
    projects: Mapping[str, bytes],
    quorate_families: frozenset[bytes],
    forgotten: Mapping[bytes, int] = MappingProxyType({}),
) -> dict[ContributionKey, Contribution]:
    """Collect the contributions of the shared ``projects`` (digests by local id), with bodies of the
    ``quorate_families``, except those that the server has ``forgotten`` (up to which UTC ms, by project; ``b""`` for
    all). Raises sqlite3.Error.
    """
    contributions: dict[ContributionKey, Contribution] = {}
    for local_id, project in sorted(projects.items()):
        past = max(forgotten.get(project, -1), forgotten.get(b"", -1))
        found = [*_list_votes(sql, key, local_id, project)]
        for record in list_candidates(sql, local_id):
            found += _describe_learning(sql, key, project, record, quorate_families)
        contributions.update((name, each) for name, each in found if each.at > past)
    return contributions


def list_withdrawn(sql: sqlite3.Connection, key: TeamKey, projects: Mapping[str, bytes]) -> Iterator[ContributionKey]:
    """Yield the keys that were withdrawn, or possible but never made. Expired local data withdraws nothing."""
    for local_id, project in sorted(projects.items()):
        for record in list_candidates(sql, local_id):
            if record.state not in _VALUES:
                for scope, subject in list_subjects(key, project, record.candidate):
                    yield ContributionKey("decided", scope, subject, b"")
        for session, pattern_id, _, _ in _list_strategy_votes(sql, local_id, "= 0"):
            yield ContributionKey("vote", project, _digest_strategy(key, pattern_id), key.digest("session", session))
        for session, name, _, _ in _select(
            sql, "skills_used", f"{_SKILL_VOTES} NOT IN ('helpful', 'harmful')", (local_id,)
        ):
            yield ContributionKey("vote", project, key.digest("skill", name), key.digest("session", session))


def list_subjects(key: TeamKey, project: bytes, candidate: Candidate) -> list[tuple[bytes, bytes]]:
    """Return project and subject of a learning and, if it has a family, the empty project and the subject of the family."""
    subjects = [(project, key.digest("learning", candidate.fingerprint))]
    if body := _describe_candidate_family(candidate):
        subjects.append((b"", digest_body(key, body)))
    return subjects


def _describe_learning(
    sql: sqlite3.Connection, key: TeamKey, project: bytes, record: StoredCandidate, quorate_families: frozenset[bytes]
) -> Iterator[tuple[ContributionKey, Contribution]]:
    candidate = record.candidate
    for scope, subject in list_subjects(key, project, candidate):
        for sighting in list_sightings(sql, record):
            if sighting.session_id == TEAM_SESSION:
                continue
            source = key.digest("session", sighting.session_id)
            yield ContributionKey("seen", scope, subject, source), Contribution(1, sighting.detected_at)
        if record.state in _VALUES and record.settled_at is not None:
            yield (
                ContributionKey("decided", scope, subject, b""),
                Contribution(_VALUES[record.state], record.settled_at),
            )
    body = _describe_candidate_family(candidate)
    if body and is_typed(body) and (subject := digest_body(key, body)) in quorate_families:
        yield ContributionKey("body", b"", subject, b""), Contribution(1, candidate.detected_at, json.dumps(body))


def _list_votes(
    sql: sqlite3.Connection, key: TeamKey, local_id: str, project: bytes
) -> Iterator[tuple[ContributionKey, Contribution]]:
    for session, pattern_id, vote, at in _list_strategy_votes(sql, local_id, "> 0"):
        contribution_key = ContributionKey(
            "vote", project, _digest_strategy(key, pattern_id), key.digest("session", session)
        )
        yield contribution_key, Contribution(_VALUES[vote], at or 0)
    for session, name, outcome, at in _select(
        sql, "skills_used", f"{_SKILL_VOTES} IN ('helpful', 'harmful')", (local_id,)
    ):
        contribution_key = ContributionKey("vote", project, key.digest("skill", name), key.digest("session", session))
        yield contribution_key, Contribution(_VALUES[outcome], at or 0)


def _list_strategy_votes(sql: sqlite3.Connection, local_id: str, weights: str) -> list[tuple[Any, ...]]:
    """Return session, pattern id, type and time of the votes on a project's strategies; withdrawn ones have the weight 0."""
    return _select(sql, "maturity_feedback", f"{_STRATEGY_VOTES} {weights}", (len(local_id) + 1, f"{local_id}/"))


def _digest_strategy(key: TeamKey, pattern_id: str) -> bytes:
    """Return the subject of a strategy; ``pattern_id`` begins with the id of the project (learning/credit.py)."""
    return key.digest("strategy", pattern_id.partition("/")[2])


def _select(sql: sqlite3.Connection, table: str, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
    """Return the rows of a query; none if its table does not exist yet, since each package creates its own tables."""
    if sql.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone() is None:
        return []
    return sql.execute(query, values).fetchall()
