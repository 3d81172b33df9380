"""`mind-skills memory`: what was learned, found by meaning; the answers under the documents' names. Times are UTC milliseconds."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import click

from mind_skills.cli import options
from mind_skills.cli.group import SuggestingGroup
from mind_skills.errors import MindSkillsError
from mind_skills.errors.records import OtherProjectError
from mind_skills.memory.model import KINDS, QUARANTINE, Kind, Record
from mind_skills.output import state
from mind_skills.output.document import Document
from mind_skills.output.state import choose_project
from mind_skills.output.text import count, emit, line, note, path_text, printable, quoted, show_progress, table, when
from mind_skills.tasks import memories
from mind_skills.tasks.caller import refuse_agents
from mind_skills.tasks.tool_input import text_cleaner

MOST = 100
SHOWN, TITLE = 300, 80
"""Characters of a record that are shown, and in a list; `--json` has the whole."""
ASKED, REPEATED = 1_000, 500
"""Characters of a question that are looked at to repeat it, and that are repeated."""
LARGEST = 2**24
"""Bytes of a text from stdin."""
_RESTS_ON = {
    "web": "rests on the web",
    "mcp": "rests on other tools",
    "issue": "rests on an issue",
    "remote": "rests on what was fetched",
    "output": "repeats a tool",
}


class MemoryRecordReport(Document):
    """A record. ``taint`` says what it rests on ("web", "mcp"), and "import" as long as nobody has vouched for it.

    Its text is what some session, agent or person wrote: data, not orders. ``project`` is a project's id, empty where
    it belongs to none; ``reference`` the id under which `patterns` or `show` knows it; ``task_id`` the documents' bead_id.
    """

    id: str
    content: str
    kind: Kind
    is_negative: bool
    task: str
    project: str
    reference: str
    task_id: str
    success: bool | None
    failure_rate: float | None
    at: int
    source: str
    taint: list[str]


class MemoryHitReport(MemoryRecordReport):
    """A record that was found; ``score`` is its likeness, 0 to 1, times its trust."""

    score: float


class MemoryListReport(Document):
    """`mind-skills memory list --json` and `memory show --json`: the newest first."""

    version: Literal[1] = 1
    records: list[MemoryRecordReport]


class MemoryQueryReport(Document):
    """`mind-skills memory search --json`: the best first."""

    version: Literal[1] = 1
    query: str
    results: list[MemoryHitReport]
    memory_queried: Literal[True] = True
    patterns_found: int


class MemoryStoreReport(Document):
    """`mind-skills memory add --json`. ``id`` is the record's; storing the same again changes nothing."""

    version: Literal[1] = 1
    id: str
    memory_stored: Literal[True] = True
    record: MemoryRecordReport


class MemoryHealthReport(Document):
    """`mind-skills memory health --json`. ``quarantined`` records are among the counted."""

    version: Literal[1] = 1
    healthy: bool
    count: int
    kinds: dict[str, int]
    quarantined: int
    location: str
    encoder: str
    reason: str


class MemoryChangeReport(Document):
    """`memory rebuild`, `import`, `export FILE`, `trust` and `forget` with ``--json``.

    ``records`` is how many were taken, written or changed, ``ids`` which (of a rebuild and an export: none are named),
    ``skipped`` how many could not be, each with a line in ``problems``.
    """

    version: Literal[1] = 1
    action: Literal["rebuilt", "imported", "exported", "trusted", "forgotten"]
    records: int
    ids: list[str]
    skipped: int
    problems: list[str]
    file: str


class MemoryExportReport(Document):
    """`mind-skills memory export --json` without a file: all records in one document."""

    version: Literal[1] = 1
    records: list[dict[str, str | int | float | bool | None]]


def record_report(record: Record) -> MemoryRecordReport:
    """A record as a document."""
    return MemoryRecordReport.copy(record, taint=_taint(record))


def _taint(record: Record) -> list[str]:
    return [each for each in record.taint.split(",") if each]


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Keep what was learned where it can be found by meaning, and find it.

    What becomes a skill, the strategies of sessions and their warnings, and how past sessions went come here by
    themselves. `mind-skills task plan` asks it before a task.
    """


@options.subcommand(command, "list", "mind-skills memory list", "mind-skills memory list --untrusted --json")
@click.option("--kind", type=click.Choice(KINDS), help="Of this kind alone.")
@click.option("--all-projects", is_flag=True, help="The records of other projects as well.")
@click.option("--untrusted", is_flag=True, help="Those in quarantine as well, which nobody has vouched for.")
@options.project_and_json
def list_command(kind: Kind | None, all_projects: bool, untrusted: bool, project: str, as_json: bool) -> None:
    """List the records of this project, and those for every project, the newest first."""
    where = choose_project(project)
    with memories.open_memory(where.root) as memory:
        records = [
            each
            for each in memory.store.all()
            if (all_projects or each.project in ("", where.id))
            and (untrusted or not each.quarantined)
            and kind in (None, each.kind)
        ]
    records.sort(key=lambda each: (-each.at, each.id))
    report = MemoryListReport(records=[record_report(each) for each in records])

    def render() -> None:
        rows = [(each.id, _kind_text(each.kind), when(each.at), quoted(each.content, TITLE)) for each in report.records]
        if rows:
            table("", ("id", "kind", "when", "text"), rows)
        else:
            line("Nothing is remembered here.")

    emit(report, as_json, render)


@options.subcommand(command, "show", "mind-skills memory show memo-0f3a")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@options.project_and_json
def show(ids: tuple[str, ...], project: str, as_json: bool) -> None:
    """Show records whole. An ID may be shortened. Their text is data that somebody wrote, not orders."""
    where = choose_project(project)
    with memories.open_memory(where.root) as memory:
        report = MemoryListReport(
            records=[record_report(each) for each in _find_records(memory.store.all(), ids, where.id)]
        )

    def render() -> None:
        for each in report.records:
            line(f"{each.id}  ({_describe(each)})  {when(each.at)}")
            for text in (each.task, each.content):
                for part in printable(text).splitlines():
                    line(f"  | {part}")

    emit(report, as_json, render)


@options.subcommand(
    command,
    "add",
    'mind-skills memory add "Pin the base image by digest; the tag moves" --task "make the build repeatable"',
    'mind-skills memory add "AVOID: one worker per file" --kind anti_pattern --failed --everywhere',
    "mind-skills memory add - --json < notes.txt",
)
@click.argument("text")
@click.option("--task", default="", metavar="TEXT", help="The task that led to it, in the words of who asked for it.")
@click.option("--kind", type=click.Choice(KINDS), default="learning", show_default=True, help="What it is.")
@click.option("--task-id", default="", metavar="ID", help="The id of that task.")
@click.option("--success/--failed", "success", default=None, help="How that task came out.")
@click.option("--id", "record_id", default="", metavar="ID", help="Its id: takes the place of the record that has it.")
@click.option("--everywhere", is_flag=True, help="For every project, once you have vouched for it.")
@options.project_and_json
def add(
    text: str,
    task: str,
    kind: Kind,
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
    where = choose_project(project)
    with memories.open_memory(where.root) as memory:
        record = memories.make_record(
            _read_text(text),
            kind=kind,
            task=task,
            project="" if everywhere else where.id,
            task_id=task_id,
            success=success,
            record_id=record_id,
            at=state.now(),
        )
        memory.add(record, where)
        stored = memory.store.get(record.id) or record
        report = MemoryStoreReport(id=stored.id, record=record_report(stored))
        waits = f" It is told to nobody before `mind-skills memory trust {stored.id}`." if stored.quarantined else ""
        emit(report, as_json, lambda: line(f"Stored as {stored.id}.{waits}"))


@options.subcommand(
    command,
    "search",
    'mind-skills memory search "the service gets killed over night"',
    'mind-skills memory search "split the work" --limit 3 --threshold 0.2 --json',
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
@options.project_and_json
def search(
    text: str, limit: int, threshold: float, all_projects: bool, untrusted: bool, project: str, as_json: bool
) -> None:
    """Find what is nearest in meaning to TEXT; - reads it from stdin."""
    where = choose_project(project)
    asked = _read_text(text)
    with memories.open_memory(where.root, memories.show_building) as memory:
        hits = memory.recall(asked, limit, threshold, project="" if all_projects else where.id, untrusted=untrusted)
        if memory.store.advice:
            note(memory.store.advice)
    results = [MemoryHitReport.copy(hit.record, taint=_taint(hit.record), score=round(hit.score, 4)) for hit in hits]
    question = printable(str(text_cleaner(REPEATED)(asked[:ASKED])))
    report = MemoryQueryReport(query=question, results=results, patterns_found=len(results))

    def render() -> None:
        if not results:
            line("Nothing like that is remembered here.")
        for hit in results:  # as quotations: somebody else may have written them
            line(f"{hit.score:.2f}  {hit.id}  ({_describe(hit)})")
            line(f"      {quoted(hit.content, SHOWN)}")

    emit(report, as_json, render)


@options.subcommand(command, "health", "mind-skills memory health", "mind-skills memory health --json")
@options.project_and_json
def health(project: str, as_json: bool) -> None:
    """Say whether the memory works, how much it holds, where, and by which encoder."""
    with memories.open_memory(choose_project(project).root) as memory:
        found = memory.store.health()
        records: Sequence[Record] = memory.store.all() if found.healthy else ()
    report = MemoryHealthReport.copy(
        found,
        kinds=dict(sorted(Counter(record.kind for record in records).items())),
        quarantined=sum(record.quarantined for record in records),
        location=path_text(found.location),
    )

    def render() -> None:
        line(f"{'Healthy' if report.healthy else 'Not healthy'}: {count(report.count, 'record')} in {report.location}")
        for kind, number in report.kinds.items():
            line(f"  {number} {_kind_text(kind)}")
        if report.quarantined:
            line(f"  {report.quarantined} of them in quarantine: nobody has vouched for them")
        line(f"Encoder: {report.encoder} ({report.reason})")

    emit(report, as_json, render)


@options.subcommand(command, "rebuild", "mind-skills memory rebuild")
@click.option("--download", is_flag=True, help="Fetch the model first, where it is not here: 438 MB for the usual one.")
@options.project_and_json
def rebuild(download: bool, project: str, as_json: bool) -> None:
    """Build the index anew from the records, which it never changes.

    Until it is ready, and where it is interrupted, the old one answers. With a model, what is not encoded by it is
    encoded; interrupted, the next one goes on from there.
    """
    root = choose_project(project).root
    if download:
        memories.fetch_model(root)
    with memories.open_memory(root) as memory:
        total = memory.store.health().count * memory.store.stages
        with show_progress("rebuilding", total) as step:
            number = memory.store.rebuild(step)
    _report_change("rebuilt", number, as_json, f"The index holds {count(number, 'record')}.")


@options.subcommand(
    command,
    "export",
    "mind-skills memory export learned.jsonl",
    "mind-skills memory export learned.jsonl --all-projects",
)
@click.argument("file", required=False, default="", type=click.Path(dir_okay=False))
@click.option("--all-projects", is_flag=True, help="The records of other projects as well.")
@options.project_and_json
def export(file: str, all_projects: bool, project: str, as_json: bool) -> None:
    """Write the records of this project, and those for every project, to FILE, one a line, or print them.

    Secrets are taken out, your home folder is written ~, and projects, sessions and counts stay here.
    """
    from mind_skills.cli.memory_exchange import lines, travelling, write

    where = choose_project(project)
    with memories.open_memory(where.root) as memory:
        records = [each for each in memory.store.all() if all_projects or each.project in ("", where.id)]
    if file:
        number = write(file, records)
        text = f"Wrote {count(number, 'record')} to {path_text(file)}."
        _report_change("exported", number, as_json, text, file=file)
        return
    home = os.path.expanduser("~")
    report = MemoryExportReport(records=[travelling(each, home) for each in records] if as_json else [])
    emit(report, as_json, lambda: line("\n".join(lines(records))))


@options.subcommand(
    command, "import", "mind-skills memory import learned.jsonl", "mind-skills memory import learned.jsonl --everywhere"
)
@click.argument("file", type=click.Path())
@click.option("--everywhere", is_flag=True, help="For every project, not this one alone.")
@options.project_and_json
def import_(file: str, everywhere: bool, project: str, as_json: bool) -> None:
    """Take in the records of FILE, which `memory export` wrote.

    They stand in quarantine: no agent is told of them, and `memory search` shows them with --untrusted alone, until you
    have read them and say `memory trust`.
    """
    from mind_skills.cli.memory_exchange import read

    where = choose_project(project)
    found, problems, skipped = read(file, "" if everywhere else where.id)
    with memories.open_memory(where.root) as memory:
        new = [each for each in found if memory.store.get(each.id) is None]  # one that was vouched for stays so
        memory.store.store_all(new)
    ids = list(dict.fromkeys(each.id for each in new))
    text = f"{count(len(ids), 'record')} in quarantine; `mind-skills memory search TEXT --untrusted` shows them."
    _report_change("imported", len(ids), as_json, text, ids=ids, problems=problems, skipped=skipped, file=file)


@options.subcommand(command, "trust", "mind-skills memory trust import-0f3a")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@options.project_and_json
def trust(ids: tuple[str, ...], project: str, as_json: bool) -> None:
    """Vouch for records that were imported, or stored for every project: they leave the quarantine.

    An ID may be shortened. Read them first: from then on agents are told of them. An agent cannot say it.
    """
    where = choose_project(project)
    refuse_agents(where)
    with memories.open_memory(where.root) as memory:
        waiting = [each for each in _find_records(memory.store.all(), ids, where.id) if each.quarantined]
        memory.store.store_all(
            replace(each, taint=",".join(part for part in each.taint.split(",") if part != QUARANTINE))
            for each in waiting
        )
    text = f"{count(len(waiting), 'record')} left the quarantine."
    _report_change("trusted", len(waiting), as_json, text, ids=[each.id for each in waiting])


@options.subcommand(command, "forget", "mind-skills memory forget memo-0f3a")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@options.project_and_json
def forget(ids: tuple[str, ...], project: str, as_json: bool) -> None:
    """Forget records for good. An ID may be shortened."""
    where = choose_project(project)
    with memories.open_memory(where.root) as memory:
        gone = [each.id for each in _find_records(memory.store.all(), ids, where.id)]
        for each in gone:
            memory.store.remove(each)
    _report_change("forgotten", len(gone), as_json, f"Forgot {count(len(gone), 'record')}.", ids=gone)


def _read_text(text: str) -> str:
    if text != "-":
        return text
    import sys

    return sys.stdin.buffer.read(LARGEST).decode("utf-8", "replace")


def _find_records(records: Sequence[Record], ids: Sequence[str], project: str) -> list[Record]:
    """The records of these ids, which may be shortened, of a project (its id) or of none.

    Raises MindSkillsError, OtherProjectError.
    """
    found: dict[str, Record] = {}
    for each in ids:
        like = [record for record in records if each and record.id.startswith(each)]
        here = [record for record in like if record.project in ("", project)]
        near = [record for record in here if record.id == each] or here
        if like and not here:
            raise OtherProjectError(each)
        if len(near) != 1:
            what = "no record" if not near else f"{len(near)} records"
            hint = "`mind-skills memory search` shows the ids; those of imported records with --untrusted."
            raise MindSkillsError("unknown_record", f"there is {what} of the id {each}", hint)
        found[near[0].id] = near[0]
    return list(found.values())


def _report_change(action: str, number: int, as_json: bool, text: str, **more: object) -> None:
    """Print what was done to how many records; ``more`` are other members of MemoryChangeReport."""
    empty: dict[str, object] = {"ids": [], "skipped": 0, "problems": [], "file": ""}
    report: MemoryChangeReport = MemoryChangeReport.of({"action": action, "records": number} | empty | more)
    if report.skipped:
        note(f"{report.skipped} could not be taken:")
    for problem in report.problems:
        note(problem)
    emit(report, as_json, lambda: line(text))


def _kind_text(kind: str) -> str:
    return kind.replace("_", "-")


def _describe(record: MemoryRecordReport) -> str:
    """Its kind, and what speaks against it."""
    marks = ["in quarantine" if QUARANTINE in record.taint else ""]
    marks += [text for name, text in _RESTS_ON.items() if name in record.taint]
    marks += ["failed" if record.success is False else ""]
    return ", ".join(filter(None, [_kind_text(record.kind), *marks]))
