"""What can go wrong in what a person asks of the ledger."""


class StagingError(Exception):
    """Base of this package's errors. ``code`` is stable, ``hint`` says what to do."""

    code = "staging"
    hint = ""


class UnknownIdError(StagingError):
    """Nothing has this id, and nothing has one that begins with it."""

    code = "unknown-id"
    hint = "`mind-skills pending` lists the candidates that wait."

    def __init__(self, wanted: str) -> None:
        """``wanted`` is what was asked for."""
        super().__init__(f"there is no candidate {wanted}")


class AmbiguousIdError(StagingError):
    """Several things have ids that begin like this, or several projects have one with this id."""

    code = "ambiguous-id"
    hint = "Give more of the id, or run the command in the project that is meant."

    def __init__(self, wanted: str, ids: list[str]) -> None:
        """``ids`` are those that match, one for each project they are in."""
        super().__init__(f"{wanted} fits {len(ids)} candidates: {', '.join(ids[:5])}")
        self.ids = ids
