"""What can go wrong in what a person asks of the ledger."""

from __future__ import annotations

from mind_skills.errors import CodedError


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
