"""Measure the detector on hand-labelled sessions, and fit its weights to them."""

from __future__ import annotations

import os
from importlib.util import find_spec

from mind_skills.errors import MindSkillsError

INSTALL_HINT = "Install the checkout with its development dependencies: pip install -e '.[dev]'."


def require_numpy() -> None:
    """Raise MindSkillsError unless numpy is installed, and limit it to one thread.

    Must be called before numpy is imported. The matrices are small, and threads would mostly wait for each other.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    if find_spec("numpy") is None:
        raise MindSkillsError("extra_missing", "A fit needs numpy, which is not installed.", INSTALL_HINT)
