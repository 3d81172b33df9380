"""Checks of one host: its hooks and what prevents them from running, the MCP server, and the status line.

`mind-skills status` runs those of ``inspect_hooks`` too, so modules that only the other checks need are imported there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from glob import glob
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from mind_skills.errors import MindSkillsError, StoreError
from mind_skills.hosts import HookOffSwitch, HostSpec, SystemSettings
from mind_skills.output.text import join_names
from mind_skills.plugin import command
from mind_skills.plugin.opencode import read_constant
from mind_skills.setup.doctor import CheckReport, make_failure, make_note, make_ok, report_exception
from mind_skills.setup.install import files, targets
from mind_skills.setup.install.json_edit import ShapeError, as_list, as_object, parse_value
from mind_skills.setup.install.targets import SettingsTarget, Target

if TYPE_CHECKING:
    from mind_skills.setup.doctor import probe

_ANOTHER_INSTALLATION = "another or older installation of mind-skills, or one with another state folder"


class HookState(NamedTuple):
    """What the files of a host say about our hooks: whether they have them (None if unknown), and the failed checks."""

    path: str
    is_installed: bool | None
    failures: list[CheckReport]


def inspect_hooks(host: str, root: str = "") -> HookState:
    """Read what `mind-skills status` reports about a host's hooks. ``root`` is the folder of the project, whose settings
    may disable hooks; empty for none.
    """
    path = ""
    try:
        target = targets.make_target(host)
        path = target.path
        content = files.read_file(path).content
        if not target.describe_entries(content) and not targets.list_enabled_plugins(host, content):
            return HookState(path, False, [])
        if not isinstance(target, SettingsTarget):
            return HookState(path, True, _find_plugin_faults(target, content))
        faults = _find_faults(target, content, target.read_handlers(content))
        switches = [*_check_switches(target, content, root, with_trust=False)]
    except Exception as failure:  # noqa: BLE001 -- bugs are re-raised
        return HookState(path, None, [report_exception("hooks", failure, host)])
    return HookState(path, True, [*faults, *(check for check in switches if check.state == "failed")])


def check_hooks(host: str, root: str) -> tuple[list[CheckReport], list[probe.Hook]]:
    """Check a host's hooks without starting a process; return the results and the hooks that remain to be started.

    ``root`` is the folder of the project, whose settings may disable hooks.
    """
    try:
        target = targets.make_target(host)
        content = files.read_file(target.path).content
        target.describe_entries(content)
    except Exception as failure:  # noqa: BLE001 -- bugs are re-raised
        return [report_exception("hooks", failure, host)], []
    if isinstance(target, SettingsTarget):
        return _check_settings(target, content, root)
    return _check_plugin(target, content)


def _check_settings(
    target: SettingsTarget, content: bytes | None, root: str
) -> tuple[list[CheckReport], list[probe.Hook]]:
    host = target.host
    handlers, plugins = target.read_handlers(content), targets.list_enabled_plugins(host, content)
    if not handlers and not plugins:
        return [_find_obstacle(target, content) or _report_missing_hooks(host)], []
    switches = [*_check_switches(target, content, root, with_trust=True)]
    if not handlers:
        return [make_ok("hooks", f"the plugin {plugins[0]} is enabled", host), *switches], []
    checks: list[CheckReport] = []
    if plugins:
        text = f"{target.path} has the hooks, and so does the plugin {plugins[0]}; nothing is offered twice, but one of them is enough"
        checks.append(make_note("hooks", text, f"mind-skills uninstall {host}", host))
    if faults := _find_faults(target, content, handlers):
        return [*checks, *faults, *switches], []
    if target.spec.untried:
        text = f"mind-skills was not tried with the real {target.spec.title}; {target.spec.untried}"
        checks.append(make_note("hooks", text, "", host))
    if target.is_current(content):
        checks.append(make_ok("hooks", f"{target.path}: {len(handlers)} hooks", host))
    else:
        text = f"the hooks in {target.path} start {_ANOTHER_INSTALLATION}"
        checks.append(make_note("hooks", text, f"mind-skills install {host}", host))
    from mind_skills.setup.doctor import probe

    return checks + switches, probe.make_hooks(host, _get_commands(handlers))


def _get_commands(handlers: dict[str, list[Any]]) -> dict[str, str]:
    return {event: str(ours[0].get("command", "")) for event, ours in handlers.items()}


def _find_faults(target: SettingsTarget, content: bytes | None, handlers: dict[str, list[Any]]) -> list[CheckReport]:
    """Report what is wrong with our ``handlers`` in a host's file, or else with the file around them."""
    if not handlers:
        return []
    problems: list[str] = []
    if missing := [event for event in target.spec.events if event not in handlers]:
        problems.append(f"{target.path} has no hook at {' and '.join(missing)}")
    if duplicates := [event for event, ours in handlers.items() if len(ours) > 1]:
        problems.append(f"{target.path} has duplicate hooks at {' and '.join(duplicates)}")
    if problem := _find_broken_command(list(_get_commands(handlers).values())):
        problems.append(f"{target.path}: {problem}")
    if problems:
        return [make_failure("hooks", text, f"mind-skills install {target.host}", target.host) for text in problems]
    if problem := target.form.find_problem((content or b"").decode()):
        text = f"{target.path}: {problem}, so {target.spec.title} ignores the whole file"
        return [make_failure("hooks", text, "Correct that file.", target.host)]
    return []


def _find_obstacle(target: SettingsTarget, content: bytes | None) -> CheckReport | None:
    """Report what in the content of a host's file keeps our hooks from being installed; None if nothing does."""
    try:
        target.add(content)
    except MindSkillsError as failure:
        # Any other error is not about the file, and is reported elsewhere.
        return report_exception("hooks", failure, target.host) if failure.code == "settings_shape" else None
    return None


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


def _report_missing_hooks(host: str) -> CheckReport:
    if targets.is_present(host):
        text = "this host is on the machine, but our hooks are not installed"
        return make_note("hooks", text, f"mind-skills install {host}", host)
    return make_note("hooks", "this host was not found on the machine", "", host)


def _check_plugin(target: Target, content: bytes | None) -> tuple[list[CheckReport], list[probe.Hook]]:
    host, install_command = target.host, f"mind-skills install {target.host}"
    if not target.describe_entries(content):
        if content is not None:
            text = f"{target.path} was not created by mind-skills"
            return [make_failure("hooks", text, f"Move that file away, then run `{install_command}`.", host)], []
        return [_report_missing_hooks(host)], []
    if faults := _find_plugin_faults(target, content):
        return faults, []
    from mind_skills.setup.doctor import probe

    hooks = probe.make_plugin_hooks(host, *_read_program(content))
    if target.is_current(content):
        return [make_ok("hooks", target.path, host)], hooks
    return [make_note("hooks", f"{target.path} is from {_ANOTHER_INSTALLATION}", install_command, host)], hooks


def _find_plugin_faults(target: Target, content: bytes | None) -> list[CheckReport]:
    problem = _find_program_problem(*_read_program(content))
    fix = f"mind-skills install {target.host}"
    return [make_failure("hooks", f"{target.path}: {problem}", fix, target.host)] if problem else []


def _read_program(content: bytes | None) -> tuple[str, str]:
    """Return the interpreter and the script that our plugin file starts."""
    text = (content or b"").decode("utf-8", "replace")
    return read_constant(text, "PYTHON"), read_constant(text, "ENTRY")


class _Settings(NamedTuple):
    """A settings file that may disable hooks; ``scope`` is whose it is."""

    path: str
    data: object
    scope: Literal["user", "project", "system"]


def _check_switches(
    target: SettingsTarget, content: bytes | None, root: str, *, with_trust: bool
) -> Iterator[CheckReport]:
    """Report settings that prevent the hooks of ``target`` from running; ``content`` is the content of its file.

    Without ``with_trust``, which hooks the host trusts is only checked if it disables some.
    """
    spec, user_settings = target.spec, parse_value(content)
    trust_path = os.path.join(os.path.dirname(target.path), spec.trust_file) if spec.trust_file else ""
    if trust_path:
        try:
            user_settings = _parse_toml((files.read_file(trust_path).content or b"").decode())
        except ValueError as error:
            yield make_failure("hooks", f"{trust_path} is not valid TOML: {error}", "Correct that file.", target.host)
            return
        except (MindSkillsError, StoreError) as error:
            yield make_failure("hooks", error.message, error.hint, target.host)
            return
    all_settings = _list_settings(spec, _Settings(trust_path or target.path, user_settings, "user"), root)
    for switch in spec.off_switches:
        values = [
            (each, value)
            for each in all_settings
            if (value := _read_switch(each.data, switch.path)) is not None
            and (each.scope == "system" or not switch.only_managed)
        ]
        if values and values[-1][1] is switch.value:
            yield _report_off_switch(spec, switch, values[-1][0])
    name = spec.hook_handler.get("name")
    for each in all_settings:
        if name in as_list(_get_value(each.data, spec.disabled_hooks_key_path)):
            fix = f"Remove {name} from `{'.'.join(spec.disabled_hooks_key_path)}`, or run /hooks enable {name} in the client."
            yield make_failure("hooks", f"{each.path} disables the hooks named {name}", fix, target.host)
    entries = as_object(_get_value(user_settings, ("hooks", "state"))).values() if trust_path else ()
    if trust_path and (with_trust or any(as_object(entry).get("enabled") is False for entry in entries)):
        yield from _check_codex_trust(target, content, trust_path, user_settings)


def _parse_toml(text: str) -> dict[str, Any]:
    """Parse a document as setup/install/toml_edit.py does, which also imports a module for editing."""
    import tomllib

    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError as error:
        raise ShapeError("the document is nested too deeply") from error


def _read_switch(data: object, path: tuple[str, ...]) -> bool | None:
    """Return the value of an off switch (hosts/__init__.py); None if there is none."""
    value = _get_value(data, path)
    if isinstance(value, list):
        return "hooks" in as_list(cast("object", value))
    if path[0] == "env" and value is not None:
        return str(value).lower() in ("1", "true", "yes", "on")
    return value if isinstance(value, bool) else None


def _list_settings(spec: HostSpec, of_user: _Settings, root: str) -> list[_Settings]:
    """Return the settings that a host reads in the project at ``root``, in ascending order of precedence."""
    system_files = [(path, each.yields_to_user) for each in spec.system_settings for path in _find_files(spec, each)]
    profile = str(_get_value(of_user.data, ("profile",)))  # Codex has them
    project_files = [os.path.join(root, *name.split("/")) for name in spec.project_settings_files if root]
    return [
        *(_read_settings(path, "system") for path, yields_to_user in system_files if yields_to_user),
        of_user,
        *(_read_settings(path, "project") for path in project_files if path != of_user.path),
        of_user._replace(data=_get_value(of_user.data, ("profiles", profile))),
        *(_read_settings(path, "system") for path, yields_to_user in system_files if not yields_to_user),
    ]


def _find_files(spec: HostSpec, settings: SystemSettings) -> list[str]:
    """Return the paths of settings of the machine, in the order in which the host reads them."""
    path = os.environ.get(settings.env_var) or settings.paths.get(sys.platform, settings.paths[""])
    return sorted(glob(os.path.join(targets.find_folder(spec.name), path)))


def _read_settings(path: str, scope: Literal["user", "project", "system"]) -> _Settings:
    """Read a settings file. One that cannot be read counts as empty; the host itself reports that."""
    try:
        content = files.read_file(path).content
        data = _parse_toml((content or b"").decode()) if path.endswith(".toml") else parse_value(content)
    except (ValueError, MindSkillsError, StoreError):
        data = None
    return _Settings(path, data, scope)


def _report_off_switch(spec: HostSpec, switch: HookOffSwitch, settings: _Settings) -> CheckReport:
    in_project = settings.scope == "project"
    scope, condition = (" in this project", ", if you want hooks there") if in_project else ("", "")
    which = "hooks other than its own" if switch.only_managed else "all hooks"
    return make_failure("hooks", f"{settings.path} disables {which}{scope}", f"{switch.remedy}{condition}.", spec.name)


def _check_codex_trust(
    target: SettingsTarget, content: bytes | None, path: str, settings: object
) -> Iterator[CheckReport]:
    """Report whether Codex trusts our hooks as they are now. ``path`` and ``settings`` are those of Codex."""
    from mind_skills.setup.install import codex_trust

    state = as_object(_get_value(settings, ("hooks", "state")))
    hashes = codex_trust.compute_hashes(target.path, content)
    entries = {key: as_object(state.get(key)) for key in hashes}
    if disabled := [key for key, entry in entries.items() if entry.get("enabled") is False]:
        text = f"{path} disables {_list_events(disabled)}"
        yield make_failure("hooks", text, f"Enable the {_count_hooks(disabled)} in Codex with /hooks.", target.host)
    untrusted = [key for key, entry in entries.items() if "trusted_hash" not in entry]
    changed = [key for key in entries if key not in untrusted and entries[key]["trusted_hash"] != hashes[key]]
    if untrusted:
        text = f"{path} has no record that you trust {_list_events(untrusted)}"
        yield make_note("trust", text, target.trust_instructions, target.host)
    if changed:
        text = f"{path} records that you trust an earlier version of {_list_events(changed)}"
        yield make_note("trust", text, target.trust_instructions, target.host)
    if entries and not untrusted and not changed:
        yield make_ok("trust", f"{path} records that you trust {len(entries)} hooks", target.host)


def _list_events(keys: list[str]) -> str:
    """Return `the hook at EVENT`, or `the hooks at EVENT and EVENT`, for the keys of Codex's trust entries."""
    return f"the {_count_hooks(keys)} at {join_names([key.rsplit(':', 3)[-3] for key in keys])}"


def _count_hooks(keys: list[str]) -> str:
    return "hook" if len(keys) == 1 else "hooks"


def _get_value(data: object, path: tuple[str, ...]) -> object:
    """Return the value at a path of keys; None if it is missing or the path is empty."""
    for key in path:
        data = as_object(data).get(key)
    return data if path else None


def check_server(host: str) -> list[CheckReport]:
    """Check our MCP server in a host without starting it; return an empty list if it is not installed."""
    from mind_skills.setup.install.servers import ServerTarget
    from mind_skills.tasks.mcp import require_sdk

    try:
        target = ServerTarget(host)
        content = files.read_file(target.path).content
        if not target.describe_entries(content):
            return []
        is_current = target.is_current(content)
    except Exception as failure:  # noqa: BLE001 -- bugs are re-raised
        return [report_exception("mcp", failure, host)]
    install_command = f"mind-skills install {host}"
    python = target.find_program(content)
    if problem := command.find_problem(python):
        return [make_failure("mcp", f"{target.path}: {python} {problem}", install_command, host)]
    if not is_current:
        text = f"{target.path} starts the MCP server of another or older installation, or one with another state folder"
        return [make_note("mcp", text, install_command, host)]
    try:
        require_sdk()
    except MindSkillsError as missing:
        return [make_failure("mcp", f"{target.path}: {missing.message}", missing.hint, host)]
    return [make_ok("mcp", f"{target.path}: the MCP server", host)]


def check_status_line() -> list[CheckReport]:
    """Check our segment of Claude Code's status line without running it; return an empty list if it is not installed."""
    from mind_skills.setup.install.status_line import STATUS_LINE_HOST, StatusLineTarget

    try:
        target = StatusLineTarget()
        content = files.read_file(target.path).content
        if not target.describe_entries(content):
            return []
        python, script = target.parse_segment(content)
        is_current = target.is_current(content)
    except Exception as failure:  # noqa: BLE001 -- bugs are re-raised
        return [report_exception("statusline", failure, STATUS_LINE_HOST)]
    install_command = f"mind-skills install {STATUS_LINE_HOST} --statusline"
    if problem := _find_program_problem(python, script):
        return [make_failure("statusline", f"{target.path}: {problem}", install_command, STATUS_LINE_HOST)]
    if not is_current:
        text = f"the status line in {target.path} counts the learnings of another or older installation of mind-skills"
        return [make_note("statusline", text, install_command, STATUS_LINE_HOST)]
    return [make_ok("statusline", f"{target.path}: the status line's segment", STATUS_LINE_HOST)]
