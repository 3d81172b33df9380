"""One process at a time for a session, so that two checkpoints of one log do not do the same work side by side.

Only work is spared by this: what is right or wrong is kept so by the database's transactions.
"""

from __future__ import annotations

import os

from mind_skills.store.home import ensure
from mind_skills.store.lock import Lock
from mind_skills.store.project import digest

SHARD = 1
"""Hex digits of the session's digest that name its lock: sixteen files for all sessions there will ever be."""


def lock_session(home: str, session_id: str, *, wait: bool) -> Lock:
    """The lock of a session; ``home`` is the state folder. Raises HomeError; where there is no such lock yet, it is made."""
    folder = ensure(os.path.join(ensure(home), "locks"))
    return Lock(os.path.join(folder, digest(session_id)[:SHARD]), wait=wait)
