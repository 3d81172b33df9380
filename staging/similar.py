"""When two candidates are one learning in slightly other words, although their anchors differ.

Identity (staging/identity.py) folds numbers, paths and case; what is left are a message that names another place, or the
same sentence in another order. Pure and symmetric; measured on the pairs of tests/staging/similar_pairs.py.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mind_skills.learning.skills.coverage import telling
from mind_skills.staging.model import Candidate

SHARE, LEAST = 0.75, 4
"""Two titles are alike when they share this part of all their telling words, and at least so many: titles of one learning
share .83 and more. Those of two learnings can share as much, but then they name different things; else .36 at most."""
NAMES = 0.5
"""And this part of what they name: the same message about another module is another learning."""
_PLACE = re.compile(r"\S{0,200}/\S*|:\d+\b|\d{4}-\d\d-\d\d\S*|\b0x[0-9a-f]+\b", re.IGNORECASE)
_QUOTED = re.compile(r"`([^`]{1,60})`|'([^' ]{1,60})'|\"([^\" ]{1,60})\"")
_NAMED = re.compile(r"\b(?:[A-Za-z]+[-_]?\d\w*|[A-Za-z]\w*[._]\w[\w.]*|[a-z]+[A-Z]\w*)|\b\d[\d.]*\b")


class Form(NamedTuple):
    """What of a candidate is compared: its kind, and the telling words and the names of its title."""

    kind: str
    words: set[str]
    names: set[str]


def form(candidate: Candidate) -> Form:
    """A candidate, ready to be compared with many."""
    return Form(candidate.kind, telling([candidate.title]), named(candidate.title))


def alike(one: Form, other: Form) -> bool:
    """Whether both are one learning: of one kind, with nearly the same words and names in their titles."""
    if one.kind != other.kind:
        return False
    shared = len(one.words & other.words)
    if shared < LEAST or shared < SHARE * len(one.words | other.words):
        return False
    return len(one.names & other.names) >= NAMES * len(one.names | other.names)


def named(title: str) -> set[str]:
    """What a title names: codes, numbers, identifiers, and what stands in quotes; without paths, lines and dates."""
    text = _PLACE.sub(" ", title)
    quoted = [found[found.lastindex or 0] for found in _QUOTED.finditer(text)]
    plain = [found[0] for found in _NAMED.finditer(text)]
    return {name.casefold().rstrip("().") for name in [*quoted, *plain]}
