"""Receipts: a skill that came of an offer is told to the user, once, in one line, where the session's host can do that.

Whether a skill came of it is known after the session has ended, so the line is left in the state folder, in
``receipts/<project>/<session>``, and shown when the next session of the project begins. The model is not told.
``mind-skills status`` has them all, from the database.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.hosts import find_spec
from mind_skills.learning.skills.files import read_scalar, read_text, split
from mind_skills.redaction.text import clean
from mind_skills.staging.claim import Offer
from mind_skills.staging.frame import estimate_tokens
from mind_skills.staging.tables.candidates import Record
from mind_skills.staging.tables.sessions import Seen

PATH, TRIGGER = 160, 140
"""Characters."""


def leave_receipts(home: str, seen: Seen, offer: Offer, changed: Iterable[Record]) -> None:
    """Leave a line for each candidate that this session made a skill of. Raises OSError, HomeError."""
    accepted = [record for record in changed if record.state == "accepted" and record.detail]
    host = find_spec(seen.host)
    if host is None or not host.shows_user_lines or not accepted:
        return
    cost = estimate_tokens(offer.text)
    lines = [format_receipt(seen.project.root, record, read_text(record.detail), cost) for record in accepted]
    SessionMarkers(home, seen.session_id, seen.project.id).receipt.put("\n".join(lines))


def format_receipt(root: str, record: Record, text: str, cost: int) -> str:
    """What the user reads: skill, path, trigger, and what the offer cost. ``text`` is the skill's, ``cost`` in tokens."""
    path = clean(" ".join(relative_path(root, record.detail).split()), PATH)
    when = f" ({said})" if (said := skill_trigger(text) or clean(record.candidate.title, TRIGGER)) else ""
    what = f"mind-skills: learned the skill {skill_name(record.detail)}{when}: {path}"
    return f"{what}, from {record.candidate.id}, offered for about {cost} tokens"


def skill_name(path: str) -> str:
    """What the skill at ``path`` is called: as its folder."""
    return clean(os.path.basename(os.path.dirname(path)), TRIGGER) or "SKILL.md"


def skill_trigger(text: str) -> str:
    """When a skill is used, as its own description says; empty where it says nothing."""
    said = " ".join(clean(read_scalar(split(text).front, "description"), 4 * TRIGGER).split())
    return said if len(said) <= TRIGGER else f"{said[: TRIGGER - 3].rstrip()}..."


def relative_path(root: str, path: str) -> str:
    """``path`` as seen from the project, where it lies in it."""
    inside = path.startswith(root.rstrip(os.sep) + os.sep)
    return os.path.relpath(path, root) if inside else path
