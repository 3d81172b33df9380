"""Checks of one host: its hooks and what prevents them from running, the MCP server, and the status line."""

from __future__ import annotations

import json
import os
import re
import shutil
import tomllib
from collections.abc import Iterator
from typing import Any

from mind_skills.errors import MindSkillsError, StoreError, as_error
from mind_skills.hosts import HostSpec, load_spec
from mind_skills.plugin import command
from mind_skills.setup.doctor import probe
from mind_skills.setup.doctor.check import CheckReport, make_failure, make_note, make_ok
from mind_skills.setup.install import codex_trust, files, targets
from mind_skills.setup.install.jsonc import parse
from mind_skills.setup.install.servers import ServerTarget
from mind_skills.setup.install.status_line import STATUS_LINE_HOST, StatusLineTarget
from mind_skills.setup.install.targets import SettingsTarget, Target
from mind_skills.tasks.mcp import extra


def check_hooks(host: str, root: str) -> tuple[list[CheckReport], list[probe.Hook]]:
    """Check a host's hooks without starting a process; return the results and the hooks that remain to be started.

    ``root`` is the folder of the project, whose settings may disable hooks.
    """
    try:
        target = targets.make_target(host)
        content = files.read_file(target.path).content
        target.describe_entries(content)
    except Exception as failure:
        report = as_error(failure)
        if report is None:
            raise
        return [make_failure("hooks", report.message, report.hint, host)], []
    if isinstance(target, SettingsTarget):
        return _check_settings(target, content, root)
    return _check_plugin(target, content)


def _check_settings(
    target: SettingsTarget, content: bytes | None, root: str
) -> tuple[list[CheckReport], list[probe.Hook]]:
    checks = list(_check_handlers(target, content))
    handlers = target.read_handlers(content)
    commands = {event: _read_command(ours) for event, ours in handlers.items()}
    hooks = [] if any(check.state == "failed" for check in checks) else probe.make_hooks(target.host, commands)
    plugins = targets.list_enabled_plugins(target.host, content)
    if handlers or plugins:
        checks += [*_check_switches(target, content), *_check_project_switches(target.spec, root)]
    return checks, hooks


def _check_handlers(target: SettingsTarget, content: bytes | None) -> Iterator[CheckReport]:
    host, install_command = target.host, f"mind-skills install {target.host}"
    handlers, plugins = target.read_handlers(content), targets.list_enabled_plugins(host, content)
    if not handlers:
        yield _report_missing_hooks(host, plugins)
        return
    if plugins:
        text = f"{target.path} has the hooks, and so does the plugin {plugins[0]}"
        yield make_note(
            "hooks",
            f"{text}; nothing is offered twice, but one of them is enough",
            f"mind-skills uninstall {host}",
            host,
        )
    wanted = target.build_entries()
    missing = [event for event in wanted if event not in handlers]
    duplicates = [event for event, ours in handlers.items() if len(ours) > 1]
    if missing:
        yield make_failure("hooks", f"{target.path} has no hook at {' and '.join(missing)}", install_command, host)
    if duplicates:
        yield make_failure(
            "hooks", f"{target.path} has duplicate hooks at {' and '.join(duplicates)}", install_command, host
        )
    if problem := _find_broken_command([_read_command(ours) for ours in handlers.values()]):
        yield make_failure("hooks", f"{target.path}: {problem}", install_command, host)
    elif not missing and not duplicates and not target.is_current(content):
        yield make_note(
            "hooks",
            f"the hooks in {target.path} start another or older installation of mind-skills, or one with another state folder",
            install_command,
            host,
        )
    elif not missing and not duplicates:
        yield make_ok("hooks", f"{target.path}: {len(handlers)} hooks", host)


def _read_command(handlers: list[Any]) -> str:
    return str(handlers[0].get("command", ""))


def _find_broken_command(commands: list[str]) -> str:
    """Describe what is wrong with the first broken command; return an empty string if there is none."""
    for text in commands:
        python, script = command.parse_command(text)
        # A command that was written by hand has no ``python``; the probe runs it.
        if python and (problem := _find_program_problem(python, script)):
            return problem
    return ""


def _find_program_problem(python: str, script: str) -> str:
    """Describe what is wrong with the interpreter or the script of a command; return an empty string if nothing is."""
    if problem := command.find_problem(python):
        return f"{python} {problem}"
    if os.access(script, os.R_OK):
        return ""
    return f"{script} {'cannot be read' if os.path.lexists(script) else 'does not exist'}"


def _report_missing_hooks(host: str, plugins: list[str]) -> CheckReport:
    if plugins:
        return make_ok("hooks", f"the plugin {plugins[0]} is enabled", host)
    if os.path.isdir(targets.find_folder(host)) or shutil.which(load_spec(host).binary):
        return make_note(
            "hooks", "this host is on the machine, but our hooks are not installed", f"mind-skills install {host}", host
        )
    return make_note("hooks", "this host was not found on the machine", "", host)


def _check_plugin(target: Target, content: bytes | None) -> tuple[list[CheckReport], list[probe.Hook]]:
    host, install_command = target.host, f"mind-skills install {target.host}"
    if not target.describe_entries(content):
        if content is not None:
            text = f"{target.path} was not created by mind-skills"
            return [make_failure("hooks", text, f"Move that file away, then run `{install_command}`.", host)], []
        return [_report_missing_hooks(host, [])], []
    text = (content or b"").decode("utf-8", "replace")
    python, script = _read_constant(text, "PYTHON"), _read_constant(text, "ENTRY")
    if problem := _find_program_problem(python, script):
        return [make_failure("hooks", f"{target.path}: {problem}", install_command, host)], []
    check = (
        make_ok("hooks", target.path, host)
        if target.is_current(content)
        else make_note(
            "hooks",
            f"{target.path} is from another or older installation of mind-skills, or one with another state folder",
            install_command,
            host,
        )
    )
    return [check], probe.make_plugin_hooks(host, python, script)


def _read_constant(text: str, name: str) -> str:
    match = re.search(rf'^const {name} = ("(?:[^"\\]|\\.)*");', text, re.MULTILINE)
    return str(json.loads(match[1])) if match else ""


def _check_switches(target: SettingsTarget, content: bytes | None) -> Iterator[CheckReport]:
    """Report settings that prevent the hooks of ``target`` from running; ``content`` is the content of its file."""
    if target.spec.trust_file:
        yield from _check_codex_trust(target, content)
        return
    root = parse((content or b"").decode())
    data = _as_dict(root.value if root else None)
    yield from _check_off_switches(target.spec, data, target.path)
    name, disabled = target.spec.hook_handler.get("name"), _get_value(data, target.spec.disabled_hooks)
    if isinstance(disabled, list) and name in disabled:
        fix = f"Remove {name} from `{'.'.join(target.spec.disabled_hooks)}`, or run /hooks enable {name} in the client."
        yield make_failure("hooks", f"{target.path} disables the hooks named {name}", fix, target.host)


def _check_project_switches(spec: HostSpec, root: str) -> Iterator[CheckReport]:
    """Report project settings that disable all hooks."""
    for name in spec.project_settings:
        path = os.path.join(root, *name.split("/"))
        try:
            node = parse((files.read_file(path).content or b"").decode())
        except (ValueError, MindSkillsError, StoreError):
            continue  # the host itself reports that
        yield from _check_off_switches(spec, _as_dict(node.value if node else None), path, in_project=True)


def _check_off_switches(
    spec: HostSpec, data: dict[str, Any], path: str, *, in_project: bool = False
) -> Iterator[CheckReport]:
    scope, condition = (" in this project", ", if you want hooks there") if in_project else ("", "")
    for switch in spec.off_switches:
        if _get_value(data, switch.path) is switch.value:
            yield make_failure("hooks", f"{path} disables all hooks{scope}", f"{switch.remedy}{condition}.", spec.name)


def _check_codex_trust(target: SettingsTarget, content: bytes | None) -> Iterator[CheckReport]:
    """Report whether Codex runs hooks and trusts ours. Only Codex can tell whether its record of that trust is current."""
    path = codex_trust.find_settings(target.path)
    try:
        data = tomllib.loads((files.read_file(path).content or b"").decode())
    except ValueError as error:
        yield make_failure("hooks", f"{path} is not valid TOML: {error}", "Correct that file.", target.host)
        return
    yield from _check_off_switches(target.spec, data, path)
    state = _as_dict(_get_value(data, ("hooks", "state")))
    entries = {key: _as_dict(state.get(key)) for key in codex_trust.list_expected_keys(target.path, content)}
    if disabled := [key for key, entry in entries.items() if entry.get("enabled") is False]:
        yield make_failure(
            "hooks",
            f"{path} disables the hook at {_read_event(disabled[0])}",
            "Enable the hook in Codex with /hooks.",
            target.host,
        )
    if untrusted := [key for key, entry in entries.items() if "trusted_hash" not in entry]:
        text = f"{path} has no record that you trust the hook at {_read_event(untrusted[0])}"
        yield make_note("trust", text, target.trust, target.host)
    elif entries:
        text = f"{path} records that you trust {len(entries)} hooks; Codex asks again if a hook changes"
        yield make_ok("trust", text, target.host)


def _read_event(key: str) -> str:
    return key.rsplit(":", 3)[-3]


def _as_dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _get_value(data: Any, path: tuple[str, ...]) -> Any:
    """Return the value at a path of keys; None if it is missing or the path is empty."""
    for key in path:
        data = _as_dict(data).get(key)
    return data if path else None


def check_server(host: str) -> list[CheckReport]:
    """Check our MCP server in a host without starting it; return an empty list if it is not installed."""
    try:
        target = ServerTarget(host)
        content = files.read_file(target.path).content
        if not target.describe_entries(content):
            return []
        is_current = target.is_current(content)
    except Exception as failure:
        report = as_error(failure)
        if report is None:
            raise
        return [make_failure("mcp", report.message, report.hint, host)]
    install_command = f"mind-skills install {host}"
    python = target.find_program(content)
    if problem := command.find_problem(python):
        return [make_failure("mcp", f"{target.path}: {python} {problem}", install_command, host)]
    if not is_current:
        return [
            make_note(
                "mcp",
                f"{target.path} starts the MCP server of another or older installation, or one with another state folder",
                install_command,
                host,
            )
        ]
    try:
        extra.require_sdk()
    except MindSkillsError as missing:
        return [make_failure("mcp", f"{target.path}: {missing.message}", missing.hint, host)]
    return [make_ok("mcp", f"{target.path}: the MCP server", host)]


def check_status_line() -> list[CheckReport]:
    """Check our segment of Claude Code's status line without running it; return an empty list if it is not installed."""
    try:
        target = StatusLineTarget()
        content = files.read_file(target.path).content
        if not target.describe_entries(content):
            return []
        python, script = target.parse_segment(content)
        is_current = target.is_current(content)
    except Exception as failure:
        report = as_error(failure)
        if report is None:
            raise
        return [make_failure("statusline", report.message, report.hint, STATUS_LINE_HOST)]
    install_command = f"mind-skills install {STATUS_LINE_HOST} --statusline"
    if problem := _find_program_problem(python, script):
        return [make_failure("statusline", f"{target.path}: {problem}", install_command, STATUS_LINE_HOST)]
    if not is_current:
        text = f"the status line in {target.path} counts the learnings of another or older installation of mind-skills"
        return [make_note("statusline", text, install_command, STATUS_LINE_HOST)]
    return [make_ok("statusline", f"{target.path}: the status line's segment", STATUS_LINE_HOST)]
