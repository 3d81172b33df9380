"""Patterns, warnings and strategies."""

from __future__ import annotations

from mind_skills.learning import anti_patterns, strategies
from mind_skills.learning.profiles import Profile
from tests.learning.vectors.shape import Function, Given, at_of, iso, now_of, without_nothing


def pattern_in(given: Given) -> anti_patterns.DecompositionPattern:
    return anti_patterns.DecompositionPattern(
        id=given["id"],
        content=given["content"],
        kind=given["kind"],
        is_negative=given["is_negative"],
        success_count=given["success_count"],
        failure_count=given["failure_count"],
        created_at=at_of(given["created_at"]),
        updated_at=at_of(given["updated_at"]),
        reason=given.get("reason", ""),
        tags=tuple(given["tags"]),
        example_tasks=tuple(given["example_beads"]),
    )


def pattern_out(found: anti_patterns.DecompositionPattern) -> Given:
    return without_nothing(
        {
            "id": found.id,
            "content": found.content,
            "kind": found.kind,
            "is_negative": found.is_negative,
            "success_count": found.success_count,
            "failure_count": found.failure_count,
            "created_at": iso(found.created_at),
            "updated_at": iso(found.updated_at),
            "reason": found.reason or None,
            "tags": list(found.tags),
            "example_beads": list(found.example_tasks),
        }
    )


def inversion_out(found: anti_patterns.Inversion) -> Given:
    return {"original": pattern_out(found.original), "inverted": pattern_out(found.inverted), "reason": found.reason}


def anti_pattern_config(given: Given) -> anti_patterns.AntiPatternConfig:
    config: Given = given.get("config") or {}
    names = {
        "minObservations": "min_observations",
        "failureRatioThreshold": "failure_ratio_threshold",
        "antiPatternPrefix": "prefix",
    }
    return anti_patterns.AntiPatternConfig(**{names[key]: value for key, value in config.items()})


def should_invert(given: Given, profile: Profile) -> object:
    return anti_patterns.should_invert(pattern_in(given["pattern"]), anti_pattern_config(given))


def invert(given: Given, profile: Profile) -> object:
    pattern, config = pattern_in(given["pattern"]), anti_pattern_config(given)
    return inversion_out(anti_patterns.invert(pattern, given["reason"], config, now=now_of(given), profile=profile))


def record_observation(given: Given, profile: Profile) -> object:
    pattern, inversion = anti_patterns.record(
        pattern_in(given["pattern"]),
        given["success"],
        given.get("beadId") or "",
        anti_pattern_config(given),
        now=now_of(given),
        profile=profile,
    )
    found = {"pattern": pattern_out(pattern)}
    return found if inversion is None else {**found, "inversion": inversion_out(inversion)}


def extract(given: Given, profile: Profile) -> object:
    return strategies.extract_strategies(given["description"], profile)


def format_anti_patterns(given: Given, profile: Profile) -> object:
    return anti_patterns.format_anti_patterns(map(pattern_in, given["patterns"]))


def format_successful(given: Given, profile: Profile) -> object:
    rate = given.get("minSuccessRate", anti_patterns.MIN_SUCCESS_RATE)
    return anti_patterns.format_successful_patterns(map(pattern_in, given["patterns"]), rate)


FUNCTIONS: dict[str, Function] = {
    "extractPatternsFromDescription": extract,
    "formatAntiPatternsForPrompt": format_anti_patterns,
    "formatSuccessfulPatternsForPrompt": format_successful,
    "invertToAntiPattern": invert,
    "recordPatternObservation": record_observation,
    "shouldInvertPattern": should_invert,
}
