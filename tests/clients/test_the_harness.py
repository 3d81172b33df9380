"""The harness itself: what the scripted model says is what the client does."""

from __future__ import annotations

from tests.clients.real_claude import Client


def test_the_scripted_model_drives_the_real_client(claude: Client) -> None:
    claude.plugin = None
    claude.script(
        "one", [{"tool": "Bash", "input": {"command": "echo hello > there.txt", "description": "write"}}], ["All done."]
    )
    ran = claude.say("write a file")
    assert (ran.code, ran.reply["result"]) == (0, "All done.")
    assert (claude.project / "there.txt").read_text() == "hello\n"
    assert len(claude.requests("one")) == 2
