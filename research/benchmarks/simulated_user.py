"""Simulated users who accept and dismiss: the share of offers that they accept, with and without adaptation.

usage: python -m research.benchmarks.simulated_user --labels labels.jsonl --corpus logs/

The candidates are those that the detector finds in labelled sessions with weights fitted to all other owners. The users
are simulated. Each accepts a candidate with a probability stated in ``USERS``, which depends on whether readers called
it a learning and whether it is of the kind that this user wants; the last user wants what the readers want. Half of the
other candidates are dismissed, the rest ignored. Sessions come in random order; after 0, 10, 30 and 100 decisions, the
offers of all remaining sessions are evaluated.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from mind_skills.detectors.features import FEATURES
from mind_skills.detectors.scorer import parse_weights
from mind_skills.learning.taste import IGNORED_WEIGHT, NO_TASTE, Taste, TasteDecision, fit_taste
from mind_skills.staging.decisions import map_features_to_groups
from mind_skills.staging.model import HIGH, MAX_PER_SESSION

DECISION_COUNTS = (0, 10, 30, 100)
ORDERS = 30
SEED = 20_261_123
Features = Mapping[str, float]
Key = tuple[bool, bool]


class User(NamedTuple):
    """A user: which candidates they want, and the probability of acceptance by (is a learning, is wanted)."""

    description: str
    wants: Callable[[Features], bool]
    acceptance: Mapping[Key, float]


WITH_PREFERENCE: Mapping[Key, float] = {(True, True): 0.9, (False, True): 0.4, (True, False): 0.2, (False, False): 0.05}
AS_READERS: Mapping[Key, float] = {(True, True): 0.9, (False, True): 0.1, (True, False): 0.9, (False, False): 0.1}
USERS = {
    "errors": User(
        "wants candidates that began with a failure", lambda features: features["starts_failed"] > 0, WITH_PREFERENCE
    ),
    "causes": User(
        "wants candidates with a stated cause", lambda features: features["cause_density"] > 0, WITH_PREFERENCE
    ),
    "reports": User(
        "wants candidates that the user reported", lambda features: features["user_reported"] > 0, WITH_PREFERENCE
    ),
    "readers": User("wants what readers called a learning", lambda _: True, AS_READERS),
}


class ProposedCandidate(NamedTuple):
    """A candidate that counts as offered if its probability, adjusted to the user's taste, is at least ``threshold``.

    ``deciding`` are the features that decided its probability (scorer.list_deciding_features); ``is_learning`` is whether
    readers called it a learning.
    """

    probability: float
    threshold: float
    deciding: tuple[tuple[str, float], ...]
    features: Features
    is_learning: bool


Session = Sequence[ProposedCandidate]


class OfferFigures(NamedTuple):
    """Offers of the remaining sessions, in one order or on average: their number, and the share that the user accepts."""

    offered: float
    accepted_share: float


class ComparedFigures(NamedTuple):
    """Results without and with adaptation, after a number of decisions."""

    after: int
    without: OfferFigures
    learning: OfferFigures


def select_offers(session: Session, taste: Taste) -> list[ProposedCandidate]:
    """Return the candidates of a session that are offered to a user with this taste, best first."""
    adjusted = [(taste.adjust_probability(each.probability, each.deciding), each) for each in session]
    ranked = sorted((pair for pair in adjusted if pair[0] >= pair[1].threshold), key=lambda pair: -pair[0])
    return [candidate for _, candidate in ranked[:MAX_PER_SESSION]]


def simulate_order(
    sessions: Sequence[Session], user: User, groups: Mapping[str, str], rng: random.Random
) -> list[ComparedFigures]:
    """Run one order of the sessions for one user; ``groups`` maps each feature to its group."""
    order = rng.sample(sessions, len(sessions))
    decisions: list[TasteDecision] = []
    taste, place, found = NO_TASTE, 0, list[ComparedFigures]()
    for after in DECISION_COUNTS:
        while len(decisions) < after and place < len(order):
            for each in select_offers(order[place], taste):
                accepted = rng.random() < _get_acceptance(user, each)
                weight = 1.0 if accepted or rng.random() < 0.5 else IGNORED_WEIGHT
                decisions.append(TasteDecision(each.probability, each.deciding, accepted, weight))
            taste, place = fit_taste(decisions, groups), place + 1
        if place < len(order) and len(decisions) >= after:
            rest = order[place:]
            found.append(
                ComparedFigures(after, _measure_offers(rest, user, NO_TASTE), _measure_offers(rest, user, taste))
            )
    return found


def average_figures(orders: Sequence[ComparedFigures]) -> ComparedFigures:
    """Pool the figures of several orders after the same number of decisions."""
    return ComparedFigures(
        orders[0].after,
        _pool_figures([order.without for order in orders]),
        _pool_figures([order.learning for order in orders]),
    )


def simulate_user(
    sessions: Sequence[Session], user: User, groups: Mapping[str, str], orders: int = ORDERS
) -> list[ComparedFigures]:
    """Simulate a user over ``orders`` random orders of the sessions."""
    rng = random.Random(SEED)
    every = [each for _ in range(orders) for each in simulate_order(sessions, user, groups, rng)]
    return [
        average_figures(same) for after in DECISION_COUNTS if (same := [each for each in every if each.after == after])
    ]


def _measure_offers(sessions: Sequence[Session], user: User, taste: Taste) -> OfferFigures:
    offers = [candidate for session in sessions for candidate in select_offers(session, taste)]
    accepted = sum(_get_acceptance(user, candidate) for candidate in offers)
    return OfferFigures(len(offers), accepted / max(1, len(offers)))


def _pool_figures(figures: Sequence[OfferFigures]) -> OfferFigures:
    offered = sum(each.offered for each in figures)
    accepted = sum(each.offered * each.accepted_share for each in figures)
    return OfferFigures(offered / len(figures), accepted / max(1, offered))


def _get_acceptance(user: User, candidate: ProposedCandidate) -> float:
    return user.acceptance[candidate.is_learning, user.wants(candidate.features)]


def find_candidates_out_of_fold(labels: Path, corpus: Path, jobs: int) -> Iterator[list[ProposedCandidate]]:
    """Yield the candidates of each labelled session, with weights fitted to all other owners.

    The two calibration parameters are fitted to all owners, which saves 300 fits. Needs numpy.
    """
    from research.evaluation import study, weights  # noqa: PLC0415 -- needs numpy, unlike the rest
    from research.evaluation.measuring import choose_proposals  # noqa: PLC0415 -- as above

    names = [feature.name for feature in FEATURES]
    folds = study.read_sessions([labels], [corpus], jobs).folds
    model = folds.build_model()
    fitted = {owner: model._replace(fitted=folds.fit_without(frozenset({owner}))) for owner in folds.pool.names}
    scorers = {
        owner: parse_weights(weights.format_document(weights.build_document(one, folds.pool)))
        for owner, one in fitted.items()
    }
    for session, owner in zip(folds.pool.sessions, folds.pool.owners, strict=True):
        scorer = scorers[owner]
        features = [dict(zip(names, each.features, strict=True)) for each in session.proposals]
        chances = [scorer.compute_probability(each) for each in features]
        hit, found = set[int](), list[ProposedCandidate]()
        for place in choose_proposals(session, chances, MAX_PER_SESSION):
            hits = set(session.proposals[place].hits)
            deciding = scorer.list_deciding_features(features[place])
            found.append(
                ProposedCandidate(chances[place], HIGH, deciding, features[place], is_learning=bool(hits - hit))
            )
            hit |= hits
        yield found


def main() -> None:
    """Print a table for each user."""
    parser = argparse.ArgumentParser(description="Simulated users who accept and dismiss.")
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    sessions = list(find_candidates_out_of_fold(options.labels, options.corpus, options.jobs))
    print(f"{len(sessions)} sessions, {sum(map(len, sessions))} candidates, {ORDERS} orders, seed {SEED}")
    for name, user in USERS.items():
        print(f"\n{name}: {user.description}")
        print("decisions  offered  accepted without  offered  accepted with learning")
        for each in simulate_user(sessions, user, map_features_to_groups()):
            one, other = each.without, each.learning
            print(
                f"{each.after:9}  {one.offered:7.0f}  {one.accepted_share:16.3f}  {other.offered:7.0f}  {other.accepted_share:22.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
