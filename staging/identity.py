"""Exact identity: when two findings are the same learning. Near-duplicates are found in staging/similar.py.

Identity is the error and what was done about it, or without an error the cause and what was done: never time, session,
title or kind. The published plugin's titles were those of tools, and equal titles hid different learnings; one learning
looks like an error with its fix in one session and like a problem with its solution in the next.
"""

from __future__ import annotations

import unicodedata

from mind_skills.detectors.model import Evidence, FindingKind
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.text import strip

DONE = " -> "
"""In an anchor, between the error and what was done about it."""
_TELLING = 2
_NAME = compile_later(r"[\d_=@.]|^-|[^\W\d_]-[^\W\d_]")
"""In what is no plain word: a digit, a flag, a file, an identifier."""
_WORD = compile_later(r"[^\W\d_]{3,}")
_EVERYBODYS = frozenset(
    """and assertion assertionerror build code command error errors exception exit exited expected fail failed failing
    failure fatal for from has invalid job line process returned runtimeerror script status step syntaxerror task test
    tests the typeerror uncaught unexpected unhandled valueerror was with""".split()
)
"""Words of errors that say that something failed and not what."""


def normalise_text(text: str) -> str:
    """``text`` as identity sees it: compatibility forms and case folded, invisible characters gone, spaces single."""
    return " ".join(unicodedata.normalize("NFKC", strip(text)).casefold().split())


def fingerprint(
    kind: FindingKind, anchor: str, evidence: tuple[Evidence, ...] = (), *, remedy: str = "", cause: str = ""
) -> str:
    """32 hex digits: equal for the same learning. ``anchor`` is its error and what was done about it, so that the same error with
    another remedy is another learning (detectors/registry.py).

    It is empty where there was no error: then the cause and the names in the remedy count, in whatever order; where
    neither is stated, the summaries of the evidence. An error that any project could have ("task failed", "exited with code
    1") is one learning only together with the cause that was named, or else with what was changed: otherwise a single
    dismissal would silence them all.
    """
    told = [normalise_text(anchor)] if normalise_text(anchor) else [normalise_text(cause), *list_names(remedy)]
    core = "\n".join(filter(None, told)) or "\n".join(normalise_text(item.summary) for item in evidence)
    if not is_specific(core.partition(DONE)[0]):
        named = [item.summary for item in evidence if item.role in ("cause", "insight")]
        changed = sorted({item.summary for item in evidence if item.role == "change"})
        core = "\n".join([core, *map(normalise_text, named[:1] or changed)])
    return _digest(f"{family(kind)}\0{core}", 16)


def family(kind: FindingKind) -> str:
    """Kinds of one family may be the same learning: a rule that the user stated is never one with what was found out."""
    return kind if kind == "user_rule" else "learning"


def list_names(remedy: str) -> list[str]:
    """What a remedy consists of, sorted: the names of commands, flags, files and code in it, or all of its words where it names
    none.
    """
    words = list_words(remedy)
    return sorted({word for word in words if _NAME.search(word)} or words)


def list_words(remedy: str) -> set[str]:
    """The words of a remedy without whole numbers; of a path its last part."""
    pieces = [piece.strip("'\"`.,:;()") for piece in normalise_text(remedy).split()]
    return {piece.rstrip("/").rpartition("/")[2] for piece in pieces if not piece.isdigit()} - {""}


def is_specific(text: str) -> bool:
    """Whether an error says what failed, and not only that something did: two words that not every project's errors have."""
    return len(set(_WORD.findall(normalise_text(text))) - _EVERYBODYS) >= _TELLING


def candidate_id(mark: str, turn: int = 0) -> str:
    """``sc_`` and 8 hex digits for a fingerprint. ``turn`` gives another one where a project has that id already."""
    text = mark if turn == 0 else f"{mark}\0{turn}"
    return "sc_" + _digest(text, 4)


def _digest(text: str, size: int) -> str:
    from hashlib import blake2b  # which loads OpenSSL

    return blake2b(text.encode(), digest_size=size).hexdigest()
