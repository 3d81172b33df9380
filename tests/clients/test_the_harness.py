"""The harness itself: the client does what the scripted model says."""

from __future__ import annotations

import json

from tests.clients.lesson import bash
from tests.clients.real_claude import Claude


def test_the_scripted_model_drives_the_real_client(claude: Claude) -> None:
    claude.plugin = None
    ran = claude.session("one", [bash("echo hello > there.txt")], ["All done."], prompt="write a file")
    assert json.loads(ran.stdout)["result"] == "All done."
    assert (claude.project / "there.txt").read_text() == "hello\n"
    assert len(claude.requests("one")) == 2
