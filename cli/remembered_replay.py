"""`replay --remember`: sessions that are over go into the memory, as episodes of their projects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mind_skills.cli.replaying import Replayed
from mind_skills.cli.staged_replay import place_of
from mind_skills.memory.model import Record
from mind_skills.memory.records import PACKAGE, STEPS, Records
from mind_skills.output.text import count
from mind_skills.settings.lenient import episodes
from mind_skills.store.database import Database
from mind_skills.store.home import ensure


def remember(results: Sequence[Replayed], project: str) -> str:
    """Store the episodes; returns what to say of that. Raises StoreError.

    A session that began as a copy of another (a fork) is told by the other: both begin with the same request at the same
    time. Of a project that this machine does not have, an episode is kept all the same: it may be asked for everywhere.
    """
    kept: dict[object, Record] = {}
    unclear = 0
    for item in sorted((each for each in results if each.header), key=lambda each: each.ended or 0):
        if item.episode is None or item.header is None:
            unclear += 1
            continue
        place = place_of(item, project)
        record = replace(item.episode, project=place.id if place else "")
        began = (item.header.host, record.task, item.header.started)
        kept.setdefault(began if item.header.started is not None else record.id, record)
    with Database.open(ensure(), PACKAGE, STEPS) as database:
        records = Records(database)
        records.put(kept.values())
        gone = records.keep_newest("episode", episodes())
    said = f"{count(len(kept), 'session')} remembered"
    said += f", {unclear} not, since nothing shows how they came out" if unclear else ""
    return said + (f"; {count(gone, 'older one')} forgotten" if gone else "") + "."
