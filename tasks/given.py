"""Arguments: what a tool takes, cleaned at the door.

Whoever calls a tool may pass secrets, control characters and megabytes. Texts lose the first two and are cut; what is of
the wrong type, or missing, is an error that names the argument and never repeats what was in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from mind_skills.errors import MindSkillsError
from mind_skills.redaction.personal import redact_address, redact_personal
from mind_skills.redaction.text import clean

ID, TEXT, NAME, PATH = 200, 2_000, 100, 300
"""Characters that are kept of an id, of a text, of a name and of a path."""
FILES = 200
"""Paths that are kept."""
LARGEST = 10**12
"""Of any count: 31 years in milliseconds."""


def kept(limit: int, *, line: bool = False) -> Callable[[object], object]:
    """What makes a text what is kept of it; ``line`` says in one line. Other values are left to the type's own check."""

    def cleaned(value: object) -> object:
        if not isinstance(value, str):
            return value
        text = clean(value, limit)
        if line:
            text = " ".join(text.split())
            # A path from the root stays what it is: a file has to be found by it.
            return text if text.startswith("/") else redact_address(text)[:limit]
        return redact_personal(text).strip()[:limit]

    return cleaned


def _paths(value: object) -> object:
    if not isinstance(value, list | tuple):
        return value
    paths = [kept(PATH, line=True)(each) for each in value[:FILES]]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return list(dict.fromkeys(path for path in paths if path != "")) if _hashable(paths) else paths


def _hashable(paths: list[object]) -> bool:
    return all(isinstance(path, str) for path in paths)


Id = Annotated[str, Field(min_length=1), BeforeValidator(kept(ID, line=True))]
Text = Annotated[str, BeforeValidator(kept(TEXT))]
Said = Annotated[str, Field(min_length=1), BeforeValidator(kept(TEXT))]
Line = Annotated[str, BeforeValidator(kept(ID, line=True))]
Paths = Annotated[list[str], BeforeValidator(_paths)]
Count = Annotated[int, Field(ge=0, le=LARGEST)]


class Given(BaseModel):
    """The arguments of a tool."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


_MESSAGES = {
    "extra_forbidden": "there is no such argument",
    "missing": "it is missing",
    "string_too_short": "it is empty",
}
Arguments = TypeVar("Arguments", bound=Given)


def checked(kind: type[Arguments], values: Mapping[str, Any]) -> Arguments:
    """``values`` as the arguments of a tool. Raises MindSkillsError that names the first wrong one."""
    try:
        return kind.model_validate(dict(values))
    except ValidationError as failure:
        first = failure.errors(include_url=False, include_input=False, include_context=False)[0]
        name = str(kept(NAME, line=True)(".".join(str(part) for part in first["loc"][:2])))
        takes = f"It takes {', '.join(kind.model_fields)}."
        message = _MESSAGES.get(first["type"]) or first["msg"].removeprefix("Value error, ").removeprefix("Input ")
        raise MindSkillsError("invalid_arguments", f"{name}: {message}", takes) from failure


def given_options(said: Mapping[str, Any]) -> dict[str, Any]:
    """What was said on a command line: an option that was not given is no argument."""
    return {name: value for name, value in said.items() if value not in (None, "", ())}
