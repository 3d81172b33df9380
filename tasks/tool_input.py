"""The arguments of tools, validated and cleaned.

Whoever calls a tool may pass secrets, control characters and megabytes. Texts lose the first two and are cut; what is of
the wrong type, or missing, is an error that names the argument and never repeats its content.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from mind_skills.errors import MindSkillsError
from mind_skills.learning.errors import FailureMode
from mind_skills.redaction.personal import redact_address, redact_personal
from mind_skills.redaction.text import clean

ID, TEXT, NAME, PATH = 200, 2_000, 100, 300
"""Characters that are kept of an id, of a text, of a name and of a path."""
FILES = 200
"""Paths that are kept."""
LARGEST = 10**12
"""Of any count: 31 years in milliseconds."""


def text_cleaner(limit: int, *, line: bool = False) -> Callable[[object], object]:
    """A function that cleans a text, with ``line`` into one line; other values are left to the type's own check."""

    def clean_value(value: object) -> object:
        if not isinstance(value, str):
            return value
        text = clean(value, limit)
        if line:
            text = " ".join(text.split())
            # A path from the root stays what it is: a file has to be found by it.
            return text if text.startswith("/") else redact_address(text)[:limit]
        return redact_personal(text).strip()[:limit]

    return clean_value


def _clean_paths(value: object) -> object:
    if not isinstance(value, list | tuple):
        return value
    paths = [text_cleaner(PATH, line=True)(each) for each in value[:FILES]]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    texts = all(isinstance(path, str) for path in paths)
    return list(dict.fromkeys(path for path in paths if path != "")) if texts else paths


Id = Annotated[str, Field(min_length=1), BeforeValidator(text_cleaner(ID, line=True))]
Text = Annotated[str, BeforeValidator(text_cleaner(TEXT))]
NonEmptyText = Annotated[str, Field(min_length=1), BeforeValidator(text_cleaner(TEXT))]
Line = Annotated[str, BeforeValidator(text_cleaner(ID, line=True))]
Paths = Annotated[list[str], BeforeValidator(_clean_paths)]
Count = Annotated[int, Field(ge=0, le=LARGEST)]
TaskId = Annotated[Id, Field(description="The task's id.")]
ProjectKey = Annotated[Line, Field(description="The project's folder, if it is not the current one.")]
Duration = Annotated[Count | None, Field(description="Default: since its plan.")]
ErrorCount = Annotated[Count | None, Field(description="Default: what record_error was told.")]
Strategy = Annotated[
    Text, Field(description="file-based, feature-based, risk-based, research-based, or the plan in words.")
]
Mode = Annotated[FailureMode | None, Field(description="Default: told from failure_details.")]


class ToolInput(BaseModel):
    """The arguments of one tool."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


_MESSAGES = {
    "extra_forbidden": "there is no such argument",
    "missing": "it is missing",
    "string_too_short": "it is empty",
}
Arguments = TypeVar("Arguments", bound=ToolInput)


def validate_arguments(kind: type[Arguments], values: Mapping[str, Any]) -> Arguments:
    """``values`` as the arguments of a tool. Raises MindSkillsError that names the first wrong one."""
    try:
        return kind.model_validate(dict(values))
    except ValidationError as failure:
        first = failure.errors(include_url=False, include_input=False, include_context=False)[0]
        name = str(text_cleaner(NAME, line=True)(".".join(str(part) for part in first["loc"][:2])))
        takes = f"It takes {', '.join(kind.model_fields)}."
        message = _MESSAGES.get(first["type"]) or first["msg"].removeprefix("Value error, ").removeprefix("Input ")
        raise MindSkillsError("invalid_arguments", f"{name}: {message}", takes) from failure


def drop_unset(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a command line that were given: any other is no argument."""
    return {name: value for name, value in options.items() if value not in (None, "", ())}
