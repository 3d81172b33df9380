"""The commands as people type them: a team is created, people join it, share learnings and see its sums."""

from __future__ import annotations

import importlib
import io
import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mind_skills.cli import team as command
from mind_skills.store.database import Database
from mind_skills.store.home import get_state_folder
from mind_skills.team import outbox
from mind_skills.team import server as connection
from mind_skills.team.contributions import parse_code
from tests.team.conftest import LOGINS
from tests.team.postgres import PROGRAMS, Server, run_server
from tests.team.pushing import DEVICES, event, push
from tests.team.relay import Relay
from tests.testkit.paths import DEMO, ROOT

pytestmark = pytest.mark.extras
psycopg: Any = importlib.import_module("psycopg")
Run = Callable[..., Any]
REMOTE = "git@example.com:acme/shop.git"


@pytest.fixture
def person(mind_skills: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Become this person: a home of its own, and a clone of the team's project in which one session taught something."""

    def become(name: str) -> Path:
        home, shop = tmp_path / name, tmp_path / name / "shop"
        if not home.exists():
            shop.mkdir(parents=True)
            subprocess.run(["git", "init", "-q", shop], check=True)
            subprocess.run(["git", "-C", shop, "remote", "add", "origin", REMOTE], check=True)
        monkeypatch.setenv("HOME", str(home))
        for variable in ("MIND_SKILLS_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "MIND_SKILLS_CONFIG"):
            monkeypatch.delenv(variable, raising=False)
        monkeypatch.chdir(shop)
        if not (home / "session.jsonl").exists():
            text = (
                DEMO.read_text(encoding="utf-8")
                .replace("/home/dev/shop", str(shop))
                .replace("0a6de0c0ffee", f"{name:0>12}")
            )
            (home / "session.jsonl").write_text(text, encoding="utf-8")
            assert mind_skills("replay", home / "session.jsonl", "--stage").code == 0
        return shop

    return become


@pytest.fixture
def code(server: Server, mind_skills: Run) -> str:
    """The code of a new team of five people."""
    people = [word for login in LOGINS for word in ("--person", login)]
    done = mind_skills("team", "init", server.url("olga"), "--team", "shop", *people)
    assert (done.code, done.err) == (0, "Created the team shop with 5 members. Members join with this code:\n")
    assert parse_code(done.out).code == done.out.strip()
    return str(done.out)


def join(mind_skills: Run, monkeypatch: pytest.MonkeyPatch, url: str, code: str) -> Any:
    monkeypatch.setattr(sys, "stdin", io.StringIO(code))
    return mind_skills("team", "join", url)


def test_three_people_share_a_project_and_see_each_others_sums(
    server: Server, code: str, person: Callable[[str], Path], mind_skills: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("alice", "bob", "carol"):
        person(name)
        joined = join(mind_skills, monkeypatch, server.url(name), code)
        assert (joined.code, joined.out.splitlines()[0]) == (
            0,
            "Joined the team shop. It publishes sums over at least 3 people.",
        )
        assert mind_skills("team", "preview") == (0, "", "There is nothing to send.\n"), "nothing is shared unasked"
        assert mind_skills("config", "set", "share_with_team", "true", "--project").code == 0
        (learning,) = mind_skills("pending", "--json").json["candidates"]
        assert mind_skills("dismiss", learning["id"], "--reason", "known").code == 0
        assert mind_skills("team", "sync").code == 0
    person("dan")
    join(mind_skills, monkeypatch, server.url("dan"), code)
    mind_skills("config", "set", "share_with_team", "true", "--project")
    synced = mind_skills("team", "sync", "--json").json
    assert (synced["team"], synced["projects"], synced["waiting"], synced["sent"] > 0) == ("shop", 1, 0, True)
    (learning,) = mind_skills("pending", "--json").json["candidates"]
    assert mind_skills("why", learning["id"], "--json").json["team"] == {"met": 4, "accepted": 0, "dismissed": 3}
    line = "In your team 4 people have met it; accepted by 0, dismissed by 3.\n"
    printed = mind_skills("why", learning["id"]).out
    assert (line in printed, printed.count("Noticed in 1 session of ")) == (True, 1), "the team is no session"
    assert len(mind_skills("why", learning["id"], "--json").json["seen"]) == 1
    output = mind_skills("team", "leave", "--forget")
    assert re.fullmatch(r"Deleted \d events? from the server\. Left the team shop\.\n", output.out)
    assert mind_skills("why", learning["id"], "--json").json["team"] is None
    assert server.execute("SELECT count(*) FROM mind_skills.event WHERE login = 'dan'") == [(0,)]
    with Database.open(get_state_folder(), outbox.SCHEMA) as database:
        tables = ("team_member", "team_events", "team_sums")
        assert [database.sql.execute(f"SELECT * FROM {table}").fetchall() for table in tables] == [[], [], []]


def test_preview_shows_exactly_the_bytes_that_are_sent_and_no_text_of_the_session(
    server: Server,
    code: str,
    person: Callable[[str], Path],
    mind_skills: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    shop = person("alice")
    folder = Path(server.folder, "relay")
    folder.mkdir()
    with Relay(folder, server.socket) as relay:
        join(mind_skills, monkeypatch, server.url("alice").replace(str(server.folder), str(folder)), code)
        mind_skills("config", "set", "share_with_team", "true", "--project")
        previewed = mind_skills("team", "preview").out
        relay.sent.clear()
        assert mind_skills("team", "sync").code == 0
        sent = bytes(relay.sent)
    (batch,) = previewed.splitlines()
    assert [event["kind"] for event in json.loads(batch)] == ["seen"]
    assert sent.count(batch.encode()) == 1
    rest = sent.replace(batch.encode(), b"").decode("utf-8", "replace")
    (learning,) = mind_skills("pending", "--json").json["candidates"]
    private = {
        str(shop),
        REMOTE,
        "example.com",
        learning["title"],
        learning["fingerprint"],
        learning["sessions"][0],
        code.strip(),
    }
    private |= {word for item in learning["evidence"] for word in item["content"].split() if len(word) > 7}
    assert [text for text in private if text in previewed or text in rest] == []


def test_a_sync_fails_while_the_server_does_not_answer_and_succeeds_afterwards(
    server: Server, person: Callable[[str], Path], mind_skills: Run, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    person("alice")
    join(mind_skills, monkeypatch, server.url("alice"), code)
    mind_skills("config", "set", "share_with_team", "true", "--project")
    with connection.connect(server.url("alice"), deadline=0.2) as held, pytest.raises(psycopg.OperationalError):
        held.execute("SELECT pg_sleep(30)")
    server.stop("immediate")
    try:
        failed = mind_skills("team", "sync")
        assert (failed.code, "does not answer" in failed.err) == (1, True)
        shown = mind_skills("team", "status")
        assert "Nothing is lost" in shown.err
        assert mind_skills("pending").code == 0
    finally:
        server.start()
    assert mind_skills("team", "sync").code == 0
    assert mind_skills("team", "status", "--json").json["problem"] == ""


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["join", "postgresql://alice:secret@localhost/team"], "team_address"),
        (["join", "no address = at all"], "team_address"),
        (["join", "postgresql://alice@localhost/team"], "team_code"),
        (["sync"], "no_team"),
        (["preview"], "no_team"),
        (["leave"], "no_team"),
        (["init", "postgresql://olga@localhost/team", "--team", "Not A Name"], "team_code"),
    ],
)
def test_wrong_usage_is_an_error_with_a_code_and_without_the_password(
    mind_skills: Run, words: list[str], error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("shop.tooshort"))
    done = mind_skills("team", *words, "--json")
    assert (done.code, done.json["error"]["code"], "secret" in done.out + done.err) == (1, error, False)


def test_strangers_and_a_second_membership_are_refused(
    server: Server, person: Callable[[str], Path], mind_skills: Run, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    person("alice")
    refused = join(mind_skills, monkeypatch, server.url("mallory"), code)
    assert (refused.code, "not in that team" in refused.err) == (1, True)
    assert "has not joined a team" in mind_skills("team", "status").out
    assert join(mind_skills, monkeypatch, server.url("alice"), code).code == 0
    assert "already in the team shop" in join(mind_skills, monkeypatch, server.url("alice"), code).err


@pytest.fixture
def plain_server() -> Generator[str]:
    """The address of a server that refuses TLS."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def refuse() -> None:
            with suppress(OSError):  # the listener was closed
                while True:
                    client, _ = listener.accept()
                    client.recv(8)
                    client.sendall(b"N")
                    client.close()

        threading.Thread(target=refuse, daemon=True).start()
        yield f"postgresql://alice@127.0.0.1:{listener.getsockname()[1]}/team?sslmode=require"
        listener.shutdown(socket.SHUT_RDWR)


FAILURES = {
    "a wrong password": ("", "does not accept this login", "password in ~/.pgpass"),
    "a login that does not exist": (
        "ALTER ROLE alice RENAME TO alicia",
        "does not accept this login",
        "login in the address",
    ),
    "a database that does not exist": ("", "has no such database for this login", "after the last slash"),
    "no TLS": ("", "cannot prove who it is", "certificate"),
    "a full server": ("ALTER ROLE alice CONNECTION LIMIT 0", "has no free connection", "Try again later"),
    "a full disk": (
        "ALTER ROLE alice SET default_transaction_read_only = on",
        "cannot store anything now",
        "make room",
    ),
}


@pytest.mark.parametrize("what", FAILURES)
def test_each_failure_of_a_connection_has_its_own_message_and_hint(
    server: Server, plain_server: str, person: Callable[[str], Path], mind_skills: Run, monkeypatch: pytest.MonkeyPatch,
    code: str, what: str,
) -> None:  # fmt: skip
    query, message, hint = FAILURES[what]
    access, url = server.folder / "data" / "pg_hba.conf", server.url("alice")
    before = access.read_text(encoding="utf-8")
    if what == "a wrong password":
        server.execute("ALTER ROLE alice PASSWORD 'right'")
        access.write_text(f"local all alice scram-sha-256\n{before}", encoding="utf-8")
        server.execute("SELECT pg_reload_conf()")
        monkeypatch.setenv("PGPASSWORD", "wrong")
    elif what == "a database that does not exist":
        url = url.replace("/team", "/taem")
    elif what == "no TLS":
        url = plain_server
    server.execute(query or "SELECT 1")
    person("alice")
    try:
        done = join(mind_skills, monkeypatch, url, code)
    finally:
        access.write_text(before, encoding="utf-8")
        if "RENAME" in query:
            server.execute("ALTER ROLE alicia RENAME TO alice")
        server.execute("SELECT pg_reload_conf(); ALTER ROLE alice CONNECTION LIMIT -1; ALTER ROLE alice RESET ALL")
    assert (done.code, f"the team's server {message}: " in done.err, hint in done.err) == (1, True, True), done.err


def test_a_misspelt_login_is_refused_by_name_and_no_team_is_created(server: Server, mind_skills: Run) -> None:
    words = ("team", "init", server.url("olga"), "--team", "shop", "--person", "alice")
    done = mind_skills(*words, "--person", "bbo", "--person", "carlo")
    assert (done.code, "no such login: bbo, carlo" in done.err) == (1, True)
    assert server.execute("SELECT * FROM mind_skills.team WHERE id = 'shop'") == []
    assert mind_skills(*words, "--person", "bob").code == 0


def test_a_second_team_of_the_same_name_is_refused_by_name_and_changes_nothing(
    server: Server, code: str, mind_skills: Run
) -> None:
    before = server.execute("SELECT * FROM mind_skills.person ORDER BY login")
    done = mind_skills("team", "init", server.url("olga"), "--team", "shop", "--person", "mallory", "--json")
    assert (done.code, done.json["error"]["message"]) == (1, "the server has a team shop already")
    assert server.execute("SELECT * FROM mind_skills.person ORDER BY login") == before


@pytest.mark.parametrize("version", PROGRAMS)
def test_a_login_that_may_create_roles_can_prepare_a_server(version: str) -> None:
    with run_server(version) as server:
        server.execute("CREATE ROLE dora LOGIN CREATEROLE")
        server.execute("ALTER DATABASE team OWNER TO dora")
        for _ in range(2):
            server.execute(connection.read_server_sql(), "dora")
        server.execute("SET ROLE mind_skills_owner; INSERT INTO mind_skills.team (id) VALUES ('acme')", "dora")
        for login in ("alice", "bob", "carol"):
            server.execute(f"CREATE ROLE {login} LOGIN; GRANT mind_skills_member TO {login}", "dora")
            server.execute(
                f"SET ROLE mind_skills_owner; INSERT INTO mind_skills.person VALUES ('acme', '{login}')", "dora"
            )
            server.execute(f"SELECT mind_skills.hello('acme', '{DEVICES[login]}')", login)
            push(server, login, event())
        assert server.execute("SELECT people FROM mind_skills.sums", "alice") == [(3,)]
        assert server.execute("SELECT has_database_privilege('team', 'TEMPORARY')", "alice") == [(False,)]


def test_the_page_documents_every_existing_command_and_no_other() -> None:
    lines = re.findall(
        r"^(?:mind-skills) team (\S+)", (ROOT / "docs/team.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {*lines} == {*command.command.commands}


def test_the_printed_sql_is_that_which_sets_up_the_server(mind_skills: Run) -> None:
    assert mind_skills("team", "server-sql").out == connection.read_server_sql()
