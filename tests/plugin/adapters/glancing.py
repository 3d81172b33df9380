"""The early decision of a hook, as tests ask for it."""

from __future__ import annotations

import os
from typing import Any

from mind_skills.hooks.hotpath import decide_early
from mind_skills.hooks.session_state import ENDING, UNANSWERED, Marker
from mind_skills.hosts import HookForm, load_all_specs
from mind_skills.store.project import resolve_project
from tests.plugin.adapters.hook_host import Host

NOW = 1_800_000_000_000
HOSTS = sorted(spec.name for spec in load_all_specs() if spec.protocol == "hooks" and type(spec.hook_form) is HookForm)
"""Hosts that send what ``Host`` sends."""


def decide(host: Host, name: str = "claude-code", event: str = "SessionStart", **more: Any) -> int | str:
    """The early decision on a payload of this session, in the environment of this host."""
    payload = {**host.payload(event), **more}
    environment = dict(host.environment)
    if name != "claude-code":
        environment.pop("CLAUDE_PROJECT_DIR")
    return decide_early(name, payload, {os.fsencode(k): os.fsencode(v) for k, v in environment.items()}, NOW)


def after_an_end(host: Host) -> None:
    """Other sessions have ended here before."""
    for place in (ENDING, UNANSWERED):
        Marker(str(host.state), place, "earlier", resolve_project(str(host.project)).id).write()
        Marker(str(host.state), place, "earlier", resolve_project(str(host.project)).id).remove()
