"""Find sentences to quote about an episode: its cause, its remedy, and the closing statement of its turn."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from mind_skills.detectors.composing.context import EpisodeContext
from mind_skills.detectors.composing.sentences import (
    is_dependent,
    is_explanation,
    is_plan,
    is_remedy,
    is_self_contained,
    is_statement,
    score_sentence,
    split_sentences,
)
from mind_skills.detectors.words import extract_tokens
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_QUOTATION_LENGTH = 300
"""Maximum length of a quoted cause or remedy, in characters."""
SEPARATOR = " … "
"""Separator between the quotations of a cause."""
MAX_CAUSES = 4
"""Maximum number of quotations for a cause. An offer shows one: the first, or another if the first repeats tool output."""
MAX_REMEDIES = 3
"""Maximum number of sentences about the remedy. An offer shows one of these as well."""
_AFTER_FACTOR, _OUTSIDE_FACTOR, _USER_FACTOR, _THOUGHT_FACTOR = 0.95, 0.8, 0.5, 0.85
_ONE_WORD_FACTOR, _UNFINISHED_FACTOR, _REPEATED_FACTOR, _BEFORE_PROOF_FACTOR = 0.9, 0.8, 0.2, 1.6
"""Weight factors of a sentence: right after the episode; elsewhere outside the episode; written by the user; in the agent's thoughts;
sharing at most one word with errors, changes and commands; without closing punctuation; repeating tool output; and, for remedies
only, right before the command that proves the remedy."""
_MAX_NEAR_DISTANCE = 12
"""In a statement within this many observations of the episode, one shared word suffices, even if it is not an identifier."""
_SENTENCE_ENDS = frozenset(".!?。！？)")
_INSIDE_FACTOR, _INSIDE_REMEDY_FACTOR = 1.3, 2.0
"""Weight factor of a sentence within the episode, and a further factor if the sentence is a remedy."""
_TURN_CAUSE_SHARE, _TURN_REMEDY_SHARE, _EPISODE_SHARE = 1.0, 0.6, 0.3
"""Factors of word weights: of weights in the turn, for a cause; of weights in the turn, for a remedy; of weights in the episode, for a
remedy."""
_AFTER_HEADING_FACTOR, _EXPLICIT_FACTOR, _MAX_HEADING_DISTANCE = 1.5, 1.4, 40
"""Weight factors of a sentence after a heading such as "Root cause", and of a sentence with words such as "the fix is"; and the
number of characters before a sentence that are searched for the heading."""
_MAX_ANNOUNCEMENT_DISTANCE = 2
"""A statement at most this many observations before the episode counts as the announcement of what the agent does in it."""
_CAUSE_HEADING = compile_lazily(r"(?i)(?:cause|why|problem|issue|bug|culprit|happen(?:s|ed|ing)|wrong)\W{0,6}\Z")
_REMEDY_HEADING = compile_lazily(r"(?i)(?:fix|fixed|solution|resolution|remedy|changed?|changes|done|did)\W{0,6}\Z")
_NAMES_CAUSE = compile_lazily(
    r"(?i)\b(?:root cause|culprit|because|turns out|which (?:is why|means|causes?)|so when"
    r"|(?:problem|issue|bug|cause|reason|trigger) (?:is|was|were|lies|here)|without [a-z]{1,30}ing|instead of)\b"
)
_NAMES_REMEDY = compile_lazily(
    r"(?i)\b(?:(?:the|proper|right|real|correct|simplest|cleanest) fix|fix(?:ed)? (?:is|was|by|via|it|this)"
    r"|now (?:only )?[a-z]{1,30}s|instead|replac(?:ed|es|ing)|switch(?:ed|ing)|so (?:that|it|the)|rather than)\b"
)
_IN_PROGRESS = compile_lazily(r"(?i)(?:I[’']m|I am|My|We[’']re|Now|Next|You|Option)\b")
"""Starts a sentence about work in progress. Outside the episode, a sentence like this is about other work."""


class Sentence(NamedTuple):
    """One sentence, or two consecutive ones, of the observation at index ``position``."""

    position: int
    text: str


def find_causes(context: EpisodeContext, complaint: str) -> tuple[Sentence, ...]:
    """Return quotations that state a cause, best first; each is chosen by its weight and by the words that it adds to the previous ones.

    No two quotations share a sentence, and none is part of the ``complaint``. Empty if there are none.
    """
    candidates = _rank_quotations(
        context,
        is_statement,
        lambda words: context.weigh(words) + _TURN_CAUSE_SHARE * context.weigh_in_turn(words),
        _CAUSE_HEADING,
        _NAMES_CAUSE,
    )
    causes: list[Sentence] = []
    covered: frozenset[str] = frozenset()
    remaining = MAX_QUOTATION_LENGTH + MAX_QUOTATION_LENGTH // 2
    while candidates and len(causes) < MAX_CAUSES:
        best = candidates[0][1]
        best_value = -1.0
        for value, candidate in candidates:
            gain = value * (1 + context.weigh(extract_tokens(candidate.text) - covered))
            if gain > best_value:
                best_value, best = gain, candidate
        causes.append(best)
        covered |= extract_tokens(best.text)
        remaining -= len(best.text) + len(SEPARATOR)
        taken_sentences = set(split_sentences(best.text))
        candidates = [
            (value, candidate)
            for value, candidate in candidates
            if len(candidate.text) <= remaining and not taken_sentences & set(split_sentences(candidate.text))
        ]
    return tuple(cause for cause in causes if cause.text not in complaint)


def find_remedies(
    context: EpisodeContext, added_words: frozenset[str], proof: int, causes: Sequence[Sentence]
) -> tuple[Sentence, ...]:
    """Return sentences that state the remedy, best first, except those quoted in ``causes``.

    Sentences that contain some of the ``added_words``, which the change or the passing command introduced, rank higher. A
    plan counts only within the episode, right before it, or right before the observation at index ``proof``. Elsewhere in
    the turn, a sentence must share two words with the turn's changes and failures, or three if nothing else suggests that
    it states the remedy.
    """
    before_proof = context.timeline.find_before(context.timeline.statements, proof) if proof >= 0 else None
    announcement = context.timeline.find_before(context.timeline.statements, context.first)
    is_near = announcement is not None and announcement >= context.first - _MAX_ANNOUNCEMENT_DISTANCE
    start = announcement if announcement is not None and is_near else context.first

    def weigh_words(words: frozenset[str]) -> float:
        in_turn = context.weigh_in_turn(words & context.turn_words)
        return context.weigh(words & added_words) + _EPISODE_SHARE * context.weigh(words) + _TURN_REMEDY_SHARE * in_turn

    def adjust_weight(weight: float, candidate: Sentence) -> float:
        words = extract_tokens(candidate.text)
        if candidate.position == before_proof:
            return weight * _BEFORE_PROOF_FACTOR * _INSIDE_REMEDY_FACTOR
        if start <= candidate.position <= context.last:
            return weight * _INSIDE_REMEDY_FACTOR if words & (added_words or context.concrete_words) else 0.0
        if is_plan(candidate.text) or _IN_PROGRESS.match(candidate.text):
            return 0.0
        is_likely = (
            words & added_words
            or candidate.position == (causes[0].position if causes else None)
            or _NAMES_REMEDY.search(candidate.text)
        )
        return weight if len(words & context.turn_words) > (1 if is_likely else 2) else 0.0

    ranked = [
        (adjust_weight(weight, candidate), candidate)
        for weight, candidate in _rank_quotations(
            context, is_remedy, weigh_words, _REMEDY_HEADING, _NAMES_REMEDY, before_proof
        )
        if not any(candidate.text in cause.text for cause in causes)
    ]
    chosen: list[Sentence] = []
    for candidate_value, candidate in sorted(ranked, key=lambda pair: -pair[0]):
        text = candidate.text
        if candidate_value > 0 and not any(text in other.text or other.text in text for other in chosen):
            chosen.append(candidate)
    return tuple(chosen[:MAX_REMEDIES])


def find_closing(context: EpisodeContext, causes: tuple[Sentence, ...], max_length: int) -> Sentence | None:
    """Return the sentence of the turn's closing message that adds most to the ``causes``.

    The sentence contains an identifier from the episode's errors, changes or commands, and has at most ``max_length``
    characters. None if there is no such sentence.
    """
    if context.closing_message is None:
        return None
    quoted = " ".join(cause.text for cause in causes)
    covered = extract_tokens(quoted)
    best: tuple[float, Sentence | None] = (0.0, None)
    for text in split_sentences(context.get_observation(context.closing_message).text):
        words = extract_tokens(text)
        if (
            text in quoted
            or len(text) > max_length
            or not is_self_contained(text)
            or not words & context.concrete_identifiers
        ):
            continue
        value = score_sentence(text) * context.weigh(words - covered)
        if value > best[0]:
            best = value, Sentence(context.closing_message, text)
    return best[1]


def _list_statement_indexes(context: EpisodeContext) -> list[int]:
    closing = [context.closing_message] if context.closing_message is not None else []
    opening = context.timeline.find_turn(context.first) if context.has_complaint else None
    closing += [opening] if opening is not None else []
    return sorted(
        {
            *context.statements,
            *context.nearby_statements,
            *closing,
            *(index for index in context.user_messages if not context.timeline.message_traits[index].is_plan),
        }
    )


def _rank_quotations(
    context: EpisodeContext,
    is_candidate: Callable[[str], bool],
    weigh_words: Callable[[frozenset[str]], float],
    heading: re.Pattern[str],
    explicit: re.Pattern[str],
    trusted_index: int | None = None,
) -> list[tuple[float, Sentence]]:
    """Return the weighted quotations about the episode that satisfy ``is_candidate``, in the order of the log.

    A quotation at ``trusted_index`` is always considered to be about the episode. A quotation weighs more if ``heading``
    matches the text before it, or if ``explicit`` matches the quotation itself.
    """
    ranked: list[tuple[float, Sentence]] = []
    next_statement = context.timeline.find_after(context.timeline.statements, context.last)
    for index in _list_statement_indexes(context):
        observation = context.get_observation(index)
        factor = _AFTER_FACTOR if index == next_statement else _OUTSIDE_FACTOR
        factor = _INSIDE_FACTOR if context.first <= index <= context.last else factor
        factor *= {"user": _USER_FACTOR, "thinking": _THOUGHT_FACTOR}.get(observation.kind, 1.0)
        for quotation in _join_sentences(split_sentences(observation.text), is_candidate):
            words = extract_tokens(quotation)
            shared = len(words & context.concrete_words)
            is_relevant = index == trusted_index or _is_about_episode(context, index, quotation, words)
            if len(quotation) > MAX_QUOTATION_LENGTH or not is_relevant:
                continue
            weight = weigh_words(words) + (index == trusted_index)
            value = factor * score_sentence(quotation) * weight / math.sqrt(len(quotation))
            value *= (1.0 if shared > 1 else _ONE_WORD_FACTOR) * (
                1.0 if quotation[-1] in _SENTENCE_ENDS else _UNFINISHED_FACTOR
            )
            value *= _AFTER_HEADING_FACTOR if heading.search(_get_text_before(observation.text, quotation)) else 1.0
            value *= _EXPLICIT_FACTOR if explicit.search(quotation) else 1.0
            value *= _REPEATED_FACTOR if context.repeats_output(quotation) else 1.0
            if value > 0:
                ranked.append((value, Sentence(index, quotation)))
    return ranked


def _get_text_before(text: str, sentence: str) -> str:
    """Return the last characters of the text before a sentence. The case of the sentence's first letter may differ in the text."""
    at = text.find(sentence[1:_MAX_HEADING_DISTANCE])
    return text[max(0, at - _MAX_HEADING_DISTANCE) : at - 1] if at > 0 else ""


def _join_sentences(parts: Sequence[str], is_candidate: Callable[[str], bool]) -> Iterator[str]:
    """Yield each candidate sentence alone, and joined with the next sentence if the next one refers back to it."""
    for text, following in pairwise((*parts, "")):
        if not is_candidate(text):
            continue
        yield text
        if is_dependent(following) and text[-1] in _SENTENCE_ENDS and following[-1] != ":":
            yield f"{text} {following}"


def _is_about_episode(context: EpisodeContext, index: int, quotation: str, words: frozenset[str]) -> bool:
    """Return whether a quotation at ``index`` is about the episode.

    Within the episode or next to it, a quotation need only share a word with the episode or explain something. Further
    away, it must explain something or state a remedy, and share two words with the episode or with the turn's changes
    and failures; one word of the episode is enough if it is an identifier or if the quotation is near the episode. A
    quotation from a user's message outside the episode must always share two words with the turn's changes and failures.
    """
    shared = len(words & context.concrete_words)
    if (
        context.get_observation(index).kind == "user"
        and index not in context.user_messages
        and len(words & context.turn_words) < 2
    ):
        return False
    if context.first <= index <= context.last or index in (
        context.timeline.find_before(context.timeline.statements, context.first),
        context.timeline.find_after(context.timeline.statements, context.last),
    ):
        return bool(shared or words & context.identifiers) or is_explanation(quotation)
    if not (is_explanation(quotation) or is_remedy(quotation)):
        return False
    is_near = context.first - _MAX_NEAR_DISTANCE <= index <= context.last + _MAX_NEAR_DISTANCE
    return len(words & context.turn_words) > 1 or (
        shared > 0 and (shared > 1 or is_near or bool(words & context.concrete_identifiers))
    )
