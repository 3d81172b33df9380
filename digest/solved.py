"""The errors that an episode solved, so that a later session that meets one of them can be reminded (staging/solved_errors.py).

A reminder must nearly always be right, so most failures are left out: slips in code, wrong usage, failed tests and assertions, which
have another cause each time, and whatever passed without a remedy.
"""

from __future__ import annotations

import re

from mind_skills.detectors import noise
from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import Timeline
from mind_skills.digest.facts import classify_error, name_file, name_program, name_target
from mind_skills.digest.model import SolvedError
from mind_skills.digest.titles import list_files
from mind_skills.observations.commands import is_check, is_same_command
from mind_skills.observations.error_names import is_specific
from mind_skills.observations.model import Observation
from mind_skills.observations.results import build_error_signature, is_runner_message, rate_error_line
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.store.error_index import build_key, build_place_key, digest_codes, list_command_words, list_keys

MAX_SOLVED = 5
"""Maximum number of errors of an episode, the first ones."""
MAX_QUOTED = 50
"""Maximum number of errors that a skill quotes."""
MAX_STEPS = 200
"""Maximum number of observations from the last failure to the pass; after more of them, something else may have mended it."""
_UNSPECIFIC = ("assertion", "test failed", "AssertionError", "syntax", "merge conflict")
"""Errors (digest/facts.py) that have another cause each time."""
_UNSPECIFIC_ELSEWHERE = ("failed", "timed out")
"""Errors that have another cause each time, unless it was the sandbox."""
_USAGE = compile_lazily(
    r"^[^\S\n]*(?:usage:|available (?:commands|fields|options|subcommands|values)|did you mean|(?:run|try|see|use) .{0,60}--help)",
    re.IGNORECASE | re.MULTILINE,
)
_COMMON_WORDS = frozenset(
    """access already any are been but can cannot could denied directory does doing exist exists file files found given have
    into missing module more most named named need needed not object one open operation option package path permission permitted
    please read such than that there this too try unable unknown use used using value when while will without write you your""".split()
)
"""Words that occur in the errors of all programs."""
_QUERIES = ("git ", "gh ")
"""Commands of these programs mostly look at something, so they are not named as remedies."""
_SETUP = frozenset(("add", "bootstrap", "ci", "install", "restore", "setup", "sync", "update", "upgrade"))
"""Words of commands that provide something, even if their names look like those of checks."""
_QUOTE = compile_lazily(
    r"`{1,2}([^`\n]{12,240})`|\"([^\"\n]{12,240})\"|^[ \t]{0,8}(?!```)([^`\"\n]{12,240})$", re.MULTILINE
)
_WARNING = compile_lazily(r"\bwarning\b|Warning:", re.IGNORECASE)
"""A warning is mostly not the reason of a failure."""
_OUTPUT = compile_lazily(r"(?<!\|)\|(?!\|)|\d?>&?")
"""What is done with the output of a command."""
_MIN_OWN_WORDS = 2
_OUTSIDE_SANDBOX, _IN_PLACE, _AS_PROGRAM = "passes outside the sandbox", "passes in ", "passes as "
"""Beginnings of remedies. The first two help whatever the command works on."""
_BYPASS = compile_lazily(r"-f$|--(?:no-|force|skip|ignore|allow)|\|\|$")
"""Words of a command that passes because a check was left out."""
_WORD = compile_lazily(r"[^\W\d_]{3,}")


def list_solved(timeline: Timeline, episode: Episode) -> tuple[SolvedError, ...]:
    """Return the specific errors of the episode's failures whose command passed after their last occurrence, with a remedy."""
    observations = timeline.observations
    solved: dict[tuple[str, str], SolvedError] = {}
    last_by_error = {observations[index].error_signature: index for index in timeline.failures}
    for index in timeline.select(timeline.failures, episode.first, episode.last + 1):
        failed = observations[index]
        key = build_key(failed.error).hex() if _identifies(failed) else ""
        program = name_program(failed.signature)
        if not key or not program or (key, program) in solved or len(solved) == MAX_SOLVED:
            continue
        last = last_by_error[failed.error_signature]
        passed = _find_pass(timeline, last, key)
        remedy = _describe_remedy(timeline, last, passed) if passed is not None else ""
        if not remedy or not _fits(failed, remedy):
            continue
        place_key = build_place_key(failed.error, list_command_words(failed.command)).hex()
        solved[key, program] = SolvedError(
            key=place_key if remedy.startswith((_OUTSIDE_SANDBOX, _IN_PLACE)) and place_key else key,
            codes=digest_codes(failed.error).hex(),
            program=program,
            name=failed.error_signature,
            facts=", ".join((" ".join(filter(None, (program, name_target(failed)))), remedy)),
        )
    return tuple(solved.values())


def list_quoted_errors(text: str) -> dict[str, str]:
    """Return keys and codes, hexadecimal, of the errors that a text quotes: in backticks or double quotes, or on a line of their own."""
    found: dict[str, str] = {}
    for match in _QUOTE.finditer(text):
        line = match[match.lastindex or 0].strip()
        quoted = Observation("tool", 0, line, action="run", error=line, error_signature=build_error_signature(line))
        if len(found) < MAX_QUOTED and rate_error_line(line) and _identifies(quoted) and _fits(quoted, ""):
            found[build_key(line).hex()] = digest_codes(line).hex()
    found.pop("", None)
    return found


def _identifies(failed: Observation) -> bool:
    """Return whether the error of a failed command identifies what failed."""
    own_words = {word for word in map(str.lower, _WORD.findall(failed.error_signature)) if word not in _COMMON_WORDS}
    return (
        failed.action == "run"
        and is_specific(" ".join(own_words))
        and len(own_words) >= _MIN_OWN_WORDS
        and classify_error(failed.error) not in _UNSPECIFIC
        and not is_runner_message(failed.error)
        and not _WARNING.search(failed.error)
        and not noise.is_slip(failed)
    )


def _fits(failed: Observation, remedy: str) -> bool:
    """Return whether the remedy can be that of the error, which may have another one each time."""
    if remedy == _OUTSIDE_SANDBOX:
        return True
    is_wrong_usage = (
        classify_error(failed.error) == "wrong usage" or noise.is_usage_error(failed) or _USAGE.search(failed.text)
    )
    return (
        remedy.startswith(_AS_PROGRAM) if is_wrong_usage else classify_error(failed.error) not in _UNSPECIFIC_ELSEWHERE
    )


def _find_pass(timeline: Timeline, last: int, key: str) -> int | None:
    """Return the pass of the command that failed at ``last``; None if there is none, or if its output has the same error."""
    observations = timeline.observations
    failed = observations[last]
    for index in timeline.select(timeline.passes, last + 1, last + MAX_STEPS):
        passed = observations[index]
        if _is_same_command(failed, passed):
            return None if any(found.hex() == key for found, _, _ in list_keys(passed.text)) else index
    return None


def _is_same_command(failed: Observation, passed: Observation) -> bool:
    """Return whether the command that failed is the same, with the same target. It may run elsewhere, or without a wrapper.

    Of a chain, the last one counts, unless another check in it may be the one that failed.
    """
    if passed.target != failed.target and not is_check(failed.signature):
        return False
    if any(map(is_check, failed.signature.split(" && ")[:-1])):
        return passed.signature == failed.signature
    (old, _), (new, _) = map(_split_scope, (failed.signature, passed.signature))
    return is_same_command(old, new)


def _split_scope(signature: str) -> tuple[str, str]:
    """Return the last command of a chain without the package, folder, container or machine that it names, and that name."""
    command, _, scope = signature.rpartition(" && ")[2].partition(" [")
    return command, scope.rstrip("]")


def _describe_remedy(timeline: Timeline, last: int, passed: int) -> str:
    """Return what a command passed after, in typed facts; empty if nothing was done about it."""
    observations = timeline.observations
    before, after = observations[last], observations[passed]
    if after.is_outside_sandbox and not before.is_outside_sandbox:
        return _OUTSIDE_SANDBOX
    (old_name, old_scope), (new_name, new_scope) = map(_split_scope, (before.signature, after.signature))
    if new_scope and new_scope != old_scope:
        return _name_place(new_scope)
    changes = timeline.select(timeline.changes, last + 1, passed)
    names = dict.fromkeys(name for index in changes for path in observations[index].files if (name := name_file(path)))
    if names:
        others = tuple(name for name in names if name not in before.error)
        return f"passes after a change in {list_files(others)}" if others else ""
    if old_name != new_name:
        return f"{_AS_PROGRAM}{name}" if (name := name_program(new_name)) else ""
    (old_folder, old), (new_folder, new) = map(_split_folder, (before.command, after.command))
    if old == new and old_folder != new_folder:
        return _name_place(new_folder)
    if any(_BYPASS.match(word) for word in new if word not in old):
        return ""
    chain, steps = before.signature.split(" && "), [*changes, *timeline.select(timeline.passes, last + 1, passed)]
    programs = [
        *after.signature.split(" && ")[-2::-1],
        *(observations[index].signature for index in sorted(steps, reverse=True)),
    ]
    for signature in programs:
        if signature not in (*chain, after.signature) and _is_remedy(signature) and (name := name_program(signature)):
            return f"passes after {name}"
    return "passes when called in another way" if old != new else ""


def _is_remedy(signature: str) -> bool:
    return not (signature.startswith(_QUERIES) or (is_check(signature) and _SETUP.isdisjoint(signature.split())))


def _name_place(place: str) -> str:
    return f"{_IN_PLACE}{name_file(place.rstrip('/')) or 'another folder'}"


def _split_folder(command: str) -> tuple[str, list[str]]:
    """Return the folder that a command changes to first, and its other words, without what is done with its output."""
    folder, separator, rest = command.partition("&&")
    words = folder.split()
    if separator and words[:1] == ["cd"]:
        return " ".join(words[1:]), _OUTPUT.split(rest)[0].split()
    return "", _OUTPUT.split(command)[0].split()
