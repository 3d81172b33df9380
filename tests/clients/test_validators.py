"""The host's own validator accepts the files that it would load from a checkout. `.ci/run` runs all of these tests."""

from __future__ import annotations

import pytest

from tests.clients.real_claude import Claude
from tests.testkit.paths import ROOT


@pytest.mark.parametrize("file", ["", ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"])
def test_the_plugin_passes_claude_codes_strict_validation(claude: Claude, file: str) -> None:
    ran = claude.run("plugin", "validate", "--strict", str(ROOT / file))
    assert (ran.code, "Validation passed" in ran.stdout) == (0, True), ran.stdout
