"""Find the remedy of an episode, and the proof that it worked.

The remedy is the removed and the added line of a change, or the command that passed instead; the proof is a command with its
result line, or the user's confirmation.
"""

from __future__ import annotations

import re
from itertools import islice

from mind_skills.detectors.composing.context import EpisodeContext
from mind_skills.detectors.composing.sentences import join_command_lines, truncate
from mind_skills.detectors.model import OUTSIDE_SANDBOX
from mind_skills.detectors.words import extract_tokens
from mind_skills.observations.commands import is_same_command
from mind_skills.redaction.lazy_pattern import compile_lazily

_MAX_ROW_LENGTH, _MAX_CHANGE_LENGTH, _MAX_COMMAND_LENGTH = 160, 300, 480
"""Maximum length of a line, a change and a command, in characters. Longer ones are skipped, not truncated."""
_MAX_ROWS = 400
_MAX_ROW_SHIFT, _MIN_ROW_SIMILARITY = 3, 0.3
"""Maximum distance, in lines of a block, between a line and its counterpart, and minimum share of their words that both have."""
_ROW_WORD = compile_lazily(r"\w+")
_COMMENTARY = compile_lazily(
    r"//|#(?!\[|include|define|if)|/?\*|<!--|-- |- |\"\"\"|'''|@test\b|(?:async )?def test_|func Test|it\(|test\("
    r"|describe\("
)
"""Lines that describe a change rather than make it: comments, list items, test headings."""
_PIPE = compile_lazily(r"\s*(?:\|(?!\|)|\d?>)")
_DOCUMENT_OR_TEST = compile_lazily(
    r"\.(?:md|mdx|rst|txt|adoc)(?:\s|\Z)|(?:^|[/\\_.-])(?:tests?|specs?|fixtures)[/\\_.-]"
)
"""Paths of documents and tests. Changes to these files weigh half as much."""
_SCRATCH_FILE = compile_lazily(r"(?i)(?:^|[/\\\\])(?:te?mp|scratch\w*)[/\\\\]")
"""Paths of temporary files."""


def find_change(context: EpisodeContext, indexes: list[int], problem_words: frozenset[str]) -> tuple[int, str]:
    """Return the index of the change that shares the most words with the episode, and the text of its best pair of lines.

    ``problem_words``, the words of symptom and cause, count three times. The result is (-1, "") if no change is suitable.
    """
    best: tuple[float, int, str] = (-1.0, -1, "")
    for index in indexes:
        paths = context.timeline.join_paths(index)
        if _SCRATCH_FILE.search(paths):
            continue
        for removed, added in _pair_rows(context.get_observation(index).change):
            if _COMMENTARY.match(added or removed):
                continue
            words = extract_tokens(f"{removed} {added}")
            value = context.weigh(words) + 2 * context.weigh(words & problem_words) + bool(removed and added)
            value *= 0.5 if _DOCUMENT_OR_TEST.search(paths) else 1.0
            text = f"{removed} -> {added}" if removed and added else added or f"without {removed}"
            if value > best[0] and len(text) <= _MAX_CHANGE_LENGTH:
                best = value, index, text
    return best[1], best[2]


def _pair_rows(diff: str) -> list[tuple[str, str]]:
    """Pair removed lines with the added lines that replaced them; a line without a counterpart is paired with ""."""
    pairs: list[tuple[str, str]] = []
    removed: list[str] = []
    added: list[str] = []
    for row in [*islice(diff.split("\n"), _MAX_ROWS), ""]:
        sign, text = row[:1], " ".join(row[1:].split())
        if sign and (not text or len(text) > _MAX_ROW_LENGTH):
            continue
        if sign not in ("-", "+") or (sign == "-" and added):
            pairs += _pair_block(removed, added)
            removed, added = [], []
        if sign in ("-", "+"):
            (removed if sign == "-" else added).append(text)
    return pairs


def _pair_block(removed: list[str], added: list[str]) -> list[tuple[str, str]]:
    """Pair each removed line with the most similar added line near it that is similar enough; unchanged lines are left out.

    A single line that replaced a single line is its counterpart, however different.
    """
    if len(removed) == len(added) == 1:
        return [(removed[0], added[0])] if removed != added else []
    added_words = [frozenset(_ROW_WORD.findall(row)) for row in added]
    pairs: list[tuple[str, str]] = []
    taken = set[int]()
    for number, row in enumerate(removed):
        words = frozenset(_ROW_WORD.findall(row))
        similarities = [
            (len(words & added_words[other]) / (len(words | added_words[other]) or 1), -abs(other - number), other)
            for other in range(max(0, number - _MAX_ROW_SHIFT), min(len(added), number + _MAX_ROW_SHIFT + 1))
            if other not in taken
        ]
        similarity, _, best = max(similarities, default=(0.0, 0, -1))
        if similarity >= _MIN_ROW_SIMILARITY:
            taken.add(best)
            pairs += [(row, added[best])] if row != added[best] else []
        else:
            pairs.append((row, ""))
    return [*pairs, *(("", row) for number, row in enumerate(added) if number not in taken)]


def extract_added_words(change: str) -> str:
    """Return the words in the new line of a change that the old line does not contain.

    ``change`` is a text from ``find_change``. If it replaced no line, or only removed words, all of the new text is returned.
    """
    removed, arrow, added = change.rpartition(" -> ")
    if not arrow:
        return change
    return " ".join(word for word in added.split() if word not in removed.split()) or added


def _strip_output(command: str) -> str:
    """Return a command up to its first pipe or redirection."""
    return _PIPE.split(command, maxsplit=1)[0]


def find_command(context: EpisodeContext, failure: int | None) -> tuple[int, str, frozenset[str]]:
    """Return the index and the text of another command that passed after the failed one, and the words in which the two differ.

    Reruns of the failed command with other arguments take precedence, then the command that shares the most words with the
    failed command and its error, then the last one. The text ends with a note if the failed command ran in the host's
    sandbox and the passing one outside it. The result is (-1, "", no words) if nothing failed, or if no other command passed
    that shares a word with the failure.
    """
    if failure is None:
        return -1, "", frozenset()
    timeline, failed = context.timeline, context.get_observation(failure)
    failed_command, failure_words = join_command_lines(failed.command), timeline.read_tokens(failure)
    best: tuple[bool, float, int, str] = (False, 0.0, -1, "")
    best_command = ""
    for index in timeline.select(timeline.passes, failure, context.last + 1):
        passed = context.get_observation(index)
        command = join_command_lines(passed.command)
        value = context.weigh(extract_tokens(command) & failure_words)
        has_left_sandbox = passed.is_outside_sandbox and not failed.is_outside_sandbox
        is_different = has_left_sandbox or _strip_output(command) != _strip_output(failed_command)
        is_rerun = is_same_command(passed.signature, failed.signature)
        if value > 0 and (is_rerun, value) >= best[:2] and len(command) <= _MAX_COMMAND_LENGTH and is_different:
            text = f"{command} ({OUTSIDE_SANDBOX})" if has_left_sandbox else command
            best, best_command = (is_rerun, value, index, text), command
    changed_words = set(failed_command.split()) ^ set(best_command.split()) if best_command else set[str]()
    return best[2], best[3], extract_tokens(" ".join(changed_words))


# -- The proof that the remedy worked --

_RESULT = compile_lazily(
    r"\b\d+ (?:pass|ok\b|success|tests?\b)|\b(?:passed|succeeded|successful|success|ok|clean|up to date|no (?:errors|issues))\b"
    r"|\b0 (?:errors|failed|issues)\b|✓|✔",
    re.IGNORECASE,
)
_MAX_RESULT_LINES = 40
"""Number of lines at the end of the output that are searched for the result."""
_MAX_PROOF_COMMAND_LENGTH, _MAX_RESULT_LENGTH = 200, 160


def find_proof(context: EpisodeContext, failure: int | None) -> tuple[int, str]:
    """Return the index and the text of the observation that proves the remedy, or (-1, "") if there is none.

    In order of preference: the last check that passed, the last passing run of the failed command, the user's last
    confirmation, the last command that passed.
    """
    timeline = context.timeline
    passed = timeline.select(timeline.passes, context.first if failure is None else failure, context.last + 1)
    reruns = (
        []
        if failure is None
        else [i for i in passed if context.get_observation(i).signature == context.get_observation(failure).signature]
    )
    approvals = [index for index in context.user_messages if timeline.message_traits[index].is_approval]
    checks = timeline.select(timeline.passed_checks, context.first, context.last + 1)
    proof = (checks or reruns or [-1])[-1]
    if proof < 0 and approvals:
        text = "the user: " + " ".join(context.get_observation(approvals[-1]).text.split())
        return approvals[-1], truncate(text, _MAX_RESULT_LENGTH)
    verb = "passed" if proof >= 0 else "ran"
    proof = passed[-1] if proof < 0 and passed else proof
    if proof < 0:
        return -1, ""
    observation = context.get_observation(proof)
    result = find_result_line(observation.text)
    command = truncate(join_command_lines(observation.command), _MAX_PROOF_COMMAND_LENGTH)
    return proof, f"`{command}` {verb}" + (f": {result}" if result else "")


def find_result_line(output: str) -> str:
    """Return the last line of the output that states a result, else the last line; long lines are skipped."""
    rows = [" ".join(row.split()) for row in output.rstrip().rsplit("\n", _MAX_RESULT_LINES)[-_MAX_RESULT_LINES:]]
    rows = [row for row in rows if row and len(row) <= _MAX_RESULT_LENGTH]
    return next((row for row in reversed(rows) if _RESULT.search(row)), rows[-1] if rows else "")
