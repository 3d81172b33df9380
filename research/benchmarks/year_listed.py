"""A simulated year (year.py) in its own state folder, as `mind-skills skills list --json` shows it on the last day."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from mind_skills.learning.outcome import Outcome
from mind_skills.learning.statistics import DAY_MS, compute_wilson_interval
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.sessions import SkillUseRecord
from mind_skills.store.project import resolve_project
from research.benchmarks.year import BEGIN, DAYS, Event, Year


def list_skills(year: Year, now: int) -> list[dict[str, Any]]:
    """Record a year in a state folder without archiving, and return the skills in the command's document.

    The year ends at ``now`` (UTC ms).
    """
    shift = now - (BEGIN + DAYS * DAY_MS)
    with tempfile.TemporaryDirectory() as folder:
        project, state = Path(folder, "project"), Path(folder, "state")
        (project / ".git").mkdir(parents=True)
        paths = [str(project / f".claude/skills/skill-{number:02}/SKILL.md") for number in range(len(year.skills))]
        for path in paths:
            Path(path).parent.mkdir(parents=True)
            Path(path).write_text("---\nname: made\ndescription: made\n---\n", encoding="utf-8")
        with Ledger.open(state) as ledger:
            for event in year.simulate_sessions():
                _record_session(ledger, project, paths, replace(event, at=event.at + shift))
        environment = {"HOME": folder, "MIND_SKILLS_HOME": str(state), "PATH": os.environ["PATH"]}
        line = [sys.executable, "-c", "from mind_skills.plugin.cli import main; main()", "skills", "list", "--json"]
        done = subprocess.run(line, cwd=project, env=environment, capture_output=True, text=True, check=True)
    skills: list[dict[str, Any]] = json.loads(done.stdout)["skills"]
    return skills


def _record_session(ledger: Ledger, project: Path, paths: list[str], event: Event) -> None:
    where = resolve_project(str(project))
    ledger.register_session(event.name, "claude-code", where, "", event.at)
    session = ledger.find_session(event.name)
    assert session is not None
    uses = [SkillUseRecord(f"skill-{skill:02}", paths[skill], "tool", event.at) for skill in event.skills]
    ledger.store_analysis(session, uses, Outcome(event.outcome, None, None, 0, 0, 0, "", at=event.at), event.at)
    ledger.finish_session(event.name, event.at)


def summarise_listed_skills(year: Year, now: int) -> dict[str, Any]:
    """Compare the output of `mind-skills skills list --json` on the last day with the truth."""
    rows = {each["name"]: each for each in list_skills(year, now)}
    failing = {number for number in range(len(year.skills)) if rows[f"skill-{number:02}"]["failing"]}
    harmful = {number for number in range(len(year.skills)) if year.is_harmful(number, BEGIN + DAYS * DAY_MS)}
    states: dict[str, dict[str, int]] = {}
    for number, truth in enumerate(year.skills):
        state = rows[f"skill-{number:02}"]["state"]
        states.setdefault(truth, {}).setdefault(state, 0)
        states[truth][state] += 1
    found, false = len(failing & harmful), len(failing - harmful)
    return {
        "harmful found": f"{found}/{len(harmful)}",
        "harmful found, 95 %": [round(bound, 2) for bound in compute_wilson_interval(found, len(harmful))],
        "false alarms": f"{false}/{len(year.skills) - len(harmful)}",
        "false alarms, 95 %": [
            round(bound, 2) for bound in compute_wilson_interval(false, len(year.skills) - len(harmful))
        ],
        "states": states,
    }
