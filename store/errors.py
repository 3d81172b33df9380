"""What can go wrong on disk, in words for the person who has to act on it."""


class StoreError(Exception):
    """Base of every error of this package. ``code`` is stable, ``hint`` says what to do: the class's own where none is given."""

    code = "store"
    hint: str = ""

    def __init__(self, message: str, hint: str = "") -> None:
        """``message`` names the path and the cause; ``hint`` is one sentence."""
        super().__init__(message)
        self.hint = hint or type(self).hint


class HomeError(StoreError):
    """The state folder cannot be found or made."""

    code = "state-folder"
    hint = "Make it writable, or set MIND_SKILLS_HOME to a folder of your own."


class RefusedPathError(StoreError):
    """A path that must not be read or written: a symbolic link, a device, a folder where a file belongs."""

    code = "refused-path"
    hint = "Put a real file or folder in its place, or move it away."


class UnwritablePathError(StoreError):
    """The operating system refuses to write here: a read-only project, a full disk, a missing folder."""

    code = "unwritable"
    hint = "Check that the place exists, can be read and written, and has room."


class NewerDatabaseError(StoreError):
    """The database was written by a newer version of mind-skills."""

    code = "newer-database"
    hint = "Upgrade mind-skills, or set MIND_SKILLS_HOME to another folder."


class DamagedDatabaseError(StoreError):
    """The database turned out to be damaged in the middle of the work."""

    code = "damaged-database"
    hint = "The next command sets it aside and begins a new one."


class BusyDatabaseError(StoreError):
    """Other processes held the database for longer than the caller was willing to wait."""

    code = "busy-database"
    hint = "Try again."


class UnusableDatabaseError(StoreError):
    """The database cannot be opened or written: permissions, a full disk, no such folder."""

    code = "unusable-database"
    hint = "Check that the folder can be written and the disk has room."
