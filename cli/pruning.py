"""Forgetting by hand: what is old goes, and the database gives its room back."""

from __future__ import annotations

import os

from mind_skills.cli.prune_report import PruneReport
from mind_skills.hooks import retention
from mind_skills.hooks.elapsed import DAY, elapsed
from mind_skills.hooks.redact_again import redact_again
from mind_skills.plugin import state
from mind_skills.settings.lenient import retention_days
from mind_skills.store import database
from mind_skills.store.home import ensure


def pruned(days: int | None, *, dry_run: bool) -> PruneReport:
    """Redact what older rules left, and forget what is older than ``days``,
    or than the user's settings say, by the time that passed (hooks/elapsed.py).

    Raises StoreError, OSError.
    """
    home = ensure()
    days = retention_days() if days is None else days
    before = _size(home)
    counts = retention.prune(home, elapsed(home, state.now()).now - days * DAY, dry_run=dry_run)
    if not dry_run:
        redact_again(home, state.now(), seconds=float("inf"))
        retention.compact(home)
    return PruneReport(days=days, dry_run=dry_run, forgotten=counts, bytes_before=before, bytes_after=_size(home))


def _size(home: str) -> int:
    paths = [os.path.join(home, database.NAME + end) for end in ("", "-wal")]
    return sum(os.path.getsize(path) for path in paths if os.path.exists(path))
