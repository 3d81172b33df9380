"""From features to a probability, and the features that decided it."""

from __future__ import annotations

import json
from math import exp

import pytest

from mind_skills.detectors.features import FEATURES
from mind_skills.detectors.scorer import load_shipped_model, parse_weights

WEIGHTS = {
    "weights": {"reported": [0.5, 0.2, 0.4], "length": [-0.3, 2.0, 1.0], "web": [0.0, 0.1, 0.3]},
    "intercept": -1.0,
    "calibration": [2.0, 0.5],
    "fitted": {},
}
MODEL = parse_weights(json.dumps(WEIGHTS))


def test_the_log_odds_are_the_intercept_and_each_weight_times_the_deviations_above_the_mean() -> None:
    features = {"reported": 1.0, "length": 3.0, "web": 1.0, "unknown": 9.0}
    odds = -1.0 + 0.5 * (1.0 - 0.2) / 0.4 - 0.3 * (3.0 - 2.0)
    assert MODEL.compute_log_odds(features) == pytest.approx(odds)
    assert MODEL.compute_probability(features) == pytest.approx(1 / (1 + exp(-(2 * odds + 0.5))))
    assert MODEL.list_deciding_features(features) == (("reported", 2.0), ("length", -0.6))


def test_very_large_features_give_probabilities_near_zero_and_one() -> None:
    assert [MODEL.compute_probability({"reported": x, "length": 2.0, "web": 0.1}) for x in (1e6, -1e6)] == [
        pytest.approx(1.0),
        pytest.approx(0.0, abs=1e-12),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"weights": {"a": [1]}}',
        json.dumps({**WEIGHTS, "calibration": [1]}),
        json.dumps({**WEIGHTS, "intercept": "x"}),
    ],
)
def test_parsing_a_malformed_file_of_weights_raises(text: str) -> None:
    with pytest.raises(ValueError):
        parse_weights(text)


def test_the_shipped_weights_are_those_of_features_and_have_their_signs() -> None:
    signs = {feature.name: feature.sign for feature in FEATURES}
    assert all(weight * signs[name] > 0 for name, (weight, _, _) in load_shipped_model().weights.items())
