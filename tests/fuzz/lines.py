"""Which lines of our code a target's kept inputs reach: ``python -m tests.fuzz.lines NAME KEPT`` prints ``reached/there``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import coverage

from tests.fuzz.target import TooSlowError, bounded, furnished, somewhere
from tests.testkit.paths import ROOT


def main(name: str, kept: Path) -> str:
    """``reached/there (part)``, over the modules and folders that the target is measured by."""
    measured = coverage.Coverage(data_file=None, include=[f"{ROOT}/{each}/*" for each in _FOLDERS], config_file=False)
    measured.start()
    from tests.fuzz.targets import TARGETS

    target = TARGETS[name]
    with somewhere() as room:
        os.environ.update(furnished(room))
        for data in (*target.seeds(), *(path.read_bytes() for path in sorted(kept.iterdir()))):
            try:
                with bounded():
                    target.check(data)
            except (Exception, TooSlowError):  # noqa: BLE001 -- what broke is told by the fuzzer
                continue
    measured.stop()
    there = reached = 0
    for path in _modules(target.covers):
        _, statements, _, missing, _ = measured.analysis2(str(path))
        there, reached = there + len(statements), reached + len(statements) - len(missing)
    return f"{reached}/{there} ({100 * reached // max(1, there)} %)"


_FOLDERS = (
    "cli",
    "setup",
    "watch",
    "tasks",
    "output",
    "plugin",
    "hooks",
    "staging",
    "memory",
    "learning",
    "detectors",
    "observations",
    "redaction",
    "settings",
    "hosts",
    "store",
    "errors",
)


def _modules(covers: tuple[str, ...]) -> list[Path]:
    """The modules, and of a folder all that are in it."""
    found = [
        path
        for each in covers
        for path in ([ROOT / each] if each.endswith(".py") else sorted((ROOT / each).rglob("*.py")))
    ]
    return [path for path in found if path.stat().st_size]


if __name__ == "__main__":
    print(main(sys.argv[1], Path(sys.argv[2])))
