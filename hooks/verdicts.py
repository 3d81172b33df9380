"""What became of the candidates that a session was offered: pure, from what the session wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from mind_skills.learning.skills.coverage import covers, distinctive_words, mentions, split_passages
from mind_skills.staging.model import Candidate
from mind_skills.staging.verdicts import Verdict


def verdicts(
    candidates: Iterable[Candidate],
    skills: Mapping[str, str],
    beside: Mapping[str, str] | None = None,
    pulled: Callable[[str], bool] = lambda _: False,
) -> dict[str, Verdict]:
    """Candidate id to (verdict, path of the skill or empty).

    ``skills`` are the SKILL.md files that the session wrote: path to text, the last text of each. A skill that names
    the id comes before one that covers the candidate, so that two similar candidates do not both take one skill's name.
    ``beside`` are others that changed meanwhile, by whatever hand: of these only one that names the id counts, and of one
    that ``pulled`` says may have come with the repository only one that covers the candidate as well. Ids can be worked out.
    """
    found: dict[str, Verdict] = {}
    for candidate in candidates:
        others = {
            path: text for path, text in (beside or {}).items() if mentions(text, candidate.id) and path not in skills
        }
        own = {path: text for path, text in others.items() if not pulled(path) or _covering(candidate, {path: text})}
        path = _naming(candidate.id, {**own, **skills}) or _covering(candidate, skills)
        found[candidate.id] = ("accepted", path) if path else ("ignored", "")
    return found


def _naming(id_: str, skills: Mapping[str, str]) -> str:
    return next((path for path, text in skills.items() if mentions(text, id_)), "")


def _covering(candidate: Candidate, skills: Mapping[str, str]) -> str:
    wanted = distinctive_words(
        [candidate.title, *(item.summary for item in candidate.evidence if item.role in ("cause", "insight"))]
    )
    return next(
        (path for path, text in skills.items() if any(covers(wanted, words) for words in split_passages(text))), ""
    )
