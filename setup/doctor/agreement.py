"""Whether the project's pending file, the database and its receipts say the same."""

from __future__ import annotations

import os
from collections.abc import Iterator

from mind_skills.errors import StoreError
from mind_skills.output import state
from mind_skills.output.text import count
from mind_skills.setup.doctor.check import CheckReport, failed, fine, noted
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.pending_file import FOLDER, LIMIT, NAME, UnreadablePendingError, parse
from mind_skills.store.atomic import Folder
from mind_skills.store.project import Project

SETTLED = ("accepted", "dismissed", "ignored")
DECISIVE = {*SETTLED, "undone", "revived"}
"""Receipts that say where a candidate stands; others may follow without changing that."""


def pending_file(ledger: Ledger, project: Project) -> Iterator[CheckReport]:
    """The pending file of the project against what the database says waits there."""
    place = os.path.join(project.root, FOLDER)
    path = os.path.join(place, NAME)
    waiting = ledger.list_pending(project)
    mend = "mind-skills pending brings them in step."
    why, advice = state.withheld(ledger, project)
    if why:
        yield noted("pending", why, advice)
        yield from _of_others(ledger, project, path)
        return
    try:
        if not os.path.isdir(place) or not os.path.lexists(path):
            if waiting:
                yield failed("pending", f"{path} is not there, and {len(waiting)} candidates wait", mend)
            return
        with Folder(place) as folder:
            content = parse(folder.read(NAME, LIMIT) or b"")
    except (StoreError, UnreadablePendingError) as error:
        yield failed("pending", f"{path}: {error}", "Move it away; `mind-skills pending` writes a new one.")
        return
    told = {str(form["id"]): form.get("injectedAt") for form in content.candidates}
    missing = [one.id for one in waiting if one.id not in told]
    others = [one.id for one in waiting if one.id in told and told[one.id] != one.injected_at]
    if missing or others:
        yield failed("pending", f"{path} and the database differ about {(missing + others)[0]}", mend)
    else:
        yield fine("pending", f"{path} says what the database says: {len(waiting)} wait")
    yield from _of_others(ledger, project, path)


def _of_others(ledger: Ledger, project: Project, path: str) -> Iterator[CheckReport]:
    foreign = len(ledger.list_foreign(project))
    if foreign:
        text = f"{path} holds {foreign} that this machine did not stage"
        yield noted("pending", text, "They are kept, and never offered.")


def receipts(ledger: Ledger) -> Iterator[CheckReport]:
    """Every candidate against the last receipt about it, and every open offer against its receipt."""
    last: dict[tuple[str, str], str] = {}
    for receipt in ledger.list_receipts():
        if receipt.what in DECISIVE:
            last[receipt.project, receipt.candidate] = receipt.what
    wrong = [
        f"{record.candidate.id} is {record.state}, its last receipt says {said}"
        for record in ledger.list_history()
        if record.state in SETTLED
        and (said := last.get((record.project, record.candidate.id), "nothing")) not in (record.state, "undone")
    ]
    if wrong:
        yield failed("receipts", wrong[0], "Report it as a bug, with the output of `mind-skills status --json`.")
    else:
        yield fine("receipts", f"what became of {count(len(last), 'candidate')} agrees with the receipts")
