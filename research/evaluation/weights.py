"""Weights files: the numbers that the scorer reads at run time, and a summary of the training data."""

from __future__ import annotations

import hashlib
import json
import re
from itertools import pairwise
from typing import Any

from mind_skills.detectors.features import FEATURES
from research.evaluation.folds import FittedModel, Pool

EDGES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0)
"""Probabilities between which the share of learnings is stored."""


_INNER = re.compile(r"\[[^\[\]{}]+\]|\{[^{}\[\]]+\}")
"""Arrays and objects that hold no others."""


def build_document(model: FittedModel, pool: Pool) -> dict[str, Any]:
    """Build the content of weights.json, with features of weight 0 left out.

    ``measured`` lists, for ranges of probability, the number of episodes of unseen owners and the share of them on a learning.
    ``fitted`` summarises the training data so that it can be recognised, without names or text.
    """
    fitted = model.fitted
    labels = [session.label.model_dump_json() for session in pool.sessions]
    return {
        "weights": {
            feature.name: [float(weight), float(mean), float(deviation)]
            for feature, weight, mean, deviation in zip(
                FEATURES, fitted.weights, fitted.means, fitted.deviations, strict=True
            )
            if weight
        },
        "intercept": fitted.intercept,
        "calibration": [model.line.slope, model.line.offset],
        "measured": [_measure(model, low, high) for low, high in pairwise(EDGES)],
        "fitted": {
            "sessions": len(pool.sessions),
            "owners": len(pool.names),
            "learnings": sum(len(session.label.learnings) for session in pool.sessions),
            "labels": hashlib.sha256("\n".join(labels).encode()).hexdigest()[:16],
        },
    }


def _measure(model: FittedModel, low: float, high: float) -> dict[str, float]:
    hits = [hit for probability, hit in model.guesses if low <= probability < high]
    return {"from": low, "to": high, "episodes": len(hits), "right": round(sum(hits) / max(1, len(hits)), 3)}


def format_document(content: dict[str, Any]) -> str:
    """Format the content as the text of the file, one row of numbers per line."""
    return _INNER.sub(lambda match: json.dumps(json.loads(match[0])), json.dumps(content, indent=2)) + "\n"
