"""Whose words a candidate quotes: the agent's own, or what a tool had printed before.

A session is gone through once more, whole, where it has candidates that quote somebody: an agent repeats what it read long before
the episode, and in an output that observations keep the ends of. Text of strangers (observations/sources.py) taints all that
the agent says after it, in whatever words; any other output taints what repeats it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from mind_skills.detectors.model import Evidence
from mind_skills.observations.following import Memo
from mind_skills.observations.model import Observation, Source
from mind_skills.observations.printed import Comparison, Repeat, listening
from mind_skills.observations.sources import Scripts
from mind_skills.staging.model import OUTPUT, Candidate, is_quoted


def traced(
    candidates: list[Candidate], again: Callable[[], Iterable[Observation]], memo: Memo | None = None
) -> list[Candidate]:
    """The same candidates, with the taint of what they quote: nothing tainted is high. ``again`` reads the session from its
    beginning.

    ``memo`` is what was known at an earlier look at the same log, and what is known now: where the same is quoted from the
    same lines, it is not read again.
    """
    said = [(n, part) for n, each in enumerate(candidates) for part in each.evidence if is_quoted(part)]
    if not said:
        return candidates
    memo = {} if memo is None else memo
    asked = [(part.said_at or part.line, part.content) for _, part in said]
    if memo.get("asked") != asked:
        repeats, strangers = _compared(said, again)
        memo.update(asked=asked, repeats=[(each.runs, sorted(each.sources)) for each in repeats], strangers=strangers)
    repeats = [Repeat(list(runs), set(sources)) for runs, sources in memo["repeats"]]
    found: dict[int, list[tuple[int, bool, Repeat]]] = {}
    for (n, part), repeat in zip(said, repeats, strict=True):
        found.setdefault(n, []).append((part.said_at or part.line, part.summary.startswith("user: "), repeat))
    return [_marked(each, found.get(n, []), memo["strangers"]) for n, each in enumerate(candidates)]


def _compared(
    said: list[tuple[int, Evidence]], again: Callable[[], Iterable[Observation]]
) -> tuple[list[Repeat], dict[Source, int]]:
    comparison = Comparison([part.content for _, part in said])
    last, scripts = max(part.said_at or part.line for _, part in said), Scripts()
    with listening(comparison.feed):
        for observation in again():
            if observation.line > last:
                break
            if observation.kind == "tool" and scripts.downloads(observation):
                comparison.strangers.setdefault("web", observation.end_line)
            if observation.error:
                comparison.cite(observation.error)
    return [comparison.repeat(index) for index in range(len(said))], comparison.strangers


def _marked(candidate: Candidate, said: list[tuple[int, bool, Repeat]], strangers: Mapping[Source, int]) -> Candidate:
    taint = set[str](candidate.taint)
    runs: list[str] = []
    for line, by_user, repeat in said:
        if not by_user:
            taint |= {source for source, since in strangers.items() if since <= line}
        taint |= {source if source in strangers else OUTPUT for source in repeat.sources}
        runs += repeat.runs
    if not taint and not runs:
        return candidate
    return replace(
        candidate,
        taint=tuple(sorted(taint)),
        repeats=tuple(dict.fromkeys(runs)),
        confidence="medium" if taint and candidate.confidence == "high" else candidate.confidence,
    )
