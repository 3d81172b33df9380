"""`mind-skills distil`: hand the agent the most promising episodes of the last weeks, in one sitting."""

from __future__ import annotations

import os
from collections import Counter

import click

from mind_skills.cli import options, replay, replay_summary
from mind_skills.digest.session import format_date
from mind_skills.errors import LogError
from mind_skills.observations.find_logs import FoundLogs, Log
from mind_skills.observations.read import open_log, stat_log
from mind_skills.output import state
from mind_skills.output.digests import BestReport, show_best
from mind_skills.output.text import emit, format_count, print_line, print_note, show_progress
from mind_skills.staging.ledger import Ledger
from mind_skills.store.process_pool import count_usable_cpus
from mind_skills.store.project import Project

DEFAULT_DAYS, DEFAULT_BUDGET = 30, 6_000


@options.top_level_command(
    "mind-skills distil", "mind-skills distil --since 90 --budget 12000", "mind-skills distil --project ~/code/shop"
)
@options.since(f"Only read logs that changed since WHEN. Default: {DEFAULT_DAYS}d.")
@click.option(
    "--budget",
    type=click.IntRange(1_000, 100_000),
    default=DEFAULT_BUDGET,
    metavar="TOKENS",
    help=f"About how many tokens to print. Default: {DEFAULT_BUDGET}.",
)
@options.project_and_json
def command(since: options.Period | None, budget: int, folder: str, as_json: bool) -> None:
    """Print what happened in the most promising episodes of the last sessions, to turn them into skills.

    Reads the logs of this project that were not read yet, of every coding agent on this machine, and prints the digests of the best
    waiting episodes, how to judge them, and how to write a skill. Accept or dismiss what was printed, and run the command again: it goes
    on with the rest.
    """
    project = state.resolve_project_option(folder)
    state.require_active(project)
    project_option = state.format_project_option(project.root) if folder else ""
    period = since or options.make_period(f"{DEFAULT_DAYS}d")
    histories = replay_summary.find_histories(period.start)
    with state.open_ledger() as ledger:
        chosen, counts = _choose_logs(ledger, project, histories.sources)
    sources = FoundLogs()
    sources.logs = chosen
    with show_progress("Reading", len(chosen)) as advance:
        results = replay.read_all(sources, count_usable_cpus(), advance, keep_details=True)
    replay.stage_candidates(results, folder)
    with state.open_ledger() as ledger:
        report = show_best(ledger, project, budget, project_option)
    emit(report, as_json, lambda: _print_best(report, project_option))
    counts["could not be read"] += sum(item.error is not None for item in results)
    read = f"{format_count(len(chosen), 'session')} of this project read, {format_date(period.start)} to today"
    skipped = [f"{number} {reason}" for reason, number in counts.items() if number]
    print_note("; ".join([read, *skipped]) + ".")


def _choose_logs(ledger: Ledger, project: Project, sources: FoundLogs) -> tuple[list[Log], Counter[str]]:
    """Return the logs of a project whose sessions were not read since they changed, and how many others there are, by reason."""
    chosen: list[Log] = []
    counts: Counter[str] = Counter()
    for log in sources.logs:
        try:
            opened = open_log(log.path, log.format)
            next(iter(opened.observations), None)
            changed = stat_log(log.path)[1] // 1_000_000
        except (LogError, OSError):
            counts["could not be read"] += 1
            continue
        host, root = opened.session.host, opened.session.project
        if not root or not os.path.isdir(root) or state.resolve_log_project(host, root).id != project.id:
            counts["of other projects"] += 1
        elif ledger.find_digest_time(opened.session.session_id or log.path.name) >= changed:
            counts["read before"] += 1
        else:
            chosen.append(log)
    return chosen, counts


def _print_best(report: BestReport, project_option: str) -> None:
    if not report.candidates:
        print_line("Nothing is waiting.")
        return
    print_line(report.text)
    if report.left:
        print_line()
        print_line(
            f"{format_count(report.left, 'episode')} more: accept or dismiss these, then run `mind-skills distil{project_option}` again."
        )
