"""Which learning an installed skill came from, and which hosts read it."""

from __future__ import annotations

import os
from collections.abc import Iterable

from mind_skills.cli.skill_report import OriginReport
from mind_skills.hosts.skills import HOME, PROJECT
from mind_skills.learning.skills.discovery import Skill, list_parents, resolve_homes
from mind_skills.redaction.text import clean
from mind_skills.staging.model import TITLE
from mind_skills.staging.tables.candidates import Record


def came_from(skill: Skill, accepted: Iterable[Record]) -> Record | None:
    """The accepted candidate that became this very file, or that its text names; the name alone proves nothing."""
    records = list(accepted)
    path = os.path.normpath(skill.path)
    same = (record for record in records if record.detail and os.path.normpath(record.detail) == path)
    named = (record for record in records if skill.names(record.candidate.id))
    return next(same, None) or next(named, None)


def origin_report(record: Record) -> OriginReport:
    """What is known of the learning."""
    candidate = record.candidate
    return OriginReport(
        candidate=candidate.id,
        title=clean(candidate.title, TITLE),
        kind=candidate.kind,
        host=candidate.host,
        sessions=list(candidate.sessions),
        accepted_at=record.settled_at,
    )


class Readers:
    """Which hosts look into which folders, in one project."""

    def __init__(self, root: str) -> None:
        self._tops = [
            (os.path.join(folder, place), host)
            for folder in list_parents(root)
            for host, places in PROJECT.items()
            for place in places
        ]
        self._tops += [
            (os.path.join(home, rest), host) for host, places in HOME.items() for home, rest in resolve_homes(places)
        ]

    def of(self, path: str) -> list[str]:
        """The hosts that read the skill whose file is at ``path``; Claude Code where a plugin of it brought the skill."""
        found = [host for top, host in self._tops if path.startswith(top + os.sep)]
        plugin = f"{os.sep}plugins{os.sep}" in path
        return list(dict.fromkeys(found)) or (["claude-code"] if plugin else [])
