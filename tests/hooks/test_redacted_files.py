"""Other files than the database with text that older rules let through: logs, markers, pending files, the index."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mind_skills.hooks.redact_again import _redact_path, redact_again, redact_document, redact_text
from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.memory import records as remembered
from mind_skills.memory.store import open_memory
from mind_skills.plugin import hooklog
from mind_skills.redaction import personal
from mind_skills.staging import start_files
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.offer import claim_offer
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.hooks.old_secrets import Secrets, find_secrets
from tests.staging.workbench import candidate as make_candidate

OLD, NOW = 1_700_000_000, 4_000_000_000_000


@pytest.fixture
def secrets() -> Secrets:
    return Secrets()


@pytest.fixture(autouse=True)
def _fresh_personal_cache() -> Iterator[None]:
    personal.is_personal_redaction_enabled.cache_clear()
    yield
    personal.is_personal_redaction_enabled.cache_clear()


def test_files_of_the_state_folder_and_pending_files_set_aside_are_redacted(tmp_path: Path, secrets: Secrets) -> None:
    home, root = tmp_path / "state", tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / ".claude").mkdir()
    project = resolve_project(str(root))
    with Ledger.open(home) as ledger:
        ledger.update_pending_file(project, OLD)
        hooklog.append_note(str(home), OLD * 1000, "idle", "fine")
    with Path(hooklog.find_log_path(str(home))).open("a") as log:
        log.write(f"2026-01-01T00:00:00Z idle: {secrets['log']}\n")
    Path(f"{hooklog.find_log_path(str(home))}.1").write_text(f"older {secrets['older log']}\n")
    start_files.write_advice(str(home), project.id, f"- use {secrets['advice']}")
    SessionMarkers(str(home), "s", project.id).receipt.write(f"learned {secrets['receipt']}")
    SessionMarkers(str(home), "s").deferred.write(f"offer {secrets['held']}")
    page = home / "reports" / "report.html"
    page.parent.mkdir()
    page.write_text(f"<p>{secrets['page']}</p>")
    aside = root / ".claude" / "mind-skills-pending.json.corrupt-1"
    aside.write_text(f'{{"candidates": [{{"title": "{secrets["aside"]}"')
    assert redact_again(str(home))
    assert find_secrets(tmp_path, secrets) == []
    assert not page.exists()  # it can be written again
    assert Path(hooklog.find_log_path(str(home))).read_text().endswith("idle: [redacted:cloudflare-token]\n")
    assert aside.read_text() == '{"candidates": [{"title": "[redacted:cloudflare-token]"'


def test_files_that_another_process_removes_meanwhile_do_not_stop_the_redaction(
    tmp_path: Path, secrets: Secrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "state"
    with Ledger.open(home):
        hooklog.append_note(str(home), OLD * 1000, "idle", "fine")
    Path(hooklog.find_log_path(str(home))).write_text(f"{secrets['log']}\n")
    (home / "log/gone").symlink_to("nowhere")
    monkeypatch.setattr("mind_skills.hooks.redact_again.list_markers", lambda home, folder: [f"{home}/{folder}/gone"])
    assert redact_again(str(home))
    assert find_secrets(home, secrets) == []


def test_a_redacted_candidate_keeps_its_id_in_the_database_and_in_the_pending_file(
    tmp_path: Path, secrets: Secrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mind_skills.staging import model

    home, root = tmp_path / "state", tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    project = resolve_project(str(root))
    evidence = model.Evidence("problem", "symptom", f"it failed: {secrets['summary']}", f"$ x\n{secrets['content']}", 1)
    with monkeypatch.context() as older:
        older.setattr(model, "_clean", lambda text: text)
        candidate = make_candidate(
            "anchor of it", evidence=(evidence,), title=f"a {secrets['title']}", reason=f"b {secrets['reason']}"
        )
        with Ledger.open(home) as ledger:
            ledger.stage(project, "one", "codex", [candidate], 1)
            claim_offer(ledger.home, project, "two", 2)
            before = ledger.find_candidate(candidate.id)
    assert {where for _, where in find_secrets(root, secrets)} == {"summary", "content", "title", "reason"}
    assert redact_again(str(home))
    assert find_secrets(tmp_path, secrets) == []
    with Ledger.open(home) as ledger:
        after = ledger.find_candidate(candidate.id)
        receipts = [(receipt.event, receipt.candidate) for receipt in ledger.list_receipts()]
    assert after.candidate.title == "a [redacted:cloudflare-token]"
    assert (after.state, after.offered_to, after.candidate.fingerprint) == (
        before.state,
        before.offered_to,
        before.candidate.fingerprint,
    )
    assert receipts == [("staged", candidate.id), ("offered", candidate.id)]
    [entry] = json.loads((root / ".claude/mind-skills-pending.json").read_text())["candidates"]
    assert (entry["id"], entry["title"]) == (candidate.id, "a [redacted:cloudflare-token]")


def test_the_index_of_the_memory_is_redacted(tmp_path: Path, secrets: Secrets) -> None:
    home = tmp_path / "state"
    with open_memory(str(home)) as store:
        from mind_skills.memory.model import Record

        store.store(Record("one", "learning", "The importer drops its first row."))
        assert store.query("importer row")
    with Database.open(home, remembered.SCHEMA) as database, database.writing() as sql:
        text = f"The importer needs {secrets['memory']} to read rows."
        sql.execute("UPDATE memory_records SET content = ?, version = version + 1", (text,))
        sql.execute("UPDATE memory_state SET value = '2' WHERE name = 'clock'")
    with open_memory(str(home)) as store:
        assert secrets["memory"] in store.query("importer row")[0].record.content
    assert {name.partition("-")[0] for name, _ in find_secrets(home, secrets)} >= {"memory", "mind"}
    assert redact_again(str(home))
    assert find_secrets(home, secrets) == []
    with open_memory(str(home)) as store:
        [hit] = store.query("importer row")
    assert (hit.record.id, hit.record.content) == (
        "one",
        "The importer needs [redacted:cloudflare-token] to read rows.",
    )


def test_the_path_of_a_skill_is_not_redacted() -> None:
    assert redact_document(
        json.dumps({"skill": "/home/jane/a", "from": "/home/jane/b", "why": "jane@corp.com"}), _redact_path
    ) == ('{"from": "/home/jane/b", "skill": "/home/jane/a", "why": "[redacted:email]"}')
    assert _redact_path("/home/jane/skills/x") == "/home/jane/skills/x"
    assert redact_text("/home/jane/skills/x") == "~/skills/x"
