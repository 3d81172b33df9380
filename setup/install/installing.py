"""Installing and uninstalling one host: what is to be changed, and changing it."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from typing import Literal

from mind_skills.setup.install import files
from mind_skills.setup.install.journal import Entry, Journal, digest
from mind_skills.setup.install.targets import Target

Action = Literal["create", "edit", "remove", "none"]


@dataclass(frozen=True, slots=True)
class Done:
    """What was done to the file of a host, or with ``dry_run`` would be: ``diff`` is unified, empty for ``none``.

    ``backup`` is where the file is kept as it was, empty where there was none or nothing was done.
    """

    path: str
    action: Action
    diff: str = ""
    backup: str = ""


def install(journal: Journal, target: Target, at: int, *, dry_run: bool = False) -> Done:
    """Put us into the host's file; nothing happens where all is in place. ``at`` is UTC milliseconds.

    The journal is written first: killed in between, an installation is one that did not happen. Raises
    MindSkillsError, StoreError, OSError; the file is then as it was, or, where only the folder's own record of it could not
    be brought to the disk, installed and known to be.
    """
    if not dry_run:
        files.sweep(target.path)
    found = files.look(target.path)
    if target.current(found.content):
        return Done(target.path, "none")
    before = _without_us(journal, target, found.content)
    change = target.add(before)
    done = _done(target.path, found.content, change.content)
    files.writable(found)
    if dry_run:
        return done
    entry = Entry(
        target.host,
        digest(before),
        digest(change.content),
        found.mode,
        at,
        list(change.pieces),
        list(change.made),
        digest(found.content),
    )
    earlier = journal.entries.get(target.key)
    made = files.folders(os.path.dirname(found.real))
    journal.folders += [path for path in made if path not in journal.folders]
    try:
        journal.keep(target.key, before)
        journal.entries[target.key] = entry
        journal.save()
        for path in made:
            os.mkdir(path)
        files.write(found, change.content)
    except BaseException:
        if files.look(target.path).content != change.content:
            journal.back(target.key, earlier)
        raise
    return Done(done.path, done.action, done.diff, journal.backup(target.key) if before is not None else "")


def uninstall(journal: Journal, target: Target, *, dry_run: bool = False) -> Done:
    """Take us out of the host's file: to the byte what was there before, as long as nobody else changed it since.

    Raises MindSkillsError, StoreError, OSError; the file is then as it was.
    """
    if not dry_run:
        files.sweep(target.path)
    found = files.look(target.path)
    left = _without_us(journal, target, found.content)
    done = Done(target.path, "none") if left == found.content else _done(target.path, found.content, left)
    if left != found.content:
        files.writable(found)
    if dry_run:
        return done
    if left != found.content:
        files.write(found, left)
    if target.key in journal.entries:
        journal.forget(target.key)
    return done


def residue(target: Target) -> list[str]:
    """What of us is left in the host's file, in sentences. Raises MindSkillsError where it cannot be read."""
    return [f"{target.path}: {what}" for what in target.ours(files.look(target.path).content)]


def _without_us(journal: Journal, target: Target, now: bytes | None) -> bytes | None:
    """The file as it was, or would be, if we had never come."""
    entry = journal.entries.get(target.key)
    # What is there still where an upgrade was killed between its record and its file is what that would have replaced.
    if entry is not None and digest(now) in {entry.after, entry.replaced or entry.after}:
        before = journal.kept(target.key)
        if before is not None or not entry.before:
            return before
    if now is None or not target.ours(now):
        return now
    return target.remove(now, entry)


def _done(path: str, before: bytes | None, after: bytes | None) -> Done:
    action: Action = "create" if before is None else "remove" if after is None else "edit"
    old, new = (
        [] if content is None else content.decode("utf-8", "replace").splitlines(keepends=True)
        for content in (before, after)
    )
    names = [os.devnull if content is None else path for content in (before, after)]
    lines = difflib.unified_diff(old, new, names[0], names[1])
    return Done(path, action, "".join(line if line.endswith("\n") else f"{line}\n" for line in lines))
