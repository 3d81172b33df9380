"""`mind-skills demo`: demonstrate the whole loop on a bundled session."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

from mind_skills.cli import options
from mind_skills.hooks.end import handle_session_end
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.recover import register_start
from mind_skills.hooks.start import handle_session_start
from mind_skills.output.document import Report
from mind_skills.output.text import count, emit, heading, is_interactive, paragraph, print_line
from mind_skills.staging.analyse import Analysis, analyse
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.store.project import Project, resolve_project


class StepReport(Report):
    """One step of the demonstration. ``block`` is the offer that the session received, null if it received none."""

    title: str
    what: str
    why: str
    block: str | None = None


class DemoReport(Report):
    """`mind-skills demo --json`."""

    version: Literal[1] = 1
    steps: list[StepReport]


WIDTH = 100
"""Maximum columns of the text; wider lines are hard to read."""


@options.top_command("mind-skills demo", "mind-skills demo --json")
@options.as_json
def command(as_json: bool) -> None:
    """See the whole loop: one session learns, the next one receives the offer, the third receives nothing.

    It runs the code of real sessions in a temporary folder, and leaves nothing behind.
    """
    report = run_demo()
    emit(report, as_json, lambda: _print_steps(report))


def _print_steps(report: DemoReport) -> None:
    width = min(WIDTH, shutil.get_terminal_size().columns)
    for number, step in enumerate(report.steps, 1):
        heading(f"{number}. {step.title}")
        paragraph(step.what, width)
        if step.block:
            print_line()
            for text in step.block.splitlines():
                paragraph(text, width, bar=True) if is_interactive() else print_line(f"   | {text}".rstrip())
            print_line()
        paragraph(f"Why: {step.why}", width)
        print_line()
    print_line("Nothing of this remains on your machine. Next: mind-skills replay ~/.claude/projects")


HOST = "claude-code"
CANDIDATE_PLACEHOLDER = "sc_00000000"
"""Placeholder for the candidate id in the second log. The id results from reading the first log."""
SKILL_PATH = Path(".claude/skills/exact-decimals/SKILL.md")


class Sandbox(NamedTuple):
    """The temporary state folder, project and log folder of the demonstration."""

    home: str
    project: Project
    logs: Path

    def make_moment(self, session: str, at: int) -> Moment:
        """Return the moment ``at`` (UTC milliseconds) of ``session``."""
        return Moment(HOST, session, self.project.root, str(self.logs / f"{session}.jsonl"), at)


def find_bundled_log(name: str) -> Path:
    """Return the path of a bundled log, in the wheel or in the repository."""
    folder = Path(__file__).resolve().parent
    packaged = folder / "demo" / name
    return packaged if packaged.exists() else folder.parent / "fixtures/demo" / name


def run_demo() -> DemoReport:
    """Run the three sessions and report each step. The temporary files are removed even on interruption."""
    with TemporaryDirectory(prefix="mind-skills-demo-", ignore_cleanup_errors=True) as folder:
        root = Path(folder, "shop")
        # Its own .git, so that a repository around the temporary folder is not used as the project.
        (root / ".git").mkdir(parents=True)
        sandbox = Sandbox(str(Path(folder, "state")), resolve_project(named=str(root)), Path(folder))
        return DemoReport(
            steps=[*_run_first_session(sandbox), *_run_second_session(sandbox), _run_third_session(sandbox)]
        )


def _run_first_session(sandbox: Sandbox) -> list[StepReport]:
    log = _write_log(sandbox, "session.jsonl", "one", {})
    analysis = analyse(log)
    at = analysis.outcome.at or 0
    block = handle_session_start(sandbox.home, sandbox.make_moment("one", at))
    register_start(sandbox.home, sandbox.make_moment("one", at))
    handle_session_end(sandbox.home, sandbox.make_moment("one", at))
    story = StepReport(
        title="Session one: a test fails",
        what="In an online shop an invoice is one cent off. The agent changes the rounding, without success. Then it finds "
        "the cause, a float that was wrong before it was rounded. It edits the code, and the test passes.",
        why=f"mind-skills read the log that Claude Code writes anyway: {count(analysis.session.lines, 'line')}, "
        f"{count(analysis.observations, 'observation')}. No model was called.",
        block=block,
    )
    return [story, _describe_detection(sandbox, analysis)]


def _describe_detection(sandbox: Sandbox, analysis: Analysis) -> StepReport:
    candidate = _find_best_candidate(sandbox)
    lines = sorted(item.line for item in candidate.evidence)
    return StepReport(
        title="The session ends: something was learned",
        what=f"{candidate.id}, {candidate.confidence} confidence: {candidate.title}",
        why=f"The log shows {candidate.reason} (lines {lines[0]} to {lines[-1]} of the log). "
        f"The session's outcome is {analysis.outcome.type}: it {analysis.outcome.reasoning}.",
    )


def _run_second_session(sandbox: Sandbox) -> list[StepReport]:
    candidate = _find_best_candidate(sandbox)
    log = _write_log(sandbox, "second.jsonl", "two", {CANDIDATE_PLACEHOLDER: candidate.id})
    at = analyse(log).outcome.at or 0
    block = handle_session_start(sandbox.home, sandbox.make_moment("two", at))
    again = handle_session_start(sandbox.home, sandbox.make_moment("two", at))
    register_start(sandbox.home, sandbox.make_moment("two", at))
    if block is None or block != again:
        raise AssertionError("session two must receive an offer, and the same one if it asks again")
    handle_session_end(sandbox.home, sandbox.make_moment("two", at))
    with Ledger.open(sandbox.home) as ledger:
        record = ledger.find_candidate(candidate.id, sandbox.project)
    return [
        StepReport(
            title="Session two: it receives the offer, once",
            what="Before the first prompt, the agent reads this:",
            why="It was the best candidate not offered yet. It is claimed in one transaction, so that two sessions "
            "that start together never receive the same offer.",
            block=block,
        ),
        StepReport(
            title="The agent writes a skill",
            what=f"{candidate.id} is {record.state}: {SKILL_PATH} names it. The list is empty again.",
            why="When the session ended, its log was read too: the agent wrote a SKILL.md with the candidate's id. "
            "No command was needed. A dismissed or ignored candidate would have left the list as well.",
        ),
    ]


def _run_third_session(sandbox: Sandbox) -> StepReport:
    block = handle_session_start(
        sandbox.home, sandbox.make_moment("three", (analyse(sandbox.logs / "two.jsonl").outcome.at or 0) + 60_000)
    )
    return StepReport(
        title="Session three: nothing",
        what="The agent receives nothing." if block is None else "The agent receives the offer again.",
        why="An offer is not repeated: the skill now holds the learning, and is only loaded when needed.",
        block=block,
    )


def _write_log(sandbox: Sandbox, name: str, session: str, replacements: dict[str, str]) -> Path:
    """Write a bundled log, with ``replacements`` applied, where the host would have written it."""
    text = find_bundled_log(name).read_text(encoding="utf-8")
    for old, new in replacements.items():
        text = text.replace(old, new)
    log = sandbox.logs / f"{session}.jsonl"
    log.write_text(text, encoding="utf-8")
    return log


def _find_best_candidate(sandbox: Sandbox) -> Candidate:
    with Ledger.open(sandbox.home) as ledger:
        return ledger.list_pending(sandbox.project)[0]
