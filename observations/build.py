"""Observations from raw facts, the same way for every reader: cleaned, bounded, with command and error normalised."""

from __future__ import annotations

import re
from functools import lru_cache

from mind_skills.observations import commands, errors
from mind_skills.observations.key_blocks import HINT, redact_key_blocks
from mind_skills.observations.model import Action, Agent, Kind, Observation, Source, ToolOutcome
from mind_skills.observations.redaction import redact
from mind_skills.observations.text import clean, strip
from mind_skills.observations.unread import unread

USER_TEXT, SAID_TEXT, TOOL_TEXT, COMMAND_TEXT, CHANGE_TEXT = 6_000, 4_000, 2_000, 1_000, 2_000
"""Characters kept of each: a plan in a prompt is long, a tool's output is judged by its head and tail."""

_MACHINE = re.compile(
    r"\s*(?:<(?:task-notification|command-(?:name|message|args|contents)|local-command-\w+|system-reminder|bash-\w+|hook_context|"
    r"user-prompt-submit-hook|environment_context|user_instructions|permissions instructions|collaboration_mode|INSTRUCTIONS|"
    r"turn_aborted|subagent_notification|skill)\b|Caveat: The messages below were generated|# AGENTS\.md instructions|"
    r"This session is being continued from a previous conversation|Base directory for this skill:|"
    r"Stop hook feedback:|SessionStart hook|PreToolUse:|PostToolUse:)"
)
_OWN_BLOCK = re.compile(r"<openception-skill-extraction>.*?(?:</openception-skill-extraction>|\Z)", re.DOTALL)
_ASIDE = re.compile(r"<(system-reminder|ide_\w{1,30})>(?:.*</\1>|.*)", re.DOTALL)
"""What a host puts into a user's message beside the words: the text of files and hooks, which anybody may have written.
Up to the last closing tag: what is quoted there may hold one itself, to pass for words of the user."""
_INTERRUPTED = re.compile(r"\s*\[Request interrupted by user")
_WEB_COMMAND = re.compile(
    r"(?:^|&& )(?:curl|wget|http|xh|lynx)\b|(?:^|&& )gh (?:api|\w+ (?:view|list|search|comments))\b"
)


_brief = lru_cache(1024)(clean)
"""What comes again and again in a session, as names of tools and files do, is cleaned once."""


def said(kind: Kind, text: str, *, line: int, at: int | None = None, agent: Agent = "main") -> Observation | None:
    """What a person or the agent said; None where it is empty, written by a machine, or our own block.

    An interruption by the user is kept as an empty user observation whose outcome is ``aborted``.
    """
    if "<openception-skill-extraction>" in text:
        text = _OWN_BLOCK.sub("", text)
    if kind == "user" and ("<system-reminder>" in text or "<ide_" in text):
        text = _ASIDE.sub("", text)
    if kind == "user" and _INTERRUPTED.match(text):
        return Observation("user", line, end_line=line, at=at, agent=agent, source="user", outcome="aborted")
    if not text or text.isspace() or (kind == "user" and _MACHINE.match(text)):
        return None
    limit = USER_TEXT if kind == "user" else SAID_TEXT
    # A prompt inside a subagent was written by the agent that started it, not by a person.
    source: Source = "user" if kind == "user" and agent == "main" else "agent"
    if kind == "user":
        return Observation(kind, line, clean(text, limit).strip(), end_line=line, at=at, agent=agent, source=source)
    made = Observation(kind, line, end_line=line, at=at, agent=agent, source=source)
    return unread(made, text, limit, trimmed=True)


def tool(
    name: str,
    action: Action,
    *,
    line: int,
    end_line: int = 0,
    at: int | None = None,
    agent: Agent = "main",
    command: str = "",
    files: tuple[str, ...] = (),
    removed: str = "",
    added: str = "",
    output: str = "",
    outcome: ToolOutcome = "unknown",
    exit_code: int | None = None,
    error: str = "",
) -> Observation:
    """One tool call with its result.

    ``action`` is what the host's tool does; a shell tool passes ``run`` and is refined by its command (``cat`` reads,
    ``sed -i`` edits). ``error`` is what the host states as the error, where that is apart from the output.
    """
    signature = target = ""
    source: Source = {"web": "web", "mcp": "mcp"}.get(action, "local")  # type: ignore[assignment]
    hidden, shown = False, clean(command, COMMAND_TEXT) if command else ""
    if action == "run":
        signature, target, action, hidden = commands.normalise(_safe(command, shown))
        if _WEB_COMMAND.search(signature):
            source = "web"
    message = ""
    silent = hidden or outcome == "unknown"  # the host states nothing of the command that matters
    if outcome == "failed" or (silent and action == "run" and errors.hard_failure(output)):
        message = clean(errors.error_line(error or output), errors.MAX_LINE)
    change = _diff(removed, added) if removed or added else ""
    made = Observation(
        "tool",
        line,
        end_line=end_line or line,
        at=at,
        agent=agent,
        source=source,
        tool=_brief(name, 80),
        action=action,
        command=shown,
        signature=_brief(signature, 200),
        target=_brief(target, 200),
        files=tuple([_brief(name, 300) for name in files[:50]]),
        change=change,
        outcome=outcome,
        exit_code=exit_code,
        error=message,
        error_signature=errors.error_signature(message),
    )
    return unread(made, output or error, TOOL_TEXT)


def _safe(command: str, shown: str) -> str:
    """The command as it may be taken apart: a part of a secret is none of which a rule knows the beginning any more."""
    if len(command) <= COMMAND_TEXT and "[redacted:" not in shown:
        return command
    return redact(strip(command[: commands.MAX_LENGTH]))


def _diff(removed: str, added: str) -> str:
    """Both sides of a change, each with the half of the space that it may take; lines that both hold are left out."""
    if HINT in removed or HINT in added:  # a key loses its frame where both sides have that
        removed, added = redact_key_blocks(strip(removed)), redact_key_blocks(strip(added))
    old, new = removed.split("\n")[:400], added.split("\n")[:400]
    kept_old, kept_new = set(old), set(new)
    minus = "\n".join("-" + row for row in old if row.strip() and row not in kept_new)
    plus = "\n".join("+" + row for row in new if row.strip() and row not in kept_old)
    return "\n".join(part for part in (clean(minus, CHANGE_TEXT // 2), clean(plus, CHANGE_TEXT // 2)) if part)
