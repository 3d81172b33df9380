"""`mind-skills demo`: demonstrate the whole loop with three simulated sessions."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from mind_skills.cli import options
from mind_skills.cli.group import PROGRAM_NAME
from mind_skills.hooks.end import handle_session_end
from mind_skills.hooks.recover import register_start
from mind_skills.hooks.session_state import HookCall
from mind_skills.hooks.start import handle_session_start
from mind_skills.output.digests import show_digests
from mind_skills.output.text import emit, format_count, print_heading, print_line, print_wrapped
from mind_skills.staging.analyse import analyse
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.store.project import Project, resolve_project


class Step(NamedTuple):
    """One step of the demonstration: ``what`` happens, and ``why``."""

    title: str
    what: str
    why: str
    block: str | None = None
    digest: str | None = None
    skill: str | None = None


@options.top_level_command("mind-skills demo", "mind-skills demo --json")
@options.as_json
def command(as_json: bool) -> None:
    """Demonstrate the whole loop: one session learns, the next one receives the offer, the third receives nothing.

    The demonstration runs the code that real sessions run, in a temporary folder, and leaves nothing behind.
    """
    steps = run_demo()
    emit({"steps": steps}, as_json, lambda: _print_steps(steps))


def _print_steps(steps: list[Step]) -> None:
    for number, step in enumerate(steps, 1):
        print_heading(f"{number}. {step.title}")
        print_wrapped(step.what, "   ")
        for text in (step.block or step.digest or step.skill or "").splitlines():
            print_wrapped(text, "   | ", break_words=True)
        print_wrapped(step.why, "   ")
        print_line()
    print_wrapped("None of this remains on your machine. To see what your own sessions would have taught, run:")
    print_line()
    print_line(f"  {find_program()} replay")


def find_program() -> str:
    """Return the command that runs mind-skills from the current folder."""
    program = sys.argv[0]
    if Path(program).name != PROGRAM_NAME or shutil.which(PROGRAM_NAME) in (program, os.path.abspath(program)):
        return PROGRAM_NAME
    return shlex.quote(program)


CANDIDATE_PLACEHOLDER = "sc_00000000"
"""Placeholder in the second log for the id of the candidate, which is known only after the first log is read."""
SKILL_PATH = Path(".claude/skills/exact-decimals/SKILL.md")


class Sandbox(NamedTuple):
    """The temporary state folder, project and log folder of the demonstration."""

    home: str
    project: Project
    logs: Path

    def make_call(self, session: str, at: int) -> HookCall:
        """Return a hook call of ``session`` at the time ``at`` (UTC milliseconds)."""
        return HookCall("claude-code", session, self.project.root, str(self.logs / f"{session}.jsonl"), at)


def find_bundled_log(name: str) -> Path:
    """Return the path of a bundled log, in the wheel or in the repository."""
    folder = Path(__file__).resolve().parent
    packaged = folder / "demo" / name
    return packaged if packaged.exists() else folder.parent / "fixtures/demo" / name


def run_demo() -> list[Step]:
    """Run the three sessions and report each step. The temporary files are removed even after an interruption."""
    with TemporaryDirectory(prefix="mind-skills-demo-", ignore_cleanup_errors=True) as folder:
        root = Path(folder, "shop")
        # Without a .git of its own, the project would be the repository around the temporary folder, if there is one.
        (root / ".git").mkdir(parents=True)
        sandbox = Sandbox(str(Path(folder, "state")), resolve_project(project_folder=str(root)), Path(folder))
        return [*_run_first_session(sandbox), *_run_second_session(sandbox), _run_third_session(sandbox)]


def _run_first_session(sandbox: Sandbox) -> list[Step]:
    log = _write_log(sandbox, "session.jsonl", "one")
    analysis = analyse(log)
    at = analysis.outcome.at or 0
    block = handle_session_start(sandbox.home, sandbox.make_call("one", at))
    register_start(sandbox.home, sandbox.make_call("one", at))
    handle_session_end(sandbox.home, sandbox.make_call("one", at))
    candidate = _find_best_candidate(sandbox)
    lines = sorted(item.line for item in candidate.evidence)
    return [
        Step(
            title="Session one: a test fails, then passes",
            what="An invoice of an online shop is one cent off. The agent changes the rounding, without success. Then it "
            "finds the cause, a float that was wrong before it was rounded, and fixes it.",
            why=f"Claude Code writes a log of this anyway: {format_count(analysis.session.lines, 'line')}.",
            block=block,
        ),
        Step(
            title="The session ends: a learning is noticed",
            what=candidate.title,
            why=f"mind-skills found it in lines {lines[0]} to {lines[-1]} of the log, with {candidate.confidence} "
            "confidence. No model was called.",
        ),
    ]


def _run_second_session(sandbox: Sandbox) -> list[Step]:
    candidate = _find_best_candidate(sandbox)
    log = _write_log(sandbox, "second.jsonl", "two", candidate.id)
    at = analyse(log).outcome.at or 0
    block = handle_session_start(sandbox.home, sandbox.make_call("two", at))
    repeated_block = handle_session_start(sandbox.home, sandbox.make_call("two", at))
    register_start(sandbox.home, sandbox.make_call("two", at))
    if block is None or block != repeated_block:
        raise AssertionError("session two must receive an offer, and the same offer if it starts again")
    with Ledger.open(sandbox.home) as ledger:
        digest = show_digests(ledger, sandbox.project, [candidate.id]).sessions[0].text
    handle_session_end(sandbox.home, sandbox.make_call("two", at))
    with Ledger.open(sandbox.home) as ledger:
        record = ledger.find_candidate(candidate.id, sandbox.project)
    return [
        Step(
            title="Session two: the learning is offered, once",
            what="Before the first prompt, the agent reads this:",
            why="No other session is offered the same learning, even if it starts at the same moment.",
            block=block,
        ),
        Step(
            title="The agent reads what happened, and judges",
            what=f"After the user's own request, it runs `mind-skills show {candidate.id}`, which prints:",
            why="With it, it prints four tests. The agent decides whether this deserves a skill, and asks the user.",
            digest=digest,
        ),
        Step(
            title="The agent writes a skill",
            what=f"It writes {SKILL_PATH}:",
            why=f"The skill names the candidate {candidate.id}, which is therefore {record.state}. No command was needed.",
            skill=_read_skill(log),
        ),
    ]


def _read_skill(log: Path) -> str:
    """Return the content of the SKILL.md that the agent of a bundled session wrote, according to its log."""
    for text in log.read_text(encoding="utf-8").splitlines():
        content: list[dict[str, Any]] | str = json.loads(text)["message"]["content"]
        for part in content if isinstance(content, list) else ():
            if part.get("name") == "Write":
                return str(part["input"]["content"])
    raise AssertionError("the bundled session writes a skill")


def _run_third_session(sandbox: Sandbox) -> Step:
    block = handle_session_start(
        sandbox.home, sandbox.make_call("three", (analyse(sandbox.logs / "two.jsonl").outcome.at or 0) + 60_000)
    )
    return Step(
        title="Session three: nothing is offered",
        what="The learning is in the skill now, which is only loaded when needed."
        if block is None
        else "The learning is offered again.",
        why="Later sessions show whether the skill helps.",
        block=block,
    )


def _write_log(sandbox: Sandbox, name: str, session: str, candidate_id: str = "") -> Path:
    """Copy a bundled log, with the id of the candidate, to the log folder of the demonstration; return its path."""
    text = find_bundled_log(name).read_text(encoding="utf-8")
    log = sandbox.logs / f"{session}.jsonl"
    log.write_text(text.replace(CANDIDATE_PLACEHOLDER, candidate_id), encoding="utf-8")
    return log


def _find_best_candidate(sandbox: Sandbox) -> Candidate:
    with Ledger.open(sandbox.home) as ledger:
        return ledger.list_pending(sandbox.project)[0]
