"""The checks of `mind-skills doctor`. They report problems and how to fix them, but change nothing."""

from __future__ import annotations

from typing import Literal

from mind_skills.errors import as_error
from mind_skills.output.document import Report


class CheckReport(Report):
    """The result of one check.

    ``mend`` says how to fix the problem, or is empty; a ``failed`` check makes the installation unhealthy.
    """

    name: str
    host: str
    """Empty if the check is not about one host."""
    state: Literal["ok", "note", "failed"]
    text: str
    mend: str


def make_ok(name: str, text: str, host: str = "") -> CheckReport:
    return CheckReport(name=name, host=host, state="ok", text=text, mend="")


def make_note(name: str, text: str, mend: str, host: str = "") -> CheckReport:
    """Create a result that informs the user, but does not make the installation unhealthy."""
    return CheckReport(name=name, host=host, state="note", text=text, mend=mend)


def make_failure(name: str, text: str, mend: str, host: str = "") -> CheckReport:
    return CheckReport(name=name, host=host, state="failed", text=text, mend=mend)


def report_exception(name: str, failure: Exception, host: str) -> CheckReport:
    """Create a failing result from the exception that ended a check. Raises ``failure`` if it is a bug."""
    error = as_error(failure)
    if error is None:
        raise failure
    is_file_wrong = error.code in ("settings_shape", "settings_syntax")
    fix = "Correct the file, then run `mind-skills doctor` again." if is_file_wrong else error.hint
    return make_failure(name, error.message, fix, host)
