"""To be removed with its callers."""

from mind_skills.observations.model import Source


def emit_text(line: int, is_own: bool, source: Source, *texts: str) -> None:
    """Do nothing."""
