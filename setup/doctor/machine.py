"""The machine's side: interpreter, state folder, database, settings, environments, pauses, complaints of hooks."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing

from mind_skills.errors import MindSkillsError, StoreError
from mind_skills.hooks.start import find_command
from mind_skills.output import state
from mind_skills.output.text import count
from mind_skills.plugin import VERSION, command, hooklog, pausing
from mind_skills.plugin.environment import place
from mind_skills.settings import strict
from mind_skills.settings.lenient import enabled, refused
from mind_skills.settings.names import canonical_key
from mind_skills.settings.table import TABLE
from mind_skills.setup.doctor.check import CheckReport, failed, fine, noted
from mind_skills.setup.install import purging, targets
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.pending_file import FOLDER, LIMIT, NAME, UnreadablePendingError, parse
from mind_skills.staging.tables.schema import PACKAGE, STEPS
from mind_skills.store import database
from mind_skills.store.atomic import Folder
from mind_skills.store.project import Project

PLUGIN_HOST = "claude-code"
RECENT = 24 * 60 * 60
"""Seconds: complaints of hooks that are younger are shown."""
TAIL = 64 * 1024
PATIENCE = 20.0
"""Seconds that the command may take to say its version."""


def interpreter() -> Iterator[CheckReport]:
    """The Python that hosts are told to start."""
    try:
        python, script = command.interpreter(), command.entry()
    except MindSkillsError as failure:
        yield failed("interpreter", failure.message, failure.hint)
        return
    version = ".".join(map(str, sys.version_info[:3]))
    yield fine("interpreter", f"Python {version}: {python}")
    if not os.access(script, os.R_OK):
        yield failed("interpreter", f"{script} cannot be read", "Install mind-skills again.")


def agent_command() -> Iterator[CheckReport]:
    """Whether the command that an offer names works from a shell with this environment, and is of this version."""
    named = find_command()
    shell = ["cmd", "/c"] if os.name == "nt" else ["/bin/sh", "-c"]
    mend = (
        "Put the folder that has mind-skills on the PATH of your shell, or install it with `uv tool install` or pipx."
    )
    try:
        done = subprocess.run(
            [*shell, f"{named} --version"], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as failure:
        yield failed("command", f"{named}, which offers name, cannot be started: {failure}", mend)
        return
    if done.returncode:
        yield failed("command", f"agents cannot run {named}, which offers name", mend)
    elif done.stdout.split()[-1:] != [VERSION]:
        text = f"{named}, which offers name, is {done.stdout.strip()[:80]}, and this is {VERSION}"
        yield noted("command", text, mend)
    else:
        yield fine("command", f"agents can run {named}")


def state_folder(home: str) -> Iterator[CheckReport]:
    """Whose it is, and who else may look into it."""
    if not os.path.isdir(home):
        if os.path.lexists(home):
            yield failed("state", f"{home} is no folder", "Move away what is in its place.")
        else:
            yield noted("state", f"{home} is not there yet", "The first session of a host makes it.")
        return
    if os.name == "posix":
        found = os.stat(home)
        if found.st_uid != os.geteuid():
            yield failed("state", f"{home} belongs to another user", "Set MIND_SKILLS_HOME to a folder of your own.")
        open_ones = [path for path in _everything(home) if os.lstat(path).st_mode & 0o077 and not os.path.islink(path)]
        if open_ones:
            text = f"others may look at {open_ones[0]}" + (f" and {len(open_ones) - 1} more" if open_ones[1:] else "")
            yield failed("state", text, f"chmod -R go= {home}")
    if not os.access(home, os.W_OK | os.X_OK):
        yield failed("state", f"{home} cannot be written", f"chmod u+rwx {home}")
    else:
        yield fine("state", home)


def state_database(home: str) -> Iterator[CheckReport]:
    """Whether the database is whole, and of this version. It is opened for reading only, and never set aside here."""
    path = os.path.join(home, database.NAME)
    if not os.path.exists(path):
        return
    again = "The next command sets it aside and begins a new one; nothing of it is overwritten."
    try:
        with closing(purging.open_readonly(path)) as sql:
            said = sql.execute("PRAGMA quick_check(1)").fetchone()[0]
            row = sql.execute("SELECT version FROM versions WHERE package = ?", (PACKAGE,)).fetchone()
    except sqlite3.OperationalError as error:
        yield failed("database", f"{path}: {error}", "Check its permissions, and who else has it open.")
        return
    except sqlite3.DatabaseError as error:
        yield failed("database", f"{path} is damaged: {error}", again)
        return
    if said != "ok":
        yield failed("database", f"{path} is damaged: {said}", again)
    elif row is not None and row[0] > len(STEPS):
        yield failed("database", f"{path} was written by a newer mind-skills", "Upgrade mind-skills.")
    else:
        yield fine("database", f"{path} is whole")
    aside = sorted(name for name in os.listdir(home) if ".corrupt-" in name and name.startswith(database.NAME))
    if aside:
        mend = "What it held is in there; remove it when you do not need it."
        yield noted("database", f"a damaged one was set aside as {os.path.join(home, aside[0])}", mend)


def kept_state(home: str) -> Iterator[CheckReport]:
    """What is there although no host has our hooks: uninstalling keeps what was learned."""
    if purging.is_used(home):
        text = f"no hook is installed, and what was learned is kept in {home}"
        yield noted("state", text, f"{purging.COMMAND} removes it.")


def redaction(home: str) -> Iterator[CheckReport]:
    """By which rules secrets are taken out, and whether what was kept before has been through them."""
    from mind_skills.errors import StoreError
    from mind_skills.hooks.redact_again import is_due
    from mind_skills.redaction.prefixes import DATE, FORMATS, MARKED

    kinds = len({form.kind for form in FORMATS} | {form.kind for form in MARKED})
    known = f"{kinds} kinds of keys are known by their form, as of {DATE}"
    try:
        waiting = is_due(home)
    except StoreError:
        waiting = False  # the database has been told of
    if waiting:
        text = f"{known}; what was kept under older rules is redacted again behind the next sessions"
        yield noted("redaction", text, "Or at once: mind-skills prune")
    else:
        yield fine("redaction", known)


def user_settings(root: str) -> Iterator[CheckReport]:
    """Whether the settings files are right: hooks go on without a wrong value, and not at all over a file that is no TOML.
    And what of a project's own is not honoured.
    """
    try:
        strict.load(root)
    except MindSkillsError as failure:
        yield failed("settings", failure.message, failure.hint)
    else:
        yield fine("settings", "every key is known")
    for key, path in refused(root):
        known = canonical_key(key) in TABLE
        mend = f"`mind-skills config set {key} VALUE --project` sets it in your own file." if known else ""
        mend = mend or strict.unknown_key(key, path).hint
        yield noted("settings", strict.unhonoured((key, path)), mend)
    if not enabled(root):
        mend = "mind-skills config set enabled true --project"
        yield noted("settings", f"switched off in {root}", mend)


def pauses(home: str, project_id: str, root: str) -> Iterator[CheckReport]:
    """A pause that was forgotten looks like a fault."""
    if pausing.paused_since(home) is not None:
        yield noted("pause", "paused everywhere", "mind-skills resume")
    if pausing.paused_since(home, project_id) is not None:
        yield noted("pause", f"paused in {root}", f"mind-skills resume --project {root}")


def environment() -> Iterator[CheckReport]:
    """The plugin's private environments, one for each place that it was installed from: hooks need no packages.

    Raises MindSkillsError where no home is known.
    """
    for data in place.folders(targets.find_folder(PLUGIN_HOST)):
        last, path = place.note(data), os.path.join(data, place.NOTE)
        if place.ready(data):
            yield fine("environment", f"{place.python(data)} has the packages", PLUGIN_HOST)
        elif last.state == "failed":
            mend = f"It is tried again a day later; at the next start, if you remove {path}."
            yield noted("environment", f"the plugin's own could not be built: {last.text}", mend, PLUGIN_HOST)
        elif last.state:
            yield noted(
                "environment",
                "the plugin's own is being built, or that was cut short",
                "The next start sees to it.",
                PLUGIN_HOST,
            )
        elif os.path.lexists(os.path.join(data, place.VENV)):
            mend = "The next start builds it anew."
            yield noted(
                "environment", f"{data}/{place.VENV} is of another version, or its Python is gone", mend, PLUGIN_HOST
            )


def complaints(home: str, now: int) -> Iterator[CheckReport]:
    """What hooks wrote into their log lately. ``now`` is UTC milliseconds."""
    path = hooklog.log_path(home)
    try:
        if now // 1000 - os.stat(path).st_mtime > RECENT:
            return
        with open(path, "rb") as log:
            log.seek(max(0, os.fstat(log.fileno()).st_size - TAIL))
            lines = log.read().decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return
    if lines:
        yield noted("log", f"the last complaint of a hook: {lines[-1]}", f"All of them are in {path}.")


def _everything(home: str) -> Iterator[str]:
    yield home
    for folder, folders, names in os.walk(home):
        for name in (*folders, *names):
            yield os.path.join(folder, name)


SETTLED = ("accepted", "dismissed", "ignored")
DECISIVE = {*SETTLED, "undone", "revived"}
"""Receipts that say where a candidate stands; others may follow without changing that."""


def pending_file(ledger: Ledger, project: Project) -> Iterator[CheckReport]:
    """The pending file of the project against what the database says waits there."""
    place = os.path.join(project.root, FOLDER)
    path = os.path.join(place, NAME)
    waiting = ledger.list_pending(project)
    mend = "mind-skills pending brings them in step."
    why, advice = state.withheld(ledger, project)
    if why:
        yield noted("pending", why, advice)
        yield from _of_others(ledger, project, path)
        return
    try:
        if not os.path.isdir(place) or not os.path.lexists(path):
            if waiting:
                yield failed("pending", f"{path} is not there, and {len(waiting)} candidates wait", mend)
            return
        with Folder(place) as folder:
            content = parse(folder.read(NAME, LIMIT) or b"")
    except (StoreError, UnreadablePendingError) as error:
        yield failed("pending", f"{path}: {error}", "Move it away; `mind-skills pending` writes a new one.")
        return
    told = {str(form["id"]): form.get("injectedAt") for form in content.candidates}
    missing = [one.id for one in waiting if one.id not in told]
    others = [one.id for one in waiting if one.id in told and told[one.id] != one.injected_at]
    if missing or others:
        yield failed("pending", f"{path} and the database differ about {(missing + others)[0]}", mend)
    else:
        yield fine("pending", f"{path} says what the database says: {len(waiting)} wait")
    yield from _of_others(ledger, project, path)


def _of_others(ledger: Ledger, project: Project, path: str) -> Iterator[CheckReport]:
    foreign = len(ledger.list_foreign(project))
    if foreign:
        text = f"{path} holds {foreign} that this machine did not stage"
        yield noted("pending", text, "They are kept, and never offered.")


def receipts(ledger: Ledger) -> Iterator[CheckReport]:
    """Every candidate against the last receipt about it, and every open offer against its receipt."""
    last: dict[tuple[str, str], str] = {}
    for receipt in ledger.list_receipts():
        if receipt.what in DECISIVE:
            last[receipt.project, receipt.candidate] = receipt.what
    wrong = [
        f"{record.candidate.id} is {record.state}, its last receipt says {said}"
        for record in ledger.list_history()
        if record.state in SETTLED
        and (said := last.get((record.project, record.candidate.id), "nothing")) not in (record.state, "undone")
    ]
    if wrong:
        yield failed("receipts", wrong[0], "Report it as a bug, with the output of `mind-skills status --json`.")
    else:
        yield fine("receipts", f"what became of {count(len(last), 'candidate')} agrees with the receipts")
