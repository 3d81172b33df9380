"""What the documents of the tools have in common: the documents' own names, in snake_case."""

from __future__ import annotations

from mind_skills.output.document import Document


class ToolReport(Document):
    """The answer of a tool, or a part of it."""
