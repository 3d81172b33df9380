"""Release of offers that no agent read: no transaction spans the claim and the host's pipe, so a ``delivering`` marker
is written before and removed after. If it remains, the log shows whether the offer was delivered, or, for OpenCode,
our plugin file has removed it. Imported only if a session with an offer has died.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from pathlib import Path

from mind_skills.errors import LogError
from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.observations.open_file import open_log_file
from mind_skills.observations.read import stat_log
from mind_skills.staging.analyse import analyse
from mind_skills.staging.ledger import Ledger

MAX_LOG_BYTES = 1 << 20
"""Size of a log in bytes beyond which the agent is assumed to have responded, because reading would delay the start."""
MAX_LOG_PARTS = 100
"""The same limit for a session in a database, in message parts."""
_CHUNK_BYTES = 1 << 20
_MAX_ID_BYTES = 64
"""Maximum length of a candidate id in bytes."""


def release_unanswered(home: str, session_id: str, log: str, at: int, has_resumed: Callable[[], bool]) -> None:
    """Release a dead session's candidates, unless it has responded, or ``has_resumed`` since its log was read. Raises
    StoreError, OSError.
    """
    with Ledger.open(home) as ledger:
        offer, session = ledger.find_offer(session_id), ledger.find_session(session_id)
        if offer is None or has_answered(log, since=session.get_response_start(offer.at) if session is not None else 0):
            return
        if not has_resumed():
            ledger.withdraw_offer(session_id, at)


def has_answered(log: str, since: int = 0) -> bool:
    """Return whether the log has a response from ``since`` (UTC ms) on; also if it is unreadable or large, not if
    missing or empty.
    """
    if not log:
        return False
    try:
        size, mtime = stat_log(Path(log))
        if mtime // 1_000_000 < since:
            return False  # the session was resumed at ``since``, and the log has not changed after that
        if size > (MAX_LOG_PARTS if "?session=" in log else MAX_LOG_BYTES):
            return True
        return analyse(Path(log)).has_replied_since(since)
    except FileNotFoundError:
        return False
    except LogError as error:
        return error.code not in ("empty", "not_found")
    except OSError:
        return True


def is_undelivered(home: str, session_id: str, log: str, ids: Iterable[str]) -> bool:
    """Return whether a session seems not to have received the candidates ``ids``, or no prompt has taken them yet.
    Raises OSError.
    """
    markers = SessionMarkers(home, session_id)
    return (markers.delivering.exists() or markers.deferred.exists()) and not _log_contains(log, ids)


def _log_contains(log: str, ids: Iterable[str]) -> bool:
    encoded_ids = [id_.encode() for id_ in ids]
    try:
        with open_log_file(log) as file:
            tail = b""
            while chunk := file.read(_CHUNK_BYTES):
                data = tail + chunk
                if any(id_ in data for id_ in encoded_ids):
                    return True
                tail = data[-_MAX_ID_BYTES:]
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EINVAL, errno.ENXIO):
            raise
        return False  # an OpenCode session has no file of its own, and its database does not contain hook output
    return False
