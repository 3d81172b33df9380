"""`mind-skills memory`: what was learned, found by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from mind_skills.plugin import options
from mind_skills.plugin.group import SuggestingGroup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mind_skills.memory.model import Kind, Record
    from mind_skills.plugin.memory_report import MemoryChangeReport

KINDS = ("pattern", "anti_pattern", "learning", "episode")
"""As in memory/model.py, which the start of the command line does not import; a test compares."""
MOST = 100
WIDTH = 100


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Keep what was learned where it can be found by meaning, and find it.

    What becomes a skill, the strategies of sessions and their warnings, and how past sessions went come here by
    themselves. `mind-skills plan` asks it before a task.
    """


@command.command(
    "store",
    epilog=options.examples(
        'mind-skills memory store "Pin the base image by digest; the tag moves" --task "make the build repeatable"',
        'mind-skills memory store "AVOID: one worker per file" --kind anti_pattern --failed --everywhere',
        "mind-skills memory store - --json < notes.txt",
    ),
)
@click.argument("text")
@click.option("--task", default="", metavar="TEXT", help="The task that led to it, in the words of who asked for it.")
@click.option("--kind", type=click.Choice(KINDS), default="learning", show_default=True, help="What it is.")
@click.option("--task-id", default="", metavar="ID", help="The id of that task.")
@click.option("--success/--failed", "success", default=None, help="How that task came out.")
@click.option("--id", "record_id", default="", metavar="ID", help="Its id: takes the place of the record that has it.")
@click.option("--everywhere", is_flag=True, help="For every project, not this one alone.")
@options.project
@options.as_json
def store(
    text: str,
    task: str,
    kind: str,
    task_id: str,
    success: bool | None,
    record_id: str,
    everywhere: bool,
    project: str,
    as_json: bool,
) -> None:
    """Store TEXT; - reads it from stdin. The same text again changes nothing."""
    from mind_skills.plugin import memories, state
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.memory_report import MemoryRecordReport, MemoryStoreReport, fields
    from mind_skills.plugin.output import emit, line

    where = chosen(project)
    with memories.opened(where.root) as memory:
        record = memories.by_hand(
            _given(text),
            kind=cast("Kind", kind),
            task=task,
            project="" if everywhere else where.id,
            task_id=task_id,
            success=success,
            record_id=record_id,
            at=state.now(),
        )
        memory.store.store(record)
        kept = memory.store.get(record.id) or record
        report = MemoryStoreReport(id=kept.id, record=MemoryRecordReport.model_validate(fields(kept)))
        emit(report, as_json, lambda: line(f"Stored as {kept.id}."))


@command.command(
    "query",
    epilog=options.examples(
        'mind-skills memory query "the service gets killed over night"',
        'mind-skills memory query "split the work" --limit 3 --threshold 0.2 --json',
    ),
)
@click.argument("text")
@click.option(
    "--limit", type=click.IntRange(1, MOST), default=5, show_default=True, metavar="N", help="At most so many."
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 2),
    default=0.0,
    metavar="X",
    help="None whose score is below: 0 to 1, as a rule.",
)
@click.option("--all-projects", is_flag=True, help="What was learned in other projects as well.")
@click.option("--untrusted", is_flag=True, help="What was imported and nobody has vouched for as well.")
@options.project
@options.as_json
def query(
    text: str, limit: int, threshold: float, all_projects: bool, untrusted: bool, project: str, as_json: bool
) -> None:
    """Find what is nearest in meaning to TEXT; - reads it from stdin."""
    from mind_skills.plugin import memories
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.memory_report import MemoryQueryReport, hit_report
    from mind_skills.plugin.memory_text import show
    from mind_skills.plugin.output import emit, printable

    where = chosen(project)
    asked = _given(text)
    with memories.opened(where.root) as memory:
        hits = memory.recall(asked, limit, threshold, project="" if all_projects else where.id, untrusted=untrusted)
    results = [hit_report(hit) for hit in hits]
    report = MemoryQueryReport(query=printable(asked[:1_000]), results=results, patterns_found=len(results))
    emit(report, as_json, lambda: show(results))


@command.command("health", epilog=options.examples("mind-skills memory health", "mind-skills memory health --json"))
@options.project
@options.as_json
def health(project: str, as_json: bool) -> None:
    """Say whether the memory works, how much it holds, where, and by which encoder."""
    from collections import Counter

    from mind_skills.plugin import memories
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.memory_report import MemoryHealthReport
    from mind_skills.plugin.memory_text import show_health
    from mind_skills.plugin.output import emit, path_text

    with memories.opened(chosen(project).root) as memory:
        found = memory.store.health()
        records = memory.store.all() if found.healthy else []
    report = MemoryHealthReport(
        healthy=found.healthy,
        count=found.count,
        kinds=dict(sorted(Counter(record.kind for record in records).items())),
        quarantined=sum(record.quarantined for record in records),
        location=path_text(found.location),
        encoder=found.encoder,
        reason=found.reason,
    )
    emit(report, as_json, lambda: show_health(report))


@command.command("rebuild", epilog=options.examples("mind-skills memory rebuild"))
@click.option("--download", is_flag=True, help="Fetch the model first, where it is not here: 438 MB for the usual one.")
@options.project
@options.as_json
def rebuild(download: bool, project: str, as_json: bool) -> None:
    """Build the index anew from the records, which it never changes.

    Until it is ready, and where it is interrupted, the old one answers. With a model, what is not encoded by it is
    encoded; interrupted, the next one goes on from there.
    """
    from mind_skills.plugin import memories
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.output import count
    from mind_skills.plugin.waiting import progress

    root = chosen(project).root
    if download:
        memories.fetch_model(root)
    with memories.opened(root) as memory:
        total = memory.store.health().count * memory.store.stages
        with progress("rebuilding", total) as step:
            number = memory.store.rebuild(step)
    _changed("rebuilt", number, as_json, text=f"The index holds {count(number, 'record')}.")


@command.command(
    "export", epilog=options.examples("mind-skills memory export learned.jsonl", "mind-skills memory export --json")
)
@click.argument("file", required=False, default="", type=click.Path(dir_okay=False))
@click.option("--this-project", is_flag=True, help="Only what belongs to this project, and to none.")
@options.project
@options.as_json
def export(file: str, this_project: bool, project: str, as_json: bool) -> None:
    """Write all records to FILE, one a line, or print them.

    Secrets are taken out, your home folder is written ~, and projects, sessions and counts stay here.
    """
    import os

    from mind_skills.plugin import memories
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.memory_exchange import lines, travelling, write
    from mind_skills.plugin.memory_report import MemoryExportReport
    from mind_skills.plugin.output import count, emit, line, path_text

    where = chosen(project)
    with memories.opened(where.root) as memory:
        records = [each for each in memory.store.all() if not this_project or each.project in ("", where.id)]
    if file:
        number = write(file, records)
        said = f"Wrote {count(number, 'record')} to {path_text(file)}."
        _changed("exported", number, as_json, text=said, file=file)
        return
    home = os.path.expanduser("~")
    report = MemoryExportReport(records=[travelling(each, home) for each in records] if as_json else [])
    emit(report, as_json, lambda: line("\n".join(lines(records))))


@command.command(
    "import",
    epilog=options.examples(
        "mind-skills memory import learned.jsonl", "mind-skills memory import learned.jsonl --everywhere"
    ),
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--everywhere", is_flag=True, help="For every project, not this one alone.")
@options.project
@options.as_json
def import_(file: str, everywhere: bool, project: str, as_json: bool) -> None:
    """Take in the records of FILE, which `memory export` wrote.

    They stand in quarantine: no agent is told of them, and `memory query` shows them with --untrusted alone, until you
    have read them and say `memory trust`.
    """
    from mind_skills.plugin import memories
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.memory_exchange import read
    from mind_skills.plugin.output import count

    where = chosen(project)
    found, problems, skipped = read(file, "" if everywhere else where.id)
    with memories.opened(where.root) as memory:
        new = [each for each in found if memory.store.get(each.id) is None]  # one that was vouched for stays so
        memory.store.store_all(new)
    ids = list(dict.fromkeys(each.id for each in new))
    said = f"{count(len(ids), 'record')} in quarantine; `mind-skills memory query TEXT --untrusted` shows them."
    _changed("imported", len(ids), as_json, text=said, ids=ids, problems=problems, skipped=skipped, file=file)


@command.command("trust", epilog=options.examples("mind-skills memory trust import-0f3a"))
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@options.project
@options.as_json
def trust(ids: tuple[str, ...], project: str, as_json: bool) -> None:
    """Vouch for imported records: they leave the quarantine. An ID may be shortened."""
    from dataclasses import replace

    from mind_skills.memory.model import QUARANTINE
    from mind_skills.plugin import memories
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.output import count

    with memories.opened(chosen(project).root) as memory:
        named = _named(memory.store.all(), ids)
        memory.store.store_all(
            replace(each, taint=",".join(part for part in each.taint.split(",") if part != QUARANTINE))
            for each in named
            if each.quarantined
        )
    done = [each.id for each in named if each.quarantined]
    _changed("trusted", len(done), as_json, text=f"{count(len(done), 'record')} left the quarantine.", ids=done)


@command.command("forget", epilog=options.examples("mind-skills memory forget memo-0f3a"))
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@options.project
@options.as_json
def forget(ids: tuple[str, ...], project: str, as_json: bool) -> None:
    """Forget records for good. An ID may be shortened."""
    from mind_skills.plugin import memories
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.output import count

    with memories.opened(chosen(project).root) as memory:
        gone = [each.id for each in _named(memory.store.all(), ids)]
        for each in gone:
            memory.store.remove(each)
    _changed("forgotten", len(gone), as_json, text=f"Forgot {count(len(gone), 'record')}.", ids=gone)


def _given(text: str) -> str:
    if text != "-":
        return text
    import sys

    return sys.stdin.buffer.read(2**24).decode("utf-8", "replace")


def _named(records: Sequence[Record], ids: Sequence[str]) -> list[Record]:
    """The records of these ids, which may be shortened. Raises MindSkillsError."""
    from mind_skills.plugin.errors import MindSkillsError

    found: dict[str, Record] = {}
    for each in ids:
        near = [record for record in records if record.id == each]
        near = near or [record for record in records if each and record.id.startswith(each)]
        if len(near) != 1:
            what = "no record" if not near else f"{len(near)} records"
            hint = "`mind-skills memory query` shows the ids; those of imported records with --untrusted."
            raise MindSkillsError("unknown_record", f"there is {what} of the id {each}", hint)
        found[near[0].id] = near[0]
    return list(found.values())


def _changed(action: str, number: int, as_json: bool, *, text: str, **more: object) -> None:
    from mind_skills.plugin.memory_report import MemoryChangeReport
    from mind_skills.plugin.output import emit, line, note

    empty = {"ids": [], "skipped": 0, "problems": [], "file": ""}
    report: MemoryChangeReport = MemoryChangeReport.model_validate({"action": action, "records": number} | empty | more)
    if report.skipped:
        note(f"{report.skipped} could not be taken:")
    for problem in report.problems:
        note(problem)
    emit(report, as_json, lambda: line(text))
