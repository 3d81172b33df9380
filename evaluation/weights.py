"""Content of weights.json: the numbers that the scorer reads at run time, and a summary of the training data."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from mind_skills.detectors.features import FEATURES
from mind_skills.evaluation.folds import Model
from mind_skills.evaluation.pool import Pool


def build_document(model: Model, fitted: dict[str, Any] | None = None) -> dict[str, Any]:
    """Build the content of weights.json, without features of weight 0."""
    weights = {
        feature.name: [float(weight), float(mean), float(deviation)]
        for feature, weight, mean, deviation in zip(
            FEATURES, model.fitted.weights, model.fitted.means, model.fitted.deviations, strict=True
        )
        if weight
    }
    return {
        "weights": weights,
        "intercept": model.fitted.intercept,
        "calibration": [model.line.slope, model.line.offset],
        "tiers": model.tiers,
        "measured": model.measured,
        "fitted": fitted or {},
    }


def summarise_training_data(pool: Pool) -> dict[str, Any]:
    """Summarise the training data so that it can be recognised, without names or text."""
    labels = [session.label.model_dump_json() for session in pool.sessions]
    return {
        "sessions": len(pool.sessions),
        "owners": len(pool.names),
        "learnings": sum(len(session.label.learnings) for session in pool.sessions),
        "labels": hashlib.sha256("\n".join(labels).encode()).hexdigest()[:16],
    }


def format_document(content: dict[str, Any]) -> str:
    """Format the content as the text of the file, one weight per line."""
    weights = ",\n".join(f"    {json.dumps(name)}: {json.dumps(row)}" for name, row in content["weights"].items())
    rest = {name: value for name, value in content.items() if name != "weights"}
    return f'{{\n  "weights": {{\n{weights}\n  }},\n{json.dumps(rest, indent=2)[2:]}\n'
