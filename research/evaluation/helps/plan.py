"""The order of all runs, and the traps that are kept back until the end, drawn by a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from research.evaluation.helps.runs import FIRST, REMINDER, SECOND_ARMS, WITH, WITHOUT, WRITER, Facts

KEPT_BACK, TRIES = 4, 3
"""Number of traps that no change of the product may be based on, and of tries of each arm."""
_AFTER = {FIRST: "", WRITER: "`learn` on the first", WITH: "the writer", WITHOUT: "", REMINDER: "`learn` on the first"}


def draw_plan(traps: Sequence[str], controls: Sequence[str], seed: int) -> dict[str, Any]:
    """Draw the order of the runs: all first tasks, then all writers, then all second tasks and controls, each in random order."""
    drawn = random.Random(seed)
    traps, controls = sorted(traps), sorted(controls)
    kept_back = sorted(drawn.sample(traps, min(KEPT_BACK, len(traps))))
    before = [Facts(trap, arm) for arm in (FIRST, WRITER) for trap in drawn.sample(traps, len(traps))]
    seconds = [
        Facts(trap, arm, number)
        for names, arms in ((traps, SECOND_ARMS), (controls, (WITH, WITHOUT)))
        for trap in names
        for arm in arms
        for number in range(1, TRIES + 1)
    ]
    drawn.shuffle(seconds)
    order = [asdict(facts) for facts in [*before, *seconds]]
    return {"seed": seed, "kept_back": kept_back, "traps": traps, "controls": controls, "order": order}


def format_plan(plan: dict[str, Any]) -> str:
    """Format a plan as a table of runs in order, with what must have been done before each."""
    runs = [Facts(**each) for each in plan["order"]]
    is_late = [facts.arm == WITH and facts.trap in plan["controls"] for facts in runs]
    rows = [
        (str(number), facts.name, "all writers" if late else _AFTER[facts.arm])
        for number, (facts, late) in enumerate(zip(runs, is_late, strict=True), 1)
    ]
    kept_back = ", ".join(plan["kept_back"])
    return f"Seed {plan['seed']}; kept back: {kept_back}\n\n{format_table(('', 'run', 'after'), rows)}"


def write_plan(plan: dict[str, Any], path: Path) -> None:
    """Write a plan as JSON."""
    path.write_text(json.dumps(plan, indent=1) + "\n", encoding="utf-8")


def read_plan(path: Path) -> dict[str, Any]:
    """Read a plan; one without runs if there is none."""
    if not path.exists():
        return draw_plan((), (), 0)
    plan: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return plan


def format_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a Markdown table."""
    lines = ["| " + " | ".join(line) + " |" for line in (header, *rows)]
    return "\n".join((lines[0], "|" + "---|" * len(header), *lines[1:]))
