"""Errors of the ledger's candidates and the memory's records, caught by type."""

from __future__ import annotations

from mind_skills.errors import CodedError, StoreError


class StagingError(CodedError):
    """Base class of errors in requests to the ledger."""


class UnknownIdError(StagingError):
    """No candidate has this id or this id prefix."""

    code = "unknown_id"
    hint = "`mind-skills pending` lists the pending candidates."

    def __init__(self, wanted: str) -> None:
        """``wanted`` is the requested id."""
        super().__init__(f"there is no candidate {wanted}")


class OtherProjectError(StagingError):
    """The requested item belongs to another project than the current one; it is neither shown nor changed."""

    code = "other_project"
    hint = (
        "Run the command in that project, or name its folder with --project. An agent can name other projects if its"
        " server was started with `mind-skills mcp --all-projects`."
    )

    def __init__(self, what: str) -> None:
        """``what`` is the item as the user named it."""
        super().__init__(f"{what} belongs to another project")


class AmbiguousIdError(StagingError):
    """Several ids start with the given text, or several projects contain this id."""

    code = "ambiguous_id"
    hint = "Give more characters of the id, or run the command in the candidate's project."

    def __init__(self, wanted: str, ids: list[str]) -> None:
        """``ids`` are the matching ids, one for each project that contains it."""
        super().__init__(f"{wanted} matches {len(ids)} candidates: {', '.join(ids[:5])}")
        self.ids = ids


class BadRecordError(StoreError):
    """A record cannot be stored: its content or id is missing, or its kind is unknown."""

    code = "bad_record"
    hint = "Give it readable text and a valid kind."


class UnusableIndexError(StoreError):
    """The index cannot be created or read, and the cause is outside of it: a full disk, a read-only folder."""

    code = "memory_index"
    hint = "Check the folder and the free space, then run `mind-skills memory rebuild`."


class LanceError(StoreError):
    """The LanceDB table cannot be used: not installed, damaged, owned by another tool, or refused by the disk."""

    code = "memory_lancedb"
    hint = "`mind-skills memory rebuild` creates the table again; it never changes a table of another tool."


class ModelUnavailableError(StoreError):
    """No embedding model is available: not installed, not on this machine, or not loadable."""

    code = "memory_model"
    hint = "`mind-skills memory health` shows the reason; `mind-skills memory rebuild --download` downloads a model."
