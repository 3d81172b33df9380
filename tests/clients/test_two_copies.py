"""The plugin twice, or beside hooks in the settings: nothing is told twice, and nothing is counted twice."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients.lesson import LOOK, learns
from tests.clients.real_claude import Claude
from tests.testkit.paths import ROOT


def settings(claude: Claude) -> None:
    claude.mind_skills("install", "claude-code")


def marketplace(claude: Claude) -> None:
    claude.from_marketplace()


def both(claude: Claude) -> None:
    settings(claude)
    marketplace(claude)


@pytest.mark.parametrize("beside", [settings, marketplace, both])
def test_two_installed_copies_offer_and_count_everything_once(claude: Claude, beside: Any) -> None:
    beside(claude)
    claude.plugin = ROOT
    learns(claude)
    assert len(claude.pending()) == 1
    claude.session("two", [LOOK], ["Nothing to do."], prompt="What is here?")
    assert claude.copies("two") == [1, 1]
    claude.session("again", ["Nothing."], prompt="And now?", more=claude.resumed)
    assert claude.copies("again") == [1]
    claude.session("three", ["Nothing."], prompt="Hello?")
    assert claude.told("three") == [[]]
    assert claude.finished() == [True] * 3
    status = claude.mind_skills("status")
    counts = [status["counts"][step] for step in ("fired", "staged", "offered", "accepted", "dismissed", "ignored")]
    assert (counts, status["loops"][0]["observed"]["count"]) == ([1, 1, 1, 0, 0, 1], 3)
    assert claude.hook_log() == ""
