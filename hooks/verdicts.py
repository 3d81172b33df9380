"""What became of the candidates that a session was offered: pure, from what the session wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from mind_skills.staging.model import Candidate
from mind_skills.staging.verdicts import Verdict

SHARE, LEAST = 0.6, 5
"""A skill covers a candidate when it holds this share of the candidate's telling words, and at least so many: two
texts about one matter share most of them, two about one code base a third (a skill that names the id needs neither)."""
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{3,}")
_COMMON = frozenset(
    "about after again against also before because been being cause could does error failed failing file files fixed from have into"
    " just line made more only other should some still test tests than that their them then there these they this turns"
    " when where which while will with without would your".split()
)


def verdicts(
    candidates: Iterable[Candidate], skills: Mapping[str, str], beside: Mapping[str, str] | None = None
) -> dict[str, Verdict]:
    """Candidate id to (verdict, path of the skill or empty).

    ``skills`` are the SKILL.md files that the session wrote: path to text, the last text of each. A skill that names
    the id comes before one that covers the candidate, so that two similar candidates do not both take one skill's name.
    ``beside`` are others that changed meanwhile, by whatever hand: of these only one that names the id counts.
    """
    found: dict[str, Verdict] = {}
    for candidate in candidates:
        path = _naming(candidate.id, {**(beside or {}), **skills}) or _covering(candidate, skills)
        found[candidate.id] = ("accepted", path) if path else ("ignored", "")
    return found


def _naming(id_: str, skills: Mapping[str, str]) -> str:
    return next((path for path, text in skills.items() if re.search(rf"(?<!\w){re.escape(id_)}(?!\w)", text)), "")


def _covering(candidate: Candidate, skills: Mapping[str, str]) -> str:
    wanted = telling(
        [candidate.title, *(item.summary for item in candidate.evidence if item.role in ("cause", "insight"))]
    )
    for path, text in skills.items():
        shared = wanted & telling([text])
        if len(shared) >= LEAST and len(shared) >= SHARE * len(wanted):
            return path
    return ""


def telling(texts: Sequence[str]) -> set[str]:
    """The words of at least four letters that are not everybody's, lower case."""
    return {word for text in texts for word in _WORD.findall(text.lower())} - _COMMON
