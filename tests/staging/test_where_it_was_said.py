"""What was said behind an episode is compared with all that was read before it was said, not before the episode ended."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mind_skills.detectors.model import Evidence
from mind_skills.observations import build
from mind_skills.observations.model import Observation
from mind_skills.staging.provenance import traced
from tests.staging.workbench import candidate

WORDS = "The importer drops the header row, since the slice begins one row late."


def session(read_at: int) -> list[Observation]:
    page = build.tool(
        "WebFetch", "web", line=read_at, end_line=read_at, command="https://docs.example.test", output="x", outcome="ok"
    )
    said = build.said("assistant", WORDS, line=60)
    assert said
    return sorted([page, said], key=lambda each: each.line)


@pytest.mark.parametrize(("said_at", "read_at", "taint"), [(60, 40, ("web",)), (0, 40, ()), (60, 70, ())])
def test_strangers_text_that_was_read_before_it_was_said_taints_it(
    said_at: int, read_at: int, taint: tuple[str, ...]
) -> None:
    quote = Evidence("discovery", "insight", f"agent: {WORDS}", WORDS, 20, said_at)
    one = replace(candidate("x"), evidence=(quote,))
    (found,) = traced([one], lambda: session(read_at))
    assert found.taint == taint
