"""Real clients that were told to keep no log of a session: what capture put down is learned from, and told once."""

from __future__ import annotations

import json

from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import blocks, hook_log, pending, sessions, settled
from tests.clients.real_claude import Client
from tests.clients.real_codex import Codex
from tests.clients.record_capture import PROMPT, hooked

UNKEPT = "--no-session-persistence"
"""Of Claude Code; ``--ephemeral`` of Codex."""


def spools(client: Client) -> list[str]:
    return [path.name for path in (client.state / "spool" / "capture").glob("*")]


def test_claude_code_without_a_transcript_learns_and_is_told_once(claude: Client) -> None:
    write_project(claude)
    (claude.home / ".claude").mkdir(exist_ok=True)
    (claude.home / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooked("claude-code")}))
    script_lesson(claude, "one")
    assert claude.say(PROMPT, UNKEPT).code == 0
    settled(claude)
    assert [path for path in claude.transcripts() if '"assistant"' in path.read_text()] == []
    (waiting,) = pending(claude)
    assert ("injectedAt" in waiting, waiting["host"], spools(claude), hook_log(claude)) == (
        False,
        "claude-code",
        [],
        "",
    )

    claude.script("two", ["Nothing to do."])
    assert claude.say("What is here?", UNKEPT).code == 0
    settled(claude)
    (told,) = [blocks(request) for request in claude.requests("two")]
    assert waiting["id"] in told[0]
    assert [finished for _, finished in sessions(claude)] == [True, True]
    assert (pending(claude), spools(claude), hook_log(claude)) == ([], [], "")


def test_codex_without_a_rollout_learns(codex: Codex) -> None:
    write_project(codex)
    path = codex.codex_home / "hooks.json"
    hooks = json.loads(path.read_text())["hooks"]
    for event, groups in hooked("codex").items():
        hooks.setdefault(event, []).extend(groups)
    path.write_text(json.dumps({"hooks": hooks}))
    script_lesson(codex, "one")
    assert codex.say(PROMPT, "--ephemeral").code == 0
    codex.settled()
    assert codex.transcripts() == []
    (waiting,) = pending(codex)
    assert (waiting["host"], spools(codex), hook_log(codex)) == ("codex", [], "")
