"""Every rule switched off, alone: what it is worth on the labelled sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mind_skills.plugin.evaluating.figures import brief
from mind_skills.plugin.evaluating.judging import SessionScore
from mind_skills.plugin.evaluating.report import RuleReport
from mind_skills.plugin.evaluating.rules_on_failures import FAILURES, VERIFICATION
from mind_skills.plugin.evaluating.rules_on_keeping import DETECTORS, KEPT
from mind_skills.plugin.evaluating.rules_on_words import WORDS
from mind_skills.plugin.evaluating.variants import AS_IT_IS, Variant

RULES = (*FAILURES, *VERIFICATION, *WORDS, *KEPT, *DETECTORS)

VARIANTS = tuple(Variant(rule.name) for rule in RULES)


def table(scores: Mapping[Variant, Sequence[SessionScore]]) -> list[RuleReport]:
    """One row a rule, in the order of RULES. ``scores`` holds the detector as it is and every one of VARIANTS."""
    whole = scores[AS_IT_IS]
    return [
        RuleReport(
            rule=rule.name,
            says=rule.says,
            instead=rule.instead,
            test=rule.test,
            changed=sum(one.judged != other.judged for one, other in zip(whole, scores[variant], strict=True)),
            figures=brief(scores[variant]),
        )
        for rule, variant in zip(RULES, VARIANTS, strict=True)
    ]
