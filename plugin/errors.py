"""The errors that a person sees, and the one place that says how any exception becomes one of them."""

from __future__ import annotations

import errno

from mind_skills.plugin.cli import NOT_LOADED, READABLE

DONE, INPUT, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit codes: done, wrong input or a thing that does not exist, wrong usage, a fault of ours, interrupted."""

_ENVIRONMENT = {
    errno.EACCES,
    errno.EPERM,
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EROFS,
    errno.EIO,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
}
"""Failures of the machine rather than of this program; any other OSError counts as a bug."""


class MindSkillsError(Exception):
    """Something that the user can put right.

    ``code`` is stable and meant for programs, ``message`` says what is wrong, ``hint`` what to do (may be empty).
    """

    def __init__(self, code: str, message: str, hint: str = "", *, exit_code: int = INPUT) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.exit_code = exit_code


def as_error(failure: Exception) -> MindSkillsError | None:
    """The user's view of ``failure``, or None when it is a bug of this program.

    The packages below raise typed errors of their own, which carry ``code`` and ``hint``; they are recognised by those
    fields, since importing their modules here would cost every command the start-up time of the database.
    """
    if isinstance(failure, MindSkillsError):
        return failure
    code, hint = getattr(failure, "code", None), getattr(failure, "hint", "")
    if type(failure).__module__.startswith("mind_skills.") and isinstance(code, str):
        return MindSkillsError(code.replace("-", "_"), str(failure), str(hint))
    if isinstance(failure, OSError) and failure.errno in _ENVIRONMENT:
        where = f": {failure.filename}" if failure.filename else ""
        hint = "Check the path, its permissions and the free space."
        return MindSkillsError("system", f"{failure.strerror or failure}{where}", hint)
    # What the interpreter says where it could not open or map a file is, too, that there is no such module.
    if isinstance(failure, (ImportError, MemoryError)):
        said = str(failure) or type(failure).__name__
        return MindSkillsError(NOT_LOADED, f"mind-skills cannot be loaded: {said}", READABLE)
    return None
