"""The line of an output that names the error, and a signature under which the same error is recognised again.

Used on what a failed tool printed, or on output whose exit code a pipe hides: never to decide that something failed
because a word such as "error" occurs in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mind_skills.redaction.lazy_pattern import compile_later

HEAD, TAIL = 20_000, 40_000
"""Characters of an output that are looked at: errors stand at its beginning or its end."""
MAX_LINE = 240

_SPOKEN = (
    "failed|failure|rejected|denied|timed out|refused|deprecated|unsupported|invalid"
    "|does not match|incompatible|not permitted|not allowed|unable to"
)
"""What is said of an error, small or large."""
_NAMES = "Error|Exception|Failure|Warning|Panic|KeyboardInterrupt|SystemExit"
_NAMED = r"(?:[A-Za-z_][\w.]*(?:Error|Exception|Failure|Warning|Panic)|KeyboardInterrupt|SystemExit)"
_RULES: tuple[tuple[int, tuple[str, ...], Callable[[str], object]], ...] = tuple(
    (
        weight,
        tuple(words.split("|")),
        compile_later(pattern).match if pattern[:1] == "^" else compile_later(pattern).search,
    )
    for weight, words, pattern in (
        (10, _NAMES, rf"^\s*(?:E\s+)?(?:Uncaught |Caused by: )?(?!\w*Warning){_NAMED}(?:\s*\[\w+\])?: \S"),
        (9, "Warning", r"^\s*(?:E\s+)?[A-Za-z_][\w.]*Warning: \S"),
        (9, "error", r"^(?:\S+: )?error(?:\[\w+\])?: \S"),
        (9, "error TS", r"\berror TS\d+: "),
        (
            9,
            "fatal|panic|FATAL|ERROR|Error|GraphQL|HttpError",
            # but for the name of a test alone, of which the error stands below
            (
                r"^(?:fatal|panic|FATAL|ERROR|Error|GraphQL|HttpError)(?: error)?: "
                r"(?!\W*(?:test\w*|\w+_\w+)(?: \([\w.]+\))?\s*$)\S"
            ),
        ),
        (8, ":", r"^\s*\S+:\d+(?::\d+)?:? (?:\w+ )?(?:error|fatal error)?:? ?[^\s:#·•>|-]"),
        (
            7,
            "--- FAIL: |FAIL|ERROR: |✗|×|✘|(fail)|not ok",
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
        (3, _SPOKEN, rf"(?i)\b(?:{_SPOKEN})\b"),
    )
)
"""How specific a line is that one of them matches, the most specific first; each with words of which whatever it matches
holds one. What begins with ``^`` is sought at the beginning of a line alone."""
_HARD: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = tuple(
    (tuple(words.split("|")), compile_later(pattern))
    for words, pattern in (
        (
            "Error: |Exception: |Failure: |Warning: |Panic: |Interrupt: |Exit: ",
            rf"\n[^\S\n]*(?:E[^\S\n]+)?{_NAMED}: \S",
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
"""Lines that say by their form that something failed, each sought behind the end of the line before it, where it is found
fast; with words of which whatever it matches holds one."""
_PASSED = compile_later(
    r"^[^\S\n]*(?:0 fail(?:ed|ures?|ing)?\b|0 issues\b|All checks passed|All tests passed|OK \()|\b[1-9]\d* pass(?:ed|ing)?\b(?!.*\bfail)|"
    r"\btest result: ok\b|\b0 (?:failed|failures|errors)\b",
    re.MULTILINE,
)
_SUMMED = compile_later(
    r"\b[1-9]\d* (?:fail(?:ed|ures?|ing)?|errors?)\b|^FAIL\b|^--- FAIL|exited with code [1-9]", re.MULTILINE
)
_NOISE = compile_later(
    r"^\s*(?:at |File \"|\^|~|\||\d+ \||\d+:\s{2,}|Exit code|exit status \d+$|Traceback|goroutine|[=_-]{5,}|#|//)|^\s*$"
)
_RUNNER = compile_later(
    r"ERROR task failed|script \"?[\w:.-]+\"? exited with|exited with (?:exit )?(?:code|status)|Command failed with exit code|"
    r"^make(?:\[\d+\])?: \*\*\*|npm ERR! (?:code|errno|Lifecycle|A complete log)|Process completed with exit|^FAIL\s*$|"
    r"[Bb]uild failed|task .{1,40} failed|hook exited|npm error (?:code|errno|path|command|workspace|location|Lifecycle|A complete log)|"
    r"ELIFECYCLE|ERR_PNPM_RECURSIVE_RUN|lerna ERR!|[Rr]ecipe `.{1,60}` (?:failed|was terminated)|Failed to run task|subcommand failed|"
    r"could not compile `|aborting due to|test failed, to rerun pass|Execution failed for task|"
    r"Running target .{1,80} failed|run failed: command|hook failed|^Background command |script failed \(code|InvocationError for command|"
    r"subprocess-exited-with-error|^FAIL\t\S+(?:\t[\d.]+s| \[\w+ failed\])?$"
)
"""What a task runner says about the command that it ran: true, and no name for the error."""
_RUNNER_HINTS = tuple(
    "ailed|exited with|exited-with|hook exited|: *** |npm ERR! |npm error |Process completed|FAIL|ELIFECYCLE|ERR_PNPM_|lerna ERR!"
    "|was terminated|Background command|could not compile|aborting due to|InvocationError".split("|")
)
"""Whatever it matches holds one of these."""
_RUNNER_WEIGHT = 2
_BY_WORD = 3
"""At this weight it is a word in the line, small or large, that says so."""
_BY_FORM = 8
"""From this weight on it is the form of a line that says so, not a word in it."""
_FOLDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (compile_later(r"\x1b\[[0-9;]*m"), ""),
    (compile_later(r"(?:[A-Za-z]:)?(?:[\w.@~+-]*/)+([\w.@+-]+)"), r"\1"),
    (compile_later(r"\b0x[0-9a-fA-F]+\b|\b[0-9a-f]{7,64}\b"), "H"),
    (compile_later(r"\d+"), "N"),
    (compile_later(r"\s+"), " "),
)


def hard_failure(output: str) -> bool:
    """Whether a line of the output says by its form, not by a word, that a command failed.

    A runner's own summary outweighs what its tests printed: a passing suite may log any error on purpose.
    """
    text = ends(output)
    lines = f"\n{text}"
    if not any(any(map(text.__contains__, words)) and form.search(lines) for words, form in _HARD):
        return False
    return not _PASSED.search(text) or bool(_SUMMED.search(text))


def error_line(output: str, most: int = MAX_LINE) -> str:
    """The most specific line that names the error, at most ``most`` characters; the first line where none does."""
    text = ends(output)
    best = _best_line(text)[0]
    if not best:
        best = next((line.strip() for line in text.split("\n") if line.strip() and not _NOISE.match(line)), "")
    return best[:most]


def pasted_error(text: str) -> str:
    """The line of a message that has the form of an error, at most 240 characters; empty where only words speak of one."""
    best, weight = _best_line(ends(text))
    return best[:MAX_LINE] if weight >= _BY_FORM else ""


def _best_line(text: str) -> tuple[str, int]:
    """The most specific line that names an error, the first of them, and how specific it is."""
    lines, hints = text.split("\n"), [hint for hint in _RUNNER_HINTS if hint in text]
    found, weight = len(lines), 0
    for each, words, matches in _RULES:
        if each < weight:
            break
        rows, here = lines, [word for word in words if word in text]
        if each == _BY_WORD:
            low = text.lower() if text.isascii() else ""  # some other letters are small ones of none of these
            rows, here = (low.split("\n"), [word for word in words if word in low]) if low else (lines, [""])
        if not here:
            continue
        for at in range(found):
            if any(map(rows[at].__contains__, here)) and matches(lines[at]) and _names(lines[at], hints):
                found, weight = at, each
                break
    if weight:
        return lines[found].strip(), weight
    for line in lines if hints else ():
        if _RUNNER.search(line) and len(line) <= 4 * MAX_LINE and not _NOISE.match(line):
            return line.strip(), _RUNNER_WEIGHT
    return "", 0


def _names(line: str, hints: list[str]) -> bool:
    """Whether a line that matches a rule can name the error: one that is long, noise or a task runner's cannot."""
    if len(line) > 4 * MAX_LINE or _NOISE.match(line):
        return False
    return not (any(map(line.__contains__, hints)) and _RUNNER.search(line))


def names_nothing(line: str) -> bool:
    """Whether an error line is a task runner's own: it says that a command failed, and nothing of why."""
    return bool(_RUNNER.search(line))


def ends(output: str) -> str:
    """What is looked at of an output: all of it, or its head and its tail."""
    return output if len(output) <= HEAD + TAIL else output[:HEAD] + "\n" + output[-TAIL:]


def error_signature(line: str) -> str:
    """The error with colours, folders, numbers and addresses folded; at most 160 characters."""
    if not line:
        return ""
    for pattern, replacement in _FOLDS:
        line = pattern.sub(replacement, line)
    return line.strip()[:160]
