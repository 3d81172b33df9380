"""Tool arguments: their types, and their validation. Texts are cleaned (cleaning.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from mind_skills.errors import MindSkillsError
from mind_skills.learning.errors import FailureMode
from mind_skills.tasks.cleaning import (
    MAX_ID_LENGTH,
    MAX_TEXT_LENGTH,
    clean_task_id,
    hide_shown_values,
    make_text_cleaner,
)

MAX_NAME_LENGTH, MAX_PATH_LENGTH = 100, 300
MAX_OUTPUT_LENGTH = 40_000
"""Maximum number of characters of a command's output; the middle of a longer one is dropped, or its end."""
MAX_PATHS = 200
MAX_COUNT = 10**12
"""Maximum value of any count or duration: 31 years in milliseconds."""


def _clean_paths(value: object) -> object:
    if not isinstance(value, list | tuple):
        return value
    paths = [make_text_cleaner(MAX_PATH_LENGTH, single_line=True)(each) for each in value[:MAX_PATHS]]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    are_texts = all(isinstance(path, str) for path in paths)
    return list(dict.fromkeys(path for path in paths if path != "")) if are_texts else paths


Id = Annotated[str, Field(min_length=1), BeforeValidator(make_text_cleaner(MAX_ID_LENGTH, single_line=True))]
Text = Annotated[str, BeforeValidator(make_text_cleaner(MAX_TEXT_LENGTH))]
NonEmptyText = Annotated[str, Field(min_length=1), BeforeValidator(make_text_cleaner(MAX_TEXT_LENGTH))]
Output = Annotated[str, BeforeValidator(make_text_cleaner(MAX_OUTPUT_LENGTH))]
Line = Annotated[str, BeforeValidator(make_text_cleaner(MAX_ID_LENGTH, single_line=True))]
Paths = Annotated[list[str], BeforeValidator(_clean_paths)]
Count = Annotated[int, Field(ge=0, le=MAX_COUNT)]
OptionalTaskId = Annotated[str, BeforeValidator(clean_task_id)]
TaskId = Annotated[str, Field(min_length=1, description="The task's id."), BeforeValidator(clean_task_id)]
ProjectKey = Annotated[Line, Field(description="The project's folder, if it is not the current one.")]
Duration = Annotated[Count | None, Field(description="Default: time since the task was planned, 0 if it was not.")]
ErrorCount = Annotated[Count | None, Field(description="Default: number of errors recorded for the task.")]
Strategy = Annotated[
    Text, Field(description="file-based, feature-based, risk-based, research-based, or a description of the plan.")
]
Mode = Annotated[
    FailureMode | None, Field(description="Only for a failed task. Default: derived from failure_details.")
]


class ToolInput(BaseModel):
    """The arguments of a tool."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _hide_values(cls, values: object) -> object:
        """Replace what one argument shows to be a secret in all of them."""
        if not isinstance(values, dict):
            return values
        arguments = cast("dict[str, object]", values)
        texts = {name: text for name, text in arguments.items() if isinstance(text, str)}
        return arguments | dict(zip(texts, hide_shown_values(texts.values()), strict=True))


_MESSAGES = {"extra_forbidden": "unknown argument", "missing": "it is missing", "string_too_short": "it is empty"}
Arguments = TypeVar("Arguments", bound=ToolInput)


def validate_arguments(kind: type[Arguments], values: Mapping[str, Any]) -> Arguments:
    """Validate ``values`` as the arguments of a tool. Raises a MindSkillsError that names the first invalid argument."""
    try:
        return kind.model_validate(dict(values))
    except ValidationError as failure:
        first = failure.errors(include_url=False, include_input=False, include_context=False)[0]
        name = str(
            make_text_cleaner(MAX_NAME_LENGTH, single_line=True)(".".join(str(part) for part in first["loc"][:2]))
        )
        hint = f"The arguments are {', '.join(kind.model_fields)}."
        message = _MESSAGES.get(first["type"]) or first["msg"].removeprefix("Value error, ").removeprefix("Input ")
        raise MindSkillsError("invalid_arguments", f"{name}: {message}", hint) from failure
