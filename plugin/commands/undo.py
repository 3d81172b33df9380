"""`mind-skills undo`: the last accept or dismiss did not happen."""

from __future__ import annotations

import click

from mind_skills.plugin import options
from mind_skills.plugin.errors import MindSkillsError


@click.command(epilog=options.examples("mind-skills undo", "mind-skills undo --project ~/code/shop"))
@options.project
@options.as_json
def command(project: str, as_json: bool) -> None:
    """Take back the last accept or dismiss in this project, whoever did it.

    The candidate is again what it was before. Run it again to take back the one before that.
    """
    from mind_skills.plugin import state
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.receipt import show

    place = chosen(project)
    with state.ledger() as ledger:
        record = ledger.undo(state.now(), place)
    if record is None:
        hint = "`mind-skills pending` lists what waits; every decision that there was has been taken back."
        raise MindSkillsError("nothing_to_undo", f"there is nothing to take back in {place.root}", hint)
    show("undone", record, as_json)
