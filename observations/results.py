"""Reads the result of a command from its output: the line that names the error, and how many tests passed and failed.

Error lines are found in the output of a failed tool, in output whose exit code is unknown or hidden by a pipe, and in messages
(``find_pasted_error``). A word such as "error" alone never proves a failure.

Counts of tests are taken from the summary lines of the common test runners, including those behind wrappers (``npm test``,
``make check``), or from the lines of passed tests. An exit code of 0 does not prove that anything was checked: the command may have
printed a version, skipped or deselected all tests, or been stopped by a hook. Compilers, linters and scripts print no counts; the
caller compares their result with that of the failed run. Source of the patterns: the runners' documentation and output.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from mind_skills.observations.commands import is_check, list_printed_statuses, normalise
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.text import strip_controls

if TYPE_CHECKING:
    from mind_skills.observations.model import Observation

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
_RULES: tuple[tuple[int, tuple[str, ...], re.Pattern[str], str], ...] = tuple(
    (weight, tuple(hints.split("|")), compile_lazily(pattern), "match" if pattern[:1] == "^" else "search")
    for weight, hints, pattern in (
        (
            10,
            _ERROR_HINTS,
            rf"^\s*(?:E\s+|- [EF]\d+ )?(?:Uncaught |Caused by: )?(?!\w*Warning){_ERROR_NAME}(?:\s*\[\w+\])?: \S",
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
        (6, "ERR|rror|FATAL|E:", r"^\s*(?:\[\w+\] )?\[?(?:ERROR|Error|error|FATAL|npm ERR!|E:)\b"),
        (5, "E|MODULE", r"\b(?:EADDRINUSE|ECONNREFUSED|ENOENT|EACCES|EPERM|ETIMEDOUT|MODULE_NOT_FOUND)\b"),
        (
            4,
            "Expected|Received|expected|got|Assertion|assert ",
            r"\bAssertion\b|\bassert |^(?:Expected|Received|expected|got)\b.*\S",
        ),
        (3, _ERROR_PHRASES, rf"(?i)\b(?:{_ERROR_PHRASES})\b"),
    )
)
"""Weight (how specific a matching line is), hint words, pattern and method of each rule, the most specific rules first. Every match
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
    for rule_weight, hints, pattern, method in _RULES:
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
        matches = getattr(pattern, method)
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


def rate_error_line(line: str) -> int:
    """Return how specifically a line of an output names an error, from 10 to 1; 0 if it names none."""
    if len(line) > 4 * MAX_LINE_CHARACTERS or _NOISE.match(line):
        return 0
    for weight, hints, pattern, method in _RULES:
        if (weight == _PHRASE_WEIGHT or any(map(line.__contains__, hints))) and getattr(pattern, method)(line):
            return 1 if _RUNNER_MESSAGE.search(line) else weight
    return 0


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


Verdict = Literal["passed", "failed", "nothing", "silent"]


class Check(NamedTuple):
    """The result of a check.

    Verdicts: ``passed``: tests ran and none failed. ``failed``: the output reports a failure, regardless of the exit code.
    ``nothing``: no test ran, the command only printed information, or it timed out. ``silent``: the output reports none of these.
    """

    verdict: Verdict
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    @property
    def has_counts(self) -> bool:
        """Whether the output reported at least one test."""
        return bool(self.passed or self.failed or self.skipped)


_FLAGS = re.MULTILINE
_COUNT = compile_lazily(
    r"(\d+) (?:tests? |scenarios? )?(passed|passing|pass|failed|failures?|failing|fail|errors?|skipped|skip|pending|ignored|todo"
    r"|deselected|xfailed|xpassed|excluded)\b"
)
_FAILED_WORDS = frozenset({"failed", "failure", "failures", "failing", "fail", "error", "errors"})
_PASSED_WORDS = frozenset({"passed", "passing", "pass"})
_SUMMARY_LINES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (hint, compile_lazily(pattern, _FLAGS))
    for hint, pattern in (
        # pytest: "== 1 failed, 3 passed in 0.1s ==", quiet without the frame
        (" in ", r"^=*[ ]?((?:\d+ \w+(?:, )?)+) in [\d.]+ ?s(?:econds)?\b.*$"),
        # behave, jest, vitest, Pest, ava, playwright, cypress, deno: counts with words, with or without a label
        ("Test", r"^[ \t]*(?:Tests|Test Suites|Test Files):?\s+(.*\d+ (?:passed|failed|skipped|todo|pending).*)$"),
        (" | ", r"^[ \t]*(?:ok|FAILED) \| (\d+ passed.*|\d+ failed.*)$"),
        ("ing", r"^[ \t]*(\d+ (?:passing|failing|pending)\b.*)$"),
        ("", r"^[ \t]*(\d+ (?:(?:tests?|scenarios?) )?(?:passed|failed|skipped|flaky)(?:(?:, |\s\()[^\n]*)?)$"),
        ("", r"^[ \t]*(\d+ (?:pass|fail|skip))$"),
        # cargo
        ("test result: ", r"^test result: \w+\. (.*)$"),
        ("Summary [", r"^[ \t]*Summary \[.*\] \d+ tests? run: (.*)$"),
        # cucumber
        ("scenario", r"^\d+ scenarios? \((.*)\)$"),
    )
)
_NAMED_SUMMARIES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (hint, compile_lazily(pattern, _FLAGS))
    for hint, pattern in (
        # unittest and nose
        (
            "Ran ",
            (
                r"^Ran (?P<ran>\d+) tests? in [^\n]*\s+(?:OK|FAILED|NO TESTS RAN)"
                r"(?: \((?:failures=(?P<failed>\d+))?(?:, )?(?:errors=(?P<errors>\d+))?(?:, )?(?:skipped=(?P<skipped>\d+))?[^)]*\))?"
            ),
        ),
        # RSpec, ExUnit, Minitest, PHPUnit, JUnit, ctest, dotnet, GoogleTest, XCTest, node --test
        (
            " example",
            r"^(?P<ran>\d+) examples?, (?P<failed>\d+) failures?(?:, (?P<skipped>\d+) pending)?(?:, (?P<errors>\d+) errors? occurred)?",
        ),
        (
            " failure",
            (
                r"^(?:\d+ (?:doctests?|properties|features?), )*(?P<ran>\d+) tests?, (?P<failed>\d+) failures?"
                r"(?:, (?P<skipped>\d+) (?:skipped|excluded))?"
            ),
        ),
        (
            " assertions, ",
            r"^(?P<ran>\d+) (?:runs|tests), \d+ assertions, (?P<failed>\d+) failures, (?P<errors>\d+) errors(?:, (?P<skipped>\d+) skips)?",
        ),
        ("OK (", r"^OK \((?P<ran>\d+) tests?, [1-9]\d* assertions?\)"),
        (
            "Tests: ",
            (
                r"^Tests: (?P<ran>\d+), Assertions: \d+(?:, Errors: (?P<errors>\d+))?(?:, Failures: (?P<failed>\d+))?"
                r"(?:, Warnings: \d+)?(?:, (?:Skipped|Incomplete): (?P<skipped>\d+))?"
            ),
        ),
        (
            "Tests run: ",
            (
                r"^(?:\[\w+\]\s*)?Tests run: (?P<ran>\d+), Failures: (?P<failed>\d+), Errors: (?P<errors>\d+), "
                r"Skipped: (?P<skipped>\d+)(?!.*Time elapsed)"
            ),
        ),
        ("% tests passed", r"^\d+% tests passed, (?P<failed>\d+) tests failed out of (?P<ran>\d+)"),
        (
            "- Failed:",
            r"(?:Passed|Failed)!\s+- Failed:\s+(?P<failed>\d+), Passed:\s+(?P<passed>\d+), Skipped:\s+(?P<skipped>\d+)",
        ),
        ("[  PASSED  ]", r"^\[  PASSED  \] (?P<passed>\d+) tests?"),
        ("[  FAILED  ]", r"^\[  FAILED  \] (?P<failed>\d+) tests?"),
        (
            "Executed ",
            r"^[ \t]*Executed (?P<ran>\d+) tests?, with (?:\d+ tests? skipped and )?(?P<failed>\d+) failures?",
        ),
        (" pass ", r"^(?:#|ℹ) pass (?P<passed>\d+)"),
        (" fail ", r"^(?:#|ℹ) fail (?P<failed>\d+)"),
        (" tests completed", r"^(?P<ran>\d+) tests completed, (?P<failed>\d+) failed"),
        (" completed", r"^=+ (?P<ran>\d+) tests? completed"),
        (" ok", r"^[ \t]*(?P<passed>\d+)(?: of \d+|/\d+)?(?: tests?)? ok\b"),
    )
)
"""Every match of a pattern contains the string before it."""
_PASSED_LINE = compile_lazily(
    r"^ok\s+\S+\s+(?:[\d.]+m?s|\(cached\))(?!.*\[no tests)|^--- PASS: |^ok \d+ (?!.*# (?i:skip))|^//\S+\s+(?:\(cached\) )?PASSED\b",
    _FLAGS,
)
"""Lines for passed Go packages, Bazel targets, and single tests of Go and of the Test Anything Protocol."""
_FAILED_LINE = compile_lazily(
    r"^FAIL\b|^[ \t]*--- FAIL: |^not ok \d+ (?!.*# (?i:todo|skip))|\bTest suite failed to run\b|^panic: ", _FLAGS
)
_FAILED_HINTS = ("FAIL", "not ok ", "failed to run", "panic: ")
"""Every match of ``_FAILED_LINE`` contains one of these."""
NO_TESTS_RAN = compile_lazily(
    r"no tests? (?:to run|ran|found|executed|collected|were found|files? found|match\w*)|no test files|collected 0 items|\bran 0 tests\b"
    r"|^1\.\.0$|^[ \t]*0 (?:tests?|examples|specs|passing|runs)\b|\bTests?:? +0 total|\bTests run: 0\b|\brunning 0 tests\b"
    r"|:\w*(?:[tT]est|[cC]heck)\w* (?:NO-SOURCE|UP-TO-DATE|FROM-CACHE|SKIPPED)|\bNO STATUS\b"
    r"|nothing to (?:be done|do)\b|(?:'\S+'|`\S+'|target \S+) is up to date|\bno work to do\b"
    r"|^[^\n\w]*(?:echo )?(?:\w+ ){0,3}skipp(?:ed|ing)[ \t.!]*$|\btests? (?:are|were|is|was|have been) (?:skipped|disabled|cached)\b"
    r"|\bskipping (?:all )?(?:tests?|checks?)\b|\ball tests? skipped\b"
    r"|No module named (?:pytest|pylint|mypy|unittest|tox|ruff|flake8|nose|black|build)\b|command not found$|: not found$",
    re.IGNORECASE | _FLAGS,
)
_TEST_CHECK = compile_lazily(
    r"(?:^|[ :/_.-])(?:tests?|specs?|pytest|unittest|nose2?|jest|vitest|mocha|ava|bats|tox|nox|rspec|phpunit|pest|ctest|nextest|e2e"
    r"|playwright|cypress|behave|cucumber)(?:$|[ :._-])"
)
"""Names of checks that only run tests. Another check, such as a linter, may have checked something even if no test ran."""
_TASK_PREFIX = compile_lazily(r"^(?:\[[\w@/:.-]+\]|[\w@/.-]+:[\w-]+:) ", _FLAGS)
"""The prefix that a task runner adds to each line of a task: ``[test] ``, ``web:test: ``."""
_PREFIXED_RESULT = compile_lazily(r"^(?:\[[\w@/:.-]+\]|[\w@/.-]+:[\w-]+:) +(?:ok|FAIL|\?|---|Tests?|=)", _FLAGS)
NO_TESTS_RAN_HINTS = tuple(
    "no test|collected 0|ran 0|1..0|0 test|0 examples|0 specs|0 passing|0 runs|0 total|run: 0|running 0|:test |no module named"
    "|not found|skipped|skip|ignored|pending|deselected|excluded|nothing to|up to date|up-to-date|no work to do|disabled|cached"
    "|no status|no-source|from-cache".split("|")
)
"""Every match of ``NO_TESTS_RAN`` contains one of these strings, in any case. Summaries of skipped tests contain the others."""
_CUT_OFF = compile_lazily(
    r"\b(?:command )?timed out\b|^(?:Terminated|Killed|Aborted)\b|\bTimeoutExpired\b", re.IGNORECASE | _FLAGS
)
_CUT_OFF_HINTS = ("timed out", "terminated", "killed", "aborted", "timeoutexpired")
"""Every match of ``_CUT_OFF`` contains one of these, in any case."""
_RUNS_NO_TESTS = compile_lazily(
    r"(?:^|\s)(?:--version|-V|--help|-h|--collect-only|--co|--list|--list-?tests?|--listTests|--dry-run|--just-print|--no-run|--fixtures"
    r"|--detach(?:ed)?|-DskipTests|-Dmaven\.test\.skip|-DskipITs|--skip-?tests?|--no-?tests?|--if-present|--passWithNoTests|--exit-zero"
    r"|--markers|--show-?config|--setup-plan|--setup-only|--print-config|--trace-config|--init|-list)(?=[\s=]|\Z)"
    r"|\b(?:make|just)\b[^;&|\n]*\s(?:-n|-t|-q|--touch|--question)\b|\bpython[0-9.]*\s(?:-\w+\s)*-OO?\s|\bPYTHONOPTIMIZE=[1-9]"
    r"|\b(?:docker|podman)\b[^;&|\n]*\s-d\s|\b(?:gradle|gradlew)\b[^;&|\n]*\s-x\s*test|\b(?:SKIP_TESTS?|NO_TESTS?|SKIP)=(?:1|true|yes|all)\b"
    r"|\bgo\s+test\s+(?:-\S+ )*-c\b|-run[ =]['\"]?\^\$"
)
"""Options and commands with which a check only prints information, is skipped, runs in the background or cannot fail."""
_RUNS_NO_TESTS_HINTS = ("-", "PYTHONOPTIMIZE=", "SKIP", "NO_TEST")
"""Every match of ``_RUNS_NO_TESTS`` contains one of these."""
_ALWAYS_COUNTS = compile_lazily(
    r"(?:^|[ /])(?:pytest|py\.test|unittest|nose2?|jest|vitest|mocha|ava|rspec|phpunit|pest|nextest|ctest"
    r"|bats|behave|cucumber|karma|playwright|cypress)\b"
    r"|\b(?:go|cargo|bun|deno|mix|swift|dotnet|flutter|dart|zig|node --)\s?test\b|\bmanage\.py test\b"
)
"""Runners that print a test count whenever they run a test."""
_REPLACES_STATUS = compile_lazily(
    r"\|\|\s*(?:true\b|:|(?:echo|printf|exit 0|return 0|date|pwd|ls|cat)\b)"
    r"|;\s*(?:true|:|exit 0|(?:echo|printf|date|ls|cat|pwd)\b[^;&|\n]*)\s*\Z"
    r"|(?<![&>|])&(?![&>\d])|(?:\A|[;&|(]\s*|\b(?:then|do|else)\s)!\s|\b(?:nohup|setsid|start /b|disown)\b|\bset \+e\b"
    r"|\b(?:docker|podman|nerdctl)\b[^;&|\n]*\s(?:-d|--detach)\s"
)
"""Shell constructs that replace the exit code of the check with another one."""
_TAIL_CHARACTERS = 400
_FAILURE_AT_END = compile_lazily(
    r"(?:^|[,;(])[ \t(✗×✖]*[1-9]\d*(?: of \d+)? (?:(?:tests?|specs?|suites?|cases?|examples?|checks?|assertions?|files?|of them)\s)?"
    r"(?:(?:is|are|was|were|have|has) )?"
    r"(?:broken|broke|failing|failed|failures?|crash(?:ed|es)|aborted|quarantined|errored|timed out|not ok|red)\b"
    r"|\b(?:broken|failed|(?<!expected )failures|crashed|quarantined|errored|timed out)\s?[:=]\s?[1-9]"
    r"|\b(?:run|suite|worker|process) (?:was )?(?:aborted|crashed|killed|interrupted|cancelled)\b|\bout of memory\b|\bSegmentation fault\b",
    re.IGNORECASE | _FLAGS,
)
"""Reports of failures at the end of an output that are not worded like a summary line."""


def parse_check(observation: Observation) -> Check:
    """Parse the check result of a command from its output, regardless of its exit code."""
    if observation.outcome == "nothing":
        return Check("nothing")
    return _parse(observation.signature, observation.command, observation.text)


def reports_no_tests(signature: str, command: str, output: str) -> bool:
    """Return whether a command with the outcome ``ok`` is a test run in which no test ran, judging by its options and output.

    A lack of counts is not enough, with one exception: the output is empty, the runner always prints counts, and the exit code is
    not the runner's own. If the command includes another check, the result is False.
    """
    checks = [part for part in signature.split(" && ") if is_check(part)]
    if len(checks) != 1 or not _TEST_CHECK.search(checks[0]):
        return False
    if not output.strip():
        return _ALWAYS_COUNTS.search(checks[0]) is not None and hides_status(command)
    text = take_ends(output)
    runs_no_tests = "\n" not in command and _runs_no_tests(command)
    if (not runs_no_tests and not _may_report_no_tests(text)) or has_failure_line(text):
        return False
    text = strip_controls(text)
    check = _parse(signature, command, text)
    return check.verdict == "nothing" and bool(runs_no_tests or check.skipped or NO_TESTS_RAN.search(text))


def lacks_counts(command: str, output: str) -> bool:
    """Return whether a command runs tests with a runner that always prints a count, and its output has none: it may not have
    ended, or the output is not all of it.
    """
    signature = normalise(command).signature
    if not any(map(_ALWAYS_COUNTS.search, signature.split(" && "))) or reports_no_tests(signature, command, output):
        return False
    return _parse(signature, command, strip_controls(take_ends(output))).verdict == "nothing"


def runs_tests(signature: str) -> bool:
    """Return whether a check is one that only runs tests; others compile, or check types or the style."""
    return any(is_check(part) and _TEST_CHECK.search(part) for part in signature.split(" && "))


def read_printed_status(command: str, output: str) -> int | None:
    """Return the exit code of a check that a command line printed last, as in ``make test; echo "rc=$?"``; None if it printed none.

    The exit code of such a line is that of ``echo``. Of 5,058 commands in real sessions, 49 print one, 18 of them not 0.
    """
    if "$?" not in command and "PIPESTATUS" not in command:
        return None
    last = (-1, 0)
    for before, after in list_printed_statuses(command):
        pattern = rf"^{re.escape(before)}([0-9]{{1,3}}){re.escape(after)}[ \t\r]*$"
        last = max([last, *((match.start(), int(match[1])) for match in re.finditer(pattern, output, re.MULTILINE))])
    return last[1] if last[0] >= 0 else None


@lru_cache(256)  # the outcome of a session compares each run of a check with all runs before it
def _parse(signature: str, command: str, output: str) -> Check:
    text = _remove_echoed_lines(command, output)
    if _PREFIXED_RESULT.search(output):
        text = _TASK_PREFIX.sub("", text)
    runs_no_tests = is_check(signature) and _runs_no_tests(command)
    passed = failed = skipped = 0
    for summary in () if runs_no_tests else _parse_summaries(text):
        passed, failed, skipped = passed + summary.passed, failed + summary.failed, skipped + summary.skipped
    if not runs_no_tests and not passed and not failed and not skipped:
        passed = len(_PASSED_LINE.findall(text)) if "ok" in text or "PASS" in text else 0
    if failed or (not runs_no_tests and any(map(text.__contains__, _FAILED_HINTS)) and _FAILED_LINE.search(text)):
        return Check("failed", passed, failed, skipped)
    tail = text[-_TAIL_CHARACTERS:]
    lowered_tail = tail.lower()
    if runs_no_tests or (any(map(lowered_tail.__contains__, _CUT_OFF_HINTS)) and _CUT_OFF.search(tail)):
        return Check("nothing")
    if passed and _FAILURE_AT_END.search(tail):
        return Check("failed", passed, 1, skipped)
    if passed:
        return Check("passed", passed, 0, skipped)
    if (
        skipped
        or (_may_report_no_tests(text) and NO_TESTS_RAN.search(text))
        or any(map(_ALWAYS_COUNTS.search, signature.split(" && ")))
    ):
        return Check("nothing", 0, 0, skipped)
    return Check("failed" if has_failure_line(text) and hides_status(command) else "silent")


def _runs_no_tests(command: str) -> bool:
    return any(map(command.__contains__, _RUNS_NO_TESTS_HINTS)) and _RUNS_NO_TESTS.search(command) is not None


def _may_report_no_tests(text: str) -> bool:
    lowered = text.lower()
    return any(hint in lowered for hint in NO_TESTS_RAN_HINTS)


def hides_status(command: str) -> bool:
    """Return whether the exit code is that of another command, such as ``true``, rather than that of the check."""
    return _REPLACES_STATUS.search(command) is not None or normalise(command).hides_status


def _remove_echoed_lines(command: str, text: str) -> str:
    """If the command prints text, remove the lines that occur in the command: an echoed summary does not come from a test run."""
    if "echo" not in command and "print" not in command:
        return text
    return "\n".join(line for line in text.split("\n") if not line.strip() or line.strip() not in command)


def _parse_summaries(text: str) -> list[Check]:
    """Parse the summary lines in the first format of ``_SUMMARY_LINES`` that yields counts, or else in all of ``_NAMED_SUMMARIES``."""
    results: list[Check] = []
    for hint, pattern in _SUMMARY_LINES:
        rows = [match[1] for match in pattern.finditer(text)] if hint in text else []
        if not rows:
            continue
        for row in rows:
            counts = [(int(number), word) for number, word in _COUNT.findall(row)]
            results.append(
                Check(
                    "silent",
                    sum(number for number, word in counts if word in _PASSED_WORDS),
                    sum(number for number, word in counts if word in _FAILED_WORDS),
                    sum(number for number, word in counts if word not in _PASSED_WORDS and word not in _FAILED_WORDS),
                )
            )
        if any(result.has_counts for result in results):
            return results
    for hint, pattern in _NAMED_SUMMARIES:
        for match in pattern.finditer(text) if hint in text else ():
            groups = {name: int(number) for name, number in match.groupdict().items() if number}
            failed, skipped = groups.get("failed", 0) + groups.get("errors", 0), groups.get("skipped", 0)
            passed = groups.get("passed", groups.get("ran", failed + skipped) - failed - skipped)
            results.append(Check("silent", max(0, passed), failed, skipped))
    return results
