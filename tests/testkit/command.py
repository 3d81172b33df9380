"""Result of running a command line of this project."""

from __future__ import annotations

import json
import sys
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


def confirm(arguments: list[str]) -> list[str]:
    """Add --yes to an installation or a purge that nobody is asked about, as a script must; it reads no earlier logs."""
    if (sys.stdin.isatty() and sys.stdout.isatty()) or {"--yes", "--dry-run", "--help"} & set(arguments):
        return arguments
    if arguments[:1] == ["install"]:
        return [*arguments, "--yes", *({"--no-history"} - set(arguments))]
    return [*arguments, "--yes"] if arguments[:1] == ["uninstall"] and "--purge" in arguments else arguments
