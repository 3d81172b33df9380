"""One look at everything that has changed since the last one, for who runs it from time to time instead of all the time."""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from typing import Any

from mind_skills.watch.instance import Instance
from mind_skills.watch.known import Known
from mind_skills.watch.noticing import OVER, Noticing, Settings
from mind_skills.watch.places import roots
from mind_skills.watch.worker import Worker

HORIZON = 10.0
"""Seconds that looks are waited for which another process was in the way of; what would take longer is for the next time."""
SHORTEST = 0.001
"""Seconds that count as waited in any case."""


def once(home: str, ended: float, paths: tuple[str, ...], tell: Callable[[dict[str, Any]], None]) -> Noticing:
    """Look at all that has changed, finish what is over, and save what is known. Raises MindSkillsError, OSError.

    ``ended`` is the seconds of silence after which a session is over whose process is not known.
    """
    with Instance(home, int(time.time() * 1000)):
        known = Known(home)
        known.load()
        noticing = Noticing(known, Settings(0.0, 0.0, ended), tell)
        noticing.roots = tuple(roots(home, paths))
        noticing.named(paths)
        worker = Worker(home, int(ended * 1000))
        try:
            noticing.swept(noticing.roots, time.monotonic(), time.time())
            _done(noticing, worker)
            noticing.paces.within(OVER, time.monotonic(), 0.0)  # which also says of which projects there are skills
            _done(noticing, worker)
            noticing.skills_swept(time.monotonic(), time.time())
            _done(noticing, worker)
        finally:
            worker.stop()
            known.save()
        return noticing


def _done(noticing: Noticing, worker: Worker) -> None:
    """Have everything looked at that is due before all the waiting for it comes to the horizon: what stands in the way may
    stand there for good.
    """
    left = HORIZON
    while (due := noticing.paces.next()) is not None and (wait := max(due - time.monotonic(), SHORTEST)) < left:
        left -= wait
        time.sleep(wait)
        jobs, details = noticing.take(time.monotonic())
        if not jobs:
            continue
        worker.start(jobs, details, paced=False)
        while worker.busy:
            select.select([worker.descriptor], [], [])
            for answer in worker.heard():
                noticing.answered(worker.jobs[int(answer["job"])], answer, time.monotonic())
        for number in sorted(worker.open):
            said = [f"{worker.jobs[number][0].path}: the look at it ended early"]
            noticing.answered(worker.jobs[number], {"failed": True, "said": said}, time.monotonic())
