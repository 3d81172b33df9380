"""The readers, by any bytes and by whatever host wrote them, and what is concluded from what they read."""

from __future__ import annotations

import dataclasses
import json
import re
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from mind_skills.cli.replay import SessionReport, build_session_report
from mind_skills.digest.condense import MAX_BUDGET
from mind_skills.digest.model import MAX_EPISODES
from mind_skills.errors import LogError
from mind_skills.observations.incremental import load_state
from mind_skills.observations.model import Session
from mind_skills.observations.read import read_session
from mind_skills.output import document
from mind_skills.staging.analyse import Analysis, analyse, analyse_growing_log
from mind_skills.staging.model import (
    MAX_CONTENT_LENGTH,
    MAX_EVIDENCE_ITEMS,
    MAX_PER_SESSION,
    MAX_SUMMARY_LENGTH,
    MAX_TITLE_LENGTH,
    candidate_to_json,
    parse_bodies,
    serialise_candidate,
)
from mind_skills.staging.tables.digests import parse_digest, serialise_digest
from tests.fuzz import seeds
from tests.fuzz.planting import a_key, pieces
from tests.fuzz.target import Target, chosen, promise, room
from tests.staging.workbench import render_offer

PLANTED = b" PLANTED "
_SENTENCE = re.compile(rb"(?<=[a-z]{3})[.:] |(?<=[a-z]{3}) (?=[a-z]{3})")


def sound(session: Session) -> str:
    """A session as JSON. What a reader yields can be stored, printed and read again, and points into its log."""
    text = json.dumps({**dataclasses.asdict(session), "secrets": None, "known_files": None}, ensure_ascii=False)
    promise(json.loads(text.encode()) == json.loads(text), "a session can be stored as UTF-8")
    for each in session.observations:
        promise(1 <= each.line <= each.end_line, "an observation has a line, and ends no earlier")
    promise(all(caution.line >= 0 for caution in session.warnings), "a warning has a line, or 0")
    promise(len(session.warnings) <= 101, "the warnings are bounded")
    return text


def read(path: Path, format_name: str) -> str:
    """What a reader makes of a file: the session as JSON, or its error."""
    try:
        return sound(read_session(path, format_name))
    except LogError as error:
        promise(error.code and error.message and error.hint, "an error says what to do")
        return error.code


def reader(data: bytes, format_name: str, path: Path | None = None) -> None:
    """Any bytes: a session or a LogError; the same ones twice the same; and every beginning of them as well."""
    path = path or room() / "log"
    path.write_bytes(data)
    first = read(path, format_name)
    if chosen(data, 4) == 0:
        promise(read(path, format_name) == first, "the same bytes are the same session")
    path.write_bytes(data[: zlib.crc32(data) % (len(data) + 1)])
    read(path, format_name)


def _detectors(data: bytes) -> None:
    """Any log, read, condensed, judged and selected: bounded, pointing into the log, and the same when stored."""
    path = room() / "log"
    path.write_bytes(data)
    try:
        found = analyse(path)
    except LogError:
        return
    _judged(found)
    _read_on(path, data, found)
    if chosen(data, 4) == 0:
        again = [serialise_candidate(candidate) for candidate in analyse(path).candidates]
        promise(
            again == [serialise_candidate(candidate) for candidate in found.candidates],
            "the same bytes are the same candidates",
        )


def _read_on(path: Path, data: bytes, whole: Analysis) -> None:
    """The same log cut in two: what was kept of the one part and the other part are the whole."""
    path.write_bytes(data[: zlib.crc32(data) % (len(data) + 1)])
    try:
        kept = analyse_growing_log(path).resume_state
    except LogError:
        kept = None
    with path.open("ab") as file:
        file.write(data[path.stat().st_size :])
    again = analyse_growing_log(path, None if kept is None else load_state(kept.dump()))
    promise(
        again.observation_count == whole.observation_count or again.first_line > 1,
        "a log that is read on is read whole",
    )
    # The text of a message before the place of reading on is gone, so a digest may lack its row.
    taught, all_taught = (
        [dataclasses.replace(each, digest_length=0) for each in found.candidates] for found in (again, whole)
    )
    promise(again.first_line > 1 or taught == all_taught, "a log that is read on teaches the same")


def _judged(found: Analysis) -> None:
    _condensed(found)
    promise(len(found.candidates) <= MAX_PER_SESSION, "a session has at most five candidates")
    for candidate in found.candidates:
        promise(
            len(candidate.title) <= MAX_TITLE_LENGTH and candidate.title.strip(), "a title is short, and says something"
        )
        promise(1 <= len(candidate.evidence) <= MAX_EVIDENCE_ITEMS, "a candidate has evidence, and at most six of it")
        for each in candidate.evidence:
            promise(
                len(each.summary) <= MAX_SUMMARY_LENGTH and len(each.content) <= MAX_CONTENT_LENGTH,
                "evidence is bounded",
            )
            promise(1 <= each.line <= found.session.lines, "evidence points into the log")
        stored = serialise_candidate(candidate)
        promise(parse_bodies([stored]) == [candidate], "a candidate is the same after it was stored")
        json.dumps(candidate_to_json(candidate), ensure_ascii=False).encode()
    offer = render_offer(found.candidates)
    promise(len(offer.encode()) <= 40_000 and len(offer) <= 9_500, "an offer fits")
    json.dumps(dataclasses.asdict(found.outcome), ensure_ascii=False).encode()
    report = build_session_report(room() / "log", found)
    printed = document.to_json(report).encode()
    promise(
        document.make_type_adapter(SessionReport).validate_json(printed) == report,
        "what replay prints is read as the same",
    )


def _condensed(found: Analysis) -> None:
    rows = [row for episode in found.digest.episodes for row in episode.rows]
    promise(len(found.digest.episodes) <= MAX_EPISODES, "a digest has at most eight episodes")
    promise(sum(len(row.text) for row in rows) <= MAX_EPISODES * MAX_BUDGET, "a digest is bounded")
    promise(all(1 <= row.line <= found.session.lines for row in rows), "a row points into the log")
    lines = [line for row in rows for line in row.text.splitlines()[1:]]
    promise(all(line.startswith("  | ") for line in lines), "no line of a row looks like another row")
    stored = json.loads(serialise_digest(found.digest))
    promise(parse_digest(stored) == found.digest, "a digest is the same after it was stored")


def _secrets(data: bytes) -> None:
    """Any log in which a key stands wherever ``PLANTED`` does: nothing of it is in the session, nor in what comes of it."""
    key = a_key(data)
    path = room() / "log"
    path.write_bytes(data.replace(PLANTED, json.dumps(f" {key} ")[1:-1].encode()))
    try:
        session = read_session(path)
        found = analyse(path)
    except LogError:
        return
    sound(session)  # its header names folders, which are what they are
    if pieces(key, session.session_id):  # what names a session is no secret
        return
    held = (
        repr((session.observations, session.warnings))
        + "".join(map(serialise_candidate, found.candidates))
        + found.digest_text
        + render_offer(found.candidates)
    )
    held += repr((found.skills_written, found.outcome, found.episode, found.errors))
    given = data.decode("utf-8", "replace")
    promise(not (set(pieces(key, held)) - set(pieces(key, given))), f"a key that stood in a log is gone: {key[:8]}...")


def _planted() -> Iterator[bytes]:
    """Logs with the word for a key behind some of their sentences."""
    for number, data in enumerate(sessions()):
        yield _SENTENCE.sub(partial(_behind, random=Random(number)), data)


def _behind(end: re.Match[bytes], random: Random) -> bytes:
    return end[0] + (PLANTED if random.random() < 0.1 else b"")


def sessions() -> Iterator[bytes]:
    yield from seeds.fixtures(
        "demo/*.jsonl", "claude_code/*.jsonl", "codex/*.jsonl", "gemini/chat*", "opencode/*.json*"
    )
    yield from seeds.fixtures("swe_agent/*", "mini_swe_agent/*")
    yield from seeds.stories()


def _log(name: str, format_name: str, module: str, *patterns: str) -> Target:
    def start() -> Iterator[bytes]:
        yield from seeds.fixtures(*patterns)
        yield from seeds.recorded(format_name)

    check: Callable[[bytes], None] = partial(reader, format_name=format_name)
    return Target(name, check, start, tuple(f"observations/readers/{each}" for each in module.split()))


TARGETS = (
    _log("claude_code", "claude-code", "claude_code.py", "claude_code/transcript.jsonl", "demo/*.jsonl"),
    _log("gemini", "gemini", "gemini.py", "gemini/chat*"),
    _log("antigravity", "antigravity", "antigravity.py", "antigravity/brain/*/.system_generated/logs/*.jsonl"),
    _log("opencode", "opencode-export", "opencode.py", "opencode/export*"),
    _log("swe_agent", "swe-agent-traj", "swe_agent.py", "swe_agent/*"),
    _log("mini_swe_agent", "mini-swe-traj", "mini_swe_agent.py", "mini_swe_agent/*"),
    Target(
        "detectors",
        _detectors,
        sessions,
        ("detectors", "digest", "staging/analyse.py", "staging/select.py", "staging/entry.py"),
    ),
    Target(
        "secrets",
        _secrets,
        _planted,
        ("observations", "redaction"),
        (PLANTED.decode(), "Authorization: Bearer PLANTED", "export A="),
    ),
)
