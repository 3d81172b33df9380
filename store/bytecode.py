"""Remove our cached bytecode: on a full disk, CPython before 3.12.8 and 3.13.1 truncates it (python/cpython issue 126606)."""

from __future__ import annotations

import os
from contextlib import suppress

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder of all our modules."""
_SKIPPED_FOLDERS = frozenset({".git", "node_modules"})


def remove_bytecode() -> int:
    """Remove the ``.pyc`` files in our ``__pycache__`` folders and return their number; failures are ignored."""
    removed = 0
    for folder, folders, names in os.walk(PACKAGE):
        folders[:] = [name for name in folders if not (name in _SKIPPED_FOLDERS or name.startswith(".venv"))]
        if os.path.basename(folder) == "__pycache__":
            for name in (name for name in names if name.endswith(".pyc")):
                with suppress(OSError):
                    os.unlink(os.path.join(folder, name))
                    removed += 1
    return removed
