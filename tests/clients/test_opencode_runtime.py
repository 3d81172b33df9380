"""The plugin file in the runtime of OpenCode itself, with input that OpenCode never passes."""

from __future__ import annotations

from pathlib import Path

from tests.clients.folders import require_program
from tests.clients.real_opencode import OpenCode
from tests.plugin.adapters.node_host import FAILING, ODD, node


def test_the_opencode_plugin_never_throws_on_any_input(tmp_path: Path) -> None:
    require_program(OpenCode.program())
    state = {"MIND_SKILLS_HOME": str(tmp_path / "state"), "LINGER": "1600"}
    assert node(tmp_path, ODD, FAILING, str(OpenCode.program()), BUN_BE_BUN="1", **state) == "done\n"
