"""Whether numpy is there, which nothing of the program itself needs."""

from __future__ import annotations

import os
from importlib.util import find_spec

from mind_skills.errors import MindSkillsError

HINT = "Install the checkout with what its development needs: pip install -e '.[dev]'."


def needed() -> None:
    """Let numpy compute in this thread alone: its matrices are small, and several threads wait for each other most of the time.

    To be called before it is imported. Raises MindSkillsError where it is not installed.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    if find_spec("numpy") is None:
        raise MindSkillsError("extra_missing", "A fit needs numpy, which is not installed.", HINT)
