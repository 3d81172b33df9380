"""`mind-skills install`: the hooks into the settings of the hosts, as a minute in which a person is told what happens."""

from __future__ import annotations

import os
import sys
import time

import click

from mind_skills.cli import options
from mind_skills.errors import DONE, INPUT, MindSkillsError
from mind_skills.hosts import NAMES, spec
from mind_skills.output.text import count, emit, heading, join_names, line, note, printable, show_progress
from mind_skills.settings.lenient import enabled
from mind_skills.setup import history, service
from mind_skills.setup.doctor import hosts as host_checks
from mind_skills.setup.doctor import probe
from mind_skills.setup.history import HistoryReport
from mind_skills.setup.install import running, targets
from mind_skills.setup.install.installing import FileReport
from mind_skills.setup.install.running import AnswerReport, HostReport, InstallReport
from mind_skills.store.home import state_folder

DIFF_LINES = 60
"""Of each file."""
_CHANGES = {"create": "new", "edit": "our lines are added", "remove": "ours alone, and goes"}


@click.command(
    epilog=options.examples(
        "mind-skills install --dry-run", "mind-skills install claude-code --yes", "mind-skills install codex --no-mcp"
    )
)
@click.argument("hosts", nargs=-1, metavar="[HOST]...")
@click.option(
    "--mcp/--no-mcp",
    "mcp",
    default=None,
    help="The MCP server as well, or not; without either, where the extra is installed and the settings allow it.",
)
@click.option("-y", "--yes", is_flag=True, help="Ask nothing: install, and learn from the last 30 days.")
@click.option("--no-history", is_flag=True, help="Learn nothing from sessions of before.")
@options.dry_run
@options.as_json
def command(hosts: tuple[str, ...], mcp: bool | None, yes: bool, no_history: bool, dry_run: bool, as_json: bool) -> int:
    """Put the hooks into the settings of HOST, claude-code, opencode, codex or gemini, and the MCP server beside them.

    With the name watch it is a service of systemd that runs `mind-skills watch`. Without a name, the hooks of every host
    that is found on this machine. All other settings, comments and hooks keep their bytes; what is edited is kept as it
    was, and `mind-skills uninstall` brings it back. Run again, it changes nothing, or what an upgrade made necessary.

    On a terminal it says what it found and would change, and asks, also whether to learn from the last 30 days;
    elsewhere it asks nothing, and learns from them only with --yes. At the end a session is begun as each host would.
    """
    named = list(dict.fromkeys(hosts)) or targets.find_present_hosts()
    if not named:
        hint = f"Name one: {', '.join(NAMES)}."
        raise MindSkillsError("no_host", "no coding agent was found on this machine", hint)
    asks = not (yes or dry_run or as_json) and sys.stdin.isatty() and sys.stdout.isatty()
    if not (hosts or as_json):
        line(f"Found on this machine: {join_names([_title(host) for host in named])}.")
    if asks and not _confirm(named, mcp):
        line("Nothing was changed.")
        return DONE
    reports = _install(named, mcp, dry_run=dry_run)
    report = InstallReport(dry_run=dry_run, hosts=reports, answers=[], history=None)
    if not as_json:
        _print_hosts(reports, dry_run)
    if not dry_run:
        report.answers = [_ask_hooks(one.host) for one in reports if one.error is None and one.host in NAMES]
        if not as_json:
            _print_answers(report.answers)
        if not no_history and (yes or asks):
            report.history = _learn(asks=asks)
    emit(report, as_json, lambda: _print_next(report))
    return INPUT if any(one.error for one in reports) or any(one.problem for one in report.answers) else DONE


def _install(named: list[str], mcp: bool | None, *, dry_run: bool) -> list[HostReport]:
    alone = len(named) == 1
    return [
        service.install_service(dry_run=dry_run, alone=alone)
        if host == service.NAME
        else running.install_host(host, dry_run=dry_run, alone=alone, mcp=mcp)
        for host in named
    ]


def _confirm(named: list[str], mcp: bool | None) -> bool:
    """Say what will change, and whether that is wanted."""
    planned = _install(named, mcp, dry_run=True)
    changed = [file for report in planned for file in report.files if file.action != "none"]
    if not changed:
        return True  # nothing to ask for
    line("These files will change; `mind-skills uninstall --all` brings them back to the byte:")
    for file in changed:
        line(f"  {_short(file.path)} ({_CHANGES[file.action]})")
    while True:
        answer = _prompt("Go on? [Y]es, [n]o, show the [d]iffs: ")
        if answer in ("", "y", "yes"):
            return True
        if answer in ("n", "no"):
            return False
        if answer in ("d", "diff", "diffs"):
            for file in changed:
                _print_diff(file)


def _prompt(question: str) -> str:
    """What a person answers, in small letters; no where they end the input."""
    sys.stdout.write(question)
    sys.stdout.flush()
    answer = sys.stdin.readline()
    return answer.strip().lower() if answer else "no"


def _ask_hooks(host: str) -> AnswerReport:
    """Begin a session as the host would, in a state folder that is thrown away."""
    checks, hooks = host_checks.check_hooks(host, state_folder())
    wrong = next((check.text for check in checks if check.state == "failed"), "")
    if not enabled(os.sep):
        return AnswerReport(host=host, problem="")  # a hook that is switched off has nothing to say
    return AnswerReport(host=host, problem=wrong or probe.ask(hooks))


def _learn(*, asks: bool) -> HistoryReport | None:
    """Learn from the last 30 days, if there are logs, and if that is wanted."""
    now = time.time_ns() // 1_000_000
    logs = history.list_recent_logs(state_folder(), now)
    if asks and logs:
        many = count(len(logs), "session log")
        line(
            f"There {'is' if len(logs) == 1 else 'are'} {many} of the last {history.DAYS} days. Reading them changes nothing of yours."
        )
        if _prompt("Learn from them? [Y]es, [n]o: ") not in ("", "y", "yes"):
            return None
    with show_progress("Reading", len(logs)) as advance:
        return history.learn_from_logs(logs, now, advance)


def _print_hosts(reports: list[HostReport], dry_run: bool) -> None:
    for report in reports:
        heading(_title(report.host))
        if report.error is not None:
            note(f"  {report.error.message}\n  {report.error.hint}")
        for file in report.files:
            line(f"  {_describe_file(file, dry_run)}")
            if dry_run:
                _print_diff(file)
        for text in report.next:
            line(f"  {text}")


def _describe_file(file: FileReport, dry_run: bool) -> str:
    path = _short(file.path)
    if file.action == "none":
        return f"{path}: all in place, nothing to do"
    done = {"create": "create", "edit": "change", "remove": "remove"}[file.action]
    before = f"; as it was before: {_short(file.backup)}" if file.backup else ""
    return f"{path}: would {done} it" if dry_run else f"{path}: {done}d{before}"


def _print_diff(file: FileReport) -> None:
    lines = file.diff.splitlines()
    for text in lines[:DIFF_LINES]:
        line(f"    {text}")
    if lines[DIFF_LINES:]:
        line(f"    ... {len(lines) - DIFF_LINES} lines more; --json has them all")


def _print_answers(answers: list[AnswerReport]) -> None:
    good = [_title(one.host) for one in answers if not one.problem]
    if good:
        line(
            f"Checked: the {'hook' if len(good) == 1 else 'hooks'} of {join_names(good)} {'answers' if len(good) == 1 else 'answer'}."
        )
    for one in answers:
        if one.problem:
            note(
                f"{_title(one.host)} is installed, but {printable(one.problem)}. `mind-skills doctor` says how to mend it."
            )


def _print_next(report: InstallReport) -> None:
    """What came of the last 30 days, and what happens from here on."""
    if report.history is not None:
        found = count(report.history.candidates, "learning")
        line(f"Read {count(report.history.logs, 'session')} of the last {history.DAYS} days: {found}.")
        for text in report.history.problems:
            note(text)
    if not report.dry_run and any(not one.problem for one in report.answers):
        line(
            "Next: work as usual. What a session learns is handed to the next one in its project, and `mind-skills status` shows it."
        )


def _title(host: str) -> str:
    return spec(host).title if host in NAMES else host


def _short(path: str) -> str:
    """A path as a person writes it."""
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path.startswith(home + os.sep) else path
