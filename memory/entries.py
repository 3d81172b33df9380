"""What stands in the index for a record: its entries, and the marks by which a question keeps to those that it may see."""

from __future__ import annotations

from mind_skills.store.project import digest

QUARANTINED = "mquarantined"
"""The mark of what nobody has vouched for."""


def entries(n: int) -> tuple[int, int]:
    """The entries of a record: its content, and the task that led to it, each found by itself."""
    return 2 * n, 2 * n + 1


def scope(project: str, *, untrusted: bool) -> str:
    """The end of a query that keeps it to a project's records and those of none, and out of the quarantine."""
    limits = "" if untrusted else f" NOT marks : {QUARANTINED}"
    return f" AND marks : ({mark(project)} OR {mark('')}){limits}" if project else limits


def mark(project: str) -> str:
    """The word that stands for a project."""
    return f"mp{digest(project)}" if project else "mpnone"
