"""Notes the secrets of the session that is being read, as its texts go by (redaction/session.py)."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from itertools import repeat
from typing import cast

from mind_skills.observations.codec import JsonObject, parse_object
from mind_skills.observations.model import Observation
from mind_skills.redaction.session import SessionSecrets, redact_printed

_MAX_SHORT_LENGTH, _MAX_JOINED_LENGTH = 400, 3_000
"""Maximum length of a string that is noted with its key and its neighbours, and of such a group, in characters."""
_MEDIA_LENGTH = 8_192
"""A string without a space in so many characters is a picture or a document in base64."""
_COPIES = frozenset({"toolUseResult", "encrypted_content", "signature", "snapshot", "base64"})
"""Keys of what a log repeats for the client alone, or what is no text."""
_ID_KEYS = ("id", "uuid", "Uuid", "Id", "ID", "UUID", "timestamp", "type", "role", "model", "version")
"""The ends of keys whose values identify something. None of them is the end of a secret's name."""
_SECRETS: ContextVar[SessionSecrets | None] = ContextVar("_SECRETS", default=None)


def note_secrets(observations: Iterator[Observation], secrets: SessionSecrets) -> Iterator[Observation]:
    """Yield the observations of a reader, and note the secrets in the texts that it passes to this module in the meantime."""
    while True:
        token = _SECRETS.set(secrets)
        try:
            observation = next(observations)
        except StopIteration:
            return
        finally:
            _SECRETS.reset(token)
        yield observation


def note_record(record: JsonObject) -> None:
    """Note the secrets in all strings of a record, whether they become observations or not, and those that a key names.

    A field of the record itself that is the same in the record before, such as the folder, is skipped.
    """
    secrets = _SECRETS.get()
    if secrets is None:
        return
    lines: list[str] = []
    length = 0
    levels: list[Iterator[tuple[str, object]]] = [iter(record.items())]
    while levels:
        for key, value in levels[-1]:
            if isinstance(value, str):
                if value.startswith('{"') and (inner := parse_object(value)):  # the arguments of a call
                    levels.append(iter(inner.items()))
                    break
                if len(value) > _MAX_SHORT_LENGTH:
                    if key not in _COPIES and (len(value) < _MEDIA_LENGTH or " " in value[:_MEDIA_LENGTH]):
                        secrets.note(value)
                elif not key.endswith(_ID_KEYS) or "ecret" in key:
                    if len(levels) == 1 and secrets.is_header(key, value):
                        continue
                    # The header of a table is recognised by its line.
                    lines.append(f'"{key}":\n{value}' if "\n" in value else f'"{key}": "{value}"')
                    length += len(value)
            elif isinstance(value, dict):
                if key not in _COPIES:
                    levels.append(iter(cast("JsonObject", value).items()))
                    break
            elif isinstance(value, list):
                levels.append(zip(repeat(key), cast("list[object]", value), strict=False))
                break
        else:
            levels.pop()
        if length > _MAX_JOINED_LENGTH:
            secrets.note("\n".join(lines))
            del lines[:-1]  # a name may stand in one field, and its value in the next
            length = 0
    if lines:
        secrets.note("\n".join(lines))


def note_values(*texts: str) -> None:
    """Note all secrets in texts whose redaction has found some."""
    secrets = _SECRETS.get()
    if secrets is not None:
        for text in texts:
            secrets.note_values(text)


def redact_output(command: str, output: str) -> str:
    """Return the output of a command without the secrets that it prints, and note them."""
    secrets = _SECRETS.get()
    return redact_printed(command, output)[0] if secrets is None else secrets.note_output(command, output)
