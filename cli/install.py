"""`mind-skills install`: the hooks into the settings of the hosts."""

from __future__ import annotations

import click

from mind_skills.cli import options
from mind_skills.errors import DONE, INPUT, MindSkillsError
from mind_skills.hosts import NAMES
from mind_skills.output.text import emit, heading, line, note
from mind_skills.setup import service
from mind_skills.setup.install import running, targets
from mind_skills.setup.install.installing import FileReport
from mind_skills.setup.install.running import HostReport, InstallReport


@click.command(
    epilog=options.examples(
        "mind-skills install --dry-run", "mind-skills install claude-code", "mind-skills install codex --no-mcp"
    )
)
@click.argument("hosts", nargs=-1, metavar="[HOST]...")
@click.option(
    "--mcp/--no-mcp",
    "mcp",
    default=None,
    help="The MCP server as well, or not; without either, where the extra is installed and the settings allow it.",
)
@options.dry_run
@options.as_json
def command(hosts: tuple[str, ...], mcp: bool | None, dry_run: bool, as_json: bool) -> int:
    """Put the hooks into the settings of HOST, claude-code, opencode, codex or gemini, and the MCP server beside them.

    With the name watch it is a service of systemd that runs `mind-skills watch`. Without a name, the hooks of every host
    that is found on this machine. All other settings, comments and hooks keep their bytes; what is edited is kept as it
    was, and `mind-skills uninstall` brings it back. Run again, it changes nothing, or what an upgrade made necessary.
    """
    named = list(dict.fromkeys(hosts)) or targets.find_present_hosts()
    if not named:
        hint = f"Name one: {', '.join(NAMES)}."
        raise MindSkillsError("no_host", "no coding agent was found on this machine", hint)
    alone = len(named) == 1
    reports = [
        service.install_service(dry_run=dry_run, alone=alone)
        if host == service.NAME
        else running.install_host(host, dry_run=dry_run, alone=alone, mcp=mcp)
        for host in named
    ]
    emit(InstallReport(dry_run=dry_run, hosts=reports), as_json, lambda: _show(reports, dry_run))
    return INPUT if any(report.error for report in reports) else DONE


def _show(reports: list[HostReport], dry_run: bool) -> None:

    for report in reports:
        heading(report.host)
        if report.error is not None:
            note(f"  {report.error.message}\n  {report.error.hint}")
        for file in report.files:
            line(f"  {_said(file, dry_run)}")
            if file.diff and (dry_run or file.action == "edit"):
                line("".join(f"    {text}\n" for text in file.diff.splitlines()[:60]).rstrip("\n"))
            if file.backup:
                line(f"  as it was before: {file.backup}")
        for text in report.next:
            line(f"  {text}")


def _said(file: FileReport, dry_run: bool) -> str:
    if file.action == "none":
        return f"{file.path}: all in place, nothing to do"
    done = {"create": "create", "edit": "change", "remove": "remove"}[file.action]
    return f"{file.path}: would {done} it" if dry_run else f"{file.path}: {done}d"
