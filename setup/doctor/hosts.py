"""A host's side: its settings as it reads them, the commands that stand there, and whether they run."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from typing import Any

from mind_skills.errors import as_error
from mind_skills.hosts import spec
from mind_skills.plugin import command
from mind_skills.setup.doctor import probe
from mind_skills.setup.doctor.reports import CheckReport, failed, fine, noted
from mind_skills.setup.doctor.switches import in_project, switches
from mind_skills.setup.install import files, targets
from mind_skills.setup.install.targets import SettingsTarget, Target


def checks(host: str, root: str) -> tuple[list[CheckReport], list[probe.Hook]]:
    """What was found out about a host without starting anything, and the hooks that are to be started.

    ``root`` is the project's folder, whose settings may switch hooks off there.
    """
    try:
        target = targets.target(host)
        content = files.look(target.path).content
        target.ours(content)
    except Exception as failure:
        known = as_error(failure)
        if known is None:
            raise
        return [failed("hooks", known.message, known.hint, host)], []
    if isinstance(target, SettingsTarget):
        return _settings(target, content, root)
    return _plugin(target, content)


def _settings(target: SettingsTarget, content: bytes | None, root: str) -> tuple[list[CheckReport], list[probe.Hook]]:
    found = list(_judged(target, content))
    handlers = target.handlers(content)
    commands = {event: _command(ours) for event, ours in handlers.items()}
    hooks = [] if any(check.state == "failed" for check in found) else probe.hooks(target.host, commands)
    plugins = targets.enabled_plugins(target.host, content)
    if handlers or plugins:
        found += [*switches(target, content), *in_project(target.spec, root)]
    return found, hooks


def _judged(target: SettingsTarget, content: bytes | None) -> Iterator[CheckReport]:
    host, again = target.host, f"mind-skills install {target.host}"
    handlers, plugins = target.handlers(content), targets.enabled_plugins(host, content)
    if not handlers:
        yield _absent(host, plugins)
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
    if broken := _broken([_command(ours) for ours in handlers.values()]):
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


def _broken(commands: list[str]) -> str:
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


def _absent(host: str, plugins: list[str]) -> CheckReport:
    if plugins:
        return fine("hooks", f"the plugin {plugins[0]} is enabled", host)
    if os.path.isdir(targets.folder(host)) or shutil.which(spec(host).binary):
        return noted("hooks", "it is on this machine, without our hooks", f"mind-skills install {host}", host)
    return noted("hooks", "it was not found on this machine", "", host)


def _plugin(target: Target, content: bytes | None) -> tuple[list[CheckReport], list[probe.Hook]]:
    host, again = target.host, f"mind-skills install {target.host}"
    if not target.ours(content):
        if content is not None:
            text = f"{target.path} is not from mind-skills"
            return [failed("hooks", text, f"Move it away; then {again}", host)], []
        return [_absent(host, [])], []
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
