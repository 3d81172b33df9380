"""Patterns that propose episodes: each is a function from a timeline to spans, which may come in any order and more than once.

registry.py lists them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mind_skills.detectors.noise import found_nothing
from mind_skills.detectors.timeline import MAX_SPAN, Span, Timeline
from mind_skills.detectors.verification import is_fixed_by
from mind_skills.observations.model import Observation
from mind_skills.observations.results import is_runner_message

# -- red_to_green ------------------------------------------------------------------------------------------------------

_MAX_CHECKED_RUNS = 4
"""Maximum number of later passing runs of a command that are checked for each failure; some are narrower than the failed run."""


def propose_red_to_green(timeline: Timeline) -> Iterator[Span]:
    """A command fails and later passes, including the part that failed, with or without an edit in between.

    Example: `pytest tests/test_a.py` fails, `a.py` is edited, `pytest` passes. A span may begin at any of the failures.
    Counterexample: another test file passes; the failing test was deselected.

    Yields spans from a failure to the run that shows the fix, and from the command's last failure before that run.
    """
    passes: dict[str, list[int]] = {}
    for index in timeline.passes:
        for part in _list_signatures(timeline, index):
            passes.setdefault(part, []).append(index)
    failures: dict[str, list[int]] = {}
    for index in timeline.failures:
        for part in _list_signatures(timeline, index):
            failures.setdefault(part, []).append(index)
    for failure in timeline.failures:
        for part in _list_signatures(timeline, failure):
            checked_runs = 0
            passing_run = timeline.find_after(passes.get(part, []), failure)
            while passing_run is not None and passing_run - failure <= MAX_SPAN and checked_runs < _MAX_CHECKED_RUNS:
                if is_fixed_by(timeline, failure, passing_run):
                    yield failure, passing_run
                    last = timeline.find_before(failures[part], passing_run)
                    if last is not None:
                        yield last, passing_run
                    break
                passing_run = timeline.find_after(passes[part], passing_run)
                checked_runs += 1


def _list_signatures(timeline: Timeline, index: int) -> list[str]:
    signature = timeline.observations[index].signature
    return list(dict.fromkeys(signature.split(" && "))) if signature else []


# -- recurring_error ---------------------------------------------------------------------------------------------------


def propose_recurring_error(timeline: Timeline) -> Iterator[Span]:
    """The same error occurs repeatedly, in any command, and then something passes.

    Example: two commands fail with "cannot import name x", then the second of them passes. Counterexample: "exit code 1" from a
    task runner, which identifies no error.

    Yields spans from the first failure with an error to the first pass and passed check after the last one.
    """
    indexes_by_error: dict[str, list[int]] = {}
    for index in timeline.failures:
        if timeline.observations[index].error_signature:
            indexes_by_error.setdefault(timeline.observations[index].error_signature, []).append(index)
    for indexes in indexes_by_error.values():
        if len(indexes) > 1 and not is_runner_message(timeline.observations[indexes[0]].error):
            for end in timeline.find_ends(indexes[-1], indexes[0] + MAX_SPAN):
                yield indexes[0], end


# -- other_way ---------------------------------------------------------------------------------------------------------

_MAX_LATER_RUNS, _MAX_ALTERNATIVE_PASS_DISTANCE, _MAX_ALTERNATIVES = 12, 40, 2
"""Maximum number of later commands, and of observations, that are searched for alternatives; and of alternatives per command."""


def propose_other_way(timeline: Timeline) -> Iterator[Span]:
    """A command fails, and another of the same program succeeds: the first call was wrong.

    Example: `gh pr edit --body x` fails, `gh api ... --field body=x` works. Counterexample: the same command passes when
    repeated, which `red_to_green` proposes.

    Yields spans from a failed command to the next successful commands of the same program with other arguments.
    """
    failed = set(timeline.failures)
    for position, index in enumerate(timeline.runs):
        if index in failed:
            yield from find_alternatives(timeline, position)


def find_alternatives(timeline: Timeline, position: int) -> Iterator[Span]:
    """Yield spans from the command at ``position`` in ``timeline.runs`` to the next successful ones of the same program.

    A command that is repeated literally is not an alternative.
    """
    start = timeline.runs[position]
    start_programs = list_programs(timeline, start)
    count = 0
    passes = set(timeline.select(timeline.passes, start, start + _MAX_ALTERNATIVE_PASS_DISTANCE + 1))
    for index in timeline.runs[position + 1 : position + 1 + _MAX_LATER_RUNS]:
        is_other = index in passes and timeline.observations[index].command != timeline.observations[start].command
        if is_other and start_programs & list_programs(timeline, index):
            yield start, index
            count += 1
            if count == _MAX_ALTERNATIVES:
                return


def list_programs(timeline: Timeline, index: int) -> set[str]:
    return {part.split(" ", 1)[0] for part in timeline.observations[index].signature.split(" && ")}


# -- empty_answer ------------------------------------------------------------------------------------------------------


def propose_empty_answer(timeline: Timeline) -> Iterator[Span]:
    """A command finds nothing without failing, and another of the same program succeeds: the first query was wrong.

    Example: `kubectl get pods` lists none, `kubectl get pods -n shop` lists them; a test run finds no tests.
    Counterexample: a command that never prints anything, such as `git add`, followed by another program.

    Yields spans from a command that found nothing to the next successful commands of the same program.
    """
    for position, index in enumerate(timeline.runs):
        if found_nothing(timeline.observations[index]):
            yield from find_alternatives(timeline, position)


# -- change_redone -----------------------------------------------------------------------------------------------------

_MAX_REDONE_CHANGE_DISTANCE, _MAX_REDONE_PASS_DISTANCE, _MAX_REVERT_SPAN = 120, 30, 60
"""Maximum number of observations from the first change to the second, and from the second change to the pass; and number of
observations within which a reverted change must be followed by the pass."""
_MIN_ROW_LENGTH = 12
"""Minimum number of characters of a line that is compared; shorter ones may recur in unrelated changes by chance."""


def propose_change_redone(timeline: Timeline) -> Iterator[Span]:
    """A change of the session is reverted or replaced, and then something passes: the first approach was wrong.

    Example: a retry is added, then removed again, and a timeout is set instead. Counterexample: two edits to a file that share
    no line.

    Yields spans from a change to the first pass after a line that it added was removed or the change was reverted.
    """
    added: dict[str, int] = {}  # line of a file -> last change that added it
    for change in timeline.changes:
        observation = timeline.observations[change]
        redone_change = max((added[row] for row in _list_rows(observation, "-") if row in added), default=None)
        if redone_change is not None and change - redone_change <= _MAX_REDONE_CHANGE_DISTANCE:
            for end in timeline.find_ends(change, change + _MAX_REDONE_PASS_DISTANCE):
                yield redone_change, end
                break
        added.update(dict.fromkeys(_list_rows(observation, "+"), change))
    for revert in timeline.reverts:
        redone_change = timeline.find_before(timeline.changes, revert)
        passed = timeline.find_after(timeline.passes, revert)
        if redone_change is not None and passed is not None and passed - redone_change < _MAX_REVERT_SPAN:
            yield redone_change, passed


def _list_rows(observation: Observation, sign: str) -> list[str]:
    """Return the lines of a change that begin with ``sign``, each after the name of the changed file."""
    name = observation.files[0] if observation.files else ""
    rows = (row[1:].strip() for row in observation.change.split("\n") if row.startswith(sign))
    return [f"{name}\0{row}" for row in rows if len(row) >= _MIN_ROW_LENGTH]


# -- failure_changed ---------------------------------------------------------------------------------------------------

_MAX_REPAIR_CHANGE_DISTANCE, _MAX_REPAIR_PASS_DISTANCE = 40, 80
"""The change must follow the failure by fewer observations than the first number, the pass by at most the second."""


def propose_failure_changed(timeline: Timeline) -> Iterator[Span]:
    """Something fails, something is changed, and a command passes, not necessarily the one that failed.

    Example: a build fails, a setting is edited, the program starts. The span ends at the first pass or at the first passed check.
    Counterexample: the change comes forty observations later, during other work.

    Yields spans from a failure to the first pass and to the first passed check after the next change.
    """
    for failure in timeline.failures:
        change = timeline.find_after(timeline.changes, failure)
        if change is not None and change - failure < _MAX_REPAIR_CHANGE_DISTANCE:
            for end in timeline.find_ends(change, failure + _MAX_REPAIR_PASS_DISTANCE):
                yield failure, end


# -- changed_output ----------------------------------------------------------------------------------------------------


def propose_changed_output(timeline: Timeline) -> Iterator[Span]:
    """A command passes before and after a change, but its output differs the second time.

    Example: a script prints 9 rows, and 10 after the importer is edited. Counterexample: nothing was changed in between.

    Yields spans between consecutive passes of one command if its output differs and a change lies between them.
    """
    last: dict[str, int] = {}
    for index in timeline.passes:
        command = timeline.observations[index].command
        before = last.get(command)
        changed = before is not None and timeline.select(timeline.changes, before, index)
        if before is not None and changed and timeline.observations[before].text != timeline.observations[index].text:
            yield before, index
        last[command] = index


# -- looked_up ---------------------------------------------------------------------------------------------------------

_MAX_LOOKUP_CHANGE_DISTANCE, _MAX_LOOKUP_PASS_DISTANCE = 20, 30


def propose_looked_up(timeline: Timeline) -> Iterator[Span]:
    """Something is looked up outside the project, something is changed, and a command passes.

    Example: the manual of a library is fetched, a call is rewritten, the build passes. Counterexample: the change comes
    twenty observations later.

    Yields spans from a lookup to the pass after the next change.
    """
    for lookup in timeline.web_calls:
        change = timeline.find_after(timeline.changes, lookup)
        if change is not None and change - lookup < _MAX_LOOKUP_CHANGE_DISTANCE:
            for end in timeline.find_ends(change, change + _MAX_LOOKUP_PASS_DISTANCE):
                yield lookup, end
                break


# -- investigation -----------------------------------------------------------------------------------------------------

_MIN_CALLS_FOR_ANSWER, _MIN_SEARCH_CALLS = 4, 6
"""Minimum number of calls before an answer to the user, and before any other statement."""
_MIN_STATEMENT_LENGTH = 100
"""Only a statement with more characters than this can report a result."""
_MAX_FINDING_CHANGE_DISTANCE, _MAX_FINDING_PASS_DISTANCE = 15, 40
_MAX_STATEMENTS = 3
"""Maximum number of statements that end spans of one search. The last ones are used, since an agent may comment on every call."""


def propose_investigation(timeline: Timeline) -> Iterator[Span]:
    """The agent makes many calls without changing anything, and then reports what it found.

    Example: asked "why is the queue slow?", it reads twelve files and names the lock. A change and a check may follow.
    Counterexample: three files are read before an edit.

    Yields spans from a message to its answer, and from the first call of a search to a statement or to a pass after a change.
    """
    for message in timeline.user_messages:
        stop = timeline.find_turn_end(message)
        answer = timeline.find_before(timeline.agent_messages, stop)
        if answer is None or answer < message or timeline.select(timeline.changes, message, stop):
            continue
        if len(timeline.select(timeline.tool_calls, message, answer)) >= _MIN_CALLS_FOR_ANSWER:
            yield message, answer
    breaks = sorted({-1, len(timeline.observations), *timeline.user_messages, *timeline.changes})
    for start, stop in pairwise(breaks):
        yield from _propose_search(timeline, start, stop)


def _propose_search(timeline: Timeline, start: int, stop: int) -> Iterator[Span]:
    calls = timeline.select(timeline.tool_calls, start + 1, stop)
    if len(calls) < _MIN_SEARCH_CALLS:
        return
    statements = [
        i
        for i in timeline.select(timeline.agent_messages, calls[_MIN_SEARCH_CALLS - 1], stop)
        if timeline.statement_traits[i].size > _MIN_STATEMENT_LENGTH
    ]
    for index in statements[-_MAX_STATEMENTS:]:
        yield calls[0], index
        change = timeline.find_after(timeline.changes, index)
        if change is not None and change - index < _MAX_FINDING_CHANGE_DISTANCE:
            for end in timeline.find_ends(change, change + _MAX_FINDING_PASS_DISTANCE):
                yield calls[0], end


# -- user_turn ---------------------------------------------------------------------------------------------------------


def propose_user_turn(timeline: Timeline) -> Iterator[Span]:
    """After a message of the user something is changed, and then a command passes, the agent reports, or the user answers.

    Example: "the sidebar flickers", a style is edited, the build passes, "it works". The span may also end at the last
    change or in the next turn. Counterexample: a question answered without a change, which `investigation` proposes.

    Yields spans from a user message to the last change, and to the passes, the report and the message that follow.

    Changes in the message's own turn and in the next turn count.
    """
    total = len(timeline.observations)
    for position, message in enumerate(timeline.user_messages):
        following = timeline.user_messages[position + 1 : position + 3]
        stops = [*following, total][:2]
        for stop in dict.fromkeys(stops):
            changes = timeline.select(timeline.changes, message, stop)
            if not changes:
                continue
            for change in dict.fromkeys((changes[0], changes[-1])):
                for end in timeline.find_ends(change, stop):
                    yield message, end
            yield message, changes[-1]
            report = timeline.find_before(timeline.agent_messages, stop)
            if report is not None and report > changes[0]:
                yield message, report
            if stop < total:
                yield message, stop


# -- tool_retried ------------------------------------------------------------------------------------------------------

_MAX_RETRY_DISTANCE = 20
"""The successful call must follow the failed one by fewer observations than this."""


def propose_tool_retried(timeline: Timeline) -> Iterator[Span]:
    """A call fails before it takes effect, and the same tool succeeds soon after.

    Example: an edit whose old text does not match is repeated after the file was formatted. Counterexample: a file that was
    not found is read under another name.

    Yields spans from a failed call to the next successful call of the same tool, except for reads and searches.
    """
    for failure in timeline.other_failures:
        name = timeline.observations[failure].tool
        for index in timeline.select(timeline.tool_calls, failure + 1, failure + _MAX_RETRY_DISTANCE):
            observation = timeline.observations[index]
            if observation.tool == name and observation.outcome == "ok":
                if observation.action not in ("read", "search"):
                    yield failure, index
                break


# -- failure_passed_over -----------------------------------------------------------------------------------------------

_MAX_DETOUR_PASS_DISTANCE, _MAX_PASSES = 30, 4
"""Maximum number of observations from a failure to a pass, and of passes that end spans of one failure."""


def propose_failure_passed_over(timeline: Timeline) -> Iterator[Span]:
    """Something fails, and one of the next commands succeeds: a pitfall, and the way around it.

    Example: `make` fails because a variable is not set; the next command exports it, and `make` runs. A call that the host
    could not carry out counts as a failure, too. Counterexample: the next pass is more than thirty observations later.

    Yields spans from a failure to each of the next few passes.
    """
    for failure in sorted([*timeline.failures, *timeline.other_failures]):
        for end in timeline.select(timeline.passes, failure + 1, failure + _MAX_DETOUR_PASS_DISTANCE + 1)[:_MAX_PASSES]:
            yield failure, end
