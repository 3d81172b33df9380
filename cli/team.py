"""`mind-skills team`: share votes, decisions and recurrences with a team through its own PostgreSQL server."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from mind_skills.cli import options
from mind_skills.cli.group import SuggestingGroup
from mind_skills.errors import MindSkillsError
from mind_skills.output import state
from mind_skills.output.text import (
    emit,
    format_count,
    format_path,
    format_time,
    print_line,
    print_note,
    print_table,
    print_wrapped,
)

if TYPE_CHECKING:
    from mind_skills.store.database import Database
    from mind_skills.team.outbox import Member


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Share votes, decisions and recurrences with a team through its own PostgreSQL server.

    Only keyed hashes, numbers and words from closed lists leave this machine, and only of projects for which you set
    share_with_team. Requires the `team` extra: run uv tool install '.[team]' or pip install '.[team]' in your checkout.
    """


@contextmanager
def _open_outbox(*, create: bool = True) -> Generator[Database]:
    from mind_skills.team.outbox import SCHEMA

    with state.open_database(SCHEMA, create=create) as database:
        yield database


@options.subcommand(
    command,
    "init",
    "mind-skills team init postgresql://olga@db.example.com/team --team acme --person alice --person bob",
)
@click.argument("url")
@click.option(
    "--team", "name", required=True, metavar="NAME", help="Name of the team: lower-case letters, digits and hyphens."
)
@click.option(
    "--person", "people", multiple=True, metavar="LOGIN", help="Login of a member. Repeat the option for each member."
)
@options.as_json
def init_command(url: str, name: str, people: tuple[str, ...], as_json: bool) -> None:
    """Create a team on the server at URL, as its steward, and print its code.

    Prepare the server with `mind-skills team server-sql` first. The code contains the team's key, which the server
    never receives. Give the code to members only, and store it safely: besides you, only the machines of members have
    the key.
    """
    from mind_skills.team import server
    from mind_skills.team.contributions import create_key

    key = create_key(name)
    with server.connect(url) as connection:
        server.create_team(connection, name, list(people))

    def render() -> None:
        print_note(f"Created the team {name} with {format_count(len(people), 'member')}. Members join with this code:")
        print_line(key.code)

    emit({"team": name, "people": people, "code": key.code}, as_json, render)


@options.subcommand(
    command,
    "join",
    "mind-skills team join postgresql://alice@db.example.com/team",
    "mind-skills team join postgresql://alice@db.example.com/team <code.txt",
)
@click.argument("url")
@options.as_json
def join_command(url: str, as_json: bool) -> None:
    """Join the team at URL, with the code that `mind-skills team init` printed.

    On a terminal, the command asks for the code; otherwise, stdin must contain it. URL must not contain a password: put
    the password into ~/.pgpass, PostgreSQL's password file, or use a certificate. No project is shared until you run
    `mind-skills config set share_with_team true --project` in it.
    """
    from mind_skills.team import outbox, server
    from mind_skills.team.contributions import parse_code

    server.check_url(url)
    text = click.prompt("Code of the team", hide_input=True, err=True) if sys.stdin.isatty() else sys.stdin.read(1_000)
    key = parse_code(str(text))
    with _open_outbox() as database:
        with database.writing() as sql:
            existing = outbox.find_member(sql)
            if existing is not None:
                hint = "Run `mind-skills team leave` first."
                raise MindSkillsError("team_joined", f"this machine is already in the team {existing.key.team}", hint)
        with server.connect(url) as connection, database.writing() as sql:
            outbox.add_member(sql, url, key)
            member = outbox.find_member(sql)
            assert member is not None  # just added
            greeting = server.register_device(connection, key.team, member.device)
            outbox.update_member(sql, quorum=greeting.quorum)
            outbox.store_forgotten(sql, greeting.forgotten)  # so that `preview` omits what is not sent
        report = _describe_team(database)

    def render() -> None:
        print_line(f"Joined the team {report['team']}. It publishes sums over at least {report['quorum']} people.")
        if report["projects"]:
            shared = format_count(report["projects"], "project")
            print_line(f"You share {shared}. Run `mind-skills team preview` to see what would be sent.")
        else:
            print_wrapped(
                "No project is shared yet. In a project, run `mind-skills config set share_with_team true --project`, then "
                "`mind-skills team preview`."
            )

    emit(report, as_json, render)


@options.subcommand(command, "preview", "mind-skills team preview")
@options.as_json
def preview_command(as_json: bool) -> None:
    """Print what `mind-skills team sync` would send now, byte for byte: one JSON array per transaction.

    The same code prepares the data for both commands. Nothing is stored: what is sent is decided when it is sent.
    """
    from mind_skills.team.sync import prepare_batches

    with _open_outbox() as database:
        batches = [each.text for each in prepare_batches(database, state.read_clock(), store=False)]

    def render() -> None:
        for text in batches:
            print_line(text)
        print_note(
            "Nothing was sent. subject, project and source are hashes under the team's key; body has words from closed lists."
            if batches
            else "There is nothing to send."
        )

    emit({"batches": batches}, as_json, render)


@options.subcommand(command, "sync", "mind-skills team sync", "mind-skills team sync --json")
@options.as_json
def sync_command(as_json: bool) -> None:
    """Send what is new, and receive the sums that the team publishes. The command gives up after a minute.

    Events that the server refuses, such as those of a project that was closed to you, are named and remain here; all
    others are sent.

    Run this command as often as you like, for example daily with cron or a systemd timer. Hooks never run it or wait
    for it.
    """
    from mind_skills.team.sync import confirm_recurrences, sync

    now = state.read_clock()
    with _open_outbox() as database, state.open_ledger() as ledger:
        done = sync(database, now)
        confirm_recurrences(database, ledger, now)
        report = _describe_team(database, sent=done.sent, received=done.received, refused=done.refused)

    def render() -> None:
        print_line(f"Sent {format_count(done.sent, 'event')}, received {format_count(done.received, 'sum')}.")
        for each in done.refused:
            name = format_path(each.folder) if each.folder else "families of errors"
            print_note(f"Not sent: {format_count(each.events, 'event')} of {name}, because {each.reason}.")

    emit(report, as_json, render)


@options.subcommand(command, "status", "mind-skills team status", "mind-skills team status --json")
@options.as_json
def status_command(as_json: bool) -> None:
    """Show the team of this machine, what was not sent yet, and the last `sync`. Contacts no server."""
    with _open_outbox(create=False) as database:
        report = _describe_team(database)
    emit(report, as_json, lambda: _print_status(report))


def _print_status(report: dict[str, Any]) -> None:
    if not report["team"]:
        print_line("This machine has not joined a team. Run `mind-skills team join URL` to join one.")
        return
    print_line(
        f"Team {report['team']} at {report['address']}. It publishes sums over at least {report['quorum']} people."
    )
    counts = (("projects", "project", "shared"), ("waiting", "event", "to send"), ("sums", "sum", "received"))
    text = ", ".join(f"{format_count(report[key], noun)} {verb}" for key, noun, verb in counts)
    synced_at = report["syncedAt"]
    print_line(f"{text}; {f'last synchronised {format_time(synced_at)}' if synced_at else 'never synchronised'}.")
    print_line(f"To the server, this machine is device {report['device']}.")
    if report["shared"]:
        rows = [(each["hash"], format_path(each["folder"])) for each in report["shared"]]
        print_table("Shared projects", ("project", "folder"), rows)
    if not report["projects"]:
        print_note(
            "To share a project, set `share_with_team` to true for it, and give it the git remote `origin`, whose address is how"
            " clones are recognised as one project."
        )
    if report["problem"]:
        print_note(f"The last attempt failed: {report['problem']}. Nothing is lost; run `mind-skills team sync` again.")


@options.subcommand(command, "forget", "mind-skills team forget", "mind-skills team forget --project ~/code/shop")
@options.project_and_json
def forget_command(folder: str, as_json: bool) -> None:
    """Stop sharing one project, and delete from the server what your machines shared of it.

    Later, no machine of yours can send again what was deleted. On your other machines, also run `mind-skills config set
    share_with_team false --project`, or they share what is new. The server's backups are not changed.
    """
    from mind_skills.settings.edit import change_setting
    from mind_skills.settings.lenient import should_share_with_team
    from mind_skills.team.sync import confirm_recurrences, forget_project, require_member

    project = state.resolve_project_option(folder)
    with _open_outbox() as database, state.open_ledger() as ledger:
        require_member(database)
        folders = [*dict.fromkeys((project.root, *ledger.list_roots(project)))]
        for each in filter(should_share_with_team, folders):
            change_setting("share_with_team", "false", each)
        forgotten = forget_project(database, project.id, folders)
        confirm_recurrences(database, ledger, state.read_clock())
        report = _describe_team(database, forgotten=forgotten)
    text = (
        f"Deleted {format_count(forgotten, 'event')} from the server. {format_path(project.root)} is no longer shared."
    )
    emit(report, as_json, lambda: print_line(text))


@options.subcommand(command, "leave", "mind-skills team leave", "mind-skills team leave --forget")
@click.option("--forget", is_flag=True, help="First delete from the server everything that you have shared.")
@options.as_json
def leave_command(forget: bool, as_json: bool) -> None:
    """Leave the team: remove from this machine its key, its sums and the events that were not sent.

    With --forget, the events that you sent from any of your machines are first deleted from the server, which does not
    accept them again. Your other machines remain in the team and share what is new until they leave too. The server's
    backups are not changed. To remove your login, ask the steward. `mind-skills team forget` forgets one project.
    """
    from mind_skills.team import outbox
    from mind_skills.team.sync import confirm_recurrences, require_member

    with _open_outbox() as database, state.open_ledger() as ledger:
        member = require_member(database)
        forgotten = _delete_events(member) if forget else 0
        with database.writing() as sql:
            outbox.remove_member(sql)
        confirm_recurrences(database, ledger, state.read_clock())
        report = _describe_team(database, forgotten=forgotten)
    text = f"Deleted {format_count(forgotten, 'event')} from the server. " if forget else ""
    emit(report, as_json, lambda: print_line(f"{text}Left the team {member.key.team}."))


def _delete_events(member: Member) -> int:
    from mind_skills.team import server

    with server.connect(member.url) as connection:
        return server.delete_events(connection, member.key.team)


@options.subcommand(command, "server-sql", "mind-skills team server-sql")
def server_sql_command() -> None:
    """Print the SQL that prepares a PostgreSQL server, for its administrator: schema, roles and policies."""
    from mind_skills.team.server import read_server_sql

    print_line(read_server_sql().rstrip("\n"))


def _describe_team(database: Database, **done: object) -> dict[str, Any]:
    """Return the document of most commands: the team of this machine, or empty values, and what the command has done."""
    from mind_skills.team import outbox
    from mind_skills.team.sync import find_folder, list_shared_projects, prepare_batches

    with database.reading() as sql:
        member, sums = outbox.find_member(sql), outbox.count_sums(sql)
    shared = list_shared_projects(database, member) if member else {}
    return {
        "team": member.key.team if member else "",
        "address": member.url if member else "",
        "device": member.device if member else "",
        "quorum": member.quorum if member else 0,
        "projects": len(shared),
        "shared": [
            {"folder": find_folder(database, local_id), "hash": digest.hex()} for local_id, digest in shared.items()
        ],
        "waiting": sum(len(each.numbers) for each in prepare_batches(database, state.read_clock(), store=False))
        if member
        else 0,
        "sums": sums if member else 0,
        "syncedAt": member.synced_at if member else 0,
        "problem": member.problem if member else "",
        "refused": [],
        "sent": 0,
        "received": 0,
        "forgotten": 0,
        **done,
    }
