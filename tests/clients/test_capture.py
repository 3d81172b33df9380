"""Real clients that write no session log: their sessions are learned from the spool of capture, and offered once."""

from __future__ import annotations

import json

from tests.clients.lesson import PROMPT, script_lesson, write_project
from tests.clients.real_claude import Claude
from tests.clients.real_codex import Codex
from tests.clients.record_capture import build_hooks

NO_LOG = "--no-session-persistence"
"""The option of Claude Code; ``--ephemeral`` for Codex."""


def test_claude_code_without_a_transcript_learns_and_makes_the_offer_once(claude: Claude) -> None:
    write_project(claude)
    (claude.home / ".claude").mkdir(exist_ok=True)
    (claude.home / ".claude" / "settings.json").write_text(json.dumps({"hooks": build_hooks("claude-code")}))
    script_lesson(claude)
    assert claude.say(PROMPT, NO_LOG).code == 0
    claude.wait_until_settled()
    assert [path for path in claude.transcripts() if '"assistant"' in path.read_text()] == []
    (waiting,) = claude.pending()
    assert ("injectedAt" in waiting, waiting["host"], claude.spool(), claude.hook_log()) == (
        False,
        "claude-code",
        [],
        "",
    )

    claude.session("two", ["Nothing to do."], prompt="What is here?", more=(NO_LOG,))
    (offers,) = claude.list_offers("two")
    assert waiting["id"] in offers[0]
    assert claude.list_finished() == [True, True]
    assert (claude.pending(), claude.spool(), claude.hook_log()) == ([], [], "")


def test_codex_without_a_rollout_learns(codex: Codex) -> None:
    write_project(codex)
    hooks = codex.hooks()
    for event, groups in build_hooks("codex").items():
        hooks.setdefault(event, []).extend(groups)
    codex.change(hooks=hooks)
    script_lesson(codex)
    assert codex.say(PROMPT, "--ephemeral").code == 0
    codex.wait_until_settled()
    assert codex.transcripts() == []
    (waiting,) = codex.pending()
    assert (waiting["host"], codex.spool(), codex.hook_log()) == ("codex", [], "")
