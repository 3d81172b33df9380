"""A proof in words, for `proof` and `status`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mind_skills.cli.proof_report import ArmReport, ComparisonReport

_VERDICTS = {
    "better": "better with the skill",
    "worse": "worse with the skill",
    "no_difference": "no difference that chance does not explain",
    "not_enough_data": "not enough data",
}


def side(found: ArmReport) -> str:
    """`3 of 4 (30 % to 95 %)`."""
    return f"{found.solved} of {found.n} ({found.low:.0%} to {found.high:.0%})" if found.n else "none"


def pace(found: ArmReport) -> str:
    """How long those took that got past it."""
    if found.median_steps is None:
        return "-"
    seconds = "" if found.median_ms is None else f", {_time(found.median_ms)}"
    return f"{found.median_steps:g} steps{seconds}"


def difference(found: ComparisonReport) -> str:
    """`+38 points (-10 to +70)`, and what that says."""
    said = _VERDICTS[found.verdict]
    if found.difference is None:
        return said
    return f"{100 * found.difference:+.0f} points ({100 * found.low:+.0f} to {100 * found.high:+.0f}), {said}"


def sentence(found: ComparisonReport) -> str:
    """All of it in one line."""
    return (
        f"known errors that came back: {side(found.with_skill)} sessions got past them with the skill loaded,"
        f" {side(found.without)} without; {difference(found)}"
    )


def _time(milliseconds: float) -> str:
    seconds = milliseconds / 1000
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
