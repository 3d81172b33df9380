"""What all histories of this machine have taught: the best different learnings, as text and as a page.

`mind-skills replay` without a path prints it, and `--html` writes it. Nothing is decided here: which learnings are one is
asked of staging/.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from mind_skills.errors.records import AmbiguousIdError, OtherProjectError, UnknownIdError
from mind_skills.observations.find_logs import Log, Sources, find_logs
from mind_skills.observations.readers import codex_subagents, opencode_db
from mind_skills.output.text import count, heading, interactive, line, path_text, printable
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.merge import merge, sort_best_first, unite
from mind_skills.staging.model import Candidate
from mind_skills.staging.quote import BETWEEN
from mind_skills.staging.similar import Form, is_alike, prepare
from mind_skills.store.database import NAME
from mind_skills.store.home import state_folder
from mind_skills.store.project import Project, find
from mind_skills.watch.watched_files import list_roots, list_snapshots

DAYS = 30
"""How far back a replay of all histories looks where nobody says otherwise."""
DAY = 86_400_000
MOST_LOGS = 5_000
"""Sessions that are read at most, the newest: what is kept of each, a few kilobytes, then fits into any memory."""
MOST_COMPARED = 500
"""The best learnings, of which each is compared with each for the same thing in other words."""
SHOWN = 10
WIDTH, NARROW, INDENT = 120, 100, 4
"""Columns: the most that a line takes, from where on symptom and cause share one, and what stands before each."""


class Histories(NamedTuple):
    """The logs to read, newest first, and how many were left out: changed before, or beyond ``MOST_LOGS``."""

    sources: Sources
    older: int
    beyond: int


def find_histories(since: int) -> Histories:
    """The logs of every host on this machine that changed at ``since`` (UTC ms) or later. Never raises.

    They are looked for where the hosts' specs and the environment say; logs of other users are left alone.
    """
    found: list[tuple[int, str]] = []
    older = 0
    for root in list_roots(state_folder()):
        if root.host == "spool":
            continue  # what hooks put down of sessions whose host keeps a log as well
        for item, _, changed in list_snapshots(root):
            at = int(changed * 1000)
            if codex_subagents.belongs(Path(item.path)):
                continue
            if at < since:
                older += 1
            elif item.kind == "database":
                sessions, before = _list_database(Path(item.path), since, at)
                found += sessions
                older += before
            else:
                found.append((at, item.path))
    found.sort(key=lambda each: (-each[0], each[1]))
    sources = find_logs(path for _, path in found[:MOST_LOGS])
    return Histories(sources, older, max(0, len(found) - MOST_LOGS))


def _list_database(path: Path, since: int, changed: int) -> tuple[list[tuple[int, str]], int]:
    """The sessions of a database that changed since then, each with the time, and the number of the others."""
    try:
        every = opencode_db.changed_since(path, 0, MOST_LOGS)
    except OSError:  # its reader says what is wrong with it
        return [(changed, str(path))], 0
    recent = [(at, f"{path}?session={name}") for name, _, at in every if at >= since]
    return recent, len(every) - len(recent)


def keep_recent(sources: Sources, since: int) -> Histories:
    """Of the logs that were named those that changed at ``since`` (UTC ms) or later, newest first."""
    dated = sorted(((_changed_at(log), log) for log in sources.logs), key=lambda each: (-each[0], str(each[1].path)))
    recent = [log for at, log in dated if at >= since]
    older = len(sources.logs) - len(recent)
    sources.logs = recent[:MOST_LOGS]
    return Histories(sources, older, max(0, len(recent) - MOST_LOGS))


def _changed_at(log: Log) -> int:
    """When a log changed last, UTC milliseconds; one that cannot be asked counts as new, so that its reader says why."""
    file, session = opencode_db.split(log.path)
    try:
        nanoseconds = opencode_db.extent(log.path)[1] if session else file.stat().st_mtime_ns
    except OSError:
        return 1 << 62
    return nanoseconds // 1_000_000


# -- which learnings -----------------------------------------------------------------------------------------------------


class Taught(NamedTuple):
    """A session that was read: its log, its project's folder (may be empty) and what it would have had told.

    ``copy`` says that it began as a copy of another, whose learnings it repeats.
    """

    log: Path
    project: str
    candidates: tuple[Candidate, ...]
    copy: bool = False


class Learning(NamedTuple):
    """One learning, whatever number of sessions it came from: three lines, and the command that shows it."""

    what: str
    cause: str
    proof: str
    trust: str
    command: str


class Summary(NamedTuple):
    """What a replay found. ``scope`` says which sessions were read, ``next_step`` what would happen now."""

    scope: str
    learnings: list[Learning]
    different: int
    without: int
    failed: int
    next_step: str


def rank_learnings(sessions: Sequence[Taught]) -> list[Candidate]:
    """The different learnings of all sessions, best first; those that are alike are one, of all their sessions."""
    seen = {candidate.fingerprint for each in sessions if not each.copy for candidate in each.candidates}
    every = [c for each in sessions for c in each.candidates if not each.copy or c.fingerprint not in seen]
    distinct = merge(every)
    groups: list[tuple[Form, list[Candidate]]] = []
    for candidate in distinct[:MOST_COMPARED]:
        mine = prepare(candidate)
        group = next((members for form, members in groups if is_alike(form, mine)), None)
        if group is None:
            groups.append((mine, [candidate]))
        else:
            group.append(candidate)
    return [*sort_best_first(unite(members) for _, members in groups), *distinct[MOST_COMPARED:]]


def describe_learnings(candidates: Iterable[Candidate], sessions: Sequence[Taught], here: Project) -> list[Learning]:
    """What is printed of the best of them. ``here`` is the project in which the commands are typed. Raises StoreError."""
    logs = {(found.session_id, found.fingerprint): each for each in sessions for found in each.candidates}
    home = state_folder()
    there = os.path.exists(os.path.join(home, NAME))  # to open it would make it
    with Ledger.open(home) if there else nullcontext() as ledger:
        return [_describe(each, logs[each.session_id, each.fingerprint], here, ledger) for each in candidates]


def _describe(candidate: Candidate, session: Taught, here: Project, ledger: Ledger | None) -> Learning:
    cause = candidate.cause.partition(BETWEEN)[0]
    well = "no check ran on it, but the session came out well"
    proof = candidate.proof or (well if candidate.outcome == "helpful" else "nothing ran that shows it")
    place = find(named=session.project) if session.project else here
    staged = _find_staged(candidate, place, ledger) if ledger is not None else ""
    if staged:
        command = f"mind-skills show {staged}"
        command += "" if place.id == here.id else f" --project {_typed(place.root)}"
    else:
        command = f"mind-skills replay {_typed(path_text(str(session.log)))}"
    seen = "one session" if len(candidate.sessions) == 1 else f"{len(candidate.sessions)} sessions"
    trust = f"{candidate.confidence}, {seen}"
    return Learning(candidate.symptom or candidate.title, cause if candidate.symptom else "", proof, trust, command)


def _find_staged(candidate: Candidate, place: Project, ledger: Ledger) -> str:
    """The id by which `show` knows a learning in a project; empty where it was not staged. Raises StoreError."""
    try:
        found = ledger.find_candidate(candidate.id, place).candidate
    except (UnknownIdError, AmbiguousIdError, OtherProjectError):
        return ""
    return found.id if found.fingerprint == candidate.fingerprint else ""


def _typed(path: str) -> str:
    """A path as it is typed in a shell."""
    home = os.path.expanduser("~")
    below = path.removeprefix(home + os.sep)
    return shlex.quote(path) if below == path else f"~{os.sep}{shlex.quote(below)}"


# -- how they are shown --------------------------------------------------------------------------------------------------


def list_sentences(summary: Summary) -> list[str]:
    """What is said before the learnings."""
    shown = len(summary.learnings)
    learned = f"{count(summary.different, 'different learning')}" + (
        f", the best {shown}:" if summary.different > shown else ":"
    )
    sentences = [summary.scope]
    sentences += [f"{count(summary.without, 'session')} taught nothing that would be told."] if summary.without else []
    sentences += [f"{count(summary.failed, 'log')} could not be read; --json names each."] if summary.failed else []
    return [*sentences, learned] if shown else sentences


def print_summary(summary: Summary) -> None:
    """Print the summary: each learning in three lines, four on a narrow terminal, whose width cuts all but the command."""
    width = min(WIDTH, shutil.get_terminal_size().columns) if interactive() else 0
    for sentence in list_sentences(summary):
        _print_wrapped(sentence, width)
    for number, each in enumerate(summary.learnings, 1):
        line()
        first, *second = _cut_what(each, width - INDENT)
        heading(f"{number:2}. {first}")
        for text in second:
            line(f"    {text}")
        proof = _fit(_flat(each.proof), width - INDENT - _columns(f"Borne out:  ({each.trust})"))
        line(f"    Borne out: {proof} ({each.trust})")
        line(f"    See it: {each.command}")
    line()
    _print_wrapped(summary.next_step, width)


def _print_wrapped(text: str, width: int) -> None:
    from textwrap import fill

    line(fill(text, width, break_on_hyphens=False, break_long_words=False) if width else text)


def _cut_what(learning: Learning, width: int) -> list[str]:
    """Symptom and cause in one line, of which the symptom takes half where both do not fit; in two on a narrow terminal."""
    what, cause = _flat(learning.what), f"cause: {_flat(learning.cause)}" if learning.cause else ""
    if not cause or 0 < width < NARROW - INDENT:
        return [_fit(text, width) for text in (what, cause) if text]
    return [_fit(f"{_fit(what, max(width // 2, width - 2 - _columns(cause)))}; {cause}", width)]


def _flat(text: str) -> str:
    return " ".join(printable(text).split())


def _fit(text: str, width: int) -> str:
    """``text`` in at most ``width`` columns, the last of them an ellipsis if something is missing; not cut below one."""
    if width < 1 or _columns(text) <= width:
        return text
    from rich.cells import set_cell_size

    return set_cell_size(text, width - 1).rstrip() + "…"


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


STYLE = """
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
li { margin: 1.5rem 0; } li p { margin: .2rem 0; }
.what { font-weight: 600; } code { overflow-wrap: anywhere; } .what, .proof { overflow-wrap: anywhere; }
"""


def render_page(summary: Summary) -> str:
    """The summary as one page of HTML that loads nothing and runs nothing; every text of a log is escaped."""
    from base64 import b64encode
    from hashlib import sha256

    allowed = b64encode(sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    items = "".join(
        f'<li><p class="what">{_html(each.what)}{_html(f"; cause: {each.cause}") if each.cause else ""}</p>\n'
        f'<p class="proof">Borne out: {_html(each.proof)} ({_html(each.trust)})</p>\n'
        f"<p>See it: <code>{_html(each.command)}</code></p></li>\n"
        for each in summary.learnings
    )
    said = "".join(f"<p>{_html(sentence)}</p>\n" for sentence in list_sentences(summary))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>What your sessions taught</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>What your sessions taught</h1>\n{said}{f'<ol>{items}</ol>' if items else ''}\n"
        f"<p>{_html(summary.next_step)}</p>\n</main>\n</body>\n</html>\n"
    )


def _html(text: str) -> str:
    from html import escape

    return escape(_flat(text))
