"""What `install` and `uninstall` do for each host, as documents. This is where the time is read."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Literal, TypeVar

from mind_skills.errors import MindSkillsError, as_error
from mind_skills.hosts import spec
from mind_skills.output.document import Report
from mind_skills.setup.install import codex_trust, files, installing, targets
from mind_skills.setup.install.installing import FileReport
from mind_skills.setup.install.journal import Journal
from mind_skills.setup.install.servers import MARK, ServerTarget
from mind_skills.setup.install.targets import Target
from mind_skills.store.home import state_folder
from mind_skills.tasks.mcp import extra

T = TypeVar("T")

TRIES = 5
"""How often a file is read anew that somebody else is writing at the same moment."""


class FailureReport(Report):
    """Why nothing was done for a host: as in the error of a command that fails as a whole."""

    code: str
    message: str
    hint: str


class HostReport(Report):
    """One host. ``next`` is what its user has still to do, in sentences."""

    host: str
    files: list[FileReport]
    next: list[str]
    error: FailureReport | None


class InstallReport(Report):
    """`mind-skills install --json`."""

    version: Literal[1] = 1
    dry_run: bool
    hosts: list[HostReport]


class UninstallReport(Report):
    """`mind-skills uninstall --json`.

    ``residue`` is null unless ``--verify`` asked for it: what is left, in sentences, and an empty list for nothing.
    ``purged`` are the paths that ``--purge`` removed or took our line out of, ``kept`` what stays and why, in sentences.
    """

    version: Literal[1] = 1
    dry_run: bool
    hosts: list[HostReport]
    residue: list[str] | None
    purged: list[str]
    kept: list[str]


def install_host(host: str, *, dry_run: bool, alone: bool, mcp: bool | None = None) -> HostReport:
    """Install one host. ``alone`` lets its failure be the failure of the command: raises MindSkillsError then.

    ``mcp`` says whether the MCP server is to be installed as well; None: where it can be.
    """
    try:
        target = targets.make_target(host)
        _refuse_beside_plugin(target)
        if mcp:
            extra.require()
        wanted = extra.is_importable() if mcp is None else mcp
        server = ServerTarget(host)
        beneath = server.path == target.path and not target.current(files.read_file(target.path).content)
        # Of two things in one file the later one goes first, or neither leaves it as it was.
        out = [_retry(partial(uninstall_file, server, dry_run))] if beneath or not wanted else []
        done = [_retry(partial(install_file, target, dry_run))]
        served, said = _install_server(server, dry_run, strict=mcp is True) if wanted else (out, [])
    except Exception as failure:  # noqa: BLE001 -- one host's failure must not keep the others waiting; bugs pass on
        return report_failure(host, failure, alone)
    trust = [target.trust] if target.trust and done[0].action != "none" else []
    told = [*done, *(one for one in served if wanted or one.action != "none")]
    return HostReport(host=host, files=told, next=trust + said, error=None)


def _install_server(server: ServerTarget, dry_run: bool, *, strict: bool) -> tuple[list[FileReport], list[str]]:
    """Install the MCP server; where that cannot be, the hooks are enough, unless it was asked for."""
    try:
        return [_retry(partial(install_file, server, dry_run))], []
    except MindSkillsError as failure:
        if strict:
            raise
        return [], [f"The MCP server was not installed: {failure.message}. {failure.hint}".rstrip()]


def uninstall_host(host: str, *, dry_run: bool, alone: bool, purge: bool = False) -> HostReport:
    """Uninstall one host, wherever it was installed. ``alone`` as above; ``purge`` takes out what the host itself
    wrote down about us as well, which else is told of.
    """
    try:
        target = targets.make_target(host)
        known = Journal.peek(state_folder()).paths(host)
        servers = [ServerTarget(host, key.removesuffix(MARK)) for key in known if key.endswith(MARK)]
        servers += [ServerTarget(host)] if ServerTarget(host).key not in known else []
        paths = dict.fromkeys([*(key for key in known if not key.endswith(MARK)), target.path])
        trusted = {path: codex_trust.list_entries(path) for path in paths} if spec(host).trust_file else {}
        for one in (*servers, *(targets.make_target(host, path) for path in paths)):
            uninstall_file(one, dry_run=True)  # all of it can be done, or none of it is
        out = [_retry(partial(uninstall_file, server, dry_run)) for server in servers]
        done = [_retry(partial(uninstall_file, targets.make_target(host, path), dry_run)) for path in paths]
        told = [one for one in [*done, *out] if one.action != "none"] or done[-1:]
        said = _list_plugins_left(target)
        for path, keys in trusted.items():
            if keys and not purge:
                said.append(_describe_trust(path, keys))
            elif keys and (forgotten := _retry(partial(codex_trust.remove_entries, path, keys, dry_run=dry_run))):
                told.append(forgotten)
    except Exception as failure:  # noqa: BLE001 -- one host's failure must not keep the others waiting; bugs pass on
        return report_failure(host, failure, alone)
    return HostReport(host=host, files=told, next=said, error=None)


def _describe_trust(path: str, keys: list[str]) -> str:
    many = "one entry" if len(keys) == 1 else f"{len(keys)} entries"
    place = codex_trust.find_settings(path)
    return f"Codex keeps {many} in {place} that say you trusted these hooks; `mind-skills uninstall codex --purge` removes them."


def is_installed(host: str) -> bool:
    """Whether a host has anything of ours; of one whose settings cannot be read the journal says so."""
    if Journal.peek(state_folder()).paths(host):
        return True
    try:
        target = targets.make_target(host)
        ours = [*installing.find_residue(target), *installing.find_residue(ServerTarget(host))]
        return bool(ours or _list_plugins_left(target))
    except Exception as failure:
        if as_error(failure) is None:
            raise
        return False


def find_residue(host: str, *, purge: bool = False) -> list[str]:
    """What is left of us in a host's settings, in sentences; a file that cannot be read is one of them.

    With ``purge`` what the host wrote down about us counts as well.
    """
    try:
        target = targets.make_target(host)
        remembered = codex_trust.list_entries(target.path) if purge and spec(host).trust_file else []
        noted = [_describe_trust(target.path, remembered)] if remembered else []
        served = installing.find_residue(ServerTarget(host))
        return [*installing.find_residue(target), *served, *noted, *_list_plugins_left(target)]
    except Exception as failure:
        known = as_error(failure)
        if known is None:
            raise
        return [known.message]


def _list_plugins_left(target: Target) -> list[str]:
    """Our plugins that Claude Code has enabled: their hooks are not in the settings, and not ours to take out."""
    if not spec(target.host).enabled_plugins:
        return []
    names = targets.enabled_plugins(target.host, files.read_file(target.path).content)
    return [
        f"the plugin {name} brings hooks of its own: `claude plugin uninstall {name}` takes it out" for name in names
    ]


def install_file(target: Target, dry_run: bool) -> FileReport:
    """Put us into one file, under the journal. Raises as installing.install."""
    if dry_run:
        return installing.install(Journal.peek(state_folder()), target, 0, dry_run=True)
    with Journal(state_folder()) as journal:
        return installing.install(journal, target, time.time_ns() // 1_000_000)


def uninstall_file(target: Target, dry_run: bool) -> FileReport:
    """Take us out of one file, under the journal. Raises as installing.uninstall."""
    if dry_run:
        return installing.uninstall(Journal.peek(state_folder()), target, dry_run=True)
    with Journal(state_folder()) as journal:
        return installing.uninstall(journal, target)


def _retry(work: Callable[[], T]) -> T:
    for attempt in range(TRIES):
        try:
            return work()
        except MindSkillsError as failure:
            if failure.code != "changed_meanwhile" or attempt == TRIES - 1:
                raise
    raise AssertionError("unreachable")


def _refuse_beside_plugin(target: Target) -> None:
    """Claude Code runs a plugin's hooks and those of the settings, both, and one is enough."""
    if not spec(target.host).enabled_plugins:
        return
    content = files.read_file(target.path).content
    try:
        names = targets.enabled_plugins(target.host, content)
    except ValueError:
        return  # the installation says what is wrong with the file
    for name in names:
        raise MindSkillsError(
            "installed_as_plugin",
            f"{target.path} has the plugin {name} enabled, which brings the same hooks",
            "That is all it takes. To use the settings instead, disable the plugin first.",
        )


def report_failure(host: str, failure: Exception, alone: bool) -> HostReport:
    """A host for which nothing was done. Raises ``failure`` where it is a bug, or ``alone`` is set."""
    known = as_error(failure)
    if known is None or alone:
        raise failure
    error = FailureReport(code=known.code, message=known.message, hint=known.hint)
    return HostReport(host=host, files=[], next=[], error=error)
