"""What a check says of itself: how many tests ran, passed and failed, or that nothing was checked.

Read off the summary lines of the common test runners, in whatever wraps them (``npm test``, ``make check``). An exit code of 0
says that a program ended well, not that it looked at anything: a version was asked for, all tests were left out or skipped,
a hook ended the run. Compilers, linters and scripts print no counts; what they are worth is for whoever knows the run before.
Source of the forms: the runners' own documentation and output.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from mind_skills.observations.commands import is_check, normalise
from mind_skills.observations.errors import ends, hard_failure
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.text import strip

Verdict = Literal["passed", "failed", "nothing", "silent"]


class Check(NamedTuple):
    """``passed``: tests ran and none failed. ``failed``: some did, whatever the exit code. ``nothing``: none ran, or it was
    not asked to run any. ``silent``: it ended well and printed no counts.
    """

    verdict: Verdict
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    @property
    def counted(self) -> bool:
        """Whether it said how many tests there were."""
        return bool(self.passed or self.failed or self.skipped)


_FLAGS = re.MULTILINE
_PARTS = compile_later(
    r"(\d+) (?:tests? |scenarios? )?(passed|passing|pass|failed|failures?|failing|fail|errors?|skipped|skip|pending|ignored|todo"
    r"|deselected|xfailed|xpassed|excluded)\b"
)
_FAILED = frozenset({"failed", "failure", "failures", "failing", "fail", "error", "errors"})
_PASSED = frozenset({"passed", "passing", "pass"})
_SUMMARIES: tuple[re.Pattern[str], ...] = tuple(
    compile_later(pattern, _FLAGS)
    for pattern in (
        # pytest: "== 1 failed, 3 passed in 0.1s ==", quiet without the frame
        r"^=*[ ]?((?:\d+ \w+(?:, )?)+) in [\d.]+ ?s(?:econds)?\b.*$",
        # behave, jest, vitest, Pest, ava, playwright, cypress, deno: counts with words, behind a label or alone
        r"^[ \t]*(?:Tests|Test Suites|Test Files):?\s+(.*\d+ (?:passed|failed|skipped|todo|pending).*)$",
        r"^[ \t]*(?:ok|FAILED) \| (\d+ passed.*|\d+ failed.*)$",
        r"^[ \t]*(\d+ (?:passing|failing|pending)\b.*)$",
        r"^[ \t]*(\d+ (?:(?:tests?|scenarios?) )?(?:passed|failed|skipped|flaky)(?:(?:, |\s\()[^\n]*)?)$",
        r"^[ \t]*(\d+ (?:pass|fail|skip))$",
        # cargo
        r"^test result: \w+\. (.*)$",
        r"^[ \t]*Summary \[.*\] \d+ tests? run: (.*)$",
        # cucumber
        r"^\d+ scenarios? \((.*)\)$",
    )
)
_NAMED: tuple[re.Pattern[str], ...] = tuple(
    compile_later(pattern, _FLAGS)
    for pattern in (
        # unittest and nose
        (
            r"^Ran (?P<ran>\d+) tests? in [^\n]*\s+(?:OK|FAILED|NO TESTS RAN)"
            r"(?: \((?:failures=(?P<failed>\d+))?(?:, )?(?:errors=(?P<errors>\d+))?(?:, )?(?:skipped=(?P<skipped>\d+))?[^)]*\))?"
        ),
        # RSpec, ExUnit, Minitest, PHPUnit, JUnit, ctest, dotnet, GoogleTest, XCTest, node --test
        r"^(?P<ran>\d+) examples?, (?P<failed>\d+) failures?(?:, (?P<skipped>\d+) pending)?(?:, (?P<errors>\d+) errors? occurred)?",
        (
            r"^(?:\d+ (?:doctests?|properties|features?), )*(?P<ran>\d+) tests?, (?P<failed>\d+) failures?"
            r"(?:, (?P<skipped>\d+) (?:skipped|excluded))?"
        ),
        r"^(?P<ran>\d+) (?:runs|tests), \d+ assertions, (?P<failed>\d+) failures, (?P<errors>\d+) errors(?:, (?P<skipped>\d+) skips)?",
        r"^OK \((?P<ran>\d+) tests?, [1-9]\d* assertions?\)",
        (
            r"^Tests: (?P<ran>\d+), Assertions: \d+(?:, Errors: (?P<errors>\d+))?(?:, Failures: (?P<failed>\d+))?"
            r"(?:, Warnings: \d+)?(?:, (?:Skipped|Incomplete): (?P<skipped>\d+))?"
        ),
        (
            r"^(?:\[\w+\]\s*)?Tests run: (?P<ran>\d+), Failures: (?P<failed>\d+), Errors: (?P<errors>\d+), "
            r"Skipped: (?P<skipped>\d+)(?!.*Time elapsed)"
        ),
        r"^\d+% tests passed, (?P<failed>\d+) tests failed out of (?P<ran>\d+)",
        r"(?:Passed|Failed)!\s+- Failed:\s+(?P<failed>\d+), Passed:\s+(?P<passed>\d+), Skipped:\s+(?P<skipped>\d+)",
        r"^\[  PASSED  \] (?P<passed>\d+) tests?",
        r"^\[  FAILED  \] (?P<failed>\d+) tests?",
        r"^[ \t]*Executed (?P<ran>\d+) tests?, with (?:\d+ tests? skipped and )?(?P<failed>\d+) failures?",
        r"^(?:#|ℹ) pass (?P<passed>\d+)",
        r"^(?:#|ℹ) fail (?P<failed>\d+)",
        r"^(?P<ran>\d+) tests completed, (?P<failed>\d+) failed",
        r"^=+ (?P<ran>\d+) tests? completed",
        r"^[ \t]*(?P<passed>\d+)(?: of \d+|/\d+)?(?: tests?)? ok\b",
    )
)
_GO = compile_later(
    r"^ok\s+\S+\s+(?:[\d.]+m?s|\(cached\))(?!.*\[no tests)|^--- PASS: |^ok \d+ (?!.*# SKIP)|^//\S+\s+(?:\(cached\) )?PASSED\b",
    _FLAGS,
)
"""Packages of Go, targets of Bazel, and single tests of Go and of the Test Anything Protocol."""
_RED = compile_later(
    r"^FAIL\b|^[ \t]*--- FAIL: |^not ok \d+ (?!.*# (?:TODO|SKIP))|\bTest suite failed to run\b|^panic: ", _FLAGS
)
_NO_TEST = compile_later(
    r"no tests? (?:to run|ran|found|executed|collected|were found|files? found|match\w*)|no test files|collected 0 items|\bran 0 tests\b"
    r"|^1\.\.0$|^[ \t]*0 (?:tests?|examples|specs|passing|runs)\b|\bTests?:? +0 total|\bTests run: 0\b|\brunning 0 tests\b"
    r"|:\w*(?:[tT]est|[cC]heck)\w* (?:NO-SOURCE|UP-TO-DATE|FROM-CACHE|SKIPPED)|\bNO STATUS\b"
    r"|nothing to (?:be done|do)\b|(?:'\S+'|`\S+'|target \S+) is up to date|\bno work to do\b"
    r"|^[^\n\w]*(?:echo )?(?:\w+ ){0,3}skipp(?:ed|ing)[ \t.!]*$|\btests? (?:are|were|is|was|have been) (?:skipped|disabled|cached)\b"
    r"|\bskipping (?:all )?(?:tests?|checks?)\b|\ball tests? skipped\b"
    r"|No module named (?:pytest|pylint|mypy|unittest|tox|ruff|flake8|nose|black|build)\b|command not found$|: not found$",
    re.IGNORECASE | _FLAGS,
)
_TESTS = compile_later(
    r"(?:^|[ :/_.-])(?:tests?|specs?|pytest|unittest|nose2?|jest|vitest|mocha|ava|bats|tox|nox|rspec|phpunit|pest|ctest|nextest|e2e"
    r"|playwright|cypress|behave|cucumber)(?:$|[ :._-])"
)
"""Names of checks that run tests alone: what runs linters beside them has looked at something."""
_LABEL = compile_later(r"^(?:\[[\w@/:.-]+\]|[\w@/.-]+:[\w-]+:) ", _FLAGS)
"""What a runner of tasks puts before each line of a task: ``[test] ``, ``web:test: ``."""
_LABELLED = compile_later(r"^(?:\[[\w@/:.-]+\]|[\w@/.-]+:[\w-]+:) +(?:ok|FAIL|\?|---|Tests?|=)", _FLAGS)
_NO_TEST_HINTS = tuple(
    "no test|collected 0|ran 0|1..0|0 test|0 examples|0 specs|0 passing|0 runs|0 total|run: 0|running 0|:test |no module named"
    "|not found|skipped|skip|ignored|pending|deselected|excluded".split("|")
)
"""In small letters: where none of these stands, no output says that nothing ran."""
_CUT_OFF = compile_later(
    r"\b(?:command )?timed out\b|^(?:Terminated|Killed|Aborted)\b|\bTimeoutExpired\b", re.IGNORECASE | _FLAGS
)
_INFORMS = compile_later(
    r"(?:^|\s)(?:--version|-V|--help|-h|--collect-only|--co|--list|--list-?tests?|--listTests|--dry-run|--just-print|--no-run|--fixtures"
    r"|--detach(?:ed)?|-DskipTests|-Dmaven\.test\.skip|-DskipITs|--skip-?tests?|--no-?tests?|--if-present|--passWithNoTests|--exit-zero"
    r"|--markers|--show-?config|--setup-plan|--setup-only|--print-config|--trace-config|--init|-list)(?=[\s=]|\Z)"
    r"|\b(?:make|just)\b[^;&|\n]*\s(?:-n|-t|-q|--touch|--question)\b|\bpython[0-9.]*\s(?:-\w+\s)*-OO?\s|\bPYTHONOPTIMIZE=[1-9]"
    r"|\b(?:docker|podman)\b[^;&|\n]*\s-d\s|\b(?:gradle|gradlew)\b[^;&|\n]*\s-x\s*test|\b(?:SKIP_TESTS?|NO_TESTS?|SKIP)=(?:1|true|yes|all)\b"
    r"|\bgo\s+test\s+(?:-\S+ )*-c\b|-run[ =]['\"]?\^\$"
)
"""Options with which a check prints something and checks nothing."""
_COUNTS = compile_later(
    r"(?:^|[ /])(?:pytest|py\.test|unittest|nose2?|jest|vitest|mocha|ava|rspec|phpunit|pest|nextest|ctest"
    r"|bats|behave|cucumber|karma|playwright|cypress)\b"
    r"|\b(?:go|cargo|bun|deno|mix|swift|dotnet|flutter|dart|zig|node --)\s?test\b|\bmanage\.py test\b"
)
"""Runners that print how many tests they ran, whenever they ran any."""
_STATUS_LOST = compile_later(
    r"\|\|\s*(?:true\b|:|(?:echo|printf|exit 0|return 0|date|pwd|ls|cat)\b)"
    r"|;\s*(?:true|:|exit 0|(?:echo|printf|date|ls|cat|pwd)\b[^;&|\n]*)\s*\Z"
    r"|(?<![&>|])&(?![&>\d])|(?:\A|[;&|(]\s*|\b(?:then|do|else)\s)!\s|\b(?:nohup|setsid|start /b|disown)\b|\bset \+e\b"
    r"|\b(?:docker|podman|nerdctl)\b[^;&|\n]*\s(?:-d|--detach)\s"
)
"""Behind it the exit code is not that of the check."""
_TAIL = 400
_BROKEN = compile_later(
    r"(?:^|[,;(])[ \t(✗×✖]*[1-9]\d*(?: of \d+)? (?:(?:tests?|specs?|suites?|cases?|examples?|checks?|assertions?|files?|of them)\s)?"
    r"(?:(?:is|are|was|were|have|has) )?"
    r"(?:broken|broke|failing|failed|failures?|crash(?:ed|es)|aborted|quarantined|errored|timed out|not ok|red)\b"
    r"|\b(?:broken|failed|failures|crashed|quarantined|errored|timed out)\s?[:=]\s?[1-9]"
    r"|\b(?:run|suite|worker|process) (?:was )?(?:aborted|crashed|killed|interrupted|cancelled)\b|\bout of memory\b|\bSegmentation fault\b",
    re.IGNORECASE | _FLAGS,
)
"""What the end of an output says of tests that are red in other words than its summary."""


def read(observation: Observation) -> Check:
    """What a command that did not fail by its exit code says of what it checked."""
    if observation.outcome == "nothing":
        return Check("nothing")
    return _read(observation.signature, observation.command, observation.text)


def ran_nothing(signature: str, command: str, output: str) -> bool:
    """Whether a command that ended well is a check that says of itself that it looked at nothing.

    What only prints no counts is not meant. Of a runner that prints some whenever it runs any, nothing at all behind a pager
    is; and a command with another check beside it is none.
    """
    checks = [part for part in signature.split(" && ") if is_check(part)]
    if len(checks) != 1 or not _TESTS.search(checks[0]):
        return False
    if not output.strip():
        return _COUNTS.search(checks[0]) is not None and hides_status(command)
    text = ends(output)
    informs = "\n" not in command and _INFORMS.search(command) is not None
    low = text.lower()
    if (not informs and not any(hint in low for hint in _NO_TEST_HINTS)) or hard_failure(text):
        return False
    text = strip(text)
    found = _read(signature, command, text)
    return found.verdict == "nothing" and bool(informs or found.skipped or _NO_TEST.search(text))


def _read(signature: str, command: str, output: str) -> Check:
    text = _LABEL.sub("", _printed(command, output)) if _LABELLED.search(output) else _printed(command, output)
    informs = is_check(signature) and _INFORMS.search(command) is not None
    passed = failed = skipped = 0
    for found in () if informs else _summaries(text):
        passed, failed, skipped = passed + found.passed, failed + found.failed, skipped + found.skipped
    if not informs and not passed and not failed and not skipped:
        passed = len(_GO.findall(text))
    if failed or (not informs and _RED.search(text)):
        return Check("failed", passed, failed, skipped)
    if informs or _CUT_OFF.search(text[-_TAIL:]):
        return Check("nothing")
    if passed and _BROKEN.search(text[-_TAIL:]):
        return Check("failed", passed, 1, skipped)
    if passed:
        return Check("passed", passed, 0, skipped)
    if skipped or _NO_TEST.search(text) or any(map(_COUNTS.search, signature.split(" && "))):
        return Check("nothing", 0, 0, skipped)
    return Check("failed" if hard_failure(text) and hides_status(command) else "silent")


def hides_status(command: str) -> bool:
    """Whether the exit code is that of a pager, of ``true`` or of ``echo``, and not of the check."""
    return _STATUS_LOST.search(command) is not None or normalise(command).hides_status


def _printed(command: str, text: str) -> str:
    """The output without the lines that stand in the command: whoever echoes a summary has run nothing."""
    if "echo" not in command and "print" not in command:
        return text
    return "\n".join(row for row in text.split("\n") if not row.strip() or row.strip() not in command)


def _summaries(text: str) -> list[Check]:
    """The counts of each summary line; of labels for files and for tests the tests' count, the failures of both."""
    found: list[Check] = []
    for form in _SUMMARIES:
        rows = [match[1] for match in form.finditer(text)]
        if not rows:
            continue
        for row in rows:
            counts = [(int(number), word) for number, word in _PARTS.findall(row)]
            found.append(
                Check(
                    "silent",
                    sum(number for number, word in counts if word in _PASSED),
                    sum(number for number, word in counts if word in _FAILED),
                    sum(number for number, word in counts if word not in _PASSED and word not in _FAILED),
                )
            )
        if any(each.counted for each in found):
            return found
    for form in _NAMED:
        for match in form.finditer(text):
            given = {name: int(number) for name, number in match.groupdict().items() if number}
            failed, skipped = given.get("failed", 0) + given.get("errors", 0), given.get("skipped", 0)
            passed = given.get("passed", given.get("ran", failed + skipped) - failed - skipped)
            found.append(Check("silent", max(0, passed), failed, skipped))
    return found
