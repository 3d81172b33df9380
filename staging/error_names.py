"""By what an error is known again, in another session and elsewhere."""

from __future__ import annotations

from mind_skills.observations.commands import is_check
from mind_skills.observations.errors import error_signature, names_nothing
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.staging.identity import is_specific

LONGEST = 240
"""Characters of the name of an error."""
_WORD = compile_later(r"[^\W\d_]{3,}")
_EVERY_CHECKS = frozenset(
    """build bun bundle cargo check composer ctest deno docker dotnet exec gradle jest just lint make mise mocha mvn node nox
    npm npx php phpunit pnpm poetry pytest python rake rspec ruby run task test tests tox turbo typecheck unit unittest
    verify vitest yarn""".split()
)
"""Words of checks that do not say what is checked."""
_FOLDER = compile_later(r"\S*/")


def name_of(error: str, signature: str, target: str, folded: str | None = None) -> str:
    """By what an error is known again: itself, or the check (signature, target) that it stopped; empty where neither tells.

    ``error`` is the line that names it, ``folded`` its signature where that is known.
    """
    if names_nothing(error):
        return ""
    folded = error_signature(error) if folded is None else folded
    if is_specific(folded):
        return folded
    check = f"{signature} {_FOLDER.sub('', target)}".strip()
    aimed = set(_WORD.findall(check.lower())) - _EVERY_CHECKS
    return f"{check}: {folded}"[:LONGEST] if folded and aimed and is_check(signature) else ""
