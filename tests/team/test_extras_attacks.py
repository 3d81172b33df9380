"""A member with plain SQL, modified clients and patience learns nothing of others, changes nothing of theirs and blocks nobody."""

from __future__ import annotations

import importlib
import json
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.team.postgres import Server
from tests.team.pushing import BODY, DEVICES, PROJECT, SOURCE, SUBJECT, event, push, push_query

pytestmark = pytest.mark.extras
psycopg: Any = importlib.import_module("psycopg")
COLUMNS = "team, device, seq, kind, project, subject, source, at, value, digest"


def format_row(device: str, seq: int = 1) -> str:
    """Format an event of this device as the values of ``COLUMNS``."""
    where = f"'\\x{PROJECT}', '\\x{SUBJECT}', '\\x{SOURCE}'"
    return f"('acme', '{device}', {seq}, 'seen', {where}, 1, 1, '\\x{'64' * 16}')"


def format_insert(device: str, seq: int = 1, more: str = "") -> str:
    return f"INSERT INTO mind_skills.event ({COLUMNS}) VALUES {format_row(device, seq)} {more}"


def format_lock(table: str, mode: str) -> str:
    return f"DO $do$ BEGIN LOCK TABLE mind_skills.{table} IN {mode} MODE; END $do$"


@contextmanager
def connect_as(server: Server, login: str, *, autocommit: bool = True) -> Generator[Any]:
    with psycopg.connect(server.url(login), autocommit=autocommit) as connection:
        connection.execute("SET statement_timeout = '20s'")
        if not autocommit:
            connection.commit()
        yield connection
        connection.rollback()


def attempt(connection: Any, query: str) -> str | list[tuple[Any, ...]]:
    """Return the rows of a query, or the SQLSTATE of its refusal."""
    try:
        done = connection.execute(query)
    except psycopg.Error as error:
        return str(error.sqlstate)
    return list(done.fetchall()) if done.description else []


TOTAL = f"mind_skills.total('acme', '\\x{PROJECT}', 'seen', '\\x{SUBJECT}')"
ATTEMPTS: dict[str, tuple[str, str, str]] = {
    # Conclusions about events whose rows are not shown.
    "to count the events of all by the rows that a plan filtered": (
        "carol",
        "EXPLAIN (ANALYZE) SELECT * FROM mind_skills.event",
        "42501",
    ),
    "to have the shares of logins estimated from the statistics": (
        "carol",
        "EXPLAIN SELECT * FROM mind_skills.event WHERE login <= 'alice'",
        "42501",
    ),
    "to see by its own rows' places how many were stored before": (
        "carol",
        "SELECT ctid, xmin FROM mind_skills.event",
        "42501",
    ),
    "to sample the pages": ("carol", "SELECT login FROM mind_skills.event TABLESAMPLE system(100)", "42501"),
    "to lock rows for reading": ("carol", "SELECT seq FROM mind_skills.event FOR KEY SHARE", "42501"),
    "to read without the policies": ("carol", "SET row_security = off; SELECT * FROM mind_skills.event", "42501"),
    "to write without the policies": ("carol", f"SET row_security = off; {format_insert(DEVICES['carol'])}", "42501"),
    "to copy the events into a file": ("carol", "COPY mind_skills.event TO '/tmp/events'", "42501"),
    "to copy events from a file": ("carol", "COPY mind_skills.event (team) FROM '/tmp/events'", "42501"),
    "to have what was added returned": ("carol", format_insert(DEVICES["carol"], more="RETURNING xid"), "42501"),
    "to delete by merging": (
        "carol",
        "MERGE INTO mind_skills.event USING (VALUES (1)) AS one (n) ON true WHEN MATCHED THEN DELETE",
        "42501",
    ),
    "to inherit from the events": ("carol", "CREATE TEMP TABLE mine () INHERITS (mind_skills.event)", "42501"),
    # The total of one subject, for which the pages and rows below the quorum could be counted.
    "to count the events of one subject by the pages that are read": (
        "carol",
        f"EXPLAIN (ANALYZE, BUFFERS) SELECT * FROM {TOTAL}",
        "42501",
    ),
    "to have a total of another team counted": ("mallory", f"SELECT * FROM {TOTAL}", "42501"),
    "for a board to have a total of one subject": ("boris", f"SELECT * FROM {TOTAL}", "42501"),
    "for a steward to have a total of one subject": ("olga", f"SELECT * FROM {TOTAL}", "42501"),
    "to ask which projects are closed": ("carol", f"SELECT mind_skills.may_see('acme', '\\x{PROJECT}')", "42501"),
    "to read what others had deleted": ("carol", "SELECT * FROM mind_skills.forgotten", "42501"),
    "to delete the past of all": ("carol", "SELECT mind_skills.retain('acme', '1 day')", "42501"),
    "for a steward to delete the present": ("olga", "SELECT mind_skills.retain('acme', '1 minute')", "22023"),
    "for a steward to delete the future": ("olga", "SELECT mind_skills.retain('acme', '-1 day')", "22023"),
    "for a steward to add somebody without a login": (
        "olga",
        "INSERT INTO mind_skills.person VALUES ('acme', 'alcie')",
        "MS007",
    ),
    # Event numbers of others.
    "to probe whether another's device used a number": (
        "carol",
        format_insert(DEVICES["alice"], 1, "ON CONFLICT DO NOTHING"),
        "42501",
    ),
    "to probe whether another's device did not use a number": (
        "carol",
        format_insert(DEVICES["alice"], 99, "ON CONFLICT DO NOTHING"),
        "42501",
    ),
    "to probe whether a device exists by its foreign key": ("carol", format_insert(str(uuid.UUID(int=5))), "42501"),
    "to probe by a named conflict": (
        "carol",
        format_insert(DEVICES["carol"], 1, "ON CONFLICT (team, device, seq) DO NOTHING"),
        "42501",
    ),
    "to overwrite by a conflict": (
        "carol",
        format_insert(DEVICES["carol"], 1, "ON CONFLICT (team, device, seq) DO UPDATE SET value = -1"),
        "42501",
    ),
    "to push for another team": ("carol", push_query("carol", event(), team="evil"), "42501"),
    "to greet another team with a device of this one": (
        "carol",
        f"SELECT mind_skills.hello('evil', '{DEVICES['carol']}')",
        "MS003",
    ),
    "to take over a device for another team": (
        "mallory",
        f"SELECT mind_skills.hello('evil', '{DEVICES['alice']}')",
        "MS005",
    ),
    # Blocking others.
    "to lock everybody out of the events": ("carol", format_lock("event", "ACCESS EXCLUSIVE"), "42501"),
    "to lock the events against writing": ("carol", format_lock("event", "SHARE ROW EXCLUSIVE"), "42501"),
    "to lock the events against an upgrade": ("carol", format_lock("event", "ROW EXCLUSIVE"), "42501"),
    "to lock the teams": ("carol", format_lock("team", "ACCESS SHARE"), "42501"),
    "to lock the people": ("carol", format_lock("person", "ROW SHARE"), "42501"),
    "for a board to lock the events": ("boris", format_lock("event", "ACCESS SHARE"), "42501"),
    "to use up the locks of the server": ("carol", "SELECT pg_advisory_lock(1)", "42501"),
    "to use up the locks of the server without waiting": ("carol", "SELECT pg_try_advisory_xact_lock(1, 1)", "42501"),
    "to fill the disk with temporary tables": ("carol", "CREATE TEMP TABLE added (team text)", "42501"),
    "to store what no cap counts and no removal finds": ("carol", "SELECT lo_from_bytea(0, 'x')", "42501"),
    "to fill the disk with the log of writes": (
        "carol",
        "SELECT pg_logical_emit_message(false, 'x', repeat('x', 1000000))",
        "42501",
    ),
    "to fill the disk with the files of exported snapshots": ("carol", "SELECT pg_export_snapshot()", "42501"),
    "to fill the disk by sorting": (
        "carol",
        "SELECT count(DISTINCT repeat(n::text, 200)) FROM generate_series(1, 400000) AS n",
        "53400",
    ),
    "to lift the limit of temporary files": ("carol", "SET temp_file_limit = -1", "42501"),
    "to create a large object": ("carol", "SELECT lo_create(0)", "42501"),
    # Rules, triggers and options of the tables and views.
    "to attach a trigger": (
        "carol",
        "CREATE TRIGGER mine BEFORE INSERT ON mind_skills.event EXECUTE FUNCTION mind_skills.check_added()",
        "42501",
    ),
    "to disable the triggers of the table": ("carol", "ALTER TABLE mind_skills.event DISABLE TRIGGER ALL", "42501"),
    "to disable all triggers as a replica does": ("carol", "SET session_replication_role = replica", "42501"),
    "to call a trigger's function": ("carol", "SELECT mind_skills.count_falls()", "42501"),
    "to rewrite the view by a rule": (
        "carol",
        "CREATE RULE mine AS ON INSERT TO mind_skills.sums DO INSTEAD NOTHING",
        "42501",
    ),
    "to take the barrier from the view": (
        "carol",
        "ALTER VIEW mind_skills.sums SET (security_barrier = false)",
        "42501",
    ),
    "to change a policy": ("carol", "ALTER POLICY own_rows ON mind_skills.event USING (true)", "42501"),
    "to make statistics of its own": (
        "carol",
        "CREATE STATISTICS mine ON kind, subject FROM mind_skills.event",
        "42501",
    ),
    "to rebuild an index": ("carol", "REINDEX TABLE mind_skills.event", "42501"),
    "to comment on the table": ("carol", "COMMENT ON TABLE mind_skills.event IS 'mine'", "42501"),
    "to publish the table": ("carol", "CREATE PUBLICATION mine FOR TABLE mind_skills.event", "42501"),
    # Objects that could be mistaken for ours.
    "to make tables in the public schema": ("carol", "CREATE TABLE public.event (a integer)", "42501"),
    "to make a schema": ("carol", "CREATE SCHEMA pg_mine", "42501"),
    "to make a function in our schema": (
        "carol",
        "CREATE FUNCTION mind_skills.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT pg_catalog.now()'",
        "42501",
    ),
    "to make a temporary operator": (
        "carol",
        "CREATE OPERATOR pg_temp.= (LEFTARG = name, RIGHTARG = name, FUNCTION = pg_catalog.namene)",
        "42501",
    ),
    # Roles.
    "to become a steward": ("carol", "SET ROLE mind_skills_steward", "42501"),
    "to take another's role": ("carol", "SET ROLE alice", "42501"),
    "to grant membership": ("carol", "GRANT mind_skills_member TO boris", "42501"),
    "to be granted another's rights": ("carol", "GRANT alice TO carol", "42501"),
    "to make a login": ("carol", "CREATE ROLE alicе LOGIN", "42501"),
    "to rename itself": ("carol", "ALTER ROLE carol RENAME TO alicia", "0A000"),
    "to rename another": ("carol", "ALTER ROLE alice RENAME TO alicia", "42501"),
    "to set another's password": ("carol", "ALTER ROLE alice PASSWORD 'mine'", "42501"),
    "to change another's settings": ("carol", "ALTER ROLE alice SET search_path = pg_temp", "42501"),
    "to change all members' settings": ("carol", "ALTER ROLE mind_skills_member SET statement_timeout = 1", "42501"),
    "to change the settings of all in the database": ("carol", "ALTER DATABASE team SET work_mem = '64kB'", "42501"),
    "to change the settings of the server": ("carol", "ALTER SYSTEM SET max_connections = 1", "42501"),
    "to take over what another owns": ("carol", "REASSIGN OWNED BY mind_skills_owner TO carol", "42501"),
    "to drop what another may": ("carol", "DROP OWNED BY alice", "42501"),
    "for a steward to become a member": ("olga", "GRANT mind_skills_member TO olga", "42501"),
    "for a steward to read sums by their function": ("olga", "SELECT * FROM mind_skills.own_sums()", "42501"),
    "for a steward to pull": ("olga", "SELECT mind_skills.pull('acme', '', '')", "42501"),
    "for a steward to push": ("olga", push_query("olga", event(), DEVICES["alice"]), "42501"),
    "for a steward to hand devices over by renaming a person": (
        "olga",
        "UPDATE mind_skills.person SET login = 'olga' WHERE login = 'alice'",
        "23503",
    ),
    "for a board to pull": ("boris", "SELECT mind_skills.pull('acme', '', '')", "42501"),
    "for a board to greet": ("boris", "SELECT mind_skills.hello('acme', gen_random_uuid())", "42501"),
    "for a board to forget": ("boris", "SELECT mind_skills.forget('acme')", "42501"),
    # The database server itself.
    "to read what the statistics sampled": ("carol", "SELECT * FROM pg_statistic", "42501"),
    "to read passwords": ("carol", "SELECT rolpassword FROM pg_authid", "42501"),
    "to read a file": ("carol", "SELECT pg_read_file('PG_VERSION')", "42501"),
    "to read a file as a large object": ("carol", "SELECT lo_import('/etc/hostname')", "42501"),
    "to list a folder": ("carol", "SELECT pg_ls_dir('.')", "42501"),
    "to write by a program": ("carol", "COPY (SELECT 1) TO PROGRAM 'cat'", "42501"),
    "to read the log of writes": ("carol", "SELECT pg_create_logical_replication_slot('mine', 'pgoutput')", "42501"),
    "to react to commands of others": (
        "carol",
        "CREATE EVENT TRIGGER mine ON ddl_command_start EXECUTE FUNCTION mind_skills.check_added()",
        "42501",
    ),
    "to connect from the server to elsewhere": ("carol", "CREATE FOREIGN DATA WRAPPER mine", "42501"),
    "to run an untrusted language": (
        "carol",
        "CREATE FUNCTION pg_temp.mine() RETURNS integer LANGUAGE internal AS 'pg_backend_pid'",
        "42501",
    ),
}


def read_all(server: Server) -> dict[str, list[tuple[object, ...]]]:
    names = ("team", "person", "device", "grantee", "event", "daily", "forgotten")
    return {name: server.execute(f"SELECT * FROM mind_skills.{name} AS t ORDER BY t::text") for name in names}


@pytest.mark.parametrize("what", ATTEMPTS)
def test_the_server_refuses_the_attempt(acme: Server, what: str) -> None:
    login, query, state = ATTEMPTS[what]
    before = read_all(acme)
    with connect_as(acme, login) as connection:
        assert attempt(connection, query) == state
    assert read_all(acme) == before


def test_a_push_as_anothers_device_is_refused_alike_whether_its_number_exists_or_not(acme: Server) -> None:
    messages: set[str] = set()
    for device, seq in ((DEVICES["alice"], 1), (DEVICES["alice"], 99), (str(uuid.UUID(int=5)), 1)):
        with connect_as(acme, "carol") as connection, pytest.raises(psycopg.Error) as raised:
            connection.execute(push_query("carol", event(seq), device))
        messages.add(str(raised.value.diag.message_primary))
    assert messages == {'new row violates row-level security policy for table "event"'}


def test_conflicts_with_the_events_of_others_are_not_reported(acme: Server) -> None:
    query = f"SELECT mind_skills.find_conflicts('acme', '{DEVICES['alice']}', $${event(digest='65' * 16)}$$::jsonb)"
    assert [acme.execute(query, login) for login in ("alice", "bob", "carol", "mallory")] == [[(1,)], [], [], []]


def test_a_member_cannot_grant_its_rights_to_others(acme: Server) -> None:
    with connect_as(acme, "carol") as connection:
        connection.execute("GRANT INSERT (team) ON mind_skills.event TO boris")  # a warning, by the SQL standard
    query = "SELECT has_any_column_privilege('boris', 'mind_skills.event', 'INSERT, SELECT')"
    assert acme.execute(query) == [(False,)]


def test_statistics_and_the_activity_of_others_show_no_value(acme: Server) -> None:
    acme.execute("ANALYZE mind_skills.event")
    with connect_as(acme, "bob") as other, connect_as(acme, "carol") as connection:
        other.execute("SELECT 'secret'")
        assert attempt(connection, "SELECT * FROM pg_stats WHERE schemaname = 'mind_skills'") == []
        assert attempt(connection, "SELECT * FROM pg_sequences WHERE schemaname = 'mind_skills'") == []
        query = "SELECT query, backend_xid, client_addr FROM pg_stat_activity WHERE usename = 'bob'"
        assert attempt(connection, query) == [("<insufficient privilege>", None, None)]
        query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'bob'"
        assert attempt(connection, query) == "42501"
        assert attempt(connection, query.replace("terminate", "cancel")) == "42501"
        assert attempt(other, "SELECT 1") == [(1,)]


def test_a_member_cannot_prepare_a_transaction(acme: Server) -> None:
    with connect_as(acme, "carol", autocommit=False) as connection:
        connection.execute(push_query("carol", event()))
        assert attempt(connection, "PREPARE TRANSACTION 'mine'") == "55000"


SETTINGS = (
    "SET standard_conforming_strings = off",
    "SET search_path = pg_temp, mind_skills, public",
    "SET transform_null_equals = on",
    "SET array_nulls = off",
    "SET bytea_output = 'escape'",
    "SET timezone = 'Pacific/Kiritimati'",
    "SET datestyle = 'German'",
    "SET default_transaction_isolation = 'serializable'",
    "SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0",
    "SET plan_cache_mode = force_generic_plan",
    "SET ROLE mind_skills_member",
)


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_setting_of_a_session_changes_what_is_refused(acme: Server, setting: str) -> None:
    hostile = (
        event(2, at=4_070_908_800_000),
        event(2, kind="body", source="", body=BODY | {"error": "/home/alice"}),
        event(2, kind="decided"),
        event(2, subject="73" * 15),
    )
    with connect_as(acme, "carol") as connection:
        connection.execute("SET escape_string_warning = off")
        connection.execute(setting)
        refused = [attempt(connection, push_query("carol", text)) for text in hostile]
        foreign = attempt(connection, push_query("carol", event(), DEVICES["alice"]))
        added = attempt(connection, push_query("carol", event()))
        pulled = connection.execute("SELECT mind_skills.pull('acme', '', '')").fetchone()[0]
    assert (refused, foreign, added) == (["MS001", "23514", "23514", "23514"], "42501", [])
    assert pulled["sums"] == [["seen", PROJECT, SUBJECT, 3, 3, 0]]


def test_objects_named_like_ours_in_a_temporary_schema_are_never_used(acme: Server) -> None:
    """As on a server where TEMPORARY could not be revoked."""
    acme.execute("GRANT TEMPORARY ON DATABASE team TO carol")
    acme.execute("UPDATE mind_skills.team SET daily_cap = 2 WHERE id = 'acme'")
    seen: list[str] = []
    try:
        with connect_as(acme, "carol") as connection:
            connection.add_notice_handler(lambda notice: seen.append(notice.message_primary))
            for table in ("added", "removed", "changed", "event", "person", "device", "daily", "team"):
                connection.execute(f"CREATE TEMP TABLE {table} (team text, login name, at bigint, value int, id text)")
            connection.execute("SET search_path = pg_temp, pg_catalog, mind_skills")
            connection.execute(
                "CREATE FUNCTION pg_temp.namene(name, name) RETURNS boolean LANGUAGE sql AS 'SELECT true';"
                "CREATE FUNCTION pg_temp.octet_length(bytea) RETURNS integer LANGUAGE sql AS 'SELECT 16';"
                "CREATE FUNCTION pg_temp.may_add(text, uuid, bytea) RETURNS boolean LANGUAGE sql AS 'SELECT true';"
                "CREATE FUNCTION pg_temp.leak(bytea) RETURNS boolean LANGUAGE plpgsql COST 0.0001"
                " AS $f$ BEGIN RAISE NOTICE '%', $1; RETURN true; END $f$"
            )
            query = "SELECT people FROM mind_skills.sums WHERE pg_temp.leak(subject)"
            assert attempt(connection, query) == []
            assert seen == []
            trigger = "CREATE TRIGGER mine AFTER DELETE ON pg_temp.removed EXECUTE FUNCTION mind_skills.{}()"
            assert [attempt(connection, trigger.format(name)) for name in ("renew_epochs", "count_falls")] == [
                "42501"
            ] * 2
            assert attempt(connection, push_query("carol", event(2), DEVICES["alice"])) == "42501"
            assert attempt(connection, push_query("carol", event(2, subject="73" * 15))) == "23514"
            assert [attempt(connection, push_query("carol", event(n))) for n in (1, 2, 3)] == [[], [], "MS002"]
            assert attempt(connection, query) == [(3,)]
            assert seen == [f"\\x{SUBJECT}"]
    finally:
        acme.execute("REVOKE TEMPORARY ON DATABASE team FROM carol")


BIG = " ".join(["w" * 60] * 8)
INVALID_EVENTS: dict[str, tuple[str, str]] = {
    "a body with a letter that looks like another": (
        event(kind="body", source="", body=BODY | {"error": "ТS2304"}),
        "23514",
    ),
    "a body with a line break at the end": (event(kind="body", source="", body=BODY | {"error": "TS2304\n"}), "23514"),
    "a body with a zero byte": (event(kind="body", source="", body=BODY | {"error": "a\0b"}), "22P05"),
    "a body in a body": (event(kind="body", source="", body={"kind": BODY}), "23514"),
    "a body that is a list of the names": (event(kind="body", source="", body=[*BODY]), "23514"),
    "a body that is a text": (event(kind="body", source="", body="learning"), "23514"),
    "a body of null": (event(kind="body", source="", body=None), "23514"),
    "a body over a thousand bytes": (
        event(kind="body", source="", body=BODY | {"error": BIG, "program": BIG, "remedy": BIG}),
        "23514",
    ),
    "a path behind a second name": (
        event(kind="body", source="", body=BODY)[:-3] + ', "error": "/home/alice"}}]',
        "23514",
    ),
    "a decision with a source, for a second weight": (event(kind="decided"), "23514"),
    "a body with a source, for a second one": (event(kind="body", body=BODY), "23514"),
    "a vote without a session": (event(kind="vote", source=""), "23514"),
    "the latest time that there is": (event(at=2**63 - 1), "MS001"),
    "a time that no column holds": (event(at=2**63), "22003"),
    "a time before 1970": (event(at=-1), "23514"),
    "a number that no column holds": (event(2**63), "22003"),
    "a value of infinity": (event().replace('"value": 1', '"value": 1e400'), "22003"),
    "a value that is no number": (event(value="NaN"), "22P02"),
    "a value between two": (event(value=0.5), "22P02"),
    "a project of null": (event(project=None), "23502"),
    "a project that is a text": (event(project="acme/shop"), "22023"),
    "events that are no list": (json.dumps({"seq": 1}), "22023"),
}


@pytest.mark.parametrize("what", INVALID_EVENTS)
def test_an_invalid_event_is_refused(acme: Server, what: str) -> None:
    text, state = INVALID_EVENTS[what]
    before = read_all(acme)
    with connect_as(acme, "carol") as connection:
        assert attempt(connection, push_query("carol", text)) == state
    assert read_all(acme) == before


def test_the_value_that_was_checked_is_stored_if_a_name_occurs_twice(acme: Server) -> None:
    twice = event(kind="body", source="", body=BODY).replace('"error": "TS2304"', '"error": "/home", "error": "TS2305"')
    assert push(acme, "carol", twice) == []
    assert acme.execute("SELECT body FROM mind_skills.own_events('acme')", "carol") == [(BODY | {"error": "TS2305"},)]


def test_projects_of_one_person_and_a_person_of_another_team_make_no_quorum(acme: Server) -> None:
    for number in range(3):
        push(acme, "alice", event(10 + number, project=f"{number:032x}"))
    push(acme, "mallory", event(), team="evil")
    assert [acme.execute("SELECT * FROM mind_skills.sums", login) for login in ("alice", "mallory")] == [[], []]


def test_a_hundred_sessions_of_one_person_weigh_as_much_as_three(acme: Server) -> None:
    for number in range(100):
        push(acme, "carol", event(10 + number, kind="vote", value=-1, source=f"{number:032x}"))
    for login in ("alice", "bob"):
        push(acme, login, event(2, kind="vote"))
    query = "SELECT people, up, round(down::numeric, 9) FROM mind_skills.sums WHERE kind = 'vote'"
    assert acme.execute(query, "alice") == [(3, 2.0, 3)]


def test_the_daily_cap_covers_all_devices_and_time_zones_but_no_event_that_was_rolled_back(acme: Server) -> None:
    acme.execute("UPDATE mind_skills.team SET daily_cap = 3 WHERE id = 'acme'", "olga")
    other = str(uuid.UUID(int=77))
    acme.execute(f"SELECT mind_skills.hello('acme', '{other}')", "carol")
    with connect_as(acme, "carol", autocommit=False) as connection:
        connection.execute("SAVEPOINT before")
        connection.execute(push_query("carol", event(1)))
        connection.execute("ROLLBACK TO before")
        connection.execute(push_query("carol", event(2)))
        connection.commit()
        connection.execute(push_query("carol", event(3), other))
        connection.commit()
        connection.execute("SET timezone = 'Pacific/Kiritimati'")
        connection.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
        connection.execute(push_query("carol", event(4)))
        connection.commit()
        assert attempt(connection, push_query("carol", event(5), other)) == "MS002"
    numbers = acme.execute("SELECT seq FROM mind_skills.own_events('acme') ORDER BY seq", "carol")
    assert (numbers, acme.execute("SELECT events FROM mind_skills.daily WHERE login = 'carol'")) == (
        [(2,), (3,), (4,)],
        [(3,)],
    )


def test_an_older_snapshot_cannot_push_after_its_person_was_removed(acme: Server) -> None:
    push(acme, "carol", event(1))
    with connect_as(acme, "carol", autocommit=False) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        connection.execute("SELECT mind_skills.own_events('acme')")
        acme.execute("DELETE FROM mind_skills.person WHERE login = 'carol'", "olga")
        assert attempt(connection, push_query("carol", event(2))) == "40001"
        connection.rollback()
        assert attempt(connection, push_query("carol", event(2))) == "42501"
    assert [name for name, rows in read_all(acme).items() if "carol" in str(rows)] == []


def test_a_person_with_an_open_transaction_is_removed_once_its_sessions_are_ended(acme: Server) -> None:
    with psycopg.connect(acme.url("carol")) as connection:
        connection.execute(push_query("carol", event(1, value=0)))
        with connect_as(acme, "olga") as steward:
            steward.execute("SET lock_timeout = '100ms'")
            removal = "DELETE FROM mind_skills.person WHERE login = 'carol'"
            assert attempt(steward, removal) == "55P03"
            acme.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'carol'")
            steward.execute("SET lock_timeout = 0")
            assert attempt(steward, removal) == []
        connection.close()
    assert [name for name, rows in read_all(acme).items() if "carol" in str(rows)] == []


def test_an_older_snapshot_cannot_push_after_its_device_was_struck_out(acme: Server) -> None:
    with connect_as(acme, "alice", autocommit=False) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        connection.execute("SELECT mind_skills.own_events('acme')")
        assert acme.execute(f"SELECT mind_skills.strike('{DEVICES['alice']}', 0)", "olga") == [(1,)]
        assert attempt(connection, push_query("alice", event(2))) == "40001"
    assert acme.execute("SELECT login FROM mind_skills.event") == [("bob",)]


def test_striking_out_a_device_waits_for_its_open_transaction_and_removes_that_event_too(acme: Server) -> None:
    strike = f"SELECT mind_skills.strike('{DEVICES['alice']}', 0)"
    with connect_as(acme, "alice", autocommit=False) as connection, connect_as(acme, "olga") as steward:
        connection.execute(push_query("alice", event(2)))
        steward.execute("SET lock_timeout = '100ms'")
        assert attempt(steward, strike) == "55P03"
        connection.commit()
        assert attempt(steward, strike) == [(2,)]
        assert attempt(connection, push_query("alice", event(3))) == "42501"
    assert acme.execute("SELECT login FROM mind_skills.event") == [("bob",)]


@pytest.mark.parametrize("level", ["READ COMMITTED", "REPEATABLE READ"])
def test_concurrent_connections_cannot_register_more_than_fifty_devices_of_a_person(acme: Server, level: str) -> None:
    greet = "SELECT mind_skills.hello('acme', gen_random_uuid()) FROM generate_series(1, 30)"
    with connect_as(acme, "dan", autocommit=False) as first, connect_as(acme, "dan", autocommit=False) as second:
        for connection in (first, second):
            connection.execute(f"SET TRANSACTION ISOLATION LEVEL {level}")
            connection.execute("SELECT mind_skills.own_events('acme')")
        first.execute(greet)
        second.execute("SET LOCAL lock_timeout = '100ms'")
        assert attempt(second, greet) == "55P03"
        second.rollback()
        second.execute(f"SET TRANSACTION ISOLATION LEVEL {level}")
        second.execute("SELECT mind_skills.own_events('acme')")
        first.commit()
        assert attempt(second, greet) == {"READ COMMITTED": "MS004", "REPEATABLE READ": "40001"}[level]
    assert acme.execute("SELECT count(*) FROM mind_skills.device WHERE login = 'dan'") == [(31,)]


def test_an_open_transaction_does_not_delay_the_events_of_others(acme: Server) -> None:
    with connect_as(acme, "carol", autocommit=False) as connection, connect_as(acme, "bob") as reader:

        def pull(epoch: str, since: str) -> Any:
            return reader.execute("SELECT mind_skills.pull('acme', %s, %s)", (epoch, since)).fetchone()[0]

        connection.execute("SELECT pg_current_xact_id()")
        connection.execute(push_query("carol", event(1)))
        before = pull("", "")
        push(acme, "dan", event(1))
        during = pull(before["epoch"], before["upto"])
        connection.commit()
        after = pull(before["epoch"], during["upto"])
        again = pull(before["epoch"], after["upto"])
    three, four = (["seen", PROJECT, SUBJECT, people, people, 0] for people in (3, 4))
    pulled = [(each["whole"], each["sums"]) for each in (before, during, after, again)]
    assert pulled == [(True, []), (False, [three]), (False, [four]), (False, [])]


@pytest.mark.parametrize("since", ["", "5", "x", "3:2:", "0:0:", "1:99999999999:", "5:5:5:5", "-1:2:", "1:2:3,4"])
def test_an_invalid_cursor_or_one_of_another_server_pulls_everything(acme: Server, since: str) -> None:
    push(acme, "carol", event())
    with connect_as(acme, "carol") as connection:
        (first,) = connection.execute("SELECT mind_skills.pull('acme', '', '')").fetchone()
        assert attempt(connection, f"SELECT mind_skills.pull('acme', '{first['epoch']}', '{since}')") == [(first,)]
    assert (first["whole"], len(first["sums"])) == (True, 1)


def test_an_open_transaction_does_not_keep_others_from_withdrawing_events(acme: Server) -> None:
    with connect_as(acme, "carol", autocommit=False) as connection:
        connection.execute(push_query("carol", event(1, value=0)))
        connection.execute("SELECT mind_skills.forget('acme')")
        with connect_as(acme, "bob") as other:
            other.execute("SET lock_timeout = '100ms'")
            assert attempt(other, push_query("bob", event(2, value=0, at=1_780_000_000_001))) == []
            assert attempt(other, "SELECT mind_skills.forget('acme')") == [(2,)]
    with connect_as(acme, "olga") as steward:
        steward.execute("SET lock_timeout = '100ms'")
        assert attempt(steward, "SELECT 1 FROM mind_skills.renew()") == [(1,)]


def test_each_withdrawal_removal_or_change_of_grants_starts_a_new_epoch(acme: Server) -> None:
    def read_epoch() -> object:
        ((pulled,),) = acme.execute("SELECT mind_skills.pull('acme', '', '')", "dan")
        assert isinstance(pulled, dict)
        return pulled["epoch"]

    epochs = [read_epoch()]
    push(acme, "carol", event(1))
    assert read_epoch() == epochs[0]
    for act in (
        lambda: push(acme, "carol", event(2, value=0, at=1_780_000_000_001)),
        lambda: acme.execute("SELECT mind_skills.forget('acme')", "carol"),
        lambda: acme.execute(f"SELECT mind_skills.strike('{DEVICES['alice']}', 0)", "olga"),
        lambda: acme.execute("DELETE FROM mind_skills.person WHERE login = 'erin'", "olga"),
        lambda: acme.execute(f"INSERT INTO mind_skills.grantee VALUES ('acme', '\\x{PROJECT}', 'bob')", "olga"),
        lambda: acme.execute("UPDATE mind_skills.grantee SET login = 'dan'", "olga"),
        lambda: acme.execute("DELETE FROM mind_skills.grantee", "olga"),
        lambda: acme.execute("SELECT mind_skills.renew()", "olga"),
    ):
        act()
        epochs.append(read_epoch())
    assert len({*epochs}) == 9


def test_ten_thousand_bodies_of_one_person_count_as_one(acme: Server) -> None:
    push(acme, "dan", event(1))
    for start in range(0, 10_000, 1_000):
        bodies = [
            json.loads(event(100 + n, kind="body", source="", at=n, body=BODY | {"error": f"TS{n}"}))[0]
            for n in range(start, start + 1_000)
        ]
        push(acme, "carol", json.dumps(bodies))
    push(acme, "bob", event(2, kind="body", source="", body=BODY))
    push(acme, "alice", event(2, kind="body", source="", body=BODY))
    with connect_as(acme, "dan") as connection:
        (whole,) = connection.execute("SELECT mind_skills.pull('acme', '', '')").fetchone()
        (later,) = connection.execute(f"SELECT mind_skills.pull('acme', '{whole['epoch']}', '3:3:')").fetchone()
    expected = [[SUBJECT, BODY], [SUBJECT, BODY | {"error": "TS9999"}]]
    found = [(each["whole"], sorted(each["bodies"], key=str)) for each in (whole, later)]
    assert found == [(True, expected), (False, expected)]


def test_a_withdrawn_body_and_one_below_the_quorum_are_not_published(acme: Server) -> None:
    push(acme, "carol", event(1, kind="body", source="", body=BODY))
    query = "SELECT mind_skills.pull('acme', '', '') -> 'bodies'"
    assert acme.execute(query, "dan") == [([],)]
    push(acme, "dan", event(1))
    push(acme, "carol", event(2))
    assert acme.execute(query, "dan") == [([[SUBJECT, BODY]],)]
    push(acme, "carol", event(3, kind="body", source="", body=BODY, value=0, at=1_780_000_000_001))
    assert acme.execute(query, "dan") == [([],)]


def test_statistics_of_a_closed_project_do_not_reveal_the_events_of_others(acme: Server) -> None:
    """The rows that are read can be counted: there are as many for a subject with events of others as for one without."""
    filler = f"SELECT 'acme', '{DEVICES['dan']}', n, 'dan', 'seen', '\\x{PROJECT}', decode(md5(n::text), 'hex')"
    acme.execute(
        "INSERT INTO mind_skills.event (team, device, seq, login, kind, project, subject, source, at, value, digest)"
        f" {filler}, '\\x{SOURCE}', 1, 1, '\\x{SOURCE}' FROM generate_series(100, 5000) AS n"
    )
    acme.execute("ANALYZE mind_skills.event")
    push(acme, "carol", event(1))
    push(acme, "carol", event(2, subject="72" * 16))
    acme.execute(f"INSERT INTO mind_skills.grantee VALUES ('acme', '\\x{PROJECT}', 'alice')", "olga")
    transactions = acme.execute("SELECT xid FROM mind_skills.own_events('acme') ORDER BY seq", "carol")
    ((first,), (second,)) = transactions
    read: list[object] = []
    for transaction in (first, second):
        with connect_as(acme, "carol", autocommit=False) as connection:
            pulled = "SELECT mind_skills.pull('acme', mind_skills.pull('acme', '', '') ->> 'epoch', '{}') -> 'sums'"
            cursor = f"{first}:{int(str(second)) + 1}:{transaction}"
            assert attempt(connection, pulled.format(cursor)) == [([],)]
            query = "SELECT idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'event'"
            read.append(attempt(connection, query))
    assert read[0] == read[1]
