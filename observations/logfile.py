"""A JSONL log as numbered lines, streamed: memory does not follow the size of the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mind_skills.observations.codec import Json, loads
from mind_skills.observations.model import Caution, Session

MAX_LINE = 16 * 1024 * 1024
"""Longer lines hold images or whole files, never a message; the largest seen in a real log without one is 115 KB."""
MAX_WARNINGS = 100
_DRAIN = 1024 * 1024
_BOM = b"\xef\xbb\xbf"


def warn(session: Session, line: int, message: str) -> None:
    """Note what was passed over; a log that is broken throughout does not flood its reader."""
    if len(session.warnings) < MAX_WARNINGS:
        session.warnings.append(Caution(line, message))
    elif len(session.warnings) == MAX_WARNINGS:
        session.warnings.append(Caution(0, f"more than {MAX_WARNINGS} warnings; the rest is not listed"))


def numbered_lines(path: Path, session: Session) -> Iterator[tuple[int, bytes]]:
    """Yield (1-based number, line without its ending) of every line that is neither blank nor too long.

    Raises:
        OSError: the file cannot be opened or read.
    """
    with path.open("rb") as handle:
        number = 0
        while line := handle.readline(MAX_LINE + 1):
            number += 1
            session.lines = number
            if len(line) > MAX_LINE:
                while not line.endswith(b"\n") and (line := handle.readline(_DRAIN)):
                    pass
                warn(session, number, f"line longer than {MAX_LINE // 1024 // 1024} MB passed over")
                continue
            if number == 1:
                line = line.removeprefix(_BOM)
            if line := line.strip(b"\r\n\t \x00"):
                yield number, line


def objects(path: Path, session: Session) -> Iterator[tuple[int, Json]]:
    """Yield (line number, JSON object) of every line that holds one; the others become warnings of the session.

    Raises:
        OSError: the file cannot be opened or read.
    """
    for number, line in numbered_lines(path, session):
        try:
            value = loads(line)
        except ValueError as error:
            warn(session, number, f"not JSON: {error}"[:200])
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            warn(session, number, "not a JSON object")
