"""What the documents of the command line have in common: names in camelCase."""

from __future__ import annotations

from mind_skills.plugin.document import Document


class Report(Document):
    """A document, or a part of one, whose names are written in camelCase."""

    camel_case = True
