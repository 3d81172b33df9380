"""Where a host's own settings switch hooks off, or do not let them run yet. Each place was seen to work with the real host."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from typing import Any

from mind_skills.errors import MindSkillsError, StoreError
from mind_skills.hosts.hook_settings import GEMINI
from mind_skills.setup.doctor.reports import CheckReport, failed, fine, noted
from mind_skills.setup.install import codex_trust, files
from mind_skills.setup.install.jsonc import parse
from mind_skills.setup.install.targets import SettingsTarget


def switches(target: SettingsTarget, content: bytes | None) -> Iterator[CheckReport]:
    """What keeps the hooks that stand in ``content``, the file of ``target``, from running."""
    root = parse((content or b"").decode())
    data = _mapping(root.value if root else None)
    if target.host == "claude-code" and data.get("disableAllHooks") is True:
        mend = "Take `disableAllHooks` out of it."
        yield failed("hooks", f"{target.path} switches all hooks off", mend, target.host)
    if target.host == "gemini":
        yield from _gemini(target, _mapping(data.get("hooksConfig")))
    if target.host == "codex":
        yield from _codex(target, content)


def in_project(root: str) -> Iterator[CheckReport]:
    """Whether the settings that Claude Code reads in a project switch all hooks off there."""
    for name in ("settings.json", "settings.local.json"):
        path = os.path.join(root, ".claude", name)
        try:
            node = parse((files.look(path).content or b"").decode())
        except (ValueError, MindSkillsError, StoreError):
            continue  # for Claude Code to complain about
        if _mapping(node.value if node else None).get("disableAllHooks") is True:
            mend = "Take `disableAllHooks` out of it, if hooks are wanted there."
            yield failed("hooks", f"{path} switches all hooks off in this project", mend, "claude-code")


def _gemini(target: SettingsTarget, config: dict[str, Any]) -> Iterator[CheckReport]:
    if config.get("enabled") is False:
        mend = "Take `hooksConfig.enabled` out of it, or /hooks enable-all in the client."
        yield failed("hooks", f"{target.path} switches all hooks off", mend, target.host)
    name, disabled = GEMINI.handler["name"], config.get("disabled")
    if isinstance(disabled, list) and name in disabled:
        mend = f"Take it out of `hooksConfig.disabled`, or /hooks enable {name} in the client."
        yield failed("hooks", f"{target.path} switches off the hooks called {name}", mend, target.host)


def _codex(target: SettingsTarget, content: bytes | None) -> Iterator[CheckReport]:
    """Whether Codex runs hooks at all, and what it noted about each of ours: whether that still holds only it knows."""
    path = codex_trust.settings(target.path)
    try:
        data = tomllib.loads((files.look(path).content or b"").decode())
    except ValueError as error:
        yield failed("hooks", f"{path} is no TOML: {error}", "Correct that place.", target.host)
        return
    if _mapping(data.get("features")).get("hooks") is False:
        mend = "Take `hooks` out of its [features]."
        yield failed("hooks", f"{path} switches all hooks off", mend, target.host)
    state = _mapping(_mapping(data.get("hooks")).get("state"))
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
