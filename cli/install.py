"""`mind-skills install`: add the hooks to the settings of hosts, after the user has confirmed the changes."""

from __future__ import annotations

import os
import sys
import time

import click

from mind_skills.cli import options
from mind_skills.errors import DONE, FAILURE, MindSkillsError
from mind_skills.hosts import HOST_NAMES, load_spec
from mind_skills.output import state
from mind_skills.output.text import (
    emit,
    format_count,
    join_names,
    print_heading,
    print_line,
    print_note,
    print_wrapped,
    strip_control_characters,
)
from mind_skills.settings.lenient import explain_disabling_problem, is_enabled
from mind_skills.setup import history, service
from mind_skills.setup.doctor import hosts as host_checks
from mind_skills.setup.doctor import probe
from mind_skills.setup.history import HistoryReport
from mind_skills.setup.install import host_install, targets
from mind_skills.setup.install.host_install import HookTestReport, HostReport, InstallReport
from mind_skills.setup.install.status_line import STATUS_LINE_HOST
from mind_skills.setup.install.targets import FileReport
from mind_skills.staging.pending_file import FILE_PATH
from mind_skills.store.home import get_state_folder

MAX_DIFF_LINES = 60
_CHANGE_TEXTS = {"create": "new", "edit": "our lines are added", "remove": "removed, since it contains only our lines"}


@options.top_level_command(
    "mind-skills install --dry-run", "mind-skills install claude-code --yes", "mind-skills install codex --no-mcp"
)
@click.argument("hosts", nargs=-1, metavar="[HOST]...")
@click.option(
    "--mcp/--no-mcp",
    "mcp",
    cls=options.Switch,
    default=None,
    help="Whether to install the MCP server as well. Default: yes if the `mcp` extra is installed and the settings allow it.",
)
@click.option(
    "--statusline/--no-statusline",
    "statusline",
    cls=options.Switch,
    default=None,
    help="Add the number of waiting learnings to Claude Code's status line, after your own text, or remove it. Default: neither.",
)
@click.option("-y", "--yes", is_flag=True, help="Do not ask: install, and learn from the last 30 days.")
@click.option("--no-history", is_flag=True, help="Do not learn from earlier sessions.")
@options.dry_run
@options.as_json
def command(
    hosts: tuple[str, ...],
    mcp: bool | None,
    statusline: bool | None,
    yes: bool,
    no_history: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Add the hooks, slash commands and MCP server to HOST: claude-code, opencode, codex, gemini or antigravity.

    HOST may also be watch, for a systemd service that runs `mind-skills watch`. Without HOST, they are added to every
    host found on this machine. All other settings, comments and hooks remain byte for byte as they are. Edited
    files are backed up, and `mind-skills uninstall` restores them. After an upgrade, run the command again to apply
    what changed.

    The command shows what it found and what it would change, asks for confirmation, and asks whether to learn from the
    sessions of the last 30 days. With --yes it does not ask, and learns from them unless --no-history is given. Without
    a terminal, or with --json, nobody can answer, so that either --yes is required, or HOST and --no-history, which
    leave nothing to ask. After installing, it tests the hooks by running them as each host does when a session starts.
    """
    selected_hosts = list(dict.fromkeys(hosts)) or targets.find_present_hosts()
    if not selected_hosts:
        hint = f"Run `mind-skills install HOST`, where HOST is one of {', '.join(HOST_NAMES)}."
        raise MindSkillsError("no_host", "no coding agent was found on this machine", hint)
    for host in selected_hosts:
        if host != service.SERVICE_NAME:
            targets.make_target(host)  # raises an error for an unknown host, before anything is asked or changed
    if statusline and STATUS_LINE_HOST not in selected_hosts:
        raise click.UsageError(
            f"--statusline is for {STATUS_LINE_HOST}, which is not among {join_names(selected_hosts)}."
        )
    is_interactive = not (yes or dry_run)
    if is_interactive and hosts and no_history and not can_ask(as_json):
        is_interactive = False  # the command line answers both questions
    elif is_interactive:
        require_terminal(as_json, "change the settings of your agents")
    if not (hosts or as_json):
        print_line(f"Found on this machine: {join_names([get_title(host) for host in selected_hosts])}.")
    if is_interactive and not _confirm(selected_hosts, mcp, statusline):
        print_line("Nothing was changed.")
        return DONE
    started = time.time_ns() // 1_000_000  # before the first hook can report a session
    reports = _install(selected_hosts, mcp, statusline, dry_run=dry_run)
    report = InstallReport(dry_run=dry_run, hosts=reports, answers=[], history=None)
    if not as_json:
        _print_hosts(reports, dry_run)
    if not dry_run:
        is_tested = is_enabled(os.sep)
        installed_hosts = [each.host for each in reports if each.error is None and each.host in HOST_NAMES]
        report.answers = [_test_hooks(host) for host in installed_hosts] if is_tested else []
        if not as_json:
            _print_answers(report.answers)
            if installed_hosts and not is_tested:
                problem = explain_disabling_problem(os.sep)
                advice = "mind-skills is disabled. `mind-skills config set enabled true` enables it"
                print_note(f"Not tested, because {problem or advice}.")
        if not no_history:
            report.history = _learn_from_history(started, ask=is_interactive)
    emit(report, as_json, lambda: _print_next(report))
    return FAILURE if any(each.error for each in reports) or any(each.problem for each in report.answers) else DONE


def _install(
    selected_hosts: list[str], mcp: bool | None, statusline: bool | None, *, dry_run: bool
) -> list[HostReport]:
    raise_failure = len(selected_hosts) == 1
    return [
        service.install_service(dry_run=dry_run, raise_failure=raise_failure)
        if host == service.SERVICE_NAME
        else host_install.install_host(
            host, dry_run=dry_run, raise_failure=raise_failure, mcp=mcp, statusline=statusline
        )
        for host in selected_hosts
    ]


def _confirm(selected_hosts: list[str], mcp: bool | None, statusline: bool | None) -> bool:
    """Print the files that will change, and ask the user for confirmation. Return False if the user declines."""
    planned_reports = _install(selected_hosts, mcp, statusline, dry_run=True)
    changed_files = [file for report in planned_reports for file in report.files if file.action != "none"]
    if not changed_files:
        return True  # nothing to confirm
    print_wrapped("These files will change; `mind-skills uninstall --all` restores them exactly:")
    for label, file in group_files(changed_files):
        print_line(f"  {shorten_path(label)} ({_CHANGE_TEXTS[file.action]})")
    while True:
        answer = prompt_line("Continue? [Y]es, [n]o, show the [d]iffs: ")
        if answer in ("", "y", "yes"):
            return True
        if answer in ("n", "no"):
            return False
        if answer in ("d", "diff", "diffs"):
            for file in changed_files:
                _print_diff(file)


def can_ask(as_json: bool) -> bool:
    """Return whether a user can answer a question on the terminal."""
    return not as_json and sys.stdin.isatty() and sys.stdout.isatty()


def require_terminal(as_json: bool, action: str) -> None:
    """Raise MindSkillsError if nobody can be asked whether to do ``action``."""
    if not can_ask(as_json):
        reason = "with --json" if as_json else "without a terminal"
        hint = "Add --yes if you want that; --dry-run shows what would change."
        raise MindSkillsError("not_confirmed", f"this would {action}, and {reason} nobody can be asked", hint)


def prompt_line(question: str) -> str:
    """Print ``question`` and return the user's answer in lower case, or "no" at the end of input."""
    sys.stdout.write(question)
    sys.stdout.flush()
    answer = sys.stdin.readline()
    return answer.strip().lower() if answer else "no"


def _test_hooks(host: str) -> HookTestReport:
    """Test the hooks with a temporary state folder, by running them as the host does when a session starts."""
    try:
        root = state.resolve_project_option("").root
    except MindSkillsError:
        root = get_state_folder()  # there is no current folder
    checks, hooks = host_checks.check_hooks(host, root)
    failure = next((check.text for check in checks if check.state == "failed"), "")
    needs_trust = any((check.name, check.state) == ("trust", "note") for check in checks)
    return HookTestReport(host=host, problem=failure or probe.run_start_hooks(hooks), needs_trust=needs_trust)


def _learn_from_history(now: int, *, ask: bool) -> HistoryReport | None:
    """Learn from the logs of the 30 days before ``now`` (UTC ms)."""
    list_logs = history.list_unread_logs if ask else history.list_recent_logs
    logs = list_logs(get_state_folder(), now)
    if ask:
        if not logs:
            return None
        number = format_count(len(logs), "session log")
        verb = "is" if len(logs) == 1 else "are"
        print_wrapped(
            f"There {verb} {number} from the last {history.HISTORY_DAYS} days. Projects in which something was learned get the "
            f"file {FILE_PATH}, and a line in .git/info/exclude so that git ignores it."
        )
        if prompt_line("Learn from them? [Y]es, [n]o: ") not in ("", "y", "yes"):
            return None
    return history.learn_from_logs(logs, now)


def _print_hosts(reports: list[HostReport], dry_run: bool) -> None:
    for report in reports:
        print_heading(get_title(report.host))
        if report.error is not None:
            print_note(f"  {report.error.message}\n  {report.error.hint}")
        for label, file in group_files(report.files):
            print_line(f"  {_describe_file(shorten_path(label), file, dry_run)}")
        for file in report.files if dry_run else []:
            _print_diff(file)
        for text in report.next:
            print_line(f"  {text}")


def _describe_file(path: str, file: FileReport, dry_run: bool) -> str:
    if file.action == "none":
        return f"{path}: up to date"
    verb = {"create": "create", "edit": "change", "remove": "remove"}[file.action]
    backup = f"; backup: {shorten_path(file.backup)}" if file.backup else ""
    return f"{path}: would {verb} it" if dry_run else f"{path}: {verb}d{backup}"


def group_files(reports: list[FileReport]) -> list[tuple[str, FileReport]]:
    """Return a label and the report of each file. Slash commands in one folder with the same action are one entry."""
    report_by_path: dict[str, FileReport] = {}
    for report in reports:
        earlier = report_by_path.get(report.path)
        report_by_path[report.path] = _merge_reports(earlier, report) if earlier else report
    grouped: dict[tuple[str, str, str], list[FileReport]] = {}
    for path, report in report_by_path.items():
        folder, name = os.path.split(path)
        grouped.setdefault((folder, "" if is_slash_command(path) else name, report.action), []).append(report)
    return [(_make_label(group), group[0]) for group in grouped.values()]


def _merge_reports(first: FileReport, second: FileReport) -> FileReport:
    """Return one report of two changes to a file."""
    actions = {first.action, second.action}
    is_recreated = {"create", "remove"} <= actions
    action = "edit" if is_recreated else max(actions, key=("none", "edit", "create", "remove").index)
    # After a creation, the second backup contains only our own entries.
    backup = "" if action == "create" else first.backup or second.backup
    return first.replace(action=action, diff=first.diff + second.diff, backup=backup)


def is_slash_command(path: str) -> bool:
    """Return whether the file of a host is one of our slash commands, judged by its name."""
    return os.path.basename(path).startswith("mind-skills-")


def _make_label(group: list[FileReport]) -> str:
    """Return ``FOLDER/mind-skills-{learn,review}.md`` for several slash commands, and the path for one file."""
    path = group[0].path
    if len(group) == 1:
        return path
    start, _, rest = path.rpartition("mind-skills-")
    names = [report.path.rpartition("mind-skills-")[2].partition(".")[0] for report in group]
    return f"{start}mind-skills-{{{','.join(names)}}}.{rest.partition('.')[2]}"


def _print_diff(file: FileReport) -> None:
    lines = file.diff.splitlines()
    for text in lines[:MAX_DIFF_LINES]:
        print_line(f"    {text}")
    if lines[MAX_DIFF_LINES:]:
        print_line(f"    ... {len(lines) - MAX_DIFF_LINES} more lines; `--dry-run --json` prints all of them")


def _print_answers(answers: list[HookTestReport]) -> None:
    working_titles = [get_title(answer.host) for answer in answers if not (answer.problem or answer.needs_trust)]
    if working_titles:
        verb = "responds" if len(working_titles) == 1 else "respond"
        print_line(f"Checked: {join_names(working_titles)} {verb}.")
    for answer in answers:
        if answer.needs_trust and not answer.problem:
            print_line(f"{get_title(answer.host)} skips the hooks until you trust them; `mind-skills doctor` says how.")
        if answer.problem:
            problem = strip_control_characters(answer.problem)
            print_note(f"{get_title(answer.host)} is installed, but {problem}. Run `mind-skills doctor` for a fix.")


def _print_next(report: InstallReport) -> None:
    """Print what was learned from the last 30 days, and the next step."""
    if report.history is not None:
        if report.history.logs or not report.history.problems:
            learnings = format_count(report.history.candidates, "learning")
            print_line(
                f"Read {format_count(report.history.logs, 'session')} from the last {history.HISTORY_DAYS} days: {learnings}."
            )
        for text in report.history.problems:
            print_note(text)
    if not report.dry_run and any(not answer.problem for answer in report.answers):
        print_wrapped(
            "Next: keep working. What a session learns is offered to the next session in the same project; "
            "`mind-skills status` summarises it."
        )
        if report.history is not None and report.history.candidates:
            print_wrapped("To have skills written of it now, tell an agent: run `mind-skills distil`.")


def get_title(host: str) -> str:
    """Return the name of a host for people; the service has none of its own."""
    return load_spec(host).title if host in HOST_NAMES else host


def shorten_path(path: str) -> str:
    """Abbreviate the home folder in a path to ``~``."""
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path.startswith(home + os.sep) else path
