"""Offers that nobody read: their session was killed, or closed, before its agent said a word. They are offered again.

Loaded only where such a session was found, which is seldom, so it can afford to read that session's log.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mind_skills.errors import LogError
from mind_skills.observations.read import extent
from mind_skills.staging.analyse import Analysis, analyse
from mind_skills.staging.ledger import Ledger

LONG = 1 << 20
"""Bytes of a log in which the agent has surely answered; the start does not wait for more to be read."""
MANY = 100
"""Parts of a session in a database, the same."""


def rearm(home: str, session_id: str, log: str, at: int, still: Callable[[], bool]) -> None:
    """Free the candidates that a dead session holds, unless it answered; ``still`` says, when its log has been read, whether
    it has not come back meanwhile. Raises StoreError, OSError.
    """
    with Ledger.open(home) as ledger:
        offer, seen = ledger.find_offer(session_id), ledger.find_session(session_id)
        if offer is None or replied(log, since=seen.resumed(offer.at) if seen is not None else 0):
            return
        if still():
            ledger.rearm(session_id, at)


def replied(log: str, read: Callable[[Path], Analysis] = analyse, since: int = 0) -> bool:
    """Whether the agent said anything in this log from ``since`` (UTC ms) on. One that cannot be read, other than for
    want of it, counts as yes.
    """
    if not log:
        return False
    try:
        size, mtime = extent(Path(log))
        if mtime // 1_000_000 < since:
            return False  # it was resumed, and nothing has been said since
        if size > (MANY if "?session=" in log else LONG):
            return True
        return read(Path(log)).answered(since)
    except FileNotFoundError:
        return False
    except LogError as error:
        return error.code not in ("empty", "not_found")
    except OSError:
        return True
