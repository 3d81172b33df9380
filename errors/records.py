"""Errors about the items of a project and about the memory: one class each, so that callers can catch them by type."""

from __future__ import annotations

from mind_skills.errors import CodedError, StoreError


class StagingError(CodedError):
    """Base class of errors in requests for candidates and other items of a project."""


class UnknownIdError(StagingError):
    """No candidate has this id or id prefix, and in `mind-skills why` nothing else has this name."""

    code = "unknown_id"
    hint = "`mind-skills pending` lists the pending candidates."

    def __init__(self, requested_id: str) -> None:
        super().__init__(f"there is no candidate {requested_id}")


class OtherProjectError(StagingError):
    """The requested item belongs to a project other than the current one; it is neither shown nor changed."""

    code = "other_project"
    hint = (
        "Run the command in that project, or name its folder with --project. An agent can name other projects if its MCP"
        " server was started with `mind-skills mcp --all-projects`."
    )

    def __init__(self, subject: str) -> None:
        """``subject`` is the item as the user named it."""
        super().__init__(f"{subject} belongs to another project")


class AmbiguousIdError(StagingError):
    """Several ids or names match the given text, or several projects contain this id."""

    code = "ambiguous_id"
    hint = "Give more characters of the id, or run the command in the candidate's project."

    def __init__(self, requested_id: str, ids: list[str]) -> None:
        """``ids`` are the matching ids; an id that several projects contain is repeated for each of them."""
        super().__init__(f"{requested_id} matches {len(ids)} candidates: {', '.join(ids[:5])}")
        self.ids = ids


class BadRecordError(StoreError):
    """A record cannot be stored: its content or id is missing, or its kind is unknown."""

    code = "bad_record"
    hint = "Give the record readable text, an id and a valid kind."


class UnusableIndexError(StoreError):
    """The memory's index cannot be created or read, for example because of a full disk or a read-only folder."""

    code = "memory_index"
    hint = "Check the folder and the free space, then run `mind-skills memory rebuild`."


class LanceError(StoreError):
    """The LanceDB table cannot be used, for example because it is damaged, outdated or from another tool."""

    code = "memory_lancedb"
    hint = "`mind-skills memory rebuild` creates the table again; it never changes a table that another tool created."


class ModelUnavailableError(StoreError):
    """The embedding model cannot be used, for example because the model or the `embeddings` extra is missing."""

    code = "memory_model"
    hint = "`mind-skills memory health` shows the reason; `mind-skills memory rebuild --download` downloads a model."
