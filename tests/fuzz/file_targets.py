"""Files that others may have written: the pending file, the settings, an export of a memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path

from mind_skills.cli import memory_exchange
from mind_skills.errors import MindSkillsError
from mind_skills.errors.records import BadRecordError
from mind_skills.learning.rules import load_rules
from mind_skills.memory.model import Record
from mind_skills.memory.store import SemanticMemoryStore, open_memory
from mind_skills.settings import edit, lenient, strict
from mind_skills.staging.analyse import analyse
from mind_skills.staging.model import candidate_to_json
from mind_skills.staging.pending_file import (
    PendingFile,
    UnreadablePendingError,
    parse_pending_file,
    serialise_pending_file,
)
from tests.fuzz.target import Target, chosen, promise, room
from tests.testkit.paths import FIXTURES

NEW: tuple[tuple[str, str], ...] = (
    ("enabled", "false"),
    ("idle_seconds", "90"),
    ("caps.per_offer", "3"),
    ("skills_dir.claude-code", "docs/skills"),
    ("learning.half_life_days", "30.5"),
)


def _pending(data: bytes) -> None:
    """Any pending file: its candidates, which are the same when written and read again, or a reason to set it aside."""
    try:
        found = parse_pending_file(data)
    except UnreadablePendingError as error:
        promise(error.reason and error.kind in ("corrupt", "newer"), "what cannot be read has a reason")
        return
    text = serialise_pending_file(found)
    again = parse_pending_file(text)
    promise((again.candidates, again.token, again.extra) == (found.candidates, found.token, found.extra), "it stays")
    promise(serialise_pending_file(again) == text, "written twice it is the same")
    promise(all(c["id"] for c in found.candidates), "every candidate has an id")


def _lists() -> Iterator[bytes]:
    found = analyse(FIXTURES / "demo/session.jsonl").candidates
    yield serialise_pending_file(PendingFile([candidate_to_json(candidate) for candidate in found], token="3"))
    yield serialise_pending_file(
        PendingFile([{**candidate_to_json(candidate), "injectedAt": 5} for candidate in found], extra={"note": "x"})
    )
    old = {"candidates": [{"id": "a", "title": "t", "evidence": [], "detectedAt": 1.5}], "injectedAt": 1781748890278}
    yield json.dumps(old).encode()


def _config(data: bytes) -> None:
    """Any settings file of a project: what the strict reading takes, the hooks' reading takes alike; neither raises else."""
    root = room() / "project"
    path = root / ".claude/mind-skills.toml"
    path.write_bytes(data)
    hooks = (
        lenient.is_enabled(str(root)),
        lenient.get_idle_seconds(str(root)),
        lenient.get_cap(str(root), "per_offer"),
    )
    hooks_folder, said = lenient.get_skills_folder(str(root), "codex"), lenient.explain_disabling_problem(str(root))
    load_rules(str(root))
    promise(not said or not hooks[0], "a file that cannot be understood switches off")
    try:
        loaded = {each.key: each.value for each in strict.load(str(root))}
    except MindSkillsError as error:
        promise(error.code and error.message and error.hint, "an error says what to do")
        return
    keys = ("enabled", "idle_seconds", "caps.per_offer")
    promise(hooks == tuple(loaded[key] for key in keys), "hooks read the same as the command")
    promise(hooks_folder == loaded["skills_dir.codex"], "hooks read the same folder")
    _changed(path, root, data)


def _changed(path: Path, root: Path, data: bytes) -> None:
    """One setting changed: it says so, and all others stay what they were."""
    before = {each.key: each.value for each in strict.load(str(root))}
    key, text = NEW[chosen(data, len(NEW))]
    _, value, _ = edit.change_setting(key, text, str(root))
    after = {each.key: each.value for each in strict.load(str(root))}
    promise(after == {**before, key: value}, f"only {key} changed")
    path.write_bytes(path.read_bytes())


def _tables() -> Iterator[bytes]:
    yield b"enabled = true\nidle_seconds = 60  # often enough\n\n[caps]\nper_session = 3\nper_offer = 2\n"
    yield b'[skills_dir]\nclaude-code = ".claude/skills"\ncodex = "docs/skills" # here\n[learning]\nhalf_life_days = 10.5\n'
    yield b'\xef\xbb\xbfcaps = { per_offer = 4 }\n[maturity]\nminHelpful = 2\n[memory]\nepisodes = 10\n["anti_pattern"]\n'
    yield b'retention_days = 99\r\nskills_dir.gemini = "a/b"\r\n[antiPattern]\nprefix = "AVOID: "\n'


def _import(data: bytes) -> None:
    """Any export of a memory: records that may be kept, in quarantine, and that travel again as what they were."""
    path = room() / "export.jsonl"
    path.write_bytes(data)
    try:
        records, problems, skipped = memory_exchange.read_export(str(path), "p")
    except MindSkillsError as error:
        promise(error.code in ("not_an_export", "bad_record"), f"what is no export is told so, not {error.code}")
        return
    promise(len(problems) <= skipped <= data.count(b"\n"), "every problem is a line that was passed over")
    promise(all(record.is_quarantined for record in records), "what came from elsewhere is in quarantine")
    memory_exchange.write_export(str(path), records)
    again, none, _ = memory_exchange.read_export(str(path), "p")
    promise(not none and [each.content for each in again] == [each.content for each in records], "records travel on")
    with open_memory(str(path.with_name("memory"))) as store:
        try:
            store.store_all(records)
        except BadRecordError as error:
            raise AssertionError("what was taken in can be kept") from error
        if records:
            hits = store.query(records[0].content, untrusted=True)
            promise(all(0 < hit.score <= 1 for hit in hits), "a hit has a score")


def _exports() -> Iterator[bytes]:
    kept = [replace(record, taint="") for record in _records()]
    yield ("\n".join(memory_exchange.format_lines(kept)) + "\n").encode()
    yield ("\n".join(memory_exchange.format_lines(kept[:1])) + "\n\n{}\n").encode()


def _records() -> list[Record]:
    return [
        Record(
            "a", "learning", "Pass texts to Decimal, not floats.", task="a price is off by a cent", project="p", at=1
        ),
        Record(
            "b", "anti_pattern", "Do not mock the clock in test_total.py", project="p", failure_rate=0.75, success=False
        ),
        Record("c", "pattern", "ECONNREFUSED 127.0.0.1:5432: wait for the database with pg_isready", task_id="T-1"),
        Record("d", "episode", "Erst die Migration, dann der Test: sonst fehlt die Spalte", success=True, source="s"),
    ]


_opened = ExitStack()


@cache
def _memory(home: str) -> SemanticMemoryStore:
    store = _opened.enter_context(open_memory(home))
    store.store_all(_records())
    return store


def _query(data: bytes) -> None:
    """Any question: hits in order of their scores, the same as the plain comparison of everything in kind and bounds."""
    text = (
        data.decode("utf-8", "surrogatepass" if chosen(data, 2) else "replace")
        if data.isascii()
        else data.decode("utf-8", "replace")
    )
    hits = _memory(str(room() / "state")).query(text, 3, project_id="p" if chosen(data, 3) else "")
    scores = [hit.score for hit in hits]
    promise(len(hits) <= 3 and scores == sorted(scores, reverse=True), "the best come first")
    promise(all(0 < score <= 1.5 for score in scores), "a score is above 0 and bounded")


def _questions() -> Iterator[bytes]:
    for record in _records():
        yield f"{record.content} {record.task}".encode()
    yield b'"quoted" AND (NOT near/2 x*) OR col:val ^ - + \x00 {} test_total.py ECONNREFUSED fooBar'


TARGETS = (
    Target(
        "pending",
        _pending,
        _lists,
        ("staging/pending_file.py",),
        ("token", "injectedAt", "candidates", "version", "NaN", "1e999"),
    ),
    Target(
        "config",
        _config,
        _tables,
        ("settings",),
        (
            "[caps]\n",
            "[[x]]\n",
            "per_offer = 1\n",
            "perOffer = 2\n",
            '"""',
            "'''",
            "= {",
            "# ",
            "enabled = ",
            "caps.",
            "\\u00e9",
            "inf",
            "1_0",
            "0x5",
        ),
    ),
    Target(
        "memory_import",
        _import,
        _exports,
        ("cli/memory_exchange.py", "memory/model.py"),
        ("content", "kind", "taint", "import,", "at"),
    ),
    Target(
        "memory_query",
        _query,
        _questions,
        ("memory/ranking.py", "memory/features.py", "memory/concepts/__init__.py"),
        ('"', "*", " OR ", " NEAR(", "col:", "^", "(", "-", "'", "price", "migration"),
    ),
)
