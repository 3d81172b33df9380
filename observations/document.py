"""A log that is one JSON document, read whole: only hosts whose sessions are small write such logs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

from mind_skills.errors import LogError
from mind_skills.observations.codec import Json, loads, mapping
from mind_skills.observations.logfile import warn
from mind_skills.observations.model import Session
from mind_skills.observations.opening import opened

MAX_DOCUMENT = 48 * 1024 * 1024
"""Bytes. The largest real one seen has 0.6 MB. It cannot be streamed, and parsing takes up to eight times its size:
where this limit is reached, a run stays about 400 MB."""
_HINT = "it can only be read whole, which takes up to eight times its size in memory"
_HINTS = {"opencode": f"{_HINT}; opencode.db has the same session and is read piece by piece"}


def document(path: Path, session: Session) -> Json:
    """The JSON object that the file holds; an empty one, with a warning of the session, where it holds none.

    Raises:
        OSError: the file cannot be read.
        LogError: it is larger than ``MAX_DOCUMENT``.
    """
    with opened(path) as handle:
        if os.fstat(handle.fileno()).st_size > MAX_DOCUMENT:
            raise LogError(
                "too_large",
                f"larger than {MAX_DOCUMENT // 1024 // 1024} MB, which is the limit for a single JSON document",
                _HINTS.get(session.host, _HINT),
            )
        data = handle.read(MAX_DOCUMENT)
    try:
        value = loads(data.removeprefix(b"\xef\xbb\xbf").strip(b"\r\n\t \x00"))
    except ValueError as error:
        warn(session, 0, f"the document is not JSON: {error}"[:200])
        return {}
    if not isinstance(value, dict):
        warn(session, 0, "the document is not a JSON object")
        return {}
    return mapping(cast(object, value))


def extend(session: Session, at: int | None) -> None:
    """Stretch the start and the end of the session over one more time stamp; clocks may go backwards."""
    if at is None:
        return
    if session.started is None or at < session.started:
        session.started = at
    if session.ended is None or at > session.ended:
        session.ended = at
