"""The commands of `mind-skills memory` that give records away, take them in, vouch for them and forget them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mind_skills.cli import options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mind_skills.cli.memory_report import MemoryChangeReport
    from mind_skills.memory.model import Record


@click.command(
    "export",
    epilog=options.examples(
        "mind-skills memory export learned.jsonl", "mind-skills memory export learned.jsonl --all-projects"
    ),
)
@click.argument("file", required=False, default="", type=click.Path(dir_okay=False))
@click.option("--all-projects", is_flag=True, help="The records of other projects as well.")
@options.project
@options.as_json
def export(file: str, all_projects: bool, project: str, as_json: bool) -> None:
    """Write the records of this project, and those for every project, to FILE, one a line, or print them.

    Secrets are taken out, your home folder is written ~, and projects, sessions and counts stay here.
    """
    import os

    from mind_skills.cli.memory_exchange import lines, travelling, write
    from mind_skills.cli.memory_report import MemoryExportReport
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import count, emit, line, path_text
    from mind_skills.tasks import memories

    where = choose_project(project)
    with memories.open_memory(where.root) as memory:
        records = [each for each in memory.store.all() if all_projects or each.project in ("", where.id)]
    if file:
        number = write(file, records)
        said = f"Wrote {count(number, 'record')} to {path_text(file)}."
        changed("exported", number, as_json, text=said, file=file)
        return
    home = os.path.expanduser("~")
    report = MemoryExportReport(records=[travelling(each, home) for each in records] if as_json else [])
    emit(report, as_json, lambda: line("\n".join(lines(records))))


@click.command(
    "import",
    epilog=options.examples(
        "mind-skills memory import learned.jsonl", "mind-skills memory import learned.jsonl --everywhere"
    ),
)
@click.argument("file", type=click.Path())
@click.option("--everywhere", is_flag=True, help="For every project, not this one alone.")
@options.project
@options.as_json
def import_(file: str, everywhere: bool, project: str, as_json: bool) -> None:
    """Take in the records of FILE, which `memory export` wrote.

    They stand in quarantine: no agent is told of them, and `memory query` shows them with --untrusted alone, until you
    have read them and say `memory trust`.
    """
    from mind_skills.cli.memory_exchange import read
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import count
    from mind_skills.tasks import memories

    where = choose_project(project)
    found, problems, skipped = read(file, "" if everywhere else where.id)
    with memories.open_memory(where.root) as memory:
        new = [each for each in found if memory.store.get(each.id) is None]  # one that was vouched for stays so
        memory.store.store_all(new)
    ids = list(dict.fromkeys(each.id for each in new))
    said = f"{count(len(ids), 'record')} in quarantine; `mind-skills memory query TEXT --untrusted` shows them."
    changed("imported", len(ids), as_json, text=said, ids=ids, problems=problems, skipped=skipped, file=file)


@click.command("trust", epilog=options.examples("mind-skills memory trust import-0f3a"))
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@options.project
@options.as_json
def trust(ids: tuple[str, ...], project: str, as_json: bool) -> None:
    """Vouch for records that were imported, or stored for every project: they leave the quarantine.

    An ID may be shortened. Read them first: from then on agents are told of them. An agent cannot say it.
    """
    from dataclasses import replace

    from mind_skills.memory.model import QUARANTINE
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import count
    from mind_skills.tasks import memories
    from mind_skills.tasks.caller import refuse_agents

    where = choose_project(project)
    refuse_agents(where)
    with memories.open_memory(where.root) as memory:
        named = _named(memory.store.all(), ids, where.id)
        memory.store.store_all(
            replace(each, taint=",".join(part for part in each.taint.split(",") if part != QUARANTINE))
            for each in named
            if each.quarantined
        )
    done = [each.id for each in named if each.quarantined]
    changed("trusted", len(done), as_json, text=f"{count(len(done), 'record')} left the quarantine.", ids=done)


@click.command("forget", epilog=options.examples("mind-skills memory forget memo-0f3a"))
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@options.project
@options.as_json
def forget(ids: tuple[str, ...], project: str, as_json: bool) -> None:
    """Forget records for good. An ID may be shortened."""
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import count
    from mind_skills.tasks import memories

    where = choose_project(project)
    with memories.open_memory(where.root) as memory:
        gone = [each.id for each in _named(memory.store.all(), ids, where.id)]
        for each in gone:
            memory.store.remove(each)
    changed("forgotten", len(gone), as_json, text=f"Forgot {count(len(gone), 'record')}.", ids=gone)


def _named(records: Sequence[Record], ids: Sequence[str], project: str) -> list[Record]:
    """The records of these ids, which may be shortened, of a project (its id) or of none.

    Raises MindSkillsError, OtherProjectError.
    """
    from mind_skills.errors import MindSkillsError
    from mind_skills.errors.ledger import OtherProjectError

    found: dict[str, Record] = {}
    for each in ids:
        like = [record for record in records if each and record.id.startswith(each)]
        here = [record for record in like if record.project in ("", project)]
        near = [record for record in here if record.id == each] or here
        if like and not here:
            raise OtherProjectError(each)
        if len(near) != 1:
            what = "no record" if not near else f"{len(near)} records"
            hint = "`mind-skills memory query` shows the ids; those of imported records with --untrusted."
            raise MindSkillsError("unknown_record", f"there is {what} of the id {each}", hint)
        found[near[0].id] = near[0]
    return list(found.values())


def changed(action: str, number: int, as_json: bool, *, text: str, **more: object) -> None:
    """Print what was done to how many records, under the fields of MemoryChangeReport."""
    from mind_skills.cli.memory_report import MemoryChangeReport
    from mind_skills.output.text import emit, line, note

    empty: dict[str, object] = {"ids": [], "skipped": 0, "problems": [], "file": ""}
    report: MemoryChangeReport = MemoryChangeReport.of({"action": action, "records": number} | empty | more)
    if report.skipped:
        note(f"{report.skipped} could not be taken:")
    for problem in report.problems:
        note(problem)
    emit(report, as_json, lambda: line(text))
