"""Time that a host waits for each hook, as multiples of the start of a bare interpreter of the same Python.

The hooks run in shuffled order, round by round; the results are medians. The time ends when the process has exited and its
outputs are closed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mind_skills.plugin.command import find_entry_script, find_interpreter, make_shell_command
from mind_skills.store.home import HOME_VARIABLE, SETTINGS_VARIABLE
from research.benchmarks.hook_scenes import (
    FAILED_COMMAND,
    FAILED_OUTPUT,
    KNOWN_ERROR,
    ROOT,
    Run,
    Scene,
    collect_orphans,
    let_orphans_end,
    make_bare_command,
    stage_five_candidates,
    stage_nothing,
    start_checked_session,
    start_session,
    store_solved_errors,
)

ROUNDS = 40
BASH: dict[str, object] = {"tool_name": "Bash"}


class Row(NamedTuple):
    """A hook: its name in the table, its target (multiples of B), the function that prepares its scene, its event and moment.

    ``more`` are additional fields of the payload, and ``answers`` is whether the hook must print something.
    """

    name: str
    target: float
    prepare: Callable[[Scene], None]
    event: str
    moment: str
    more: dict[str, object]
    answers: bool = False
    way: str = "installed"
    """The way of starting that the target applies to."""


ROWS = [
    Row("SessionStart, nothing waits", 1.3, stage_nothing, "SessionStart", "start", {"source": "startup"}),
    Row(
        "SessionStart, five wait",
        3.5,
        stage_five_candidates,
        "SessionStart",
        "start",
        {"source": "startup"},
        answers=True,
    ),
    Row("Stop", 1.5, start_session, "Stop", "idle", {"last_assistant_message": "Done. " * 100}),
    Row(
        "Stop, within the minute",
        1.5,
        start_checked_session,
        "Stop",
        "idle",
        {"last_assistant_message": "Done. " * 100},
    ),
    Row("SessionEnd", 1.5, start_session, "SessionEnd", "end", {"reason": "other"}),
    Row(
        "failed call, nothing known",
        1.4,
        store_solved_errors,
        "PostToolUseFailure",
        "failure",
        BASH | {"tool_input": {"command": FAILED_COMMAND}, "error": FAILED_OUTPUT},
    ),
    Row(
        "failed call, solved before",
        1.8,
        store_solved_errors,
        "PostToolUseFailure",
        "failure",
        BASH | {"tool_input": {"command": FAILED_COMMAND}, "error": f"{FAILED_OUTPUT}{KNOWN_ERROR}\n"},
        answers=True,
    ),
]
WAYS = ("process", "installed", "marketplace")
"""The hook's own process; the command that `mind-skills install` writes, run by a shell; the plugin's own file, as
Claude Code runs it.
"""


def make_command(way: str, python: str, moment: str, scene: Scene) -> list[str]:
    """Return the command to run in ``scene``."""
    if way == "process":
        return [python, "-I", "-S", find_entry_script(), "claude-code", moment]
    if way == "installed":
        os.environ[HOME_VARIABLE] = str(scene.state)  # an installation writes both into the command
        os.environ[SETTINGS_VARIABLE] = str(scene.home / ".config/mind-skills/mind-skills.toml")
        return ["/bin/sh", "-c", make_shell_command(python, find_entry_script(), "claude-code", moment)]
    return ["sh", str(ROOT / "plugin" / "hook.sh"), "claude-code", moment]


class Seconds(NamedTuple):
    """Times of one command: the median, and the first decile, which estimates an idle machine."""

    median: float
    low: float


def measure(rounds: int, folder: Path) -> dict[tuple[str, str], Seconds]:
    """Return the seconds by row and way; those of ``B`` are under ("B", "")."""
    python = find_interpreter()
    data = folder / "data"
    data.mkdir()
    (data / "venv").symlink_to(Path(python).parents[1])
    scenes = {row.name: Scene(folder / str(n), row.prepare, row.event, **row.more) for n, row in enumerate(ROWS)}
    rows = {row.name: row for row in ROWS}
    order = [("B", ""), *((row.name, way) for row in ROWS for way in WAYS)]
    taken: dict[tuple[str, str], list[float]] = {key: [] for key in order}
    rng = random.Random(0)
    for turn in range(rounds + 1):
        rng.shuffle(order)
        for name, way in order:
            scene = scenes.get(name, scenes[ROWS[0].name])
            scene.renew()  # before B as well, so that all commands run just after the same writes
            if name == "B":
                ran = Run(make_bare_command(python), b"", {}, folder)
            else:
                ran = Run(
                    make_command(way, python, rows[name].moment, scene),
                    scene.payload,
                    scene.environment(data),
                    scene.project,
                )
                let_orphans_end()
                _require_expected(name, way, ran, scene, answers=rows[name].answers)
            if turn:  # the first round fills the caches
                taken[name, way].append(ran.seconds)
    return {
        key: Seconds(statistics.median(seconds), sorted(seconds)[len(seconds) // 10]) for key, seconds in taken.items()
    }


def _require_expected(name: str, way: str, ran: Run, scene: Scene, *, answers: bool) -> None:
    log = scene.state / "log" / "hooks.log"
    is_unexpected = ran.code or ran.stderr or bool(ran.stdout) != answers or log.exists()
    if is_unexpected:
        log_text = log.read_text() if log.exists() else ""
        raise SystemExit(f"{name}, {way}: code {ran.code}, {ran.stderr!r}, {ran.stdout[:80]!r}, {log_text}")


def _build_cells(row: Row, taken: dict[tuple[str, str], Seconds]) -> dict[str, float]:
    """Return the multiples of B by way of starting: of the medians, and of the first deciles."""
    unit = taken["B", ""]
    found: dict[str, float] = {}
    for way in WAYS:
        found[way] = round(taken[row.name, way].median / unit.median, 2)
        found[f"{way}, first decile"] = round(taken[row.name, way].low / unit.low, 2)
    return found


def main() -> int:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help="exit 1 if a target is missed")
    args = parser.parse_args()
    collect_orphans()
    with tempfile.TemporaryDirectory(prefix="mind-skills-bench-", ignore_cleanup_errors=True) as folder:
        taken = measure(args.rounds, Path(folder).resolve())
    unit = taken["B", ""]
    table = {row.name: _build_cells(row, taken) for row in ROWS}
    is_met = {row.name: table[row.name][row.way] <= row.target for row in ROWS}
    if args.json:
        rows = {row.name: {"target": row.target, "held": is_met[row.name], **table[row.name]} for row in ROWS}
        print(json.dumps({"unit_ms": round(unit.median * 1000, 2), "rounds": args.rounds, "rows": rows}))
    else:
        print(
            f"{'B = ' + format(unit.median * 1000, '.1f') + ' ms here':28} {'target':>7}",
            *(f"{way:>18}" for way in WAYS),
        )
        for row in ROWS:
            found = table[row.name]
            cells = [f"{found[way]:.2f} ({found[f'{way}, first decile']:.2f})" if way in found else "" for way in WAYS]
            verdict = "met" if is_met[row.name] else "MISSED"
            print(f"{row.name:28} {row.target:>7.1f}", *(f"{cell:>18}" for cell in cells), f" {verdict}")
        print(
            "Median, and first decile, in multiples of those of B. Targets are for `installed`, for capture: `process`."
        )
    return 1 if args.check and not all(is_met.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
