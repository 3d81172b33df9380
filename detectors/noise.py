"""What must never count: failures that lie in the protocol between agent and host, and errors that teach nothing.

Sources: the labelled false friends of real sessions (edit mismatches, guessed names and paths, siblings cancelled, searches
that exit 1, linters that complain about code written a minute ago), and reports of lessons that did harm (a missing
binary that became "this tool does not work").
"""

from __future__ import annotations

import re

from mind_skills.detectors import thresholds
from mind_skills.observations.model import Observation

_PROTOCOL = re.compile(
    r"string to replace not found|string not found in file|file has not been read|modified since (?:it was )?read"
    r"|sibling tool call|tool_use_error|unknown skill|agent type .{1,80} not found|no such tool"
    r"|file does not exist|eisdir|exceeds maximum allowed|no changes to make"
    r"|doesn't want to (?:proceed|take this action)|request interrupted|rejected by (?:the )?user"
    r"|oldstring not found|failed to find expected lines|no replacement was performed|cd: no such file|:cd:\d+:",
    re.IGNORECASE,
)
_USAGE = re.compile(
    r"unrecogni[sz]ed (?:sub)?command|unknown (?:sub)?command|unknown (?:option|flag|shorthand)|unrecogni[sz]ed (?:argument|option)"
    r"|no such (?:option|command)|invalid option|illegal option|script not found|missing script|too many arguments"
    r"|is not a \S+ command|accepts \d+ arg|requires at least \d+ arg|unexpected argument",
    re.IGNORECASE,
)
_ENVIRONMENT = re.compile(
    r"command not found|executable (?:file )?not found|not recognized as an internal|no such host|could not resolve host"
    r"|network is unreachable|connection (?:refused|reset|timed out)|temporary failure in name resolution|unauthori[sz]ed"
    r"|401\b|403 forbidden|authentication (?:failed|required)|not logged in|permission denied \(publickey"
    r"|rate limit|quota exceeded|no space left|econnrefused|enotfound|etimedout|certificate verify failed|timed out",
    re.IGNORECASE,
)
_SLIP = re.compile(
    r"imported and not used|declared and not used|is defined but never used|unused (?:import|variable)|no-unused|"
    r"no new variables on left side|undefined: |undeclared name|is not defined|missing return|syntax ?error|unexpected (?:token|indent)|"
    r"indentationerror|expected .?[;)}\]]|cannot find name|not enough arguments in call|no required module|"
    r"formatt(?:er|ing)|would reformat|prettier|import(?:s)? (?:is|are) (?:not )?sorted|wrapcheck|exhaustive\b|goconst|errcheck|"
    r"\brevive\b|nilerr|gofmt|goimports|trailing whitespace|line too long|missing docstring|noExplicitAny|useTemplate|"
    r"assignment mismatch|cannot use .{1,80} as |has no field or method|not enough arguments|too many arguments in call|\bTS2\d{3}\b|"
    r"no go files|setup failed|exited with code|cannot stat|no tests? (?:found|ran|to run)",
    re.IGNORECASE,
)
_OURS = "mind-skills"
"""What an agent does because we asked it to is no work of the user's: nothing is learned from it."""


def genuine_failure(observation: Observation) -> bool:
    """Whether a tool call failed for a reason that lies in the work, as the host states it or, behind a pipe, its output does.

    Left out: edits whose old text is not there, files that were guessed, calls cancelled with a sibling, whatever the user
    rejected, searches and comparisons that exit 1 because they found nothing, or a difference, and our own commands.
    """
    if observation.kind != "tool" or observation.action not in ("run", "mcp", "write", "web", "other"):
        return False
    if observation.outcome != "failed" and not (observation.outcome == "ok" and observation.error):
        return False
    if observation.signature.startswith(_OURS):
        return False
    return not _PROTOCOL.search(observation.error[: thresholds.HOST_WORDS]) and not _PROTOCOL.search(
        observation.text[: thresholds.HOST_WORDS]
    )


def usage_error(observation: Observation) -> bool:
    """A command that was guessed wrong and whose own message says so: the next call puts it right."""
    return bool(_USAGE.search(observation.error) or _USAGE.search(observation.text[: thresholds.HOST_WORDS]))


def environment_error(observation: Observation) -> bool:
    """A missing binary, credential or network: true here and today, and wrong as a lesson as soon as it is cured."""
    return bool(
        _ENVIRONMENT.search(observation.error) or _ENVIRONMENT.search(observation.text[: thresholds.HOST_WORDS])
    )


def slip(observation: Observation) -> bool:
    """A compiler's, linter's or formatter's complaint about code that was written a moment ago: cured in the next step."""
    return bool(_SLIP.search(observation.error))
