"""What a person shares, takes back and has deleted, on a real server: at the command line and with several machines."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.staging.ledger import Ledger
from mind_skills.store.home import get_state_folder
from mind_skills.team import outbox
from mind_skills.team.contributions import TeamKey, digest_project, parse_code
from tests.team.postgres import Server
from tests.team.test_extras_commands import REMOTE, code, join, person

__all__ = ["code", "person"]  # fixtures
pytestmark = pytest.mark.extras
Run = Callable[..., Any]
COUNT = (
    "SELECT count(*), count(*) FILTER (WHERE project = '') FROM mind_skills.event WHERE login = 'alice' AND value <> 0"
)


@pytest.fixture
def share(
    server: Server, code: str, person: Callable[..., Path], mind_skills: Run, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Path]:
    """Become a machine of a person, `alice` or `alice-laptop`, that shares the project; return its clone."""

    def become(name: str) -> Path:
        shop = person(name)
        describe_by_code()
        if not mind_skills("team", "status", "--json").json["team"]:
            assert join(mind_skills, monkeypatch, server.url(name.partition("-")[0]), code).code == 0
        assert mind_skills("config", "set", "share_with_team", "true", "--project").code == 0
        return shop

    return become


def describe_by_code() -> None:
    """Give the error of each stored learning a code, and so a family."""
    with Ledger.open(get_state_folder()) as ledger, ledger.database.writing() as sql:
        for table in ("candidates", "sightings"):
            sql.execute(
                f"UPDATE {table} SET body = json_set(body, '$.facts.error', 'TS2304', '$.facts.program', 'tsc')"
            )


def read_key(code: str) -> TeamKey:
    return parse_code(code)


def test_what_is_sent_is_decided_when_it_is_sent_and_preview_stores_nothing(
    share: Callable[[str], Path], server: Server, mind_skills: Run
) -> None:
    share("alice")
    previewed = mind_skills("team", "preview").out
    with outbox.open_outbox(get_state_folder()) as database:
        assert database.sql.execute("SELECT * FROM team_events").fetchall() == []
    assert mind_skills("team", "preview").out == previewed != ""
    waiting = mind_skills("team", "status", "--json").json["waiting"]
    server.stop("immediate")
    try:
        assert mind_skills("team", "sync").code == 1, "the events are stored, and could not be sent"
    finally:
        server.start()
    assert mind_skills("team", "status", "--json").json["waiting"] == waiting > 0
    mind_skills("config", "set", "share_with_team", "false", "--project")
    status = mind_skills("team", "status", "--json").json
    assert (status["projects"], status["waiting"], mind_skills("team", "preview").out) == (0, 0, "")
    assert mind_skills("team", "sync", "--json").json["sent"] == 0
    assert server.execute(COUNT) == [(0, 0)]
    mind_skills("config", "set", "share_with_team", "true", "--project")
    assert mind_skills("team", "preview").out == previewed
    assert mind_skills("team", "sync", "--json").json["sent"] == waiting


def test_a_forgotten_project_is_deleted_with_its_families_and_comes_back_from_no_machine(
    share: Callable[[str], Path], server: Server, mind_skills: Run
) -> None:
    for name in ("alice", "alice-laptop"):
        share(name)
        mind_skills("team", "sync")
    shop = share("alice-laptop")
    (learning,) = mind_skills("pending", "--json").json["candidates"]
    mind_skills("dismiss", learning["id"], "--reason", "known")  # not sent yet
    share("alice")
    ((before, families),) = server.execute(COUNT)
    assert families, "the session's error has a family"
    done = mind_skills("team", "forget", "--json").json
    assert (done["forgotten"], done["projects"], done["waiting"]) == (before, 0, 0)
    assert server.execute(COUNT) == [(0, 0)]
    assert mind_skills("config", "get", "share_with_team", "--project", "--json").json["settings"][0]["value"] is False
    for name in ("alice-laptop", "alice"):
        assert share(name).name == shop.name
        assert mind_skills("team", "sync", "--json").json["sent"] == 0
        assert mind_skills("team", "preview").out == ""
    assert server.execute(COUNT) == [(0, 0)]
    (learning,) = mind_skills("pending", "--json").json["candidates"]
    mind_skills("dismiss", learning["id"], "--reason", "known")
    assert mind_skills("team", "sync", "--json").json["sent"] > 0, "what is new is shared again"


def test_a_forgotten_project_takes_nothing_from_another_with_the_same_family(
    share: Callable[[str], Path], server: Server, mind_skills: Run, code: str, tmp_path: Path
) -> None:
    shop = share("alice")
    other = tmp_path / "alice" / "other"
    other.mkdir()
    subprocess.run(["git", "init", "-q", other], check=True)
    subprocess.run(["git", "-C", other, "remote", "add", "origin", "git@example.com:acme/other.git"], check=True)
    text = (tmp_path / "alice" / "session.jsonl").read_text(encoding="utf-8")
    log = tmp_path / "alice" / "other.jsonl"
    log.write_text(text.replace(str(shop), str(other)).replace("0000000alice", "00000000other"), encoding="utf-8")
    assert mind_skills("replay", log, "--stage", "--project", other).code == 0
    describe_by_code()
    mind_skills("config", "set", "share_with_team", "true", "--project", other)
    for each in (shop, other):
        (learning,) = mind_skills("pending", "--json", "--project", each).json["candidates"]
        mind_skills("dismiss", learning["id"], "--reason", "known", "--project", each)
    mind_skills("team", "sync")
    remains = "SELECT kind, encode(project, 'hex') FROM mind_skills.event WHERE value <> 0 ORDER BY kind, project"
    assert len(server.execute(remains)) == 7  # two projects: seen, decided; families: two seen, one decided
    mind_skills("team", "forget", "--project", shop)
    mind_skills("team", "sync")
    project = digest_project(read_key(code), "git@example.com:acme/other.git").hex()
    assert server.execute(remains) == [("decided", ""), ("decided", project), ("seen", ""), ("seen", project)]


def test_a_project_that_was_closed_blocks_nothing_else_and_its_sums_disappear(
    share: Callable[[str], Path], server: Server, mind_skills: Run, code: str
) -> None:
    for name in ("bob", "carol", "dan", "alice"):
        shop = share(name)
        mind_skills("team", "sync")
    assert mind_skills("team", "status", "--json").json["sums"] == 2
    project = digest_project(read_key(code), REMOTE).hex()
    server.execute(f"INSERT INTO mind_skills.grantee VALUES ('shop', '\\x{project}', 'bob')", "olga")
    (learning,) = mind_skills("pending", "--json").json["candidates"]
    mind_skills("dismiss", learning["id"], "--reason", "known")
    done = mind_skills("team", "sync", "--json")
    assert (done.code, done.json["sent"], done.json["sums"], done.json["waiting"]) == (0, 2, 1, 1)
    reason = "the project is closed to this login"
    assert done.json["refused"] == [{"folder": str(shop), "events": 1, "reason": reason}]
    assert f"Not sent: 1 event of {shop}, because {reason}." in mind_skills("team", "sync").err
    assert f"1 event of {shop} refused: {reason}" in mind_skills("team", "status").err
    server.execute("DELETE FROM mind_skills.grantee", "olga")
    done = mind_skills("team", "sync", "--json").json
    assert (done["sent"], done["sums"], done["refused"], done["problem"]) == (1, 2, [], "")


@pytest.mark.parametrize("state", ["53100", "MS002"])
def test_a_server_that_stores_nothing_is_still_read(
    share: Callable[[str], Path], server: Server, mind_skills: Run, state: str
) -> None:
    for name in ("bob", "carol", "dan"):
        share(name)
        mind_skills("team", "sync")
    server.execute(
        "CREATE OR REPLACE FUNCTION mind_skills.push(wanted_team text, wanted_device uuid, events jsonb) RETURNS SETOF bigint"
        f" LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '{state}'; END $$"
    )
    share("alice")
    done = mind_skills("team", "sync")
    assert done.code == (1 if state == "53100" else 0)
    assert "No space left on device" in done.err
    status = mind_skills("team", "status", "--json").json
    assert (status["sums"], status["waiting"], "No space left" in status["problem"]) == (2, 3, True), (
        "a body too, now that the family has a quorum"
    )


def test_what_was_forgotten_is_sent_again_neither_by_another_machine_nor_after_joining_again(
    share: Callable[[str], Path], server: Server, mind_skills: Run
) -> None:
    for name in ("alice", "alice-laptop", "alice"):
        share(name)
        mind_skills("team", "sync")
    assert mind_skills("team", "leave", "--forget").code == 0
    share("alice")
    assert (mind_skills("team", "preview").out, mind_skills("team", "status", "--json").json["waiting"]) == ("", 0)
    for name in ("alice-laptop", "alice"):
        share(name)
        assert mind_skills("team", "sync", "--json").json["sent"] == 0
    assert server.execute("SELECT count(*) FROM mind_skills.event") == [(0,)]


def test_a_quiet_machine_does_not_undo_retention_and_a_late_one_does_not_send_what_is_too_old(
    share: Callable[[str], Path], server: Server, mind_skills: Run
) -> None:
    share("alice")
    with outbox.open_outbox(get_state_folder()) as database:
        mind_skills("team", "sync")
        database.sql.execute("UPDATE team_events SET at = 1")
    server.execute("UPDATE mind_skills.event SET at = 1")
    ((count,),) = server.execute("SELECT count(*) FROM mind_skills.event")
    assert server.execute("SELECT mind_skills.retain('shop', '1 year')", "olga") == [(count,)]
    assert mind_skills("team", "sync", "--json").json["sent"] == 0
    with outbox.open_outbox(get_state_folder()) as database, database.writing() as sql:
        outbox.renew_device(sql)  # as a copy of this machine, which sends everything again
        sql.execute("DELETE FROM team_forgotten")  # and has not heard of the retention
    mind_skills("team", "sync", "--json")
    assert server.execute("SELECT count(*) FROM mind_skills.event WHERE at = 1") == [(0,)]


def test_a_changed_remote_counts_once_and_so_does_one_that_changes_back(
    share: Callable[[str], Path], server: Server, mind_skills: Run, code: str
) -> None:
    shop = share("alice")
    mind_skills("team", "sync")
    newest = "SELECT DISTINCT ON (project, subject, source) project, value FROM mind_skills.event WHERE project <> ''"
    counted = f"SELECT DISTINCT encode(project, 'hex') FROM ({newest} ORDER BY project, subject, source, at DESC) AS n WHERE value <> 0"
    for remote in ("git@elsewhere.example:acme/shop.git", REMOTE):
        subprocess.run(["git", "-C", shop, "remote", "set-url", "origin", remote], check=True)
        mind_skills("team", "sync")
        assert server.execute(counted) == [(digest_project(read_key(code), remote).hex(),)]
        assert mind_skills("team", "status", "--json").json["waiting"] == 0
