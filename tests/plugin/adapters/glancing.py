"""The first look at a hook, as tests take it."""

from __future__ import annotations

import os
from typing import Any

from mind_skills.hooks.hotpath import look_first
from mind_skills.hooks.session_state import ENDING, UNANSWERED, Marker
from mind_skills.hosts import all_specs
from mind_skills.store.project import find
from tests.plugin.adapters.hook_host import Host

NOW = 1_800_000_000_000
HOSTS = sorted(spec.name for spec in all_specs() if spec.protocol == "hooks")


def seen(host: Host, name: str = "claude-code", event: str = "SessionStart", **more: Any) -> int:
    """The verdict on a payload of this session, with the environment that this host gives."""
    payload = {**host.payload(event), **more}
    environment = dict(host.environment)
    if name != "claude-code":
        environment.pop("CLAUDE_PROJECT_DIR")
    return look_first(name, payload, {os.fsencode(k): os.fsencode(v) for k, v in environment.items()}, NOW)


def after_an_end(host: Host) -> None:
    """Other sessions have ended here before."""
    for place in (ENDING, UNANSWERED):
        Marker(str(host.state), place, "earlier", find(str(host.project)).id).put()
        Marker(str(host.state), place, "earlier", find(str(host.project)).id).drop()
