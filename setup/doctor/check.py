"""One thing that `mind-skills doctor` looks at, and what it finds."""

from __future__ import annotations

from typing import Literal

from mind_skills.output.document import Report


class CheckReport(Report):
    """One thing that was looked at. ``mend`` says what to do, empty where nothing is needed; ``failed`` is unhealthy."""

    name: str
    host: str
    """Empty for what concerns the machine as a whole."""
    state: Literal["ok", "note", "failed"]
    text: str
    mend: str


def fine(name: str, text: str, host: str = "") -> CheckReport:
    return CheckReport(name=name, host=host, state="ok", text=text, mend="")


def noted(name: str, text: str, mend: str, host: str = "") -> CheckReport:
    """Worth knowing, and no illness."""
    return CheckReport(name=name, host=host, state="note", text=text, mend=mend)


def failed(name: str, text: str, mend: str, host: str = "") -> CheckReport:
    """Something is broken."""
    return CheckReport(name=name, host=host, state="failed", text=text, mend=mend)
