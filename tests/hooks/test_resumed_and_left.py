"""An offer that a resumed session received and did not read is made again: older answers do not show that it was read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.hooks.lifecycle_world import World

BEGIN = """
    A starts startup
    A answers
    A ends
    B starts startup
    B learns one
    B ends
"""


class Timed(World):
    """Its logs state when each line was written, as those of real hosts do."""

    def block(self, session: str, kind: str, block: Mapping[str, Any]) -> None:
        super().block(session, kind, block)
        *before, last = self.log(session).read_text().splitlines()
        written_at = datetime.fromtimestamp(self.now / 1000, UTC).isoformat().replace("+00:00", "Z")
        line = json.dumps({"timestamp": written_at, **json.loads(last)})
        self.log(session).write_text("\n".join([*before, line, ""]))
        os.utime(self.log(session), (self.now / 1000, self.now / 1000))


@pytest.mark.parametrize("says", ["", "A answers", "A asks"])
@pytest.mark.parametrize("way", ["A ends", "A dies"])
def test_an_offer_to_a_resumed_session_is_made_again_unless_that_session_answered(
    tmp_path: Path, says: str, way: str
) -> None:
    with Timed(tmp_path) as world:
        world.tell(BEGIN)
        world.runs("A")
        assert world.tell("later A starts resume") == ["one"]
        world.tell(f"{says}\n{way}")
        offered = world.tell("later C starts startup")
        read = says == "A answers"
        assert (offered, world.history()) == ((["-"], {"one": "ignored"}) if read else (["one"], {}))
