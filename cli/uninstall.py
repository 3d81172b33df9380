"""`mind-skills uninstall`: remove the hooks from the settings, and with --purge everything else."""

from __future__ import annotations

import click

from mind_skills.cli import options
from mind_skills.cli.install import group_files
from mind_skills.errors import DONE, INPUT
from mind_skills.hosts import HOST_NAMES
from mind_skills.output.text import emit, heading, join_names, print_line, print_note, print_wrapped
from mind_skills.setup import service
from mind_skills.setup.install import host_install, purging
from mind_skills.setup.install.host_install import HostReport, UninstallReport


@options.top_command(
    "mind-skills uninstall codex --verify",
    "mind-skills uninstall --all --dry-run",
    "mind-skills uninstall --all --purge --verify",
)
@click.argument("hosts", nargs=-1, metavar="[HOST]...")
@click.option("--all", "all_hosts", is_flag=True, help="All hosts.")
@click.option("--verify", is_flag=True, help="Search for leftovers, and exit with 1 if there are any.")
@click.option(
    "--purge",
    is_flag=True,
    help="Also remove everything that was learned: state, settings, the pending files and indexes of all projects, the"
    " lines in git's exclude lists, and the entries of Codex about our hooks.",
)
@options.dry_run
@options.as_json
def command(hosts: tuple[str, ...], all_hosts: bool, verify: bool, purge: bool, dry_run: bool, as_json: bool) -> int:
    """Remove the hooks from the settings of HOST: claude-code, opencode, codex or gemini; or the service, called watch.

    The settings are restored to the byte. If they were changed in the meantime, only our entries are removed. What was
    learned stays, unless --purge is given.
    """
    if bool(hosts) == all_hosts:
        raise click.UsageError("name one HOST or more, or --all")
    selected = [*HOST_NAMES, service.SERVICE_NAME] if all_hosts else list(dict.fromkeys(hosts))
    if purge:
        purging.require_no_other_host(selected)
    raise_failure = len(selected) == 1 and not purge  # a broken host must not block the others
    reports = [
        service.uninstall_service(dry_run=dry_run, raise_failure=raise_failure)
        if host == service.SERVICE_NAME
        else host_install.uninstall_host(host, dry_run=dry_run, raise_failure=raise_failure, purge=purge)
        for host in selected
    ]
    has_failed = any(report.error for report in reports)
    swept, known = purging.PurgeResult(), purging.PurgeRecords()
    if purge:
        purging.require_no_watch(dry_run=dry_run)
        swept, known = purging.purge(dry_run=dry_run)
    elif not has_failed and not purging.list_other_hosts(selected):
        swept.kept += purging.describe_remaining()
    leftovers = [
        text
        for host in selected
        if host != service.SERVICE_NAME
        for text in host_install.find_residue(host, purge=purge)
    ]
    leftovers += service.find_residue() if service.SERVICE_NAME in selected else []
    leftovers += purging.find_residue(known) if purge else []
    residue = leftovers if verify and not dry_run else None
    report = UninstallReport(dry_run=dry_run, hosts=reports, residue=residue, purged=swept.removed, kept=swept.kept)
    emit(report, as_json, lambda: _print(report, purge=purge))
    return INPUT if has_failed or residue else DONE


def _is_untouched(report: HostReport) -> bool:
    """Return whether there was nothing to remove for a host, and there is nothing to say about it."""
    return report.error is None and not report.next and all(file.action == "none" for file in report.files)


def _print(report: UninstallReport, *, purge: bool) -> None:
    untouched = [host for host in report.hosts if _is_untouched(host)]
    for host in report.hosts:
        if host in untouched:
            continue
        heading(host.host)
        if host.error is not None:
            print_note(f"  {host.error.message}\n  {host.error.hint}")
        for label, file in group_files(host.files):
            results = {"none": "nothing of ours in it", "remove": "removed", "edit": "restored", "create": "restored"}
            print_line(
                f"  {label}: {'would be ' if report.dry_run and file.action != 'none' else ''}{results[file.action]}"
            )
        for file in host.files if report.dry_run else []:
            if file.diff:
                print_line("".join(f"    {text}\n" for text in file.diff.splitlines()).rstrip("\n"))
        for text in host.next:
            print_line(f"  {text}")
    if untouched:
        print_wrapped(f"Nothing of ours in the settings of {join_names([host.host for host in untouched])}.")
    for path in report.purged:
        print_line(f"{'would remove' if report.dry_run else 'removed'} {path}")
    for text in report.kept:
        print_line(f"kept: {text}")
    if report.kept and not purge:
        print_line(f"{purging.PURGE_COMMAND} removes {'it' if len(report.kept) == 1 else 'them'} as well.")
    if report.residue is not None:
        print_line("Verified: nothing is left." if not report.residue else "Left behind:")
    for text in report.residue or []:
        print_line(f"  {text}")
