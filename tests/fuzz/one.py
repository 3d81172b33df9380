"""One target under Atheris, in a process of its own: ``python -m tests.fuzz.one NAME KEPT [libFuzzer's flags]``.

``KEPT`` is a folder for the inputs that reach something new; an input that breaks a promise is written there as
``crash-...``. Whatever a target writes goes into a folder that is gone afterwards.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from tests.fuzz.target import LONGEST, ROOM, TooSlowError, bounded, furnished, somewhere

MEGABYTES = 1_024
"""Of memory, for the whole process."""
LAZY = ("observations", "redaction", "detectors", "learning", "hooks", "plugin.opencode", "tasks")
"""Packages whose modules are imported where they are needed: what is not there at the start is not followed."""


def main(name: str, kept: Path, flags: list[str]) -> int:
    """Run one target until libFuzzer's flags end it, and say its exit code; the fuzzer leaves without cleaning up."""
    kept.mkdir(parents=True, exist_ok=True)
    with somewhere() as room:
        environment = {**os.environ, **furnished(room)}
        line = [sys.executable, "-m", "tests.fuzz.one", name, str(kept), *flags]
        return subprocess.run(line, check=False, env=environment).returncode


def fuzz(name: str, kept: Path, room: Path, flags: list[str]) -> None:
    """The same in the process that was made for it. Never returns."""
    import atheris  # type: ignore[import-untyped, unused-ignore]

    with atheris.instrument_imports(include=["mind_skills"], enable_loader_override=False):
        from tests.fuzz.targets import TARGETS

        for package in LAZY:
            found = import_module(f"mind_skills.{package}")
            for module in walk_packages(found.__path__, f"mind_skills.{package}."):
                import_module(module.name)
    from tests.fuzz.mutation import mutated

    target = TARGETS[name]

    def check(data: bytes) -> None:
        try:
            with bounded():
                target.check(data)
        except TooSlowError as error:
            raise RuntimeError(str(error)) from error

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        return mutated(data, most, seed, atheris.Mutate, target.words)

    begins = room / "seeds"
    begins.mkdir()
    for number, data in enumerate(target.seeds()):
        (begins / f"{number:04}").write_bytes(data[:LONGEST])
    limits = [
        f"-max_len={LONGEST}",
        f"-rss_limit_mb={MEGABYTES}",
        "-len_control=0",
        "-timeout=120",
        "-print_final_stats=1",
    ]
    arguments = [sys.argv[0], str(kept), str(begins), *limits, f"-artifact_prefix={kept}/", *flags]
    os.chdir(room)
    atheris.Setup(arguments, check, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    named, folder, rest = sys.argv[1], Path(sys.argv[2]).resolve(), sys.argv[3:]
    if ROOM in os.environ:
        fuzz(named, folder, Path(os.environ[ROOM]), rest)
    sys.exit(main(named, folder, rest))
