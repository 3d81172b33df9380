"""Builder for short sessions in tests: each method adds one observation (``reads`` one per file), each on its own line."""

from __future__ import annotations

from mind_skills.observations import builders
from mind_skills.observations.model import Observation


class Story:
    """Observations in order; line numbers are multiples of ten, and a result is five lines after its call."""

    def __init__(self) -> None:
        self.observations: list[Observation] = []

    def _line(self) -> int:
        return 10 * (len(self.observations) + 1)

    def _add_message(self, kind: str, text: str) -> Story:
        message = builders.build_message(kind, text, line=self._line())  # type: ignore[arg-type]
        assert message
        self.observations.append(message)
        return self

    def user(self, text: str) -> Story:
        return self._add_message("user", text)

    def agent(self, text: str) -> Story:
        return self._add_message("assistant", text)

    def thinks(self, text: str) -> Story:
        return self._add_message("thinking", text)

    def runs(self, command: str, output: str = "", code: int = 0, *, is_outside_sandbox: bool = False) -> Story:
        line = self._line()
        self.observations.append(
            builders.build_tool_call(
                "Bash",
                "run",
                line=line,
                end_line=line + 5,
                command=command,
                output=output,
                outcome="failed" if code else "ok",
                exit_code=code,
                is_outside_sandbox=is_outside_sandbox,
            )
        )
        return self

    def edits(self, file: str, removed: str = "old", added: str = "new") -> Story:
        line = self._line()
        self.observations.append(
            builders.build_tool_call(
                "Edit", "edit", line=line, end_line=line + 5, files=(file,), removed=removed, added=added, outcome="ok"
            )
        )
        return self

    def reads(self, *files: str) -> Story:
        for file in files:
            line = self._line()
            self.observations.append(
                builders.build_tool_call(
                    "Read", "read", line=line, end_line=line + 5, files=(file,), output="text", outcome="ok"
                )
            )
        return self

    def fetches(self, address: str) -> Story:
        line = self._line()
        self.observations.append(
            builders.build_tool_call(
                "WebFetch", "web", line=line, end_line=line + 5, command=address, output="text", outcome="ok"
            )
        )
        return self

    def refused(self, file: str) -> Story:
        """Add an edit that failed because its old text was not found."""
        line = self._line()
        error = "String to replace not found in file."
        self.observations.append(
            builders.build_tool_call(
                "Edit", "edit", line=line, end_line=line + 5, files=(file,), output=error, outcome="failed", error=error
            )
        )
        return self

    def rejected(self, command: str) -> Story:
        """Add a command that the user did not allow."""
        line = self._line()
        self.observations.append(
            builders.build_tool_call("Bash", "run", line=line, end_line=line + 5, command=command, outcome="rejected")
        )
        return self
