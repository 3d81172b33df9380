"""The document of a report on a month: its numbers, and what redaction removes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.digest.model import Facts, Row
from mind_skills.output.document import make_type_adapter, to_json_types
from mind_skills.report.document import PageReport
from mind_skills.report.gathering import gather_report
from mind_skills.staging.ledger import Ledger
from tests.report.month import BEGIN, DAY, NOW, Month, candidate
from tests.testkit.episodes import build_candidate

GOLDEN = Path(__file__).with_name("month.json")
COUNTED = ("noticed", "handedOver", "skills", "used", "refused", "tokens")


def gather(month: Month, **how: Any) -> Any:
    with Ledger.open(month.home) as ledger:
        return to_json_types(gather_report(ledger, NOW, **how))


def test_the_report_of_the_month_equals_the_reviewed_document(month: Month, tmp_path: Path) -> None:
    text = json.dumps(gather(month), indent=1, ensure_ascii=False).replace(str(tmp_path), "FOLDER")
    assert json.loads(text) == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_the_document_matches_its_schema(report: PageReport) -> None:
    make_type_adapter(PageReport).validate_python(to_json_types(report), by_alias=True)


def test_days_hosts_and_projects_add_up_to_the_totals(month: Month) -> None:
    report = gather(month)
    for parts in ("days", "hosts", "projects"):
        for name in COUNTED:
            assert sum(part[name] for part in report[parts]) == report["totals"][name], (parts, name)
    assert len(report["learnings"]) == report["totals"]["noticed"]


def test_since_limits_events_but_not_skills_and_proof(month: Month) -> None:
    whole, late = gather(month), gather(month, since=BEGIN + 12 * DAY)
    assert [late["totals"][name] for name in COUNTED] == [2, 1, 0, 6, 0, 180]
    assert {each["day"] for each in late["days"]} == {day["day"] for day in whole["days"] if day["day"] >= "2026-11-13"}
    assert [each["changedAt"] >= BEGIN + 12 * DAY for each in late["learnings"]] == 3 * [True]
    assert (late["latest"], whole["latest"]) == (BEGIN + 14 * DAY, BEGIN + 14 * DAY)
    assert late["totals"]["sessionsRead"] == sum(each["sessions"] for each in late["hosts"])
    assert (late["skills"], late["proof"]) == (whole["skills"], whole["proof"])


def test_a_pending_candidate_is_listed_even_if_it_was_noticed_before_the_period(month: Month) -> None:
    late = gather(month, since=BEGIN + 28 * DAY)
    assert [(each["state"], each["detectedAt"]) for each in late["learnings"]] == [("pending", BEGIN + 14 * DAY)]
    assert late["totals"]["waiting"] == 1


def test_the_report_of_a_project_contains_only_that_project(month: Month) -> None:
    report = gather(month, project=month.site)
    assert (report["project"], [each["name"] for each in report["projects"]]) == ("site", ["site"])
    assert {each["project"] for each in report["learnings"]} == {"site"}
    assert (report["skills"], report["proof"]["skills"]) == ([], [])


def test_a_withdrawn_offer_is_not_counted_as_offered(month: Month) -> None:
    before = gather(month)["totals"]
    with Ledger.open(month.home) as ledger:
        assert ledger.withdraw_offer("told-6", NOW)
    after = gather(month)["totals"]
    assert (before["handedOver"] - after["handedOver"], after["waiting"] - before["waiting"]) == (1, 1)
    assert before["sessions"] - after["sessions"] == 1


def test_a_learning_recorded_by_an_unset_clock_is_counted_but_on_no_day(month: Month) -> None:
    before = gather(month)
    with Ledger.open(month.home) as ledger:
        ledger.stage(month.shop, "early", "claude-code", [candidate(20, 1, "early")], 1)
    after = gather(month)
    assert (after["totals"]["noticed"], after["days"]) == (before["totals"]["noticed"] + 1, before["days"])


def test_a_session_that_taught_something_counts_as_read_though_it_was_only_replayed(month: Month) -> None:
    seen = []
    for session in ("", "replayed-1", "replayed-2", "replayed-1"):
        if session:
            with Ledger.open(month.home) as ledger:
                ledger.stage(month.shop, session, "codex", [candidate(21, NOW, session)], NOW)
        report = gather(month, since=NOW - DAY)
        seen.append((report["totals"]["sessionsRead"], [(each["name"], each["sessions"]) for each in report["hosts"]]))
    assert seen == [(0, []), (1, [("codex", 1)]), (2, [("codex", 2)]), (2, [("codex", 2)])]


def test_projects_of_the_same_name_are_distinguished_by_their_paths(month: Month, tmp_path: Path) -> None:
    other = month.add_project(tmp_path / "elsewhere/shop")
    with Ledger.open(month.home) as ledger:
        ledger.stage(other, "s", "claude-code", [candidate(21, BEGIN, "s")], BEGIN)
    names = {each["name"] for each in gather(month)["projects"]}
    assert names == {f"shop ({tmp_path / 'shop'})", f"shop ({tmp_path / 'elsewhere/shop'})", "site"}


def test_a_redacted_report_names_no_project_path_or_session(month: Month, tmp_path: Path) -> None:
    (month.home / "log").mkdir()
    (month.home / "log" / "hooks.log").write_text("2026-11-01T00:00:00Z codex end logged-session: a fault\n")
    whole = gather(month)
    text = json.dumps(gather(month, redacted=True))
    sessions = {vote["session"] for skill in whole["skills"] for vote in skill["votes"]} | {"logged-session"}
    assert "logged-session" in json.dumps(whole)
    for hidden in ("shop", "site", str(tmp_path), "tests/", "prices.py", "SKILL.md", *sessions):
        assert hidden not in text, hidden
    report = json.loads(text)
    assert [each["name"] for each in report["projects"]] == ["project 1", "project 2"]
    assert {each["project"] for each in report["learnings"]} == {"project 1", "project 2"}
    first = report["learnings"][0]
    assert first["rows"][0]["text"] == "run pytest [path]: failed AssertionError: Decimal('0.1') != 0.1"
    kept = ("totals", "days", "hosts", "proof")
    assert [report[name] for name in kept[:3]] == [whole[name] for name in kept[:3]]


@pytest.mark.parametrize(
    ("error", "shared"),
    [
        ("python sync_ledger.py: ImportError once", "python [name]: ImportError once"),
        ("run python sync_ledger.py --verbose: failed.", "run python [name] --verbose: failed."),
        ("'sync_ledger.py:12' --config=.ledger.toml,ledger.tar.gz", "'[name]:12' --config=[name],[name]"),
        ("ledger.py~ ledger.py-old ledger.7z libledger.so.6", "[name] [name] [name] [name].6"),
        ("java.lang.LedgerError at ledger.example.com:80", "[name] at [name]:80"),
        (
            "python 3.11 and v1.2.3rc1 after 0.5s. Then it passes...",
            "python 3.11 and v1.2.3rc1 after 0.5s. Then it passes...",
        ),
    ],
)
def test_a_redacted_report_names_no_file_that_was_only_run(month: Month, error: str, shared: str) -> None:
    facts = Facts(program=error, failures=1)
    rows = (Row(3, 0, "symptom", f"3 {error}"),)
    with Ledger.open(month.home) as ledger:
        found = build_candidate(error, "s", "claude-code", NOW, rows=rows, facts=facts)
        ledger.stage(month.shop, "s", "claude-code", [found], NOW)
    (learning,) = (each for each in gather(month, redacted=True)["learnings"] if each["id"] == found.id)
    assert learning["rows"][0]["text"] == shared
    assert learning["title"].startswith(shared)


@pytest.mark.parametrize("name", ["pending", "a", "claude-code", "project 1", "("])
def test_a_redacted_report_is_valid_whatever_a_project_is_called(month: Month, tmp_path: Path, name: str) -> None:
    other = month.add_project(tmp_path / name)
    with Ledger.open(month.home) as ledger:
        ledger.stage(other, "s", "claude-code", [candidate(22, BEGIN, "s")], BEGIN)
    report = gather(month, redacted=True)
    make_type_adapter(PageReport).validate_python(report, by_alias=True)
    assert sorted(each["name"] for each in report["projects"]) == ["project 1", "project 2", "project 3"]


def test_the_report_of_an_empty_ledger_is_empty(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "state") as ledger:
        report = gather_report(ledger, NOW)
    assert (report.days, report.learnings, report.skills, report.proof.known, report.cost.texts) == ([], [], [], 0, 0)
    assert report.totals.noticed == report.totals.waiting == 0


def test_the_lines_of_the_hooks_log_are_counted_and_the_last_five_listed(month: Month) -> None:
    log = month.home / "log"
    log.mkdir()
    (log / "hooks.log").write_text("".join(f"2026-11-0{n}T00:00:00Z idle: fault {n}\n" for n in range(1, 8)))
    cost = gather(month)["cost"]
    assert (cost["complaints"], len(cost["lastComplaints"]), cost["lastComplaints"][-1]) == (
        7,
        5,
        "2026-11-07T00:00:00Z idle: fault 7",
    )
