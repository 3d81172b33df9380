"""The text of an offer: typed facts of episodes, what to do with them, and the line that the user sees."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mind_skills.digest.excerpts import OMITTED
from mind_skills.digest.model import Facts
from mind_skills.digest.titles import describe
from mind_skills.settings.table import WRITING_MODES
from mind_skills.staging.entry import MAX_FACTS, render_entry
from mind_skills.staging.model import APPROVED, MAX_PER_OFFER
from mind_skills.staging.offer import (
    APPROVED_LABEL,
    ASK,
    AUTO,
    CLOSING,
    MAX_OFFER_LENGTH,
    NEVER,
    OPENING,
    assemble_offer,
    count_fitting,
    describe_offer,
    estimate_tokens,
)
from tests.staging.workbench import candidate

FOUND = candidate("x")
LINE = f"  {FOUND.id} {describe(FOUND.facts)}"
LONG = "x" * 48
WIDEST = Facts(f"{LONG} " * 3, LONG, LONG, 999, 999, (LONG,) * 8, f"{LONG} " * 3, committed=True)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, LINE),
        ({"sessions": ("S", "T")}, f"{LINE}; seen in 2 sessions"),
        ({"taint": ("mcp", "web")}, f"{LINE}; rests on others' text"),
        ({"parts": {APPROVED: 1.0}}, f"{LINE}; {APPROVED_LABEL}"),
        (
            {"facts": Facts("pytest", "test_a.py", "KeyError", 2, 7, ("a.py",), "ruff", committed=True)},
            f"  {FOUND.id} pytest test_a.py: KeyError twice, then a change in a.py, ruff passes, 7 min; committed",
        ),
        ({"facts": Facts(reported=True)}, f"  {FOUND.id} a problem that the user reported"),
        ({"facts": Facts(lookups=3)}, f"  {FOUND.id} 3 look-ups"),
    ],
)
def test_an_entry_consists_of_the_facts_of_its_session_and_of_its_episode(
    changes: dict[str, object], expected: str
) -> None:
    entry = render_entry(replace(FOUND, **changes))  # type: ignore[arg-type]
    assert entry == f"claude-code 2026-01-02; 200 tokens\n{expected}"


def test_episodes_of_one_session_stand_below_its_line_and_the_instructions_follow() -> None:
    entries = ["session one\n  sc_1 a", "session two\n  sc_2 b", "session one\n  sc_3 c"]
    head, listed, instructions = assemble_offer(entries, ".agents/skills", command="/m/mind-skills").split("\n\n")
    assert head.startswith(f"{OPENING}\nEarlier sessions here left 3 episodes ")
    assert listed == "session one\n  sc_1 a\n  sc_3 c\nsession two\n  sc_2 b"
    assert instructions.endswith(f"\n{CLOSING}")
    parts = ("/m/mind-skills show ID", "show ID --lines", "/m/mind-skills dismiss", ".agents/skills/<name>/SKILL.md")
    assert [part for part in parts if part not in instructions] == []


def test_the_modes_differ_in_who_decides_and_an_approved_episode_needs_no_second_question() -> None:
    asking, alone = (assemble_offer(["s\n  sc_1 a"], writing=mode) for mode in (ASK, AUTO))
    approved = assemble_offer(["s\n  sc_1 a", f"s\n  sc_2 b; {APPROVED_LABEL}"])
    assert ["Ask the user" in text for text in (asking, alone)] == [True, False]
    assert [APPROVED_LABEL in text.split("\n\n")[2] for text in (asking, alone, approved)] == [False, False, True]
    assert WRITING_MODES == (ASK, AUTO, NEVER)


def test_an_offer_of_three_sessions_takes_350_tokens_and_none_is_longer_than_a_host_accepts() -> None:
    facts = Facts(
        "uv run pytest", "test_invoice.py", "AssertionError", 2, 4, ("invoice.py",), "uv run pytest", True, True
    )
    three = [
        render_entry(replace(FOUND, facts=facts, session_facts=f"claude-code 2026-01-0{n}, 40 min, helpful"))
        for n in (1, 2, 3)
    ]
    assert estimate_tokens(assemble_offer(three)) <= 350
    approved = replace(FOUND, facts=WIDEST, parts={APPROVED: 1.0})
    widest = [render_entry(replace(approved, session_facts=f"s{n}")) for n in range(MAX_PER_OFFER)]
    assert max(map(len, widest)) <= MAX_FACTS + 80
    assert all(entry.endswith(f"{OMITTED}; {APPROVED_LABEL}") for entry in widest)
    assert len(assemble_offer(widest, advice="a" * 400)) < MAX_OFFER_LENGTH


def test_an_offer_has_only_the_entries_that_fit_entirely() -> None:
    assert [count_fitting(["x" * 649, "x" * length, ""]) for length in (648, 649, 650)] == [3, 2, 1]


@pytest.mark.parametrize(
    ("entries", "writing", "parts"),
    [
        (["s\n  sc_1"], ASK, ("1 episode of an earlier session,", " asks you ", "`m review`")),
        (["s\n  sc_1", "s\n  sc_2"], AUTO, ("2 episodes of earlier sessions,", " writes skills ", "`m review`")),
    ],
)
def test_the_line_for_the_user_says_how_many_episodes_what_they_cost_and_how_to_decide(
    entries: list[str], writing: str, parts: tuple[str, ...]
) -> None:
    text = assemble_offer(entries, advice="AVOID: that", writing=writing)
    line = describe_offer(text, "m")
    assert [part for part in (*parts, f"about {estimate_tokens(text)} tokens") if part not in line] == []
    assert describe_offer(assemble_offer([], advice="AVOID: that")) == ""
