"""Connection to the team's PostgreSQL server. One that does not answer must not block: a timer shuts the socket down
after ``DEADLINE_SECONDS``.
"""

from __future__ import annotations

import importlib
import os
import re
import socket
from collections.abc import Generator
from contextlib import contextmanager, suppress
from importlib.resources import files
from importlib.util import find_spec
from threading import Timer
from typing import Any, NamedTuple, cast

from mind_skills.errors import MindSkillsError
from mind_skills.output.text import quote
from mind_skills.tasks.cleaning import TAG_ESCAPES
from mind_skills.team.contributions import DIGEST_BYTES

Connection = Any
"""A psycopg.Connection. psycopg is an extra, and type checkers do not know its types without it."""
VERSION = 2
"""Version of server.sql."""
INTEGER_LIMIT = 2**53
"""An answer with an integer of this size or more is rejected, so that SQLite can store every number."""
MAX_MESSAGE_CHARACTERS = 300
"""Maximum number of characters of a message of the server that an error quotes."""
CONNECT_SECONDS = 10
DEADLINE_SECONDS = 60.0
"""How long a connection may be open, unless the caller sets another deadline."""
_CONNECTION_OPTIONS = {
    "connect_timeout": CONNECT_SECONDS,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "application_name": "mind-skills",
}
_LOCAL_HOSTS = ("", "localhost", "127.0.0.1", "::1")
_OWN_STATES = "MS"
"""Prefix of the SQLSTATEs that server.sql raises itself."""
INSTALL_HINT = "Reinstall mind-skills with the `team` extra; from your checkout: uv tool install '.[team]', or pip install '.[team]'."


_PROBLEMS: tuple[tuple[str, str, str], ...] = (
    (
        r"authentication failed|no password supplied|no pg_hba\.conf entry|not permitted to log in|role .* does not exist",
        "does not accept this login",
        "Check the login in the address, and its password in ~/.pgpass or PGPASSWORD, or its certificate.",
    ),
    (
        r"database .* does not exist|permission denied for database",
        "has no such database for this login",
        "Check the name after the last slash of the address.",
    ),
    (
        r"\bSSL|certificate|\bTLS",
        "cannot prove who it is",
        "Check the server's certificate and the name in the address; sslrootcert=FILE in the address names another authority.",
    ),
    (
        r"too many (clients|connections)|connection slots",
        "has no free connection",
        "Nothing is lost here. Try again later, or ask whoever runs the server.",
    ),
    (
        r"No space left|disk full|cannot execute .* in a read-only transaction|out of memory",
        "cannot store anything now",
        "Nothing is lost here. Whoever runs the server has to make room.",
    ),
)
"""What the text of an error means, in addition to a server that does not answer. PostgreSQL gives no code for a failed connection."""


class Greeting(NamedTuple):
    """The server's clock (UTC ms), quorum, highest sequence number from this device, and times up to which events are
    forgotten, by project.
    """

    clock: int
    quorum: int
    last: int
    forgotten: dict[bytes, int]


def read_server_sql() -> str:
    """Return the text of server.sql."""
    return files("mind_skills.team").joinpath("server.sql").read_text(encoding="utf-8")


def check_url(url: str) -> str:
    """Return the address. Raises MindSkillsError if it is invalid or has a password, or if psycopg is missing."""
    if find_spec("psycopg") is None:
        raise MindSkillsError("extra_missing", "this command needs psycopg, which is not installed here", INSTALL_HINT)
    psycopg: Any = importlib.import_module("psycopg")
    try:
        parts: dict[str, Any] = psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        hint = "Use an address such as postgresql://alice@db.example.com/mind_skills."
        raise MindSkillsError("team_address", "this is not the address of a PostgreSQL server", hint) from error
    if parts.get("password"):
        hint = "Put the password into ~/.pgpass (PostgreSQL's password file) or PGPASSWORD, and leave it out of the address."
        raise MindSkillsError("team_address", "the address contains a password, which would be stored and shown", hint)
    return url


@contextmanager
def connect(url: str, deadline: float = DEADLINE_SECONDS) -> Generator[Connection]:
    """Open a connection in autocommit mode for at most ``deadline`` seconds. A psycopg.Error becomes a MindSkillsError."""
    check_url(url)
    psycopg: Any = importlib.import_module("psycopg")
    parts: dict[str, Any] = {**_CONNECTION_OPTIONS, **psycopg.conninfo.conninfo_to_dict(url)}
    if not _is_local(parts) and not parts.get("sslmode"):
        parts |= {"sslmode": "verify-full", "sslrootcert": parts.get("sslrootcert") or "system"}
    try:
        with (
            psycopg.connect(psycopg.conninfo.make_conninfo(**parts), autocommit=True) as connection,
            _close_after(connection, deadline),
        ):
            yield connection
    except psycopg.Error as error:
        raise convert_error(error) from error


def _is_local(parts: dict[str, Any]) -> bool:
    """Return whether the server is certainly on this machine. A PostgreSQL service file can name any host."""
    if parts.get("service") or os.environ.get("PGSERVICE"):
        return False
    hosts = [
        str(parts.get(name) or os.environ.get(variable, ""))
        for name, variable in (("host", "PGHOST"), ("hostaddr", "PGHOSTADDR"))
    ]
    return all(host in _LOCAL_HOSTS or host.startswith("/") for part in hosts for host in part.split(","))


@contextmanager
def _close_after(connection: Connection, seconds: float) -> Generator[None]:
    """Shut the socket down after ``seconds``, so that a caller that waits for the server gets an error."""
    with socket.socket(fileno=socket.dup(connection.fileno())) as channel:

        def shut_down() -> None:
            with suppress(OSError):  # the other side has closed it
                channel.shutdown(socket.SHUT_RDWR)

        timer = Timer(seconds, shut_down)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


def convert_error(error: Any) -> MindSkillsError:
    """Convert a psycopg.Error."""
    # The server wrote this text, and an agent may read it: it is quoted, on one line and without tags.
    message = quote(str(error.diag.message_primary or error).translate(TAG_ESCAPES), MAX_MESSAGE_CHARACTERS)
    if str(error.sqlstate or "").startswith(_OWN_STATES) or str(error.sqlstate or "") in ("42501", "23514", "22023"):
        hint = "Ask whoever runs the team's server; docs/team.md lists what it refuses and why."
        if error.sqlstate == "MS007":
            hint = "Check the spelling, or create the login first; docs/team.md has the commands."
        return MindSkillsError("team_refused", f"the team's server refused: {message}", hint)
    if str(error.sqlstate or "") in ("3F000", "42P01", "42883"):
        hint = "Whoever runs the server must apply what `mind-skills team server-sql` prints."
        return MindSkillsError("team_refused", f"the server is not prepared for teams: {message}", hint)
    for pattern, problem, hint in _PROBLEMS:
        if re.search(pattern, str(error)):
            return MindSkillsError("team_unreachable", f"the team's server {problem}: {message}", hint)
    hint = "Nothing is lost here. Check the address and the network, then try again."
    problem = "reported an error" if error.sqlstate else "does not answer"
    return MindSkillsError("team_unreachable", f"the team's server {problem}: {message}", hint)


def register_device(connection: Connection, team: str, device: str) -> Greeting:
    """Register this device with the server, and return its greeting. Raises MindSkillsError, psycopg.Error."""
    answer = _call(connection, "SELECT mind_skills.hello(%s, %s)", team, device)
    if (version := _read_number(answer, "version")) != VERSION:
        hint = "Update mind-skills, or the server with `mind-skills team server-sql`, whichever is older."
        raise MindSkillsError(
            "team_refused", f"the server has version {version}, but this client needs version {VERSION}", hint
        )
    clock, quorum, last = (_read_number(answer, name) for name in ("clock", "quorum", "last"))
    return Greeting(clock, quorum, last, _read_forgotten(answer.get("forgotten"), clock))


def _read_forgotten(times: object, clock: int) -> dict[bytes, int]:
    try:
        forgotten = {bytes.fromhex(project): at for project, at in cast("dict[str, Any]", times).items()}
    except (AttributeError, TypeError, ValueError) as error:
        raise make_answer_error() from error
    for project, at in forgotten.items():
        if len(project) not in (0, DIGEST_BYTES) or type(at) is not int or not 0 <= at <= clock:
            raise make_answer_error()
    return forgotten


def _read_number(answer: dict[str, Any], name: str) -> int:
    number: object = answer.get(name)
    if type(number) is not int or not 0 <= number < INTEGER_LIMIT:
        raise make_answer_error()
    return number


def push_events(connection: Connection, team: str, device: str, events: str) -> list[int]:
    """Send a batch of events in one transaction; return the numbers that the server has with different content. Raises
    MindSkillsError.
    """
    psycopg: Any = importlib.import_module("psycopg")
    try:
        rows = connection.execute("SELECT mind_skills.push(%s, %s, %s)", (team, device, events)).fetchall()
    except psycopg.errors.InsufficientPrivilege as error:
        hint = "Ask a steward of the team for access, or run `mind-skills team forget` in the project."
        raise MindSkillsError("team_refused", "the project is closed to this login", hint) from error
    except psycopg.Error as error:
        raise convert_error(error) from error
    return [row[0] for row in rows]


def pull_sums(connection: Connection, team: str, epoch: str, cursor: str) -> dict[str, Any]:
    """Return the sums that may have changed since the cursor (server.sql). Raises MindSkillsError, psycopg.Error."""
    return _call(connection, "SELECT mind_skills.pull(%s, %s, %s)", team, epoch, cursor)


def delete_events(connection: Connection, team: str, project: bytes = b"") -> int:
    """Delete the events of this login about one project, or all of them in the team; return their number. Raises psycopg.Error."""
    return int(connection.execute("SELECT mind_skills.forget(%s, %s)", (team, project)).fetchone()[0])


def create_team(connection: Connection, team: str, logins: list[str]) -> None:
    """Create a team and its members, as a steward. Raises MindSkillsError if there is a team of this name, or psycopg.Error."""
    with connection.transaction():
        query = "INSERT INTO mind_skills.team (id) VALUES (%s) ON CONFLICT DO NOTHING"
        if not connection.execute(query, (team,)).rowcount:
            hint = "Its code was printed when it was created, and nowhere stored. Choose another name, or delete that team first."
            raise MindSkillsError("team_refused", f"the server has a team {team} already", hint)
        query = "INSERT INTO mind_skills.person (team, login) SELECT %s, unnest(%s::name[])"
        connection.execute(query, (team, logins))


def _call(connection: Connection, query: str, *values: str) -> dict[str, Any]:
    row = connection.execute(query.encode(), values).fetchone()
    answer: object = row[0] if row else None
    if not isinstance(answer, dict):
        raise make_answer_error()
    return cast("dict[str, Any]", answer)


def make_answer_error() -> MindSkillsError:
    """Return the error for an answer that no server of this version gives."""
    hint = "Ask whoever runs the server; its version may differ."
    return MindSkillsError("team_refused", "the team's server gave an answer that cannot be read", hint)
