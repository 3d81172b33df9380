"""What can go wrong with candidates of the ledger and records of the memory: errors that are caught by their type."""

from __future__ import annotations

from mind_skills.errors import CodedError, StoreError


class StagingError(CodedError):
    """Base of what can go wrong in what a person asks of the ledger."""


class UnknownIdError(StagingError):
    """Nothing has this id, and nothing has one that begins with it."""

    code = "unknown_id"
    hint = "`mind-skills pending` lists the candidates that wait."

    def __init__(self, wanted: str) -> None:
        """``wanted`` is what was asked for."""
        super().__init__(f"there is no candidate {wanted}")


class OtherProjectError(StagingError):
    """What was named belongs to another project than the one that was asked: nothing of it is told, and it stays as it is."""

    code = "other_project"
    hint = (
        "Run the command in that project, or name its folder with --project; an agent may name others where its server was"
        " started by `mind-skills mcp --all-projects`."
    )

    def __init__(self, what: str) -> None:
        """``what`` was named, in the words of who named it."""
        super().__init__(f"{what} belongs to another project")


class AmbiguousIdError(StagingError):
    """Several things have ids that begin like this, or several projects have one with this id."""

    code = "ambiguous_id"
    hint = "Give more of the id, or run the command in the project that is meant."

    def __init__(self, wanted: str, ids: list[str]) -> None:
        """``ids`` are those that match, one for each project they are in."""
        super().__init__(f"{wanted} fits {len(ids)} candidates: {', '.join(ids[:5])}")
        self.ids = ids


class BadRecordError(StoreError):
    """A record that cannot be kept: without content, without an id, of a kind that there is not."""

    code = "bad_record"
    hint = "Give it a text that can be read, and a kind that there is."


class UnusableIndexError(StoreError):
    """The index cannot be made or read, and the reason is not in it: a full disk, a folder that is not writable."""

    code = "memory_index"
    hint = "Check the folder and the free space, then run `mind-skills memory rebuild`."


class LanceError(StoreError):
    """The LanceDB table cannot be used: not installed, damaged, somebody else's, or the disk refuses."""

    code = "memory_lancedb"
    hint = "`mind-skills memory rebuild` makes the table anew; it never touches one that belongs to another tool."


class ModelUnavailableError(StoreError):
    """There is no model to be had here: not installed, not on this machine, not one that can be loaded."""

    code = "memory_model"
    hint = "`mind-skills memory health` says why; `mind-skills memory rebuild --download` fetches one."
