"""Whether this process redacts what belongs to a person (redaction/personal.py). It does, unless the settings say no.

They are read once, and only when there is a text to redact.
"""

from __future__ import annotations

_answers: list[bool] = []


def wanted() -> bool:
    """Whether anything is redacted."""
    if not _answers:
        from mind_skills.settings.lenient import redacts_personal_data

        _answers.append(redacts_personal_data())
    return _answers[0]


def forget() -> None:
    """Read the settings again at the next text."""
    _answers.clear()
