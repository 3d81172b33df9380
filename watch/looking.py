"""The process that looks: a request on stdin, a line on stdout for each of its jobs when it is done, and it ends.

Request and answers are JSON; this is spoken between processes of one version, and nobody else's business. What it read
goes with it, so that the process that watches stays small.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

LIFETIME = 300
"""Seconds that one job may take, as for the work behind a hook; the system ends it then."""
NICE = 10


def main() -> int:
    """Do every job of the request, in order."""
    request: Any = json.loads(sys.stdin.buffer.read())
    if hasattr(os, "nice"):
        os.nice(NICE)
    for number, job in enumerate(request["jobs"]):
        if os.name == "posix":
            import signal

            signal.alarm(LIFETIME)
        answer = done(request, job, time.time_ns() // 1_000_000)
        sys.stdout.write(json.dumps({"job": number, **answer}) + "\n")
        sys.stdout.flush()
    return 0


def done(request: Any, job: Any, at: int) -> dict[str, Any]:
    """What came of one job. ``at`` is UTC milliseconds. Never raises."""
    home = request["home"]
    try:
        return _do(home, at, request, job)
    except Exception as error:  # noqa: BLE001 -- one bad job must not keep the others waiting
        from mind_skills.plugin.hooklog import described, note

        note(home, at, f"watch {job['do']}", described(error))
        return {"failed": True, "said": [f"{job['do']}: {type(error).__name__}: {error}"]}


def _do(home: str, at: int, request: Any, job: Any) -> dict[str, Any]:
    from mind_skills.watch import chores, looks

    what, paced = job["do"], bool(request["paced"])
    if what == "log":
        return looks.log(home, job["path"], at, paced=paced)
    if what == "database":
        return chores.database(home, job["path"], at, job["since"], paced=paced)
    if what == "spool":
        return chores.spool(home, at, paced=paced)
    if what == "skill":
        return chores.skill(home, job["path"], job["root"], at)
    if what == "pending":
        return chores.pending(home, job["root"], at)
    return chores.over(home, at, request["ended"])


if __name__ == "__main__":
    sys.exit(main())
