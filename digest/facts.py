"""Typed facts about an episode.

An offer consists of such facts (staging/offer.py), and a stranger may have written any output. So a fact is a number, a word of a
closed list, or a name of one word: of a program that ran, of a file, or of an error's class or code. Names contain letters, digits
and few signs; anything else in their place is left out.
"""

from __future__ import annotations

import re
from itertools import chain

from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import Timeline
from mind_skills.digest.model import Facts
from mind_skills.digest.rows import get_base_name
from mind_skills.observations.active_time import ActiveTime
from mind_skills.observations.commands import is_check
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_NAME, MAX_PROGRAM_WORDS = 48, 3
MAX_FILES = 8
"""Maximum number of changed files that are stored."""
MAX_COMMIT_DISTANCE = 60
"""A commit belongs to an episode if it is in the same turn and at most this many observations later."""
_PROGRAM_WORD = compile_lazily(r"[A-Za-z][\w.:+-]*(?:/[\w.:+-]+)*")
_FILE_NAME = compile_lazily(r"[\w.@+-]*\w[\w.@+-]*")
_CODE = compile_lazily(
    r"\b(TS\d{4,5}|CS\d{4}|E0\d{3}|ERR_[A-Z][A-Z0-9_]{2,40}|SQLITE_[A-Z]{2,20}|SQLSTATE[\[ ]?\w{5}|P\d{4}|SC\d{4}|ORA-\d{5}"
    r"|E(?:2BIG|ACCES|ADDRINUSE|AGAIN|BADF|BUSY|CANCELED|CONNABORTED|CONNREFUSED|CONNRESET|EXIST|HOSTUNREACH|INVAL|ISDIR|MFILE"
    r"|NAMETOOLONG|NOENT|NOMEM|NOSPC|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|RESOLVE|ROFS|TIMEDOUT|INTEGRITY)"
    r"|SIG(?:ABRT|BUS|FPE|ILL|KILL|PIPE|SEGV|TERM))\b"
    r"|\b(?:HTTP|status|status code|returned error:?) ([45]\d\d)\b"
)
_CLASS = compile_lazily(
    r"(?<![\w.])(?:\w{1,40}(?:\.|::)){0,4}([A-Z]\w{2,46}(?:Error|Exception|Failure|Warning|Panic|Interrupt))\b"
)
_PHRASES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (phrase, compile_lazily(pattern, re.IGNORECASE))
    for phrase, pattern in (
        (
            "command not found",
            r"command not found|executable (?:file )?not found|not recognized as an internal|: not found$",
        ),
        (
            "module not found",
            r"cannot find (?:module|package)|no module named|can't resolve|unresolved import|could not resolve",
        ),
        ("permission denied", r"permission denied|not permitted|access is denied|EACCES"),
        ("connection refused", r"connection refused|could not connect|failed to connect|unable to connect"),
        ("address in use", r"address already in use|port .{0,20}(?:in use|already allocated)"),
        ("timed out", r"timed? ?out|deadline exceeded"),
        ("no such file", r"no such file|cannot stat|file not found|does not exist|path not found"),
        ("already exists", r"already exists"),
        (
            "unauthorized",
            r"unauthori[sz]ed|authentication (?:failed|required)|not logged in|invalid (?:token|credentials)",
        ),
        ("rate limit", r"rate limit|too many requests"),
        ("certificate", r"certificate|x509|\bSSL\b"),
        ("out of memory", r"out of memory|heap limit|\bOOM\b"),
        ("no space left", r"no space left"),
        ("locked", r"\block(?:ed)?\b|another process"),
        ("merge conflict", r"\bCONFLICT\b|unmerged|would be overwritten"),
        (
            "wrong usage",
            (
                r"unrecogni[sz]ed|(?:un(?:known|expected)|missing) (?:flag|option|(?:sub)?command|argument)"
                r"|invalid (?:option|argument|choice)|usage:"
            ),
        ),
        ("missing script", r"missing script|script not found|no rule to make target"),
        ("syntax", r"syntax|unexpected (?:token|indent|end)|parse error|expected .?[;)}\]]"),
        (
            "wrong type",
            r"type mismatch|incompatible type|cannot use .{1,60} as |not assignable|mismatched types|cannot convert",
        ),
        (
            "undefined name",
            r"undefined|not defined|unresolved|undeclared|cannot find (?:name|symbol)|no attribute|unknown identifier",
        ),
        (
            "version conflict",
            r"versions? (?:conflict|mismatch|solving)|incompatible|unsupported .{0,20}version|peer dep|conflicting dependenc",
        ),
        ("assertion", r"(?<![\w./-])assert(?:ion|ed)?(?:s|error)?\b|\bexpected\b|to (?:deeply )?equal|not equal"),
        ("test failed", r"(?-i:\bFAIL(?:ED)?\b)|\btests? failed\b|\d failed\b|not ok"),
        ("failed", r"\bfail(?:ed)?\b"),
        ("denied", r"denied|forbidden|rejected|refused"),
        ("invalid", r"invalid|not valid|malformed|unsupported"),
        (
            "not found",
            r"not found|cannot find|no match|\bis missing|missing (?:file|module|package|key|field|dependency)",
        ),
    )
)
"""Phrases for common errors, the specific ones first."""


def collect_facts(timeline: Timeline, episode: Episode) -> Facts:
    """Return the facts about an episode of the timeline."""
    observations, first, last = timeline.observations, episode.first, episode.last
    failures = list_named_failures(timeline, episode)
    passed = find_proof(timeline, episode)
    changes = list_named_changes(timeline, episode)
    begun = changes[0] if changes else last + 1
    lookups = timeline.select(timeline.lookups, first, begun)
    runs = timeline.select(timeline.runs, first, begun)
    start = failures[0] if failures else runs[0] if runs else None
    names = dict.fromkeys(name for index in changes for path in observations[index].files if (name := name_file(path)))
    commit = timeline.find_after(timeline.commits, first)
    is_near = (
        commit is not None
        and commit - last <= MAX_COMMIT_DISTANCE
        and timeline.find_turn(commit) == timeline.find_turn(last)
    )
    turn = timeline.find_turn(first)
    traits = timeline.message_traits[turn] if turn is not None else None
    active = ActiveTime()
    for observation in observations[first : last + 1]:
        active.feed(observation.at)
    return Facts(
        program=name_program(observations[start].signature) if start is not None else "",
        target=name_target(observations[start]) if start is not None else "",
        error=_name_error(observations[failures[0]]) if failures else "",
        failures=len(failures),
        minutes=round(active.milliseconds / 60_000),
        changed=tuple(names)[:MAX_FILES],
        passed=name_program(observations[passed].signature) if passed is not None else "",
        passed_again=passed is not None
        and _get_command(observations[passed]) in {_get_command(observations[index]) for index in failures},
        committed=is_near,
        lookups=len(lookups),
        reported=traits is not None and (traits.reports_problem or traits.has_pasted_error),
    )


def list_named_failures(timeline: Timeline, episode: Episode) -> list[int]:
    """Return the failures of the program that failed first, with the same error if it has a name: those that a title counts."""
    failures = timeline.select(timeline.failures, episode.first, episode.last + 1)

    def name_failure(index: int) -> tuple[str, str]:
        failed = timeline.observations[index]
        return name_program(failed.signature) or failed.tool, error and _name_error(failed)

    error = _name_error(timeline.observations[failures[0]]).removeprefix("failed") if failures else ""
    return [index for index in failures if name_failure(index) == name_failure(failures[0])]


def list_named_changes(timeline: Timeline, episode: Episode) -> list[int]:
    """Return the changes after the first of the named failures and before the proof: a title tells in the order of time."""
    failures, proof = list_named_failures(timeline, episode), find_proof(timeline, episode)
    return timeline.select(
        timeline.changes, failures[0] if failures else episode.first, episode.last + 1 if proof is None else proof
    )


def find_proof(timeline: Timeline, episode: Episode) -> int | None:
    """Return the last pass that bears an episode out: of the command that had failed, else of one that runs the same on something
    else, else a check, else any that is not git's or gh's.

    It comes after the last of the named failures; without one, after the first change or look-up.
    """
    first, last = episode.first, episode.last
    failures = list_named_failures(timeline, episode)
    begun = (timeline.select(indexes, first, last + 1) for indexes in (timeline.changes, timeline.lookups))
    start = failures[-1] if failures else next((indexes[0] for indexes in begun if indexes), first)
    failed = {_get_command(timeline.observations[index]) for index in failures}
    signatures = {signature for signature, _ in failed}
    passes = timeline.select(timeline.passes, start, last + 1)[::-1]
    checks = frozenset(timeline.select(timeline.passed_checks, start, last + 1))
    again = (index for index in passes if _get_command(timeline.observations[index]) in failed)
    others = [index for index in passes if not timeline.observations[index].signature.startswith(("git ", "gh "))]
    alike = (index for index in others if timeline.observations[index].signature in signatures)
    return next(chain(again, alike, (index for index in passes if index in checks), others), None)


def _get_command(observation: Observation) -> tuple[str, str]:
    """Return what tells whether a command is the same: what it runs, and on what."""
    return observation.signature, observation.target


def name_program(signature: str) -> str:
    """Return the last check of a command, else its last program, with subcommands: at most three words, empty if it has another form.

    ``signature`` is an observation's.
    """
    parts = signature.split(" && ")[::-1]
    part = next((part for part in parts if is_check(part)), parts[0])
    shown: list[str] = []
    for word in re.sub(r" ?\[[^\]]*\]", "", part).split()[:MAX_PROGRAM_WORDS]:
        if word.startswith("-") and shown:
            continue
        name = get_base_name(word) if "/" in word else word
        if len(word) > MAX_NAME or not _PROGRAM_WORD.fullmatch(name):
            break
        shown.append(name)
    return " ".join(shown)


def name_target(observation: Observation) -> str:
    """Return the name of the first file or folder that a command works on; empty if none has the form of one."""
    for word in observation.target.split()[:4]:
        if ("/" in word or "." in word) and (name := name_file(word.rstrip("/."))):
            return name
    return ""


def name_file(path: str) -> str:
    """Return the last part of a path; empty if it has an unusual form."""
    name = get_base_name(path)
    return name if len(name) <= MAX_NAME and _FILE_NAME.fullmatch(name) else ""


def _name_error(observation: Observation) -> str:
    is_local = observation.source in ("local", "agent")
    named = classify_error(observation.error, is_local=is_local)
    return named or (f"exit {observation.exit_code}" if observation.exit_code not in (None, 0, 1) else "")


def classify_error(text: str, *, is_local: bool = True) -> str:
    """Return the code or the class in an error's text, else a phrase of the closed list, or nothing.

    If the text is not local, strangers may have written it, and a class, which may be any word, does not count.
    """
    if found := _CODE.search(text):
        return f"HTTP {found[2]}" if found[2] else found[1]
    if is_local and (found := _CLASS.search(text)):
        return found[1]
    return next((phrase for phrase, pattern in _PHRASES if pattern.search(text)), "") if text else ""


_GENERIC_ERRORS = frozenset(
    [
        *(
            "assertion",
            "denied",
            "invalid",
            "not found",
            "failed",
            "test failed",
            "undefined name",
            "wrong type",
            "syntax",
        ),
        *(
            "AssertionError",
            "AttributeError",
            "KeyError",
            "NameError",
            "OSError",
            "RuntimeError",
            "SyntaxError",
            "TypeError",
        ),
        *("ValueError", "ENOENT", "EINVAL", "HTTP 400", "HTTP 404", "HTTP 500"),
    ]
)
"""Errors that show that something failed, but do not identify it, in whatever project."""


def name_family(facts: Facts) -> tuple[str, str]:
    """Return error and program if they identify the same learning in other projects, else two empty strings."""
    is_specific = (
        facts.error and facts.program and facts.error not in _GENERIC_ERRORS and not facts.error.startswith("exit ")
    )
    return (facts.error, facts.program) if is_specific else ("", "")
