"""Lines for the user, never the model, on hosts that can show them: titles of new learnings after the next turn, and
receipts for new skills (``receipts/<project>/<session>``) at the next start.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.hosts import find_spec
from mind_skills.learning.skills.files import read_scalar, read_text, split_skill_file
from mind_skills.redaction.text import clean_text
from mind_skills.staging.offer import Offer, estimate_tokens
from mind_skills.staging.tables.candidates import StoredCandidate
from mind_skills.staging.tables.sessions import ReportedSession

if TYPE_CHECKING:
    from mind_skills.staging.ledger import Ledger

MAX_PATH_LENGTH, MAX_TRIGGER_LENGTH, MAX_TITLE_LENGTH = 160, 140, 160
"""Maximum lengths in characters."""


def store_receipts(ledger: Ledger, session: ReportedSession, offer: Offer, settled: Iterable[StoredCandidate]) -> None:
    """Store a line for each candidate that became a skill, or what its check found, if the host can show it. Raises
    OSError, HomeError.
    """
    accepted = [record for record in settled if record.state == "accepted" and record.detail]
    host = find_spec(session.host)
    if host is None or not host.can_show_text_to_user or not accepted:
        return
    cost = estimate_tokens(offer.text)
    lines = [
        format_receipt(session.project.root, record, read_text(record.detail), cost, ledger.list_skill_problems(record))
        for record in accepted
    ]
    # Appended, because an earlier end of the session may have left some, which another session may show at any time.
    receipt = SessionMarkers(ledger.home, session.session_id, session.project.id).receipt
    receipt.write("".join(f"{line}\n" for line in lines), append=True)


def store_titles(ledger: Ledger, session: ReportedSession, new_ids: Collection[str]) -> None:
    """Store the titles of new pending candidates (``new_ids``), if the host can show them. Raises OSError, HomeError,
    StoreError.
    """
    host = find_spec(session.host)
    if host is None or not host.can_show_text_to_user:
        return
    pending = ledger.list_pending(session.project)
    titles = [" ".join(candidate.title.split()) for candidate in pending if candidate.id in new_ids]
    lines = [f"{clean_text(title, MAX_TITLE_LENGTH)}\n" for title in titles]
    if lines:
        SessionMarkers(ledger.home, session.session_id).noticed.write("".join(lines), append=True)


def format_receipt(root: str, record: StoredCandidate, text: str, cost: int, problems: Sequence[str] = ()) -> str:
    """Format the line for the user: skill, trigger, path, candidate, ``cost`` of the offer in tokens; or what is wrong."""
    path = clean_text(" ".join(shorten_path(root, record.detail).split()), MAX_PATH_LENGTH)
    if problems:
        return f"mind-skills: the skill {get_skill_name(record.detail)} needs a look: {problems[0]}: {path}"
    trigger = extract_trigger(text) or clean_text(record.candidate.title, MAX_TRIGGER_LENGTH)
    condition = f" ({trigger})" if trigger else ""
    learned = f"mind-skills: learned the skill {get_skill_name(record.detail)}{condition}: {path}"
    return f"{learned}, from {record.candidate.id}, in an offer of about {cost} tokens"


def get_skill_name(path: str) -> str:
    """Return the name of the skill whose SKILL.md is at ``path``: the name of its folder."""
    return clean_text(os.path.basename(os.path.dirname(path)), MAX_TRIGGER_LENGTH) or "SKILL.md"


def extract_trigger(text: str) -> str:
    """Return when to use a skill: the description in the SKILL.md ``text``, shortened; empty if there is none."""
    description = read_scalar(split_skill_file(text).front, "description")
    trigger = " ".join(clean_text(description, 4 * MAX_TRIGGER_LENGTH).split())
    if len(trigger) > MAX_TRIGGER_LENGTH:
        return f"{trigger[: MAX_TRIGGER_LENGTH - 3].rstrip()}..."
    return trigger


def shorten_path(root: str, path: str) -> str:
    """Return ``path`` relative to the project folder ``root``, or unchanged if it is outside."""
    is_inside = path.startswith(root.rstrip(os.sep) + os.sep)
    return os.path.relpath(path, root) if is_inside else path
