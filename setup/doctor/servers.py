"""The MCP server of a host: whether it would start what an installation of now would write."""

from __future__ import annotations

from mind_skills.errors import MindSkillsError, as_error
from mind_skills.plugin import command
from mind_skills.setup.doctor.reports import CheckReport, failed, fine, noted
from mind_skills.setup.install import files
from mind_skills.setup.install.servers import ServerTarget
from mind_skills.tasks.mcp import extra


def servers(host: str) -> list[CheckReport]:
    """What there is to say of a host's MCP server: nothing where none of ours is installed. Nothing is started."""
    try:
        target = ServerTarget(host)
        content = files.look(target.path).content
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
