"""Compute the identity of learnings, and compare learnings of different identity that may be near-duplicates.

The identity is the error and its remedy or, without an error, the cause and the remedy. Time, session, title and kind
are not part of it, except that a rule of the user never equals another learning. Different learnings may have the same
title, and one learning may be of different kinds: an error with its fix in one session, a problem with its solution in
the next.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from mind_skills.detectors.model import Evidence, FindingKind
from mind_skills.learning.skills.files import extract_distinctive_words
from mind_skills.observations.commands import is_check
from mind_skills.observations.results import build_error_signature, is_runner_message
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.text import strip_controls
from mind_skills.staging.model import Candidate
from mind_skills.store.project import digest_text

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


# -- near-duplicates ---------------------------------------------------------------------------------------------------

# Candidates with different fingerprints that describe one learning in similar words: messages about another location, and
# statements in another order. The comparison is symmetric and was measured on the pairs in tests/staging/similar_pairs.py.

MIN_WORD_SHARE, MIN_WORDS = 0.75, 4
"""Minimum share and number of distinctive words that two titles have in common. Titles of one learning in nearly the
same words share at least .83; those of two learnings share at most .58 unless they name different things."""
MIN_NAME_SHARE = 0.5
"""Minimum share of names in common: the same message about another module is another learning."""
MEMORY_WORD_SHARE, MIN_SIMILARITY = 0.5, 1.6
"""Titles with equal names that share fewer words, but at least ``MEMORY_WORD_SHARE``, are alike if their similarity as computed
by memory/features.py (word pieces plus concepts, each at most 1) reaches ``MIN_SIMILARITY``. This finds 3 of 10 reworded
learnings, none of which is found by words alone; the closest pair of different learnings reaches 1.53
(tests/staging/similar_pairs.py)."""
_PLACE = compile_lazily(r"\S{0,200}/\S*|:\d+\b|\d{4}-\d\d-\d\d\S*|\b0x[0-9a-f]+\b", re.IGNORECASE)
_QUOTED_NAME = compile_lazily(r"`([^`]{1,60})`|'([^' ]{1,60})'|\"([^\" ]{1,60})\"")
_NAMED = compile_lazily(r"\b(?:[A-Za-z]+[-_]?\d\w*|[A-Za-z]\w*[._]\w[\w.]*|[a-z]+[A-Z]\w*)|\b\d[\d.]*\b")


class ComparisonKey(NamedTuple):
    """The compared parts of a candidate: its family (``kind``), its title with its distinctive words and names, and its remedy's words."""

    kind: str
    words: set[str]
    names: set[str]
    title: str = ""
    remedy: frozenset[str] = frozenset()


def extract_comparison_key(candidate: Candidate) -> ComparisonKey:
    remedy = frozenset(list_words(candidate.remedy))
    return ComparisonKey(
        get_family(candidate.kind),
        extract_distinctive_words([candidate.title]),
        extract_names(candidate.title),
        candidate.title,
        remedy,
    )


def are_alike(one: ComparisonKey, other: ComparisonKey) -> bool:
    """Return whether two candidates are one learning: their titles have nearly the same words and names.

    If the words are inconclusive, the meanings are compared. Remedies without a common word indicate two learnings.
    """
    if one.kind != other.kind or (one.remedy and other.remedy and not one.remedy & other.remedy):
        return False
    shared, total = len(one.words & other.words), len(one.words | other.words)
    if shared < MIN_WORDS or shared < MEMORY_WORD_SHARE * total:
        return False
    if shared >= MIN_WORD_SHARE * total:
        return len(one.names & other.names) >= MIN_NAME_SHARE * len(one.names | other.names)
    return one.names == other.names and _has_similar_meaning(one.title, other.title)


def _has_similar_meaning(one: str, other: str) -> bool:
    # Imported here because it loads a lexicon, which few comparisons need.
    from mind_skills.memory.features import compare_features, extract_features

    return sum(compare_features(extract_features(one), extract_features(other))) >= MIN_SIMILARITY


def extract_names(title: str) -> set[str]:
    """Return the codes, numbers, identifiers and quoted words in a title, without paths, line numbers and dates."""
    text = _PLACE.sub(" ", title)
    quoted = [found[found.lastindex or 0] for found in _QUOTED_NAME.finditer(text)]
    plain = [found[0] for found in _NAMED.finditer(text)]
    return {name.casefold().rstrip("().") for name in [*quoted, *plain]}
