"""Made-up users over made-up sessions: who has a taste of their own is told more of what they want, the others no less."""

from __future__ import annotations

import random

import pytest

from research.benchmarks.simulated_user import USERS, ProposedCandidate, Session, simulate_user

pytestmark = pytest.mark.process

GROUPS = {"starts_failed": "failure", "cause_density": "words"}


def made_up(many: int = 150) -> list[Session]:
    """Sessions with one to three candidates, of which each feature is there or not, and the readers' word follows the odds."""
    dice = random.Random(1)
    found: list[list[ProposedCandidate]] = []
    for _ in range(many):
        found.append([])
        for _ in range(dice.randint(1, 3)):
            seen = {name: float(dice.random() < 0.5) for name in (*GROUPS, "user_reported")}
            deciding = tuple((name, 0.8 if seen[name] else -0.8) for name in GROUPS)
            chance = 1 / (1 + 2.718 ** -sum(added for _, added in deciding))
            found[-1].append(ProposedCandidate(chance, 0.4, deciding, seen, dice.random() < chance))
    return list(found)


def test_users_with_their_own_taste_are_offered_more_of_what_they_want() -> None:
    first, *_, last = simulate_user(made_up(), USERS["errors"], GROUPS, 10)
    assert (first.after, last.after) == (0, 100)
    assert first.learning == first.without
    assert last.learning.accepted_share > last.without.accepted_share + 0.1


def test_users_who_agree_with_the_readers_are_not_served_worse() -> None:
    for each in simulate_user(made_up(), USERS["readers"], GROUPS, 10):
        assert each.learning.accepted_share > each.without.accepted_share - 0.02
        assert each.learning.offered > each.without.offered * 0.6


def test_the_seed_determines_the_result() -> None:
    assert simulate_user(made_up(), USERS["causes"], GROUPS, 3) == simulate_user(made_up(), USERS["causes"], GROUPS, 3)
