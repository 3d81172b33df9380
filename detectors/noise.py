"""Recognise failures that do not count, such as protocol errors between agent and host, and errors that teach little.

Sources: labelled false positives from real sessions (edit mismatches, guessed names and paths, cancelled sibling calls, searches that
exit 1, linter complaints about new code), and reports of harmful lessons (a missing binary that became "this tool does not work").
"""

from __future__ import annotations

import re
from functools import lru_cache

from mind_skills.detectors.words import Phrases, build_phrases
from mind_skills.observations.model import Observation, estimate_length
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_HOST_MESSAGE_LENGTH = 400
"""Number of characters at the start of a result that may be the host's message; the rest is program output."""
_PROTOCOL = build_phrases(
    {
        "not found": r"string to replace not found|string not found in file|agent type .{1,80} not found|oldstring not found",
        "modified since ": r"modified since (?:it was )?read",
        "doesn't want to ": r"doesn't want to (?:proceed|take this action)",
        "rejected by ": r"rejected by (?:the )?user",
        "cd:": r"cd: no such file|:cd:\d+:",
    },
    literals="file has not been read|sibling tool call|tool_use_error|unknown skill|no such tool|file does not exist|"
    "eisdir|exceeds maximum allowed|no changes to make|request interrupted|failed to find expected lines|"
    "no replacement was performed",
)
_USAGE = build_phrases(
    {
        "unrecogni": r"unrecogni[sz]ed (?:sub)?command|unrecogni[sz]ed (?:argument|option)",
        "unknown ": r"unknown (?:sub)?command|unknown (?:option|flag|shorthand)",
        "no such ": r"no such (?:option|command)",
        "script": r"script not found|missing script",
        "is not a ": r"is not a \S+ command",
        "accepts ": r"accepts \d+ arg",
        "requires at least ": r"requires at least \d+ arg",
    },
    literals="invalid option|illegal option|too many arguments|unexpected argument",
)
_ABSENT = build_phrases(
    {
        "not found": r"command not found|executable (?:file )?not found",
        "unauthori": r"unauthori[sz]ed",
        "401": r"401\b",
        "authentication ": r"authentication (?:failed|required)",
        "required": r"log ?in required",
        "credential|key|token": r"(?:unable to locate|could not (?:find|load)|no|missing|invalid|expired) (?:\w+ )?"
        r"(?:credentials?|api[ _-]?keys?|access tokens?)\b",
        "enotfound": r"\benotfound\b",
    },
    literals="not recognized as an internal|no such host|could not resolve host|network is unreachable|"
    "temporary failure in name resolution|403 forbidden|not logged in|permission denied (publickey|rate limit|"
    "quota exceeded|no space left|certificate verify failed|too many requests",
)
_SLIP = build_phrases(
    {
        "unresolved ": r"unresolved (?:reference|import|name|identifier)",
        "cannot find ": r"cannot find symbol|cannot find name",
        "in this scope": r"not found in this scope|not declared in this scope",
        "undefined": r"undefined (?:local )?(?:variable|method|function|name|identifier|constant)|undefined: ",
        "cs": r"\bcs(?:0103|0246|1061)\b",
        "e04": r"\be0(?:412|425|432|433)\b",
        "used": r"imported and not used|declared and not used|is defined but never used|\bunused\b",
        "missing ": r"missing return|missing docstring",
        "syntax": r"syntax ?error",
        "unexpected ": r"unexpected (?:token|indent)",
        "expected ": r"expected .?[;)}\]]",
        "formatt": r"formatt(?:er|ing)",
        "sorted": r"import(?:s)? (?:is|are) (?:not )?sorted",
        "exhaustive": r"exhaustive\b",
        "revive": r"\brevive\b",
        "cannot use ": r"cannot use .{1,80} as ",
        "ts2": r"\bts2(?:3\d\d|55\d|7[34]\d)\b",
        "no test": r"no tests? (?:found|ran|to run)",
    },
    literals="undeclared|uninitialized constant|does not exist in the current context|no new variables on left side|"
    "is not defined|indentationerror|not enough arguments|no required module|would reformat|prettier|wrapcheck|"
    "goconst|errcheck|nilerr|gofmt|goimports|trailing whitespace|line too long|noexplicitany|usetemplate|"
    "assignment mismatch|has no field or method|too many arguments in call|no go files|setup failed|"
    "exited with code|cannot stat",
)
_MERGE_CONFLICT = compile_lazily(
    r"^CONFLICT \(|Automatic merge failed|(?:could not|cannot) (?:apply|rebase|merge)\b|unmerged (?:files|paths)|needs merge\b"
    r"|resolve (?:all|the|your) .{0,40}conflicts?|patch (?:failed|does not apply)",
    re.MULTILINE,
)
"""Git's messages about conflicting changes, which are resolved rather than learned from."""
_EMPTY_RESULT = compile_lazily(
    r"(?<![\d.,])0 (?:rows?|results?|items?|match\w*|records?|files?|objects?|documents?|hits?|[kMG]?i?B)\b"
    r"|\b(?:no|nothing|without) (?:\w+ )?(?:rows?|results?|items?|match\w*|records?|found|to (?:do|show|commit))\b"
    r"|^[^\S\n]*(?:\[\]|\{\}|null|none)[^\S\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_MAX_EMPTY_OUTPUT_LENGTH = 400
"""Maximum length, in characters, of output that counts as reporting only that nothing was found."""
_OWN_PROGRAM = "mind-skills"
"""Commands of this program are not the user's work, and nothing is learned from them."""


def is_genuine_failure(observation: Observation) -> bool:
    """Return whether a tool call genuinely failed, as the host reports or, if it reports success, as the output shows.

    Excluded: failed reads, searches and edits (guessed files, old text that does not match); failed subagents; calls rejected by
    the user, or cancelled because a parallel call failed; other errors in the use of a host's tools; merge conflicts; and our
    own commands.
    """
    if observation.kind != "tool" or observation.action not in ("run", "mcp", "write", "web", "other"):
        return False
    if observation.outcome != "failed" and not (observation.outcome == "ok" and observation.error):
        return False
    if is_own_command(observation) or (
        observation.signature.startswith("git ") and _MERGE_CONFLICT.search(observation.text)
    ):
        return False
    return not is_protocol_error(observation)


def is_protocol_error(observation: Observation) -> bool:
    """Return whether the host did not carry out a call because it was used wrongly."""
    return _matches_protocol(observation.error[:MAX_HOST_MESSAGE_LENGTH], observation.text[:MAX_HOST_MESSAGE_LENGTH])


@lru_cache(256)
def _matches_protocol(error: str, output: str) -> bool:
    """Return whether the host did not carry out a call. Cached, since the same failures are checked repeatedly."""
    return _PROTOCOL.matches(error) or _PROTOCOL.matches(output)


def is_own_command(observation: Observation) -> bool:
    return observation.signature.startswith(_OWN_PROGRAM)


def found_nothing(observation: Observation) -> bool:
    """Return whether a command did not fail, and printed nothing or a short message that nothing was found."""
    if observation.outcome == "failed" or estimate_length(observation) > _MAX_EMPTY_OUTPUT_LENGTH:
        return False
    return (
        observation.outcome == "nothing" or not observation.text.strip() or bool(_EMPTY_RESULT.search(observation.text))
    )


def is_usage_error(observation: Observation) -> bool:
    """Return whether a command reported that it was called incorrectly, which the next call usually corrects."""
    return _matches(_USAGE, observation)


def lacks_resource(observation: Observation) -> bool:
    """Return whether something outside the project is missing, such as a binary, a credential, a host or a quota."""
    return _matches(_ABSENT, observation)


def _matches(phrases: Phrases, observation: Observation) -> bool:
    return phrases.matches(observation.error) or phrases.matches(observation.text[:MAX_HOST_MESSAGE_LENGTH])


def is_slip(observation: Observation) -> bool:
    """Return whether a compiler, linter or formatter reports a slip in the code, which the next step usually fixes."""
    return _SLIP.matches(observation.error)
