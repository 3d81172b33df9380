"""Every target, one after the other: ``python -m tests.fuzz.every SECONDS [NAME ...]``; how far each came, as a table.

The exit code is 1 where a promise was broken; the input that broke it lies in the folder that is named then.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import rmtree

KEPT = "MIND_SKILLS_FUZZ_KEPT"
"""A folder in which the inputs that reach something new stay for the next run; without it they are gone."""
FIGURES = "MIND_SKILLS_FUZZ_FIGURES"
"""A file for the figures as JSON lines."""
_REACHED = re.compile(r"cov: (\d+) ft: (\d+) corp: (\d+)/")
_EXECUTED = re.compile(r"number_of_executed_units: (\d+)")
_MEMORY = re.compile(r"peak_rss_mb:\s+(\d+)")
SHOWN = 40
"""Lines of what a failed target said that are shown."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one target. ``edges`` counts branches of our bytecode, ``lines`` is ``reached/there`` of what it is measured by."""

    target: str
    executions: int
    edges: int
    begun: int
    kept: int
    megabytes: int
    lines: str
    broken: bool

    def row(self) -> str:
        """As a row of docs/survival.md."""
        found = "broken" if self.broken else "none"
        return f"| `{self.target}` | {self.executions:,} | {self.begun} -> {self.edges} | {self.lines} | {self.kept} | {found} |"


def run(name: str, seconds: int, kept: Path) -> tuple[Figures, str]:
    """Fuzz one target, and what it said. Its inputs come to lie in ``kept``."""
    flags = [f"-max_total_time={seconds}", *os.environ.get("MIND_SKILLS_FUZZ_FLAGS", "").split()]
    line = [sys.executable, "-m", "tests.fuzz.one", name, str(kept), *flags]
    # Both in one, so that an exception stands where it was raised.
    done = subprocess.run(
        line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False
    )
    said = done.stdout
    reached = _REACHED.findall(said) or [("0", "0", "0")]
    figures = Figures(
        target=name,
        executions=int((_EXECUTED.findall(said) or ["0"])[-1]),
        edges=int(reached[-1][0]),
        begun=int(reached[0][0]),
        kept=int(reached[-1][2]),
        megabytes=int((_MEMORY.findall(said) or ["0"])[-1]),
        lines=_lines(name, kept),
        broken=done.returncode != 0,
    )
    return figures, said


def _lines(name: str, kept: Path) -> str:
    """Which part of the lines that the target is measured by its kept inputs reach."""
    if not os.environ.get(FIGURES):
        return "not asked for"
    line = [sys.executable, "-m", "tests.fuzz.lines", name, str(kept)]
    return subprocess.run(line, capture_output=True, text=True, check=False).stdout.strip() or "not to be had"


def main(seconds: int, names: list[str]) -> int:
    """Fuzz them and print the table; the exit code."""
    broken = 0
    home = os.environ.get(KEPT)
    every = Path(home or tempfile.mkdtemp(prefix="mind-skills-fuzz-"))
    print("| target | executions | edges | lines | inputs kept | broken promises |\n|---|---|---|---|---|---|")
    for name in names:
        figures, said = run(name, seconds, every / name)
        print(figures.row(), flush=True)
        if figures.broken:
            broken += 1
            print(
                "\n".join(said.splitlines()[-SHOWN:]), f"\nthe input is in {every / name}", file=sys.stderr, flush=True
            )
        if os.environ.get(FIGURES):
            with Path(os.environ[FIGURES]).open("a", encoding="utf-8") as file:
                file.write(json.dumps({"seconds": seconds, **asdict(figures)}) + "\n")
    if not home and not broken:
        rmtree(every)
    return 1 if broken else 0


if __name__ == "__main__":
    if named := sys.argv[2:]:
        sys.exit(main(int(sys.argv[1]), named))
    listed = "from tests.fuzz.targets import TARGETS; print(*TARGETS)"  # not here: one process would import it twice
    found = subprocess.run([sys.executable, "-c", listed], capture_output=True, text=True, check=True).stdout.split()
    sys.exit(main(int(sys.argv[1]), found))
