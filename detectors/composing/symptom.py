"""Find the symptom of an episode: the most informative error line, else the error or complaint in a user's message."""

from __future__ import annotations

import math

from mind_skills.detectors import noise
from mind_skills.detectors.composing.context import EpisodeContext, is_complaint
from mind_skills.detectors.composing.sentences import is_instruction, split_sentences
from mind_skills.detectors.words import BROKEN, contains_any, count_names, extract_tokens
from mind_skills.observations.results import find_pasted_error, is_runner_message
from mind_skills.redaction.lazy_pattern import compile_lazily

_PREFIX = compile_lazily(
    r"(?:(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]?[\d:.,]*(?:Z|[+-]\d\d:?\d\d)?\]?|\[?\d\d:\d\d:\d\d[\d.,]*\]?"
    r"|E(?=\s)|\[\w+\]|[✘✗×✖]|--- FAIL:)\s+)+"
)
_LOCATION = compile_lazily(
    r"(?:(?:[\w@~.+-]*[/\\])*[\w@.+-]+\.\w{1,5}(?::\d+|\(\d+,\d+\)){1,2}:?\s*(?:-\s+)?"
    r"|(?:/[\w/]{1,40}/)?(?:ba|da|k|z)?sh: line \d+:\s*)(?=\S)"
)
"""File, line and column at the start of an error, or a shell and its line, which may change while the error remains the same."""
_ERROR = compile_lazily(
    r"[Ee]rror\b|ERR(?:OR)?\b|Exception\b|\b(?:[Cc]annot|[Cc]ould not|[Uu]nable to|[Ff]ailed to|[Nn]ot found|No such"
    r"|[Uu]nknown|[Uu]nexpected"
    r"|[Uu]nrecognized|[Uu]ndefined|[Ii]nvalid|[Dd]enied|not permitted|[Rr]efused|[Mm]issing|[Ee]xpected|doesn't"
    r"|does not|is not|no longer"
    r"|[Tt]imed? ?out|panic:|fatal:|FAIL:?)(?=\W|$)"
)
_MESSAGE = compile_lazily(r"\"(?:message|error|detail|msg)\" ?: ?\"([^\"\n]{8,200})\"")
"""An error message in JSON."""
_NOTHING_RUN = compile_lazily(
    r"(?i)\bno \w+ (?:files? )?(?:were )?(?:found|ran|to run|matched|collected)|\b(?:0|no) tests?\b|nothing"
)
_UNINFORMATIVE = compile_lazily(
    r"^\s*[{\[\"]|\+0x[0-9a-f]|^\s*(?:at |File \"|goroutine )|^\W*Failed \w+ \d+\W*$"
    r"|^\W*\d{1,2}:\d\d(?::\d\d)?\W*(?:[ap]\.?m\.?)?\W*$"
    r"|^\W*$|[\u2500-\u259f\u23af]{3}"
)
"""Lines without a message: JSON, stack frames, counts, times, drawn tables."""
_MAX_LINES, _MAX_LINE_LENGTH = 60, 240
"""Number of lines that are read at each end of the output, and maximum length of a line, in characters."""
_DURATION = compile_lazily(r"\(\d+(?:\.\d+)? ?m?s\)\W*\Z")
_REPORTED_ERROR_FACTOR, _DURATION_FACTOR = 1.5, 0.3
"""Weight factors of the line that the log reader reported as the error, and of a line that ends in a duration."""
_BROKEN_FACTOR = 2.0
"""Weight factor of a sentence that reports a malfunction."""
_MAX_COMPLAINT_LENGTH = 240
"""Maximum length, in characters, of a message that is quoted whole if no sentence can be extracted from it."""


def find_failure(context: EpisodeContext) -> int | None:
    """Return the failed call with the most informative error, else a check that found nothing to run, else None.

    Usage errors and slips rank below all other failures.
    """
    best: tuple[tuple[bool, float, int], int] | None = None
    for index in context.failures:
        observation = context.get_observation(index)
        error = observation.error
        if not error or is_runner_message(error) or error in observation.command:
            continue
        is_genuine = not is_trivial_failure(context, index)
        rank = (
            is_genuine,
            context.weigh(context.timeline.read_tokens(index) & extract_tokens(error)) + count_names(error),
            -index,
        )
        if best is None or rank > best[0]:
            best = rank, index
    if best is not None:
        return best[1]
    return next((index for index in context.runs if context.get_observation(index).outcome == "nothing"), None)


def is_trivial_failure(context: EpisodeContext, index: int) -> bool:
    """Return whether a call failed because it was made incorrectly, or because of a slip in the code."""
    return bool(noise.is_usage_error(context.get_observation(index)) or noise.is_slip(context.get_observation(index)))


def find_error(context: EpisodeContext, index: int) -> str:
    """Return the most informative error line of a failed call, without timestamp and location.

    A line is informative if it has rare words of the episode and names, relative to its length.
    Candidates are the error that the log reader reported, lines of the output that look like errors, and messages in JSON.
    A line that ends with a colon is joined with the next one. Empty if there is no such line.
    """
    observation = context.get_observation(index)
    lines = observation.text.split("\n")
    lines = [*lines[:_MAX_LINES], *lines[max(_MAX_LINES, len(lines) - _MAX_LINES) :]]
    best: tuple[float, str] = (0.0, "")
    pattern = _NOTHING_RUN if observation.outcome == "nothing" else _ERROR
    lines += [match[1] for match in _MESSAGE.finditer(observation.text)]
    for line in dict.fromkeys([observation.error, *lines]):
        if not line or len(line) > _MAX_LINE_LENGTH or _UNINFORMATIVE.search(line) or is_runner_message(line.strip()):
            continue
        if line != observation.error and not pattern.search(line):
            continue
        factor = _REPORTED_ERROR_FACTOR if line == observation.error else 1.0
        factor *= _DURATION_FACTOR if _DURATION.search(line) else 1.0
        value = factor * (1 + context.weigh(extract_tokens(line)) + count_names(line)) / (20 + len(line)) ** 0.5
        if value > best[0]:
            best = value, line
    message = strip_location(best[1])
    if message.endswith(":"):
        after = observation.text.partition(best[1])[2].lstrip("\n")
        message = f"{message} {' '.join(after.partition(chr(10))[0].split())}".strip()
    return message


def extract_complaint(context: EpisodeContext, index: int) -> str:
    """Return what the user reported: a pasted error, else the sentence with the most weight for its length.

    Statements are preferred to instructions, and sentences about a malfunction weigh twice as much.

    A message without sentences is returned as a whole; empty if it is long.
    """
    text = context.get_observation(index).text
    if pasted := find_pasted_error(text):
        return strip_location(pasted)
    parts = split_sentences(text)[:20]
    if not parts:
        return " ".join(text.split()) if len(text) <= _MAX_COMPLAINT_LENGTH else ""
    statements = [sentence for sentence in parts if sentence[-1] != ":" and not is_instruction(sentence)]

    def weigh_sentence(sentence: str) -> float:
        broken = _BROKEN_FACTOR if contains_any(sentence.lower(), BROKEN) else 1.0
        return (1 + context.weigh_text(sentence)) * broken / math.sqrt(len(sentence))

    return max(statements or parts, key=weigh_sentence)


def find_complaint_message(context: EpisodeContext) -> int | None:
    """Return the user's message that reports the problem: the first in the episode, else the one that began its turn.

    None if neither reports a problem.
    """
    timeline = context.timeline
    complaints = [index for index in context.user_messages if is_complaint(timeline, index)]
    if complaints:
        return complaints[0]
    turn = timeline.find_turn(context.first)
    return turn if turn is not None and is_complaint(timeline, turn) else None


def strip_location(error: str) -> str:
    """Remove timestamps and marks of loggers and test runners from the start of an error, and the location unless little remains."""
    rest = _PREFIX.sub("", error, count=1) if _PREFIX.match(error) else error
    location = _LOCATION.match(rest)
    return " ".join((rest[location.end() :] if location and len(rest) - location.end() > 12 else rest).split())
