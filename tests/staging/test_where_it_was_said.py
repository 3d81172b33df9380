"""A quote from after an episode is compared with all text read before the quote, not only before the end of the episode."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mind_skills.detectors.model import Evidence
from mind_skills.observations import builders
from mind_skills.observations.model import Observation
from mind_skills.staging.provenance import mark_sources
from tests.staging.workbench import candidate

WORDS = "The importer drops the header row, since the slice begins one row late."


def page(read_at: int) -> Observation:
    return builders.build_tool_call(
        "WebFetch", "web", line=read_at, end_line=read_at, command="https://docs.example.test", output="x", outcome="ok"
    )


def session(read_at: int) -> list[Observation]:
    said = builders.build_message("assistant", WORDS, line=60)
    assert said
    return sorted([page(read_at), said], key=lambda each: each.line)


@pytest.mark.parametrize(("said_at", "read_at", "taint"), [(60, 40, ("web",)), (0, 40, ()), (60, 70, ())])
def test_a_quote_is_tainted_by_strangers_text_that_was_read_before_it_was_written(
    said_at: int, read_at: int, taint: tuple[str, ...]
) -> None:
    quote = Evidence("discovery", "insight", f"agent: {WORDS}", WORDS, 20, said_at)
    one = replace(candidate("x"), evidence=(quote,))
    (found,) = mark_sources([one], lambda: session(read_at))
    assert found.taint == taint


CAUSE = "The parser keeps the quotation marks, so that no column has the name that the query asks for."


@pytest.mark.parametrize(
    ("closing_read_at", "cause_read_at", "confidence", "said"),
    [
        (50, 0, "high", ["cause", "context"]),
        (50, 10, "medium", ["cause", "insight"]),
        (0, 0, "high", ["cause", "insight"]),
    ],
    ids=["closing words tainted", "cause and closing words tainted", "nothing tainted"],
)
def test_tainted_closing_words_are_left_out_so_that_an_untainted_candidate_stays_high(
    closing_read_at: int, cause_read_at: int, confidence: str, said: list[str]
) -> None:
    cause = Evidence("discovery", "cause", f"agent: {CAUSE}", CAUSE, 15)
    closing = Evidence("discovery", "insight", f"agent: {WORDS}", WORDS, 20, 60)
    one = replace(candidate("x"), evidence=(cause, closing), cause=f"{CAUSE} … {WORDS}", title=WORDS, confidence="high")
    (found,) = mark_sources([one], lambda: [page(at) for at in (cause_read_at, closing_read_at) if at])
    assert (found.confidence, [part.role for part in found.evidence]) == (confidence, said)
    left_out = said[1] == "context"
    assert (WORDS in repr(found), found.title) == (not left_out, CAUSE if left_out else WORDS)
