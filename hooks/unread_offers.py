"""Offers that no agent read, which are offered again: the hook died before its host had the text, or the session before it answered.

Between the claim and the answer no transaction can reach: the one is in our database, the other in the host's pipe. So the
marker ``handing`` is left before the claim and removed when the host has been told. Where it is still there, the host's log
decides, if it holds what hooks said: Claude Code's, Codex's and Gemini CLI's do. OpenCode's does not; there the plugin file
removes the marker itself, in the step in which it puts the offer before the model. A session that is told again what it holds
leaves a new marker only where the one before is still there: what was read stays read.

A start imports this only where a session has died with an offer, which is rare, so it can afford to read that session's log.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from pathlib import Path

from mind_skills.errors import LogError
from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.observations.opening import opened
from mind_skills.observations.read import extent
from mind_skills.staging.analyse import analyse
from mind_skills.staging.ledger import Ledger

LONG = 1 << 20
"""Bytes of a log in which the agent has surely answered; the start does not wait for more to be read."""
MANY = 100
"""Parts of a session in a database, the same."""
_PIECE = 1 << 20
_LONGEST = 64
"""Bytes of an id, at most."""


def rearm_unanswered(home: str, session_id: str, log: str, at: int, is_still_dead: Callable[[], bool]) -> None:
    """Free the candidates that a dead session holds, unless it answered.

    ``is_still_dead`` is asked when its log has been read: it may have come back meanwhile. Raises StoreError, OSError.
    """
    with Ledger.open(home) as ledger:
        offer, seen = ledger.find_offer(session_id), ledger.find_session(session_id)
        if offer is None or has_answered(log, since=seen.resumed(offer.at) if seen is not None else 0):
            return
        if is_still_dead():
            ledger.rearm(session_id, at)


def has_answered(log: str, since: int = 0) -> bool:
    """Whether the agent said anything in this log from ``since`` (UTC ms) on.

    An unreadable log counts as answered; a missing one does not.
    """
    if not log:
        return False
    try:
        size, mtime = extent(Path(log))
        if mtime // 1_000_000 < since:
            return False  # it was resumed, and nothing has been said since
        if size > (MANY if "?session=" in log else LONG):
            return True
        return analyse(Path(log)).answered(since)
    except FileNotFoundError:
        return False
    except LogError as error:
        return error.code not in ("empty", "not_found")
    except OSError:
        return True


def is_undelivered(home: str, session_id: str, log: str, ids: Iterable[str]) -> bool:
    """Whether nothing says that a session was told of the candidates ``ids``. Usually two stats. Raises OSError.

    What still waits for the first prompt of a session that has answered never reached it.
    """
    markers = SessionMarkers(home, session_id)
    return (markers.handing.exists() or markers.deferred.exists()) and not _log_names(log, ids)


def _log_names(log: str, ids: Iterable[str]) -> bool:
    wanted = [id_.encode() for id_ in ids]
    try:
        with opened(log) as file:
            before = b""
            while piece := file.read(_PIECE):
                text = before + piece
                if any(id_ in text for id_ in wanted):
                    return True
                before = text[-_LONGEST:]
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EINVAL, errno.ENXIO):
            raise
        return False  # an OpenCode session is no file of its own, and its database does not hold what was put before it
    return False
