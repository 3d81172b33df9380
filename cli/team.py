"""`mind-skills team`: share votes, decisions and recurrences with a team, by way of its own PostgreSQL server."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import click

from mind_skills.cli import options
from mind_skills.cli.group import SuggestingGroup
from mind_skills.errors import MindSkillsError
from mind_skills.output import state
from mind_skills.output.document import Report
from mind_skills.output.text import count, emit, format_time, print_line, print_note, print_wrapped

if TYPE_CHECKING:
    from mind_skills.store.database import Database
    from mind_skills.team.outbox import Member


class TeamReport(Report):
    """`team status`, `join`, `sync` and `leave` with ``--json``. Times are UTC milliseconds, 0 for never.

    ``team`` is empty if this machine is in none. ``waiting`` are events that the server has not confirmed, ``sums`` what the
    team has published, ``projects`` the number of shared projects. ``sent``, ``received`` and ``forgotten`` are of this command.
    """

    version: Literal[1] = 1
    team: str
    address: str
    quorum: int
    projects: int
    waiting: int
    sums: int
    synced_at: int
    problem: str
    sent: int = 0
    received: int = 0
    forgotten: int = 0


class TeamFoundedReport(Report):
    """`team init` with ``--json``. ``code`` contains the team's key."""

    version: Literal[1] = 1
    team: str
    people: list[str]
    code: str


class TeamPreviewReport(Report):
    """`team preview` with ``--json``: the bytes of each transaction, as text."""

    version: Literal[1] = 1
    batches: list[str]


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Share votes, decisions and recurrences with a team, by way of its own PostgreSQL server.

    Only keyed hashes, numbers and typed words leave, and only from projects in which you set share_with_team. Needs the extra
    `team`: uv tool install '.[team]', or pip install '.[team]', from your checkout.
    """


@contextmanager
def _open(*, create: bool = True) -> Generator[Database]:
    from mind_skills.team.outbox import PACKAGE, STEPS

    with state.open_database(PACKAGE, STEPS, create=create) as database:
        yield database


@options.subcommand(
    command,
    "init",
    "mind-skills team init postgresql://olga@db.example.com/team --team acme --person alice --person bob",
)
@click.argument("url")
@click.option(
    "--team", "name", required=True, metavar="NAME", help="Name of the team: lower-case letters, digits, dashes."
)
@click.option("--person", "people", multiple=True, metavar="LOGIN", help="Login of a member; repeat it for each.")
@options.as_json
def init_command(url: str, name: str, people: tuple[str, ...], as_json: bool) -> None:
    """Create a team on the server at URL, as its steward, and print the code with which members join.

    The server has to be prepared with `mind-skills team server-sql`. The code contains the team's key, which the server never
    receives: give it to members only, and keep it, because it cannot be read from anywhere else but a member's machine.
    """
    from mind_skills.team import server
    from mind_skills.team.keys import create_key

    key = create_key(name)
    with server.connect(url) as connection:
        server.found_team(connection, name, list(people))
    report = TeamFoundedReport(team=name, people=list(people), code=key.code)
    emit(report, as_json, lambda: _print_founded(report))


def _print_founded(report: TeamFoundedReport) -> None:
    print_note(
        f"Created the team {report.team} with {count(len(report.people), 'member')}. Members join with this code:"
    )
    print_line(report.code)


@options.subcommand(
    command,
    "join",
    "mind-skills team join postgresql://alice@db.example.com/team",
    "mind-skills team join postgresql://alice@db.example.com/team <code.txt",
)
@click.argument("url")
@options.as_json
def join_command(url: str, as_json: bool) -> None:
    """Join the team at URL with the code that `team init` printed, which is asked for or read from stdin.

    A URL has no password: put it into PostgreSQL's password file ~/.pgpass, or use a certificate. Nothing is shared until you
    say so for a project: `mind-skills config set share_with_team true --project`.
    """
    from mind_skills.team import outbox, server
    from mind_skills.team.keys import parse_code

    server.check_url(url)
    text = click.prompt("Code of the team", hide_input=True, err=True) if sys.stdin.isatty() else sys.stdin.read(1_000)
    key = parse_code(str(text))
    with _open() as database:
        with database.writing() as sql:
            existing = outbox.find_member(sql)
            if existing is not None:
                hint = "Run `mind-skills team leave` first."
                raise MindSkillsError("team_joined", f"this machine is already in the team {existing.key.team}", hint)
        with server.connect(url) as connection, database.writing() as sql:
            outbox.add_member(sql, url, key)
            member = outbox.find_member(sql)
            assert member is not None  # just added
            outbox.remember(sql, quorum=server.greet(connection, key.team, member.device).quorum)
        report = _build_report(database)
    emit(report, as_json, lambda: _print_joined(report))


def _print_joined(report: TeamReport) -> None:
    print_line(f"Joined the team {report.team}; sums appear from {report.quorum} people on.")
    if report.projects:
        print_line(
            f"Shared: {count(report.projects, 'project')}. Run `mind-skills team preview` to see what would leave."
        )
    else:
        print_wrapped(
            "No project is shared yet. In a project, run `mind-skills config set share_with_team true --project`, then "
            "`mind-skills team preview`."
        )


@options.subcommand(command, "preview", "mind-skills team preview")
@options.as_json
def preview_command(as_json: bool) -> None:
    """Print what the next `team sync` would send, byte for byte: one JSON array per transaction.

    It is made by the same code.
    """
    from mind_skills.team.sync import prepare

    with _open() as database:
        batches = prepare(database, state.read_clock())
    report = TeamPreviewReport(batches=batches)
    emit(report, as_json, lambda: _print_preview(report))


def _print_preview(report: TeamPreviewReport) -> None:
    for text in report.batches:
        print_line(text)
    print_note(
        "Nothing was sent. subject, project and source are hashes under the team's key; a body consists of typed words."
        if report.batches
        else "There is nothing to send."
    )


@options.subcommand(command, "sync", "mind-skills team sync", "mind-skills team sync --json")
@options.as_json
def sync_command(as_json: bool) -> None:
    """Send what is new, and receive what the team has published. It takes a minute at most, whatever the server does.

    Run it as often as you like, for example daily by cron or a systemd timer; hooks never wait for it and never run it.
    """
    from mind_skills.team.sync import confirm_recurrences, sync

    now = state.read_clock()
    with _open() as database, state.open_ledger() as ledger:
        sent, received = sync(database, now)
        confirm_recurrences(database, ledger, now)
        report = _build_report(database)
    report.sent, report.received = sent, received
    emit(report, as_json, lambda: print_line(f"Sent {count(sent, 'event')}, received {count(received, 'sum')}."))


@options.subcommand(command, "status", "mind-skills team status", "mind-skills team status --json")
@options.as_json
def status_command(as_json: bool) -> None:
    """Show the team of this machine, what waits to be sent, and when it was last in touch. Contacts nobody."""
    with _open(create=False) as database:
        report = _build_report(database)
    emit(report, as_json, lambda: _print_status(report))


def _print_status(report: TeamReport) -> None:
    if not report.team:
        print_line("This machine is in no team. `mind-skills team join URL` joins one.")
        return
    print_line(f"Team {report.team} at {report.address}; sums appear from {report.quorum} people on.")
    print_line(
        f"{count(report.projects, 'project')} shared, {count(report.waiting, 'event')} to send, "
        f"{count(report.sums, 'sum')} received; "
        + (f"last in touch {format_time(report.synced_at)}." if report.synced_at else "not in touch yet.")
    )
    if report.problem:
        print_note(f"Last attempt: {report.problem}. Nothing is lost; run `mind-skills team sync` again.")


@options.subcommand(command, "leave", "mind-skills team leave", "mind-skills team leave --forget")
@click.option("--forget", is_flag=True, help="First delete everything that you ever said from the server.")
@options.as_json
def leave_command(forget: bool, as_json: bool) -> None:
    """Leave the team: its sums, its key and what was to be sent are removed from this machine.

    With --forget, what you said is deleted from the server as well, on all of your devices. The server's backups are not
    changed; the steward can remove your login.
    """
    from mind_skills.team import outbox
    from mind_skills.team.sync import confirm_recurrences, require_member

    with _open() as database, state.open_ledger() as ledger:
        member = require_member(database)
        forgotten = _forget(member) if forget else 0
        with database.writing() as sql:
            outbox.remove_member(sql)
        confirm_recurrences(database, ledger, state.read_clock())
        report = _build_report(database)
    report.forgotten = forgotten
    text = f"Deleted {count(forgotten, 'event')} from the server. " if forget else ""
    emit(report, as_json, lambda: print_line(f"{text}Left the team {member.key.team}."))


def _forget(member: Member) -> int:
    from mind_skills.team import server

    with server.connect(member.url) as connection:
        return server.forget(connection, member.key.team)


@options.subcommand(command, "server-sql", "mind-skills team server-sql")
def server_sql_command() -> None:
    """Print the SQL that prepares a PostgreSQL server: schema, roles, policies. For whoever runs it, to read and apply."""
    from mind_skills.team.server import read_server_sql

    print_line(read_server_sql().rstrip("\n"))


def _build_report(database: Database) -> TeamReport:
    from mind_skills.team import outbox
    from mind_skills.team.sync import list_shared_projects

    with database.reading() as sql:
        member = outbox.find_member(sql)
        waiting, sums = outbox.count_rows(sql)
    if member is None:
        return TeamReport(team="", address="", quorum=0, projects=0, waiting=0, sums=0, synced_at=0, problem="")
    return TeamReport(
        team=member.key.team,
        address=member.url,
        quorum=member.quorum,
        projects=len(list_shared_projects(database, member)),
        waiting=waiting,
        sums=sums,
        synced_at=member.synced_at,
        problem=member.problem,
    )
