"""Vetoes: conditions that exclude an episode whatever its score. ``detect`` checks only episodes about to be chosen.

A veto is a reason why an episode teaches nothing, or something wrong. Weaker evidence against an episode is a feature.

A check is worked around by removing a file that the failed run names, by skip markers in tests, or by code that
disables the check. Removed, weakened or rewritten tests are a workaround only if nothing else was changed; with a
change to the code, they mean that the tests had described the previous behaviour.
"""

from __future__ import annotations

from collections.abc import Callable

from mind_skills.detectors import noise
from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.verification import is_sham, is_test_file, leaves_work
from mind_skills.detectors.words import build_phrases
from mind_skills.observations.commands import is_same_command
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_lazily

_MIN_NAME_LENGTH = 4
"""Shorter file names may occur in a text by chance."""
_REMOVES = compile_lazily(r"(?:^|[;&|] ?)(?:git )?rm\b")
_SKIPS = compile_lazily(
    r"mark(?:Test)?(?:Skipped|Incomplete)|\.(?:skip|fixme|todo)\b|mark\.(?:skip|xfail)|\b(?:unittest\.)?skip(?:If|Unless|Test)?\(|@(?:Ignore|Disabled)\b"
    r"|#\[ignore|\bt\.Skip\w*\(|\bx(?:it|describe|test|context)\b|@tag :?skip|\bskip:|GTEST_SKIP|DISABLED_|\bpending\b"
    r"|\[(?:Ignore|Skip)\b|Skip ?="
)
"""Skip markers of test frameworks."""
_ASSERTS = compile_lazily(
    r"\b[Aa]ssert\w*\b|\bexpect\w*\s*[.(]|\brequire\.\w+\(|\bshould(?:_\w+)?\b|\bt\.(?:Error|Fatal)\w*\(|\bEXPECT_\w+\("
)
_TRIVIAL_ASSERTION = compile_lazily(
    r"\b[Aa]ssert\w*!?[ (.]+(?:[Tt]rue|1|not (?:False|None)|\"[^\"]*\"|'[^']*')\s*[,;)]*\s*(?:#.*|//.*)?\Z"
    r"|\bassert(?:True|_true|That)?\(\s*[Tt]rue\b"
    r"|\bassert!\(true\)|\bexpect\(\s*(true|1)\s*\)\.\w+\(\s*(?:\1)?\s*\)|\bassert\.ok\(\s*(?:true|1)\s*\)|\bEXPECT_TRUE\(true\)"
    r"|\bassert\.True\(t, true\)|\brequire\.True\(t, true\)|\bAssert\.True\(true\)"
)
"""Assertions that hold whatever the code does."""
_MAX_RETURN_ROWS = 2
"""More added rows are a test of their own, or a function for tests."""
_RETURNS = compile_lazily(
    r"^\s*(?:return(?: (?:None|nil|null|[tT]rue|undefined))?|pass|(?:sys\.|process\.|os\._)?exit\(0?\)|raise (?:unittest\.)?SkipTest\b.*)"
    r"\s*;?\s*\Z"
)
_EXACT = compile_lazily(
    r"==|\bto(?:Be|Equal|StrictEqual|MatchObject|ContainEqual|HaveLength|HaveBeenCalledTimes)\(|\b[aA]ssert_?(?:[eE]quals?|[eE]q|[sS]ame|[dD]eep[eE]qual)\w*\b|\b(?:EXPECT|ASSERT)_EQ\b"
    r"|\.(?:strictEqual|deepEqual|equal|Equal|EqualValues|eql)\(|\bto eq\b"
)
_APPROXIMATE = compile_lazily(r"\bapprox\(|anything\(|any\(|ANY\b|len\(\w+\) == len\(")
_SKIP_HINTS = (
    *("skip", "Skip", "SKIP", "Incomplete", ".fixme", ".todo", "xfail", "@Ignore", "[Ignore", "@Disabled", "DISABLED_"),
    *("#[ignore", "xit", "xdescribe", "xtest", "xcontext", "pending"),
)
"""Every skip marker contains one of these."""
_LITERAL = compile_lazily(
    r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`|\b\d[\w.]*\b|\b(?:true|false|null|nil|None|True|False)\b"
)
_DETECTS_TESTS = compile_lazily(
    r"PYTEST_CURRENT_TEST|JEST_WORKER_ID|VITEST_WORKER_ID|[\"'](?:pytest|unittest|jest|vitest)[\"'] in (?:sys\.modules|process\.argv)"
    r"|NODE_ENV\W{1,4}={2,3}\s?[\"']test[\"']\W{0,4}(?:return|\{\s?return)|\btesting\.Testing\(\)|#\[?cfg!?\(test\).*return"
)
_SWALLOWS = compile_lazily(
    r"\bexcept(?: \(?(?:Base)?Exception\)?)?(?: as \w+)?:\s+pass\b|\bcatch\s*(?:\(\w*\)\s*)?\{\s*\}"
)
"""Code that ignores all errors."""
_CHECK_FILES = compile_lazily(
    r"(?:^|/)(?:[Mm]akefile|GNUmakefile|[Jj]ustfile|Taskfile\.ya?ml|package\.json|tox\.ini|noxfile\.py|Rakefile|conftest\.py|setup\.cfg"
    r"|pyproject\.toml|pytest\.ini|(?:jest|vitest|playwright|karma)\.config\.\w+|\.github/.*\.ya?ml|(?:run[-_]?)?(?:tests?|check)s?(?:\.sh|\.py)?)\Z"
)
"""Paths of files that start or configure checks."""
_NO_OPERATION = compile_lazily(
    r"\|\|\s?(?:true|:|exit 0)\b|\b(?:sys\.|os\._?|process\.)exit\(0?\)|(?:^|[:;&\"'\s])exit 0\b"
    r"|\"(?:test|check|lint|build)[\w:]*\":\s?\"(?:true|:|exit 0|echo\b)"
    r"|^\s*(?:true|:|@?(?:echo|printf)\b.*)\s*$|passWithNoTests|--exit-zero|ignore[_-]?errors|continue-on-error: true|-k ['\"]?not "
)


_RESTORES = compile_lazily(r"\bgit stash (?:pop|apply)\b")
_MAX_ANSWER_LENGTH = 200
"""Number of leading characters of a message in which the user may say that a problem persists."""
_MAX_ANSWERS = 5
"""Maximum number of messages after a success in which the user's denial is looked for."""
_PERSISTS = build_phrases(
    {
        "no|nah": (
            r"\A\W*(?:no|nope|nah)\b"
            r"(?![ ,]*(?:problem|worries|need|rush|hurry|thank|more|further|changes|questions|it's (?:fine|ok|good)|that's (?:fine|ok|it)))"
        ),
        "still": (
            r"\A(?:(?!\b(?:thanks|thank you|great|perfect|lgtm|nice|works)\b(?![^.!?\n]{0,40}\bbut\b)).)*?\bstill\b"
            r"(?! (?:need|time|have to|has to|to do|todo|want|like|love|open|wait|works?|working|pass|green|good|fine|ok|be|room|some|a few"
            r"|a bit|possible|think|wonder|unsure|curious|prefer|remember|missing (?:from|in) the (?:docs|readme|changelog))\w*\b)"
        ),
        "again": r"\b(?:fail(?:s|ed|ing)?|crash(?:es|ed|ing)?|broken|breaks?|happen(?:s|ed|ing)?) again\b",
        "work|help|fix|solve|resolve|change": (
            r"\b(?:not|n.?t)\b (?:\w+ ){0,2}(?:work(?:s|ed|ing)?|help(?:s|ed)?|fix(?:es|ed)?|solved?|resolved?|changed? anything)\b"
        ),
        "same ": r"\bsame (?:error|issue|problem|failure|result|thing|behaviou?r|crash|as before)\b",
        "not it|not quite|not what": r"\bnot (?:it\b|quite(?: \w+)?\W*\Z|what i (?:mean|meant|want|asked))",
        "n't ": r"\b(?:was|is)n.?t (?:it\b|the (?:problem|cause|bug|reason|issue)\b|fixed|solved)",
        "no ": r"\bno (?:change|difference|luck|effect|improvement)\b",
        "immer noch|nicht": r"\bimmer noch\b|\b(?:geht|funktioniert|klappt) (?:\w+ )?nicht\b",
        "toujours|marche|fonctionne": r"\btoujours (?:pas|cass|en panne|la m)|\b(?:marche|fonctionne) (?:toujours )?pas\b",
        "sigue|funciona|ainda": r"\bsigue (?:sin|fallando|roto|igual)|\b(?:no|não|nao) funciona\b|\bainda (?:não|nao|quebrad|falha)",
        "работает|ещё|еще": r"не работает|всё ещё|все еще",
    },
    literals="まだ動|直って|直りま|还是不|仍然|依然|没有解决|不行",
)
"""A user's answer that the problem persists; also a bare "no" at its beginning. In several languages."""


def find_veto(timeline: Timeline, episode: Episode) -> str:
    """Return the name of the first veto that applies to an episode, or an empty string."""
    return next((name for name, applies in VETOES if applies(timeline, episode)), "")


def _is_own(timeline: Timeline, episode: Episode) -> bool:
    """The episode begins or ends with a command of mind-skills, which is not the user's work."""
    return any(noise.is_own_command(timeline.observations[index]) for index in (episode.first, episode.last))


def _is_protocol_error(timeline: Timeline, episode: Episode) -> bool:
    """The episode begins with a call that failed for a reason other than the work, or was not carried out; it has no genuine failure,
    no change and no message from the user.
    """
    lists = (timeline.failures, timeline.changes, timeline.user_messages)
    if any(timeline.select(indexes, episode.first, episode.last + 1) for indexes in lists):
        return False
    observation = timeline.observations[episode.first]
    return observation.kind == "tool" and observation.outcome in ("failed", "rejected", "denied", "aborted")


def _is_rejected(timeline: Timeline, episode: Episode) -> bool:
    """The episode ends with a call that the user or the host rejected, or that was aborted."""
    return timeline.observations[episode.last].outcome in ("rejected", "denied", "aborted")


def _is_reverted(timeline: Timeline, episode: Episode) -> bool:
    """The last change of the episode was reverted before its end, and nothing was changed instead."""
    change = timeline.find_before(timeline.changes, episode.last + 1)
    if change is None or change < episode.first:
        return False
    reverts = timeline.select(timeline.reverts, change + 1, episode.last + 1)
    runs = timeline.select(timeline.runs, change + 1, episode.last + 1)
    restored = [index for index in runs if _RESTORES.search(timeline.observations[index].command)]
    return bool(reverts) and not (restored and restored[-1] > reverts[-1])


def _is_unproven(timeline: Timeline, episode: Episode) -> bool:
    """The last check that had failed in the episode passes only for fewer tests, other tests, or another state of the code."""
    if leaves_work(timeline.observations[episode.last]):
        return True
    failures = timeline.select(timeline.failures, episode.first, episode.last)
    for check in reversed(timeline.select(timeline.passed_checks, episode.first + 1, episode.last + 1)):
        signature = timeline.observations[check].signature
        reruns = [
            index
            for index in failures
            if index < check and is_same_command(timeline.observations[index].signature, signature)
        ]
        if reruns:
            return is_sham(timeline, reruns[-1], check)
    return False


def _is_denied(timeline: Timeline, episode: Episode) -> bool:
    """After the last pass of the episode, before an approval or another change, the user says that the problem persists."""
    passed = timeline.find_before(timeline.passes, episode.last + 1)
    start = episode.last if passed is None or passed < episode.first else passed
    change = timeline.find_after(timeline.changes, start)
    end = len(timeline.observations) if change is None else change
    for index in timeline.select(timeline.user_messages, start + 1, end)[:_MAX_ANSWERS]:
        if _PERSISTS.matches(timeline.observations[index].text[:_MAX_ANSWER_LENGTH]):
            return True
        if timeline.message_traits[index].is_approval:
            return False
    return False


def _is_worked_around(timeline: Timeline, episode: Episode) -> bool:
    """A check was disabled, or tests were removed, skipped, weakened or changed to expect the actual result."""
    failure = timeline.find_after(timeline.failures, episode.first - 1)
    if failure is None or failure > episode.last:
        return False
    return has_workaround(timeline, episode.first, episode.last, timeline.observations[failure])


def has_workaround(timeline: Timeline, start: int, end: int, failed: Observation | None = None) -> bool:
    """Return whether the actions between the indexes ``start`` and ``end`` made a check pass without a fix.

    ``failed`` is the failed run; without it, removed files and changes to a script that the run names are not recognised.
    """
    observations = timeline.observations
    if failed is not None:
        for index in range(start + 1, end):
            if observations[index].action == "write" and _removes_failing_file(observations[index], failed):
                return True
    changes = [observations[index] for index in timeline.select(timeline.changes, start + 1, end)]
    if any(
        (_changes_only_tests(change) and (_adds_skip(change) or _adds_return(change) or _loosens_assertion(change)))
        or _disables_check(change, failed)
        for change in changes
    ):
        return True
    return bool(changes) and all(
        _changes_only_tests(change)
        and (_only_removes(change) or _rewrites_literals(change) or _weakens_assertions(change))
        for change in changes
    )


def _removes_failing_file(observation: Observation, failed: Observation) -> bool:
    """Return whether a command removes a file that the failing run names."""
    if "rm" not in observation.command or not _REMOVES.search(observation.command):
        return False
    text = f"{failed.command} {failed.target} {failed.error} {failed.text}"
    names = [word.rsplit("/", 1)[-1] for word in observation.target.split()]
    return any(len(name) >= _MIN_NAME_LENGTH and name in text for name in names)


def _changes_only_tests(observation: Observation) -> bool:
    return bool(observation.files) and all(map(is_test_file, observation.files))


def _adds_skip(observation: Observation) -> bool:
    """Return whether a change adds a skip marker and removes none."""
    if not any(map(observation.change.__contains__, _SKIP_HINTS)):
        return False
    removed, added = _split_rows(observation.change)
    return any(_SKIPS.search(row) for row in added) and not any(_SKIPS.search(row) for row in removed)


def _adds_return(observation: Observation) -> bool:
    """Return whether a change only adds rows, one of which ends a test early."""
    removed, added = _split_rows(observation.change)
    new = [row for row in added if row not in removed]
    return set(removed) <= set(added) and len(new) <= _MAX_RETURN_ROWS and any(map(_RETURNS.search, new))


def _loosens_assertion(observation: Observation) -> bool:
    """Return whether a change replaces exact assertions with as many others, of which fewer are exact."""
    removed, added = (
        [row for row in rows if _ASSERTS.search(row) or "==" in row] for rows in _split_rows(observation.change)
    )
    return len(removed) == len(added) and sum(map(_is_exact, added)) < sum(map(_is_exact, removed))


def _is_exact(row: str) -> bool:
    return _EXACT.search(row) is not None and _APPROXIMATE.search(row) is None


def _disables_check(observation: Observation, failed: Observation | None) -> bool:
    """Return whether a change disables the check, or adds code outside tests that ignores errors or detects a test run."""
    removed, added = _split_rows(observation.change)
    if not _changes_only_tests(observation) and (
        _SWALLOWS.search("\n".join(added)) or any(map(_DETECTS_TESTS.search, added))
    ):
        return True
    if not any(
        _CHECK_FILES.search(name) or (failed is not None and name and name in failed.command)
        for name in observation.files
    ):
        return False
    return any(_NO_OPERATION.search(row) for row in added) and not any(_NO_OPERATION.search(row) for row in removed)


def _only_removes(observation: Observation) -> bool:
    removed, added = _split_rows(observation.change)
    return bool(removed) and not added


def _weakens_assertions(observation: Observation) -> bool:
    """Return whether a change removes assertions and adds fewer that can fail than it removes."""
    removed, added = _split_rows(observation.change)
    before = sum(_ASSERTS.search(row) is not None for row in removed)
    after = [row for row in added if _ASSERTS.search(row)]
    return before > 0 and sum(_TRIVIAL_ASSERTION.search(row) is None for row in after) < before


def _rewrites_literals(observation: Observation) -> bool:
    """Return whether a change only replaces strings, numbers or constants."""
    removed, added = _split_rows(observation.change)
    return bool(removed) and [_LITERAL.sub("L", row) for row in removed] == [_LITERAL.sub("L", row) for row in added]


def _split_rows(change: str) -> tuple[list[str], list[str]]:
    rows = change.split("\n")
    return [row[1:] for row in rows if row.startswith("-")], [row[1:] for row in rows if row.startswith("+")]


VETOES: tuple[tuple[str, Callable[[Timeline, Episode], bool]], ...] = (
    ("ours", _is_own),
    ("rejected", _is_rejected),
    ("protocol", _is_protocol_error),
    ("reverted", _is_reverted),
    ("worked_around", _is_worked_around),
    ("unproven", _is_unproven),
    ("denied", _is_denied),
)
NOT_WORK = ("ours", "rejected", "protocol")
"""Vetoes of what is no work at all. With any other veto, an episode can be part of a digest, whose reader judges, but is no candidate."""
