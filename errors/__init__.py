"""Every error that a person can see: its class or code, its hint, its exit code, and what any exception becomes.

The lowest layer. A hook imports this at its start, so the table of what each code means is errors/registry.py.
"""

from __future__ import annotations

DONE, INPUT, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit codes: done, wrong input or a thing that does not exist, wrong usage, a fault of ours, interrupted."""
EXIT_CODES = {"usage": USAGE, "bug": BUG, "interrupted": INTERRUPTED}
"""Of the commands that end with an error of these codes; all others end with ``INPUT``."""
NOT_LOADED = "not_loaded"
READABLE = (
    "Check that its files can be read, that more files can be opened (`ulimit -n`) and that memory is left; "
    "where all that is so, install mind-skills again."
)
"""The code and the hint of a program whose own files cannot be read, loaded before that can be found out."""
_ENVIRONMENT = (
    *("EACCES", "EPERM", "ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"),
    *("ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "ENAMETOOLONG"),
)
"""Failures of the machine rather than of this program; any other OSError counts as a bug."""


class CodedError(Exception):
    """Base of all of them.

    ``code`` is stable and meant for programs, ``message`` says what is wrong and where, ``hint`` what to do (may be empty):
    the class's own where none is given. The docstring of a class with a code is what docs/errors.md says of that code.
    """

    code = ""
    hint = ""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint or type(self).hint

    @property
    def exit_code(self) -> int:
        """Of a command that ends with this error."""
        return EXIT_CODES.get(self.code, INPUT)


class MindSkillsError(CodedError):
    """Something that the user can put right. The codes are the rows of errors/registry.py."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.code = code


class LogError(CodedError):
    """A log that cannot be read at all. The codes are rows of errors/registry.py, too."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(message, hint)
        self.code = code


class StoreError(CodedError):
    """Base of what can go wrong on disk."""


class HomeError(StoreError):
    """The state folder cannot be found or made."""

    code = "state_folder"
    hint = "Make it writable, or set MIND_SKILLS_HOME to a folder of your own."


class RefusedPathError(StoreError):
    """A path that must not be read or written: a symbolic link, a device, a folder where a file belongs."""

    code = "refused_path"
    hint = "Put a real file or folder in its place, or move it away."


class UnwritablePathError(StoreError):
    """The operating system refuses to write here: a read-only project, a full disk, a missing folder."""

    code = "unwritable"
    hint = "Check that the place exists, can be read and written, and has room."


class NewerDatabaseError(StoreError):
    """The database was written by a newer version of mind-skills."""

    code = "newer_database"
    hint = "Upgrade mind-skills, or set MIND_SKILLS_HOME to another folder."


class DamagedDatabaseError(StoreError):
    """The database turned out to be damaged in the middle of the work."""

    code = "damaged_database"
    hint = "The next command sets it aside and begins a new one."


class BusyDatabaseError(StoreError):
    """Other processes held the database for longer than the caller was willing to wait."""

    code = "busy_database"
    hint = "Try again."


class UnusableDatabaseError(StoreError):
    """The database cannot be opened or written: permissions, a full disk, no such folder."""

    code = "unusable_database"
    hint = "Check that the folder can be written and the disk has room."


def as_error(failure: Exception) -> CodedError | None:
    """The user's view of ``failure``, or None when it is a bug of this program."""
    if isinstance(failure, CodedError):
        return failure
    from errno import errorcode

    if isinstance(failure, OSError) and errorcode.get(failure.errno or 0) in _ENVIRONMENT:
        where = f": {failure.filename}" if failure.filename else ""
        hint = "Check the path, its permissions and the free space."
        return MindSkillsError("system", f"{failure.strerror or failure}{where}", hint)
    # What the interpreter says where it could not open or map a file is, too, that there is no such module.
    if isinstance(failure, (ImportError, MemoryError)):
        said = str(failure) or type(failure).__name__
        return MindSkillsError(NOT_LOADED, f"mind-skills cannot be loaded: {said}", READABLE)
    return None
