"""An offer that a resumed session was handed, and that nobody read since, is made again: old answers are no sign."""

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
    """Its logs say when each line was written, as those of real hosts do."""

    def block(self, session: str, kind: str, block: Mapping[str, Any]) -> None:
        super().block(session, kind, block)
        *before, last = self.log(session).read_text().splitlines()
        said = datetime.fromtimestamp(self.now / 1000, UTC).isoformat().replace("+00:00", "Z")
        line = json.dumps({"timestamp": said, **json.loads(last)})
        self.log(session).write_text("\n".join([*before, line, ""]))
        os.utime(self.log(session), (self.now / 1000, self.now / 1000))


@pytest.mark.parametrize("says", ["", "A answers", "A asks"])
@pytest.mark.parametrize("way", ["A ends", "A dies"])
def test_what_a_resumed_session_never_read_is_offered_to_the_next(tmp_path: Path, says: str, way: str) -> None:
    with Timed(tmp_path) as world:
        world.tell(BEGIN)
        world.runs("A")
        assert world.tell("later A starts resume") == ["one"]
        world.tell(f"{says}\n{way}")
        told = world.tell("later C starts startup")
        read = says == "A answers"
        assert (told, world.history()) == ((["-"], {"one": "ignored"}) if read else (["one"], {}))
