"""What the documents of the tools have in common: the documents' own names, in snake_case."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class ToolReport(BaseModel):
    """The answer of a tool: nothing undeclared."""

    model_config = ConfigDict(extra="forbid")
