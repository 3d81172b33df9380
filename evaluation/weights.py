"""Weights files: the numbers that the scorer reads at run time, and a summary of the training data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mind_skills.detectors.features import FEATURES, Feature
from mind_skills.evaluation.fitting import Fitted
from mind_skills.evaluation.folds import Model, Pool


def list_weights(features: Sequence[Feature], fitted: Fitted) -> dict[str, list[float]]:
    """Return weight, mean and deviation by feature name, without features of weight 0."""
    return {
        feature.name: [float(weight), float(mean), float(deviation)]
        for feature, weight, mean, deviation in zip(
            features, fitted.weights, fitted.means, fitted.deviations, strict=True
        )
        if weight
    }


def build_document(model: Model, training_data: dict[str, Any] | None = None) -> dict[str, Any]:
    """Build the content of weights.json. ``training_data`` comes from ``summarise_training_data``."""
    return {
        "weights": list_weights(FEATURES, model.fitted),
        "intercept": model.fitted.intercept,
        "calibration": [model.line.slope, model.line.offset],
        "tiers": model.tiers,
        "measured": model.measured,
        "fitted": training_data or {},
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


def write_document(content: dict[str, Any], path: Path) -> bool:
    """Write the content to a file. Return whether the file changed. Raises OSError."""
    text = format_document(content)
    has_changed = not path.exists() or path.read_text(encoding="utf-8") != text
    if has_changed:
        path.write_text(text, encoding="utf-8")
    return has_changed


def format_document(content: dict[str, Any]) -> str:
    """Format the content as the text of the file, one weight per line."""
    weights = ",\n".join(f"    {json.dumps(name)}: {json.dumps(row)}" for name, row in content["weights"].items())
    rest = {name: value for name, value in content.items() if name != "weights"}
    return f'{{\n  "weights": {{\n{weights}\n  }},\n{json.dumps(rest, indent=2)[2:]}\n'
