"""Which tool of a host loads a skill, and in which folders each host looks for skills. Facts; docs/hosts/ says where seen."""

from __future__ import annotations

LOADERS: dict[str, str] = {"claude-code": "Skill", "opencode": "skill", "gemini": "activate_skill"}
"""The tool that a model loads a skill with, by host; what it is given is the skill's name. Codex has none: its model
reads the file with a shell command."""

PROJECT: dict[str, tuple[str, ...]] = {
    "claude-code": (".claude/skills",),
    "opencode": (".opencode/skills", ".opencode/skill", ".claude/skills", ".agents/skills"),
    "codex": (".agents/skills", ".codex/skills"),
    "gemini": (".agents/skills", ".gemini/skills"),
}
"""Below the project, by host; each holds ``NAME/SKILL.md``."""

HOME: dict[str, tuple[str, ...]] = {
    "claude-code": (".claude/skills",),
    "opencode": (".config/opencode/skills", ".config/opencode/skill", ".claude/skills", ".agents/skills"),
    "codex": (".agents/skills", ".codex/skills"),
    "gemini": (".agents/skills", ".gemini/skills"),
}
"""Below the user's home, where no setting moves them."""

PLACE = r"(?:^|[\\/])\.(?:claude|agents|codex|gemini|opencode|config[\\/]opencode)[\\/](?:.*[\\/])?skills?[\\/]"
"""A regular expression for whatever stands before a skill's own folder, of any host and of the plugins of any host."""

MOVED: dict[str, tuple[str, str]] = {
    ".claude": ("CLAUDE_CONFIG_DIR", ""),
    ".codex": ("CODEX_HOME", ""),
    ".gemini": ("GEMINI_CLI_HOME", ".gemini"),
    ".config": ("XDG_CONFIG_HOME", ""),
}
"""The first folder of a place in the home: the variable that names another folder for it, and what stands below that."""
