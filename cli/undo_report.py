"""The JSON of `mind-skills undo`, as a model. Times are UTC milliseconds."""

from __future__ import annotations

from typing import Literal

from mind_skills.plugin.report import Report


class UndoReport(Report):
    """The decision that was taken back, or with ``--dry-run`` would be.

    ``id`` and ``title`` are the candidate's, or the strategy's. ``state`` is where it stands afterwards: a candidate's
    state, a strategy's maturity, or `gone` where it was not known before. ``detail`` is a candidate's skill or reason,
    ``session`` who decided, empty for a person; ``at`` is when.
    """

    version: Literal[1] = 1
    done: Literal["undone", "would_undo"]
    subject: Literal["candidate", "pattern"]
    what: Literal["accepted", "dismissed", "vote", "deprecated", "reset", "pinned", "unpinned"]
    id: str
    title: str
    state: str
    detail: str
    session: str
    at: int
