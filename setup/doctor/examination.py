"""Runs all checks of `mind-skills doctor`, in dependency order. The checks of the hosts' settings are in hosts.py."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Literal

from mind_skills.errors import MindSkillsError, StoreError
from mind_skills.hooks.start import find_command
from mind_skills.hosts import HOST_NAMES
from mind_skills.observations.open_file import describe_compressed
from mind_skills.output import state
from mind_skills.output.document import Report
from mind_skills.output.text import format_count
from mind_skills.plugin import VERSION, command, environment, hooklog, pausing
from mind_skills.settings import strict
from mind_skills.settings.lenient import find_disabling_file, is_enabled, list_ignored_settings
from mind_skills.settings.table import GLOBAL_SETTINGS, TABLE, normalise_key
from mind_skills.setup.doctor import CheckReport, host_progress, hosts, make_failure, make_note, make_ok, probe
from mind_skills.setup.doctor.host_progress import HostProgressReport
from mind_skills.setup.doctor.probe import LatencyReport
from mind_skills.setup.install import purge_records, purging
from mind_skills.staging import pending_file
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.schema import SCHEMA
from mind_skills.store import database
from mind_skills.store.atomic import Folder
from mind_skills.store.home import get_state_folder
from mind_skills.store.project import Project
from mind_skills.watch.instance import read_holder
from mind_skills.watch.watched_files import list_compressed_logs

MAX_LATENCY_MS = 1000.0
"""Maximum latency of a hook, in milliseconds; a slower hook delays the user noticeably."""
MAX_ERROR_AGE_SECONDS = 24 * 60 * 60
"""Maximum age of the last error in the hooks' log, in seconds; an older one is not reported."""
VERSION_TIMEOUT_SECONDS = 20.0
"""Timeout of the command that prints the version, in seconds."""
SETTLED_STATES = ("accepted", "dismissed", "ignored")
DECISIVE_RECEIPTS = {*SETTLED_STATES, "undone", "revived"}
"""Receipts that settle a candidate or undo its settlement. Other receipts may follow without changing a settled state."""


class DoctorReport(Report):
    """`mind-skills doctor --json`."""

    version: Literal[1] = 1
    healthy: bool
    installed: list[str]
    """The hosts that have our hooks."""
    watching: bool
    """Whether `mind-skills watch` is running."""
    checks: list[CheckReport]
    loops: list[HostProgressReport]
    bare_ms: float
    """Median start-up time of a bare interpreter in the same run, in milliseconds; 0 if latency was not measured."""
    latencies: list[LatencyReport]


def examine(project: Project) -> DoctorReport:
    """Run all checks, including those of ``project``. Raises HomeError, and MindSkillsError if there is no state folder."""
    home = get_state_folder()
    checks = [*_check_interpreter(), *_check_state_folder(home), *_check_database(home)]
    checks += _check_settings(project.root)
    has_state_folder = os.path.isdir(home) and os.access(home, os.R_OK | os.X_OK)  # otherwise reported above
    is_database_usable = all(check.state != "failed" for check in checks if check.name == "database")
    checks += _check_redaction(home) if is_database_usable else []
    checks += _check_pauses(home, project.id, project.root) if has_state_folder else []
    hooks_to_run: list[probe.Hook] = []
    for host in HOST_NAMES:
        new_checks, hooks = hosts.check_hooks(host, project.root)
        checks += [*new_checks, *hosts.check_server(host)]
        hooks_to_run += hooks
    checks += hosts.check_status_line()
    checks += check_environments()
    if compressed := list_compressed_logs(home):
        checks.append(make_note("logs", *describe_compressed(compressed).split(". ", 1)))
    # Hooks that an invalid settings file disables only log that.
    bare_ms, latencies = _measure_latency([] if find_disabling_file(home) else hooks_to_run)
    checks += [_report_broken_hook(hook) for hook in hooks_to_run if hook.problem]
    checks += [_report_slow_hook(latency) for latency in latencies if latency.ms > MAX_LATENCY_MS]
    new_checks, progress_reports = _check_ledger(home, project, is_database_usable)
    checks += new_checks
    checks += [
        _report_inactive_host(progress) for progress in progress_reports if progress.verdict in ("dead", "silent")
    ]
    checks += _check_hook_log(home, time.time_ns() // 1_000_000) if has_state_folder else []
    installed = [progress.host for progress in progress_reports if progress.installed]
    checks += _check_agent_command() if installed else []
    checks += _check_preserved_state(home) if not installed else []
    return DoctorReport(
        healthy=all(check.state != "failed" for check in checks),
        installed=installed,
        watching=read_holder(home) is not None,
        checks=checks,
        loops=progress_reports,
        bare_ms=bare_ms,
        latencies=latencies,
    )


def _measure_latency(hooks: list[probe.Hook]) -> tuple[float, list[LatencyReport]]:
    if not hooks:
        return 0.0, []
    try:
        python = command.find_interpreter()
    except MindSkillsError:
        return 0.0, []  # reported above
    return probe.measure_hooks(python, hooks)


def _check_ledger(
    home: str, project: Project, is_database_usable: bool
) -> tuple[list[CheckReport], list[HostProgressReport]]:
    """Run the checks that need the database, and report on the progress of each host.

    Without a usable database, these checks are skipped, and the hosts are reported without activity.
    """
    if not is_database_usable or not os.path.exists(os.path.join(home, database.DATABASE_NAME)):
        return [], host_progress.report_host_progress([], home, project.root)
    try:
        with Ledger.open(home) as ledger:
            checks = [*_check_pending_file(ledger, project), *_check_receipts(ledger)]
            return checks, host_progress.report_host_progress(ledger.list_activity(), home, project.root)
    except StoreError as error:
        failure = make_failure("database", str(error), error.hint)
        return [failure], host_progress.report_host_progress([], home, project.root)


def _report_broken_hook(hook: probe.Hook) -> CheckReport:
    text = f"the {hook.event} hook {hook.problem}"
    return make_failure("hooks", text, f"mind-skills install {hook.host}", hook.host)


def _report_slow_hook(latency: LatencyReport) -> CheckReport:
    text = f"the {latency.moment} hook takes {latency.ms:.0f} ms"
    fix = f"Run `mind-skills install {latency.host}`: the hook may start Python through a version manager's shim."
    return make_failure("latency", text, fix, latency.host)


def _report_inactive_host(progress: HostProgressReport) -> CheckReport:
    fix = "Start a session in this host, then run `mind-skills doctor` again."
    if progress.verdict == "silent":
        return make_note("loop", progress.text, fix, progress.host)
    text = "this host wrote session logs that no hook reported"
    fix = "Check whether mind-skills is paused or disabled there, and whether the host has disabled or does not trust the hooks."
    return make_note("loop", text, fix, progress.host)


def _check_interpreter() -> Iterator[CheckReport]:
    """Check the Python interpreter and the script that hosts start."""
    try:
        python, script = command.find_interpreter(), command.find_entry_script()
    except MindSkillsError as failure:
        yield make_failure("interpreter", failure.message, failure.hint)
        return
    version = ".".join(map(str, sys.version_info[:3]))
    yield make_ok("interpreter", f"Python {version}: {python}")
    if not os.access(script, os.R_OK):
        yield make_failure("interpreter", f"{script} cannot be read", "Install mind-skills again.")


def _check_agent_command() -> Iterator[CheckReport]:
    """Check that the command named in offers runs from a shell with this environment, and has this version."""
    agent_program = find_command()
    shell = ["cmd", "/c"] if os.name == "nt" else ["/bin/sh", "-c"]
    fix = "Add the folder that contains mind-skills to your shell's PATH, or install it with `uv tool install` or pipx."
    try:
        done = subprocess.run(
            [*shell, f"{agent_program} --version"],
            capture_output=True,
            text=True,
            timeout=VERSION_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as failure:
        text = f"{agent_program}, the command that agents are told to run, cannot be started: {failure}"
        yield make_failure("command", text, fix)
        return
    if done.returncode:
        yield make_failure("command", f"agents cannot run {agent_program}, as they are told to", fix)
    elif done.stdout.split()[-1:] != [VERSION]:
        text = f"{agent_program}, the command that agents are told to run, is {done.stdout.strip()[:80]}; this installation is {VERSION}"
        yield make_note("command", text, fix)
    else:
        yield make_ok("command", f"agents can run {agent_program}")


def _check_state_folder(home: str) -> Iterator[CheckReport]:
    """Check the owner of the state folder, and the permissions of the folder and everything in it."""
    if not os.path.isdir(home):
        if os.path.lexists(home):
            yield make_failure("state", f"{home} is not a folder", "Move or rename the file at that path.")
        else:
            yield make_note(
                "state", f"{home} does not exist yet", "The first session of one of your agents creates it."
            )
        return
    if os.name == "posix":
        status = os.stat(home)
        if status.st_uid != os.geteuid():
            fix = "Set MIND_SKILLS_HOME to a folder of your own."
            yield make_failure("state", f"{home} belongs to another user", fix)
        paths = _walk_all(home) if os.access(home, os.R_OK | os.X_OK) else iter(())
        exposed_paths = [path for path in paths if os.lstat(path).st_mode & 0o077 and not os.path.islink(path)]
        if exposed_paths:
            others = f" and {len(exposed_paths) - 1} more" if exposed_paths[1:] else ""
            yield make_failure("state", f"other users may access {exposed_paths[0]}{others}", f"chmod -R go= {home}")
    if not os.access(home, os.R_OK | os.W_OK | os.X_OK):
        yield make_failure("state", f"{home} is not readable and writable", f"chmod u+rwx {home}")
    else:
        yield make_ok("state", home)


def _check_database(home: str) -> Iterator[CheckReport]:
    """Check the database's integrity and version, opening it read-only; report a damaged one that was set aside."""
    path = os.path.join(home, database.DATABASE_NAME)
    if not os.path.exists(path):
        return
    fix = "The next command sets it aside and creates a new database; nothing is overwritten."
    try:
        with closing(purge_records.open_read_only(path)) as sql:
            result = sql.execute("PRAGMA quick_check(1)").fetchone()[0]
            version = database.read_version(sql, SCHEMA)
    except sqlite3.OperationalError as error:
        fix = "Check its permissions, and whether another process has it open."
        yield make_failure("database", f"{path}: {error}", fix)
        return
    except sqlite3.DatabaseError as error:
        yield make_failure("database", f"{path} is damaged: {error}", fix)
        return
    if result != "ok":
        yield make_failure("database", f"{path} is damaged: {result}", fix)
    elif version > SCHEMA.version:
        yield make_failure("database", f"{path} was written by a newer mind-skills", "Upgrade mind-skills.")
    elif not os.access(path, os.W_OK):
        yield make_failure("database", f"{path} is not writable", f"chmod u+rw {path}")
    else:
        yield make_ok("database", f"{path} is intact")
    names = sorted(os.listdir(home))
    if damaged := [name for name in names if ".corrupt-" in name and name.startswith(database.DATABASE_NAME)]:
        fix = "That file contains the old data; remove the file if you do not need that data."
        yield make_note("database", f"a damaged database was set aside as {os.path.join(home, damaged[0])}", fix)


def _check_preserved_state(home: str) -> Iterator[CheckReport]:
    """Report where the learned data is; to be called if no host has our hooks."""
    if purging.is_used(home):
        text = f"no hook is installed; the learned data is in {home}"
        yield make_note("state", text, f"{purging.PURGE_COMMAND} removes it.")


def _check_redaction(home: str) -> Iterator[CheckReport]:
    """Report how many kinds of keys are recognised, and whether stored data must be redacted again."""
    from mind_skills.hooks.redact_again import is_due
    from mind_skills.redaction.prefixes import ISSUERS, MARKED_KEYS, SOURCES_DATE

    kinds = len({rule.name for rule in (*ISSUERS, *MARKED_KEYS)})
    description = f"{kinds} kinds of API keys and tokens are recognised by their format, as of {SOURCES_DATE}"
    try:
        is_redaction_due = is_due(home)
    except StoreError:
        is_redaction_due = False  # the check of the database reports that
    if is_redaction_due:
        text = f"{description}; stored data will be checked against them after the next sessions"
        yield make_note("redaction", text, "Run `mind-skills prune` to do it now.")
    else:
        yield make_ok("redaction", description)


def _check_settings(root: str) -> Iterator[CheckReport]:
    """Check the settings files. Hooks ignore invalid values, but do nothing if a file or its ``enabled`` is invalid."""
    try:
        strict.load(root)
    except MindSkillsError as failure:
        yield make_failure("settings", failure.message, failure.hint)
    else:
        yield make_ok("settings", "your settings file is valid")
    for key, path in list_ignored_settings(root):
        is_valid_key = normalise_key(key) in TABLE
        option = "" if normalise_key(key) in GLOBAL_SETTINGS else " --project"
        fix = f"Run `mind-skills config set {key} VALUE{option}` to set it in your own file." if is_valid_key else ""
        fix = fix or strict.make_unknown_key_error(key, path).hint
        yield make_note("settings", strict.describe_ignored_setting((key, path)), fix)
    if not is_enabled(root):
        invalid_file = find_disabling_file(root)
        fix = f"Correct {invalid_file}." if invalid_file else "mind-skills config set enabled true --project"
        yield make_note("settings", f"disabled in {root}", fix)


def _check_pauses(home: str, project_id: str, root: str) -> Iterator[CheckReport]:
    """Report pauses, since a forgotten pause looks like a fault."""
    if pausing.find_pause_start(home) is not None:
        yield make_note("pause", "paused everywhere", "mind-skills resume")
    if pausing.find_pause_start(home, project_id) is not None:
        yield make_note("pause", f"paused in {root}", f"mind-skills resume --project {root}")


def check_environments() -> Iterator[CheckReport]:
    """Check the plugin's private environments, one for each marketplace that it was installed from. Hooks do not need them.

    Raises MindSkillsError if there is no home folder.
    """
    for data in purging.list_plugin_folders():
        status, path = environment.read_build_status(data), os.path.join(data, environment.STATUS_FILE)
        if environment.is_ready(data):
            yield make_ok(
                "environment", f"{environment.find_python(data)} has all required packages", purging.PLUGIN_HOST
            )
            continue
        if status.state == "failed":
            text = f"the plugin's environment could not be built: {status.text}"
            fix = f"The build is retried after a day, or at the next session start if you remove {path}."
        elif status.state:
            text = "the plugin's environment is being built, or its build was interrupted"
            fix = "The next session start completes it."
        elif os.path.lexists(os.path.join(data, environment.VENV)):
            text = f"{data}/{environment.VENV} is from another version, or its Python is missing"
            fix = "The next session start rebuilds it."
        else:
            continue
        yield make_note("environment", text, fix, purging.PLUGIN_HOST)


def _check_hook_log(home: str, now: int) -> Iterator[CheckReport]:
    """Report the last error in the hooks' log, if it is recent. ``now`` is UTC milliseconds."""
    path = hooklog.find_log_path(home)
    try:
        is_recent = now // 1000 - os.stat(path).st_mtime <= MAX_ERROR_AGE_SECONDS
    except FileNotFoundError:
        return
    lines = state.read_hook_log(home) if is_recent else []
    if lines:
        yield make_note("log", f"last hook error: {lines[-1]}", f"See {path} for all errors.")


def _walk_all(home: str) -> Iterator[str]:
    yield home
    for folder, folders, names in os.walk(home):
        for name in (*folders, *names):
            yield os.path.join(folder, name)


def _check_pending_file(ledger: Ledger, project: Project) -> Iterator[CheckReport]:
    """Compare the project's pending file with the candidates in the database."""
    folder_path = os.path.join(project.root, pending_file.FOLDER_NAME)
    path = os.path.join(folder_path, pending_file.FILE_NAME)
    waiting = ledger.list_pending(project)
    target_path = folder_path if os.path.isdir(folder_path) else project.root
    fix = "Run `mind-skills pending` to update the file."
    if not os.access(target_path, os.W_OK):
        fix = f"Make {target_path} writable, and run `mind-skills pending`. Until then, candidates are only in the state folder."
    if os.path.islink(folder_path) or (os.path.lexists(folder_path) and not os.path.isdir(folder_path)):
        kind = "symbolic link" if os.path.islink(folder_path) else "file"
        fix = f"Replace the {kind} {folder_path} with a real folder, and run `mind-skills pending`."
    reason, advice = state.explain_missing_pending_file(ledger, project)
    if reason:
        yield make_note("pending", reason, advice)
        yield from _check_foreign(ledger, project, path)
        return
    try:
        if not os.path.isdir(folder_path) or not os.path.lexists(path):
            if waiting:
                text = f"{path} is missing; the database has {format_count(len(waiting), 'pending candidate')}"
                yield make_failure("pending", text, fix)
            return
        with Folder(folder_path) as folder:
            content = pending_file.parse_pending_file(
                folder.read(pending_file.FILE_NAME, pending_file.MAX_BYTES) or b""
            )
    except (StoreError, pending_file.UnreadablePendingError) as error:
        fix = "Move or rename that file, and run `mind-skills pending` to write a new one."
        if isinstance(error, pending_file.UnreadablePendingError):
            fix = "Run `mind-skills pending`: it renames that file, and writes a new one if something is waiting."
        yield make_failure("pending", f"{path}: {error}", fix)
        return
    offered_at = {str(entry["id"]): entry.get("injectedAt") for entry in content.candidates}
    missing = [candidate.id for candidate in waiting if candidate.id not in offered_at]
    different = [
        candidate.id
        for candidate in waiting
        if candidate.id in offered_at and offered_at[candidate.id] != candidate.injected_at
    ]
    if missing or different:
        yield make_failure(
            "pending", f"{path} and the database disagree about candidate {(missing + different)[0]}", fix
        )
    else:
        offered = sum(candidate.injected_at is not None for candidate in waiting)
        text = f"{len(waiting) - offered} waiting" + (f", {offered} offered and not answered" if offered else "")
        yield make_ok("pending", f"{path} matches the database: {text}")
    yield from _check_foreign(ledger, project, path)


def _check_foreign(ledger: Ledger, project: Project, path: str) -> Iterator[CheckReport]:
    foreign = len(ledger.list_foreign(project))
    if foreign:
        text = f"{path} contains {format_count(foreign, 'candidate')} not learned in this project on this machine"
        yield make_note("pending", text, "Such candidates are preserved but never offered.")


def _check_receipts(ledger: Ledger) -> Iterator[CheckReport]:
    """Compare the state of every settled candidate with its last decisive receipt."""
    last_receipts: dict[tuple[str, str], str] = {}
    for receipt in ledger.list_receipts():
        if receipt.event in DECISIVE_RECEIPTS:
            last_receipts[receipt.project, receipt.candidate] = receipt.event
    mismatches = [
        f"{record.candidate.id} is {record.state}, but its last receipt is {last_event}"
        for record in ledger.list_history()
        if record.state in SETTLED_STATES
        and (last_event := last_receipts.get((record.project, record.candidate.id), "nothing"))
        not in (record.state, "undone")
    ]
    if mismatches:
        fix = "Report this as a bug, with the output of `mind-skills status --json`."
        yield make_failure("receipts", mismatches[0], fix)
    else:
        yield make_ok("receipts", f"the states of {format_count(len(last_receipts), 'candidate')} match the receipts")
