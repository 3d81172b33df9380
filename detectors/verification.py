"""Decide whether a later run proves a fix.

The run must include what failed, and its output or exit code must show that it passed. It is a sham if it passed because fewer
tests were selected or ran, because the working tree was in another state, or because only the tests or their configuration
had changed since the last failure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from mind_skills.detectors.timeline import Timeline, build_timeline
from mind_skills.observations import results
from mind_skills.observations.commands import is_check, is_same_command
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_lazily

_STYLE = compile_lazily(r"lint|fmt|format|prettier|ruff|eslint|biome|shellcheck|flake8|pylint|rubocop|style|clippy|vet")
"""Checks of code style, which do not show whether the code works."""
_EXCLUDES_TESTS = compile_lazily(
    r"\s--?(?!ignored\b|include|no-(?:skip|ignore|exclude)\b|ignore-(?:scripts|engines|platform|installed))[\w.-]{0,40}?"
    r"(?:skip|exclude|[iI]gnore|invert|deselect)"
    r"|\s(?:--?[\w.-]{1,40}[= ]['\"]?(?:!|~(?![/\s'\"])|not )|--[\w-]{1,40}=['\"]?-\w|--filter[= ]\S{1,40}!=)"
    r"|\bSKIP=|\|\| ?true|--no-verify|\bgit commit\s(?:[^;&|\n]{0,80}\s)?-n\b"
    r"|\bmake\s(?:[^;&|\n]{0,80}\s)?(?:-i|--ignore-errors)\b"
)
"""Options that leave out tests, by the word for it in their name or by a negated value, and options that ignore failures."""
_REPEATS_FAILED = compile_lazily(
    r"\s(?:--lf|--last-failed|--only-failures|--onlyFailures|--rerun-failed|--failed)(?![\w-])"
)
"""Selects exactly the tests that had failed."""
_SHORTENS = compile_lazily(r"\bgo test\s(?:[^;&|\n]{0,80}\s)?-short\b")
"""Leaves out the slow tests, of which the one that failed is hardly one if the run covers more packages."""
_SKIPS_HOOKS = compile_lazily(r"\bSKIP=|--no-verify\b|\bgit commit\s(?:[^;&|\n]{0,80}\s)?-n\b")
_OTHER_FOLDER = (
    r"(?:\b(?:cd|chdir|pushd|Set-Location|env (?:-\S+ ){0,4}-C|(?:make|git|pnpm|npm|yarn|cargo|go)\s+-C)"
    r"|--(?:directory|rootdir|chdir|cwd|dir|prefix|project"
    r"|manifest-path|project-dir))[ =]+[\"']?(?:[^\s;&|\"']*/)?\.\./[^\s;&|)\"']+"
)
_STATE_SET = (
    r"\bgit\s+(?:-\S+ ){0,4}(?:stash\b(?! (?:pop|apply|list|show|drop))"
    r"|(?:checkout|switch) (?!(?:(?:-q|--quiet|-f|--force) )?"
    r"(?:-b |-B |-c |-C |-(?: |\Z)|-- |\S{1,200} -- (?![^;&|\n]{0,200}(?:test|spec))"
    r"|\.(?: |\Z)|[\w./-]{1,200}\.(?:[a-z]{2,5}|[chmr])(?:[\s;&]|\Z)))\S+"
    r"|reset (?:-\S+ ){0,4}(?:--hard|--keep|--merge|HEAD[~^]|[0-9a-f]{7,40}\b)|restore (?:-\S+ ){0,4}(?:-s|--source)"
    r"|worktree add|bisect|revert)"
)
_OTHER_STATE = compile_lazily(f"{_OTHER_FOLDER}|{_STATE_SET}")
"""Commands that select a folder or a state of the working tree other than the one that was changed."""
_FOLDER = compile_lazily(rf"{_OTHER_FOLDER}")
_STATE_CHANGE = compile_lazily(
    rf"({_STATE_SET})|\bgit\s+(?:stash (?:pop|apply)|(?:checkout|switch) -(?: |\Z)|bisect reset)"
)
"""A command that selects another state of the working tree (captured), or one that returns to the state that was changed."""
_MOVES_FILES = compile_lazily(
    r"(?:^|[;&|(]\s*)(?:sudo )?(?:git )?(?:mv|rm|unlink|rename|ren|move|del|trash|(?:move|remove|rename)-item)\s",
    re.IGNORECASE,
)
_TEST_FILE = compile_lazily(
    r"(?:^|/)(?:tests?|specs?|__tests__|__snapshots__|e2e|cypress)/|(?:^|[/_.-])(?:tests?|spec)[_.-][^/]*\Z|[_.-](?:tests?|spec)\.\w+\Z"
    r"|[a-z](?:Tests?|Spec|IT)\.\w+\Z|(?:^|/)(?:conftest\.py|pytest\.ini|tox\.ini|phpunit\.xml(?:\.dist)?|\.rspec|\.mocharc[\w.]*"
    r"|(?:jest|vitest|playwright|karma|cypress|ava|nextest)\.(?:config\.)?\w+)\Z"
)
"""Paths at which common frameworks look for tests, and for nothing but the configuration of tests."""
_SELECTS_TESTS = compile_lazily(
    r"addopts|testpaths|python_(?:files|functions|classes)|deselect|norecursedirs|collect_ignore|--ignore|testMatch|testRegex"
    r"|PathIgnorePatterns|testIgnore|\bexclude|\bskip|-k\b|[\"'](?:pretest|test)[\w:]*[\"']\s*:"
)
"""Rows of ``_SETTINGS`` that select which tests run."""
_SETTINGS = compile_lazily(
    r"(?:^|/)(?:pyproject\.toml|package\.json|setup\.cfg|Cargo\.toml|(?:GNU)?[Mm]akefile|[Jj]ustfile|noxfile\.py|pom\.xml"
    r"|build\.gradle(?:\.kts)?|[\w.-]+\.ya?ml)\Z"
)
"""Files with settings of tests among others."""
_PATH = compile_lazily(r"[\w@.+~/\\:-]*\.\w{1,6}\Z")
_PLACE = compile_lazily(r"[/\\]|::|\.\w{1,6}\Z|\w\.\w")
"""A target that is a file, a folder, a module, or a test in one."""
_WRITES_FILES = compile_lazily(
    r"\.write_(?:text|bytes)\(|\bwriteFile(?:Sync)?\(|\bopen\([^()\n]{1,80}['\"][wa]|\bFile\.(?:write|delete|rename)\("
    r"|\bos\.(?:remove|unlink|rename|replace)\(|\bshutil\.move\(|\.unlink\(|\b(?:unlink|rm|rename)Sync\("
)
"""A script in a command that writes, moves or removes a file."""
_REWRITES_EXPECTED = compile_lazily(
    r"\s--(?:snapshot-update|update-?snapshots?|updateSnapshot|update-goldens?|force-regen|inline-snapshot=fix)\b"
    r"|\bINSTA_UPDATE=(?:always|force)"
    r"|\bUPDATE_(?:SNAPSHOTS?|EXPECT|GOLDENS?)=|\bcargo insta accept\b|\b(?:jest|vitest|playwright|ava)\s(?:[^;&|\n]{0,80}\s)?-u\b"
)
"""A run that makes the results that tests expect those that they get."""
_QUOTED_PATH = compile_lazily(r"['\"]((?:[\w.-]+/)*[\w.-]+\.\w{1,6})['\"]")
_REDIRECTION = compile_lazily(r"(?<![0-9&])>{1,2}\s*[\"']?([\w@.+~/-]+)")
_TEST_LOCATION = compile_lazily(r"(?:\.\w+)?(?:::.*|:\d+)?\Z")
"""What follows the name of a test file: its suffix, and a test or a line in the file."""
_MODULE = compile_lazily(r"\w+(?:\.\w+)+(?<!\.(?:py|js|ts|rb|rs|go|cs|kt))(?<!\.(?:tsx|jsx|mjs|cjs|php))(?<!\.java)\Z")
"""A dotted module, class or test, as unittest takes them."""
_PASSED_LINE = compile_lazily(r"^[^\S\n]*(?:ok|PASS|✓|✔|√)\b.*$|^.*(?:\bPASSED\b|\.\.\. ok$).*$", re.MULTILINE)
"""Lines about tests that passed in a run that failed."""
_SCOPE = compile_lazily(r" \[([^\]]*)\]")
_FAILED_TEST = compile_lazily(r"^[^\S\n]*--- FAIL: |^FAILED \S+::|^not ok \d", re.MULTILINE)
_FILTER_OPTION = compile_lazily(
    r"(?:^|\s)(?:-k|-m|-run|--run|--grep|-g|--filter|--only|-t|--testNamePattern|--test-name-pattern|--test|-Dtest"
    r"|--tests|--example|-e|-R"
    r"|--tag|--tags|--group|-n|--name)(?:[ =])('[^']*'|\"[^\"]*\"|[^\s;&|]+)"
)


def is_fixed_by(timeline: Timeline, failure: int, check: int) -> bool:
    """Return whether a later run of the same command includes what failed before, and shows that it passes now."""
    failed, passed = timeline.observations[failure], timeline.observations[check]
    return (
        is_same_command(failed.signature, passed.signature)
        and _includes_failure(failed, passed)
        and is_proven_by(timeline, failure, check)
        and not is_sham(timeline, failure, check)
    )


def is_sham(timeline: Timeline, failure: int, check: int) -> bool:
    """Return whether a run of a check that had failed at index ``failure`` passes without showing that anything was fixed."""
    return _repeats_less(timeline, failure, check) or (
        _repeats_check(timeline, failure, check)
        and _changes_only_tests(timeline, _find_last_failure(timeline, failure, check), check)
    )


def repeats_less(observations: Sequence[Observation], project: str) -> bool:
    """Return whether the last of these calls passes a check that had failed in them, for fewer tests or another state."""
    timeline = build_timeline(observations, project)
    check = len(observations) - 1
    signature = observations[check].signature
    failures = [
        index
        for index in timeline.select(timeline.failures, 0, check)
        if is_same_command(observations[index].signature, signature)
    ]
    return bool(failures) and _repeats_less(timeline, failures[-1], check)


def _repeats_less(timeline: Timeline, failure: int, check: int) -> bool:
    """Return whether a check that had failed passes later for fewer tests, or in another folder or state of the code."""
    failed, passed = timeline.observations[failure], timeline.observations[check]
    return _repeats_check(timeline, failure, check) and (
        _selects_fewer(failed, passed)
        or (bool(passed.target.split()) and not _includes_failure(failed, passed))
        or _is_in_other_folder(timeline, failure, check)
        or _runs_fewer(timeline, failure, check)
        or _is_in_other_state(timeline, _find_last_failure(timeline, failure, check), check)
    )


def _repeats_check(timeline: Timeline, failure: int, check: int) -> bool:
    signature = timeline.observations[failure].signature
    return is_check(signature) and is_same_command(signature, timeline.observations[check].signature)


def _find_last_failure(timeline: Timeline, failure: int, check: int) -> int:
    """Return the index of the last failure before ``check`` of the command that failed at ``failure``."""
    signature = timeline.observations[failure].signature
    return max(
        index
        for index in timeline.select(timeline.failures, failure, check)
        if is_same_command(signature, timeline.observations[index].signature)
    )


def is_weaker(timeline: Timeline, failure: int, check: int) -> bool:
    """Return whether another check of the same program passes, and shows less than the one that failed.

    It runs fewer tests, or checks only the style or compiles, although tests had failed.
    """
    failed, passed = timeline.observations[failure], timeline.observations[check]
    checks = [part for part in failed.signature.split(" && ") if is_check(part)]
    programs = {part.split(" ", 1)[0] for part in passed.signature.split(" && ") if is_check(part)}
    if len(checks) != 1 or checks[0].split(" ", 1)[0] not in programs:
        return False
    if (
        _excludes_more(failed, passed)
        or _runs_fewer(timeline, failure, check)
        or _is_in_other_folder(timeline, failure, check)
    ):
        return True
    if checks_only_style(passed.signature):
        return not checks_only_style(failed.signature)
    return not results.runs_tests(passed.signature) and (
        results.parse_check(failed).failed > 0 or _FAILED_TEST.search(failed.text) is not None
    )


def proves_nothing(timeline: Timeline, failure: int, check: int) -> bool:
    """Return whether a run of tests that had failed does not fail because none or fewer ran, or only tests had been changed."""
    failed, repeated = timeline.observations[failure], timeline.observations[check]
    if not results.runs_tests(failed.signature) or results.parse_check(failed).verdict == "nothing":
        return False
    if not timeline.select(timeline.passes, check, check + 1):
        return repeated.outcome in ("ok", "nothing") and timeline.read_check(check).verdict == "nothing"
    return _runs_fewer(timeline, failure, check) or _changes_only_tests(timeline, failure, check)


def skips_hooks(observation: Observation) -> bool:
    """Return whether a command, such as a commit, leaves out the checks that hooks would run."""
    return _SKIPS_HOOKS.search(observation.command) is not None


def leaves_work(observation: Observation) -> bool:
    """Return whether a call ends by leaving the state that was changed, or only moves or writes tests; its success proves nothing."""
    command = observation.command
    commands = list(_STATE_CHANGE.finditer(command))
    if commands and commands[-1][1] and "&&" not in command[commands[-1].end() :]:
        return True
    if _MOVES_FILES.search(command):
        return any(map(is_test_file, command.split()))
    if not _WRITES_FILES.search(command) or any(map(is_check, observation.signature.split(" && "))):
        return False
    written = _QUOTED_PATH.findall(command)
    return bool(written) and all(map(is_test_file, written))


def _excludes_more(failed: Observation, passed: Observation) -> bool:
    """Return whether only the passing run has options that leave out tests or ignore failures."""
    if _SHORTENS.search(passed.command) and not _SHORTENS.search(failed.command) and passed.target == failed.target:
        return True
    return bool(_EXCLUDES_TESTS.search(passed.command)) and not _EXCLUDES_TESTS.search(failed.command)


def _selects_fewer(failed: Observation, passed: Observation) -> bool:
    """Return whether the passing run leaves out tests by its options, and not only all but the one that failed."""
    if _excludes_more(failed, passed):
        return True
    return not _is_named_by(failed, _read_filters(passed.command) - _read_filters(failed.command))


def _runs_fewer(timeline: Timeline, failure: int, check: int) -> bool:
    """Return whether fewer tests ran than in the failing run, unless the passing run selects what had failed.

    A selection after which exactly those tests pass that had passed before left out the ones that failed.
    """
    failed, passed = timeline.observations[failure], timeline.observations[check]
    before, after = results.parse_check(failed), timeline.read_check(check)
    if not (before.has_counts and after.has_counts and after.passed < before.passed + before.failed):
        return False
    if _REPEATS_FAILED.search(passed.command) and after.passed == before.failed:
        return False
    targets = set(passed.target.split()) - set(failed.target.split())
    if any(map(_PLACE.search, targets)):
        return not _includes_failure(failed, passed)
    selected = (_read_filters(passed.command) - _read_filters(failed.command)) | (
        _read_scopes(passed) - _read_scopes(failed)
    )
    selected = {name for name in selected | targets if not name.isdecimal()}
    return not selected or not _is_named_by(failed, selected) or before.failed != after.passed == before.passed


def _read_scopes(observation: Observation) -> set[str]:
    """Return the packages and folders to which the options of a command restrict it."""
    return {name for scope in _SCOPE.findall(observation.signature) for name in scope.split()}


def _is_in_other_folder(timeline: Timeline, failure: int, check: int) -> bool:
    """Return whether a passing run selects a folder outside of the current one that no command before the failure named."""
    folders = {match[0].rpartition("../")[2] for match in _FOLDER.finditer(timeline.observations[check].command)}
    if not folders:
        return False
    runs = [timeline.observations[index].command for index in timeline.select(timeline.tool_calls, 0, failure + 1)]
    return not any(folder in command for folder in folders for command in runs)


def _is_in_other_state(timeline: Timeline, failure: int, check: int) -> bool:
    """Return whether git had put the working tree into another state, in which nothing was changed before the check."""
    for index in reversed(range(failure + 1, check + 1)):
        observation = timeline.observations[index]
        if observation.agent != "main" or "git " not in observation.command:
            continue
        command = observation.command
        if index == check:  # what comes after the check does not matter
            names = [part.split()[0] for part in observation.signature.split(" && ") if is_check(part)]
            command = command[: max((command.rfind(name) for name in names), default=0)]
        commands = list(_STATE_CHANGE.finditer(command))
        if commands:
            return bool(commands[-1][1]) and not timeline.select(timeline.changes, index + 1, check)
    return False


def _changes_only_tests(timeline: Timeline, failure: int, check: int) -> bool:
    """Return whether something was changed since the failure, and all of it belongs to tests or their configuration."""
    observations = timeline.observations
    changes = set(timeline.select(timeline.changes, failure + 1, check))
    runs = [
        index for index in timeline.select(timeline.runs, failure + 1, check + 1) if observations[index].outcome == "ok"
    ]
    if any(_REWRITES_EXPECTED.search(observations[index].command) for index in runs):
        return True
    changes |= {
        index
        for index in runs
        if _MOVES_FILES.search(observations[index].command) or _WRITES_FILES.search(observations[index].command)
    }
    return bool(changes) and all(_changes_test(observations[index]) for index in changes)


def _changes_test(change: Observation) -> bool:
    """Return whether a change touches only tests or their configuration. Unknown files are none."""
    words = [*change.target.split(), *_REDIRECTION.findall(change.command)]
    if _WRITES_FILES.search(change.command):
        words += _QUOTED_PATH.findall(change.command)
    paths = change.files or tuple(word for word in words if _PATH.match(word))
    return bool(paths) and all(
        is_test_file(path) or (_SETTINGS.search(path) and _SELECTS_TESTS.search(change.change)) for path in paths
    )


@lru_cache(1024)
def is_test_file(path: str) -> bool:
    """Return whether common frameworks would look for tests, or only for their configuration, at this path."""
    return _TEST_FILE.search(path.replace("\\", "/")) is not None


def is_proven_by(timeline: Timeline, failure: int, check: int) -> bool:
    """Return whether a later run of a failed command shows that the command now passes.

    The later run must neither show a failure nor have checked nothing. If a check that reports test counts is repeated literally,
    more tests must pass than before if any had failed, else at least as many. If a check reports no counts, the failed run must
    not have reported any either. A command that reports no counts must be the same as before, or the exit code of its run must be
    its own (no ``|| true``).
    """
    failed, passed = timeline.observations[failure], timeline.observations[check]
    result = timeline.read_check(check)
    if result.verdict not in ("passed", "silent"):
        return False
    if not is_check(passed.signature):
        return passed.command == failed.command or not results.hides_status(passed.command)
    before = results.parse_check(failed)
    if result.verdict == "passed":
        return passed.command != failed.command or result.passed >= before.passed + bool(before.failed)
    return not before.has_counts and (passed.command == failed.command or not results.hides_status(passed.command))


@lru_cache(512)
def checks_only_style(signature: str) -> bool:
    """Return whether all checks in a command are checks of code style. True if it contains none."""
    return all(_STYLE.search(part) for part in signature.split(" && ") if is_check(part))


def _includes_failure(failed: Observation, passed: Observation) -> bool:
    """Return whether the passing run includes what failed: its target is the same, a wider one, or one that the failure names."""
    if not set(_OTHER_STATE.findall(passed.command)) <= set(_OTHER_STATE.findall(failed.command)):
        return False
    if not is_check(failed.signature) and _excludes_more(failed, passed):
        return False
    # In Go, ``a/...`` is the folder ``a`` with all that is below it.
    failed_targets, passed_targets = (
        [word.removesuffix("...") or "." for word in each.target.split()] for each in (failed, passed)
    )
    if not is_check(failed.signature):
        return set(failed_targets) == set(passed_targets) or 2 * len(set(failed_targets) & set(passed_targets)) > max(
            len(failed_targets), len(passed_targets)
        )
    if (
        not passed_targets
        or set(failed_targets) & set(passed_targets)
        or any(word in (".", "./") for word in passed_targets)
        or any(target.startswith(wider.rstrip("/")) for target in failed_targets for wider in passed_targets)
    ):
        return True
    narrower_targets = [
        target
        for target in passed_targets
        if not failed_targets or any(target.startswith(wider.rstrip("/.")) for wider in failed_targets)
    ]
    names = {
        target.rpartition(".")[2]
        if _MODULE.match(target)
        else _TEST_LOCATION.sub("", target.rstrip("./")).rpartition("/")[2]
        for target in narrower_targets
    }
    return bool(names) and _is_named_by(failed, names)


def _read_filters(command: str) -> set[str]:
    """Return the test names, markers or lines to which a command is restricted by its options."""
    return {match[1].strip("'\"^$") for match in _FILTER_OPTION.finditer(command)}


def _is_named_by(failed: Observation, filters: set[str]) -> bool:
    """Return whether the failure contains, for each filter of the passing run, one of the filter's last three words."""
    text = f"{failed.command} {failed.error} {_PASSED_LINE.sub('', failed.text)}".lower() if filters else ""
    words_by_filter = [re.findall(r"\w{3,}", test_filter.lower()) for test_filter in filters]
    if not all(any(word in text for word in words[-3:]) or not words for words in words_by_filter):
        return False
    short = [name.lower() for name, words in zip(filters, words_by_filter, strict=True) if not words and name.isalpha()]
    return not short or set(short) <= set(re.findall(r"[^\W\d_]+", text))
