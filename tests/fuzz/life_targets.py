"""A session's whole life, and the state folder's own files: by whatever bytes stand in a log, or where we left a trace."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from mind_skills.errors import LogError
from mind_skills.hooks.end import handle_session_end
from mind_skills.hooks.hotpath import NOTHING, UNSURE, WORK_LEFT, decide_early
from mind_skills.hooks.idle import run_checkpoint
from mind_skills.hooks.recover import recover_sessions, register_start
from mind_skills.hooks.session_state import HookCall, is_checkpoint_due, take_deferred_offer
from mind_skills.hooks.start import handle_session_start
from mind_skills.plugin import hook
from mind_skills.plugin.opencode.spool import drain_spool
from mind_skills.setup.install.journal import Journal
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import MAX_PER_SESSION
from mind_skills.staging.pending_file import parse_pending_file
from mind_skills.watch.schedule import InspectedStates
from tests.fuzz import seeds, world
from tests.fuzz.log_targets import sessions
from tests.fuzz.target import Target, chosen, promise, room
from tests.fuzz.world import MINUTE, NOW, World

_ID = re.compile(r"\bsc_[0-9a-f]{8}\b")
_BUG = re.compile(r"\b(?:Type|Value|Attribute|Key|Index|Overflow|Assertion|Recursion|Unicode\w+|Lookup|Name)Error\b")
ANSWER = '{"type": "assistant", "uuid": "a", "message": {"role": "assistant", "content": [{"type": "text", "text": "Yes."}]}}\n'
DAY = 24 * 60 * MINUTE
PENDING = 10


def _life(data: bytes) -> None:
    """Any log, from its session's start to the offer that others get: staged once, offered once, and then settled."""
    place = world.empty()
    log = world.log("one")
    log.write_bytes(data[: chosen(data, len(data) + 1)])
    one = place.make_call("one", NOW)
    promise(handle_session_start(place.home, one) is None, "where nothing waits nothing is told")
    no_bug(register_start(place.home, one))
    looked(run_checkpoint, place, "one", NOW + MINUTE)
    log.write_bytes(data)
    looked(run_checkpoint, place, "one", NOW + 3 * MINUTE)
    before = place.pending()
    looked(run_checkpoint, place, "one", NOW + 5 * MINUTE)
    promise(place.pending() == before, "a look at the same log changes nothing")
    looked(handle_session_end, place, "one", NOW + 6 * MINUTE)
    ended = place.pending()
    looked(handle_session_end, place, "one", NOW + 7 * MINUTE)
    no_bug(recover_sessions(place.home, NOW + DAY))
    promise(place.pending() == ended, "an end that is told twice ends once")
    _offered(place, {str(each["id"]) for each in parse_pending_file(ended).candidates} if ended else set())


def _offered(place: World, waiting: set[str]) -> None:
    promise(len(waiting) <= PENDING, "the pending list is bounded")
    at = NOW + DAY + MINUTE
    two = place.make_call("two", at)
    world.log("two").unlink(missing_ok=True)
    text = handle_session_start(place.home, two) or ""
    told = set(_ID.findall(text)) & waiting
    promise(bool(told) == bool(waiting) and len(told) <= MAX_PER_SESSION, "what waits is offered, five at most")
    promise(len(text) <= 9_500 and text.count("<openception-skill-extraction>") == bool(text), "the offer is one block")
    promise((handle_session_start(place.home, two) or "") == text, "asked again it is the same")
    no_bug(register_start(place.home, two))
    promise(
        not told & set(_ID.findall(handle_session_start(place.home, place.make_call("three", at + 1)) or "")),
        "offered once",
    )
    world.log("two").write_text(ANSWER)
    looked(handle_session_end, place, "two", at + 2 * MINUTE)
    with Ledger.open(place.home) as ledger:
        left = {candidate.id for candidate in ledger.list_pending(place.project)}
        gone = {record.candidate.id for record in ledger.list_history(place.project)}
        promise(not left & told and told <= gone, "what was offered and ignored waits no more")
        promise(
            all(seen.session_id in ("three", "two") for seen in ledger.list_unfinished()), "every session is finished"
        )


def looked(act: Callable[[str, HookCall], list[str]], place: World, session: str, at: int) -> None:
    try:
        no_bug(act(place.home, place.make_call(session, at)))
    except LogError as error:
        promise(error.code and error.message, "a log that cannot be read has a reason")


def no_bug(problems: list[str]) -> None:
    """What went wrong is told in words; a mistake of ours is not among it."""
    wrong = [each for each in problems if _BUG.search(each)]
    promise(not wrong, f"a mistake of ours went into the log: {wrong[:1]}")


def _files(data: bytes) -> None:
    """Any bytes in any file that a hook call left for another: no call fails, and not one candidate is lost by it."""
    place = world.fresh()
    names = _left(place)
    for row in data.split(b"\n"):
        try:
            name, content = json.loads(row)
        except (ValueError, TypeError, RecursionError):
            name, content = "", row.decode("latin-1")
        path = names.get(str(name)) or list(names.values())[chosen(str(name).encode("utf-8", "replace"), len(names))]
        if content is None:
            path.unlink(missing_ok=True)
        elif path.parent.is_dir():
            path.write_bytes(_bytes(str(content), place))
    before = _known(place)
    _moments(place)
    promise(_known(place) >= before, "no candidate is lost by a file that is only a hint")


def _bytes(content: str, place: World) -> bytes:
    text = content.replace("ROOM", str(room()))
    return text.encode("latin-1") if text.isascii() or max(text) < "\u0100" else text.encode("utf-8", "surrogatepass")


def _moments(place: World) -> None:
    """A day of a state folder: each kind of moment, each reader of what others left."""
    at = NOW + 2 * MINUTE
    raw = {name.encode(): os.environ[name].encode() for name in ("HOME", "MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG")}
    for event in ("SessionStart", "Stop", "SessionEnd"):
        payload = {"hook_event_name": event, "session_id": place.told, "cwd": place.root, "source": "resume"}
        promise(
            decide_early("claude-code", payload, raw, at) in (UNSURE, NOTHING, WORK_LEFT), "a first look says something"
        )
    told = place.make_call(place.told, at, "resume")
    is_checkpoint_due(place.home, told, MINUTE)
    take_deferred_offer(place.home, told)
    handle_session_start(place.home, told, caller_removes_marker=True)
    json.dumps(hook.take_start_lines(place.home, told, {}))
    new = place.make_call("new", at)
    for text in (
        handle_session_start(place.home, new, caller_removes_marker=True),
        handle_session_start(place.home, new),
    ):
        json.dumps(text, ensure_ascii=False).encode()
    no_bug(register_start(place.home, new))
    looked(run_checkpoint, place, place.told, at + MINUTE)
    no_bug(drain_spool(place.home))
    looked(handle_session_end, place, place.told, at + 2 * MINUTE)
    no_bug(recover_sessions(place.home, at + 8 * DAY, except_session="new"))
    known = InspectedStates(place.home)
    if known.load():
        known.save()
        promise(InspectedStates(place.home).load(), "what was known is known")
    Journal.open_read_only(place.home)
    with Journal(place.home) as journal:
        journal.list_keys("codex")


def _known(place: World) -> set[str]:
    with Ledger.open(place.home) as ledger:
        history = [record.candidate for record in ledger.list_history(place.project)]
        return {candidate.id for candidate in (*ledger.list_pending(place.project), *history)}


def _left(place: World) -> dict[str, Path]:
    """The small files of a state folder by names that are the same everywhere."""
    home = Path(place.home)
    found = sorted(path for path in home.rglob("*") if path.is_file() and path.suffix not in (".db", ".lock"))
    named = {str(path.relative_to(home)).replace(place.project.id, "PROJECT"): path for path in found}
    named = {name: path for name, path in named.items() if not name.startswith("locks/")}
    return {**named, "install/journal.json": home / "install/journal.json"}


def _hints() -> Iterator[bytes]:
    place = world.fresh()
    (Path(place.home) / "install").mkdir(mode=0o700)
    lines = []
    for name, path in _left(place).items():
        text = path.read_bytes().decode("latin-1").replace(str(room()), "ROOM") if path.exists() else _JOURNAL
        lines.append(json.dumps([name, text]).encode())
        yield lines[-1]
    yield b"\n".join(lines)
    yield json.dumps(["running/" + Path(place.home, "x").name, "1 2 3"]).encode()


_JOURNAL = json.dumps(
    {
        "version": 1,
        "folders": ["ROOM/home/.codex"],
        "files": {"ROOM/home/.codex/hooks.json": {"host": "codex", "before": "", "after": "00", "mode": 384, "at": 1}},
    }
)


def _logs() -> Iterator[bytes]:
    yield from islice(sessions(), 24)
    yield from (data for number, data in enumerate(seeds.recorded("claude-code")) if number % 9 == 0)


TARGETS = (
    Target("lifecycle", _life, _logs, ("hooks/start.py", "hooks/idle.py", "hooks/end.py", "hooks/recover.py")),
    Target(
        "state_files",
        _files,
        _hints,
        (
            *(f"hooks/{name}.py" for name in ("traces", "reading", "held", "captured", "processes", "unheard")),
            *("staging/start_files.py", "plugin/opencode/spool.py", "watch/schedule.py", "plugin/hook.py"),
        ),
        ("9" * 5_000, "\u0663", "\x00", "\n", "-1", "1 2 3", "{", '"files"', "x" * 300, "mind-skills watch 1\n"),
    ),
)
