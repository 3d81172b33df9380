"""Notes the secrets of the session that is being read, as its texts go by (redaction/session.py)."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar

from mind_skills.observations.model import Observation
from mind_skills.redaction.session import SessionSecrets, redact_printed

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


def note_texts(*texts: str) -> None:
    """Note the secrets near words for secrets in texts."""
    secrets = _SECRETS.get()
    if secrets is not None:
        for text in texts:
            if text:
                secrets.note(text)


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
