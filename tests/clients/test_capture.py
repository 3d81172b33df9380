"""Real clients that were told to keep no log of a session: what capture put down is learned from, and told once."""

from __future__ import annotations

import json

from tests.clients.lesson import PROMPT, script_lesson, write_project
from tests.clients.real_claude import Claude
from tests.clients.real_codex import Codex
from tests.clients.record_capture import hooked

UNKEPT = "--no-session-persistence"
"""Of Claude Code; ``--ephemeral`` of Codex."""


def test_claude_code_without_a_transcript_learns_and_makes_the_offer_once(claude: Claude) -> None:
    write_project(claude)
    (claude.home / ".claude").mkdir(exist_ok=True)
    (claude.home / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooked("claude-code")}))
    script_lesson(claude)
    assert claude.say(PROMPT, UNKEPT).code == 0
    claude.settled()
    assert [path for path in claude.transcripts() if '"assistant"' in path.read_text()] == []
    (waiting,) = claude.pending()
    assert ("injectedAt" in waiting, waiting["host"], claude.spool(), claude.hook_log()) == (
        False,
        "claude-code",
        [],
        "",
    )

    claude.session("two", ["Nothing to do."], prompt="What is here?", more=(UNKEPT,))
    (told,) = claude.told("two")
    assert waiting["id"] in told[0]
    assert claude.finished() == [True, True]
    assert (claude.pending(), claude.spool(), claude.hook_log()) == ([], [], "")


def test_codex_without_a_rollout_learns(codex: Codex) -> None:
    write_project(codex)
    hooks = codex.hooks()
    for event, groups in hooked("codex").items():
        hooks.setdefault(event, []).extend(groups)
    codex.change(hooks=hooks)
    script_lesson(codex)
    assert codex.say(PROMPT, "--ephemeral").code == 0
    codex.settled()
    assert codex.transcripts() == []
    (waiting,) = codex.pending()
    assert (waiting["host"], codex.spool(), codex.hook_log()) == ("codex", [], "")
