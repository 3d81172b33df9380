"""Where a host's own settings switch hooks off, or do not let them run yet. Each place was seen to work with the real host."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from typing import Any

from mind_skills.errors import MindSkillsError, StoreError
from mind_skills.hosts import HostSpec
from mind_skills.setup.doctor.reports import CheckReport, failed, fine, noted
from mind_skills.setup.install import codex_trust, files
from mind_skills.setup.install.jsonc import parse
from mind_skills.setup.install.targets import SettingsTarget


def switches(target: SettingsTarget, content: bytes | None) -> Iterator[CheckReport]:
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


def in_project(spec: HostSpec, root: str) -> Iterator[CheckReport]:
    """Whether the settings that the host reads in a project switch all hooks off there."""
    for name in spec.project_settings:
        path = os.path.join(root, *name.split("/"))
        try:
            node = parse((files.look(path).content or b"").decode())
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
    path = codex_trust.settings(target.path)
    try:
        data = tomllib.loads((files.look(path).content or b"").decode())
    except ValueError as error:
        yield failed("hooks", f"{path} is no TOML: {error}", "Correct that place.", target.host)
        return
    yield from _switched_off(target.spec, data, path)
    state = _mapping(_value(data, ("hooks", "state")))
    entries = {key: _mapping(state.get(key)) for key in codex_trust.places(target.path, content)}
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
