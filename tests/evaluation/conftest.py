from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mind_skills.evaluation.__main__ import main
from mind_skills.redaction import personal
from tests.testkit.command import CommandResult


@pytest.fixture(autouse=True)
def _apart(apart: Path) -> None:
    """Every test has its own home, state, settings and project, whether it requests them or not."""


@pytest.fixture
def evaluate(capsys: pytest.CaptureFixture[str]) -> Callable[..., CommandResult]:
    """A function that runs a command line of the evaluation in this process."""

    def call(*arguments: str | Path) -> CommandResult:
        personal.is_personal_redaction_enabled.cache_clear()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return CommandResult(code, captured.out, captured.err)

    return call
