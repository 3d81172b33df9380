"""What older rules left in any store is redacted by those in force: resumable, with ids, votes and times as they were."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.observations.published_tokens import ISSUED

from mind_skills.hooks import redact_again as again
from mind_skills.hooks import spool, traces
from mind_skills.hooks.redact_again import TABLES, due, redact_again
from mind_skills.learning import tables as learned
from mind_skills.memory import tables as remembered
from mind_skills.memory.opening import opened
from mind_skills.observations import personal_choice
from mind_skills.plugin import hooklog
from mind_skills.staging import advice
from mind_skills.staging import schema as staged
from mind_skills.staging.ledger import Ledger
from mind_skills.store.database import Database
from mind_skills.store.project import find

PACKAGES = ((staged.PACKAGE, staged.STEPS), (learned.PACKAGE, learned.STEPS), (remembered.PACKAGE, remembered.STEPS))
OLD = 1_700_000_000
EXEMPT = {
    "candidates": {"project", "fingerprint", "id", "state", "offered_to"},
    "sightings": {"project", "fingerprint", "session"},
    "offers": {"session", "project", "ids"},
    "sessions": {"session", "host", "project"},
    "places": {"project", "stamp"},
    "revisions": {"project", "ids"},
    "receipts": {"what", "project", "candidate", "session"},
    "skills_used": {"session", "project", "name", "how", "of_project", "of"},
    "outcomes": {"session", "project", "type"},
    "errors_met": {"session", "project"},
    "archived": {"project", "candidate"},
    "feedback": {"id", "criterion", "type", "task_id", "timestamp"},
    "task_errors": {"id", "task_id", "error_type", "project", "session"},
    "patterns": {"id", "kind", "inverted_to"},
    "maturities": {"pattern_id", "state"},
    "maturity_feedback": {"pattern_id", "type", "source"},
    "task_plans": {"project", "task_id", "session", "done_as"},
    "task_outcomes": {"project", "task_id", "said_by", "session", "failure_mode", "agent_name", "type"},
    "decisions": {"id", "project", "pattern_id", "what", "source"},
    "refused_votes": {"pattern_id", "source"},
    "memory_records": {"id", "kind", "project", "reference", "task_id", "source", "taint"},
    "memory_state": {"name", "value"},
    "versions": {"package"},
    "redacted": {"part", "rules", "upto"},
}
"""Columns that hold ids, states and names of ours."""


class Secrets:
    """Secrets that no rule of an older version knew, each for one place."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {}

    def __getitem__(self, place: str) -> str:
        return self.made.setdefault(place, ISSUED["cloudflare-token"][1](Random(place)))


@pytest.fixture
def secrets() -> Secrets:
    return Secrets()


@pytest.fixture(autouse=True)
def _nobody_asked() -> Iterator[None]:
    personal_choice.ask(None)
    yield
    personal_choice.ask(None)


def _columns(home: str) -> dict[str, dict[str, str]]:
    """The columns of every table with their types."""
    with Database.open(home, again.PACKAGE, again.STEPS) as database, database.reading() as sql:
        names = [
            r[0] for r in sql.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        ]
        return {name: {row[1]: row[2] for row in sql.execute(f"PRAGMA table_info({name})")} for name in names}


def _fill(home: str, secrets: Secrets) -> None:
    """Two rows in every table, with a secret in every column that is to be redacted, as SQL puts them there."""
    for package, steps in PACKAGES:
        Database.open(home, package, steps).close()
    columns = _columns(home)
    with Database.open(home, again.PACKAGE, again.STEPS) as database, database.writing() as sql:
        for table in TABLES:
            for number in (1, 2, 3):
                values: dict[str, Any] = {}
                for name, kind in columns[table.name].items():
                    where = f"{table.name}.{name}.{number}"
                    if name == "n":
                        values[name] = number
                    elif name in table.documents:
                        values[name] = json.dumps(
                            {"id": f"sc_{number}", "title": f"with {secrets[where]}", "list": ["jane@corp.com"]}
                        )
                    elif name in (*table.texts, *table.places):
                        values[name] = f"text with {secrets[where]} of jane@corp.com"
                    else:
                        values[name] = number if kind in ("INTEGER", "REAL") else f"{name}-{number}"
                marks = ", ".join("?" * len(values))
                sql.execute(f"INSERT INTO {table.name} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))


def _rows(home: str) -> dict[str, list[tuple[object, ...]]]:
    """All that is no text to be redacted, by table."""
    found = {}
    with Database.open(home, again.PACKAGE, again.STEPS) as database, database.reading() as sql:
        for table in TABLES:
            info = [row[1] for row in sql.execute(f"PRAGMA table_info({table.name})")]
            kept = [c for c in info if c not in (*table.texts, *table.documents, *table.places, "version")]
            found[table.name] = sql.execute(f"SELECT {', '.join(kept)} FROM {table.name} ORDER BY 1, 2").fetchall()
    return found


def _left(folder: Path, secrets: Secrets) -> list[tuple[str, str]]:
    """Which secrets stand in the bytes of which files."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [
        (path.name, where) for path in files for where, s in secrets.made.items() if s.encode() in path.read_bytes()
    ]


def test_every_text_of_every_table_is_redacted_or_known_to_be_none(tmp_path: Path) -> None:
    home = str(tmp_path / "state")
    for package, steps in PACKAGES:
        Database.open(home, package, steps).close()
    redacted = {t.name: {*t.texts, *t.documents, *t.places} for t in TABLES}
    texts = {
        name: {column for column, kind in columns.items() if kind == "TEXT"} for name, columns in _columns(home).items()
    }
    unknown = {name: found - redacted.get(name, set()) - EXEMPT.get(name, set()) for name, found in texts.items()}
    assert {name: left for name, left in unknown.items() if left} == {}


def test_no_secret_is_left_in_a_byte_of_the_database_and_what_is_no_text_stays(
    tmp_path: Path, secrets: Secrets
) -> None:
    home = tmp_path / "state"
    _fill(str(home), secrets)
    before = _rows(str(home))
    assert {where for _, where in _left(home, secrets)} == set(secrets.made)
    assert due(str(home))
    assert redact_again(str(home))
    assert not due(str(home))
    assert _left(home, secrets) == []
    assert "jane@corp.com" not in (home / "mind-skills.db").read_bytes().decode("latin-1")
    assert _rows(str(home)) == before


def test_pages_that_were_freed_before_hold_nothing_either(tmp_path: Path, secrets: Secrets) -> None:
    home = tmp_path / "state"
    _fill(str(home), secrets)
    with Database.open(str(home), learned.PACKAGE, learned.STEPS) as database:
        database.sql.execute("PRAGMA secure_delete = OFF")
        database.sql.execute("DELETE FROM task_errors")
        database.sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert any(where.startswith("task_errors") for _, where in _left(home, secrets))
    assert redact_again(str(home))
    assert _left(home, secrets) == []


def test_who_is_interrupted_at_any_batch_goes_on_and_comes_to_the_same(
    tmp_path: Path, secrets: Secrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(again, "BATCH", 1)
    home = tmp_path / "state"
    _fill(str(home), secrets)
    before = _rows(str(home))

    class KilledError(Exception):
        pass

    runs = 0
    while due(str(home)):
        runs += 1
        left = [3 if runs % 2 else 1]

        def step(left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] == 0:
                raise KilledError

        try:
            redact_again(str(home), step=step)
        except KilledError:
            continue
    assert runs > 20
    assert _left(home, secrets) == []
    assert _rows(str(home)) == before


def test_one_run_is_bounded_and_another_goes_on(
    tmp_path: Path, secrets: Secrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(again, "BATCH", 1)
    home = str(tmp_path / "state")
    _fill(home, secrets)
    steps: list[int] = []
    assert redact_again(home, seconds=-1.0, step=lambda: steps.append(1)) is False
    assert len(steps) == 1
    assert redact_again(home, seconds=-1.0, step=lambda: steps.append(1)) is False
    assert len(steps) == 2


def test_other_rules_make_everything_due_once_more(
    tmp_path: Path, secrets: Secrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = str(tmp_path / "state")
    _fill(home, secrets)
    assert redact_again(home)
    monkeypatch.setattr(again, "version", lambda: "2099-01-01-abc")
    assert due(home)
    assert redact_again(home)
    personal_choice.ask(lambda: False)
    assert due(home)


def test_files_of_the_state_folder_and_the_pending_file_are_redacted(tmp_path: Path, secrets: Secrets) -> None:
    home, root = tmp_path / "state", tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / ".claude").mkdir()
    project = find(str(root))
    with Ledger.open(home) as ledger:
        ledger.project_pending(project, OLD)
    _fill(str(home), secrets)
    with Database.open(home, staged.PACKAGE, staged.STEPS) as database, database.writing() as sql:
        sql.execute("DELETE FROM candidates")
    hooklog.note(str(home), OLD * 1000, "idle", "fine")
    with Path(hooklog.path(str(home))).open("a") as log:
        log.write(f"2026-01-01T00:00:00Z idle: {secrets['log']}\n")
    Path(f"{hooklog.path(str(home))}.1").write_text(f"older {secrets['older log']}\n")
    advice.put(str(home), project.id, f"- use {secrets['advice']}")
    traces.put(str(home), traces.RECEIPTS, project.id, "s", f"learned {secrets['receipt']}")
    traces.put(str(home), traces.HELD, "", "s", f"offer {secrets['held']}")
    spooled = home / spool.FOLDER
    spooled.mkdir(parents=True)
    event = {"capture": 1, "project": "/home/jane/p", "event": {"prompt": f"with {secrets['spool']}"}}
    left, live = spooled / "codex-1.jsonl", spooled / "codex-2.jsonl"
    for path in (left, live):
        path.write_text(f"\n{json.dumps(event)}\n")
    os.utime(left, (OLD, OLD))
    aside = root / ".claude" / "mind-skills-pending.json.corrupt-1"
    aside.write_text(f'{{"candidates": [{{"title": "{secrets["aside"]}"')
    assert redact_again(str(home))
    assert secrets["spool"] in live.read_text()  # its session may still run
    live.unlink()
    assert _left(tmp_path, secrets) == []
    assert Path(hooklog.path(str(home))).read_text().endswith("idle: [redacted:cloudflare-token]\n")
    assert json.loads(left.read_text())["project"] == "/home/jane/p"
    assert json.loads(left.read_text())["event"] == {"prompt": "with [redacted:cloudflare-token]"}
    assert aside.read_text() == '{"candidates": [{"title": "[redacted:cloudflare-token]"'


def test_a_candidate_of_an_older_version_keeps_its_id_in_the_database_and_in_the_pending_file(
    tmp_path: Path, secrets: Secrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mind_skills.detectors.model import Evidence, Finding
    from mind_skills.observations.model import Session
    from mind_skills.staging import identity

    home, root = tmp_path / "state", tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    project = find(str(root))
    evidence = Evidence("problem", "symptom", f"it failed: {secrets['summary']}", f"$ x\n{secrets['content']}", 1)
    finding = Finding(
        "error_fix", f"a {secrets['title']}", f"b {secrets['reason']}", "anchor of it", (evidence,), ("a.py",)
    )
    with monkeypatch.context() as older:
        older.setattr(identity, "_cleaned", lambda text: text)
        candidate = identity.from_finding(finding, Session(session_id="one", host="codex"), confidence="high", at=1)
        with Ledger.open(home) as ledger:
            ledger.stage(project, "one", "codex", [candidate], 1)
            ledger.claim(project, "two", 2)
            before = ledger.find(candidate.id)
    assert {where for _, where in _left(root, secrets)} == {"summary", "content", "title", "reason"}
    assert redact_again(str(home))
    assert _left(tmp_path, secrets) == []
    with Ledger.open(home) as ledger:
        after = ledger.find(candidate.id)
        receipts = [(receipt.what, receipt.candidate) for receipt in ledger.receipts()]
    assert after.candidate.title == "a [redacted:cloudflare-token]"
    assert (after.state, after.offered_to, after.candidate.fingerprint) == (
        before.state,
        before.offered_to,
        before.candidate.fingerprint,
    )
    assert receipts == [("staged", candidate.id), ("offered", candidate.id)]
    [entry] = json.loads((root / ".claude/mind-skills-pending.json").read_text())["candidates"]
    assert (entry["id"], entry["title"]) == (candidate.id, "a [redacted:cloudflare-token]")


def test_the_index_of_the_memory_forgets_too(tmp_path: Path, secrets: Secrets) -> None:
    home = tmp_path / "state"
    with opened(str(home)) as store:
        from mind_skills.memory.model import Record

        store.store(Record("one", "learning", "The importer drops its first row."))
        assert store.query("importer row")
    with Database.open(home, remembered.PACKAGE, remembered.STEPS) as database, database.writing() as sql:
        text = f"The importer needs {secrets['memory']} to read rows."
        sql.execute("UPDATE memory_records SET content = ?, version = version + 1", (text,))
        sql.execute("UPDATE memory_state SET value = '2' WHERE name = 'clock'")
    with opened(str(home)) as store:
        assert secrets["memory"] in store.query("importer row")[0].record.content
    assert {name.partition("-")[0] for name, _ in _left(home, secrets)} >= {"memory", "mind"}
    assert redact_again(str(home))
    assert _left(home, secrets) == []
    with opened(str(home)) as store:
        [hit] = store.query("importer row")
    assert (hit.record.id, hit.record.content) == (
        "one",
        "The importer needs [redacted:cloudflare-token] to read rows.",
    )


def test_an_empty_state_folder_has_nothing_due(tmp_path: Path) -> None:
    assert redact_again(str(tmp_path / "state"))
    assert not (tmp_path / "state").exists()


def test_a_path_by_which_a_skill_is_found_stays() -> None:
    assert again.document(
        json.dumps({"skill": "/home/jane/a", "from": "/home/jane/b", "why": "jane@corp.com"}), again._found
    ) == ('{"from": "/home/jane/b", "skill": "/home/jane/a", "why": "[redacted:email]"}')
    assert again._found("/home/jane/skills/x") == "/home/jane/skills/x"
    assert again.told("/home/jane/skills/x") == "~/skills/x"
