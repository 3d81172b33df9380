"""What commands print, compared as a whole with tests/cli/transcripts; testkit/transcript.py says how to read and write them."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks.recover import register_start
from mind_skills.hooks.session_state import HookCall
from mind_skills.learning.credit import Credit
from mind_skills.learning.outcome import Outcome
from mind_skills.learning.rules import load_rules
from mind_skills.learning.storage import SCHEMA
from mind_skills.output import state as states
from mind_skills.plugin.command import find_interpreter
from mind_skills.plugin.hooklog import append_note
from mind_skills.setup.doctor import probe
from mind_skills.staging import start_files
from mind_skills.staging.analyse import analyse
from mind_skills.staging.identity import build_candidate_id
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate, Evidence
from mind_skills.staging.offer import claim_offer
from mind_skills.staging.tables.sessions import SkillUseRecord
from mind_skills.store.database import Database
from mind_skills.store.project import digest_text, resolve_project
from mind_skills.tasks import memories
from tests.report.month import NOW, Month
from tests.testkit.command import CommandResult
from tests.testkit.episodes import build_candidate
from tests.testkit.paths import DEMO, ROOT
from tests.testkit.terminal import Terminal
from tests.testkit.transcript import Scenario, Steps, play, read_scenarios

DAY, HOUR = 86_400_000, 3_600_000
SCENARIOS = [each for path in sorted((ROOT / "tests/cli/transcripts").glob("*.txt")) for each in read_scenarios(path)]


@pytest.fixture
def steps(
    apart: Path, repository: Path, monkeypatch: pytest.MonkeyPatch, mind_skills: Callable[..., CommandResult]
) -> Steps:
    """What a scenario can arrange."""
    place = resolve_project(str(repository))
    began = states.read_clock()
    ticks = itertools.count(began, 1_000)
    monkeypatch.setattr(states, "read_clock", lambda: next(ticks))  # so that what comes later is newer
    home = str(apart / "state")

    def vote(outcome: Any, days: str, sessions: str, strategy: str = "Split by feature") -> None:
        """Sessions, one a letter, vote on a strategy so many days ago."""
        now = states.read_clock()
        at = now - int(days) * DAY
        with Database.open(home, SCHEMA) as database:
            for name in sessions:  # a vote of the future is cast in the future
                Credit(database, load_rules(place.root)).vote(
                    place.id, name, [strategy], outcome, at=at, now=max(now, at)
                )

    def write_skill(name: str, text: str = "Pass texts to Decimal.") -> None:
        path = repository / f".claude/skills/{name}/SKILL.md"
        path.parent.mkdir(parents=True)
        content = f"---\nname: {name}\ndescription: Use when a price is off by a cent.\n---\n{text}\n"
        path.write_text(content, encoding="utf-8")

    def load_skill(skill: str, outcome: Any, days: str, sessions: str) -> None:
        """Sessions, one a letter, loaded a skill (- for none) and ended so many days ago."""
        at = states.read_clock() - int(days) * DAY
        path = str(repository / f".claude/skills/{skill}/SKILL.md")
        came = Outcome(outcome, 0.9, outcome == "helpful", 1, 0, 0, "it did", at=at)
        with Ledger.open(home) as ledger:
            for name in sessions:
                ledger.register_session(name, "claude-code", place, "", at)
                seen = ledger.find_session(name)
                assert seen is not None
                uses = [SkillUseRecord(skill, path, "tool", at - HOUR)] if skill != "-" else []
                ledger.store_analysis(seen, uses, came, at)
                ledger.finish_session(name, at)

    def offer(session: str) -> None:
        assert claim_offer(home, place, session, 1_772_500_000_000)

    def ignore(session: str) -> None:
        with Ledger.open(home) as ledger:
            ledger.apply_verdicts(session, {}, 1_772_500_001_000)

    def approve(id_: str) -> None:
        with Ledger.open(home) as ledger:
            ledger.approve(id_, 1, place)

    def write_file(name: str, text: str = "") -> None:
        path = repository / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("\\n", "\n"), encoding="utf-8")

    def copy_demo(name: str, age: str, *changes: str) -> None:
        """Write a copy of the bundled log that last changed so many days ago, with changes of the form ``old=new``."""
        text = DEMO.read_text(encoding="utf-8")
        for old, _, new in (change.partition("=") for change in changes):
            assert old in text
            text = text.replace(old, new)
        write_file(name)
        path = repository / name
        path.write_text(text, encoding="utf-8")
        os.utime(path, (began / 1000 - int(age) * 86_400,) * 2)

    def change_file(name: str, old: str, new: str) -> None:
        text = (repository / name).read_text(encoding="utf-8")
        assert old in text
        write_file(name, text.replace(old, new))

    def merge_json(name: str, patch: str) -> None:
        """Merge a document into that of a file; null removes a member."""

        def merge(old: Any, new: dict[str, Any]) -> dict[str, Any]:
            changed = {
                key: merge(old.get(key, {}), value) if isinstance(value, dict) else value for key, value in new.items()
            }
            return {key: value for key, value in {**old, **changed}.items() if value is not None}

        path = repository / name
        write_file(
            name, json.dumps(merge(json.loads(path.read_text("utf-8")) if path.exists() else {}, json.loads(patch)))
        )

    def examine() -> str:
        """What the doctor finds without starting hooks, except the checks whose texts depend on the machine."""
        monkeypatch.setattr(probe, "measure_hooks", lambda python, hooks: (1.0, []))
        monkeypatch.setenv("PATH", "/usr/bin:/bin")
        text, report = mind_skills("doctor").out.splitlines(), mind_skills("doctor", "--json").json
        verdict = [line for line in text[-2:] if "\t" not in line]
        checks = [
            f"{each['state']} {each['host']} {each['name']}: {each['text']} -> {each['mend']}"
            for each in report["checks"]
            if each["name"] not in ("interpreter", "command", "redaction") and "was not found on" not in each["text"]
        ]
        found = "\n".join([text[0], *checks, *verdict])
        return found.replace(find_interpreter(), "PYTHON").replace(str(ROOT), "ROOT")

    def stage_pair() -> None:
        """Stage two candidates, whose texts are too long for a line and rest on the web."""
        socket = build_candidate("OSError: address 7070 in use " + "and nobody ends it " * 9, probability=0.4)
        lock = build_candidate("ERR_LOCKFILE: not up to date", program="pnpm", probability=0.3, taint=("web",))
        with Ledger.open(home) as ledger:
            ledger.stage(place, "one", "codex", [socket, lock], 1)

    def review(*words: str) -> str:
        """Type the words on a terminal: a key each, or after = the reason of a dismissal; return the screen and the exit code."""
        with Terminal("review", *(each for each in words if each.startswith("--"))) as terminal:
            for word in words:
                if word.startswith("="):
                    terminal.type("\x04" if word == "=^D" else f"{word[1:]}\n", "(Enter for no reason) ")
                elif not word.startswith("--"):
                    terminal.type(word)
            code = terminal.finish()
        return f"{terminal.screen}(exit code {code})"

    def tell_month() -> None:
        Month(apart).fill()
        monkeypatch.setattr(states, "read_clock", lambda: NOW)

    def meet_error(session: str, hours: str, solved: str = "solved", line: str = "") -> None:
        """A session met the bundled session's error so many hours after the first; it loaded the skill at a line of its log."""
        found, at = analyse(DEMO), began + (int(hours) - 100) * HOUR
        met = [replace(each, at=at, solved_line=each.solved_line * (solved == "solved")) for each in found.errors]
        path = str(repository / ".claude/skills/exact-decimals/SKILL.md")
        uses = [SkillUseRecord("exact-decimals", path, "tool", at, line=int(line))] if line else []
        with Ledger.open(home) as ledger:
            ledger.register_session(session, "claude-code", place, "", at)
            seen = ledger.find_session(session)
            assert seen is not None
            ledger.store_analysis(seen, uses, found.outcome, at, met)
            ledger.finish_session(session, at)

    def accept(id_: str, skill: str, hours: str) -> None:
        with Ledger.open(home) as ledger:
            ledger.accept(
                id_, str(repository / f".claude/skills/{skill}/SKILL.md"), began + (int(hours) - 100) * HOUR, place
            )

    def change_folder(name: str) -> None:
        (repository / name).mkdir(parents=True, exist_ok=True)
        monkeypatch.chdir(repository / name)

    def stage(copy: str = "") -> None:
        """Stage the candidate of the bundled session, or of a copy of it that another session wrote."""
        log = DEMO
        if copy:
            log = apart / "again.jsonl"
            log.write_bytes(DEMO.read_bytes().replace(b"5d0c3f6e", copy.encode()))
        assert mind_skills("replay", log, "--stage", "--project", repository).code == 0

    def fail(number: str) -> None:
        """Write a line into the log of the hooks: a number of 1970, or ``now``."""
        append_note(home, states.read_clock() if number == "now" else 0, "claude-code end", f"fault {number}")

    def run(*words: str) -> None:
        assert mind_skills(*words).code == 0

    def end(session: str) -> None:
        """End a session; a person runs the commands that follow."""
        with Ledger.open(home) as ledger:
            ledger.finish_session(session, states.read_clock())
        monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")

    def store_outcome(session: str, outcome: Any) -> None:
        """Store the outcome that the log of a session shows, and its vote on a strategy."""
        with Ledger.open(home) as ledger:
            seen = ledger.find_session(session)
            assert seen is not None
            now = states.read_clock()
            ledger.store_analysis(seen, [], Outcome(outcome, 0.5, None, 0, 0, 0, ""), now)
        vote(outcome, "0", session)

    def set_clock(minutes: str) -> None:
        """Stop the clock so many minutes after the beginning."""
        monkeypatch.setattr(states, "read_clock", lambda: began + int(minutes) * 60_000)

    def list_records() -> str:
        with memories.open_memory("") as memory:
            return "\n".join(sorted(f"{each.kind}: {each.content} < {each.task!r}" for each in memory.store.list_all()))

    def decide(kind: Any, *decisions: str) -> None:
        """Stage candidates of a kind and accept (a) or dismiss (d) each, so many days ago: ``a90``."""
        for number, decision in enumerate(decisions):
            mark, at = digest_text(f"{kind} {number}", 16), states.read_clock() - int(decision[1:]) * DAY
            evidence = (Evidence("problem", "symptom", "boom", "", 1), Evidence("solution", "cause", "calm", "", 2))
            title = f"{kind} {number}"
            one = Candidate(build_candidate_id(mark), kind, title, "it failed", "high", mark, evidence, score=1.0)
            with Ledger.open(home) as ledger:
                ledger.stage(place, title, "claude-code", [one], at)
                if decision.startswith("a"):
                    ledger.accept(one.id, "/x/SKILL.md", at, place)
                else:
                    ledger.dismiss(one.id, "no", at, place)

    def register(session: str) -> None:
        """A hook reports the start of a session, whose log is that of the bundled one."""
        log = apart / f"{session}.jsonl"
        log.write_bytes(DEMO.read_bytes())
        register_start(home, HookCall("claude-code", session, str(repository), str(log), states.read_clock()))

    def name_session(session: str) -> None:
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", session)

    def begin(session: str) -> None:
        """Begin a session, whose agent runs the commands that follow."""
        with Ledger.open(home) as ledger:
            ledger.register_session(session, "claude-code", place, "", 1)
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", session)

    return {
        "vote": vote, "skill": write_skill, "load": load_skill, "offer": offer, "ignore": ignore, "approve": approve,
        "file": write_file, "copy": copy_demo, "cd": change_folder, "stage": stage, "fault": fail, "run": run, "session": begin, "end": end,
        "log": store_outcome, "person": lambda: monkeypatch.delenv("CLAUDE_CODE_SESSION_ID"),
        "remove": lambda name: (repository / name).unlink(),
        "clock": set_clock, "records": list_records, "decide": decide, "register": register, "by": name_session,
        "show": lambda name: (repository / name).read_text("utf-8"),
        "files": lambda name: "\n".join(sorted(str(each) for each in (repository / name).rglob("*"))),
        "month": tell_month, "pair": stage_pair, "review": review,
        "doctor": examine, "change": change_file, "merge": merge_json,
        "meet": meet_error, "accept": accept,
        "advice": lambda: start_files.read_advice(home, place.id),
    }  # fmt: skip


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: f"{each.path.stem}: {each.name}")
def test_commands_print_what_the_transcript_says(
    scenario: Scenario, mind_skills: Callable[..., CommandResult], apart: Path, steps: Steps
) -> None:
    play(scenario, mind_skills, apart, steps)
