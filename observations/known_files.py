"""Remembers the files of the session that is being read whose output or text is not the project's, although their paths look so.

They are scripts whose code downloads, as the session wrote or read them, and files and folders that it downloaded, cloned or copied
from those. written_files.py finds them, and sources.py asks for them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING

from mind_skills.redaction.text import clean_text

if TYPE_CHECKING:
    from mind_skills.observations.model import Observation, Source

MAX_FILES, MAX_MODULES, MAX_PARTS, MAX_PATH_CHARACTERS = 500, 2_000, 40, 1_000
"""Maximum numbers of files and of names that are remembered, of parts of a path, and of characters of one. A longer path is not
remembered."""
_FOREIGN = frozenset("node_modules site-packages dist-packages .venv venv .tox vendor third_party".split())
"""Folders of packages of others."""


class KnownFiles:
    """The sources of files by their paths. A relative path names every file whose path ends with it."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, tuple[Source, bool]] = OrderedDict()
        self._modules: dict[str, None] = {}
        self.folder = ""
        """The folder in which commands run, if the log names it. It is not part of the state."""
        self._by_name: dict[str, list[tuple[list[str], Source, bool]]] | None = None
        """The parts, source and kind of the files by their last parts; None if it has to be built again."""

    def __bool__(self) -> bool:
        """Return whether any file is known."""
        return bool(self._files)

    def add(self, path: str, source: Source, *, has_text: bool) -> None:
        """Add a file or a folder. ``has_text``: its text has this source, not only its output when it runs."""
        if not 0 < len(path) <= MAX_PATH_CHARACTERS or not any(_split(path)):
            return
        path = clean_text(path, MAX_PATH_CHARACTERS)  # it becomes a part of the state
        self._files.pop(path, None)
        self._files[path] = (source, has_text)
        if len(self._files) > MAX_FILES:
            self._files.popitem(last=False)
        self._by_name = None

    def note_paths(self, paths: Iterable[str]) -> None:
        """Note the names of the folders and files that the session works on, among which are the project's modules."""
        if len(self._modules) < MAX_MODULES:
            for path in paths:
                parts = path.replace("\\", "/").split("/", MAX_PARTS)
                if _FOREIGN.isdisjoint(parts):
                    parts[-1] = parts[-1].partition(".")[0]
                    self._modules.update(dict.fromkeys(parts))

    def is_module(self, name: str) -> bool:
        """Return whether a folder or file of the project that the session worked on has this name."""
        return name in self._modules

    def remove(self, path: str) -> None:
        """Remove a file that the session has replaced, with its tasks."""
        if self._files:
            parts = _split(path)
            for known in list(self._files):
                known_parts = _split(known)
                if known_parts[: len(parts)] == parts or (known_parts[0] and parts[-len(known_parts) :] == known_parts):
                    del self._files[known]
                    self._by_name = None

    def find(self, path: str, *, is_run: bool = False) -> Source:
        """Return the source of a file's text or, if it is run, of its output; ``local`` if the file is not known."""
        if not self._files:
            return "local"
        if self._by_name is None:
            self._by_name = {}
            for known, (source, has_text) in self._files.items():
                known_parts = _split(known)
                self._by_name.setdefault(known_parts[-1], []).append((known_parts, source, has_text))
        parts = _split(path)
        for end, part in enumerate(parts, 1):
            for known_parts, source, has_text in self._by_name.get(part, ()):
                length = min(end, len(known_parts))
                is_same = parts[end - length : end] == known_parts[-length:]
                if is_same and (has_text or (is_run and end == len(parts))):
                    return source
        return "local"

    def dump(self) -> tuple[list[tuple[str, Source, bool]], list[str]]:
        """Return the state for ``restore``."""
        return [(path, *kind) for path, kind in self._files.items()], list(self._modules)

    def restore(self, state: tuple[list[tuple[str, Source, bool]], list[str]]) -> None:
        """Continue a session from a state that ``dump`` returned."""
        files, modules = state
        self._files = OrderedDict((path, (source, has_text)) for path, source, has_text in files)
        self._modules = dict.fromkeys(modules)
        self._by_name = None


def _split(path: str) -> list[str]:
    """Return the parts of a path, of which the first is empty if it is absolute, without ``.``, variables at its start, or ``/private``."""
    parts = path[-MAX_PATH_CHARACTERS:].replace("\\", "/").rstrip("/").split("/", MAX_PARTS)
    if parts[:2] == ["", "private"]:
        parts = ["", *parts[2:]]
    if parts[0][:1] in ("$", "~"):
        parts = parts[1:]
    return [part for number, part in enumerate(parts) if part not in ("", ".") or (number == 0 and part == "")] or [""]


_KNOWN: ContextVar[KnownFiles | None] = ContextVar("_KNOWN", default=None)


def remember_files(observations: Iterator[Observation], known: KnownFiles) -> Iterator[Observation]:
    """Yield the observations of a reader, for which ``get_known_files`` returns ``known`` in the meantime."""
    while True:
        token = _KNOWN.set(known)
        try:
            observation = next(observations)
        except StopIteration:
            return
        finally:
            _KNOWN.reset(token)
        yield observation


def get_known_files() -> KnownFiles | None:
    """Return the known files of the session that is being read; None if none is."""
    return _KNOWN.get()
