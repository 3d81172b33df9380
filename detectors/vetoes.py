"""What an episode must not be, whatever its score: seen by structure, and asked only of those that would be told.

A veto says why an episode teaches nothing or something wrong. What speaks against an episode, and no more, is a feature.

A check is worked around where a test is taken away by removing its file or its lines, or left out by a mark of its framework.
Where nothing but literals of tests was rewritten after the code had been changed on purpose, the tests had said how it used to be.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from mind_skills.detectors import noise
from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import Timeline
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_later

_NAME_LENGTH = 4
"""Characters of a removed file's name: a shorter one is found in any text."""
_REMOVES = compile_later(r"(?:^|[;&|] ?)(?:git )?rm\b")
_TEST_FILE = compile_later(
    r"(?:^|/)(?:tests?|specs?|__tests__|e2e|cypress)/|(?:^|[/_.-])(?:tests?|spec)[_.-][^/]*\Z|[_.-](?:tests?|spec)\.\w+\Z"
    r"|[a-z](?:Tests?|Spec|IT)\.\w+\Z"
)
"""Where the frameworks of the common languages look for tests."""
_SKIPS = compile_later(
    r"mark(?:Test)?(?:Skipped|Incomplete)|\.(?:skip|fixme|todo)\b|mark\.(?:skip|xfail)|\b(?:unittest\.)?skip(?:If|Unless|Test)?\(|@(?:Ignore|Disabled)\b"
    r"|#\[ignore|\bt\.Skip\w*\(|\bx(?:it|describe|test|context)\b|@tag :?skip|\bskip:|GTEST_SKIP|DISABLED_|\bpending\b"
    r"|\[(?:Ignore|Skip)\b|Skip ?="
)
"""How the frameworks are told to leave a test out."""
_ASSERTS = compile_later(
    r"\b[Aa]ssert\w*\b|\bexpect\w*\s*[.(]|\brequire\.\w+\(|\bshould(?:_\w+)?\b|\bt\.(?:Error|Fatal)\w*\(|\bEXPECT_\w+\("
)
_HOLDS = compile_later(
    r"\b[Aa]ssert\w*!?[ (.]+(?:[Tt]rue|1|not (?:False|None)|\"[^\"]*\"|'[^']*')\s*[,;)]*\s*(?:#.*|//.*)?\Z"
    r"|\bassert(?:True|_true|That)?\(\s*[Tt]rue\b"
    r"|\bassert!\(true\)|\bexpect\(\s*(true|1)\s*\)\.\w+\(\s*(?:\1)?\s*\)|\bassert\.ok\(\s*(?:true|1)\s*\)|\bEXPECT_TRUE\(true\)"
    r"|\bassert\.True\(t, true\)|\brequire\.True\(t, true\)|\bAssert\.True\(true\)"
)
"""An assertion that holds whatever the code does."""
_MARKS = (
    *("skip", "Skip", "SKIP", "Incomplete", ".fixme", ".todo", "xfail", "@Ignore", "[Ignore", "@Disabled", "DISABLED_"),
    *("#[ignore", "xit", "xdescribe", "xtest", "xcontext", "pending"),
)
"""One of these stands in each of them."""
_LITERAL = compile_later(
    r"\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`|\b\d[\w.]*\b|\b(?:true|false|null|nil|None|True|False)\b"
)


_ASKS_FOR_TESTS = compile_later(
    r"PYTEST_CURRENT_TEST|JEST_WORKER_ID|VITEST_WORKER_ID|[\"'](?:pytest|unittest|jest|vitest)[\"'] in (?:sys\.modules|process\.argv)"
    r"|NODE_ENV\W{1,4}={2,3}\s?[\"']test[\"']\W{0,4}(?:return|\{\s?return)|\btesting\.Testing\(\)|#\[?cfg!?\(test\).*return"
)
_SWALLOWS = compile_later(
    r"\bexcept(?: \(?(?:Base)?Exception\)?)?(?: as \w+)?:\s+pass\b|\bcatch\s*(?:\(\w*\)\s*)?\{\s*\}"
)
"""Whatever goes wrong is passed over."""
_RUNS_CHECKS = compile_later(
    r"(?:^|/)(?:[Mm]akefile|GNUmakefile|[Jj]ustfile|Taskfile\.ya?ml|package\.json|tox\.ini|noxfile\.py|Rakefile|conftest\.py|setup\.cfg"
    r"|pyproject\.toml|pytest\.ini|(?:jest|vitest|playwright|karma)\.config\.\w+|\.github/.*\.ya?ml|(?:run[-_]?)?(?:tests?|check)s?(?:\.sh|\.py)?)\Z"
)
"""What a check is started by."""
_DOES_NOTHING = compile_later(
    r"\|\|\s?(?:true|:|exit 0)\b|\b(?:sys\.|os\._?|process\.)exit\(0?\)|(?:^|[:;&\"'\s])exit 0\b"
    r"|\"(?:test|check|lint|build)[\w:]*\":\s?\"(?:true|:|exit 0|echo\b)"
    r"|^\s*(?:true|:|@?(?:echo|printf)\b.*)\s*$|passWithNoTests|--exit-zero|ignore[_-]?errors|continue-on-error: true|-k ['\"]?not "
)


def veto(line: Timeline, episode: Episode) -> str:
    """The name of the first veto that an episode meets; empty where it meets none."""
    return next((name for name, meets in VETOES if meets(line, episode)), "")


def _ours(line: Timeline, episode: Episode) -> bool:
    """It begins or ends with a command of ours: what an agent does because we asked it to is no work of the user's."""
    return any(noise.ours(line.observations[index]) for index in (episode.first, episode.last))


def _protocol(line: Timeline, episode: Episode) -> bool:
    """Host and agent misunderstood each other, and nothing else failed, was changed or was said by the user."""
    within = (line.failures, line.changes, line.users)
    if any(line.within(places, episode.first, episode.last + 1) for places in within):
        return False
    one = line.observations[episode.first]
    return one.kind == "tool" and one.outcome in ("failed", "rejected", "denied", "aborted")


def _rejected(line: Timeline, episode: Episode) -> bool:
    """It ends with a call that the user or the host refused."""
    return line.observations[episode.last].outcome in ("rejected", "denied", "aborted")


def _reverted(line: Timeline, episode: Episode) -> bool:
    """The last change is taken back before the end, and nothing is changed instead."""
    change = line.before(line.changes, episode.last + 1)
    if change is None or change < episode.first:
        return False
    return bool(line.within(line.reverts, change + 1, episode.last + 1))


def _worked_around(line: Timeline, episode: Episode) -> bool:
    """Checks pass because tests were removed, left out, weakened or told to expect what they got."""
    failure = line.after(line.failures, episode.first - 1)
    if failure is None or failure > episode.last:
        return False
    return worked_around(line, episode.first, episode.last, line.observations[failure])


def worked_around(line: Timeline, start: int, end: int, failed: Observation | None = None) -> bool:
    """Whether what was done in (start, end) made a check pass without mending anything. ``failed`` is the run before."""
    observations = line.observations
    if failed is not None:
        for index in range(start + 1, end):
            if observations[index].action == "write" and _removes(observations[index], failed):
                return True
    changes = [observations[index] for index in line.within(line.changes, start + 1, end)]
    if any((_in_tests(one) and _skips(one)) or _disarms(one, failed) for one in changes):
        return True
    return bool(changes) and all(
        _in_tests(one) and (_takes_away(one) or _rewrites_literals(one) or _asserts_less(one)) for one in changes
    )


def _removes(observation: Observation, failed: Observation) -> bool:
    """A file that the failing run names is removed by a command that writes."""
    if "rm" not in observation.command or not _REMOVES.search(observation.command):
        return False
    text = f"{failed.command} {failed.target} {failed.error} {failed.text}"
    names = [word.rsplit("/", 1)[-1] for word in observation.target.split()]
    return any(len(name) >= _NAME_LENGTH and name in text for name in names)


def _in_tests(observation: Observation) -> bool:
    """Whether a change is of tests alone."""
    return bool(observation.files) and all(map(_of_tests, observation.files))


@lru_cache(1024)
def _of_tests(name: str) -> bool:
    """Whether a file's name is one of tests."""
    return _TEST_FILE.search(name) is not None


def _skips(observation: Observation) -> bool:
    """A mark that leaves tests out is added, and none removed."""
    if not any(map(observation.change.__contains__, _MARKS)):
        return False
    removed, added = _sides(observation.change)
    return any(_SKIPS.search(row) for row in added) and not any(_SKIPS.search(row) for row in removed)


def _disarms(observation: Observation, failed: Observation | None) -> bool:
    """Whether code passes over every error or asks if it is being tested, or what the check runs is made to do nothing."""
    removed, added = _sides(observation.change)
    if not _in_tests(observation) and (_SWALLOWS.search("\n".join(added)) or any(map(_ASKS_FOR_TESTS.search, added))):
        return True
    if not any(
        _RUNS_CHECKS.search(name) or (failed is not None and name and name in failed.command)
        for name in observation.files
    ):
        return False
    return any(_DOES_NOTHING.search(row) for row in added) and not any(_DOES_NOTHING.search(row) for row in removed)


def _takes_away(observation: Observation) -> bool:
    removed, added = _sides(observation.change)
    return bool(removed) and not added


def _asserts_less(observation: Observation) -> bool:
    """Whether assertions go, and nothing that could fail comes for each of them."""
    removed, added = _sides(observation.change)
    before = sum(_ASSERTS.search(row) is not None for row in removed)
    after = [row for row in added if _ASSERTS.search(row)]
    return before > 0 and sum(_HOLDS.search(row) is None for row in after) < before


def _rewrites_literals(observation: Observation) -> bool:
    """The same lines with other strings, numbers or constants in them."""
    removed, added = _sides(observation.change)
    return bool(removed) and [_LITERAL.sub("L", row) for row in removed] == [_LITERAL.sub("L", row) for row in added]


def _sides(change: str) -> tuple[list[str], list[str]]:
    rows = change.split("\n")
    return [row[1:] for row in rows if row.startswith("-")], [row[1:] for row in rows if row.startswith("+")]


VETOES: tuple[tuple[str, Callable[[Timeline, Episode], bool]], ...] = (
    ("ours", _ours),
    ("rejected", _rejected),
    ("protocol", _protocol),
    ("reverted", _reverted),
    ("worked_around", _worked_around),
)
