"""Installation into a host and uninstallation from it, with reports of the results. Reads the clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Literal, ParamSpec, TypeVar

from mind_skills.errors import MindSkillsError, as_error
from mind_skills.hosts import load_spec
from mind_skills.output.document import Report
from mind_skills.setup.history import HistoryReport
from mind_skills.setup.install import codex_trust, files, slash_commands, status_line, targets
from mind_skills.setup.install.journal import Journal
from mind_skills.setup.install.servers import ServerTarget
from mind_skills.setup.install.slash_commands import CommandTarget
from mind_skills.setup.install.status_line import StatusLineTarget
from mind_skills.setup.install.targets import DocumentTarget, FileReport, Target
from mind_skills.store.home import get_state_folder
from mind_skills.tasks.mcp import is_importable, require_sdk

P = ParamSpec("P")
T = TypeVar("T")

MAX_ATTEMPTS = 5
"""Maximum number of attempts to edit a file that other processes keep changing."""


class FailureReport(Report):
    """Why nothing was done for a host, as in the error document of a command."""

    code: str
    message: str
    hint: str


class HostReport(Report):
    """What was done for one host. ``next`` lists the steps that remain for the user, in sentences."""

    host: str
    files: list[FileReport]
    next: list[str]
    error: FailureReport | None


class HookTestReport(Report):
    """Whether a host's hooks respond; ``problem`` is empty if they do.

    ``needsTrust``: the host skips them until the user trusts them as they are now.
    """

    host: str
    problem: str
    needs_trust: bool


class InstallReport(Report):
    """`mind-skills install --json`."""

    version: Literal[1] = 1
    dry_run: bool
    hosts: list[HostReport]
    answers: list[HookTestReport]
    """One entry per installed host; empty for a dry run, and if mind-skills is disabled."""
    history: HistoryReport | None
    """Candidates from the sessions of the last 30 days; null if that was not requested, or declined."""


class UninstallReport(Report):
    """`mind-skills uninstall --json`.

    ``residue`` is null without ``--verify``; otherwise it lists what is left. ``purged`` are the paths that ``--purge``
    removed or edited; ``kept`` says what remains and why, in sentences. ``skills`` are the skill files that agents wrote
    from learnings, which a purge leaves in place. ``program`` is the command that removes the program itself, empty
    without ``--purge`` and if something of ours remains.
    """

    version: Literal[1] = 1
    dry_run: bool
    hosts: list[HostReport]
    residue: list[str] | None
    purged: list[str]
    kept: list[str]
    skills: list[str]
    program: str


def install_host(
    host: str, *, dry_run: bool, raise_failure: bool, mcp: bool | None = None, statusline: bool | None = None
) -> HostReport:
    """Install into one host. With ``raise_failure``, a failure is raised as an exception instead of being reported.

    ``mcp`` selects whether the MCP server is also installed; None selects it if the SDK can be imported. ``statusline``
    does the same for the segment of Claude Code's status line; None selects it if it is already installed. Either is
    removed if it is installed but not selected.
    """
    try:
        target = targets.make_target(host)
        _require_no_plugin(target)
        if mcp:
            require_sdk()
        with_server = is_importable() if mcp is None else mcp
        server = ServerTarget(host)
        content = files.read_file(target.path).content
        is_outdated = not target.is_current(content)
        must_remove_server_first = server.path == target.path and is_outdated
        lines = _list_status_lines(host)
        present_lines = [line for line in lines if line.describe_entries(content)]
        with_line = bool(present_lines) if statusline is None else statusline
        outdated_lines = present_lines if is_outdated or not with_line else []
        for checked_target in [target, *([server] if mcp else []), *(lines if with_line else [])]:
            install_file(checked_target, dry_run=True)  # fails before anything is written
        # Two edits to one file are undone in reverse order, so that the original bytes are restored.
        removed = [uninstall_file(server, dry_run)] if must_remove_server_first or not with_server else []
        line_reports = [uninstall_file(line, dry_run) for line in outdated_lines]
        installed = [install_file(target, dry_run)]
        server_reports, notes = _install_server(server, dry_run, strict=mcp is True) if with_server else (removed, [])
        if with_line:
            line_reports = [install_file(line, dry_run) for line in lines]
        command_reports, command_notes = _install_commands(host, dry_run)
    except Exception as failure:  # noqa: BLE001 -- a failure must not stop the other hosts; bugs are re-raised
        return report_failure(host, failure, raise_failure)
    trust = [target.trust_instructions] if target.trust_instructions and installed[0].action != "none" else []
    reports = [*installed, *(report for report in server_reports if with_server or report.action != "none")]
    reports += [report for report in line_reports if with_line or report.action != "none"] + command_reports
    return HostReport(host=host, files=reports, next=trust + notes + command_notes, error=None)


def _install_server(server: ServerTarget, dry_run: bool, *, strict: bool) -> tuple[list[FileReport], list[str]]:
    """Install the MCP server. With ``strict``, a failure is raised; otherwise it becomes a note for the user."""
    try:
        return [install_file(server, dry_run)], []
    except MindSkillsError as failure:
        if strict:
            raise
        return [], [f"The MCP server was not installed: {failure.message}. {failure.hint}".rstrip()]


def _install_commands(host: str, dry_run: bool) -> tuple[list[FileReport], list[str]]:
    """Install the slash commands. A failure becomes a note; a user's own file of the same name is preserved."""
    reports: list[FileReport] = []
    notes: list[str] = []
    for target in slash_commands.make_targets(host):
        try:
            reports.append(install_file(target, dry_run))
        except MindSkillsError as failure:
            notes.append(f"A slash command was not installed: {failure.message}.")
    return reports, notes


def uninstall_host(host: str, *, dry_run: bool, raise_failure: bool, purge: bool = False) -> HostReport:
    """Uninstall from one host: from every file that the journal lists, and from the default files.

    With ``raise_failure``, a failure is raised as an exception instead of being reported. With ``purge``, the host's own
    records about our hooks are also removed; otherwise they are mentioned in ``next``.
    """
    try:
        target = targets.make_target(host)
        recorded_keys = Journal.open_read_only(get_state_folder()).list_keys(host)
        servers = _find_targets(ServerTarget, host, recorded_keys, [ServerTarget(host)])
        commands = _find_targets(CommandTarget, host, recorded_keys, slash_commands.make_targets(host))
        suffixes = (ServerTarget.key_suffix, CommandTarget.key_suffix, StatusLineTarget.key_suffix)
        paths = dict.fromkeys([*(key for key in recorded_keys if not key.endswith(suffixes)), target.path])
        trust_keys = {path: codex_trust.list_stored_keys(path) for path in paths} if load_spec(host).trust_file else {}
        lines = _list_status_lines(host, list(paths))
        hooks = [targets.make_target(host, path) for path in paths]
        for checked_target in (*servers, *commands, *lines, *hooks):
            uninstall_file(checked_target, dry_run=True)  # fails before anything is written
        # In reverse order of installation, as several edits may be to one file.
        server_reports = [uninstall_file(server, dry_run) for server in servers]
        line_reports = [uninstall_file(line, dry_run) for line in lines]
        hook_reports = [uninstall_file(hook_target, dry_run) for hook_target in hooks]
        command_reports = [uninstall_file(command, dry_run) for command in commands]
        all_reports = [*hook_reports, *line_reports, *server_reports, *command_reports]
        reports = [report for report in all_reports if report.action != "none"] or hook_reports[-1:]
        notes = _describe_enabled_plugins(target)
        for path, keys in trust_keys.items():
            if keys and not purge:
                notes.append(_describe_trust(path, keys))
            elif keys and (trust_report := _retry(codex_trust.remove_entries)(path, keys, dry_run=dry_run)):
                reports.append(trust_report)
    except Exception as failure:  # noqa: BLE001 -- a failure must not stop the other hosts; bugs are re-raised
        return report_failure(host, failure, raise_failure)
    return HostReport(host=host, files=reports, next=notes, error=None)


def _list_status_lines(host: str, paths: Sequence[str] = ("",)) -> list[StatusLineTarget]:
    """Return the target of the status line in each settings file of a host; none if the host is not Claude Code."""
    return [StatusLineTarget(path) for path in paths] if host == status_line.STATUS_LINE_HOST else []


def _find_targets(
    kind: type[ServerTarget | CommandTarget], host: str, recorded_keys: list[str], default_targets: Sequence[Target]
) -> list[Target]:
    """Return the targets of one kind: the recorded ones, which may have other paths, and the default ones."""
    suffix = kind.key_suffix
    recorded = [kind(host, key.removesuffix(suffix)) for key in recorded_keys if key.endswith(suffix)]
    return [*recorded, *(target for target in default_targets if target.key not in recorded_keys)]


def _describe_trust(path: str, keys: list[str]) -> str:
    amount = "one entry" if len(keys) == 1 else f"{len(keys)} entries"
    path = codex_trust.find_settings(path)
    return (
        f"Codex records in {path} that you trust these hooks ({amount}): delete them below [hooks.state] there, or"
        " `mind-skills uninstall --all --purge` removes them with all that was learned."
    )


def is_installed(host: str) -> bool:
    """Return whether a host has any of our entries, according to the journal or, if it lists none, the host's settings.

    Settings that cannot be read count as having none.
    """
    if Journal.open_read_only(get_state_folder()).list_keys(host):
        return True
    try:
        target = targets.make_target(host)
        entries = [*targets.find_residue(target), *targets.find_residue(ServerTarget(host))]
        return bool(entries or _describe_enabled_plugins(target))
    except Exception as failure:
        if as_error(failure) is None:
            raise
        return False


def find_residue(host: str, *, purge: bool = False) -> list[str]:
    """Describe which of our entries are left in a host's files, and why files cannot be read.

    With ``purge``, the host's own records about our hooks are included.
    """
    notes: list[str] = []
    with _note_failure(notes):
        target = targets.make_target(host)
        for each in [target, ServerTarget(host), *_list_status_lines(host), *slash_commands.make_targets(host)]:
            with _note_failure(notes):
                notes += targets.find_residue(each)
        if purge and load_spec(host).trust_file and (keys := codex_trust.list_stored_keys(target.path)):
            notes.append(_describe_trust(target.path, keys))
        notes += _describe_enabled_plugins(target)
    return list(dict.fromkeys(notes))  # several targets may be in one file that cannot be read


def list_other_state_folders(hosts: Sequence[str]) -> list[str]:
    """List the folders, other than the current state folder, in which the hooks of ``hosts`` store what was learned.

    Settings that cannot be read count as naming none.
    """
    folders: list[str] = []
    for host in hosts:
        with _note_failure([]):
            target = targets.make_target(host)
            folders += target.list_state_folders(files.read_file(target.path).content)
    return [path for path in dict.fromkeys(folders) if path not in ("", get_state_folder())]


@contextmanager
def _note_failure(notes: list[str]) -> Generator[None]:
    """Append the message of a failure to ``notes`` instead of raising it. Bugs are raised."""
    try:
        yield
    except Exception as failure:
        error = as_error(failure)
        if error is None:
            raise
        notes.append(error.message)


def _describe_enabled_plugins(target: Target) -> list[str]:
    """Describe our enabled Claude Code plugins, whose hooks are not in the settings and cannot be removed by us."""
    if not isinstance(target, DocumentTarget):
        return []
    content = files.read_file(target.path).content
    names = target.convert_errors(lambda: targets.list_enabled_plugins(target.host, content))
    return [f"the plugin {name} has its own hooks: run `claude plugin uninstall {name}` to remove it" for name in names]


def _retry(work: Callable[P, T]) -> Callable[P, T]:
    """Return ``work`` so that it is repeated if another process has changed the file meanwhile."""

    @wraps(work)
    def work_repeatedly(*arguments: P.args, **options: P.kwargs) -> T:
        for _ in range(MAX_ATTEMPTS - 1):
            try:
                return work(*arguments, **options)
            except MindSkillsError as failure:
                if failure.code != "changed_meanwhile":
                    raise
        return work(*arguments, **options)

    return work_repeatedly


@_retry
def install_file(target: Target, dry_run: bool) -> FileReport:
    """Install into one file; lock the journal unless ``dry_run``. Raises as targets.install_target does."""
    if dry_run:
        return targets.install_target(Journal.open_read_only(get_state_folder()), target, 0, dry_run=True)
    with Journal(get_state_folder()) as journal:
        return targets.install_target(journal, target, time.time_ns() // 1_000_000)


@_retry
def uninstall_file(target: Target, dry_run: bool) -> FileReport:
    """Uninstall from one file; lock the journal unless ``dry_run``. Raises as targets.uninstall_target does."""
    if dry_run:
        return targets.uninstall_target(Journal.open_read_only(get_state_folder()), target, dry_run=True)
    with Journal(get_state_folder()) as journal:
        return targets.uninstall_target(journal, target)


def _require_no_plugin(target: Target) -> None:
    """Raise MindSkillsError if our Claude Code plugin is enabled: Claude Code would run its hooks and those in the settings."""
    content = files.read_file(target.path).content
    try:
        names = targets.list_enabled_plugins(target.host, content)
    except ValueError:
        return  # the installation into this file reports the problem
    if names:
        raise MindSkillsError(
            "installed_as_plugin",
            f"{target.path} enables the plugin {names[0]}, which has the same hooks",
            "Nothing needs to be installed. To use hooks in the settings instead, disable the plugin first.",
        )


def report_failure(host: str, failure: Exception, raise_failure: bool) -> HostReport:
    """Report that nothing was done for a host. Raises ``failure`` if it is a bug or ``raise_failure`` is set."""
    reported = as_error(failure)
    if reported is None or raise_failure:
        raise failure
    error = FailureReport(code=reported.code, message=reported.message, hint=reported.hint)
    return HostReport(host=host, files=[], next=[], error=error)
