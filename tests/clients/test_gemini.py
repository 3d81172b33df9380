"""The real Gemini CLI: what it writes is accepted, its switches, and compression; more in test_every_client.py."""

from __future__ import annotations

from typing import Any

import pytest

from mind_skills.observations.read import read_session
from mind_skills.settings.table import TABLE
from tests.clients.lesson import build_skill_call, stage_lesson
from tests.clients.real_gemini import Gemini


def test_a_skill_that_the_session_writes_is_accepted_and_listed_by_the_client(gemini: Gemini) -> None:
    candidate = stage_lesson(gemini)
    folder = str(TABLE["skills_dir.gemini"].default)
    path, write = build_skill_call(gemini, candidate, folder=folder)
    gemini.session("two", [write], ["Written."])
    assert path.read_text() == write["input"]["content"]
    assert f" {folder}/<name>/SKILL.md" in gemini.list_offers("two")[0][0]
    assert "Use when prices are floats." not in gemini.read_first_request("two")
    assert (gemini.pending(), gemini.history()) == ([], [(candidate, "accepted", str(path))])
    gemini.session("three", [{"tool": "activate_skill", "input": {"name": "exact-money"}}], ["Hello."])
    assert "Use when prices are floats." in gemini.read_first_request("three")
    assert gemini.list_uses() == [("exact-money", str(path), "tool", candidate)]
    assert gemini.hook_log() == ""


@pytest.mark.parametrize("switch", [{"enabled": False}, {"disabled": ["mind-skills"]}])
def test_disabled_hooks_are_skipped_and_doctor_reports_them(gemini: Gemini, switch: Any) -> None:
    gemini.change(hooksConfig=switch)
    gemini.script("one", ["Hello."])
    assert gemini.say("Hello").code == 0
    assert not gemini.state.exists()
    assert any("disables" in text for text in gemini.list_failed_checks())


def test_a_compression_adds_no_second_copy_and_its_summary_counts_as_no_message(gemini: Gemini) -> None:
    stage_lesson(gemini)
    gemini.change(model={"compressionThreshold": 0.02})
    copies: list[list[int]] = []
    for name in ("two", "three", "four", "five"):  # each answer has different words: equal ones count as a loop
        gemini.script(name, [" ".join(f"{name}{number}" for number in range(4000))])
        assert gemini.say(f"Please say {name}.", *(gemini.resume_arguments if name != "two" else ())).code == 0
        copies.append(gemini.count_offers(name))
    gemini.wait_until_settled()
    assert copies == [[1], [1], [1], [0]]
    prompts = [item for item in read_session(gemini.transcripts()[-1]).observations if item.kind == "user"]
    assert [item.text for item in prompts] == [f"Please say {name}." for name in ("two", "three", "four", "five")]
    assert (gemini.pending(), gemini.hook_log()) == ([], "")
