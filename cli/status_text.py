"""What `mind-skills status` says, for people: on a terminal laid out for its width, elsewhere for programs that read lines."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from mind_skills.output.text import count, heading, interactive, line, printable, quoted, table, when

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mind_skills.cli.status_report import CountsReport, SkillReport, StatusReport
    from mind_skills.setup.doctor.loops import LoopReport

FOREIGN, ID, TITLE = 20, 40, 120
"""How many candidates of others are shown, and how many characters of each id and title."""
STEPS = ("observed", "detected", "staged", "offered", "accepted", "dismissed", "used")
"""How far a host's loop gets, in this order."""
USUAL, NARROWEST, WIDEST = 80, 30, 120
"""Columns: where a terminal does not say how many it has, and between which bounds it is believed."""
INDENT = 4


def show(report: StatusReport) -> None:
    """Print it."""
    heading(f"{report.project}: {'on' if report.enabled else 'switched off'}")
    if report.paused:
        where, more = ("everywhere", "") if report.paused == "everywhere" else ("in this project", " --project .")
        line(f"Paused {where} since {when(report.paused_since)}: `mind-skills resume{more}` goes on.")
    _show_counts(report.counts, report.pending)
    for known in report.criteria:
        worth = "silent" if known.weight == 0.0 else f"x {known.weight}"
        line(f"{known.criterion}: {known.accepted} accepted, {known.dismissed} dismissed on this machine, {worth}")
    for skill in report.skills:
        line(_learned(skill))
    _show_scores(report)
    _show_loops(report.loops)
    if (watch := report.watching) is not None:
        how = ", by looking at them every few seconds" if watch.polling else ""
        line(f"Process {watch.pid} has watched {count(watch.files, 'session log')} since {when(watch.since)}{how}.")
    for text in report.problems:
        line(f"problem: {text}")
    if report.unfinished:
        line(f"{report.unfinished} sessions are running, or will be finished at a later start.")
    _show_foreign(report)
    line(f"state: {report.state_folder}")
    line(f"list:  {report.pending_file}")
    for path in report.config_files:
        line(f"settings: {path}")
    if report.hook_errors:
        heading("The last errors of hooks")
        for text in report.hook_errors:
            line(f"  {text}")


def _show_counts(counts: CountsReport, pending: int) -> None:
    rows = [
        ("fired", counts.fired, "sightings of a learning, one for each session that made it"),
        ("staged", counts.staged, "different learnings that came on the list"),
        ("covered", counts.covered, "of these, said by an installed skill already, and not told"),
        ("offered", counts.offered, "of these, told to a session"),
        ("accepted", counts.accepted, "became a skill"),
        ("dismissed", counts.dismissed, "refused for good"),
        ("ignored", counts.ignored, "offered, and nothing came of it"),
        ("used", counts.used, "became a skill that a later session used"),
        ("pending", pending, "wait now"),
    ]
    if not interactive():
        table("", ("step", "candidates", "which"), [(name, str(number), text) for name, number, text in rows])
        return
    digits = max(len(str(number)) for _, number, _ in rows)
    for name, number, text in rows:
        _wrapped(f"{name:9}  {number:{digits}}  ", text.split())


def _learned(skill: SkillReport) -> str:
    why = f" ({skill.trigger})" if skill.trigger else ""
    cost = "" if skill.offer_tokens is None else f", offered for about {skill.offer_tokens} tokens"
    return f"{when(skill.at)}  learned the skill {skill.name}{why}: {skill.path}, from {skill.id}{cost}"


def _show_scores(report: StatusReport) -> None:
    for proposal in report.proposed:
        line(f"{proposal.name} fails: {proposal.reason}. `mind-skills archive {proposal.name}` puts it aside.")
    if report.archived:
        line(f"{count(report.archived, 'skill')} archived: `mind-skills archive` lists them.")
    if report.proof is not None:
        from mind_skills.cli.proof_text import sentence

        line(f"{sentence(report.proof)}: `mind-skills proof`.")


def _show_loops(loops: list[LoopReport]) -> None:
    if interactive():
        heading("In all projects, by host: how many, and when last")
        for loop in loops:
            _wrapped("", f"{loop.host}: {loop.text}".split())
            reached = [(name, getattr(loop, name)) for name in STEPS]
            told = [f"{name} {one.count} ({when(one.last)})" for name, one in reached if one.count]
            if told:
                _wrapped(" " * INDENT, [f"{text}," for text in told[:-1]] + told[-1:])
        return
    rows: list[tuple[str, ...]] = []
    for loop in loops:
        counts = [getattr(loop, name) for name in STEPS]
        rows.append((loop.host, *(f"{one.count}, {when(one.last)}" if one.count else "-" for one in counts)))
    table("In all projects, by host: how many, and when last", ("host", *STEPS), rows)
    for loop in loops:
        line(f"{loop.host}: {loop.text}")


def _show_foreign(report: StatusReport) -> None:
    for foreign in report.foreign[:FOREIGN]:
        line(f"from elsewhere, never offered: {quoted(foreign.id, ID)} {quoted(foreign.title, TITLE)}")
    if report.foreign[FOREIGN:]:
        line(f"from elsewhere, never offered: {len(report.foreign) - FOREIGN} more")


def _wrapped(begin: str, parts: Iterable[str]) -> None:
    """Print parts behind ``begin``, as many on a line as fit, never one of them broken; further lines stand below the first."""
    width, text, empty = _width(), begin, True
    for part in map(printable, parts):
        if not empty and len(text) + 1 + len(part) > width:
            line(text)
            text, empty = " " * (len(begin) or INDENT), True
        text += part if empty else f" {part}"
        empty = False
    line(text)


def _width() -> int:
    """The columns of the terminal, as the standard library's shutil tells them, which costs too much to import."""
    said = os.environ.get("COLUMNS", "")
    columns = int(said) if said.isascii() and said.isdecimal() and len(said) < len(str(sys.maxsize)) else 0
    if columns <= 0:
        try:
            columns = os.get_terminal_size(sys.stdout.fileno()).columns
        except (OSError, ValueError):
            columns = 0
    return min(max(columns or USUAL, NARROWEST), WIDEST)
