"""Notes the secrets of the session that is being read, as its texts go by (redaction/session.py)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextvars import ContextVar
from itertools import repeat
from typing import cast

from mind_skills.observations.codec import JsonObject, parse_object
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.session import SessionSecrets, asks_for_secret, prompts_for_secret, redact_printed

_MAX_SHORT_LENGTH, _MAX_JOINED_LENGTH = 400, 3_000
"""Maximum length of a string that is noted with its key and its neighbours, and of such a group, in characters."""
_MEDIA_LENGTH = 8_192
"""A string without a space in so many characters is a picture or a document in base64."""
_COPIES = frozenset({"toolUseResult", "encrypted_content", "signature", "snapshot", "base64"})
"""Keys of what a log repeats for the client alone, or what is no text."""
_ID_KEYS = ("id", "uuid", "Uuid", "Id", "ID", "UUID", "timestamp", "type", "role", "model", "version")
"""The ends of keys whose values identify something. None of them is the end of a secret's name."""
_USER_COMMAND = compile_lazily(
    r"\s*(?:<bash-input>(?P<claude>.*?)(?:</bash-input>|\Z)|<user_shell_command>\s*<command>\n?(?P<codex>.*?)</command>"
    r"|I ran the following shell command:\n```sh\n(?P<gemini>.*?)\n```\n|(?=<bash-std(?:out|err)>))(?P<output>.*)",
    re.DOTALL,
)
"""A command that the user ran in the session, or its output, which Claude Code writes in another message."""
_USER_COMMAND_HINTS = ("<bash-", "<user_shell_command>", "I ran the following shell command:")
_FRAME = compile_lazily(r"</?[a-z_-]{1,20}>|```|\A.*?\nOutput:\n", re.DOTALL)
_TYPED_KEYS = frozenset({"chars", "stdin", "keys"})
"""Arguments of calls that answer the prompt of a program."""
_PROMPT_ENDS = frozenset(":?：？.。! \n")
_MAX_REPLY_WORDS, _MAX_LONG_REPLY = 6, 1_000
"""Of a longer reply, only what looks generated is remembered, and of one with more characters nothing."""
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
                _note_typed(secrets, key, value)
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
                items = cast("list[object]", value)
                if len(items) > 1 and all(isinstance(item, str) and len(item) <= _MAX_SHORT_LENGTH for item in items):
                    # The arguments of a program: an option and its value are neighbours.
                    lines.append(", ".join([f'"{item}"' for item in items]))
                    length += len(lines[-1])
                levels.append(zip(repeat(key), items, strict=False))
                break
        else:
            levels.pop()
        if length > _MAX_JOINED_LENGTH:
            secrets.note("\n".join(lines))
            del lines[:-1]  # a name may stand in one field, and its value in the next
            length = 0
    if lines:
        secrets.note("\n".join(lines))


def _note_typed(secrets: SessionSecrets, key: str, value: str) -> None:
    """Note what a program asked for and was given, and what commands of the user printed."""
    if secrets.is_prompted and key in _TYPED_KEYS:
        secrets.note_answer(value)
        secrets.is_prompted = False
    elif value and value[-1] in _PROMPT_ENDS and prompts_for_secret(value):
        secrets.is_prompted = True
    elif value and value[-1] in ":? \n" and value[-2:].rstrip().endswith((":", "?")):
        secrets.is_prompted = False
    if value[:40].lstrip().startswith(_USER_COMMAND_HINTS) and (match := _USER_COMMAND.match(value)):
        secrets.user_command = match["claude"] or match["codex"] or match["gemini"] or secrets.user_command
        secrets.note_output(secrets.user_command, _FRAME.sub("\n", match["output"]))


def note_answers(questions: JsonObject, answers: Collection[str]) -> None:
    """Note what the user typed in answer to questions, if they ask for a secret."""
    secrets = _SECRETS.get()
    if secrets is not None and any(answers) and asks_for_secret(str(questions)):
        for answer in answers:
            secrets.note_answer(answer)


def note_message(text: str, is_of_user: bool) -> None:
    """Note the secrets that a message of the user or of an agent names."""
    secrets = _SECRETS.get()
    if secrets is not None:
        secrets.note_message(text, is_of_user)


def note_reply(text: str) -> None:
    """Note the user's message, if it is short and answers a question of the agent for a secret."""
    secrets = _SECRETS.get()
    if secrets is not None and secrets.is_prompted:
        secrets.is_prompted = False
        if len(text.split(None, _MAX_REPLY_WORDS)) <= _MAX_REPLY_WORDS:
            secrets.note_answer(text)
        elif len(text) <= _MAX_LONG_REPLY:
            secrets.note_generated(text)


def note_values(*texts: str) -> None:
    """Note all secrets in texts whose redaction has found some."""
    secrets = _SECRETS.get()
    if secrets is not None:
        for text in texts:
            secrets.note_values(text)


def hide_values(text: str) -> str:
    """Return a text that is redacted already without the values that the session has shown so far."""
    secrets = _SECRETS.get()
    return text if secrets is None else secrets.hide_values(text)


def redact_output(command: str, output: str) -> str:
    """Return the output of a command without the secrets that it prints, and note them."""
    secrets = _SECRETS.get()
    return redact_printed(command, output)[0] if secrets is None else secrets.note_output(command, output)
