"""Two copies of Gemini CLI's hook, from its extension and from the settings, run at the same time."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.hooks import start
from mind_skills.hooks.session_state import HookCall, defer_offer, take_deferred_offer
from mind_skills.plugin import hook


def test_an_offer_that_the_other_copy_defers_meanwhile_reaches_the_first_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = str(tmp_path / "state")
    monkeypatch.setenv("MIND_SKILLS_HOME", home)
    call = HookCall("gemini", "S", str(tmp_path), "", 7, "resume")

    def meanwhile(*_: object, **__: object) -> None:
        """The other copy has claimed the offer, and defers it after this one has looked for it."""
        defer_offer(home, call, "an offer")

    monkeypatch.setattr(start, "handle_session_start", meanwhile)
    text = hook._prepare_text("start", call, None)
    assert (text, [take_deferred_offer(home, call) for _ in range(2)]) == (None, ["an offer", None])


def test_a_deferred_text_is_removed_if_a_later_start_has_nothing_to_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = str(tmp_path / "state")
    monkeypatch.setenv("MIND_SKILLS_HOME", home)
    call = HookCall("gemini", "S", str(tmp_path), "", 7, "resume")
    defer_offer(home, call, "what is open no more")
    monkeypatch.setattr(start, "handle_session_start", lambda *_, **__: None)
    assert (hook._prepare_text("start", call, None), take_deferred_offer(home, call)) == (None, None)
