"""All codes in one list: those of the typed errors of the packages below, and those that stand in tables here."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import getdoc
from typing import NamedTuple

from mind_skills.memory.embedding import ModelUnavailableError
from mind_skills.memory.errors import BadRecordError, UnusableIndexError
from mind_skills.memory.lance_table import LanceError
from mind_skills.plugin.error_codes.asking import ASKING
from mind_skills.plugin.error_codes.installing import INSTALLING
from mind_skills.plugin.error_codes.reading import READING
from mind_skills.plugin.errors import BUG, INPUT, INTERRUPTED, USAGE
from mind_skills.staging.errors import StagingError
from mind_skills.store.errors import StoreError

EXIT_CODES = {"usage": USAGE, "bug": BUG, "interrupted": INTERRUPTED}
"""Of the commands that end with one of these; all others end with ``INPUT``."""
OF_MEMORY = (BadRecordError, UnusableIndexError, LanceError, ModelUnavailableError)
"""A subclass is only found once its module was imported."""


class ErrorCode(NamedTuple):
    """A code, what has happened, what to do, and the exit code of a command that ends with it."""

    code: str
    happened: str
    advice: str
    exit_code: int


def every() -> list[ErrorCode]:
    """All of them, by code. One that stood in two places would be listed twice."""
    said = [*_of_classes(), *ASKING.items(), *INSTALLING.items(), *READING.items()]
    return sorted(ErrorCode(code, *words, EXIT_CODES.get(code, INPUT)) for code, words in said)


def _of_classes() -> Iterator[tuple[str, tuple[str, str]]]:
    """The docstring of a typed error says what happened, and its own hint what to do."""
    for base in (StoreError, StagingError):
        for kind in base.__subclasses__():
            yield kind.code.replace("-", "_"), (" ".join((getdoc(kind) or "").split()), kind.hint)
