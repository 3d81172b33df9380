"""weights.json as it is written: what the scorer reads at run time, and what it was fitted to."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from mind_skills.detectors.features import FEATURES
from mind_skills.evaluation.folds import Model
from mind_skills.evaluation.pool import Pool


def document(model: Model, fitted: dict[str, Any] | None = None) -> dict[str, Any]:
    """The content of weights.json. Features whose weight is 0 are left out."""
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


def provenance(pool: Pool) -> dict[str, Any]:
    """What a model was fitted to, so that another can tell whether it has the same: no names, no text."""
    said = [session.label.model_dump_json() for session in pool.sessions]
    return {
        "sessions": len(pool.sessions),
        "owners": len(pool.names),
        "learnings": sum(len(session.label.learnings) for session in pool.sessions),
        "labels": hashlib.sha256("\n".join(said).encode()).hexdigest()[:16],
    }


def text(content: dict[str, Any]) -> str:
    """The bytes of the file, as text: one weight a line."""
    weights = ",\n".join(f"    {json.dumps(name)}: {json.dumps(row)}" for name, row in content["weights"].items())
    rest = {name: value for name, value in content.items() if name != "weights"}
    return f'{{\n  "weights": {{\n{weights}\n  }},\n{json.dumps(rest, indent=2)[2:]}\n'
