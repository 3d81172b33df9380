"""`mind-skills demo`: the whole loop on a bundled session, for whoever sees it for the first time."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

from mind_skills.cli import options
from mind_skills.hooks.end import end
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.recover import register_start
from mind_skills.hooks.start import start
from mind_skills.output.document import Report
from mind_skills.output.text import count, emit, heading, interactive, line, paragraph
from mind_skills.staging.analyse import Analysis, analyse
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.store.project import Project, find


class StepReport(Report):
    """One step of the demonstration. ``block`` is the text that the session was handed, null where there was nothing to hand over."""

    title: str
    what: str
    why: str
    block: str | None = None


class DemoReport(Report):
    """`mind-skills demo --json`."""

    version: Literal[1] = 1
    steps: list[StepReport]


WIDTH = 100
"""Columns of the text: wider lines are hard to read, whatever the terminal allows."""


@options.command("mind-skills demo", "mind-skills demo --json")
@options.as_json
def command(as_json: bool) -> None:
    """See the whole loop: one session learns, the next one is told, the third is not.

    It plays in a temporary folder, through the code that runs in real sessions, and leaves nothing behind.
    """
    report = walk()
    emit(report, as_json, lambda: _show(report))


def _show(report: DemoReport) -> None:
    width = min(WIDTH, shutil.get_terminal_size().columns)
    for number, step in enumerate(report.steps, 1):
        heading(f"{number}. {step.title}")
        paragraph(step.what, width)
        if step.block:
            line()
            for text in step.block.splitlines():
                paragraph(text, width, bar=True) if interactive() else line(f"   | {text}".rstrip())
            line()
        paragraph(f"Why: {step.why}", width)
        line()
    line("Nothing of this is left on your machine. Next: mind-skills replay ~/.claude/projects")


HOST = "claude-code"
CANDIDATE = "sc_00000000"
"""What stands in the second log for the candidate's id, which is known only once the first has been read."""
SKILL = Path(".claude/skills/exact-decimals/SKILL.md")


class Stage(NamedTuple):
    """Where the demonstration plays: a state folder, a project and a folder of logs, all temporary."""

    home: str
    project: Project
    logs: Path

    def moment(self, session: str, at: int) -> Moment:
        """Something happens to ``session`` at ``at`` (UTC milliseconds)."""
        return Moment(HOST, session, self.project.root, str(self.logs / f"{session}.jsonl"), at)


def bundled(name: str) -> Path:
    """A log of the demonstration, in a wheel or in the repository."""
    here = Path(__file__).resolve().parent
    inside = here / "demo" / name
    return inside if inside.exists() else here.parent / "fixtures/demo" / name


def walk() -> DemoReport:
    """Play the three sessions and report each step. Nothing is left behind, also when it is interrupted."""
    with TemporaryDirectory(prefix="mind-skills-demo-", ignore_cleanup_errors=True) as folder:
        root = Path(folder, "shop")
        # A .git of its own, so that a repository around the temporary folder is not taken for the project's.
        (root / ".git").mkdir(parents=True)
        stage = Stage(str(Path(folder, "state")), find(named=str(root)), Path(folder))
        return DemoReport(steps=[*_first(stage), *_second(stage), _third(stage)])


def _first(stage: Stage) -> list[StepReport]:
    log = _write(stage, "session.jsonl", "one", {})
    analysis = analyse(log)
    at = analysis.outcome.at or 0
    told = start(stage.home, stage.moment("one", at))
    register_start(stage.home, stage.moment("one", at))
    end(stage.home, stage.moment("one", at))
    story = StepReport(
        title="Session one: a test fails",
        what="In an online shop an invoice is one cent off. The agent changes the rounding, in vain; then it finds the "
        "cause, a float that was wrong before it was rounded; it edits, and the test passes.",
        why=f"The log that Claude Code writes anyway was read: {count(analysis.session.lines, 'line')}, "
        f"{count(analysis.observations, 'observation')}. No model was asked.",
        block=told,
    )
    return [story, _noticed(stage, analysis)]


def _noticed(stage: Stage, analysis: Analysis) -> StepReport:
    candidate = _best(stage)
    lines = sorted(item.line for item in candidate.evidence)
    return StepReport(
        title="It ends: something was learned",
        what=f"{candidate.id}, {candidate.confidence} confidence: {candidate.title}",
        why=f"It shows {candidate.reason} (lines {lines[0]} to {lines[-1]} of the log). "
        f"The session's outcome is {analysis.outcome.type}: it {analysis.outcome.reasoning}.",
    )


def _second(stage: Stage) -> list[StepReport]:
    candidate = _best(stage)
    log = _write(stage, "second.jsonl", "two", {CANDIDATE: candidate.id})
    at = analyse(log).outcome.at or 0
    told = start(stage.home, stage.moment("two", at))
    again = start(stage.home, stage.moment("two", at))
    register_start(stage.home, stage.moment("two", at))
    if told is None or told != again:
        raise AssertionError("session two was to be told, and the same when it asks again")
    end(stage.home, stage.moment("two", at))
    with Ledger.open(stage.home) as ledger:
        record = ledger.find_candidate(candidate.id, stage.project)
    return [
        StepReport(
            title="Session two: it is told, once",
            what="Before the first prompt the agent reads this:",
            why="It was the best of what nobody had been told of yet. Claimed in one transaction, so that two sessions "
            "that start together are never told the same.",
            block=told,
        ),
        StepReport(
            title="The agent writes a skill",
            what=f"{candidate.id} is {record.state}: {SKILL} names it. The list is empty again.",
            why="When the session ended its log was read, too: it wrote a SKILL.md with the candidate's id. "
            "No command was needed; one that had been refused or ignored would have left the list as well.",
        ),
    ]


def _third(stage: Stage) -> StepReport:
    told = start(stage.home, stage.moment("three", (analyse(stage.logs / "two.jsonl").outcome.at or 0) + 60_000))
    return StepReport(
        title="Session three: nothing",
        what="The agent is told nothing." if told is None else "The agent is told again.",
        why="What was handed over is not repeated: the skill says it now, and only when it is needed.",
        block=told,
    )


def _write(stage: Stage, name: str, session: str, words: dict[str, str]) -> Path:
    """Put a bundled log, with ``words`` replaced, where the host would have written it."""
    text = bundled(name).read_text(encoding="utf-8")
    for old, new in words.items():
        text = text.replace(old, new)
    log = stage.logs / f"{session}.jsonl"
    log.write_text(text, encoding="utf-8")
    return log


def _best(stage: Stage) -> Candidate:
    with Ledger.open(stage.home) as ledger:
        return ledger.list_pending(stage.project)[0]
