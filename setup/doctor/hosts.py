"""A host's side: its settings as it reads them, the commands that stand there, what switches them off, and the MCP server."""

from __future__ import annotations

import json
import os
import re
import shutil
import tomllib
from collections.abc import Iterator
from typing import Any

from mind_skills.errors import MindSkillsError, StoreError, as_error
from mind_skills.hosts import HostSpec, spec
from mind_skills.plugin import command
from mind_skills.setup.doctor import probe
from mind_skills.setup.doctor.check import CheckReport, failed, fine, noted
from mind_skills.setup.install import codex_trust, files, targets
from mind_skills.setup.install.jsonc import parse
from mind_skills.setup.install.servers import ServerTarget
from mind_skills.setup.install.targets import SettingsTarget, Target
from mind_skills.tasks.mcp import extra


def check_hooks(host: str, root: str) -> tuple[list[CheckReport], list[probe.Hook]]:
    """What was found out about a host without starting anything, and the hooks that are to be started.

    ``root`` is the project's folder, whose settings may switch hooks off there.
    """
    try:
        target = targets.make_target(host)
        content = files.read_file(target.path).content
        target.ours(content)
    except Exception as failure:
        known = as_error(failure)
        if known is None:
            raise
        return [failed("hooks", known.message, known.hint, host)], []
    if isinstance(target, SettingsTarget):
        return _check_settings(target, content, root)
    return _check_plugin(target, content)


def _check_settings(
    target: SettingsTarget, content: bytes | None, root: str
) -> tuple[list[CheckReport], list[probe.Hook]]:
    found = list(_check_handlers(target, content))
    handlers = target.handlers(content)
    commands = {event: _command(ours) for event, ours in handlers.items()}
    hooks = [] if any(check.state == "failed" for check in found) else probe.hooks(target.host, commands)
    plugins = targets.enabled_plugins(target.host, content)
    if handlers or plugins:
        found += [*_find_switches(target, content), *_find_project_switches(target.spec, root)]
    return found, hooks


def _check_handlers(target: SettingsTarget, content: bytes | None) -> Iterator[CheckReport]:
    host, again = target.host, f"mind-skills install {target.host}"
    handlers, plugins = target.handlers(content), targets.enabled_plugins(host, content)
    if not handlers:
        yield _describe_absent(host, plugins)
        return
    if plugins:
        both = f"{target.path} has the hooks, and the plugin {plugins[0]} brings them as well"
        yield noted(
            "hooks", f"{both}: one is enough, though nothing is told twice", f"mind-skills uninstall {host}", host
        )
    wanted = target.wanted()
    missing = [event for event in wanted if event not in handlers]
    double = [event for event, ours in handlers.items() if len(ours) > 1]
    if missing:
        yield failed("hooks", f"{target.path} has no hook at {' and '.join(missing)}", again, host)
    if double:
        yield failed("hooks", f"{target.path} has several hooks of ours at {' and '.join(double)}", again, host)
    if broken := _find_broken([_command(ours) for ours in handlers.values()]):
        yield failed("hooks", f"{target.path}: {broken}", again, host)
    elif not missing and not double and not target.current(content):
        yield noted(
            "hooks",
            f"{target.path} starts another installation of mind-skills, an older one, or one with its state elsewhere",
            again,
            host,
        )
    elif not missing and not double:
        yield fine("hooks", f"{target.path}: {len(handlers)} hooks", host)


def _command(ours: list[Any]) -> str:
    return str(ours[0].get("command", ""))


def _find_broken(commands: list[str]) -> str:
    """What is wrong with the first command that cannot work; empty where all can."""
    for text in commands:
        python, script = command.words(text)
        if not python:
            continue  # written by hand: whether it runs is tried
        if wrong := command.problem(python):
            return f"{python} {wrong}"
        if not os.access(script, os.R_OK):
            return f"{script} is not there"
    return ""


def _describe_absent(host: str, plugins: list[str]) -> CheckReport:
    if plugins:
        return fine("hooks", f"the plugin {plugins[0]} is enabled", host)
    if os.path.isdir(targets.find_folder(host)) or shutil.which(spec(host).binary):
        return noted("hooks", "it is on this machine, without our hooks", f"mind-skills install {host}", host)
    return noted("hooks", "it was not found on this machine", "", host)


def _check_plugin(target: Target, content: bytes | None) -> tuple[list[CheckReport], list[probe.Hook]]:
    host, again = target.host, f"mind-skills install {target.host}"
    if not target.ours(content):
        if content is not None:
            text = f"{target.path} is not from mind-skills"
            return [failed("hooks", text, f"Move it away; then {again}", host)], []
        return [_describe_absent(host, [])], []
    text = (content or b"").decode("utf-8", "replace")
    python, script = _constant(text, "PYTHON"), _constant(text, "ENTRY")
    if (wrong := command.problem(python)) or not os.access(script, os.R_OK):
        said = f"{python} {wrong}" if wrong else f"{script} is not there"
        return [failed("hooks", f"{target.path}: {said}", again, host)], []
    known = (
        fine("hooks", target.path, host)
        if target.current(content)
        else noted(
            "hooks",
            f"{target.path} is from another installation of mind-skills, an older one, or one with its state elsewhere",
            again,
            host,
        )
    )
    return [known], probe.plugin_hooks(host, python, script)


def _constant(text: str, name: str) -> str:
    found = re.search(rf'^const {name} = ("(?:[^"\\]|\\.)*");', text, re.MULTILINE)
    return str(json.loads(found[1])) if found else ""


def _find_switches(target: SettingsTarget, content: bytes | None) -> Iterator[CheckReport]:
    """What keeps the hooks that stand in ``content``, the file of ``target``, from running."""
    if target.spec.trust_file:
        yield from _noted_by_host(target, content)
        return
    root = parse((content or b"").decode())
    data = _mapping(root.value if root else None)
    yield from _switched_off(target.spec, data, target.path)
    name, disabled = target.spec.hook_handler.get("name"), _value(data, target.spec.disabled_hooks)
    if isinstance(disabled, list) and name in disabled:
        mend = f"Take it out of `{'.'.join(target.spec.disabled_hooks)}`, or /hooks enable {name} in the client."
        yield failed("hooks", f"{target.path} switches off the hooks called {name}", mend, target.host)


def _find_project_switches(spec: HostSpec, root: str) -> Iterator[CheckReport]:
    """Whether the settings that the host reads in a project switch all hooks off there."""
    for name in spec.project_settings:
        path = os.path.join(root, *name.split("/"))
        try:
            node = parse((files.read_file(path).content or b"").decode())
        except (ValueError, MindSkillsError, StoreError):
            continue  # for the host to complain about
        yield from _switched_off(spec, _mapping(node.value if node else None), path, in_project=True)


def _switched_off(
    spec: HostSpec, data: dict[str, Any], path: str, *, in_project: bool = False
) -> Iterator[CheckReport]:
    where, wanted = (" in this project", ", if hooks are wanted there") if in_project else ("", "")
    for switch in spec.off_switches:
        if _value(data, switch.path) is switch.value:
            yield failed("hooks", f"{path} switches all hooks off{where}", f"{switch.remedy}{wanted}.", spec.name)


def _noted_by_host(target: SettingsTarget, content: bytes | None) -> Iterator[CheckReport]:
    """Whether Codex runs hooks at all, and what it noted about each of ours: whether that still holds only it knows."""
    path = codex_trust.find_settings(target.path)
    try:
        data = tomllib.loads((files.read_file(path).content or b"").decode())
    except ValueError as error:
        yield failed("hooks", f"{path} is no TOML: {error}", "Correct that place.", target.host)
        return
    yield from _switched_off(target.spec, data, path)
    state = _mapping(_value(data, ("hooks", "state")))
    entries = {key: _mapping(state.get(key)) for key in codex_trust.list_keys(target.path, content)}
    if off := [key for key, entry in entries.items() if entry.get("enabled") is False]:
        yield failed("hooks", f"{path} switches off {_event(off[0])}", "Switch it on again in /hooks.", target.host)
    if unknown := [key for key, entry in entries.items() if "trusted_hash" not in entry]:
        text = f"{path} does not say that you trust the hook at {_event(unknown[0])}"
        yield noted("trust", text, target.trust, target.host)
    elif entries:
        text = f"{path} says that you trusted {len(entries)} hooks; Codex asks again where one has changed"
        yield fine("trust", text, target.host)


def _event(key: str) -> str:
    return key.rsplit(":", 3)[-3]


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _value(data: Any, path: tuple[str, ...]) -> Any:
    """What stands at a path of keys; None where nothing does, or the path is empty."""
    for key in path:
        data = _mapping(data).get(key)
    return data if path else None


def check_server(host: str) -> list[CheckReport]:
    """What there is to say of a host's MCP server: nothing where none of ours is installed. Nothing is started."""
    try:
        target = ServerTarget(host)
        content = files.read_file(target.path).content
        if not target.ours(content):
            return []
        current = target.current(content)
    except Exception as failure:
        known = as_error(failure)
        if known is None:
            raise
        return [failed("mcp", known.message, known.hint, host)]
    again = f"mind-skills install {host}"
    python = target.python(content)
    if problem := command.problem(python):
        return [failed("mcp", f"{target.path}: {python} {problem}", again, host)]
    if not current:
        return [
            noted(
                "mcp",
                f"{target.path} starts another installation of mind-skills, an older one, or one with its state elsewhere",
                again,
                host,
            )
        ]
    try:
        extra.require()
    except MindSkillsError as missing:
        return [failed("mcp", f"{target.path}: {missing.message}", missing.hint, host)]
    return [fine("mcp", f"{target.path}: the MCP server", host)]
