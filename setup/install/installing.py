"""Installing and uninstalling one host: what is to be changed, and changing it."""

from __future__ import annotations

import difflib
import os
from typing import Literal

from mind_skills.output.document import Report
from mind_skills.setup.install import files
from mind_skills.setup.install.journal import Entry, Journal, digest
from mind_skills.setup.install.targets import Target


class FileReport(Report):
    """What was done to one file of a host, or with ``--dry-run`` would be."""

    path: str
    action: Literal["create", "edit", "remove", "none"]
    diff: str
    """The change as a unified diff, empty for ``none``."""
    backup: str
    """Where the file is kept as it was before; empty where there was none, or nothing was done."""


def install(journal: Journal, target: Target, at: int, *, dry_run: bool = False) -> FileReport:
    """Put us into the host's file; nothing happens where all is in place. ``at`` is UTC milliseconds.

    The journal is written first: killed in between, an installation is one that did not happen. Raises
    MindSkillsError, StoreError, OSError; the file is then as it was, or, where only the folder's own record of it could not
    be brought to the disk, installed and known to be.
    """
    if not dry_run:
        files.remove_leftovers(target.path)
    found = files.read_file(target.path)
    if target.current(found.content):
        return report_change(target.path, found.content, found.content)
    before = _without_us(journal, target, found.content)
    change = target.add(before)
    done = report_change(target.path, found.content, change.content)
    files.require_writable(found)
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
    made = files.list_missing_folders(os.path.dirname(found.real))
    journal.folders += [path for path in made if path not in journal.folders]
    try:
        journal.keep(target.key, before)
        journal.entries[target.key] = entry
        journal.save()
        for path in made:
            os.mkdir(path)
        files.write(found, change.content)
    except BaseException:
        if files.read_file(target.path).content != change.content:
            journal.back(target.key, earlier)
        raise
    done.backup = journal.backup(target.key) if before is not None else ""
    return done


def uninstall(journal: Journal, target: Target, *, dry_run: bool = False) -> FileReport:
    """Take us out of the host's file: to the byte what was there before, as long as nobody else changed it since.

    Raises MindSkillsError, StoreError, OSError; the file is then as it was.
    """
    if not dry_run:
        files.remove_leftovers(target.path)
    found = files.read_file(target.path)
    left = _without_us(journal, target, found.content)
    done = report_change(target.path, found.content, left)
    if left != found.content:
        files.require_writable(found)
    if dry_run:
        return done
    if left != found.content:
        files.write(found, left)
    if target.key in journal.entries:
        journal.forget(target.key)
    return done


def find_residue(target: Target) -> list[str]:
    """What of us is left in the host's file, in sentences. Raises MindSkillsError where it cannot be read."""
    return [f"{target.path}: {what}" for what in target.ours(files.read_file(target.path).content)]


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


def report_change(path: str, before: bytes | None, after: bytes | None) -> FileReport:
    """What a change from ``before`` to ``after`` is, or would be."""
    if before == after:
        return FileReport(path=path, action="none", diff="", backup="")
    action: Literal["create", "edit", "remove"] = "create" if before is None else "remove" if after is None else "edit"
    old, new = (
        [] if content is None else content.decode("utf-8", "replace").splitlines(keepends=True)
        for content in (before, after)
    )
    names = [os.devnull if content is None else path for content in (before, after)]
    lines = difflib.unified_diff(old, new, names[0], names[1])
    diff = "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
    return FileReport(path=path, action=action, diff=diff, backup="")
