"""`mind-skills memory`: what was learned, found by meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import click

from mind_skills.cli import memory_exchanging, options
from mind_skills.cli.group import SuggestingGroup
from mind_skills.cli.memory_exchanging import changed
from mind_skills.cli.memory_report import MemoryHealthReport, MemoryHitReport
from mind_skills.memory.model import QUARANTINE, Kind, Record
from mind_skills.output.text import count, line, quoted

KINDS = ("pattern", "anti_pattern", "learning", "episode")
"""As in memory/model.py, which the start of the command line does not import; a test compares."""
MOST = 100


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
@click.option("--everywhere", is_flag=True, help="For every project, once you have vouched for it.")
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
    """Store TEXT; - reads it from stdin. The same text again changes nothing.

    With --everywhere it waits in quarantine, where no agent is told of it, until you say `mind-skills memory trust ID`:
    what one project's session was talked into is not to reach those of all others.
    """
    from mind_skills.cli.memory_report import MemoryRecordReport, MemoryStoreReport, fields
    from mind_skills.output import state
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import emit, line
    from mind_skills.tasks import memories

    where = choose_project(project)
    with memories.open_memory(where.root) as memory:
        record = memories.make_record(
            _given(text),
            kind=cast("Kind", kind),
            task=task,
            project="" if everywhere else where.id,
            task_id=task_id,
            success=success,
            record_id=record_id,
            at=state.now(),
        )
        memory.add(record, where)
        kept = memory.store.get(record.id) or record
        report = MemoryStoreReport(id=kept.id, record=MemoryRecordReport.of(fields(kept)))
        waits = f" It is told to nobody before `mind-skills memory trust {kept.id}`." if kept.quarantined else ""
        emit(report, as_json, lambda: line(f"Stored as {kept.id}.{waits}"))


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
    from mind_skills.cli.errors import kept
    from mind_skills.cli.memory_report import MemoryQueryReport, hit_report
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import emit, note, printable
    from mind_skills.tasks import memories

    where = choose_project(project)
    asked = _given(text)
    with memories.open_memory(where.root, memories.show_building) as memory:
        hits = memory.recall(asked, limit, threshold, project="" if all_projects else where.id, untrusted=untrusted)
        if memory.store.advice:
            note(memory.store.advice)
    results = [hit_report(hit) for hit in hits]
    report = MemoryQueryReport(query=printable(kept(asked[:1_000])), results=results, patterns_found=len(results))
    emit(report, as_json, lambda: show(results))


@command.command("health", epilog=options.examples("mind-skills memory health", "mind-skills memory health --json"))
@options.project
@options.as_json
def health(project: str, as_json: bool) -> None:
    """Say whether the memory works, how much it holds, where, and by which encoder."""
    from collections import Counter

    from mind_skills.cli.memory_report import MemoryHealthReport
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import emit, path_text
    from mind_skills.tasks import memories

    with memories.open_memory(choose_project(project).root) as memory:
        found = memory.store.health()
        records: Sequence[Record] = memory.store.all() if found.healthy else ()
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
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import count
    from mind_skills.tasks import memories
    from mind_skills.tasks.waiting import progress

    root = choose_project(project).root
    if download:
        memories.fetch_model(root)
    with memories.open_memory(root) as memory:
        total = memory.store.health().count * memory.store.stages
        with progress("rebuilding", total) as step:
            number = memory.store.rebuild(step)
    changed("rebuilt", number, as_json, text=f"The index holds {count(number, 'record')}.")


def _given(text: str) -> str:
    if text != "-":
        return text
    import sys

    return sys.stdin.buffer.read(2**24).decode("utf-8", "replace")


for each in (memory_exchanging.export, memory_exchanging.import_, memory_exchanging.trust, memory_exchanging.forget):
    command.add_command(each)


SHOWN = 300
"""Characters of a record that are shown; `--json` has the whole."""


_RESTS_ON = {
    "web": "rests on the web",
    "mcp": "rests on other tools",
    "issue": "rests on an issue",
    "remote": "rests on what was fetched",
    "output": "repeats a tool",
}


def show(results: Sequence[MemoryHitReport]) -> None:
    """The records that were found, each as a quotation: somebody else may have written it."""
    if not results:
        line("Nothing like that is remembered here.")
    for hit in results:
        kind = hit.kind.replace("_", "-")
        marks = ["in quarantine" if QUARANTINE in hit.taint else ""]
        marks += [text for name, text in _RESTS_ON.items() if name in hit.taint]
        marks += ["failed" if hit.success is False else ""]
        about = ", ".join(filter(None, [kind, *marks]))
        line(f"{hit.score:.2f}  {hit.id}  ({about})")
        line(f"      {quoted(hit.content, SHOWN)}")


def show_health(report: MemoryHealthReport) -> None:
    """How the memory is."""
    line(f"{'Healthy' if report.healthy else 'Not healthy'}: {count(report.count, 'record')} in {report.location}")
    for kind, number in report.kinds.items():
        line(f"  {number} {kind.replace('_', '-')}")
    if report.quarantined:
        line(f"  {report.quarantined} of them in quarantine: nobody has vouched for them")
    line(f"Encoder: {report.encoder} ({report.reason})")
