"""Maturity: counts, states and formatting."""

from __future__ import annotations

from mind_skills.learning import maturity
from mind_skills.learning.profiles import Profile
from tests.learning.vectors.shape import Function, Given, iso, now_of, stamp, without_nothing


def maturity_config(given: Given) -> maturity.MaturityConfig:
    config: Given = given.get("config") or {}
    names = {
        "minFeedback": "min_feedback",
        "minHelpful": "min_helpful",
        "maxHarmful": "max_harmful",
        "deprecationThreshold": "deprecation_threshold",
        "halfLifeDays": "half_life_days",
    }
    return maturity.MaturityConfig(**{names[key]: value for key, value in config.items()})


def events_of(given: Given) -> list[maturity.MaturityFeedback]:
    return [
        maturity.MaturityFeedback(e["pattern_id"], e["type"], stamp(e["timestamp"]), e.get("weight", 1.0))
        for e in given["feedbackEvents"]
    ]


def maturity_in(given: Given) -> maturity.PatternMaturity:
    return maturity.PatternMaturity(
        given["pattern_id"],
        given["state"],
        given["helpful_count"],
        given["harmful_count"],
        stamp(given.get("last_validated")),
        stamp(given.get("promoted_at")),
        stamp(given.get("deprecated_at")),
    )


def maturity_out(found: maturity.PatternMaturity) -> Given:
    times = {key: getattr(found, key) for key in ("last_validated", "promoted_at", "deprecated_at")}
    return without_nothing(
        {
            "pattern_id": found.pattern_id,
            "state": found.state,
            "helpful_count": found.helpful_count,
            "harmful_count": found.harmful_count,
            **{key: None if at is None else iso(at) for key, at in times.items()},
        }
    )


def decayed_counts(given: Given, profile: Profile) -> object:
    good, bad = maturity.compute_decayed_counts(
        events_of(given), maturity_config(given), now=now_of(given), profile=profile
    )
    return {"decayedHelpful": good, "decayedHarmful": bad}


def maturity_state(given: Given, profile: Profile) -> object:
    return maturity.compute_state(events_of(given), maturity_config(given), now=now_of(given), profile=profile)


def create_maturity(given: Given, profile: Profile) -> object:
    return maturity_out(maturity.create(given["patternId"], now=now_of(given)))


def update_maturity(given: Given, profile: Profile) -> object:
    before, config = maturity_in(given["maturity"]), maturity_config(given)
    return maturity_out(maturity.update(before, events_of(given), config, now=now_of(given), profile=profile))


def promote(given: Given, profile: Profile) -> object:
    return maturity_out(maturity.promote(maturity_in(given["maturity"]), now=now_of(given)))


def deprecate(given: Given, profile: Profile) -> object:
    return maturity_out(maturity.deprecate(maturity_in(given["maturity"]), given["reason"], now=now_of(given)))


def multiplier(given: Given, profile: Profile) -> object:
    return maturity.MULTIPLIERS.get(given["state"])


def format_maturity(given: Given, profile: Profile) -> object:
    return maturity.format_maturity(maturity_in(given["maturity"]))


def format_patterns(given: Given, profile: Profile) -> object:
    return maturity.format_patterns((content, maturity_in(found)) for content, found in given["patterns"])


FUNCTIONS: dict[str, Function] = {
    "calculateDecayedCounts": decayed_counts,
    "calculateMaturityState": maturity_state,
    "createPatternMaturity": create_maturity,
    "deprecatePattern": deprecate,
    "formatMaturityForPrompt": format_maturity,
    "formatPatternsWithMaturityForPrompt": format_patterns,
    "getMaturityMultiplier": multiplier,
    "promotePattern": promote,
    "updatePatternMaturity": update_maturity,
}
