"""Whether a skill says when to use it in the words of another one: an agent then takes either, or neither."""

from __future__ import annotations

import os
from collections.abc import Iterator

from mind_skills.learning.skills.coverage import telling
from mind_skills.learning.skills.document import OURS, Document, Flaw

SHARED, LEAST = 0.6, 4
"""Two descriptions collide when they share this part of the shorter one's rare words, and at least so many. A word is
rare that no third description holds. Two skills about one matter in other words share about a half of them."""


def collision(doc: Document) -> Iterator[Flaw]:
    """Another skill of the same name, or with nearly the same description."""
    others = [skill for skill in doc.others if os.path.realpath(skill.path) != os.path.realpath(doc.path)]
    for skill in others:
        if skill.name == doc.folder:
            said = f"there is another skill of this name: {skill.path}"
            yield Flaw("name-taken", "warning", said, "Rename one of them: a host lists only one.", OURS)
    mine = telling([doc.said("description")])
    theirs = [(skill, telling([skill.description])) for skill in others if skill.name != doc.folder]
    for skill, words in theirs:
        common = set[str]().union(*(other for _, other in theirs if other is not words))
        shared = (mine & words) - common
        if len(shared) >= LEAST and len(shared) >= SHARED * min(len(mine - common), len(words - common)):
            said = f"its description says nearly the same as that of {skill.name}: {', '.join(sorted(shared)[:6])}"
            hint = f"Say what sets it apart, or make one of both: {skill.path}"
            yield Flaw("description-shared", "warning", said, hint, OURS, doc.line_of("description"))
