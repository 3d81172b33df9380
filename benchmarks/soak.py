"""A day of four hosts in ten projects, and the same day a year later, two and three: does anything grow that should not?

Each project has a session of each host every forty minutes: it starts, goes idle twice while its log grows, and ends, but
for every seventh, which is killed. The logs are stories of fixtures/false_friends, no two alike. The moments are the
hooks' own, in one process, with the time as an argument, so that a day takes minutes. After each day: memory, open files,
the database, small files and logs of the state folder. Exits with 1 where the last day leaves more than
the one at two thirds of the way, and at least the third.

With ``--watch`` no hook runs: the hosts write their logs where they keep them, and a watch learns (soak_watching.py). With
``--process N`` the real `mind-skills watch` sees N sessions, and what it holds is told after each hundred.
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

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "detectors"))

from benchmarks.soak_watching import HOSTS, Hosts, Watched, held, running, settled
from mind_skills.hooks import retention
from mind_skills.hooks.end import end
from mind_skills.hooks.idle import idle
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.recover import recover, register_start
from mind_skills.hooks.start import start
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import find
from tests.testkit.stories.story_file import Step, Story, stories

PROJECTS = 10
MINUTE = 60_000
EVERY = 40
"""Minutes between two sessions of one host in one project."""
KILLED = 7
"""One session in so many is never told to end."""
SLACK = 1.1
"""So much more may a day leave than an earlier one: stories differ in length."""


@dataclass(slots=True)
class Day:
    """What is there when a day is over."""

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
    """A state folder and ten projects."""

    def __init__(self, root: Path, seed: int, projects: int = PROJECTS) -> None:
        self.root, self.home = root, str(root / "state")
        self.random = random.Random(seed)
        self.stories = stories()
        self.sessions = self.offers = 0
        self.projects = [root / f"project-{number}" for number in range(projects)]
        for project in self.projects:
            (project / ".git" / "info").mkdir(parents=True)

    def session(self, host: str, project: Path, at: int) -> None:
        """One session from its start to its end, or to where it is killed."""
        self.sessions += 1
        log = self.root / "logs" / f"{host}-{self.sessions}.json{'' if host == 'opencode' else 'l'}"
        log.parent.mkdir(exist_ok=True)
        name = f"{host}-{self.sessions}"

        def moment(minutes: int, source: str = "startup") -> Moment:
            return Moment(host, name, str(project), str(log), at + minutes * MINUTE, source)

        self.offers += bool(start(self.home, moment(0)))
        register_start(self.home, moment(0))
        for minutes, told in self.growing():
            log.write_text(HOSTS[host].written(told)[0], "utf-8")
            idle(self.home, moment(minutes))
        if self.sessions % KILLED:
            end(self.home, moment(30))
        recover(self.home, at + 31 * MINUTE)
        retention.daily(self.home, at + 31 * MINUTE, 365)

    def slot(self, begin: int) -> None:
        """One session of each host in each project, all begun at the same time."""
        for project in self.projects:
            for host in HOSTS:
                self.session(host, project, begin)

    def growing(self) -> Iterator[tuple[int, Story]]:
        """What a session tells after ten minutes and after twenty."""
        told = self.random.choice(self.stories)
        mark = "".join(chr(97 + self.sessions // 26**power % 26) for power in range(4))
        steps = tuple(Step(s.kind, s.how, _marked(s.what, mark), _marked(s.body, mark)) for s in told.steps)
        for minutes, some in ((10, steps[: max(1, len(steps) // 2)]), (20, steps)):
            yield minutes, Story(told.name, some, told.expected)

    def tidied(self) -> None:
        """Hosts clear up behind themselves."""
        for log in (self.root / "logs").iterdir():
            log.unlink()

    def after(self, name: str) -> Day:
        """Look around."""
        gc.collect()
        with Ledger.open(self.home) as ledger:
            staged = sum(len(ledger.list_pending(find(str(project)))) for project in self.projects)
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
    """The same without hooks: sessions stand in the logs of their hosts, and a watch looks at them."""

    def __init__(self, root: Path, seed: int, projects: int = PROJECTS) -> None:
        super().__init__(root, seed, projects)
        os.environ["HOME"] = str(root / "home")
        self.hosts = Hosts(root / "home")
        self.watch = Watched(self.home)

    def slot(self, begin: int) -> None:
        """One session of each host in each project: written in two parts, and silent from then on."""
        growing: list[tuple[str, Path, int, Iterator[tuple[int, Story]]]] = []
        for project in self.projects:
            for host in HOSTS:
                self.sessions += 1
                growing.append((host, project, self.sessions, self.growing()))
        for minutes in (10, 20):
            for host, project, number, parts in growing:
                self.hosts.write(host, number, project, next(parts)[1], begin + minutes * MINUTE)
            self.watch.until(begin + (minutes + 2) * MINUTE)
        self.watch.over(begin + 60 * MINUTE)

    def tidied(self) -> None:
        """Hosts clear up behind themselves."""
        self.hosts.clear()


def process(machine: WatchedMachine, sessions: int) -> list[dict[str, int]]:
    """What the real watch holds after each hundred sessions, and the state folder with it."""
    found: list[dict[str, int]] = []
    state = Path(machine.home)
    with running(machine.hosts.home, state) as pid:
        for number in range(1, sessions + 1):
            host, project = list(HOSTS)[number % 4], machine.projects[number % len(machine.projects)]
            *_, (_, told) = machine.growing()
            machine.sessions += 1
            machine.hosts.write(host, number, project, told, time.time_ns() // 1_000_000)
            if number % 100 == 0:
                done = settled(state, number)
                folder = sum(path.stat().st_size for path in state.rglob("*") if path.is_file()) // 1024
                found.append({"sessions": number, "all_over": int(done), **held(pid), "folder_kb": folder})
                print(found[-1], file=sys.stderr, flush=True)
    return found


def _marked(text: str, mark: str) -> str:
    """The same with names of its own: what stands before a file's ending, and the words of an error."""
    for known in (".py", ".ts", ".go", ".rs", ".js", "Error"):
        text = text.replace(known, f"_{mark}{known}" if known != "Error" else f"{mark.title()}Error")
    return text


def day(machine: Machine, begin: int, hours: int) -> None:
    """All sessions of a day, in the order of time."""
    for minute in range(0, hours * 60, EVERY):
        machine.slot(begin + minute * MINUTE)
        for path in Path(machine.home).rglob("*"):  # the disk keeps its own time, which is not that of this day
            if path.is_file() and not path.name.startswith("mind-skills.db"):
                os.utime(path, (begin / 1000, begin / 1000))
        machine.tidied()


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--days", type=int, default=5)
    parser.add_argument("--projects", type=int, default=PROJECTS)
    parser.add_argument("--watch", action="store_true", help="no hooks: only a watch learns")
    parser.add_argument("--process", type=int, default=0, metavar="N", help="the real watch, and N sessions")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    days: list[Day] = []
    with tempfile.TemporaryDirectory() as folder:
        if options.process:
            print(json.dumps(process(WatchedMachine(Path(folder), options.seed, options.projects), options.process)))
            return 0
        machine = (WatchedMachine if options.watch else Machine)(Path(folder), options.seed, options.projects)
        for number in range(options.days):
            begin = 1_800_000_000_000 + number * 400 * retention.DAY
            # A day on which nothing happens stands between: the clock's leap forgets nothing, the day after it does.
            retention.daily(machine.home, begin - retention.DAY, 365)
            gone = retention.prune(machine.home, begin - 365 * retention.DAY)
            day(machine, begin, options.hours)
            days.append(machine.after(f"day {number + 1}"))
            days[-1].forgotten = {name: count for name, count in gone.items() if count}
            if not options.json:
                print(days[-1], flush=True)
    if options.json:
        print(json.dumps([{name: getattr(one, name) for name in Day.__slots__} for one in days]))
    early, last = days[min(max(2, len(days) * 2 // 3 - 1), len(days) - 1)], days[-1]
    grown = [
        name
        for name in ("memory_kb", "open_files", "database_kb", "files", "folder_kb")
        if getattr(last, name) > SLACK * getattr(early, name)
    ]
    if isinstance(machine, WatchedMachine) and machine.watch.problems:
        print(f"the watch said: {machine.watch.problems[:5]}", file=sys.stderr)
        grown.append("problems")
    if grown:
        print(f"the last day left more than {early.name}: {', '.join(grown)}", file=sys.stderr)
    return bool(grown)


if __name__ == "__main__":
    sys.exit(main())
