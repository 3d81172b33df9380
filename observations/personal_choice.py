"""Whether this process redacts what belongs to a person (observations/personal.py). It does, unless somebody is asked who says no.

The settings are read by a package above this one, and only once there is a text to redact.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # every command passes through here
    from collections.abc import Callable

_asked: list[Callable[[], bool]] = []
_answers: list[bool] = []


def ask(whom: Callable[[], bool] | None) -> None:
    """Have ``whom`` say it at the first text of this process; None takes that back."""
    _asked[:] = [] if whom is None else [whom]
    _answers.clear()


def wanted() -> bool:
    """Whether anything is redacted."""
    if not _answers:
        _answers.append(_asked[0]() if _asked else True)
    return _answers[0]
