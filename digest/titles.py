"""The title of an episode and its line in an offer, both made of typed facts (digest/facts.py)."""

from __future__ import annotations

from mind_skills.digest.model import Facts

SHOWN_FILES = 2
"""Number of changed files that are named; the others are counted."""


def format_count(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def list_files(names: tuple[str, ...]) -> str:
    shown = " and ".join(names[:SHOWN_FILES])
    return f"{shown} and {len(names) - SHOWN_FILES} more" if len(names) > SHOWN_FILES else shown


def build_title(facts: Facts) -> str:
    """Return one line that says what failed, how often, and what it passed after."""
    subject = " ".join(filter(None, (facts.program, facts.target)))
    if facts.failures:
        failed = f"{subject or 'a call'}: {facts.error or 'failed'} {format_count(facts.failures)}"
    elif facts.reported:
        failed = "a problem that the user reported"
    elif facts.lookups:
        failed = "1 look-up" if facts.lookups == 1 else f"{facts.lookups} look-ups"
    else:
        failed = subject
    after = f"a change in {list_files(facts.changed)}" if facts.changed else ""
    if not failed:
        failed, after = after or "a change", ""
    if facts.passed_again:
        end = f"passes after {after}" if after else "passes later"
    elif facts.passed:
        other = "another " if facts.failures and facts.passed == facts.program else ""
        end = ", ".join(filter(None, (after and f"then {after}", f"{other}{facts.passed} passes")))
    else:
        end = f"then {after}" if after else ""
    return ", ".join(filter(None, (failed, end)))


def describe(facts: Facts) -> str:
    """Return the facts as one line, as an offer lists them."""
    minutes = f"{facts.minutes} min" if facts.minutes else ""
    return "; ".join(
        filter(None, (", ".join(filter(None, (build_title(facts), minutes))), "committed" if facts.committed else ""))
    )
