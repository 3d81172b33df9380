"""Every target by its name."""

from __future__ import annotations

from tests.fuzz import (
    codex_targets,
    damage_targets,
    door_targets,
    file_targets,
    life_targets,
    log_targets,
    opencode_targets,
    protocol_targets,
    settings_targets,
    skill_targets,
    text_targets,
)
from tests.fuzz.target import Target

TARGETS: dict[str, Target] = {
    target.name: target
    for module in (
        log_targets,
        codex_targets,
        opencode_targets,
        text_targets,
        skill_targets,
        file_targets,
        door_targets,
        life_targets,
        damage_targets,
        settings_targets,
        protocol_targets,
    )
    for target in module.TARGETS
}
