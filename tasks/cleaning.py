"""Cleaning of texts that a person or an agent passes to a tool or a command."""

from __future__ import annotations

from collections.abc import Callable, Collection

from mind_skills.redaction.personal import redact_personal, redact_personal_if_address
from mind_skills.redaction.session import SessionSecrets
from mind_skills.redaction.text import clean_text
from mind_skills.store.project import digest_text

MAX_TEXT_LENGTH, MAX_ID_LENGTH = 2_000, 200
TAG_ESCAPES = str.maketrans({"<": "‹", ">": "›", "`": "'"})
"""Replaces the characters that form tags or code."""


def make_text_cleaner(limit: int, *, single_line: bool = False) -> Callable[[object], object]:
    """Return a function that cleans text and, with ``single_line``, collapses it to one line."""

    def clean_value(value: object) -> object:
        if not isinstance(value, str):
            return value
        text = clean_text(value, limit)
        if single_line:
            text = " ".join(text.split())
            # Preserve absolute paths, which locate files.
            return text if text.startswith("/") else redact_personal_if_address(text)[:limit]
        return redact_personal(text).strip()[:limit]

    return clean_value


def hide_shown_values(texts: Collection[str]) -> list[str]:
    """Return the texts without the values that one of them shows to be secrets."""
    secrets = SessionSecrets()
    for text in texts:
        secrets.note(text)
    return list(map(secrets.hide_values, texts))


def flatten(text: str, limit: int) -> str:
    """Collapse ``text`` to one line of at most ``limit`` characters, without characters that form tags or code."""
    flat = " ".join(text.split()).translate(TAG_ESCAPES)
    return flat if len(flat) <= limit else f"{flat[: limit - 3]}..."


def clean_task_id(value: object) -> object:
    """Clean the id of a task. A longer text is a description, and is replaced with the id that is derived from it."""
    description = make_text_cleaner(MAX_TEXT_LENGTH)(value)
    if isinstance(description, str) and len(description) > MAX_ID_LENGTH:
        return derive_task_id(description)
    return make_text_cleaner(MAX_ID_LENGTH, single_line=True)(value)


def derive_task_id(description: str) -> str:
    """Derive an id from the description of a task: the same for the same words, regardless of case and spacing."""
    return f"task-{digest_text(' '.join(redact_personal(description).lower().split()))[:8]}"
