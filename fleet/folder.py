"""The folder of a scan: ``scan.json`` (versions and options), ``key`` (of all hashes; scans are joined only under the
same), ``parts/*.parquet``.
"""

from __future__ import annotations

import importlib
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from mind_skills.errors import MindSkillsError
from mind_skills.fleet.rows import SET_ASIDE, is_passing
from mind_skills.plugin import VERSION
from mind_skills.store import atomic
from mind_skills.store.home import FILE_MODE, FOLDER_MODE

MANIFEST, KEY, PARTS = "scan.json", "key", "parts"
MANIFEST_VERSION = 2
_LABELS = {"form": "format of the scan", "findings": "version of mind-skills", "titles": "--titles"}
"""What the entries of the manifest are called in messages."""
KEY_BYTES = 32
_ROOT = Path(__file__).resolve().parent.parent
_CODE_FOLDERS = ("detectors", "fleet", "hosts", "learning", "observations", "redaction", "settings", "staging")
"""The folders of the code and data on which the findings depend."""


class ScanFolder:
    """The folder of one scan."""

    def __init__(self, path: str) -> None:
        """``path`` need not exist yet."""
        self.path = os.path.abspath(os.path.expanduser(path))
        self.parts = os.path.join(self.path, PARTS)

    def prepare(self, *, with_titles: bool) -> bytes:
        """Create the folder, or check that its scan can be continued; return its key. Raises MindSkillsError,
        StoreError, OSError.
        """
        manifest = {"form": MANIFEST_VERSION, "findings": make_findings_version(), "titles": with_titles}
        for path in (self.path, self.parts):
            if not os.path.isdir(path):
                os.makedirs(path, FOLDER_MODE)
        existing = self._read_manifest()
        if existing is not None and existing != manifest:
            differing = ", ".join(_LABELS[name] for name in manifest if existing.get(name) != manifest[name])
            raise MindSkillsError(
                "other_scan",
                f"{self.path} contains a scan with a different version or other options: {differing}",
                "Choose another folder with --out, or delete this one.",
            )
        if existing is None:
            if not os.path.exists(self._locate(KEY)):
                atomic.write_file(self._locate(KEY), secrets.token_hex(KEY_BYTES).encode() + b"\n")
            atomic.write_file(self._locate(MANIFEST), json.dumps(manifest, indent=2).encode() + b"\n")
        for name in os.listdir(self.parts):
            if name.startswith("."):  # left by a scan that was killed while writing
                os.unlink(os.path.join(self.parts, name))
        return self._read_key()

    def require_scan(self) -> None:
        """Raise MindSkillsError if the folder has no scan."""
        if self._read_manifest() is None:
            raise MindSkillsError(
                "no_scan", f"{self.path} has no scan", "Use the folder that `mind-skills fleet scan --out` wrote."
            )

    def list_parts(self) -> list[str]:
        """Return the paths of all parts, sorted."""
        names = os.listdir(self.parts) if os.path.isdir(self.parts) else []
        return sorted(os.path.join(self.parts, name) for name in names if name.endswith(".parquet") and name[0] != ".")

    def read_parts(self, columns: Sequence[str], filters: Any = None) -> Iterator[Any]:
        """Yield these columns of each part, as Arrow tables. Raises MindSkillsError if a part is damaged."""
        arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
        for path in self.list_parts():
            try:
                table = parquet.read_table(path, columns=[*columns], filters=filters)
            except (arrow.ArrowException, OSError) as error:
                raise MindSkillsError("no_scan", f"{path} is damaged", "Delete that file and scan again.") from error
            yield table

    def read_scans(self, *, retry: bool) -> dict[str, int]:
        """Return by key how many scans could not read a file that is to be read again (with ``retry``, any set aside),
        else 0. Raises MindSkillsError.
        """
        judged: set[str] = set()
        failed: dict[str, int] = {}
        for table in self.read_parts(["entry", "status", "reason", "scans"]):
            rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
            unread = {
                entry: scans
                for entry, status, reason, scans in rows
                if status == SET_ASIDE and (retry or is_passing(reason, scans))
            }
            judged |= {*table.column("entry").to_pylist()} - unread.keys()
            failed |= {entry: max(scans, failed.get(entry, 0)) for entry, scans in unread.items()}
        return failed | dict.fromkeys(judged, 0)

    def write_part(self, name: str, data: bytes) -> None:
        """Write a part to a temporary file and rename it. Only its owner can read it. Raises OSError."""
        temporary = os.path.join(self.parts, f".{name}.{os.getpid()}")
        try:
            with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, os.path.join(self.parts, f"{name}.parquet"))
        except OSError as error:
            error.filename = self.parts  # a failed write names no file
            raise

    def _locate(self, name: str) -> str:
        return os.path.join(self.path, name)

    def _read_manifest(self) -> dict[str, Any] | None:
        try:
            with open(self._locate(MANIFEST), encoding="utf-8") as file:
                manifest = json.load(file)
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise MindSkillsError(
                "no_scan", f"{self._locate(MANIFEST)} is damaged", "Scan again, into another folder."
            ) from error
        return cast("dict[str, Any]", manifest) if isinstance(manifest, dict) else {}

    def _read_key(self) -> bytes:
        try:
            with open(self._locate(KEY), encoding="ascii", errors="replace") as file:
                key = bytes.fromhex(file.read(4 * KEY_BYTES).strip())
        except (FileNotFoundError, ValueError):
            key = b""
        if len(key) != KEY_BYTES:
            raise MindSkillsError(
                "no_scan", f"{self._locate(KEY)} is missing or is not a key", "Scan again, into another folder."
            )
        return key


@cache
def make_findings_version() -> str:
    """Return a string that identifies what the findings depend on: mind-skills' version and a hash of that code and its data."""
    digest = blake2b(digest_size=8)
    for path in sorted(path for folder in _CODE_FOLDERS for path in (_ROOT / folder).rglob("*.*")):
        if path.suffix in (".py", ".json"):
            digest.update(path.relative_to(_ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{VERSION}-{digest.hexdigest()}"
