"""The errors that users see: classes, codes, hints and exit codes, and the conversion of other exceptions to them.

This is the lowest layer, and many hooks import this module. docs/errors.md describes all codes.
"""

from __future__ import annotations

DONE, FAILURE, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit codes: success, any failure other than the following, wrong usage, bug in this program, interrupted."""
EXIT_CODES = {"usage": USAGE, "bug": BUG, "interrupted": INTERRUPTED}
"""Exit code by error code; all other errors exit with ``FAILURE``."""
NOT_LOADED = "not_loaded"
NOT_LOADED_HINT = (
    "Check that the files of mind-skills are readable, that more files can be opened (`ulimit -n`), and that memory and"
    " space on the disk are available; then try again, and if that fails, reinstall mind-skills."
)
"""Code and hint of the error if program files cannot be read or memory is short; other modules may not load then."""
_ENVIRONMENT_ERROR_NAMES = (
    *("EACCES", "EPERM", "ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"),
    *("ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "ENAMETOOLONG"),
)
"""Names of the operating system errors that the environment causes; an OSError with any other name counts as a bug."""


class CodedError(Exception):
    """Base class of all errors with a code."""

    code = ""
    hint = ""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint or type(self).hint

    @property
    def exit_code(self) -> int:
        """Exit code of a command that ends with this error."""
        return EXIT_CODES.get(self.code, FAILURE)


class MindSkillsError(CodedError):
    """An error without a class of its own."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.code = code


class LogError(CodedError):
    """A log or a folder of logs cannot be read at all."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(message, hint)
        self.code = code


class StoreError(CodedError):
    """Base class of storage errors."""


class HomeError(StoreError):
    """The state folder cannot be found, created or used, or the path of the settings file is not allowed."""

    code = "state_folder"
    hint = "Make it writable, or set MIND_SKILLS_HOME to another folder."


class RefusedPathError(StoreError):
    """A path is refused, for example because it is a symbolic link, a device, or not the expected file or folder."""

    code = "refused_path"
    hint = "Replace it with a regular file or folder, or move it away."


class UnwritablePathError(StoreError):
    """A file or folder cannot be read or written, for example because of a read-only project or a full disk."""

    code = "unwritable"
    hint = "Check that the folder exists, is readable and writable, and has free space."


class NewerDatabaseError(StoreError):
    """The database was written by a newer version of mind-skills."""

    code = "newer_database"
    hint = "Upgrade mind-skills, or set MIND_SKILLS_HOME to another folder."


class DamagedDatabaseError(StoreError):
    """The database was found to be damaged during an operation."""

    code = "damaged_database"
    hint = "The next command sets it aside and creates a new one."


class BusyDatabaseError(StoreError):
    """Other processes locked the database for longer than a command waits."""

    code = "busy_database"
    hint = "Try again."


class UnusableDatabaseError(StoreError):
    """The database cannot be opened or written, for example because of permissions, a full disk or a missing folder."""

    code = "unusable_database"
    hint = "Check that the folder is writable and the disk has free space."


def as_error(failure: Exception) -> CodedError | None:
    """Convert ``failure`` to the error to show to the user. Return None if it is a bug in this program."""
    if isinstance(failure, CodedError):
        return failure
    from errno import errorcode

    if isinstance(failure, OSError) and errorcode.get(failure.errno or 0) in _ENVIRONMENT_ERROR_NAMES:
        path_suffix = f": {failure.filename}" if failure.filename else ""
        hint = "Check the path, its permissions and the free space."
        return MindSkillsError("system", f"{failure.strerror or failure}{path_suffix}", hint)
    # The interpreter also reports a missing module if it could not open or map a file.
    if isinstance(failure, (ImportError, MemoryError)):
        detail = str(failure) or type(failure).__name__
        return MindSkillsError(NOT_LOADED, f"mind-skills cannot be loaded: {detail}", NOT_LOADED_HINT)
    return None
