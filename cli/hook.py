"""`mind-skills hook`: handle a session event in the way an installed hook does."""

from __future__ import annotations

import click

from mind_skills.cli import options
from mind_skills.plugin.hook import main


@options.top_level_command("mind-skills hook claude-code < payload.json")
@click.argument("host")
@click.argument("moment", required=False)
def command(host: str, moment: str | None) -> int:
    """Handle a session event as an installed hook does. The event's payload is on stdin.

    HOST is claude-code, opencode, codex, gemini or antigravity. Do not run this command by hand: it prints one JSON object or
    nothing, and always exits with 0, so that it cannot disturb the session. `mind-skills status` shows the errors of
    hooks.
    """
    return main([host, *([moment] if moment else [])])
