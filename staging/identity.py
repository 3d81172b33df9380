"""Compute the identity of learnings. Near-duplicates are found in staging/similar.py.

The identity is the error and its remedy or, without an error, the cause and the remedy. Time, session, title and kind
are not part of it, except that a rule of the user never equals another learning. Different learnings may have the same
title, and one learning may be of different kinds: an error with its fix in one session, a problem with its solution in
the next.
"""

from __future__ import annotations

import unicodedata

from mind_skills.detectors.model import Evidence, FindingKind
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.text import strip_controls

ANCHOR_SEPARATOR = " -> "
"""Separates the error and the remedy in an anchor."""
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


def normalise_text(text: str) -> str:
    """Normalise ``text`` for comparison: NFKC, case folding, no invisible characters, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", strip_controls(text)).casefold().split())


def compute_fingerprint(
    kind: FindingKind, anchor: str, evidence: tuple[Evidence, ...] = (), *, remedy: str = "", cause: str = ""
) -> str:
    """Return 32 hex digits that are equal for the same learning.

    ``anchor`` is the error and its remedy (detectors/registry.py), so one error with two remedies is two learnings. If
    it is empty, there was no error: the cause and the sorted names in the remedy are used, or the summaries of the
    evidence if neither is stated. If the text is generic ("task failed", "exited with code 1"), the first stated cause or,
    without one, the changes are added; otherwise one dismissal would suppress all learnings from that error.
    """
    parts = [normalise_text(anchor)] if normalise_text(anchor) else [normalise_text(cause), *list_names(remedy)]
    core = "\n".join(filter(None, parts)) or "\n".join(normalise_text(item.summary) for item in evidence)
    if not is_specific(core.partition(ANCHOR_SEPARATOR)[0]):
        causes = [item.summary for item in evidence if item.role in ("cause", "insight")]
        changes = sorted({item.summary for item in evidence if item.role == "change"})
        core = "\n".join([core, *map(normalise_text, causes[:1] or changes)])
    return digest_text(f"{get_family(kind)}\0{core}", 16)


def get_family(kind: FindingKind) -> str:
    """Return ``user_rule`` for rules of the user and ``learning`` for all other kinds; the two are never one learning."""
    return kind if kind == "user_rule" else "learning"


def list_names(remedy: str) -> list[str]:
    """List the names in a remedy, sorted: commands, flags, files and code; all of its words if it has no names."""
    words = list_words(remedy)
    return sorted({word for word in words if _NAME.search(word)} or words)


def list_words(remedy: str) -> set[str]:
    """Return the words of a remedy without integers; a path is reduced to its last part."""
    pieces = [piece.strip("'\"`.,:;()") for piece in normalise_text(remedy).split()]
    return {piece.rstrip("/").rpartition("/")[2] for piece in pieces if not piece.isdigit()} - {""}


def is_specific(text: str) -> bool:
    """Return whether the text of an error identifies what failed: at least two different words are not generic."""
    return len(set(_WORD.findall(normalise_text(text))) - _GENERIC_WORDS) >= _MIN_SPECIFIC_WORDS


def build_candidate_id(fingerprint: str, attempt: int = 0) -> str:
    """Return the candidate id for a fingerprint: ``sc_`` and 8 hex digits. If it is taken, the caller tries the next ``attempt``."""
    text = fingerprint if attempt == 0 else f"{fingerprint}\0{attempt}"
    return "sc_" + digest_text(text, 4)


def digest_text(text: str, size: int) -> str:
    """Return ``2 * size`` hex digits that identify ``text``."""
    from hashlib import blake2b  # imported here because it loads OpenSSL

    return blake2b(text.encode(), digest_size=size).hexdigest()
