"""Result of running a command line of this project."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class CommandResult(NamedTuple):
    """Exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output parsed as JSON."""
        return json.loads(self.out)
