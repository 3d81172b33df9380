"""`mind-skills replay`: what would have been learned from sessions that are over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mind_skills.cli import options
from mind_skills.errors import BUG, DONE, INPUT

if TYPE_CHECKING:
    from mind_skills.observations.find_logs import Sources

_EXAMPLES = options.examples(
    "mind-skills replay ~/.claude/projects",
    "mind-skills replay session.jsonl --json",
    "mind-skills replay rollouts/ --format codex --jobs 4",
    "mind-skills replay session.jsonl --stage --project ~/code/shop",
    "mind-skills replay ~/.claude/projects --remember",
)


@click.command(epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option(
    "--format",
    "format_name",
    metavar="F",
    help="Read every file as this format, or as this host's, instead of looking at its content.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 64), metavar="N", help="Read N logs at a time; without it, one a processor."
)
@click.option("--stage", is_flag=True, help="Put what was found on the pending list of the project that you are in.")
@click.option("--remember", is_flag=True, help="Put the sessions into the memory, as episodes of their own projects.")
@click.option(
    "--with-state", is_flag=True, help="Leave out what this machine has accepted or dismissed, or has a skill for."
)
@click.option(
    "--project",
    type=click.Path(file_okay=False),
    default="",
    metavar="DIR",
    help="The project's folder for --stage, --remember and --with-state; without it, the one that each log names, and for "
    "--stage the one that you are in.",
)
@options.as_json
def command(
    paths: tuple[str, ...],
    format_name: str | None,
    jobs: int | None,
    stage: bool,
    remember: bool,
    with_state: bool,
    project: str,
    as_json: bool,
) -> int:
    """Read session logs and show what would have been learned.

    PATHS are logs or folders of logs (*.jsonl, *.json, *.traj, *.db) of Claude Code, Codex, OpenCode, Gemini CLI,
    SWE-agent and mini-swe-agent; the format is chosen by content. JSONL logs and databases may have any size, a log
    that is one JSON document at most 48 MB. No history is read and nothing is written, unless
    the options say so. A file that cannot be read is named and the others go on; the exit code is 1 only where none
    could be read.

    With --stage, sessions of other projects than the one that you are in, or whose log names none, are not staged unless
    --project says where: a log may be anybody's, and is not to name a folder to write into. Each is named on stderr, and
    the exit code is 1 where that leaves nothing to stage.

    With --remember, sessions that came out clearly are found by `mind-skills memory search` from then on: what they were
    asked, what they tried and how they ended. Said again, it changes nothing.
    """
    from mind_skills.cli import replaying
    from mind_skills.observations.find_logs import find_logs
    from mind_skills.output.text import emit, note
    from mind_skills.tasks.waiting import progress

    found = find_logs(paths, _format(format_name))
    with progress("Reading", len(found.logs)) as advance:
        results = replaying.run(found, jobs or _jobs(found), advance, kept=stage or remember or with_state)
    if with_state:
        from mind_skills.cli.staged_replay import leave_out_settled

        leave_out_settled(results, project)
    report = replaying.document(results)
    staged = None
    if stage:
        from mind_skills.cli.staged_replay import put_on_list

        staged = put_on_list(results, project)
    remembered = ""
    if remember:
        from mind_skills.cli.remembered_replay import remember as put_into_memory

        remembered = put_into_memory(results, project)

    def render() -> None:
        from mind_skills.cli.replay_text import show

        show(report)

    emit(report, as_json, render)
    for text in (*(staged.said if staged else ()), *filter(None, [remembered])):
        note(text)
    _say_what_was_passed_over(found)
    if any(error.code == "bug" for error in report.errors):
        return BUG
    nowhere = staged is not None and staged.unplaced and not staged.placed
    return INPUT if nowhere or (report.errors and not report.sessions) else DONE


def _format(name: str | None) -> str | None:
    if name is None:
        return None
    from mind_skills.observations.find_logs import advise_format, resolve_format

    known = resolve_format(name)
    if known is None:
        raise click.BadParameter(advise_format(name), param_hint="'--format'")
    return known


def _say_what_was_passed_over(found: Sources) -> None:
    """On stderr. Where nothing at all was found, also what was looked for, and where logs usually are."""
    from mind_skills.output.text import count, note

    if not found.logs and found.errors and all(error.code == "not_found" for _, error in found.errors):
        _say_where_logs_are()  # a newcomer may have another host than the one in the example
        return
    if found.logs or found.errors:
        if found.passed_over:
            note(f"{count(found.passed_over, 'other file')} passed over.")
        return
    from mind_skills.observations.find_logs import SUFFIXES

    *most, last = (f"*{suffix}" for suffix in SUFFIXES)
    note(f"No session logs there: {', '.join(most)} and {last} files were looked for.")
    if found.passed_over:
        note(f"{count(found.passed_over, 'such file')} passed over: not the log of a known host.")
    if found.unlike:
        note(f"{count(found.unlike, 'file')} of other kinds passed over.")
    _say_where_logs_are()


def _say_where_logs_are() -> None:
    from mind_skills.hosts import all_specs
    from mind_skills.output.text import note

    note("Hosts keep their logs here, if no setting says otherwise:")
    for spec in all_specs():
        _, usual, file = spec.database
        place = f"{usual}/{file}" if file else f"{spec.folder}/{spec.log_folder}"
        note(f"  {spec.title:12} ~/{place}")


def _jobs(found: Sources) -> int:
    from mind_skills.plugin.workers import usable_cpus

    # Starting a process costs about as much as reading two megabytes.
    size = sum(log.path.stat().st_size for log in found.logs if log.path.is_file())
    return min(usable_cpus(), 1 + size // 4_000_000)
