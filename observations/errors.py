"""Finds error lines in tool output, and builds signatures by which the same error is recognised again.

The functions are used for the output of a failed tool, for output whose exit code is unknown or hidden by a pipe, and for messages
(``find_pasted_error``). A word such as "error" alone never proves a failure.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_HEAD_CHARACTERS, MAX_TAIL_CHARACTERS = 20_000, 40_000
"""Maximum number of characters examined at the beginning and at the end of an output, where errors occur."""
MAX_LINE_CHARACTERS = 240

_ERROR_PHRASES = (
    "failed|failure|rejected|denied|timed out|refused|deprecated|unsupported|invalid"
    "|does not match|incompatible|not permitted|not allowed|unable to"
)
"""Phrases that describe an error, to be matched regardless of case."""
_ERROR_HINTS = "Error|Exception|Failure|Warning|Panic|KeyboardInterrupt|SystemExit"
_ERROR_NAME = r"(?:[A-Za-z_][\w.]*(?:Error|Exception|Failure|Warning|Panic)|KeyboardInterrupt|SystemExit)"
_RULES: tuple[tuple[int, tuple[str, ...], Callable[[str], object]], ...] = tuple(
    (
        weight,
        tuple(hints.split("|")),
        compile_lazily(pattern).match if pattern[:1] == "^" else compile_lazily(pattern).search,
    )
    for weight, hints, pattern in (
        (
            10,
            _ERROR_HINTS,
            rf"^\s*(?:E\s+)?(?:Uncaught |Caused by: )?(?!\w*Warning){_ERROR_NAME}(?:\s*\[\w+\])?: \S",
        ),
        (9, "Warning", r"^\s*(?:E\s+)?[A-Za-z_][\w.]*Warning: \S"),
        (9, "error", r"^(?:\S+: )?error(?:\[\w+\])?: \S"),
        (9, "error TS", r"\berror TS\d+: "),
        (
            9,
            "fatal|panic|FATAL|ERROR|Error|GraphQL|HttpError",
            # The name of a test alone does not count: its error is on a later line.
            (
                r"^(?:fatal|panic|FATAL|ERROR|Error|GraphQL|HttpError)(?: error)?: "
                r"(?!\W*(?:test\w*|\w+_\w+)(?: \([\w.]+\))?\s*$)\S"
            ),
        ),
        (8, ":", r"^\s*\S+:\d+(?::\d+)?:? (?:\w+ )?(?:error|fatal error)?:? ?[^\s:#·•>|-]"),
        (
            7,
            "--- FAIL: |FAIL|ERROR|✗|×|✘|(fail)|not ok",
            r"^\s*--- FAIL: \S|^(?:FAIL|FAILED|ERROR)\b[ :]\S|^\s*(?:✗|×|✘|\(fail\)|not ok) ?\S",
        ),
        (
            7,
            "not found|No such|denied|not a|unknown|invalid|annot |ould not |undefined:",
            (
                r"(?:command not found|No such file or directory|Permission denied|not a valid|is not a |unknown flag|"
                r"unknown command|invalid (?:option|argument|choice)|cannot |could not |Cannot |Could not |undefined:)"
            ),
        ),
        (6, "ERR|rror|FATAL|E:", r"^\s*(?:\[\w+\] )?(?:ERROR|Error|error|FATAL|npm ERR!|E:)\b"),
        (5, "E|MODULE", r"\b(?:EADDRINUSE|ECONNREFUSED|ENOENT|EACCES|EPERM|ETIMEDOUT|MODULE_NOT_FOUND)\b"),
        (
            4,
            "Expected|Received|expected|got|Assertion|assert ",
            r"\bAssertion\b|\bassert |^(?:Expected|Received|expected|got)\b.*\S",
        ),
        (3, _ERROR_PHRASES, rf"(?i)\b(?:{_ERROR_PHRASES})\b"),
    )
)
"""Weight (how specific a matching line is), hint words, and matching method of each rule, the most specific rules first. Every match
contains a hint word. Patterns that begin with ``^`` only match at the beginning of a line."""
_FAILURE_LINES: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = tuple(
    (tuple(hints.split("|")), compile_lazily(pattern))
    for hints, pattern in (
        (
            "Error: |Exception: |Failure: |Warning: |Panic: |Interrupt: |Exit: ",
            rf"\n[^\S\n]*(?:E[^\S\n]+)?{_ERROR_NAME}: \S",
        ),
        ("error: |error[", r"\nerror(?:\[\w+\])?: \S"),
        ("error TS", r"error(?<!\werror) TS\d+: "),
        ("fatal: |panic: ", r"\n(?:fatal|panic): \S"),
        ("--- FAIL: ", r"\n[^\S\n]*--- FAIL: "),
        ("FAIL", r"\nFAIL(?:[^\S\n]+|ED )\S"),
        ("(fail) ", r"\n[^\S\n]*\(fail\) "),
        ("] ERROR ", r"\n\[[\w:-]+\] ERROR "),
        ("No module named ", r"\n\S*python[\d.]*(?:\.exe)?: No module named \S"),
        ("Traceback", r"\nTraceback \(most recent call last\)"),
        (": command not found", r": command not found(?:\n|\Z)"),
        ("npm ERR! ", r"\nnpm ERR! "),
        (": *** ", r"\nmake(?:\[\d+\])?: \*\*\* "),
        (" fail", r"\n[^\S\n]*\d+ (?:failed|failing)\b"),
        (" failed| error", r"\n=+ .*\b[1-9]\d* (?:failed|error)"),
    )
)
"""Hint words and patterns of lines whose form alone proves a failure. Every match contains a hint word. Where possible, a pattern
begins with the preceding line break, because that makes the search fast."""
_SUCCESS_SUMMARY = compile_lazily(
    r"^[^\S\n]*(?:0 fail(?:ed|ures?|ing)?\b|0 issues\b|All checks passed|All tests passed|OK \()|\b[1-9]\d* pass(?:ed|ing)?\b(?!.*\bfail)|"
    r"\btest result: ok\b|\b0 (?:failed|failures|errors)\b",
    re.MULTILINE,
)
_FAILURE_SUMMARY = compile_lazily(
    r"\b[1-9]\d* (?:fail(?:ed|ures?|ing)?|errors?)\b|^FAIL\b|^--- FAIL|exited with code [1-9]", re.MULTILINE
)
_NOISE = compile_lazily(
    r"^\s*(?:at |File \"|\^|~|\||\d+ \||\d+:\s{2,}|Exit code|exit status \d+$|Traceback|goroutine|[=_-]{5,}|#|//)|^\s*$"
)
_RUNNER_MESSAGE = compile_lazily(
    r"ERROR task failed|script \"?[\w:.-]+\"? exited with|exited with (?:exit )?(?:code|status)|Command failed with exit code|"
    r"^make(?:\[\d+\])?: \*\*\*|npm ERR! (?:code|errno|Lifecycle|A complete log)|Process completed with exit|^FAIL\s*$|"
    r"[Bb]uild failed|task .{1,40} failed|hook exited|npm error (?:code|errno|path|command|workspace|location|Lifecycle|A complete log)|"
    r"ELIFECYCLE|ERR_PNPM_RECURSIVE_RUN|lerna ERR!|[Rr]ecipe `.{1,60}` (?:failed|was terminated)|Failed to run task|subcommand failed|"
    r"could not compile `|aborting due to|test failed, to rerun pass|Execution failed for task|"
    r"Running target .{1,80} failed|run failed: command|hook failed|^Background command |script failed \(code|InvocationError for command|"
    r"subprocess-exited-with-error|^FAIL\t\S+(?:\t[\d.]+s| \[\w+ failed\])?$"
)
"""A task runner's message that a command failed, which does not name the error."""
_RUNNER_HINTS = tuple(
    "ailed|exited with|exited-with|hook exited|: ***|npm ERR! |npm error |Process completed|FAIL|ELIFECYCLE|ERR_PNPM_|lerna ERR!"
    "|was terminated|Background command|could not compile|aborting due to|InvocationError".split("|")
)
"""Every match of ``_RUNNER_MESSAGE`` contains one of these."""
_RUNNER_WEIGHT = 2
_PHRASE_WEIGHT = 3
"""The weight of lines that contain one of ``_ERROR_PHRASES``, in any case."""
_MIN_FORM_WEIGHT = 8
"""The minimum weight of lines that have the form of an error."""
_REPLACEMENTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (compile_lazily(r"\x1b\[[0-9;]*m"), ""),
    (compile_lazily(r"(?:[A-Za-z]:)?(?:[\w.@~+-]*/)+([\w.@+-]+)"), r"\1"),
    (compile_lazily(r"\b0x[0-9a-fA-F]+\b|\b[0-9a-f]{7,64}\b"), "H"),
    (compile_lazily(r"\d+"), "N"),
    (compile_lazily(r"\s+"), " "),
)


def has_failure_line(output: str) -> bool:
    """Return whether the form of a line in the output proves that a command failed.

    The line does not count if a summary reports success and none reports failures, because the tests of a passing suite may log
    errors on purpose.
    """
    text = take_ends(output)
    lines = f"\n{text}"
    if not any(any(map(text.__contains__, hints)) and pattern.search(lines) for hints, pattern in _FAILURE_LINES):
        return False
    return not _SUCCESS_SUMMARY.search(text) or bool(_FAILURE_SUMMARY.search(text))


def find_error_line(output: str, limit: int = MAX_LINE_CHARACTERS) -> str:
    """Return the most specific error line, or else the first line that is not noise, truncated to ``limit`` characters.

    The result is empty if there is no such line.
    """
    text = take_ends(output)
    best = _find_best_line(text)[0]
    if not best:
        best = next((line.strip() for line in text.split("\n") if line.strip() and not _NOISE.match(line)), "")
    return best[:limit]


def find_pasted_error(text: str) -> str:
    """Return the line of a message that has the form of an error, truncated to 240 characters; empty if there is none."""
    best, weight = _find_best_line(take_ends(text))
    return best[:MAX_LINE_CHARACTERS] if weight >= _MIN_FORM_WEIGHT else ""


def _find_best_line(text: str) -> tuple[str, int]:
    """Return the first of the most specific error lines, or else a task runner's message, and its weight; "" and 0 if there is none."""
    lines, runner_hints = text.split("\n"), [hint for hint in _RUNNER_HINTS if hint in text]
    best_index, weight = len(lines), 0
    for rule_weight, hints, matches in _RULES:
        if rule_weight < weight:
            break
        rows, found_hints = lines, [hint for hint in hints if hint in text]
        if rule_weight == _PHRASE_WEIGHT:
            # Hints are not used for non-ASCII text: lower-casing it may produce ASCII letters or change its length.
            rows, found_hints = lines, [""]
            if text.isascii() and text:
                lowered = text.lower()
                rows, found_hints = lowered.split("\n"), [hint for hint in hints if hint in lowered]
        if not found_hints:
            continue
        for index, line in enumerate(lines[:best_index]):
            if (
                any(map(rows[index].__contains__, found_hints))
                and matches(line)
                and _can_name_error(line, runner_hints)
            ):
                best_index, weight = index, rule_weight
                break
    if weight:
        return lines[best_index].strip(), weight
    for line in lines if runner_hints else ():
        if _RUNNER_MESSAGE.search(line) and len(line) <= 4 * MAX_LINE_CHARACTERS and not _NOISE.match(line):
            return line.strip(), _RUNNER_WEIGHT
    return "", 0


def _can_name_error(line: str, runner_hints: list[str]) -> bool:
    """Return whether a line is neither too long, nor noise, nor a task runner's message."""
    if len(line) > 4 * MAX_LINE_CHARACTERS or _NOISE.match(line):
        return False
    return not (any(map(line.__contains__, runner_hints)) and _RUNNER_MESSAGE.search(line))


def is_runner_message(line: str) -> bool:
    """Return whether an error line is a task runner's message, which does not name the cause."""
    return bool(_RUNNER_MESSAGE.search(line))


def take_ends(output: str) -> str:
    """Return the part of an output that is examined: all of it or, if it is long, its head and tail."""
    if len(output) <= MAX_HEAD_CHARACTERS + MAX_TAIL_CHARACTERS:
        return output
    return f"{output[:MAX_HEAD_CHARACTERS]}\n{output[-MAX_TAIL_CHARACTERS:]}"


def build_error_signature(line: str) -> str:
    """Return an error line without colours and folders and with numbers and hashes replaced, truncated to 160 characters."""
    if not line:
        return ""
    for pattern, replacement in _REPLACEMENTS:
        line = pattern.sub(replacement, line)
    return line.strip()[:160]
