"""Names errors, so that the same error is recognised in another session."""

from __future__ import annotations

import unicodedata

from mind_skills.observations.commands import is_check
from mind_skills.observations.results import build_error_signature, is_runner_message
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.text import strip_controls

_MIN_SPECIFIC_WORDS = 2
_NAME = compile_lazily(r"[\d_=@.]|^-|[^\W\d_]-[^\W\d_]")
"""Matches names: words with digits, flags, file names and identifiers."""
_WORD = compile_lazily(r"[^\W\d_]{3,}")
_GENERIC_WORDS = frozenset(
    """and assertion assertionerror build code command error errors exception exit exited expected fail failed failing
    failure fatal for from has invalid job line process returned runtimeerror script status step syntaxerror task test
    tests the typeerror uncaught unexpected unhandled valueerror was with""".split()
)
"""Words in errors that indicate a failure without identifying it."""


_MAX_ERROR_NAME_LENGTH = 240
"""Maximum number of characters in an error name."""
_GENERIC_CHECK_WORDS = frozenset(
    """build bun bundle cargo check composer ctest deno docker dotnet exec gradle jest just lint make mise mocha mvn node nox
    npm npx php phpunit pnpm poetry pytest python rake rspec ruby run task test tests tox turbo typecheck unit unittest
    verify vitest yarn""".split()
)
"""Words in check commands that do not identify what is checked."""
_FOLDER = compile_lazily(r"\S*/")


def normalise_text(text: str) -> str:
    """Normalise ``text`` for comparison: NFKC, case folding, no invisible characters, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", strip_controls(text)).casefold().split())


def name_error(error: str, signature: str, target: str, normalised: str | None = None) -> str:
    """Return a name for an error: its normalised form or, if that is unspecific, the failed check and that form.

    Empty if a task runner printed the error, or if the error is unspecific and the command is not a check of something
    specific. ``error`` is the line that states the error; ``signature`` and ``target`` belong to the command;
    ``normalised`` is the normalised form of ``error``, which is computed if not given.
    """
    if is_runner_message(error):
        return ""
    normalised = build_error_signature(error) if normalised is None else normalised
    if is_specific(normalised):
        return normalised
    check = f"{signature} {_FOLDER.sub('', target)}".strip()
    target_words = set(_WORD.findall(check.lower())) - _GENERIC_CHECK_WORDS
    return (
        f"{check}: {normalised}"[:_MAX_ERROR_NAME_LENGTH] if normalised and target_words and is_check(signature) else ""
    )


def is_specific(text: str) -> bool:
    """Return whether the text of an error identifies what failed: at least two different words are not generic."""
    return len(set(_WORD.findall(normalise_text(text))) - _GENERIC_WORDS) >= _MIN_SPECIFIC_WORDS
