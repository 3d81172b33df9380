"""Peak memory of reading a very large transcript (target: 150 MB for 1 GB). The time is printed, but has no target.

Writes a Claude Code transcript of the given size into a temporary folder (turns of prompt, thought, command, output and
edit, with occasional large outputs and overlong lines), reads it in a separate process, and prints the peak. Linux
only: the peak is read from /proc.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

READ = """
import json, sys, time
from pathlib import Path
from mind_skills.observations.read import open_log

def peak():  # VmHWM is per process; getrusage would include what the parent held at the fork
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024

imported, begin = peak(), time.perf_counter()
log = open_log(Path(sys.argv[1]))
observations = sum(1 for _ in log.observations)
print(json.dumps({
    "observations": observations, "lines": log.session.lines, "warnings": len(log.session.warnings),
    "peakMegabytes": peak(), "importedMegabytes": imported, "seconds": round(time.perf_counter() - begin, 1),
}))
"""
OUTPUT = "".join(f"tests/test_module_{n}.py::test_case_{n} PASSED in 0.{n} s token={n}\n" for n in range(60))
LARGE_OUTPUT_INTERVAL, OVERLONG_LINE_INTERVAL = 500, 40_000
"""One in this many turns has a large output; one has a line that is longer than readers accept."""


def _make_turn(number: int) -> list[dict[str, object]]:
    stamp = f"2026-06-18T{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}.000Z"
    common = {"sessionId": "big", "cwd": "/home/dev/project", "timestamp": stamp}
    output = OUTPUT * (100 if number % LARGE_OUTPUT_INTERVAL == 0 else 1)
    if number % OVERLONG_LINE_INTERVAL == OVERLONG_LINE_INTERVAL - 1:
        output = "x" * (20 * 1024 * 1024)
    call = {
        "type": "tool_use",
        "id": f"t{number}",
        "name": "Bash",
        "input": {"command": f"pytest -q tests/test_{number % 97}.py"},
    }
    result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": output, "is_error": number % 7 == 0}
    messages: list[tuple[str, object]] = [
        ("user", f"step {number}: fix the importer, it drops the last row"),
        (
            "assistant",
            [{"type": "thinking", "thought": "", "thinking": f"the slice of step {number} is off by one " * 5}],
        ),
        ("assistant", [call]),
        ("user", [result]),
        ("assistant", [{"type": "text", "text": f"Turns out the slice was wrong in step {number}."}]),
    ]
    return [
        {**common, "type": role, "uuid": f"{number}-{index}", "message": {"role": role, "content": content}}
        for index, (role, content) in enumerate(messages)
    ]


def render_turns(first: int, count: int) -> Iterator[str]:
    """Yield the lines of ``count`` turns, numbered from ``first``."""
    for number in range(first, first + count):
        for line in _make_turn(number):
            yield json.dumps(line) + "\n"


def write_transcript(path: Path, megabytes: int) -> None:
    """Write turns until the file has the given size."""
    number = 0
    with path.open("w", encoding="utf-8") as handle:
        while handle.tell() < megabytes * 1_000_000:
            handle.writelines(render_turns(number, 1))
            number += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "transcript.jsonl"
        write_transcript(path, options.megabytes)
        process = subprocess.run([sys.executable, "-c", READ, str(path)], check=True, stdout=subprocess.PIPE, text=True)
        found = {"fileMegabytes": path.stat().st_size // 1_000_000, **json.loads(process.stdout)}
    if options.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:20} {value}")


if __name__ == "__main__":
    main()
