"""Lasting rules of the user: the sentence by which they say how it is to be done from then on.

Proposed are sentences of what the user wrote to the main agent, none of pasted text, plans, quotes and code; what each is
worth is a matter of features (rule_features.py), weighed as those of episodes are (scorer.py, with user_rules.json). A rule
that the agent wrote into the project's own file of instructions stands there already, and is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from mind_skills.detectors.composing.sentences import cut
from mind_skills.detectors.model import Evidence, Finding
from mind_skills.detectors.rule_features import Talk, measure, names_of, stands, talk
from mind_skills.detectors.scorer import Model, parse
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_later

LONG_MESSAGE, LONGEST, LEAST = 2_500, 320, 8
"""Characters: of a message beyond which it is a plan or pasted, of a sentence at most and at least."""
MOST_SENTENCES = 24
"""Of one message that are weighed: who writes more gives a task."""
TITLE, SUMMARY = 120, 200

_FENCE = compile_later(r"```.*?(?:```|\Z)", re.DOTALL)
_END = compile_later(r"(?<=[.!?;])\s+|[。！？]|\n")
_ITEM = compile_later(r"(?:[-*•]|\d{1,2}[.)])\s+")
_PASTED = compile_later(r"(?:[>|❯$#⎿⏺]|at \S{1,200}\(|[+-]{3} )")
"""How a line begins that a terminal, a diff or another text brought."""


class Rule(NamedTuple):
    """A sentence that may be a rule: the index of its message, its text, its features, and its probability."""

    at: int
    text: str
    features: dict[str, float]
    probability: float


def find(observations: Sequence[Observation], model: Model | None = None) -> list[Finding]:
    """The rule of a look that is surest, as a finding; none where none reaches the tier ``medium``."""
    model = model or shipped()
    return [
        _finding(observations[rule.at], rule, model)
        for rule in rules(observations, model)[:1]
        if rule.probability >= model.tiers["medium"]
    ]


def rules(observations: Sequence[Observation], model: Model | None = None) -> list[Rule]:
    """Every sentence that may be a rule and stands in no file of the project yet, the surest first."""
    model = model or shipped()
    made = talk(observations)
    found = (
        Rule(at, text, features, model.probability(features))
        for at, text in proposed(made)
        for features in [measure(made, at, text)]
        if not stands(made, at, text)
    )
    return sorted(found, key=lambda rule: (-rule.probability, rule.at))


def proposed(made: Talk) -> Iterator[tuple[int, str]]:
    """Index of the message and text of every sentence of the user that is looked at."""
    for at in made.turns:
        text = made.observations[at].text
        if len(text) > LONG_MESSAGE:
            continue
        found = map(str.strip, _END.split(_FENCE.sub("\n", text)))
        parts = [part for part in found if part and not _PASTED.match(part)]
        for part in parts[:MOST_SENTENCES]:
            item = _ITEM.match(part)
            sentence = " ".join(part[item.end() if item else 0 :].split())
            if LEAST <= len(sentence) <= LONGEST:
                yield at, sentence


@lru_cache(1)
def shipped() -> Model:
    """The weights that the package brings."""
    return parse((Path(__file__).parent / "user_rules.json").read_text("utf-8"))


def _finding(message: Observation, rule: Rule, model: Model) -> Finding:
    said = Evidence("decision", "context", cut(f"user: {rule.text}", SUMMARY), rule.text, message.line)
    return Finding(
        kind="user_rule",
        title=cut(rule.text, TITLE),
        reason="the user stated a rule",
        anchor=" ".join(sorted(names_of(rule.text))) or rule.text,
        evidence=(said,),
        probability=round(rule.probability, 4),
        deciding=model.deciding(rule.features),
    )
