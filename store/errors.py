"""What can go wrong on disk, in words for the person who has to act on it."""


class StoreError(Exception):
    """Base of every error of this package. ``code`` is stable, ``hint`` says what to do."""

    code = "store"

    def __init__(self, message: str, hint: str = "") -> None:
        """``message`` names the path and the cause; ``hint`` is one sentence, or empty."""
        super().__init__(message)
        self.hint = hint


class HomeError(StoreError):
    """The state folder cannot be found or made."""

    code = "state-folder"


class RefusedPathError(StoreError):
    """A path that must not be read or written: a symbolic link, a device, a folder where a file belongs."""

    code = "refused-path"


class UnwritablePathError(StoreError):
    """The operating system refuses to write here: a read-only project, a full disk, a missing folder."""

    code = "unwritable"


class NewerDatabaseError(StoreError):
    """The database was written by a newer version of mind-skills."""

    code = "newer-database"


class DamagedDatabaseError(StoreError):
    """The database turned out to be damaged in the middle of the work. The next open sets it aside and starts anew."""

    code = "damaged-database"


class BusyDatabaseError(StoreError):
    """Other processes held the database for longer than the caller was willing to wait."""

    code = "busy-database"


class UnusableDatabaseError(StoreError):
    """The database cannot be opened or written: permissions, a full disk, no such folder."""

    code = "unusable-database"
