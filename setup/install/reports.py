"""The JSON that `install`, `uninstall`, `pause` and `resume` print."""

from __future__ import annotations

from typing import Literal

from mind_skills.output.document import Report


class FileReport(Report):
    """What was done to one file of a host, or with ``--dry-run`` would be."""

    path: str
    action: Literal["create", "edit", "remove", "none"]
    diff: str
    """The change as a unified diff, empty for ``none``."""
    backup: str
    """Where the file is kept as it was before; empty where there was none, or nothing was done."""


class FailureReport(Report):
    """Why nothing was done for a host: as in the error of a command that fails as a whole."""

    code: str
    message: str
    hint: str


class HostReport(Report):
    """One host. ``next`` is what its user has still to do, in sentences."""

    host: str
    files: list[FileReport]
    next: list[str]
    error: FailureReport | None


class InstallReport(Report):
    """`mind-skills install --json`."""

    version: Literal[1] = 1
    dry_run: bool
    hosts: list[HostReport]


class UninstallReport(Report):
    """`mind-skills uninstall --json`.

    ``residue`` is null unless ``--verify`` asked for it: what is left, in sentences, and an empty list for nothing.
    ``purged`` are the paths that ``--purge`` removed or took our line out of, ``kept`` what stays and why, in sentences.
    """

    version: Literal[1] = 1
    dry_run: bool
    hosts: list[HostReport]
    residue: list[str] | None
    purged: list[str]
    kept: list[str]


class PauseReport(Report):
    """`pause` and `resume` with ``--json``. ``project`` is empty for everywhere; ``changed`` is false if it was so before."""

    version: Literal[1] = 1
    paused: bool
    project: str
    changed: bool
