"""The two options of `replay` that touch the state: leave out what was settled, and put what was found on the list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mind_skills.cli.replaying import Replayed
from mind_skills.learning.rules import rules_of
from mind_skills.learning.skills.discovery import find_installed
from mind_skills.observations.copies import origin
from mind_skills.output import state
from mind_skills.output.state import choose_project
from mind_skills.settings.lenient import cap
from mind_skills.staging.covered import Shelf
from mind_skills.store.project import Project, find


def leave_out_settled(results: Sequence[Replayed], project: str) -> None:
    """Remove, in place, the candidates that were accepted or dismissed in their session's project before.

    Those that a skill says already, which is installed there, go as well.
    """
    shelves: dict[str, Shelf] = {}
    with state.open_ledger() as ledger:
        for item in results:
            place = place_of(item, project)
            if place is None or item.report is None:
                continue
            ended = ledger.history(place)
            gone = {record.candidate.fingerprint for record in ended if record.state in ("accepted", "dismissed")}
            if place.root not in shelves:
                shelves[place.root] = Shelf(find_installed(place.root).skills)
            gone |= {c.fingerprint for c in item.candidates if shelves[place.root].covering(c)}
            item.candidates = tuple(c for c in item.candidates if c.fingerprint not in gone)
            item.report.candidates = [c for c in item.report.candidates if c.fingerprint not in gone]


class Staged(NamedTuple):
    """What was done, in sentences, and for how many sessions with candidates there was a list to put them on, or none."""

    said: list[str]
    placed: int
    unplaced: int


def put_on_list(results: Sequence[Replayed], project: str) -> Staged:
    """Stage the candidates of every session in ``project``, or without it those of the project that the user is in.

    A log names its project, and may be anybody's: no other folder is written into for its word. Raises StoreError.
    """
    here = choose_project(project)
    said: list[str] = []
    unplaced = 0
    copies = {str(item.path) for item in results if item.candidates and began_as_copy(item)}
    with state.open_ledger() as ledger:
        for item in sorted(results, key=lambda each: str(each.path) in copies):  # after what they are copies of
            if item.header is None or not item.candidates:
                continue
            named = place_of(item, project)
            if named is None or named.id != here.id:
                why = "its log names no project" if named is None else f"its project is {item.header.project}"
                said.append(f"{item.path}: not staged, {why}; change to its folder, or name one with --project.")
                unplaced += 1
                continue
            session = item.header.session_id or item.path.name
            own = item.candidates
            if str(item.path) in copies:
                own = tuple(ledger.new_to_others(here, session, own))
            known, rules, most = find_installed(here.root).skills, rules_of(here.root), cap(here.root, "per_session")
            seen = (here, session, item.header.host, own, state.now(), known, rules.learning, most)
            done = ledger.stage(*seen, adapts=rules.adapts)
            parts = [f"{len(done.new)} new", f"{len(done.again)} known", f"{len(done.refused)} settled before"]
            parts += [f"{len(done.kept)} kept until another session sees them"] if done.kept else []
            parts += [f"{len(done.covered)} said by a skill"] if done.covered else []
            said.append(f"{here.root}: {', '.join(parts)}; {done.waiting} wait.")
    return Staged(said, len(said) - unplaced, unplaced)


def began_as_copy(item: Replayed) -> bool:
    """Whether a session began as a copy of another, so that what both hold is learned from the other alone."""
    try:
        return item.header is not None and origin(item.path, item.header.format) is not None
    except OSError:
        return False  # it was read before, and is gone now


def place_of(item: Replayed, named: str) -> Project | None:
    """The project of a session: the one that is named, else the one that its log names."""
    if named:
        return choose_project(named)
    return find(named=item.header.project) if item.header and item.header.project else None
