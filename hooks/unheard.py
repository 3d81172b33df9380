"""Offers that were claimed for a session whose hook was killed, or failed, before it had told its host.

Between the claim and the answer no transaction can reach: the one is in our database, the other in the host's pipe. So a
trace is left before the claim and removed when the host has been told. Where it is still there, the host's log decides, if
it holds what hooks said: Claude Code's, Codex's and Gemini CLI's do. OpenCode's does not; there the plugin file removes the
trace itself, in the step in which it puts the offer before the model, and puts nothing there where it cannot. A session
that is told again what it holds leaves a new trace only where the one before is still there: what was read stays read.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable

from mind_skills.hooks import traces

_PIECE = 1 << 20
_LONGEST = 64
"""Bytes of an id, at most."""


def unheard(home: str, session_id: str, log: str, ids: Iterable[str]) -> bool:
    """Whether nothing says that a session was told of the candidates ``ids``. Nearly always two stats. Raises OSError.

    What still waits for the first prompt of a session that has answered never reached it.
    """
    left = (traces.place(home, folder, "", session_id) for folder in (traces.HANDING, traces.HELD))
    return any(map(os.path.exists, left)) and not _stands_in(log, ids)


def _stands_in(log: str, ids: Iterable[str]) -> bool:
    wanted = [id_.encode() for id_ in ids]
    try:
        from mind_skills.observations.opening import opened

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
