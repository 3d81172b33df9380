"""What holds for every test: no dependence on speed, and never the real home."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

# Ignored where the tests run behind a script's &, which every process that they start would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("patient", deadline=None)  # a machine under load is no fault of the code
# The same examples each time: a run of CI says something about the change. New ones are looked for wherever else it runs.
settings.register_profile("same", settings.get_profile("patient"), derandomize=True)
# For a long night: MIND_SKILLS_DEEP=1 draws 10,000 examples for every reader and every detector (docs/security.md).
settings.register_profile("deep", settings.get_profile("patient"), max_examples=10_000)
settings.load_profile("deep" if os.environ.get("MIND_SKILLS_DEEP") else "same" if os.environ.get("CI") else "patient")


@pytest.fixture(autouse=True, scope="session")
def _state_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A test that names no state folder gets one that is thrown away."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MIND_SKILLS_HOME", str(tmp_path_factory.mktemp("state")))
        for name in (
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
            "GEMINI_CLI_HOME",
        ):  # where HOME alone would not keep a test away
            patch.delenv(name, raising=False)
        yield
