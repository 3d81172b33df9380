"""Installation into one file of a host, and its reversal."""

from __future__ import annotations

import difflib
import os
from typing import Literal

from mind_skills.output.document import Report
from mind_skills.setup.install import files
from mind_skills.setup.install.journal import Entry, Journal, compute_digest
from mind_skills.setup.install.targets import Target


class FileReport(Report):
    """The change to one file of a host; with ``--dry-run``, the change that would be made."""

    path: str
    action: Literal["create", "edit", "remove", "none"]
    diff: str
    """The change as a unified diff; empty for ``none``."""
    backup: str
    """Path of the backup that an installation wrote; empty if none was written."""


def install_target(journal: Journal, target: Target, at: int, *, dry_run: bool = False) -> FileReport:
    """Add our entries to the host's file; do nothing if they are up to date. ``at`` is UTC milliseconds.

    The journal is written before the file, so an interrupted installation can be undone. Raises MindSkillsError,
    StoreError, OSError. After an error the file is unchanged; if only the sync of its folder failed, the file is changed
    and the change is in the journal.
    """
    if not dry_run:
        files.remove_leftovers(target.path)
    file = files.read_file(target.path)
    if target.is_current(file.content):
        return report_change(target.path, file.content, file.content)
    before = _remove_ours(journal, target, file.content)
    change = target.add(before)
    report = report_change(target.path, file.content, change.content)
    files.require_writable(file)
    if dry_run:
        return report
    entry = Entry(
        target.host,
        compute_digest(before),
        compute_digest(change.content),
        file.mode,
        at,
        list(change.pieces),
        list(change.created_paths),
        compute_digest(file.content),
    )
    previous = journal.entries.get(target.key)
    missing = files.list_missing_folders(os.path.dirname(file.real))
    journal.folders += [path for path in missing if path not in journal.folders]
    try:
        journal.write_backup(target.key, before)
        journal.entries[target.key] = entry
        journal.save()
        for path in missing:
            os.mkdir(path)
        files.write(file, change.content)
    except BaseException:
        if files.read_file(target.path).content != change.content:
            journal.roll_back(target.key, previous)
        raise
    report.backup = journal.find_backup(target.key) if before is not None else ""
    return report


def uninstall_target(journal: Journal, target: Target, *, dry_run: bool = False) -> FileReport:
    """Remove our entries from the host's file, restoring the original bytes if nobody has changed the file since.

    Raises MindSkillsError, StoreError, OSError. After an error the file is unchanged, unless only the sync of its
    folder or the update of the journal failed.
    """
    if not dry_run:
        files.remove_leftovers(target.path)
    file = files.read_file(target.path)
    remaining = _remove_ours(journal, target, file.content)
    report = report_change(target.path, file.content, remaining)
    if remaining != file.content:
        files.require_writable(file)
    if dry_run:
        return report
    if remaining != file.content:
        files.write(file, remaining)
    if target.key in journal.entries:
        journal.forget(target.key)
    return report


def find_residue(target: Target) -> list[str]:
    """List our entries that are left in the host's file, each with the file's path. Raises MindSkillsError, StoreError."""
    return [f"{target.path}: {entry}" for entry in target.describe_entries(files.read_file(target.path).content)]


def _remove_ours(journal: Journal, target: Target, content: bytes | None) -> bytes | None:
    """Return the file's content without our entries."""
    entry = journal.entries.get(target.key)
    # If an installation was killed before it wrote the file, the digest of the content is ``replaced``.
    if entry is not None and compute_digest(content) in {entry.after, entry.replaced or entry.after}:
        before = journal.read_backup(target.key)
        if before is not None or not entry.before:
            return before
    if content is None or not target.describe_entries(content):
        return content
    return target.remove(content, entry)


def report_change(path: str, before: bytes | None, after: bytes | None) -> FileReport:
    """Build the report of a change from ``before`` to ``after``; None stands for a missing file."""
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
