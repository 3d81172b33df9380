"""Vetoes: conditions that exclude an episode whatever its score. ``detect`` checks only episodes about to be chosen.

A veto is a reason why an episode teaches nothing, or something wrong. Weaker evidence against an episode is a feature.

A check is worked around by removing a file that the failed run names, by skip markers in tests, by code that disables the
check, or only by directives and settings by which a tool reports less. Removed, weakened or rewritten tests are a workaround
only if nothing else was changed; with a change to the code, they mean that the tests had described the previous behaviour.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from mind_skills.detectors import noise
from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import MALFUNCTION, MAX_SPAN, Timeline
from mind_skills.detectors.verification import (
    is_sham,
    is_test_file,
    is_weaker,
    leaves_work,
    proves_nothing,
    skips_hooks,
)
from mind_skills.detectors.words import build_phrases
from mind_skills.observations.commands import is_check, is_same_command
from mind_skills.observations.model import Observation, get_raw_text
from mind_skills.observations.results import build_error_signature, find_pasted_error
from mind_skills.redaction.lazy_pattern import compile_lazily

_MIN_NAME_LENGTH = 4
"""Shorter file names may occur in a text by chance."""
_REMOVES = compile_lazily(r"(?:^|[;&|] ?)(?:git )?rm\b")
_SKIPS = compile_lazily(
    r"mark(?:Test)?(?:Skipped|Incomplete)|\.(?:skip|fixme|todo)\b|mark\.(?:skip|xfail)|\b(?:unittest\.)?skip(?:If"
    r"|Unless|Test)?\(|@(?:Ignore|Disabled)\b"
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
    r"==|\bto(?:Be|Equal|StrictEqual|MatchObject|ContainEqual|HaveLength|HaveBeenCalledTimes)\("
    r"|\b[aA]ssert_?(?:[eE]quals?|[eE]q|[sS]ame|[dD]eep[eE]qual)\w*\b|\b(?:EXPECT|ASSERT)_EQ\b"
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
    r"|\bif [^\n]{0,40}(?:\bgetenv\(|\benviron(?:\.get)?[(\[])[\"'](?:TEST|TESTING|CI|PYTEST\w*)[\"']"
    r"|\bif ?\(!?process\.env\.(?:TEST|TESTING|CI)\b"
    r"|NODE_ENV\W{1,4}={2,3}\s?[\"']test[\"']\W{0,4}(?:return|\{\s?return)|\btesting\.Testing\(\)|#\[?cfg!?\(test\).*return"
)
_SWALLOWS = compile_lazily(
    r"\bexcept(?: \(?(?:Base)?Exception\)?)?(?: as \w+)?:\s+(?:pass\b|\.\.\.)|\bsuppress\((?:Base)?Exception\)"
    r"|\bcatch\s*(?:\(\w*\)\s*)?\{\s*(?:/\*[^*\n]*\*/\s*|//[^\n]*\n\s*)?\}"
)
"""Code that ignores all errors."""
_CHECK_FILES = compile_lazily(
    r"(?:^|/)(?:[Mm]akefile|GNUmakefile|[Jj]ustfile|Taskfile\.ya?ml|package\.json|tox\.ini|noxfile\.py|Rakefile|conftest\.py|setup\.cfg"
    r"|pyproject\.toml|pytest\.ini|(?:jest|vitest|playwright|karma)\.config\.\w+|\.github/.*\.ya?ml"
    r"|(?:run[-_]?)?(?:tests?|check)s?(?:\.sh|\.py)?)\Z"
)
"""Paths of files that start or configure checks."""
_SILENCES = compile_lazily(
    r"\s*(?:#|//|/\*|<!--|--) ?(?:type: ?ignore|pyright: ?ignore|mypy: ?ignore|noqa|nosec|nolint|NOLINT"
    r"|pylint: ?disable|ruff: ?noqa|eslint-disable|biome-ignore"
    r"|@ts-(?:ignore|expect-error|nocheck)|prettier-ignore|rubocop: ?disable|shellcheck disable|pragma: no cover"
    r"|istanbul ignore|[cv]8 ignore"
    r"|ktlint-disable|phpcs:ignore|@phpstan-ignore|swiftlint:disable)[^\n]*"
    r"|#!?\[allow\([^\n]*|@SuppressWarnings\([^)\n]*\)|@Suppress\([^)\n]*\)|\bas (?:any|unknown as \w+)\b|\[\[maybe_unused\]\]"
)
"""A directive by which a tool no longer reports what it found in a line or a file."""
_LIMIT = compile_lazily(
    r"(?:fail[-_]under|threshold|coverage|lines|branches|functions|statements|max[-_]warnings|min[-_]\w+)\W{1,4}(\d+(?:\.\d+)?)\b"
)
"""A number that a check requires."""
_SETTINGS_OF_CHECKS = compile_lazily(
    r"(?:^|/)(?:\.?(?:mypy|ruff|flake8|pylintrc|coveragerc|pylint)(?:\.ini|\.toml)?|setup\.cfg|pyproject\.toml|tsconfig[\w.-]*\.json"
    r"|\.eslintrc[\w.]*|eslint\.config\.\w+|(?:jest|vitest)\.config\.\w+|package\.json|biome\.jsonc?"
    r"|\.golangci\.ya?ml|clippy\.toml|\.rubocop\.yml"
    r"|codecov\.yml)\Z"
)
_LAXER = compile_lazily(
    r"ignore_errors\s?=\s?[Tt]rue|\"(?:strict\w*|no[A-Z]\w+|checkJs)\": false"
    r"|[\"'](?:off|warn)[\"']"
)
_EXCLUDES = compile_lazily(r"\b(?:disable|ignore|extend-ignore|exclude)\b")
_EXCLUDED = compile_lazily(r"[\w./-]*\.\w{1,5}\b|\b[A-Z]+\d+\b")
"""Files that configure checks of types, style and coverage, and rows in them by which the checks report less."""
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
_CLAUSE = compile_lazily(
    r"[.!?;,]+(?!\s+\d)\s+|\n+|[。！？，、]|\s[-–—]\s|\s(?=(?:but|though|however|although|yet|except|aber|mais|pero"
    r"|mas|ma|но|maar|ale)\s)"
)
_CONTRAST = compile_lazily(r"\W*(?:but|though|however|although|yet|except|aber|mais|pero|mas|ma|но|maar|ale)\s")
"""Where a message is split into clauses, and a clause that contradicts what precedes it."""
_OTHER_REQUEST = compile_lazily(
    r"\W*(?:(?:please|now|ok(?:ay)?|then|and)\W+)*(?:next|also|another|one more|separately|new|what about|let['’]?s|(?:we|you) should"
    r"|add|remove|create|implement|write|rename|update|refactor|generate|review|explain|document|deploy|set|move|use|open|close|commit"
    r"|push|merge|do|make|now (?:the|there|can|could|we|fix))\b"
)
_OTHER_THING = compile_lazily(
    r"\W*(?:if|in case|unless|until|whether|once|so that|make sure)\b|\b(?:others?|else|separate|unrelated|elsewhere"
    r"|(?<!as )before|earlier"
    r"|previously|yesterday|used to|no longer|(?:any|never) ?more)\b"
)
"""A message from this clause on, or a clause, that is about something else than what the agent has just done."""
_NOT = r"(?:\b(?:do(?:es)?|did|is|are|was|were|has|have|had|would|could|should|will|wo|ca|ai)(?: not|n['’]?t)|\bcannot|\bnot|\bnever)"
_FAILING = r"(?:fail(?:s|ing)?|crash(?:es|ing)?|brok(?:e|en)|breaks|hangs|red|worse|throws|errors out|stuck)"
_PERSISTS = build_phrases(
    {
        "work|help|pass": rf"{_NOT} (?:(?!need|have|has|want)\w+ ){{0,2}}(?:work(?:s|ed|ing)?|help(?:s|ed)?|pass(?:es|ing)?)\b",
        "fix|solv|chang": (
            r"(?:\b(?:does|did|is|are|was|has|have|ai)(?: not|n['’]?t)|(?<!do )\bnot) (?:\w+ ){0,2}"
            r"(?:fix(?:ed)?|(?:re)?solved?|changed? (?:anything|a thing))\b"
        ),
        "still": (
            r"\bstill (?:(?:is|are|do|does|did|has|have|get|gets|getting|see|seeing|show|shows|showing|seems?|i|it|all|very|says?) )?"
            r"(?:not?\b|n['’]t|nothing|(?:do|does|did|is|are|ca|wo)n['’]?t|fail|brok|break|red\b|wrong|crash|the same"
            r"|same|error|hang|stuck|throw"
            r"|happen|there\b|missing(?! (?:from|in) the (?:docs|readme|changelog))|get|see(?:ing|s)?\b|show|drop|the\b|a\b|an\b|\d|bad\b"
            r"|incorrect|empty|slow|flak|in the way|\w*error|reproduc)"
            r"|(?:\b(?:it|this|that|which|the \w+|the \w+ \w+)|['’]s|\bis|\bare) still\b(?! (?:need|time|have to"
            r"|has to|to do|todo|want|like|love|open|wait"
            r"|works?|working|pass|green|good|fine|ok|be|room|some|a few|a bit|possible|think)\w*\b)"
        ),
        "again": r"\b(?:fail(?:s|ed|ing)?|crash(?:es|ed|ing)?|broken?|breaks?|happen(?:s|ed|ing)?) again\b",
        "fail|crash|bro|break|hang|red|worse|throws|errors out|stuck": (
            r"(?:^\W*(?:(?:now|and|but|ok(?:ay)?|hm+|well|sorry|wait|unfortunately|sadly|yet|actually|also)\W+){0,2}"
            rf"(?:it |this |that |everything |all |they )?|\b(?:it|this|that|everything|which|they|tests?|builds?|ci"
            rf"|suite|pipeline|check|pytest)"
            rf"(?:['’]s)? )(?:(?:is|are|just|now|only|all|even|got|made it|makes it) ){{0,2}}{_FAILING}\b(?! (?:down|up|out|into)\b)"
        ),
        "fail|error": r"(?<![\w.-])[1-9]\d* (?:tests? )?(?:fail(?:ed|ing|ures?)|errors?)\b",
        "back|persist|remain|return|there|reappear": (
            r"\b(?:errors?|problems?|issues?|bugs?|crash|failures?|exceptions?|it)(?:['’]s)? (?:\w+ ){0,2}?"
            r"(?:persists?|remains?|(?:came|comes|come) back|returned|reappear\w*)\b"
            r"|\b(?:error|problem|issue|bug|crash|failure|exception|it)(?:['’]s| is) (?:(?:just|now|still) )?(?:back|there)\W*$"
        ),
        "same|identical": (
            r"(?<!do the )(?<!has the )(?<!have the )\b(?:same|identical) (?:\w*error|\w*exception|issue|problem"
            r"|failure|result|thing|behaviou?r|crash"
            r"|message|output|as before)\b(?! (?:as #|in the other|for|in)\b)"
        ),
        "not|n't|n’t|nt |never": (
            rf"{_NOT} (?:be |quite |really )?(?:it|(?:the )?(?:problem|cause|reason|issue|fix|answer|culprit|bug))\W*$"
            rf"|\bnot what i (?:mean|meant|want|asked)"
        ),
        "no ": r"\bno (?:change|difference|luck|effect|improvement|joy|dice)\b",
        "nothing": r"\bnothing (?:has |really )?(?:changed|changes|happens|happened|works|helps)\b",
        "undo|revert|roll": r"\b(?:undo|revert|roll ?back) (?:this|that|it|everything|(?:all |all of )?your|the (?:last )?changes?)\b",
        "you only|you just": r"\byou (?:only|just) (?:chang|edit|comment|renam|delet|remov|skipp|touch|silenc)\w+\b",
        "cheat|not a |a hack": r"\bcheat\w*|\bnot a (?:real )?fix\b|\b(?:this|that)(?:['’]s| is) (?:just )?a hack\b",
        "nicht|fehler|kaputt|immer noch": (
            r"\b(?:geht|funktioniert|klappt|läuft|hilft|funzt|tut) (?:\w+ ){0,2}nicht\b|\bnicht (?:behoben|gelöst"
            r"|geholfen|gefixt|repariert)\b"
            r"|\b(?:gleiche[rn]?|selbe[rn]?|derselbe) fehler\b|\bfehler (?:\w+ ){0,2}(?:bleibt|kommt|besteht|da)\b"
            r"|\b(?:wieder|noch|weiterhin) kaputt\b|\bimmer noch (?:nicht|da|rot|kaputt|der|das|die|ein)"
        ),
        "pas|toujours|encore|même|rien": (
            r"\b(?:marche|fonctionne|passe|aide) (?:toujours )?pas\b|\btoujours (?:pas (?:bon|corrigé|réparé|résolu)"
            r"|cass|en panne|la même|le même|pareil)"
            r"|\bmême (?:erreur|problème|résultat)\b|\b(?:plante|échoue|cassé) encore\b|\bencore cassé|\brien n['’]a changé\b"
        ),
        "func|funz|resol|ayud|ajud|sirve|fall|falh|igual|rot|quebrad|dando|ancora": (
            r"\b(?:no|não|nao|non) (?:\w+ )?(?:func\w+|funziona\w*|resol\w+|ayud\w+|ajud\w+|sirve)\b|\bfallisce ancora\b"
            r"|\b(?:todavía|todavia|aún|aun|sigue|ainda|continua|ancora) (?:no |não |nao |sin |si )?(?:func|fall|falh"
            r"|rot|igual|quebrad|dando)"
        ),
        "mism|mesm|stess": r"\b(?:mism|mesm|stess)[oa] (?:erro|fall|falh|problem)",
        "werkt|steeds|fout": r"\bwerkt (?:\w+ ){0,2}niet\b|\bnog steeds (?:niet|stuk|kapot|rood)|\bzelfde fout\b",
    },
    literals=(
        "nie działa|ten sam błąd|nie pomogło|fungerar inte|virker ikke|virker stadig ikke|ei toimi|nefunguje"
        "|nem működik|nu merge|çalışmıyor"
        "|aynı hata|vẫn lỗi|vẫn không|masih error|masih gagal|tidak berfungsi|не работает|не помогло|та же ошибка"
        "|всё ещё|все еще|до сих пор"
        "|все равно не|всё равно не|не працює|لا يعمل|काम नहीं कर|まだ動|動かな|動きませ|同じエラー|まだエラー"
        "|直っていな|直っていませ|直らな|直りませ|変化しな|変わらな|変わりませ"
        "|还是不|仍然|依然|没有解决|不行|还是报错|还是一样|还有错误|没用|不起作用|還是不|一樣的錯誤|안 됩니다|안 돼"
        "|안돼|작동하지 않|여전히|같은 오류"
    ),
)
"""A clause that says that a problem persists. In several languages."""
_DISSENTS = build_phrases(
    {
        "no|nah|non|nee|nein|não": (
            r"^\W*(?:no(?:pe)?|nah)\b(?!\. ?\d)(?![ ,]*(?:problem|worries|need|rush|hurry|thank|more|further|other"
            r"|changes|questions|notes|longer"
            r"|it's (?:fine|ok|good)|that's (?:fine|ok|it|all)))|^\W*(?:nein|non|nee|não)\W*$"
            r"|^\W*(?:(?:unfortunately|sadly|still) )?not?(?: really| quite| yet)?\W*$"
        ),
        "wrong": r"^\W*(?:(?:that|this|it)(?:['’]s| is) )?(?:still )?wrong\W*$",
        "нет": r"^\W*нет\W*$",
        "don": r"\bi don['’]?t think so\b",
    },
    literals="👎|❌",
)
"""A first clause that says no, to a result or to the agent's question."""
_SATISFIED = build_phrases(
    {
        "work": (
            r"\b(?:it|that|this|everything|all|test|tests|now|^\W*) ?(?:now )?work(?:s|ed)\b|^\W*works\b|\bworks? (?:now"
            r"|great|fine|perfectly|like)\b"
        ),
        "fixed|solved|passes|pass now|green": (
            r"\b(?:that|this|it|you|now) (?:has |is |['’]s )?(?:fixed|solved|resolved|passes|green)\b|^\W*(?:fixed|solved"
            r"|passes|green)\b"
        ),
        "good|fine|all|it|ok|great|thing": (
            r"\ball (?:good|fine|ok)\b|\blooks? (?:good|fine|great)\b|\b(?:good|fine) (?:as is|as it is|now|for now|enough)\b"
            r"|^\W*(?:that|this|it)(?:['’]s| is| was) (?:all|it|fine|ok|good|everything)\b|^\W*(?:all )?(?:fine|good)\W*$"
        ),
        "lgtm|well done|nothing else|never mind|nevermind": r"\b(?:lgtm|well done|nothing else|never ?mind)\b",
        "geht|klappt|funktioniert": r"\b(?:geht|klappt|funktioniert) (?:es )?(?:jetzt|wieder|nun)\b",
        "marche|fonctionne|funciona|funziona": (
            r"\b(?:ça|il|elle|cela) (?:marche|fonctionne)\b|^\W*(?:ya |agora |ora |ahora )?(?:funciona|funziona)\b"
        ),
    }
)
"""A clause that says that it works, or that nothing else is wanted. Thanks and praise alone do not say so."""
_ADMITS = build_phrases(
    {
        "my ": r"\bmy (?:fix|change|patch|repair|edit|solution) (?:was|is) (?:wrong|incorrect|bogus|not (?:right|correct|a fix|the fix))\b",
        "because": r"\b(?:only passe[sd]|passe[sd] only) because\b",
    }
)
"""A statement by which the agent takes back that it fixed something."""
_MAX_QUESTION_LENGTH = 300
_QUESTION_OF_SUCCESS = compile_lazily(
    r"\b(?:work|fix|pass|help|solv|resolv|see|look|better|correct|right|happen|expect|confirm)\w*[^?.!]{0,100}\?\W*\Z"
)
"""An agent's question whether something works. "No" to any other question is no denial."""


def find_veto(timeline: Timeline, episode: Episode) -> str:
    """Return the name of the first veto that applies to an episode, or an empty string."""
    return next((name for name, applies in VETOES if applies(timeline, episode)), "")


def _is_own(timeline: Timeline, episode: Episode) -> bool:
    """The episode begins or ends with a command of mind-skills, which is not the user's work."""
    return any(noise.is_own_command(timeline.observations[index]) for index in (episode.first, episode.last))


def _is_protocol_error(timeline: Timeline, episode: Episode) -> bool:
    """The episode begins with a call that failed for another reason than the work, or was not carried out, and has no genuine
    failure, change or message from the user.
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
    observations = timeline.observations
    failures = timeline.select(timeline.failures, episode.first, episode.last)
    passes = timeline.select(timeline.passes, episode.first + 1, episode.last + 1)
    has_sham = is_repeated = False
    for passed in reversed(passes):
        signature = observations[passed].signature
        runs = [index for index in failures if is_same_command(observations[index].signature, signature)]
        if not runs or runs[0] > passed:
            continue
        is_repeated = True
        if runs[-1] > passed:  # it failed again
            break
        if not is_check(signature):
            has_sham = has_sham or (skips_hooks(observations[passed]) and not skips_hooks(observations[runs[-1]]))
        elif is_sham(timeline, runs[-1], passed):
            has_sham = True
        else:
            return False
    if not is_repeated and _is_repeated_in_vain(timeline, episode.last, failures):
        return True
    return has_sham or (bool(failures and passes) and _is_proven_by_less(timeline, failures, passes[-1]))


def _is_repeated_in_vain(timeline: Timeline, last: int, failures: list[int]) -> bool:
    """Return whether a check that failed is repeated only after the episode, in the same turn, and proves nothing then."""
    observations = timeline.observations
    for index in timeline.select(timeline.runs, last + 1, min(timeline.find_turn_end(last), last + MAX_SPAN)):
        signature = observations[index].signature
        runs = [each for each in failures if is_same_command(observations[each].signature, signature)]
        if runs and is_check(signature):
            return proves_nothing(timeline, runs[0], index)
    return False


def _is_proven_by_less(timeline: Timeline, failures: list[int], passed: int) -> bool:
    """Return whether the last pass is a weaker check of the same program than one that failed, and that one does not pass later."""
    return any(
        is_weaker(timeline, index, passed)
        and not any(
            is_same_command(timeline.observations[index].signature, timeline.observations[later].signature)
            for later in timeline.select(timeline.passes, passed + 1, passed + MAX_SPAN)
        )
        for index in failures
        if index < passed
    )


def _is_denied(timeline: Timeline, episode: Episode) -> bool:
    """After the last pass of the episode, before another change, the same error comes again, the agent says that its fix was wrong,
    or the user says that the problem persists or pastes an error of the episode. After an approval, the user's words count only
    as long as nothing else is done.
    """
    observations = timeline.observations
    passed = timeline.find_before(timeline.passes, episode.last + 1)
    start = episode.last if passed is None or passed < episode.first else passed
    change = timeline.find_after(timeline.changes, start)
    end = len(observations) if change is None else change
    failures = timeline.select(timeline.failures, episode.first, start)
    errors = {_get_bare_error(observations[index].error_signature) for index in failures} - {""}
    if errors and _fails_again(timeline, observations[start], errors, start, end):
        return True
    if any(
        _ADMITS.matches(observations[index].text) for index in timeline.select(timeline.agent_messages, start + 1, end)
    ):
        return True
    is_approved = False
    for index in timeline.select(timeline.user_messages, start + 1, end)[:_MAX_ANSWERS]:
        if is_approved and timeline.select(timeline.tool_calls, start + 1, index):
            return False
        text = observations[index].text
        reply = _read_reply(text[:_MAX_ANSWER_LENGTH], is_answer=_answers_question(timeline, index))
        if reply == "denied":
            return True
        if reply == "satisfied" or timeline.message_traits[index].is_approval:
            is_approved = True
        elif timeline.message_traits[index].has_pasted_error:
            pasted = build_error_signature(find_pasted_error(text))
            if _get_bare_error(pasted) in errors:
                return True
    return False


def _fails_again(timeline: Timeline, passed: Observation, errors: set[str], start: int, end: int) -> bool:
    """Return whether the command that had passed fails again between the indexes, with one of the errors."""
    return any(
        is_same_command(timeline.observations[index].signature, passed.signature)
        and _get_bare_error(timeline.observations[index].error_signature) in errors
        for index in timeline.select(timeline.failures, start + 1, min(end, start + MAX_SPAN))
    )


def _get_bare_error(signature: str) -> str:
    """Return the signature of an error line without pytest's mark."""
    return signature.removeprefix("E ")


def _answers_question(timeline: Timeline, message: int) -> bool:
    """Return whether a message answers a question of the agent other than whether something works."""
    asked = timeline.find_before(timeline.agent_messages, message)
    return asked is not None and _asks_something_else(timeline.observations[asked])


def _asks_something_else(message: Observation) -> bool:
    """Return whether an agent's message ends with a question other than whether something works."""
    text = get_raw_text(message).rstrip("\"')* \n")[-_MAX_QUESTION_LENGTH:].lower()
    return text.endswith("?") and not _QUESTION_OF_SUCCESS.search(text)


def denies_success(text: str, answered: Observation | None = None) -> bool:
    """Return whether a user's message says that a problem persists; ``answered`` is the agent's message before it."""
    is_answer = answered is not None and _asks_something_else(answered)
    return _read_reply(text[:_MAX_ANSWER_LENGTH], is_answer=is_answer) == "denied"


def _read_reply(text: str, *, is_answer: bool) -> Literal["denied", "satisfied", ""]:
    """Return what the beginning of a message says of a success. ``is_answer``: whether it answers a question of the agent.

    Clauses are read in order. After one that says that it works, only a clause that contradicts it denies the success.
    """
    reply: Literal["denied", "satisfied", ""] = ""
    has_dissent = False
    for number, clause in enumerate(_CLAUSE.split(text)):
        lowered = clause.lower()
        if _OTHER_REQUEST.match(lowered):
            break
        if _OTHER_THING.search(lowered):
            continue
        contradicts = number > 0 and _CONTRAST.match(lowered) is not None
        if _PERSISTS.matches(clause) or (contradicts and MALFUNCTION.matches(clause)):
            reply = "denied" if reply != "satisfied" or contradicts else reply
        elif _SATISFIED.matches(clause):
            reply = "satisfied"
        elif number == 0 and not is_answer and _DISSENTS.matches(clause):
            has_dissent = True
    return reply or ("denied" if has_dissent else "")


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
    if changes and all(_only_silences(change, failed) for change in changes):
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


def _only_silences(observation: Observation, failed: Observation | None) -> bool:
    """Return whether a change only adds directives by which a tool reports less, or makes the settings of a check laxer.

    A file or rule that a setting excludes must be one that the failed run names.
    """
    removed, added = _split_rows(observation.change)
    old = [row.strip() for row in removed if row.strip()]
    new = [row.strip() for row in added if row.strip()]
    if any(map(_SILENCES.search, new)) and not any(map(_SILENCES.search, old)):
        bare = [text for row in new if (text := _SILENCES.sub("", row).strip())]
        return bare == old
    if not observation.files or not all(map(_SETTINGS_OF_CHECKS.search, observation.files)):
        return False
    if any(map(_LAXER.search, set(new) - set(old))) and not any(map(_LAXER.search, set(old) - set(new))):
        return True
    excluded = {name for row in set(new) - set(old) if _EXCLUDES.search(row) for name in _EXCLUDED.findall(row)}
    if failed is not None and any(name in failed.text for name in excluded):
        return True
    before, after = (_LIMIT.findall(" ".join(rows)) for rows in (old, new))
    return len(before) == len(after) and sum(map(float, after)) < sum(map(float, before))


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
