"""Lasting rules of the user: sentences that state how things are to be done from now on.

The sentences that the user wrote to the main agent are scored, except for those in long messages, pasted lines and code
blocks. The score is computed from features (rule_features.py), as for an episode (scorer.py, with user_rules.json). A rule
that the agent wrote to the project's own instruction file is already in force and is not reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from mind_skills.detectors.composing.sentences import truncate
from mind_skills.detectors.model import Evidence, Finding
from mind_skills.detectors.rule_features import (
    Conversation,
    extract_names,
    index_conversation,
    is_recorded,
    measure_features,
)
from mind_skills.detectors.scorer import Model, parse_weights
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_MESSAGE_LENGTH, MAX_SENTENCE_LENGTH, MIN_SENTENCE_LENGTH = 2_500, 320, 8
"""Maximum length of a message (longer ones are plans or pasted text), and maximum and minimum length of a sentence, in characters."""
MAX_SENTENCES = 24
"""Maximum number of sentences of a message that are scored; messages with more sentences are usually tasks."""
MAX_TITLE_LENGTH, MAX_SUMMARY_LENGTH = 120, 200

_FENCE = compile_lazily(r"```.*?(?:```|\Z)", re.DOTALL)
_END = compile_lazily(r"(?<=[.!?;])\s+|[。！？]|\n")
_BULLET = compile_lazily(r"(?:[-*•]|\d{1,2}[.)])\s+")
_PASTED = compile_lazily(r"(?:[>|❯$#⎿⏺]|at \S{1,200}\(|[+-]{3} )")
"""Starts a line that was pasted from a terminal, a diff or another text."""


class Rule(NamedTuple):
    """A sentence that may be a rule: the index of its message, its text, its features, and its probability."""

    message_index: int
    text: str
    features: dict[str, float]
    probability: float


def find_rule(observations: Sequence[Observation]) -> list[Finding]:
    """Return a list with the most probable rule of a window as a finding; empty if no rule reaches the tier ``medium``."""
    model = load_shipped_rule_model()
    return [
        _build_finding(observations[rule.message_index], rule, model)
        for rule in rank_rules(observations, model)[:1]
        if rule.probability >= model.tiers["medium"]
    ]


def rank_rules(observations: Sequence[Observation], model: Model | None = None) -> list[Rule]:
    """Return the sentences that may be rules, most probable first, without those that the project's instruction file contains."""
    model = model or load_shipped_rule_model()
    conversation = index_conversation(observations)
    rules = (
        Rule(message_index, text, features, model.compute_probability(features))
        for message_index, text in propose_sentences(conversation)
        for features in [measure_features(conversation, message_index, text)]
        if not is_recorded(conversation, message_index, text)
    )
    return sorted(rules, key=lambda rule: (-rule.probability, rule.message_index))


def propose_sentences(conversation: Conversation) -> Iterator[tuple[int, str]]:
    """Yield the message index and the text of every sentence that may be a rule."""
    for message_index in conversation.user_messages:
        text = conversation.observations[message_index].text
        if len(text) > MAX_MESSAGE_LENGTH:
            continue
        parts = map(str.strip, _END.split(_FENCE.sub("\n", text)))
        sentences = [part for part in parts if part and not _PASTED.match(part)]
        for part in sentences[:MAX_SENTENCES]:
            bullet = _BULLET.match(part)
            sentence = " ".join(part[bullet.end() if bullet else 0 :].split())
            if MIN_SENTENCE_LENGTH <= len(sentence) <= MAX_SENTENCE_LENGTH:
                yield message_index, sentence


@lru_cache(1)
def load_shipped_rule_model() -> Model:
    """Load the weights of rules (user_rules.json) shipped with the package."""
    return parse_weights((Path(__file__).parent / "user_rules.json").read_text("utf-8"))


def _build_finding(message: Observation, rule: Rule, model: Model) -> Finding:
    evidence = Evidence(
        "decision", "context", truncate(f"user: {rule.text}", MAX_SUMMARY_LENGTH), rule.text, message.line
    )
    return Finding(
        kind="user_rule",
        title=truncate(rule.text, MAX_TITLE_LENGTH),
        reason="the user stated a rule",
        anchor=" ".join(sorted(extract_names(rule.text))) or rule.text,
        evidence=(evidence,),
        probability=round(rule.probability, 4),
        deciding=model.list_deciding_features(rule.features),
    )
