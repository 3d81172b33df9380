"""The commands about candidates: pending, show, accept, dismiss, undo, status, and the options of replay that stage."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hosts import HOST_NAMES
from mind_skills.output.candidates import format_kind
from mind_skills.output.text import format_time
from mind_skills.plugin.hooklog import append_note
from mind_skills.settings.strict import PROJECT_FILE_RULE
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.offer import claim_offer
from mind_skills.store.project import resolve_project
from tests.testkit.paths import DEMO

Run = Callable[..., Any]


@pytest.fixture
def staged(mind_skills: Run, project: Path) -> str:
    """The id of the only candidate of the bundled session, pending in the project."""
    (project / ".git").mkdir()
    done = mind_skills("replay", DEMO, "--stage", "--project", project)
    assert (done.code, done.err) == (0, f"{project}: 1 new, 0 seen before, 0 decided before; 1 on the list.\n")
    (candidate,) = mind_skills("pending", "--json").json["candidates"]
    return str(candidate["id"])


def offer(apart: Path, project: Path, session: str) -> None:
    with Ledger.open(apart / "state") as ledger:
        assert claim_offer(ledger.home, resolve_project(project_folder=str(project)), session, 1_772_500_000_000)


def copy_log_to_project(log: Path, project: Path) -> Path:
    """Copy a log and replace its project with this one."""
    copy = project.parent / "here.jsonl"
    copy.write_bytes(log.read_bytes().replace(b"/home/dev/shop", str(project).encode()))
    return copy


def write_skill(project: Path) -> Path:
    path = project / ".claude/skills/exact/SKILL.md"
    path.parent.mkdir(parents=True)
    text = "---\nname: exact\ndescription: Use when a price is off by a cent.\n---\nPass texts to Decimal.\n"
    path.write_text(text, encoding="utf-8")
    return path


def counts(**changed: int) -> dict[str, int]:
    usual = ("fired", "staged", "covered", "offered", "accepted", "dismissed", "ignored", "used")
    return dict.fromkeys((*usual, "waiting", "unanswered", "shelved"), 0) | changed


class TestPending:
    def test_an_empty_list_is_not_an_error(self, mind_skills: Run, project: Path) -> None:
        assert mind_skills("pending") == (0, f"Nothing is pending in {project}.\n", "")
        assert mind_skills("pending", "--json").json == {
            "version": 1, "project": str(project), "candidates": [], "covered": [], "foreign": [],
        }  # fmt: skip

    def test_pending_lists_the_candidate_that_replay_reported(
        self, mind_skills: Run, staged: str, project: Path
    ) -> None:
        (session,) = mind_skills("replay", DEMO, "--json").json["sessions"]
        document = mind_skills("pending", "--json").json
        (found,) = session["candidates"]
        assert found.pop("offer").startswith(f"claude-code 2026-03-02, 5 min, helpful; 540 tokens\n  {staged} pytest ")
        assert document["candidates"] == [found | {"injectedAt": None}]
        done = mind_skills("pending")
        assert done.err == "1 is waiting for the next session. Run `mind-skills show ID` for what happened.\n"
        header, row = done.out.splitlines()
        assert header.split("\t") == ["id", "confidence", "kind", "sessions", "noticed", "state", "title"]
        kind, day = format_kind(found["kind"]), format_time(found["detectedAt"])[:10]
        assert row.split("\t")[:6] == [staged, found["confidence"], kind, "1", day, "waiting"]

    def test_a_command_in_a_subfolder_acts_on_the_whole_project(
        self, mind_skills: Run, staged: str, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (project / "deep/er").mkdir(parents=True)
        monkeypatch.chdir(project / "deep/er")
        assert [c["id"] for c in mind_skills("pending", "--json").json["candidates"]] == [staged]

    def test_a_candidate_deleted_from_the_pending_file_stays_pending_and_is_written_again(
        self, mind_skills: Run, staged: str, project: Path
    ) -> None:
        path = project / ".claude/mind-skills-pending.json"
        content = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(content | {"candidates": []}), encoding="utf-8")
        assert [c["id"] for c in mind_skills("pending", "--json").json["candidates"]] == [staged]
        assert [c["id"] for c in json.loads(path.read_text(encoding="utf-8"))["candidates"]] == [staged]

    def test_foreign_candidates_in_the_pending_file_are_listed_apart_and_preserved(
        self, mind_skills: Run, project: Path
    ) -> None:
        path = project / ".claude/mind-skills-pending.json"
        path.parent.mkdir()
        theirs = {
            "id": "sc_theirs_1", "title": "Theirs \x1b[31m", "reason": "r", "confidence": "high",
            "evidence": [], "detectedAt": 1, "sessionId": "s",
        }  # fmt: skip
        path.write_text(json.dumps({"candidates": [theirs]}), encoding="utf-8")
        document = mind_skills("pending", "--json").json
        assert (document["candidates"], [item["id"] for item in document["foreign"]]) == ([], ["sc_theirs_1"])
        done = mind_skills("pending")
        assert (
            "1 more in the pending file was not learned in this project on this machine and is never offered."
            in done.err
        )
        assert (
            'not learned in this project on this machine, never offered: "sc_theirs_1" "Theirs"\n'
            in mind_skills("status", "-v").out
        )
        assert (
            "Nothing is pending; 1 more in the pending file was not learned in this project on this machine and is never offered.\n"
            in mind_skills("status").out
        )
        assert "sc_theirs_1" in path.read_text(encoding="utf-8")


class TestShow:
    def test_an_unambiguous_prefix_of_an_id_is_enough(self, mind_skills: Run, staged: str) -> None:
        whole = mind_skills("show", staged, "--json")
        assert mind_skills("show", staged[:6], "--json") == whole
        assert mind_skills("show", staged.removeprefix("sc_")[:3], "--json") == whole

    def test_a_name_that_is_not_valid_unicode_is_an_unknown_id(self, mind_skills: Run, staged: str) -> None:
        done = mind_skills("show", f"{staged}\udcff", "--json")
        assert (done.code, done.json["error"]["code"]) == (1, "unknown_id")

    def test_the_error_for_an_unknown_id_says_which_command_lists_ids(self, mind_skills: Run, staged: str) -> None:
        done = mind_skills("dismiss", "sc_ffff", "--reason", "r", "--json")
        error = {
            "code": "unknown_id",
            "message": "there is no candidate sc_ffff",
            "hint": "`mind-skills pending` lists the pending candidates.",
        }
        assert (done.code, done.json) == (1, {"error": error})


class TestDecisions:
    def test_a_dismissed_candidate_leaves_the_list_and_is_not_staged_again(
        self, mind_skills: Run, staged: str, project: Path
    ) -> None:
        done = mind_skills("dismiss", staged, "--reason", " our  linter\nsays so ", "--json")
        title = done.json.pop("title")
        assert done.json | {"title": title} == {
            "version": 1, "done": "dismissed", "id": staged, "title": title, "state": "dismissed",
            "detail": "our linter says so", "problems": [],
        }  # fmt: skip
        again = mind_skills("replay", DEMO, "--stage", "--project", project)
        assert again.err == f"{project}: 0 new, 0 seen before, 1 decided before; 0 on the list.\n"
        assert mind_skills("pending").out == f"Nothing is pending in {project}.\n"

    @pytest.mark.parametrize("reason", ["", " \n\t", "\x1b[31m"])
    def test_dismissing_with_an_empty_reason_is_refused(self, mind_skills: Run, staged: str, reason: str) -> None:
        done = mind_skills("dismiss", staged, "--reason", reason, "--json")
        assert (done.code, done.json["error"]["message"]) == (
            2,
            "Invalid value for '--reason': give a short reason; it is stored for later reference",
        )
        assert mind_skills("why", staged, "--json").json["state"] == "pending"

    def test_undo_reverts_one_decision_at_a_time(self, mind_skills: Run, staged: str, project: Path) -> None:
        path = write_skill(project)
        mind_skills("dismiss", staged, "--reason", "no")
        mind_skills("accept", staged, "--skill", path)
        assert mind_skills("undo").out.startswith(f"Undone: {staged} is back in its earlier state: dismissed.\n")
        assert mind_skills("undo").out.startswith(f"Undone: {staged} is back in its earlier state: waiting.\n")
        done = mind_skills("undo", "--json")
        assert (done.code, done.json["error"]["code"]) == (1, "nothing_to_undo")

    def test_accept_takes_the_file_or_folder_of_a_skill_that_exists(
        self, mind_skills: Run, staged: str, project: Path
    ) -> None:
        path = write_skill(project)
        for named in (path, path.parent, ".claude/skills/exact"):
            assert mind_skills("accept", staged, "--skill", named, "--json").json["detail"] == str(path)
        (project / "notes.md").touch()
        for named in (project / "gone", project / "notes.md", project):
            done = mind_skills("accept", staged, "--skill", named, "--json")
            assert (done.code, done.json["error"]["code"]) == (1, "skill_missing")

    def test_dismiss_requires_a_reason_and_accept_requires_a_skill(self, mind_skills: Run, staged: str) -> None:
        assert [mind_skills(word, staged).code for word in ("dismiss", "accept")] == [2, 2]

    def test_a_secret_in_a_reason_is_not_stored(self, mind_skills: Run, staged: str, apart: Path) -> None:
        secret = "ghp_" + "a1B2" * 9
        mind_skills("dismiss", staged, "--reason", f"uses {secret}")
        assert secret not in mind_skills("show", staged).out
        assert not any(secret.encode() in path.read_bytes() for path in (apart / "state").rglob("*") if path.is_file())


class TestStatus:
    def test_the_status_of_a_new_project_is_empty(self, mind_skills: Run, apart: Path, project: Path) -> None:
        told = mind_skills("status", "--json").json
        assert [one["verdict"] for one in told.pop("loops")] == ["none"] * len(HOST_NAMES)
        assert told == {
            "version": 1,
            "project": str(project),
            "enabled": True,
            "paused": "",
            "pausedSince": None,
            "pending": 0,
            "waiting": [],
            "unfinished": 0,
            "counts": counts(),
            "latest": None,
            "criteria": [],
            "skills": [],
            "proposed": [],
            "archived": 0,
            "proof": None,
            "watching": None,
            "foreign": [],
            "problems": [],
            "hookErrors": [],
            "stateFolder": str(apart / "state"),
            "pendingFile": str(project / ".claude/mind-skills-pending.json"),
            "configFiles": [],
        }

    def test_status_counts_staged_offered_and_dismissed_candidates(
        self, mind_skills: Run, staged: str, apart: Path, project: Path
    ) -> None:
        assert mind_skills("status", "--json").json["counts"] == counts(fired=1, staged=1, waiting=1)
        offer(apart, project, "two")
        assert mind_skills("status", "--json").json["counts"] == counts(fired=1, staged=1, offered=1, unanswered=1)
        assert mind_skills("why", staged, "--json").json["state"] == "offered"
        mind_skills("dismiss", staged, "--reason", "no")
        after = mind_skills("status", "--json").json
        assert (after["counts"], after["pending"]) == (counts(fired=1, staged=1, offered=1, dismissed=1), 0)
        mind_skills("undo")
        assert mind_skills("status", "--json").json["counts"] == counts(fired=1, staged=1, offered=1, unanswered=1)

    def test_status_shows_the_last_five_hook_errors_and_warns_only_of_recent_ones(
        self, mind_skills: Run, apart: Path
    ) -> None:
        for number in range(7):
            append_note(str(apart / "state"), 0, "claude-code end", f"fault {number}")
        errors = mind_skills("status", "--json").json["hookErrors"]
        assert errors == [f"1970-01-01T00:00:00Z claude-code end: fault {number}" for number in range(2, 7)]
        assert mind_skills("status", "-v").out.splitlines()[-1] == f"  {errors[-1]}"
        assert "fault" not in mind_skills("status").out
        append_note(str(apart / "state"), time.time_ns() // 1_000_000, "claude-code end", "fault of today")
        assert mind_skills("status").out.count("Last hook error: 20") == 1

    def test_status_says_that_a_project_is_switched_off_and_by_which_file(
        self, mind_skills: Run, apart: Path, project: Path
    ) -> None:
        mind_skills("config", "set", "enabled", "false", "--project")
        document = mind_skills("status", "--json").json
        assert (document["enabled"], document["configFiles"]) == (
            False,
            [str(apart / "home/.config/mind-skills/mind-skills.toml")],
        )
        assert mind_skills("status").out.splitlines()[0] == f"{project}: switched off"

    def test_status_reports_wrong_settings_and_a_broken_pending_file(
        self, mind_skills: Run, apart: Path, project: Path
    ) -> None:
        Ledger.open(apart / "state").close()
        (project / ".claude").mkdir()
        (project / ".claude/mind-skills.toml").write_text("enabeld = false", encoding="utf-8")
        (project / ".claude/mind-skills-pending.json").write_text("{broken", encoding="utf-8")
        done = mind_skills("status", "--json")
        settings, pending = done.json["problems"]
        assert (done.code, done.err) == (0, "")
        assert settings == (
            expected := f"enabeld in {project}/.claude/mind-skills.toml is not honoured: {PROJECT_FILE_RULE}"
        )
        assert pending.startswith(f"{project}/.claude/mind-skills-pending.json: ")
        assert (project / ".claude/mind-skills-pending.json.corrupt-1").read_text(encoding="utf-8") == "{broken"
        assert f"Problem: {expected}\n" in mind_skills("status").out

    def test_status_without_a_home_folder_is_an_error(self, mind_skills: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("MIND_SKILLS_HOME")
        monkeypatch.delenv("HOME")
        done = mind_skills("status", "--json")
        assert (done.code, done.json["error"]["code"]) == (1, "state_folder")


class TestReplay:
    def test_staging_the_same_log_again_changes_nothing(self, mind_skills: Run, staged: str, project: Path) -> None:
        before = mind_skills("pending", "--json")
        for _ in range(3):
            done = mind_skills("replay", DEMO, "--stage", "--project", project)
            assert done.err == f"{project}: 0 new, 1 seen before, 0 decided before; 1 on the list.\n"
        assert mind_skills("pending", "--json") == before

    def test_a_session_of_another_project_is_not_staged(self, mind_skills: Run, project: Path) -> None:
        done = mind_skills("replay", DEMO, "--stage")
        expected = (
            "not staged, its project is /home/dev/shop. Run the command in the project's folder, or use --project."
        )
        assert (done.code, done.err) == (1, f"{DEMO}: {expected}\n")
        both = mind_skills("replay", DEMO, copy_log_to_project(DEMO, project), "--stage")
        received = f"{project}: 1 new, 0 seen before, 0 decided before; 1 on the list."
        assert (both.code, both.err) == (0, f"{DEMO}: {expected}\n{received}\n")

    def test_a_log_that_names_no_project_is_not_staged(self, mind_skills: Run, tmp_path: Path) -> None:
        log = tmp_path / "nowhere.jsonl"
        log.write_bytes(DEMO.read_bytes().replace(b'"cwd": "/home/dev/shop"', b'"cwd": ""'))
        done = mind_skills("replay", log, "--stage")
        assert (done.code, done.err) == (
            1,
            f"{log}: not staged, the log names no project. Run the command in the project's folder, or use --project.\n",
        )

    def test_replay_with_state_omits_candidates_that_were_decided(
        self, mind_skills: Run, staged: str, project: Path
    ) -> None:
        mind_skills("dismiss", staged, "--reason", "no")
        known = mind_skills("replay", DEMO, "--with-state", "--project", project, "--json").json
        assert ([s["candidates"] for s in known["sessions"]], known["totals"]["candidates"]) == ([[]], 0)
        assert mind_skills("replay", DEMO, "--json").json["totals"]["candidates"] == 1


@pytest.mark.parametrize(("columns", "is_below"), [("99", True), ("250", False)])
def test_a_title_is_printed_below_its_row_unless_the_terminal_is_wide_enough(
    mind_skills: Run, staged: str, monkeypatch: pytest.MonkeyPatch, columns: str, is_below: bool
) -> None:
    (candidate,) = mind_skills("pending", "--json").json["candidates"]
    monkeypatch.setattr("mind_skills.output.text.is_interactive", lambda: True)
    monkeypatch.setenv("COLUMNS", columns)
    rows = mind_skills("pending").out.splitlines()
    row = next(number for number, text in enumerate(rows) if staged in text)
    below = " ".join(" ".join(rows[row + 1 :]).split())
    assert (candidate["title"] in below, candidate["title"] in rows[row]) == (is_below, not is_below)
    assert max(map(len, rows)) <= int(columns)
