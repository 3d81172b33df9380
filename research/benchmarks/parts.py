"""The programs that `make bench` runs, and the numbers that the table of docs/performance.md shows."""

from __future__ import annotations

from typing import NamedTuple

from research.benchmarks.checkpoint import PHASES


class Row(NamedTuple):
    """A number in the table: its location in a part's output, its label and its target."""

    at: str
    """Keys and list indexes, joined by slashes."""
    label: str
    most: float | None = None
    least: float | None = None
    form: str = "{:g}"
    better: str = "less"
    """Which direction is better, "less" or "more": for comparisons."""
    is_on_page: bool = True
    """Whether the page shows the number; the terminal shows all."""

    @property
    def target(self) -> str:
        """The target in words."""
        if self.most is not None:
            return f"{self.most:g} at most"
        return f"{self.least:g} at least" if self.least is not None else ""

    def is_met(self, value: float) -> bool:
        """Return whether the target is met; true if there is none."""
        return (self.most is None or value <= self.most) and (self.least is None or value >= self.least)


class Part(NamedTuple):
    """A program that measures. It supports ``--json`` and interleaves what it compares."""

    command: tuple[str, ...]
    """A module, or an ``.mjs`` file of this folder for node, and its arguments."""
    quick: tuple[str, ...]
    """Additional arguments for a rough measurement."""
    seconds: float
    """Approximate duration on two idle cores of 2025; the last run on this machine is a better estimate."""
    rows: tuple[Row, ...]
    noise: float = 0.1
    """Spread observed between two runs of the same commit, as a fraction; comparisons ignore smaller changes."""


PARTS: dict[str, Part] = {
    "startup": Part(
        ("research.benchmarks.startup",),
        ("--rounds", "5"),
        15,
        (
            Row("mind-skills --version", "start: `mind-skills --version`, in B", most=4),
            Row("mind-skills status", "start: `mind-skills status`, in B", most=15),
            Row("mind-skills --help", "start: `mind-skills --help`, in B"),
        ),
        noise=0.15,
    ),
    "hooks": Part(
        ("research.benchmarks.hooks",),
        ("--rounds", "8"),
        90,
        tuple(
            Row(f"rows/{name}/{way}", f"hook: {name}, in B", most=most, is_on_page=False)
            for name, way, most in (
                ("SessionStart, nothing waits", "installed", 1.3),
                ("SessionStart, five wait", "installed", 3.5),
                ("Stop", "installed", 1.5),
                ("Stop, within the minute", "installed", 1.5),
                ("SessionEnd", "installed", 1.5),
            )
        ),
        noise=0.15,
    ),
    "throughput": Part(
        ("research.benchmarks.throughput",),
        ("--rounds", "1", "--work", "0"),
        90,
        (
            Row("percent", "replay on one core, each log once, percent of the floor", least=8, better="more"),
            Row("replayMegabytesASecond", "replay, MB per second of CPU", better="more"),
            Row("floorMegabytesASecond", "the floor, MB per second of CPU", better="more"),
            Row("jobs", "`--jobs 2`: times as fast as `--jobs 1`", least=1.7, better="more"),
            Row("peakMegabytes", "replay: peak megabytes"),
        ),
    ),
    "scaling": Part(
        ("research.benchmarks.scaling",),
        ("--longest", "10000", "--most", "10000", "ordinary", "learnings"),
        200,
        tuple(
            row
            for scene, label, most in (
                ("ordinary", "ordinary session", "1,000,000"),
                ("learnings", "one learning after another", "1,000,000"),
                ("reports_unsolved", "reports that nothing solves", "100,000"),
                ("red_then_green", "many checks fail, many others pass", "100,000"),
                ("giant", "texts of the maximum length", "100,000"),
            )
            for row in (
                Row(f"{scene}/one", f"{label}: exponent in one session", most=1.05),
                Row(f"{scene}/many", f"{label}: exponent over many, {most}", most=1.05),
                Row(f"{scene}/megabytes", f"{label}: peak megabytes", most=150),
            )
        ),
        noise=0.05,
    ),
    "detection": Part(
        ("research.benchmarks.detection",),
        ("--longest", "10000"),
        150,
        (Row("worst/time", "detection alone: worst exponent of 19 scenes", most=1.1),),
        noise=0.05,
    ),
    "yardstick": Part(
        ("research.benchmarks.yardstick",),
        ("--longest", "10000", "--rounds", "1"),
        200,
        tuple(
            row
            for name, label, least in (
                ("ordinary", "100,000 ordinary observations", 8),
                ("adverse", "10,000 adverse observations", 100),
            )
            for row in (
                Row(
                    f"{name}/times",
                    f"{label}: times as fast as the naive heuristics",
                    least=least,
                    better="more",
                ),
                Row(f"{name}/timesWordsOnce", f"{label}: the same, with words extracted once", better="more"),
                Row(f"{name}/pairs", f"{label}: pairs that both find", better="neither", is_on_page=False),
                Row(f"{name}/same", f"{label}: the same pairs (1 is yes)", least=1, better="neither"),
            )
        ),
    ),
    "finisher": Part(
        ("research.benchmarks.finisher",),
        ("--rounds", "2"),
        8,
        (Row("cpuSeconds", "worker after a session of 5,000 observations, CPU seconds", most=0.5),),
    ),
    "checkpoint": Part(
        ("research.benchmarks.checkpoint",),
        ("--sizes", "3", "10", "--rounds", "3"),
        60,
        (
            Row("turn", "checkpoint after one turn of a session of 40, in B", most=15),
            *(Row(f"phases/{name}", f"one turn: {label}", is_on_page=False) for name, label in PHASES.items()),
            Row("turns", "checkpoint after 40 new turns of a long session, in B"),
            Row("growth", "the same: log of 50 MB to one of 3 MB"),
        ),
        noise=0.2,
    ),
    "memory": Part(
        ("research.benchmarks.big_transcript",),
        ("--megabytes", "100"),
        60,
        (Row("peakMegabytes", "peak megabytes of reading a log of 1 GB", most=150),),
        noise=0.05,
    ),
    "patterns": Part(("research.benchmarks.linear_patterns",), (), 25, (), noise=0.5),
    "redaction": Part(
        ("research.benchmarks.redaction",),
        (),
        20,
        (
            Row("megabytesASecond", "search for secrets, MB per second of CPU", better="more"),
            Row("repeated", "search for secrets per MB: worst repeated text to an ordinary one", most=10),
            Row("printed", "the same: worst of nine outputs with ids, digests or base64 in each line", most=10),
            Row("secrets", "the same: worst of five texts that consist of secrets", most=10),
        ),
        noise=0.3,
    ),
    "retrieval": Part(
        ("research.benchmarks.retrieval.run", "--cost"),
        ("1000",),
        180,
        (
            Row("1000/ratio", "memory query to a bare FTS5 query, 1,000 records", most=3, form="{:.2f}"),
            Row("100000/ratio", "the same, 100,000 records", most=3, form="{:.2f}"),
        ),
    ),
    "watching": Part(
        ("research.benchmarks.watching",),
        ("--files", "1000", "--appends", "6000", "--seconds", "5"),
        180,
        (
            Row("p90", "watch, 10,000 files: from an append until it is noticed, p90, ms", most=5, form="{:.2f}"),
            Row("idle", "watch, 10,000 files: percent of a core while idle", most=0.1, form="{:.3f}"),
            Row("megabytes", "watch, 10,000 files: megabytes", most=45, form="{:.1f}"),
            Row("missed", "watch: appends missed of 60,000", most=0),
        ),
        noise=0.3,
    ),
    "plugin": Part(
        ("opencode_plugin.mjs",),
        (),
        3,
        (
            Row(
                "added to a tool call/p50",
                "time that the OpenCode plugin adds to a tool call, ms",
                most=0.1,
                form="{:.4f}",
            ),
        ),
        noise=0.5,
    ),
}
