"""The looks themselves, in the process that is there for them: each does what a hook would have done.

Each returns what the watching process has to know: a plain dictionary with any of ``again`` (seconds after which to look
again), ``failed`` (it could not be done now), ``said`` (sentences for people), ``session``, ``host`` and ``candidates``
of what was looked at, ``recover`` (whether sessions may be over), ``roots`` (folders of projects).
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, cast

from mind_skills.errors import LogError
from mind_skills.hooks import traces
from mind_skills.hooks.end import end
from mind_skills.hooks.idle import SEEN_FROM_OUTSIDE, idle, measured, read_further, read_log
from mind_skills.hooks.moment import Moment
from mind_skills.observations.copies import origin
from mind_skills.observations.following import Kept
from mind_skills.observations.read import choose, open_log
from mind_skills.observations.readers import codex_subagents
from mind_skills.plugin.hooklog import note
from mind_skills.plugin.pausing import paused
from mind_skills.settings.lenient import enabled, idle_seconds
from mind_skills.settings.table import TABLE
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.sessions import ATTEMPTS, Seen
from mind_skills.store.project import find
from mind_skills.watch import writers

Answer = dict[str, Any]
LATE = 60_000
"""Milliseconds after its end in which a log still grows; later the session goes on."""
BUSY = 2.0
"""Seconds after which to look again where another process was at work on the same log."""
MONTH = 30 * 24 * 60 * 60_000
"""Milliseconds: a session is seldom copied that ended longer ago."""
OTHERS = 100
"""Sessions of one project that are compared with a new one, by the beginning of their logs."""
_BEGINNING = 200
"""Observations in which a log says whose it is: most do in the first line."""
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Whose(NamedTuple):
    """Whose log a file is: in the words that the host's hooks use for the same session."""

    host: str
    session: str
    project: str


def off(home: str, project: str) -> bool:
    """Whether mind-skills is to do nothing in this project, as its hooks would do nothing."""
    return paused(home, project) or not enabled(project)


def log(home: str, path: str, at: int, *, paced: bool) -> Answer:
    """Look at one log, if it is one. ``at`` is UTC milliseconds; ``paced`` keeps the least time between two looks."""
    try:
        whose = owner(Path(path))
    except LogError as error:
        return (
            {}
            if error.code in ("empty", "not_found", "unknown_format", "directory")
            else _failed(home, at, path, error)
        )
    if whose is None:
        return {}
    return session(home, whose, path, at, paced=paced)


def owner(path: Path) -> Whose | None:
    """Whose log this is, from its beginning; None where it is not that of a root session. Raises LogError."""
    chosen = choose(path)
    if chosen == "capture" or (chosen == "codex-rollout" and codex_subagents.belongs(path)):
        return None
    opened = open_log(path, chosen)
    header = opened.session
    for observation in islice(opened.observations, _BEGINNING):
        if chosen == "claude-code" and observation.agent == "subagent":
            return None  # it is read with its session's, whose id it bears
        if header.session_id and header.project:
            break
    cast("Generator[Any]", opened.observations).close()
    name = header.session_id
    if header.host == "claude-code" and _UUID.fullmatch(path.stem):
        name = path.stem  # the first lines of a session that was resumed or copied are of another
    project = header.project or _marked(path, header.host)
    if not project or not name:
        return None
    place = find(named=project) if header.host == "claude-code" else find(folder=project)
    return Whose(header.host, name, place.root)


def _marked(path: Path, host: str) -> str:
    """The project that Gemini CLI notes beside its chats, whose own header need not name it."""
    if host != "gemini":
        return ""
    try:
        with (path.parent.parent / ".project_root").open("rb") as file:
            said = os.fsdecode(file.read(4096)).strip()
    except OSError:
        return ""
    return said if os.path.isabs(said) else ""


def session(home: str, whose: Whose, path: str, at: int, *, paced: bool) -> Answer:
    """Look at the log of one session as at an idle moment of it, and end it where its log says that it is over."""
    with Ledger.open(home) as ledger:
        known = ledger.find_session(whose.session)
    moment = _moment(whose, path, at, known)
    if off(home, moment.project):
        return {}
    if not os.path.isdir(moment.project):
        return {"said": [f"{path}: its project {moment.project} is not on this machine"]}
    try:
        extent = measured(moment.log)
        if known is not None and known.finished_at is not None:
            if extent[0] <= known.size:
                return {}
            if extent[1] // 1_000_000 <= known.finished_at + LATE:
                return {"recover": True}  # which reads once more what has grown since its end
        first = _other_first(home, moment, at) if known is None or known.checkpoint_at is None else {}
        if first.get("again"):
            return first
        looked = _looked(home, moment, extent, at, paced=paced)
        return together([first, looked]) if first else looked
    except Exception as error:  # noqa: BLE001 -- one bad log must not keep the others waiting
        return _failed(home, at, path, error)


def _other_first(home: str, moment: Moment, at: int) -> Answer:
    """Note that a session began as a copy of another, as the hook of its start does where there is one.

    The other is looked at first, so that what both hold is its learning; what came of that look, empty for none.
    """
    if traces.read(home, traces.FORKED, "", moment.session_id):
        return {}
    path = Path(moment.log)
    with Ledger.open(home) as ledger:
        try:
            found = origin(path, choose(path), _beside(ledger, moment, at))
        except LogError:
            return {}  # whoever looks at it says what is wrong with it
        other = None if found is None else ledger.find_session(found.session)
    if found is None or (found.session and found.log is None and other is None):
        return {}  # nobody has read the other, nor will
    traces.put(home, traces.FORKED, "", moment.session_id, str(found.at))
    if found.log is None or (other is not None and measured(str(found.log)) == (other.size, other.mtime)):
        return {}
    answer = log(home, str(found.log), at, paced=False)
    if answer.get("again"):  # somebody else is at work on it
        traces.drop(home, traces.FORKED, "", moment.session_id)
    return answer


def _beside(ledger: Ledger, moment: Moment, at: int) -> list[Path]:
    """The logs of the same project's other sessions with this host, the newest first."""
    seen = [*ledger.list_unfinished(), *reversed(ledger.list_finished_since(at - MONTH))]
    whose, here = (moment.host, find(moment.project).id), moment.session_id
    return [Path(s.log) for s in seen if (s.host, s.project.id) == whose and s.session_id != here][:OTHERS]


def _moment(whose: Whose, path: str, at: int, known: Seen | None) -> Moment:
    """The moment, in the words of the host where one of its hooks has told of this session before."""
    host, project, place = whose.host, whose.project, path
    if known is not None:
        host, project = known.host, known.project.root
        place = known.log if measured(known.log)[0] >= 0 else path  # else it has been moved
    return Moment(host, whose.session, project, place, at, source=SEEN_FROM_OUTSIDE)


def _looked(home: str, moment: Moment, extent: tuple[int, int], at: int, *, paced: bool) -> Answer:
    interval = idle_seconds(moment.project) * 1000 if paced else 0
    if interval and not traces.due(home, moment, interval):
        last = int(traces.read(home, traces.CHECKED, "", moment.session_id) or 0)
        return {"again": max(0.1, (last + interval - at) / 1000)}
    seen: list[Analysis] = []

    def read(path: Path) -> Analysis:
        seen.append(read_log(path, moment.project))
        return seen[-1]

    def read_on(path: Path, kept: Kept | None) -> Analysis:
        seen.append(read_further(path, kept, moment.project))
        return seen[-1]

    problems = idle(home, moment, interval=interval, read_on=read_on)
    writers.note(home, moment)
    answer: Answer = {"said": problems, "host": moment.host, "session": moment.session_id, "project": moment.project}
    if seen and seen[-1].session.end_reason and f"skills_dir.{moment.host}" not in TABLE:
        end(home, moment, read=read)
        return {**answer, "candidates": len(seen[-1].candidates), "ended": 1, "roots": [moment.project]}
    if seen:
        return {**answer, "candidates": len(seen[-1].candidates), "recover": None, "roots": [moment.project]}
    with Ledger.open(home) as ledger:
        after = ledger.find_session(moment.session_id)
    behind = after is None or ((after.size, after.mtime) != extent and after.attempts < ATTEMPTS - 1)
    return {"again": BUSY} if behind else {"recover": None, "roots": [moment.project]}


def together(answers: list[Answer]) -> Answer:
    """Several answers as one."""
    told: Answer = {"said": [text for each in answers for text in each.get("said", ())]}
    told["looks"] = [{k: v for k, v in each.items() if k != "said"} for each in answers if "candidates" in each]
    told["roots"] = list(dict.fromkeys(root for each in answers for root in each.get("roots", ())))
    waits = [each["again"] for each in answers if each.get("again")]
    if waits:
        told["again"] = min(waits)
    if any(each.get("failed") for each in answers):
        told["failed"] = True
    if any("recover" in each for each in answers):
        told["recover"] = True if any(each.get("recover") for each in answers) else None
    return told


def _failed(home: str, at: int, what: str, error: Exception) -> Answer:
    from mind_skills.plugin.hooklog import described

    note(home, at, "watch", f"{what}: {described(error)}")
    return {"failed": True, "said": [f"{what}: {type(error).__name__}: {error}"]}
