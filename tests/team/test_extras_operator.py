"""The page of the operator from its first line to its last, on empty servers; and what restores and upgrades must not break."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from mind_skills.team.server import read_server_sql
from tests.team.postgres import PROGRAMS, Server, run_server
from tests.team.pushing import DEVICES, PROJECT, SOURCE, SUBJECT, event, push, push_query
from tests.team.test_extras_attacks import attempt, connect_as
from tests.testkit.paths import ROOT

pytestmark = pytest.mark.extras
psycopg: Any = importlib.import_module("psycopg")
NEWEST = [*PROGRAMS][-1]
MANY = 300
"""Subjects of a team whose server is restored."""
VERSION_1 = """
DROP TABLE mind_skills.forgotten;
ALTER TABLE mind_skills.device DROP COLUMN last;
ALTER TABLE mind_skills.team DROP COLUMN since;
DROP TRIGGER check_people ON mind_skills.person;
DROP FUNCTION mind_skills.forget(text, bytea);
CREATE FUNCTION mind_skills.forget(wanted_team text) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
ALTER FUNCTION mind_skills.forget(text) OWNER TO mind_skills_owner
"""
"""What an older server lacks."""


def list_blocks(heading: str) -> list[str]:
    """The commands of a part of the page, from its heading to the next one of the same level."""
    text = (ROOT / "docs/team.md").read_text(encoding="utf-8")
    part = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^```sh\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)


@pytest.fixture(params=PROGRAMS)
def servers(request: pytest.FixtureRequest) -> Generator[tuple[Server, Server]]:
    """Two servers, the second one of the newest version, each without a database for a team."""
    with run_server(request.param) as old, run_server(NEWEST) as new:
        for each in (old, new):
            each.run(str(each.programs / "dropdb"), "-h", str(each.folder), "-U", "postgres", "team")
        yield old, new


def run_block(server: Server, folder: Path, block: str, home: str = "olga", stdin: str = "") -> str:
    """Run commands of the page against a server in a folder; return what they print."""
    programs = os.pathsep.join((str(Path(sys.executable).parent), str(server.programs), os.environ["PATH"]))
    variables = {"PATH": programs, "PGHOST": str(server.folder), "PGUSER": "postgres", "HOME": str(folder / home)}
    (folder / home).mkdir(exist_ok=True)
    block = re.sub(r"postgresql://(\w+)@db\.example\.com/team", rf"postgresql://\1@/team?host={server.folder}", block)
    done = subprocess.run(
        ["sh", "-eu", "-c", block], cwd=folder, env=variables, input=stdin, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, (block, done.stdout, done.stderr)
    return done.stdout + done.stderr


def sync(server: Server, folder: Path, login: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run_block(server, folder, "mind-skills team sync --json", login))
    return answer


def test_the_page_can_be_followed_on_empty_servers(servers: tuple[Server, Server], tmp_path: Path) -> None:
    old, new = servers
    join, take_back = list_blocks("Join")
    assert join.startswith("uv tool install '.[team]'\n")
    join = join.partition("\n")[2]
    server = old
    for block in list_blocks("Run the server"):
        if block.startswith("# on the new server"):
            server = new
        run_block(server, tmp_path, block)
        if "team init" in block:
            for login in ("alice", "bob", "carol"):
                member = join.replace("alice", login)
                printed = run_block(server, tmp_path, member, login, (tmp_path / "code").read_text(encoding="utf-8"))
                assert "Joined the team acme" in printed
    moved = new.url("alice").replace(str(old.folder), str(new.folder))
    for login in ("alice", "bob", "carol"):
        run_block(new, tmp_path, "mind-skills team leave", login)
        run_block(new, tmp_path, f"mind-skills team join '{moved.replace('alice', login)}' <code", login)
        assert sync(new, tmp_path, login)["team"] == "acme"
    subprocess.run(["git", "init", "-q", tmp_path / "shop"], check=True)
    subprocess.run(["git", "-C", tmp_path / "shop", "remote", "add", "origin", "git@example.com:acme/shop"], check=True)
    assert "Left the team acme" in run_block(new, tmp_path, f"cd shop\n{take_back}", "alice")
    for query in ("CREATE TEMP TABLE t (n int)", "SELECT pg_advisory_lock(1)", "SELECT lo_create(0)"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            new.execute(query, "alice")
    assert new.execute("SHOW temp_file_limit", "alice") == [("256MB",)]


@pytest.mark.parametrize("version", PROGRAMS)
def test_a_project_is_closed_and_withdrawn_as_the_page_says(version: str, tmp_path: Path) -> None:
    close, remove = (
        block.replace("00112233445566778899aabbccddeeff", PROJECT)
        for block in list_blocks("Run the server")
        if "00112233445566778899aabbccddeeff" in block
    )
    sums = "SELECT count(*) FROM mind_skills.sums"
    answer: Any
    changed: Any
    pull = "SELECT mind_skills.pull('acme', $${}$$, $${}$$)"
    with run_server(version) as server:
        fill(server)
        server.execute("CREATE ROLE olga LOGIN; GRANT mind_skills_steward TO olga")
        ((answer,),) = server.execute(pull.format("", ""), "alice")
        run_block(server, tmp_path, close)
        assert [server.execute(sums, login) for login in ("alice", "bob")] == [[(MANY,)], [(0,)]]
        assert server.execute("SELECT mind_skills.forget('acme')", "bob") == [(MANY,)]
        run_block(server, tmp_path, remove)
        assert server.execute("SELECT count(*) FROM mind_skills.event") == [(0,)]
        ((changed,),) = server.execute(pull.format(answer["epoch"], answer["upto"]), "carol")
        assert (changed["whole"], changed["sums"]) == (True, [])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            push(server, "carol", event(MANY + 1))


def fill(server: Server, people: tuple[str, ...] = ("alice", "bob", "carol")) -> None:
    """Prepare a server on which ``MANY`` subjects reach the quorum."""
    server.execute("CREATE DATABASE team") if not _has_team(server) else None
    server.execute(read_server_sql())
    server.execute("INSERT INTO mind_skills.team (id) VALUES ('acme')")
    for login in people:
        server.execute(f"CREATE ROLE {login} LOGIN; GRANT mind_skills_member TO {login}")
        server.execute(f"INSERT INTO mind_skills.person VALUES ('acme', '{login}')")
        server.execute(f"SELECT mind_skills.hello('acme', '{DEVICES[login]}')", login)
        events = [json.loads(event(n, subject=f"{n:032x}"))[0] for n in range(1, MANY + 1)]
        push(server, login, json.dumps(events))


def _has_team(server: Server) -> bool:
    try:
        server.execute("SELECT 1")
    except psycopg.OperationalError:
        return False
    return True


def pull(server: Server, epoch: str = "", cursor: str = "") -> dict[str, Any]:
    ((answer,),) = server.execute(f"SELECT mind_skills.pull('acme', '{epoch}', '{cursor}')", "alice")
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize("version", PROGRAMS)
def test_a_backup_restored_into_another_server_is_read_whole_once_and_then_only_what_is_new(
    version: str, tmp_path: Path
) -> None:
    with run_server(version) as old, run_server(NEWEST) as new:
        for _ in range(40):  # the old server has a longer history than the new one
            old.execute("DO $$ BEGIN FOR n IN 1..100 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$")
        fill(old)
        before = pull(old)
        backup, restore = (
            block for block in list_blocks("Run the server") if "pg_dump" in block or "pg_restore" in block
        )
        run_block(old, tmp_path, backup)
        run_block(new, tmp_path, restore.replace("createdb team\n", ""))
        whole = pull(new, before["epoch"], before["upto"])
        again = pull(new, whole["epoch"], whole["upto"])
        push(new, "alice", event(MANY + 1, source="6e" * 16, subject=f"{5:032x}"))
        news = pull(new, again["epoch"], again["upto"])
        counts = [(each["whole"], len(each["sums"])) for each in (before, whole, again, news)]
        assert counts == [(True, MANY), (True, MANY), (False, 0), (False, 1)]
        for _ in range(40):  # until the new server's numbers have passed those of the old one
            new.execute("DO $$ BEGIN FOR n IN 1..200 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$")
        reached = pull(new, news["epoch"], news["upto"])
        last = pull(new, reached["epoch"], reached["upto"])
        assert [len(each["sums"]) for each in (reached, last)] == [MANY, 0]


def test_a_server_of_version_1_is_upgraded_with_its_events(acme: Server) -> None:
    acme.execute("DELETE FROM mind_skills.event WHERE login = 'bob'")
    acme.execute(VERSION_1)
    for _ in range(2):
        acme.execute(read_server_sql())
    greetings = [
        acme.execute(f"SELECT mind_skills.hello('acme', '{DEVICES[login]}')", login)[0][0] for login in ("alice", "bob")
    ]
    assert [(each["version"], each["last"], each["forgotten"]) for each in greetings if isinstance(each, dict)] == [
        (2, 1, {}),
        (2, 0, {}),
    ]
    assert acme.execute("SELECT mind_skills.forget('acme')", "alice") == [(1,)]


def test_the_same_version_is_applied_while_transactions_are_open(acme: Server) -> None:
    with connect_as(acme, "carol", autocommit=False) as member, connect_as(acme, "boris", autocommit=False) as board:
        member.execute(push_query("carol", event(1)))
        board.execute("SELECT * FROM mind_skills.sums")
        acme.execute(read_server_sql())
        assert push(acme, "dan", event(1)) == []


def test_an_upgrade_that_has_to_wait_fails_soon_and_pushes_wait_no_longer(acme: Server) -> None:
    acme.execute(VERSION_1)
    failed: list[str] = []

    def upgrade() -> None:
        with psycopg.connect(acme.url(), autocommit=True) as connection:
            failed.append(str(attempt(connection, read_server_sql())))

    with connect_as(acme, "carol", autocommit=False) as member:
        member.execute(format_share())
        thread = threading.Thread(target=upgrade)
        thread.start()
        thread.join(60)
    assert failed == ["55P03"]
    assert acme.execute("SELECT to_regclass('mind_skills.forgotten')::text") == [(None,)], "it was undone as a whole"
    acme.execute(read_server_sql())
    assert push(acme, "carol", event(1)) == []


def format_share() -> str:
    """Hold a lock as a sync does that has not ended."""
    return f"SELECT mind_skills.may_add('acme', '{DEVICES['carol']}', '\\x{PROJECT}')"


def test_a_limit_that_was_chosen_for_a_server_stays(acme: Server) -> None:
    acme.execute("ALTER DATABASE team SET temp_file_limit = '300MB'")
    acme.execute(read_server_sql())
    assert acme.execute("SHOW temp_file_limit", "carol") == [("300MB",)]
    acme.execute("ALTER DATABASE team RESET temp_file_limit")


def test_forgetting_waits_for_what_is_being_sent_and_refuses_what_comes_later(acme: Server) -> None:
    with connect_as(acme, "alice", autocommit=False) as late, connect_as(acme, "alice") as other:
        late.execute(push_query("alice", event(2, source="6e" * 16)))
        other.execute("SET lock_timeout = '100ms'")
        assert attempt(other, "SELECT mind_skills.forget('acme')") == "55P03"
        late.commit()
        assert attempt(other, "SELECT mind_skills.forget('acme')") == [(2,)]
        assert attempt(other, push_query("alice", event(3))) == [], "passed over"
        row = f"'acme', '{DEVICES['alice']}', 4, 'seen', '\\x{PROJECT}', '\\x{SUBJECT}', '\\x{SOURCE}', 1, 1, '\\x{SOURCE}'"
        columns = "team, device, seq, kind, project, subject, source, at, value, digest"
        assert attempt(other, f"INSERT INTO mind_skills.event ({columns}) VALUES ({row})") == "MS006"
    assert acme.execute("SELECT login FROM mind_skills.event") == [("bob",)]
    greeting = acme.execute(f"SELECT mind_skills.hello('acme', '{DEVICES['alice']}') -> 'last'", "alice")
    assert greeting == [(2,)], "so that the client does not send them again"


def test_a_person_cannot_fill_the_list_of_what_was_forgotten(acme: Server) -> None:
    with connect_as(acme, "carol") as connection:
        many = "SELECT count(mind_skills.forget('acme', decode(md5(n::text), 'hex'))) FROM generate_series(1, {}) AS n"
        assert attempt(connection, many.format(1_000)) == [(1_000,)]
        assert attempt(connection, "SELECT mind_skills.forget('acme')") == "MS004"
