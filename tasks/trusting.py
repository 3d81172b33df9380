"""What a record of the memory is worth today, by the counts that its reference has in learning/ and staging/."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from mind_skills.learning.decay import HALF_LIFE_DAYS, decay
from mind_skills.learning.deprecation import evaluate
from mind_skills.learning.maturity import MULTIPLIERS, MaturityConfig, PatternMaturity
from mind_skills.learning.rules import DEFAULTS, Rules
from mind_skills.learning.storage import PACKAGE, STEPS, MaturityStorage, PatternStorage
from mind_skills.memory.model import Record
from mind_skills.memory.store import Trust
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.trust import Trust as LearningTrust
from mind_skills.store.database import Database

LEAST = 0.1
"""What age alone leaves of a pattern's worth, as of a criterion's weight: old is not wrong."""
UNJUDGED = MULTIPLIERS["candidate"]
"""The worth of what no session has judged: an episode."""
SAID = MULTIPLIERS["established"]
"""The worth of what somebody has stored on purpose."""


@contextmanager
def trust_of(home: str, now: int, rules: Rules = DEFAULTS) -> Generator[Trust]:
    """The worth of records at ``now`` (UTC milliseconds) by the numbers of ``rules``.

    What was looked up is remembered until the end of ``with``.
    """
    with Database.open(home, PACKAGE, STEPS) as database, Ledger.open(home) as ledger:
        maturities = MaturityStorage(database)
        patterns = PatternStorage(database)
        known: dict[str, float] = {}
        learnings: list[LearningTrust] = []

        def trust(record: Record) -> float:
            if record.kind == "episode":
                return UNJUDGED
            if not record.reference:
                return SAID
            if record.kind == "learning":
                learnings[:] = learnings or [ledger.trust(now, rules.maturity)]  # read once, where one is asked for
                return learnings[0](record.project, record.reference)
            if record.reference not in known:
                known[record.reference] = _standing(record, maturities, patterns, rules.maturity, now)
            return known[record.reference]

        yield trust


def _standing(
    record: Record,
    maturities: MaturityStorage,
    patterns: PatternStorage,
    stages: MaturityConfig,
    now: int,
) -> float:
    pattern = patterns.get(record.reference)
    if pattern is None or pattern.kind != record.kind:
        return 0.0  # its warning was taken back, or it was forgotten
    if pattern.kind == "anti_pattern":
        return SAID
    held = maturities.get(record.reference) or PatternMaturity(record.reference)
    return worth(evaluate(held, maturities.feedback(record.reference), stages, now=now), now, stages.half_life_days)


def worth(maturity: PatternMaturity, now: int, half_life_days: float = HALF_LIFE_DAYS) -> float:
    """The multiplier of a maturity, faded by half for each half-life since it was last confirmed."""
    validated = maturity.last_validated
    return MULTIPLIERS[maturity.state] * (
        1.0 if validated is None else max(LEAST, decay(validated, now, half_life_days))
    )
