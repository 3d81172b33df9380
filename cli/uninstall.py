"""`mind-skills uninstall`: remove the hooks from the settings, and with --purge everything else."""

from __future__ import annotations

import os
import shlex

import click

from mind_skills.cli import options
from mind_skills.cli.install import (
    get_title,
    group_files,
    is_slash_command,
    prompt_line,
    require_terminal,
    shorten_path,
)
from mind_skills.errors import DONE, FAILURE, MindSkillsError
from mind_skills.hosts import HOST_NAMES
from mind_skills.learning.skills.files import FILE_NAME as SKILL_FILE_NAME
from mind_skills.output import state
from mind_skills.output.text import emit, join_names, print_heading, print_line, print_note, print_wrapped
from mind_skills.setup import service
from mind_skills.setup.install import host_install, purging
from mind_skills.setup.install.host_install import HostReport, UninstallReport
from mind_skills.setup.install.purge_records import PurgeRecords
from mind_skills.store.home import HOME_VARIABLE, get_state_folder
from mind_skills.store.project import Project


@options.top_level_command(
    "mind-skills uninstall codex --verify",
    "mind-skills uninstall --all --dry-run",
    "mind-skills uninstall --all --purge --verify",
)
@click.argument("hosts", nargs=-1, metavar="[HOST]...")
@click.option("--all", "all_hosts", is_flag=True, help="All hosts, and the systemd service.")
@click.option("--verify", is_flag=True, help="Search for leftovers, and exit with 1 if there are any.")
@click.option(
    "--purge",
    is_flag=True,
    help="Also remove everything that was learned: state, settings, the pending files and indexes of all projects, the"
    " lines in git's exclude lists, and what Codex stores about our hooks.",
)
@click.option("-y", "--yes", is_flag=True, help="Do not ask before --purge deletes for good.")
@options.add_project_option("Examine this project even if there is no record of it. Default: the current one.")
@options.dry_run
@options.as_json
def command(
    hosts: tuple[str, ...],
    all_hosts: bool,
    verify: bool,
    purge: bool,
    yes: bool,
    folder: str,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Remove the hooks from the settings of HOST: claude-code, opencode, codex, gemini, antigravity, or watch for the service.

    The settings are restored byte for byte. If they were changed in the meantime, only our entries are removed. What was
    learned remains on this machine unless --purge is given. Skills that your agents wrote are yours, and always stay.

    --purge shows what it would delete and asks first; if you decline, only the hooks are removed. Without a terminal, or
    with --json, it requires --yes.
    """
    if bool(hosts) == all_hosts:
        raise click.UsageError("give either --all, or one HOST or more")
    if dry_run and verify:
        raise click.UsageError(
            "--verify searches for leftovers of a removal, and --dry-run removes nothing: use only one of them"
        )
    project = _resolve_project(folder)
    selected_hosts = [*HOST_NAMES, service.SERVICE_NAME] if all_hosts else list(dict.fromkeys(hosts))
    if purge:
        purging.require_no_other_host(selected_hosts)
        if not (yes or dry_run):
            require_terminal(as_json, "delete for good what was learned")
            purge = _confirm_purge(project)
    hook_hosts = [host for host in selected_hosts if host in HOST_NAMES]
    other_folders = [*filter(purging.is_used, host_install.list_other_state_folders(hook_hosts))]
    # An error in one host must not stop the others, or the search for leftovers.
    can_stop = len(selected_hosts) == 1 and not purge and not (verify and selected_hosts[0] in HOST_NAMES)
    reports = [
        service.uninstall_service(dry_run=dry_run, raise_failure=can_stop)
        if host == service.SERVICE_NAME
        else host_install.uninstall_host(host, dry_run=dry_run, raise_failure=can_stop, purge=purge)
        for host in selected_hosts
    ]
    has_failed = any(report.error for report in reports)
    purge_result, purge_records = purging.PurgeResult(), PurgeRecords()
    if purge:
        purging.require_no_watch(dry_run=dry_run)
        purge_result, purge_records = purging.purge(project, dry_run=dry_run)
        purge_result.unresolved += map(_describe_other_folder, other_folders)
    elif not has_failed and not purging.list_other_hosts(selected_hosts):
        purge_result.remaining += purging.describe_remaining(project)
    if not purge:
        purge_result.remaining += map(_describe_other_folder, other_folders)
    residue: list[str] | None = None
    if verify:
        residue = [
            text
            for host in selected_hosts
            if host != service.SERVICE_NAME
            for text in host_install.find_residue(host, purge=purge)
        ]
        residue += service.find_residue() if service.SERVICE_NAME in selected_hosts else []
        residue += [*purge_result.unresolved, *purging.find_residue(purge_records)] if purge else []
    has_leftovers = has_failed or bool(residue) or bool(purge_result.unresolved)
    report = UninstallReport(
        dry_run=dry_run,
        hosts=reports,
        residue=residue,
        purged=purge_result.removed,
        kept=purge_result.remaining + purge_result.unresolved,
        skills=purge_result.skills,
        program=purging.find_program_removal() if purge and not has_leftovers else "",
    )
    emit(report, as_json, lambda: _print_report(report, purge=purge))
    return FAILURE if has_failed or residue or purge_result.has_failed else DONE


def _resolve_project(folder: str) -> Project | None:
    """Return the project at ``folder``, or else the current one; None if the current folder no longer exists."""
    try:
        return state.resolve_project_option(folder)
    except MindSkillsError:
        if folder:
            raise
        return None


def _describe_other_folder(path: str) -> str:
    command = f"{HOME_VARIABLE}={shlex.quote(path)} {purging.PURGE_COMMAND.strip('`')}"
    return f"{path} contains what hooks installed with this state folder have learned: `{command}` removes it"


def _confirm_purge(project: Project | None) -> bool:
    """Print what a purge deletes for good, and return whether the user agrees; True if there is nothing to delete."""
    planned, _ = purging.purge(project, dry_run=True)
    if not planned.removed:
        return True
    _print_skills(planned.skills)
    print_line("What was learned, and your settings of mind-skills:")
    for path in planned.removed:
        print_line(f"  {_format_purged(path)}")
    question = "Delete what was learned for good? [y]es, [N]o, only remove the hooks: "
    return prompt_line(question) in ("y", "yes")


def _print_skills(paths: list[str]) -> None:
    """Print the skills that stay."""
    if not paths:
        return
    singular = "1 skill that your agents wrote is yours and stays:"
    print_line(singular if len(paths) == 1 else f"{len(paths)} skills that your agents wrote are yours and stay:")
    for path in paths:
        print_line(f"  {shorten_path(path)}")


def _format_removal(paths: list[str]) -> str:
    """Return the command that deletes the skills: the folder of a skill if it is in a folder `skills`, else only the file."""
    folders = {path: os.path.dirname(path) for path in paths}
    targets = [
        folder
        if os.path.basename(path) == SKILL_FILE_NAME and os.path.basename(os.path.dirname(folder)) == "skills"
        else path
        for path, folder in folders.items()
    ]
    return f"rm -r {' '.join(map(shlex.quote, dict.fromkeys(targets)))}"


def _is_untouched(report: HostReport) -> bool:
    """Return whether there was nothing to remove from the settings of a host, and there is nothing to report."""
    return report.error is None and not report.next and all(file.action == "none" for file in report.files)


def _print_report(report: UninstallReport, *, purge: bool) -> None:
    untouched_hosts = [host for host in report.hosts if _is_untouched(host)]
    for host in report.hosts:
        if host not in untouched_hosts:
            _print_host(host, dry_run=report.dry_run)
    untouched_titles = [get_title(host.host) for host in untouched_hosts if host.host != service.SERVICE_NAME]
    if untouched_titles:
        print_wrapped(f"The settings of {join_names(untouched_titles)} contain nothing of ours.")
    if len(untouched_titles) < len(untouched_hosts):
        print_line("The systemd service is not installed.")
    for path in report.purged:
        print_line(f"{'would remove' if report.dry_run else 'removed'} {_format_purged(path)}")
    for text in report.kept:
        if text not in (report.residue or []):  # printed below
            print_line(f"remaining: {shorten_path(text)}")
    # What is in another state folder names the command that removes it.
    kept_here = [text for text in report.kept if HOME_VARIABLE not in text]
    if kept_here and not purge:
        print_line(f"{purging.PURGE_COMMAND} removes {'it' if len(kept_here) == 1 else 'them'} as well.")
    _print_skills(report.skills)
    if report.skills:
        print_line(f"To delete {'it' if len(report.skills) == 1 else 'them'} as well: {_format_removal(report.skills)}")
    if report.residue is not None:
        print_line("Left behind:" if report.residue else _describe_verified(report, purge=purge))
    for text in report.residue or []:
        print_line(f"  {shorten_path(text)}")
    if report.program:
        print_line(f"`{report.program}` removes the program itself.")
    changed_files = [file for host in report.hosts for file in host.files if report.dry_run and file.diff]
    for file in [each for each in changed_files if not is_slash_command(each.path)]:
        print_line()
        print_line("".join(f"    {text}\n" for text in file.diff.splitlines()).rstrip("\n"))


def _print_host(host: HostReport, *, dry_run: bool) -> None:
    print_heading(get_title(host.host))
    if host.error is not None:
        print_note(f"  {host.error.message}\n  {host.error.hint}")
    for label, file in group_files(host.files):
        results = {"none": "contains nothing of ours", "remove": "removed", "edit": "restored", "create": "restored"}
        print_line(
            f"  {shorten_path(label)}: {'would be ' if dry_run and file.action != 'none' else ''}{results[file.action]}"
        )
    for text in host.next:
        print_line(f"  {text}")


def _format_purged(text: str) -> str:
    """Return a path for people or, for a line of git's exclude file (``PATH: PATTERN``), what is removed from which file."""
    path, colon, pattern = text.partition(": **/")
    return f"the line **/{pattern} from {shorten_path(path)}" if colon else shorten_path(path)


def _describe_verified(report: UninstallReport, *, purge: bool) -> str:
    """Return the text to print if there are no leftovers. Without ``purge``, the state folder does not count as a leftover."""
    folder = get_state_folder()
    if not purge and purging.is_used(folder):
        return f"Verified: nothing is left in the settings; what was learned is stored in {shorten_path(folder)}."
    return f"Verified: nothing {'else ' if report.kept or report.skills else ''}is left."
