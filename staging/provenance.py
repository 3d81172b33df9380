"""Determine the sources of quoted text: the agent itself, or earlier tool output.

If a session's candidates contain quotes, its log is read a second time from the start: an agent may repeat what it read
long before the episode, or a part of an output that observations do not store. Untrusted text (observations/sources.py)
taints everything that the agent writes after it, however it is worded; other output taints the text that repeats it.

A tainted candidate is at most medium. A high candidate remains high if all its tainted quotes are the agent's, from
outside the episode, and its first cause is untainted: those quotes are then removed from evidence, cause and title.
Otherwise the candidate keeps all quotes and is labelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from mind_skills.detectors.model import Evidence
from mind_skills.observations.incremental import CallerData
from mind_skills.observations.model import Observation, Source
from mind_skills.observations.repetition import Repetition, RepetitionSearch, listen_to_texts
from mind_skills.observations.sources import DownloadScriptTracker
from mind_skills.staging.model import MAX_TITLE_LENGTH, TOOL_OUTPUT_TAINT, Candidate, clean_line, is_quoted
from mind_skills.staging.quote import CAUSE_SEPARATOR, is_stated

OMISSION_NOTE = "omitted: it may repeat text written by others"
"""Replaces a quote in the evidence. The line of the item remains, because it may delimit the episode."""


def mark_sources(
    candidates: list[Candidate], read_again: Callable[[], Iterable[Observation]], memo: CallerData | None = None
) -> list[Candidate]:
    """Return the candidates with the taint of their quotes added. ``read_again`` reads the session from the start.

    ``memo`` stores the result for the next analysis of the same log; the log is not read again if the quotes and their
    lines are unchanged.
    """
    quotes = [(number, part) for number, each in enumerate(candidates) for part in each.evidence if is_quoted(part)]
    if not quotes:
        return candidates
    memo = {} if memo is None else memo
    quote_lines = [(_get_line(part), part.content) for _, part in quotes]
    if memo.get("asked") != quote_lines:
        repeats, untrusted_since = _compare(quote_lines, read_again)
        memo.update(
            asked=quote_lines,
            repeats=[(each.runs, sorted(each.sources)) for each in repeats],
            strangers=untrusted_since,
        )
    quotes_by_candidate: dict[int, list[tuple[Evidence, Repetition]]] = {}
    for (number, part), (runs, sources) in zip(quotes, memo["repeats"], strict=True):
        quotes_by_candidate.setdefault(number, []).append((part, Repetition(list(runs), set(sources))))
    return [
        _mark_candidate(each, quotes_by_candidate.get(number, []), memo["strangers"])
        for number, each in enumerate(candidates)
    ]


def _get_line(part: Evidence) -> int:
    return part.statement_line or part.line


def _compare(
    quote_lines: Sequence[tuple[int, str]], read_again: Callable[[], Iterable[Observation]]
) -> tuple[list[Repetition], dict[Source, int]]:
    """Compare quotes (line, text) with earlier tool output. Also return the first line of untrusted text from each source."""
    comparison = RepetitionSearch([text for _, text in quote_lines])
    last_line, scripts = max(line for line, _ in quote_lines), DownloadScriptTracker()
    with listen_to_texts(comparison.add_text):
        for observation in read_again():
            if observation.line > last_line:
                break
            if observation.kind == "tool" and scripts.runs_download(observation):
                comparison.untrusted_sources.setdefault("web", observation.end_line)
            if observation.error:
                comparison.add_error_line(observation.error)
    return [comparison.find_repetition(index) for index in range(len(quote_lines))], comparison.untrusted_sources


def _mark_candidate(
    candidate: Candidate, quotes: Sequence[tuple[Evidence, Repetition]], untrusted_since: Mapping[Source, int]
) -> Candidate:
    tainted: list[Evidence] = []
    taint = set[str](candidate.taint)
    for part, repeat in quotes:
        sources: set[str] = {source if source in untrusted_since else TOOL_OUTPUT_TAINT for source in repeat.sources}
        if not _is_by_user(part):
            sources |= {source for source, since in untrusted_since.items() if since <= _get_line(part)}
        taint |= sources
        tainted += [part] if sources else []
    runs = tuple(dict.fromkeys(run for _, repeat in quotes for run in repeat.runs))
    if candidate.confidence == "high" and tainted and (untainted := _drop_quotes(candidate, tainted)):
        return replace(untainted, repeats=runs)
    confidence = "medium" if taint and candidate.confidence == "high" else candidate.confidence
    return replace(candidate, taint=tuple(sorted(taint)), repeats=runs, confidence=confidence)


def _drop_quotes(candidate: Candidate, tainted: Sequence[Evidence]) -> Candidate | None:
    """Return the candidate without the ``tainted`` quotes.

    Return None if one of them is from the user or the episode itself, or if the first cause, or all evidence of causes,
    would be lost.
    """
    if any(_is_by_user(part) or not part.statement_line for part in tainted):
        return None
    evidence = tuple(
        Evidence(part.type, "context", OMISSION_NOTE, "", part.line) if part in tainted else part
        for part in candidate.evidence
    )
    remaining, dropped = replace(candidate, evidence=evidence), replace(candidate, evidence=tuple(tainted))
    causes = candidate.cause.split(CAUSE_SEPARATOR)
    remaining_causes = [text for text in causes if is_stated(remaining, text)]
    if remaining_causes[:1] != causes[:1] or not any(part.role == "cause" for part in evidence):
        return None
    same_title = remaining_causes == causes and not is_stated(dropped, candidate.title)
    title = candidate.title if same_title else clean_line(remaining_causes[0], MAX_TITLE_LENGTH)
    return replace(remaining, cause=CAUSE_SEPARATOR.join(remaining_causes), title=title)


def _is_by_user(part: Evidence) -> bool:
    return part.summary.startswith("user: ")
