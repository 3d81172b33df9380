"""`mind-skills pin`: a strategy stays where it is, whatever later sessions say."""

from __future__ import annotations

import click

from mind_skills.cli import options


@click.command(
    epilog=options.examples("mind-skills pin split-by-feature", "mind-skills pin split-by-feature --off"),
)
@click.argument("pattern", metavar="ID")
@click.option("--off", is_flag=True, help="Let its votes move it again.")
@options.project
@options.as_json
def command(pattern: str, off: bool, project: str, as_json: bool) -> None:
    """Hold a strategy in the state that it has, whatever later sessions say.

    ID is as in `mind-skills patterns`. `mind-skills undo` takes it back.
    """
    from mind_skills.cli.open_patterns import opened
    from mind_skills.cli.patterns import show
    from mind_skills.output import state
    from mind_skills.output.state import choose_project

    now = state.now()
    with opened(choose_project(project)) as patterns:
        found = patterns.named(pattern.removeprefix("anti-"))
        patterns.credit.pin(found.pattern.id, now=now, pinned=not off)
        patterns.changed(now)
        name = found.pattern.id.rpartition("/")[2]
        show(patterns.project.root, [each for each in patterns.listed(now) if each.id == name], as_json)
