"""Why a candidate stands where it stands: the parts of its rank, each with a sentence."""

from __future__ import annotations

from mind_skills.plugin.why_report import PartReport
from mind_skills.staging.merge import rank, recurrence
from mind_skills.staging.model import Candidate
from mind_skills.staging.select import COST, COSTLY

_KINDS = {
    "problem_solution": "A problem that somebody named, with what solved it.",
    "error_fix": "An error with the change that ended it: exact, and easy to recognise.",
    "deep_investigation": "A long search in one place: what was found would take as long again.",
    "non_obvious": "Something that was not obvious: without a failure and a cure, easier to misread.",
}
_YES_NO = {
    "verified": ("A check that failed before passed after the change.", "No check confirmed it."),
    "insight": ("Somebody put the cause into words.", "Nobody put the cause into words."),
    "user": ("The user brought it up.", "The user did not bring it up."),
}


def parts(candidate: Candidate) -> list[PartReport]:
    """Every part of the rank, in the order in which people ask; their sum is the rank (staging/merge.py)."""
    found = candidate.parts
    names = ["kind", "verified", "insight", "user", "cost", "taint"]
    rows = [(name, found.get(name, 0.0)) for name in names]
    rows.append(("recurrence", round(recurrence(candidate), 3)))
    rows += [(name, found.get(name, 0.0)) for name in ("novelty", "history")]
    rows += [(name, value) for name, value in found.items() if name not in dict(rows)]
    if rest := round(rank(candidate) - sum(value for _, value in rows), 3):
        rows.append(("other", rest))
    return [PartReport(name=name, value=value, text=_text(name, value, candidate)) for name, value in rows]


def _text(name: str, value: float, candidate: Candidate) -> str:
    if name in _YES_NO:
        return _YES_NO[name][0 if value else 1]
    if name == "kind":
        return _KINDS.get(candidate.kind, candidate.kind)
    if name == "cost":
        steps = round(value / COST * COSTLY)
        return (
            f"It took {COSTLY} steps or more."
            if steps >= COSTLY
            else f"It took about {steps} steps; {COSTLY} count in full."
        )
    if name == "taint":
        return (
            f"It rests on what anybody may have written: {', '.join(candidate.taint)}."
            if value
            else "It rests on nothing from outside."
        )
    if name == "recurrence":
        seen = len(candidate.sessions)
        return (
            f"It was seen in {seen} sessions." if seen > 1 else "It was seen in one session; each further one counts."
        )
    if name == "criterion":
        return "Of what this detector found before, some was dismissed."
    if name == "doubt":
        return "A version that it rests on has changed since."
    if name == "novelty":
        return (
            "An installed skill says a part of it." if value else "No installed skill says any of it that would count."
        )
    if name == "history":
        return "A session was told of it before, and made nothing of it." if value else "It was never told in vain."
    return "Another version of mind-skills counted it so."
