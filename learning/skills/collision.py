"""Whether a skill says when to use it in the words of another one: an agent then takes either, or neither."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from mind_skills.learning.skills.coverage import telling
from mind_skills.learning.skills.document import OURS, Document, Flaw

SHARED, LEAST = 0.6, 4
"""Two descriptions collide when they share this part of the shorter one's rare words, and at least so many. A word is
rare that no third description holds. Two skills about one matter in other words share about a half of them."""


@lru_cache(maxsize=1024)  # each skill of a folder is compared with all others
def _words(description: str) -> frozenset[str]:
    return frozenset(telling([description]))


def collision(doc: Document) -> Iterator[Flaw]:
    """Another skill of the same name, or with nearly the same description."""
    others = [skill for skill in doc.others if os.path.realpath(skill.path) != os.path.realpath(doc.path)]
    for skill in others:
        if skill.name == doc.folder:
            said = f"there is another skill of this name: {skill.path}"
            yield Flaw("name-taken", "warning", said, "Rename one of them: a host lists only one.", OURS)
    mine = telling([doc.said("description")])
    theirs = [(skill, _words(skill.description)) for skill in others if skill.name != doc.folder]
    count = Counter(word for _, words in theirs for word in words)
    for skill, words in theirs:
        common = {word for word in mine | words if count[word] > (word in words)}
        shared = (mine & words) - common
        if len(shared) >= LEAST and len(shared) >= SHARED * min(len(mine - common), len(words - common)):
            said = f"its description says nearly the same as that of {skill.name}: {', '.join(sorted(shared)[:6])}"
            hint = f"Say what sets it apart, or make one of both: {skill.path}"
            yield Flaw("description-shared", "warning", said, hint, OURS, doc.line_of("description"))
