"""When two candidates are one learning in slightly other words, although their anchors differ.

Identity (staging/identity.py) folds numbers, paths and case; what is left are a message that names another place, or the
same sentence in another order. Pure and symmetric; measured on the pairs of tests/staging/similar_pairs.py.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mind_skills.learning.skills.coverage import distinctive_words
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.staging.identity import family, words_of
from mind_skills.staging.model import Candidate

SHARE, LEAST = 0.75, 4
"""Two titles are alike when they share this part of all their telling words, and at least so many: titles of one learning
share .83 and more. Those of two learnings can share as much, but then they name different things; else .36 at most."""
NAMES = 0.5
"""And this part of what they name: the same message about another module is another learning."""
UNSURE, NEAR = 0.5, 1.6
"""From this part of the words on, where both name the same, memory is asked how near they are: by the pieces of their
words and by their concepts, 1 each. Of ten learnings in other words three are found so, where the words alone find none;
of the learnings that look alike on purpose the nearest two come to 1.54 (tests/staging/similar_pairs.py)."""
_PLACE = compile_later(r"\S{0,200}/\S*|:\d+\b|\d{4}-\d\d-\d\d\S*|\b0x[0-9a-f]+\b", re.IGNORECASE)
_QUOTED = compile_later(r"`([^`]{1,60})`|'([^' ]{1,60})'|\"([^\" ]{1,60})\"")
_NAMED = compile_later(r"\b(?:[A-Za-z]+[-_]?\d\w*|[A-Za-z]\w*[._]\w[\w.]*|[a-z]+[A-Z]\w*)|\b\d[\d.]*\b")


class Form(NamedTuple):
    """What of a candidate is compared: its kind, its title with the telling words and the names in it, and its remedy."""

    kind: str
    words: set[str]
    names: set[str]
    title: str = ""
    remedy: frozenset[str] = frozenset()


def form(candidate: Candidate) -> Form:
    """A candidate, ready to be compared with many."""
    remedy = frozenset(words_of(candidate.remedy))
    return Form(
        family(candidate.kind), distinctive_words([candidate.title]), named(candidate.title), candidate.title, remedy
    )


def alike(one: Form, other: Form) -> bool:
    """Whether both are one learning, with nearly the same words and names in their titles.

    Where the words leave it open, what both mean is asked as well. Two remedies that have nothing in common are two learnings.
    """
    if one.kind != other.kind or (one.remedy and other.remedy and not one.remedy & other.remedy):
        return False
    shared, every = len(one.words & other.words), len(one.words | other.words)
    if shared < LEAST or shared < UNSURE * every:
        return False
    if shared >= SHARE * every:
        return len(one.names & other.names) >= NAMES * len(one.names | other.names)
    return one.names == other.names and _near(one.title, other.title)


def _near(one: str, other: str) -> bool:
    from mind_skills.memory.features import (
        compare_features as near,  # a lexicon, which few lists of candidates have a use for
    )
    from mind_skills.memory.features import features

    return sum(near(features(one), features(other))) >= NEAR


def named(title: str) -> set[str]:
    """What a title names: codes, numbers, identifiers, and what stands in quotes; without paths, lines and dates."""
    text = _PLACE.sub(" ", title)
    quoted = [found[found.lastindex or 0] for found in _QUOTED.finditer(text)]
    plain = [found[0] for found in _NAMED.finditer(text)]
    return {name.casefold().rstrip("().") for name in [*quoted, *plain]}
