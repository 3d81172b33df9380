"""The plugin twice, or in addition to hooks in the settings: nothing is offered or counted twice."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients.lesson import LOOK, run_lesson
from tests.clients.real_claude import Claude
from tests.testkit.paths import ROOT


def install_in_settings(claude: Claude) -> None:
    claude.mind_skills("install", "claude-code")


def install_marketplace_plugin(claude: Claude) -> None:
    claude.install_from_marketplace()


def install_both(claude: Claude) -> None:
    install_in_settings(claude)
    install_marketplace_plugin(claude)


@pytest.mark.parametrize("install", [install_in_settings, install_marketplace_plugin, install_both])
def test_two_installed_copies_offer_and_count_everything_once(claude: Claude, install: Any) -> None:
    install(claude)
    claude.plugin = ROOT
    run_lesson(claude)
    assert len(claude.pending()) == 1
    claude.session("two", [LOOK], ["Nothing to do."], prompt="What is here?")
    assert claude.count_offers("two") == [1, 1]
    claude.session("again", ["Nothing."], prompt="And now?", more=claude.resume_arguments)
    assert claude.count_offers("again") == [1]
    claude.session("three", ["Nothing."], prompt="Hello?")
    assert claude.list_offers("three") == [[]]
    assert claude.list_finished() == [True] * 3
    status = claude.mind_skills("status")
    counts = [status["counts"][step] for step in ("fired", "staged", "offered", "accepted", "dismissed", "ignored")]
    assert (counts, status["loops"][0]["observed"]["count"]) == ([1, 1, 1, 0, 0, 1], 3)
    assert claude.hook_log() == ""
