"""Collect the observations and word weights from which the text of an episode is composed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.words import extract_tokens
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_ENTRIES = 60
"""Maximum number of observations of a kind (statements, failures, changes, commands, user messages) that may be quoted.

The last ones are used, since they led to the end of the episode."""
_MAX_STATEMENTS_AFTER = 2
"""Maximum number of statements after an episode that are read, in addition to the turn's closing message."""
_NGRAM_LENGTH = 5
"""A statement that has this number of consecutive words in common with tool output repeats it."""
_WORDS = compile_lazily(r"[^\W_]+")
_MIN_COUNTED_OBSERVATIONS = 12
"""If an episode has fewer observations, words are also counted in neighbouring observations of its turn, up to this many
observations in all."""


@dataclass(slots=True)
class EpisodeContext:
    """Indexes of an episode's observations, in ascending lists, and the weights of its words.

    ``weights``: log(1 + number of observations that contain the word) x sqrt(number of channels that contain it). The
    channels are failures, changes, commands, the agent's statements, the user's messages and ``earlier_changes``; the words
    of an episode's topic occur in most of them.
    """

    timeline: Timeline
    first: int
    last: int
    failures: list[int]
    changes: list[int]
    earlier_changes: list[int]
    """Changes made earlier in the turn; empty unless the turn began with a complaint and the episode has no changes."""
    has_complaint: bool
    """Whether the turn began with a complaint."""
    runs: list[int]
    statements: list[int]
    user_messages: list[int]
    nearby_statements: list[int]
    """The agent's statements in the same turn before the episode, and the first few after it."""
    closing_message: int | None
    """The agent's last message of the turn, unless the episode ends after it."""
    weights: dict[str, float]
    concrete_words: frozenset[str]
    """Topic words of errors, changes and commands. A statement about this episode usually contains some of them."""
    concrete_identifiers: frozenset[str]
    """The ``concrete_words`` that contain characters other than letters, as identifiers do."""
    identifiers: frozenset[str]
    """The words in ``weights`` that contain characters other than letters."""
    turn_weights: dict[str, float]
    """Weights of the turn's words, computed like ``weights``, from failures, changes, passed checks and messages."""
    turn_words: frozenset[str]
    """Words of the turn's changes and failures."""
    output_ngrams: frozenset[str]
    """All sequences of ``_NGRAM_LENGTH`` words in the output of the last ``MAX_ENTRIES`` calls of the episode or, if it is short,
    of the episode and right before it."""

    def get_observation(self, index: int) -> Observation:
        return self.timeline.observations[index]

    def weigh(self, words: Iterable[str]) -> float:
        """Sum the weights of words in the episode."""
        return math.fsum(self.weights.get(word, 0.0) for word in words)  # exact, so the order of a set does not matter

    def weigh_in_turn(self, words: Iterable[str]) -> float:
        """Sum the weights of words in the episode's turn."""
        return math.fsum(self.turn_weights.get(word, 0.0) for word in words)

    def weigh_text(self, text: str) -> float:
        return self.weigh(extract_tokens(text))

    def repeats_output(self, text: str) -> bool:
        """Return whether ``_NGRAM_LENGTH`` consecutive words of a statement occur in the output of calls (``output_ngrams``)."""
        return any(ngram in self.output_ngrams for ngram in _split_ngrams(text))


def build_context(timeline: Timeline, episode: Episode) -> EpisodeContext:
    """Collect the observations and word weights of an episode."""
    first, end = episode.first, episode.last + 1
    failures, changes, runs, statements = (
        timeline.select(indexes, first, end)[-MAX_ENTRIES:]
        for indexes in (timeline.failures, timeline.changes, timeline.runs, timeline.statements)
    )
    user_messages = timeline.select(timeline.user_messages, first, end)[-MAX_ENTRIES:]
    counted_span = _extend_span(timeline, first, episode.last)
    turn = timeline.find_turn(first)
    has_complaint = turn is not None and is_complaint(timeline, turn)
    earlier_changes: list[int] = []
    if has_complaint and turn is not None and not changes:
        earlier_changes = timeline.select(timeline.changes, turn, first)[-MAX_ENTRIES:]
    failures_and_changes = (timeline.failures, timeline.changes)
    lists = (*failures_and_changes, timeline.runs, timeline.statements, timeline.user_messages)
    channels = [timeline.select(indexes, *counted_span) for indexes in lists]
    channels.append(earlier_changes)
    weights = _weigh_words(timeline, channels)
    turn_start, turn_end = turn or 0, timeline.find_turn_end(episode.last)
    turn_channels = [
        timeline.select(indexes, turn_start, turn_end)[-MAX_ENTRIES:]
        for indexes in (*failures_and_changes, timeline.passed_checks, timeline.agent_messages, timeline.user_messages)
    ]
    turn_words = _read_words(timeline, [*turn_channels[0], *turn_channels[1]])
    concrete_words = _read_words(timeline, [*failures, *changes, *runs, *earlier_changes])
    nearby_statements, closing_message = _find_nearby_statements(timeline, first, episode.last)
    return EpisodeContext(
        timeline=timeline,
        first=first,
        last=episode.last,
        failures=failures,
        changes=changes,
        earlier_changes=earlier_changes,
        has_complaint=has_complaint,
        runs=runs,
        statements=statements,
        user_messages=user_messages,
        nearby_statements=nearby_statements,
        closing_message=closing_message,
        weights=weights,
        concrete_words=concrete_words,
        concrete_identifiers=frozenset(word for word in concrete_words if not word.isalpha()),
        identifiers=frozenset(word for word in weights if not word.isalpha()),
        turn_weights=_weigh_words(timeline, turn_channels),
        turn_words=turn_words,
        output_ngrams=_collect_output_ngrams(timeline, counted_span[0], end),
    )


def _read_words(timeline: Timeline, indexes: list[int]) -> frozenset[str]:
    """Return the topic words of the observations at ``indexes``."""
    return frozenset[str]().union(*(timeline.read_tokens(index) for index in indexes))


def _collect_output_ngrams(timeline: Timeline, start: int, end: int) -> frozenset[str]:
    """Return the sequences of words in the output of the last tool calls from ``start`` up to ``end``."""
    calls = timeline.select(timeline.tool_calls, start, end)[-MAX_ENTRIES:]
    return frozenset(ngram for index in calls for ngram in _split_ngrams(timeline.observations[index].text))


def _weigh_words(timeline: Timeline, channels: list[list[int]]) -> dict[str, float]:
    counts = Counter(word for index in set[int]().union(*channels) for word in timeline.read_tokens(index))
    channel_words = (
        frozenset[str]().union(*(timeline.read_tokens(index) for index in channel)) for channel in channels
    )
    channel_counts = Counter(word for words in channel_words for word in words)
    return {word: math.log1p(count) * channel_counts[word] ** 0.5 for word, count in counts.items()}


def _split_ngrams(text: str) -> Iterator[str]:
    words = _WORDS.findall(text.lower())
    return (" ".join(words[start : start + _NGRAM_LENGTH]) for start in range(len(words) - _NGRAM_LENGTH + 1))


def _extend_span(timeline: Timeline, first: int, last: int) -> tuple[int, int]:
    """Return the half-open span in which words are counted: the episode, extended within its turn if it is short."""
    margin = max(0, _MIN_COUNTED_OBSERVATIONS - (last + 1 - first)) // 2
    turn = timeline.find_turn(first)
    return max(first - margin, 0 if turn is None else turn), min(last + 1 + margin, timeline.find_turn_end(last))


def _find_nearby_statements(timeline: Timeline, first: int, last: int) -> tuple[list[int], int | None]:
    """Return the ``nearby_statements`` and the ``closing_message`` of the episode from ``first`` to ``last``."""
    turn, end = timeline.find_turn(first) or 0, timeline.find_turn_end(last)
    before = timeline.select(timeline.statements, turn, first)[-MAX_ENTRIES:]
    after = timeline.select(timeline.statements, last + 1, end)[:_MAX_STATEMENTS_AFTER]
    closing = timeline.find_after(timeline.closing_messages, last - 1)
    return [*before, *after], closing if closing is not None and closing < end else None


def is_complaint(timeline: Timeline, index: int) -> bool:
    """Return whether the user's message at ``index`` reports that something is wrong, or asks why."""
    traits = timeline.message_traits[index]
    return traits.has_pasted_error or traits.mentions_problem or traits.denies_success or traits.asks_why
