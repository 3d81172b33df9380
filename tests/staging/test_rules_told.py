from __future__ import annotations

from mind_skills.detectors.model import Evidence
from mind_skills.staging.entry_text import render_entry
from mind_skills.staging.model import Candidate
from mind_skills.staging.offer import RULE_PREFIX
from tests.staging.workbench import candidate, render_offer

RULE = "never mock the database"


def rule() -> Candidate:
    said = Evidence("decision", "context", f"user: {RULE}", RULE, 4)
    return Candidate("sc_00000001", "user_rule", RULE, "the user stated a rule", "medium", "0" * 32, (said,))


def test_a_rule_is_shown_in_the_users_words_and_marked_as_theirs() -> None:
    assert render_entry(rule()) == f"{RULE_PREFIX}{RULE} [medium] sc_00000001"


def test_an_offer_names_the_instruction_files_once_if_it_has_a_rule_and_not_otherwise() -> None:
    lines = [
        row for row in render_offer([candidate("a"), rule()]).split("\n") if "CLAUDE.md, AGENTS.md or GEMINI.md" in row
    ]
    assert len(lines) == 1
    assert "GEMINI.md" not in render_offer([candidate("a")])
