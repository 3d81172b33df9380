"""Measures whether the time to process a log is proportional to its length, from the file to the report, and the memory.

usage: python -m research.benchmarks.scaling [--longest N] [--most N] [--json] [SCENE...]

The scenes of research/benchmarks/detection_scenes.py are written as Claude Code transcripts: one session of 1,000 to 100,000
observations, and sessions of 1,000 observations that add up to 1,000 to 1,000,000. A separate process reads each as
`mind-skills replay --jobs 1` does; its CPU time is measured without its start-up. Short logs are read repeatedly, with
bounded caches cleared in between: otherwise a log that fits into them would seem cheaper than it is, and a longer one
more expensive. It prints the slopes (1 is linear, 2 is quadratic), and the peak memory and the microseconds per
observation of the longest session.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mind_skills.observations.model import Observation
from research.benchmarks.detection_scenes import SCENES, make_session
from research.benchmarks.measuring import compute_slope

SESSION_LENGTHS = (1_000, 3_000, 10_000, 30_000, 100_000)
TOTAL_LENGTHS = (1_000, 10_000, 100_000, 1_000_000)
SHORT_SESSION = 1_000
"""Number of observations of each of the many sessions."""
DEFAULT_SCENES = ("ordinary", "learnings", "reports_unsolved", "red_then_green", "giant")
"""An ordinary session, and a worst case for each stage; research/benchmarks/detection.py has all of them."""
LIMIT, MEGABYTES = 1.05, 150
READ = """
import gc, json, sys, time
from pathlib import Path
from mind_skills.cli import replay
from mind_skills.observations.find_logs import find_logs
logs = find_logs(sys.argv[1:]).logs
replay.read_log(logs[0])
taken = []
def clear_caches():
    for name, module in list(sys.modules.items()):
        if name.startswith("mind_skills."):
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()
while len(taken) < 7 and sum(taken) < 1:
    clear_caches()
    gc.collect()
    begin = time.process_time()
    observations = 0
    for log in logs:
        read = replay.read_log(log)
        observations += read.report.observations if read.report else 0
    taken.append(time.process_time() - begin)
peak = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1024
print(json.dumps({"seconds": min(taken), "megabytes": round(peak), "observations": observations}))
"""


def write_transcript(path: Path, observations: Sequence[Observation]) -> None:
    """Write the observations as a Claude Code transcript."""
    with path.open("w", encoding="utf-8") as file:
        for number, observation in enumerate(observations):
            for role, content in _make_messages(observation, number):
                stamp = f"2026-06-{1 + number // 86_400 % 28:02d}T{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}.000Z"
                line = {"type": role, "uuid": f"{number}-{role}", "sessionId": path.stem, "cwd": "/home/dev/project"}
                message = {"role": role, "content": content}
                file.write(json.dumps({**line, "timestamp": stamp, "message": message}) + "\n")


def _make_messages(one: Observation, number: int) -> list[tuple[str, Any]]:
    if one.kind == "user":
        return [("user", one.text)]
    if one.kind != "tool":
        return [("assistant", [{"type": "text", "text": one.text}])]
    arguments: dict[str, str] = {"command": one.command} if one.tool == "Bash" else {"file_path": one.files[0]}
    if one.change:
        rows = one.change.split("\n")
        arguments["old_string"] = "\n".join(row[1:] for row in rows if row.startswith("-"))
        arguments["new_string"] = "\n".join(row[1:] for row in rows if row.startswith("+"))
    call = {"type": "tool_use", "id": f"t{number}", "name": one.tool, "input": arguments}
    failed = one.outcome == "failed"
    answer = {"type": "tool_result", "tool_use_id": f"t{number}", "is_error": failed, "content": one.text}
    return [("assistant", [call]), ("user", [answer])]


def read_in_process(*paths: Path) -> dict[str, float]:
    """Return the CPU seconds, peak megabytes and observations of a process that reads these logs."""
    command = [sys.executable, "-c", READ, *map(str, paths)]
    process = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(process.stdout)
    return found


def measure(name: str, longest: int, most: int, folder: Path) -> dict[str, float]:
    """Return the results of a scene."""
    one: list[tuple[int, float]] = []
    last: dict[str, float] = {}
    for length in (length for length in SESSION_LENGTHS if length <= longest):
        log = folder / f"{name}-{length}.jsonl"
        write_transcript(log, make_session(SCENES[name], length))
        last = read_in_process(log)
        one.append((length, last["seconds"]))
        log.unlink()
    each = folder / name
    each.mkdir()
    first = each / "0.jsonl"
    write_transcript(first, make_session(SCENES[name], SHORT_SESSION))
    many: list[tuple[int, float]] = []
    log_count = 1
    for length in (length for length in TOTAL_LENGTHS if length <= most):
        for number in range(log_count, length // SHORT_SESSION):
            (each / f"{number}.jsonl").hardlink_to(first)
        log_count = length // SHORT_SESSION
        many.append((length, read_in_process(each)["seconds"]))
    found = {"one": round(compute_slope(one), 3), "megabytes": last["megabytes"]}
    found["microseconds"] = round(1e6 * one[-1][1] / one[-1][0], 1)
    return found | ({"many": round(compute_slope(many), 3)} if len(many) > 1 else {})


def main() -> int:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenes", nargs="*", choices=[[], *SCENES], metavar="SCENE")
    parser.add_argument("--longest", type=int, default=SESSION_LENGTHS[-1])
    parser.add_argument("--most", type=int, default=TOTAL_LENGTHS[-1])
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    found: dict[str, dict[str, float]] = {}
    with TemporaryDirectory() as folder:
        for name in args.scenes or DEFAULT_SCENES:
            most = args.most if name in ("ordinary", "learnings") else min(args.most, 100_000)
            found[name] = row = measure(name, args.longest, most, Path(folder))
            if not args.json:
                many = f"{row['many']:6.3f}" if "many" in row else "     -"
                print(
                    f"{name:20} one session {row['one']:6.3f}  many {many}  {row['megabytes']:5.0f} MB  {row['microseconds']:6.1f} us",
                    flush=True,
                )
    if args.json:
        print(json.dumps(found))
    worst = max(max(row["one"], row.get("many", 0)) for row in found.values())
    return int(worst > LIMIT or max(row["megabytes"] for row in found.values()) > MEGABYTES)


if __name__ == "__main__":
    raise SystemExit(main())
