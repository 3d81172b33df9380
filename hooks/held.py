"""Held back: an offer that was made at the start of a session, but that its host hands over with the first prompt.

The claim is made at the start, like everywhere, so that what the session itself learns is not offered to it later.
"""

from __future__ import annotations

import os

from mind_skills.hooks import traces
from mind_skills.store.home import ensure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mind_skills.hooks.moment import Moment


def hold(home: str, moment: Moment, text: str | None) -> None:
    """Keep ``text`` for the first prompt of this session; None forgets what was kept. Raises OSError, HomeError."""
    if text is None:
        traces.drop(home, traces.HELD, "", moment.session_id)
    else:
        traces.put(home, traces.HELD, "", moment.session_id, text)


def holds(home: str, moment: Moment) -> bool:
    """Whether something is kept for this session. One stat."""
    return os.path.exists(traces.place(home, traces.HELD, "", moment.session_id))


def release(home: str, moment: Moment) -> str | None:
    """What was kept for this session, to one caller only; None to all others. Raises OSError, HomeError.

    In the same step it becomes the trace ``handing``, which the caller removes when the host has been told.
    """
    held, handing = (traces.place(home, folder, "", moment.session_id) for folder in (traces.HELD, traces.HANDING))
    if not os.path.exists(held):
        return None
    ensure(os.path.dirname(handing))
    try:
        os.rename(held, handing)
    except FileNotFoundError:
        return None  # another prompt was faster
    with open(handing, "rb") as file:
        return os.fsdecode(file.read()) or None
