"""`mind-skills hook`: what a host starts at a moment of a session."""

from __future__ import annotations

import click

from mind_skills.cli import options


@options.command("mind-skills hook claude-code < payload.json")
@click.argument("host")
@click.argument("moment", required=False)
def command(host: str, moment: str | None) -> int:
    """Called by a host at a moment of a session, with that host's payload on stdin.

    HOST is claude-code, opencode, codex or gemini. Not for people: it prints one JSON object or nothing, and its exit
    code is always 0, so that it can never disturb the session that it watches. What went wrong is shown by
    `mind-skills status`.
    """
    from mind_skills.plugin.hook import main

    return main([host, *([moment] if moment else [])])
