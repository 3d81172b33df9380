"""Days of four hosts in ten projects, with 400 days between them, to detect unwanted growth.

Each project has a session of each host every forty minutes. A session starts, is idle twice while its log grows, and
ends; every seventh is killed instead. The logs are variations of stories in fixtures/false_friends. The hooks'
functions run in one process with the time as an argument, so that a day takes minutes. After each day, the process's memory
and open files, the size of the database, and the number and size of the files in the state folder are measured. Exit code 1
if one of these is more than 10 % larger after the last day than after the day at two thirds of the run (the third at the
earliest).

With ``--watch``, no hook runs: the hosts write their logs in their own folders, and a watch reads them (soak_watching.py).
With ``--process N``, the real `mind-skills watch` reads N sessions, and its resources are printed after each hundred.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mind_skills.hooks import retention
from mind_skills.hooks.end import handle_session_end
from mind_skills.hooks.idle import run_checkpoint
from mind_skills.hooks.recover import recover_sessions, register_start
from mind_skills.hooks.session_state import HookCall
from mind_skills.hooks.start import handle_session_start
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from research.benchmarks.soak_watching import (
    HOSTS,
    Hosts,
    SimulatedWatch,
    read_resources,
    run_watch,
    wait_until_settled,
)
from tests.testkit.stories.story_file import Step, Story, read_stories

PROJECTS = 10
MINUTE = 60_000
INTERVAL_MINUTES = 40
"""Minutes between two sessions of one host in one project."""
KILL_EVERY = 7
"""One in this many sessions is killed, and has no end event."""
SLACK = 1.1
"""Tolerated growth factor between days, since stories differ in length."""


@dataclass(slots=True)
class Day:
    """Measurements at the end of a day."""

    name: str
    sessions: int
    staged: int
    offers: int
    memory_kb: int
    open_files: int
    database_kb: int
    files: int
    folder_kb: int
    forgotten: dict[str, int] = field(default_factory=dict)


class Machine:
    """A state folder and some projects, ten by default."""

    def __init__(self, root: Path, seed: int, projects: int = PROJECTS) -> None:
        self.root, self.home = root, str(root / "state")
        self.random = random.Random(seed)
        self.stories = read_stories()
        self.sessions = self.offers = 0
        self.projects = [root / f"project-{number}" for number in range(projects)]
        for project in self.projects:
            (project / ".git" / "info").mkdir(parents=True)

    def run_session(self, host: str, project: Path, at: int) -> None:
        """Run one session from its start until it ends or is killed."""
        self.sessions += 1
        log = self.root / "logs" / f"{host}-{self.sessions}.json{'' if host == 'opencode' else 'l'}"
        log.parent.mkdir(exist_ok=True)
        name = f"{host}-{self.sessions}"

        def make_call(minutes: int, source: str = "startup") -> HookCall:
            return HookCall(host, name, str(project), str(log), at + minutes * MINUTE, source)

        self.offers += bool(handle_session_start(self.home, make_call(0)))
        register_start(self.home, make_call(0))
        for minutes, content in self.generate_content():
            log.write_text(HOSTS[host].render_log(content)[0], "utf-8")
            run_checkpoint(self.home, make_call(minutes))
        if self.sessions % KILL_EVERY:
            handle_session_end(self.home, make_call(30))
        recover_sessions(self.home, at + 31 * MINUTE)
        retention.prune_daily(self.home, at + 31 * MINUTE, 365)

    def run_slot(self, begin: int) -> None:
        """Run one session of each host in each project, all starting at the same time."""
        for project in self.projects:
            for host in HOSTS:
                self.run_session(host, project, begin)

    def generate_content(self) -> Iterator[tuple[int, Story]]:
        """Yield (minutes since the start, content of the log) after ten minutes and after twenty."""
        story = self.random.choice(self.stories)
        mark = "".join(chr(97 + self.sessions // 26**power % 26) for power in range(4))
        steps = tuple(Step(s.kind, s.how, _add_mark(s.what, mark), _add_mark(s.body, mark)) for s in story.steps)
        for minutes, written_steps in ((10, steps[: max(1, len(steps) // 2)]), (20, steps)):
            yield minutes, Story(story.name, written_steps, story.expected)

    def delete_logs(self) -> None:
        """Delete logs, as hosts do."""
        for log in (self.root / "logs").iterdir():
            log.unlink()

    def measure_day(self, name: str) -> Day:
        """Measure the resources after a day."""
        gc.collect()
        with Ledger.open(self.home) as ledger:
            staged = sum(len(ledger.list_pending(resolve_project(str(project)))) for project in self.projects)
        retention.compact(self.home)
        paths = [path for path in Path(self.home).rglob("*") if path.is_file()]
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return Day(
            name,
            self.sessions,
            staged,
            self.offers,
            pages * os.sysconf("SC_PAGE_SIZE") // 1024,
            len(list(Path("/proc/self/fd").iterdir())),
            sum(path.stat().st_size for path in paths if path.name.startswith("mind-skills.db")) // 1024,
            len(paths),
            sum(path.stat().st_size for path in paths) // 1024,
        )


class WatchedMachine(Machine):
    """A machine without hooks: the hosts write their logs, and a watch reads them."""

    def __init__(self, root: Path, seed: int, projects: int = PROJECTS) -> None:
        super().__init__(root, seed, projects)
        os.environ["HOME"] = str(root / "home")
        self.hosts = Hosts(root / "home")
        self.watch = SimulatedWatch(self.home)

    def run_slot(self, begin: int) -> None:
        """Write one session of each host in each project, in two parts; then let the watch finish them."""
        sessions: list[tuple[str, Path, int, Iterator[tuple[int, Story]]]] = []
        for project in self.projects:
            for host in HOSTS:
                self.sessions += 1
                sessions.append((host, project, self.sessions, self.generate_content()))
        for minutes in (10, 20):
            for host, project, number, parts in sessions:
                self.hosts.write(host, number, project, next(parts)[1], begin + minutes * MINUTE)
            self.watch.run_until(begin + (minutes + 2) * MINUTE)
        self.watch.run_until_over(begin + 60 * MINUTE)

    def delete_logs(self) -> None:
        """Delete logs, as hosts do."""
        self.hosts.clear()


def measure_real_watch(machine: WatchedMachine, sessions: int) -> list[dict[str, int]]:
    """Return and print the resources of the real watch and the size of the state folder after each hundred sessions."""
    found: list[dict[str, int]] = []
    state = Path(machine.home)
    with run_watch(machine.hosts.home, state) as pid:
        for number in range(1, sessions + 1):
            host, project = list(HOSTS)[number % 4], machine.projects[number % len(machine.projects)]
            *_, (_, content) = machine.generate_content()
            machine.sessions += 1
            machine.hosts.write(host, number, project, content, time.time_ns() // 1_000_000)
            if number % 100 == 0:
                is_over = wait_until_settled(state, number)
                folder = sum(path.stat().st_size for path in state.rglob("*") if path.is_file()) // 1024
                found.append({"sessions": number, "all_over": int(is_over), **read_resources(pid), "folder_kb": folder})
                print(found[-1], file=sys.stderr, flush=True)
    return found


def _add_mark(text: str, mark: str) -> str:
    """Return the text with ``mark`` in the names of files and errors, so that they are unique."""
    for name in (".py", ".ts", ".go", ".rs", ".js", "Error"):
        text = text.replace(name, f"_{mark}{name}" if name != "Error" else f"{mark.title()}Error")
    return text


def run_day(machine: Machine, begin: int, hours: int) -> None:
    """Run all sessions of a day in chronological order."""
    for minute in range(0, hours * 60, INTERVAL_MINUTES):
        machine.run_slot(begin + minute * MINUTE)
        for path in Path(machine.home).rglob("*"):  # their mtimes must be of the simulated day
            if path.is_file() and not path.name.startswith("mind-skills.db"):
                os.utime(path, (begin / 1000, begin / 1000))
        machine.delete_logs()


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--days", type=int, default=5)
    parser.add_argument("--projects", type=int, default=PROJECTS)
    parser.add_argument("--watch", action="store_true", help="run no hooks, only a watch")
    parser.add_argument("--process", type=int, default=0, metavar="N", help="run the real watch with N sessions")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    days: list[Day] = []
    with tempfile.TemporaryDirectory() as folder:
        if options.process:
            print(
                json.dumps(
                    measure_real_watch(WatchedMachine(Path(folder), options.seed, options.projects), options.process)
                )
            )
            return 0
        machine = (WatchedMachine if options.watch else Machine)(Path(folder), options.seed, options.projects)
        for number in range(options.days):
            begin = 1_800_000_000_000 + number * 400 * retention.DAY
            # The jump of the clock triggers no retention, but the next day does; so there is an empty day in between.
            retention.prune_daily(machine.home, begin - retention.DAY, 365)
            gone = retention.prune(machine.home, begin - 365 * retention.DAY)
            run_day(machine, begin, options.hours)
            days.append(machine.measure_day(f"day {number + 1}"))
            days[-1].forgotten = {name: count for name, count in gone.items() if count}
            if not options.json:
                print(days[-1], flush=True)
    if options.json:
        print(json.dumps([{name: getattr(one, name) for name in Day.__slots__} for one in days]))
    reference, last = days[min(max(2, len(days) * 2 // 3 - 1), len(days) - 1)], days[-1]
    growing = [
        name
        for name in ("memory_kb", "open_files", "database_kb", "files", "folder_kb")
        if getattr(last, name) > SLACK * getattr(reference, name)
    ]
    if isinstance(machine, WatchedMachine) and machine.watch.problems:
        print(f"problems of the watch: {machine.watch.problems[:5]}", file=sys.stderr)
        growing.append("problems")
    if growing:
        print(f"the last day left more than {reference.name}: {', '.join(growing)}", file=sys.stderr)
    return bool(growing)


if __name__ == "__main__":
    sys.exit(main())
