"""What a member, a board and a steward cannot do on the server, whatever they type."""

from __future__ import annotations

import importlib
import time
from typing import Any

import pytest

from tests.team.postgres import Server
from tests.team.pushing import BODY, DEVICES, PROJECT, SOURCE, SUBJECT, event, push

pytestmark = pytest.mark.extras
psycopg: Any = importlib.import_module("psycopg")
OWN = f"'acme', '{DEVICES['carol']}', 1, 'seen', '\\x{PROJECT}', '\\x{SUBJECT}', '\\x{SOURCE}', 1, 1, '\\x{'64' * 16}'"
COLUMNS = "team, device, seq, kind, project, subject, source, at, value, digest"
ATTEMPTS = {
    "to change an event": ("carol", "UPDATE mind_skills.event SET value = -1"),
    "to empty the events": ("carol", "TRUNCATE mind_skills.event"),
    "to count how much somebody said": ("carol", "SELECT * FROM mind_skills.daily"),
    "to read who is in the team": ("carol", "SELECT * FROM mind_skills.person"),
    "to read the devices": ("carol", "SELECT * FROM mind_skills.device"),
    "to read the grants": ("carol", "SELECT * FROM mind_skills.grantee"),
    "to lower the quorum": ("carol", "UPDATE mind_skills.team SET quorum = 1"),
    "to join another team": ("carol", "INSERT INTO mind_skills.person VALUES ('evil', 'carol')"),
    "to become the owner": ("carol", "SET ROLE mind_skills_owner"),
    "to become another login": ("carol", "SET SESSION AUTHORIZATION alice"),
    "to switch the policies off": ("carol", "ALTER TABLE mind_skills.event DISABLE ROW LEVEL SECURITY"),
    "to drop a policy": ("carol", "DROP POLICY own_rows ON mind_skills.event"),
    "to replace a function": (
        "carol",
        "CREATE OR REPLACE FUNCTION mind_skills.may_see(text, bytea) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
    ),
    "to make tables beside ours": ("carol", "CREATE TABLE mind_skills.mine (a integer)"),
    "to set a transaction number": ("carol", f"INSERT INTO mind_skills.event ({COLUMNS}, xid) VALUES ({OWN}, '1')"),
    "to speak in another's name": (
        "carol",
        f"INSERT INTO mind_skills.event ({COLUMNS}, login) VALUES ({OWN}, 'alice')",
    ),
    "to read the table of events": ("carol", "SELECT * FROM mind_skills.event"),
    "to delete from the table of events": ("carol", "DELETE FROM mind_skills.event"),
    "to read files of the server": ("carol", "COPY mind_skills.event FROM PROGRAM 'id'"),
    "to strike out a device": ("carol", f"SELECT mind_skills.strike('{DEVICES['alice']}', 0)"),
    "to renew the epoch": ("carol", "SELECT mind_skills.renew()"),
    "to greet in another team": ("carol", "SELECT mind_skills.hello('evil', gen_random_uuid())"),
    "to greet as another's device": ("carol", f"SELECT mind_skills.hello('acme', '{DEVICES['alice']}')"),
    "to pull the sums of another team": ("carol", "SELECT mind_skills.pull('evil', '', '')"),
    "for a board to add events": ("boris", f"INSERT INTO mind_skills.event ({COLUMNS}) VALUES ({OWN})"),
    "for a board to read events": ("boris", "SELECT * FROM mind_skills.event"),
    "for a steward to read events": ("olga", "SELECT * FROM mind_skills.event"),
    "for a steward to read sums": ("olga", "SELECT * FROM mind_skills.sums"),
    "for a steward to give a device to somebody": ("olga", "UPDATE mind_skills.device SET login = 'olga'"),
}


@pytest.mark.parametrize("what", ATTEMPTS)
def test_the_server_refuses_the_attempt(acme: Server, what: str) -> None:
    login, query = ATTEMPTS[what]
    before = acme.execute("SELECT * FROM mind_skills.event ORDER BY login")
    with pytest.raises(psycopg.Error) as raised:
        acme.execute(query, login)
    assert raised.value.sqlstate in ("42501", "MS003", "MS005"), str(raised.value)
    assert acme.execute("SELECT * FROM mind_skills.event ORDER BY login") == before


BAD_BODIES: dict[str, dict[str, Any]] = {
    "a path": {"error": "/home/alice/shop"},
    "a scoped package": {"package": "@acme/billing"},
    "a package in clear text": {"package": "billing"},
    "another field": {"title": "x"},
    "another kind": {"kind": "user_rule"},
    "a sentence": {"remedy": " ".join(["word"] * 20)},
    "a line break": {"error": "TS2304\nx"},
    "a number": {"error": 5},
    "nothing": {"error": None},
}
INVALID_EVENTS: dict[str, tuple[dict[str, Any], str]] = {
    "a clock in 2099": ({"at": 4_070_908_800_000}, "MS001"),
    "a vote of two": ({"value": 2}, "23514"),
    "a body without a body's kind": ({"body": BODY}, "23514"),
    "a body's kind without a body": ({"kind": "body"}, "23514"),
    "another kind": ({"kind": "prompt"}, "23514"),
    "a subject in clear text": ({"subject": "73" * 15}, "23514"),
    "a source in clear text": ({"source": "6f" * 40}, "23514"),
    "a number below one": ({"seq": 0}, "23514"),
    **{
        f"a body with {name}": ({"kind": "body", "body": BODY | change}, "23514") for name, change in BAD_BODIES.items()
    },
}


@pytest.mark.parametrize("what", INVALID_EVENTS)
def test_an_invalid_event_is_refused(acme: Server, what: str) -> None:
    change, state = INVALID_EVENTS[what]
    with pytest.raises(psycopg.Error) as raised:
        push(acme, "carol", event(**change))
    assert raised.value.sqlstate == state, str(raised.value)


def test_a_member_sees_and_forgets_only_its_own_events(acme: Server) -> None:
    query = "SELECT login FROM mind_skills.own_events('acme')"
    assert [acme.execute(query, login) for login in ("alice", "carol", "mallory")] == [[("alice",)], [], []]
    assert acme.execute("SELECT mind_skills.forget('acme')", "carol") == [(0,)]
    assert acme.execute("SELECT mind_skills.forget('acme')", "alice") == [(1,)]
    assert acme.execute("SELECT login FROM mind_skills.event") == [("bob",)]


def test_two_people_are_below_the_quorum_and_three_are_not(acme: Server) -> None:
    assert acme.execute("SELECT * FROM mind_skills.sums", "carol") == []
    push(acme, "carol", event(1)[:-1] + ", " + event(2, source="6e" * 16)[1:])
    rows = [("acme", "seen", 3, 4.0, 0.0)]
    query = "SELECT team, kind, people, up, down FROM mind_skills.sums"
    assert [acme.execute(query, login) for login in ("alice", "boris")] == [rows, rows]
    assert acme.execute(query, "mallory") == [], "another team"


def test_many_devices_and_sessions_of_one_person_count_as_one_person(acme: Server) -> None:
    for number in range(5):
        device = f"10000000-0000-4000-8000-{number:012d}"
        acme.execute(f"SELECT mind_skills.hello('acme', '{device}')", "alice")
        push(acme, "alice", event(source=f"{number:032x}"), device)
    assert acme.execute("SELECT * FROM mind_skills.sums", "alice") == []


def test_a_project_with_grants_is_closed_to_others(acme: Server) -> None:
    acme.execute(
        f"INSERT INTO mind_skills.grantee SELECT 'acme', '\\x{PROJECT}', unnest('{{alice,bob,dan}}'::name[])", "olga"
    )
    push(acme, "dan", event())
    with pytest.raises(psycopg.Error) as raised:
        push(acme, "carol", event())
    assert raised.value.sqlstate == "42501"
    query = "SELECT people FROM mind_skills.sums"
    assert [acme.execute(query, login) for login in ("alice", "carol")] == [[(3,)], []]
    ((pulled,),) = acme.execute("SELECT mind_skills.pull('acme', '', '')", "carol")
    assert isinstance(pulled, dict)
    assert pulled["sums"] == []


def test_nobody_can_push_as_the_device_of_another_or_as_a_revoked_one(acme: Server) -> None:
    with pytest.raises(psycopg.Error) as others:
        push(acme, "carol", event(), DEVICES["alice"])
    acme.execute(f"UPDATE mind_skills.device SET revoked_at = now() WHERE id = '{DEVICES['carol']}'", "olga")
    with pytest.raises(psycopg.Error) as revoked:
        push(acme, "carol", event())
    with pytest.raises(psycopg.Error) as greeting:
        acme.execute(f"SELECT mind_skills.hello('acme', '{DEVICES['carol']}')", "carol")
    assert [raised.value.sqlstate for raised in (others, revoked, greeting)] == ["42501", "42501", "MS005"]


def test_deleting_events_frees_nothing_of_the_daily_cap(acme: Server) -> None:
    acme.execute("UPDATE mind_skills.team SET daily_cap = 3", "olga")
    soon = time.time_ns() // 1_000_000 + 200_000  # later than what was forgotten, and less than five minutes ahead
    for number in range(3):
        push(acme, "carol", event(number + 1, source=f"{number:032x}", at=soon))
        assert acme.execute("SELECT mind_skills.forget('acme')", "carol") == [(1,)]
    with pytest.raises(psycopg.Error) as raised:
        push(acme, "carol", event(9, at=soon))
    assert raised.value.sqlstate == "MS002"


def test_a_stored_event_stays_unchanged_and_a_different_one_is_reported(acme: Server) -> None:
    assert push(acme, "alice", event()) == []
    assert push(acme, "alice", event(value=-1, digest="65" * 16)) == [(1,)]
    assert acme.execute("SELECT value FROM mind_skills.own_events('acme')", "alice") == [(1,)]


def test_striking_out_a_device_removes_its_events_from_a_given_time_on(acme: Server) -> None:
    push(acme, "alice", event(2, at=1_780_000_000_001, source="6e" * 16))
    assert acme.execute(f"SELECT mind_skills.strike('{DEVICES['alice']}', 1780000000001)", "olga") == [(1,)]
    assert acme.execute("SELECT seq FROM mind_skills.own_events('acme')", "alice") == [(1,)]
    with pytest.raises(psycopg.Error):
        push(acme, "alice", event(3))


def test_removing_a_person_leaves_no_row_of_that_person(acme: Server) -> None:
    acme.execute(f"INSERT INTO mind_skills.grantee VALUES ('acme', '\\x{PROJECT}', 'alice')", "olga")
    acme.execute("DELETE FROM mind_skills.person WHERE login = 'alice'", "olga")
    tables = acme.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'mind_skills' ORDER BY tablename")
    left = {
        str(table): acme.execute(f"SELECT * FROM mind_skills.{table} AS t WHERE t::text LIKE '%alice%'")
        for (table,) in tables
    }
    assert left == {name: [] for name in ("daily", "device", "event", "forgotten", "grantee", "person", "team")}
