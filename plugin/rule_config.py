"""The documents' settings of the learning rules, checked. Their names are the documents' in snake_case.

Defaults, bounds and other names are those of plugin/rules.py, which hooks read without pydantic; a test compares.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from mind_skills.plugin.rules import PREFIX_LENGTH, is_prefix


class Section(BaseModel):
    """What all sections have in common: no unknown keys, no silent conversion of types."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)


def _prefix(text: str) -> str:
    """Refuse what is no word of warning, as hooks do."""
    if not is_prefix(text):
        raise ValueError("a warning begins with one to three words and a colon")
    return text


Ratio = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
Days = Annotated[float, Field(ge=1.0, le=36_500.0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, le=1_000)]
Milliseconds = Annotated[int, Field(ge=1_000, le=86_400_000)]


class Learning(Section):
    """How a session is scored, and what decided candidates make of their detector."""

    half_life_days: Annotated[Days, Field(description="After so many days a decision counts half.")] = 90.0
    min_feedback_for_adjustment: Annotated[Count, Field(description="Below so many decisions a detector weighs 1.")] = 3
    max_harmful_ratio: Annotated[
        Ratio, Field(description="A detector of which surely more than this share was dismissed falls silent.")
    ] = 0.3
    fast_completion_threshold_ms: Annotated[
        Milliseconds, Field(description="A session shorter than this was fast, in milliseconds.")
    ] = 300_000
    slow_completion_threshold_ms: Annotated[
        Milliseconds, Field(description="A session longer than this was slow, in milliseconds.")
    ] = 1_800_000
    max_errors_neutral: Annotated[
        int,
        Field(ge=0, le=1_000, description="Up to so many errors score as middling (in the documents `maxErrorsForHelpful`)."),
    ] = 2  # fmt: skip


class AntiPattern(Section):
    """When a strategy becomes a warning, and how that begins."""

    min_observations: Annotated[Count, Field(description="A strategy is judged from so many sessions on.")] = 3
    failure_ratio_threshold: Annotated[
        Ratio, Field(description="From this share of failed sessions on it becomes a warning.")
    ] = 0.6
    anti_pattern_prefix: Annotated[
        str,
        AfterValidator(_prefix),
        Field(max_length=PREFIX_LENGTH, description="How a warning begins: one to three words and a colon."),
    ] = "AVOID: "


class Maturity(Section):
    """How far a strategy or a skill is trusted."""

    min_feedback: Annotated[Count, Field(description="Below so many votes it is a candidate.")] = 3
    min_helpful: Annotated[
        float,
        Field(ge=1.0, le=1_000.0, allow_inf_nan=False, description="Proven from so many helpful votes on, as they have faded."),
    ] = 5.0  # fmt: skip
    max_harmful: Annotated[Ratio, Field(description="Proven only below this share of harmful votes.")] = 0.15
    deprecation_threshold: Annotated[Ratio, Field(description="Deprecated above this share of harmful votes.")] = 0.3
    half_life_days: Annotated[Days, Field(description="After so many days a vote counts half.")] = 90.0
