"""Read and write ``.claude/mind-skills-pending.json``, a projection of the pending candidates in the database.

Format: ``{"version": 1, "token": "...", "candidates": [...], "injectedAt"?: ms}``. Each write generates a new ``token`` and
also stores it in the database, so the file that we wrote last, even if edited by hand, can be distinguished from one that
replaced it. Files in the older format have no ``version`` and one ``injectedAt`` for all candidates; when such a file is
read, each candidate without a time of its own gets that time.
"""

from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING, Literal, NoReturn, cast

from mind_skills.errors import StoreError
from mind_skills.staging.model import JsonObject, candidate_to_json
from mind_skills.staging.tables import candidates, sessions
from mind_skills.staging.tables.candidates import was_staged_here
from mind_skills.staging.tables.sessions import Place
from mind_skills.store.atomic import Folder
from mind_skills.store.git import Verdict, check_ignored, compute_stamp
from mind_skills.store.home import find_work_tree
from mind_skills.store.light_dataclasses import dataclass, field
from mind_skills.store.project import Project

if TYPE_CHECKING:
    import sqlite3

    from mind_skills.store.database import Database


def write_files(database: Database, project_id: str) -> list[str]:
    """Update the pending files that differ from the database; return problems. Git is asked before the database is locked."""
    with database.reading() as sql:
        has_pending = bool(candidates.list_pending(sql, project_id))
        outdated = [place for place in sessions.list_places(sql, project_id) if has_pending or _needs_update(place)]
    if not outdated:
        return []
    verdicts = {place.root: _ask_git(place) for place in outdated}
    problems: list[str] = []
    with database.writing() as sql:
        for place in sessions.list_places(sql, project_id):
            if place.root not in verdicts:
                continue  # registered meanwhile by another process, which asks git itself
            try:
                _update_place(sql, project_id, place._replace(verdict=verdicts[place.root]), problems)
            except StoreError as error:
                text = (
                    f"the pending file was not updated ({error}), and candidates are only stored in the state folder."
                )
                problems.append(f"{text} {error.hint}".rstrip())
    return problems


def read_foreign(sql: sqlite3.Connection, project: Project) -> tuple[list[JsonObject], list[str]]:
    """Return the candidates in the pending file of ``project.root`` that this machine did not stage, and any problems."""
    path = os.path.join(project.root, FILE_PATH)
    if not os.path.lexists(path):
        return [], []
    try:
        with Folder(os.path.dirname(path)) as folder:
            return _exclude_ours(sql, project.id, parse_pending_file(folder.read(FILE_NAME, MAX_BYTES) or b"")), []
    except (StoreError, UnreadablePendingError) as error:
        return [], [f"{path}: {error}"]


def _get_file_path(place: Place) -> str:
    return os.path.join(place.root, FILE_PATH)


def _needs_update(place: Place) -> bool:
    """Return whether a place needs an update even if nothing is pending: its file exists, or its folder does not."""
    return os.path.lexists(_get_file_path(place)) or not os.path.isdir(place.root)


def _ask_git(place: Place) -> Verdict:
    """Return git's verdict; git runs only if its inputs have changed, and not for a ``.claude`` that is a symbolic link."""
    if not os.path.isdir(place.root) or os.path.islink(os.path.join(place.root, FOLDER_NAME)):
        return place.verdict
    if place.verdict.kind == "named_by_log" and not _is_project_folder(place.root):
        return Verdict("named_by_log", "only a session's log names this folder, and it is no project")
    if place.verdict.stamp == compute_stamp(place.root, FILE_PATH, place.git_folder):
        return place.verdict
    return check_ignored(place.root, FILE_PATH, place.git_folder)


def check_again(root: str, git_folder: str, verdict: Verdict) -> Verdict:
    """Return what became of a stored verdict, without changing anything; an empty ``kind`` if the next update may write the file."""
    if verdict.kind == "named_by_log":
        return Verdict() if _is_project_folder(root) else verdict
    is_link = os.path.islink(os.path.join(root, FOLDER_NAME))
    if not verdict.kind or is_link or verdict.stamp == compute_stamp(root, FILE_PATH, git_folder):
        return verdict
    answer = check_ignored(root, FILE_PATH, "")
    if (verdict.kind, answer.kind) == ("tracked", "not_ignored"):
        return Verdict()  # the next update adds our pattern to the private ignore list
    # Without a stamp, the stored verdict may also contain an error from that list.
    return answer if verdict.stamp or answer.kind != verdict.kind else verdict


def _is_project_folder(root: str) -> bool:
    """Return whether a folder is in a work tree or has ``.claude``, and is neither ``/`` nor the home folder."""
    if root in (os.path.dirname(root), os.path.realpath(os.path.expanduser("~"))):
        return False
    return os.path.isdir(os.path.join(root, FOLDER_NAME)) or find_work_tree(root) not in ("", os.path.abspath(os.sep))


def _update_place(sql: sqlite3.Connection, project_id: str, place: Place, problems: list[str]) -> None:
    if not os.path.isdir(place.root):
        sessions.delete_place(sql, project_id, place.root)
        return
    sessions.set_verdict(sql, project_id, place)
    if place.verdict.kind:
        _remove_ours(sql, project_id, place)
    else:
        _write_file(sql, project_id, place, problems)


def _read_file(folder: Folder, problems: list[str]) -> PendingFile:
    """Read the pending file in a folder. An unreadable one is set aside, and read as if it were missing."""
    data = folder.read(FILE_NAME, MAX_BYTES)
    if data is not None:
        try:
            return parse_pending_file(data)
        except UnreadablePendingError as error:
            new_name = folder.set_aside(FILE_NAME, error.kind)
            problems.append(f"{os.path.join(folder.path, FILE_NAME)}: {error.reason}; it was moved to {new_name}")
    return PendingFile([], version=0)


def _exclude_ours(sql: sqlite3.Connection, project_id: str, content: PendingFile) -> list[JsonObject]:
    return [c for c in content.candidates if not was_staged_here(sql, project_id, cast("str", c["id"]))]


def _write_file(sql: sqlite3.Connection, project_id: str, place: Place, problems: list[str]) -> None:
    pending = [record.candidate for record in candidates.list_pending(sql, project_id)]
    if not pending and not os.path.lexists(_get_file_path(place)):
        return
    with Folder(os.path.join(place.root, FOLDER_NAME), make=True) as folder:
        current = _read_file(folder, problems)
        is_own_file = bool(place.token) and current.token == place.token
        # Preserve keys that a person added to a candidate, but only in a file that we wrote.
        previous = {str(c["id"]): c for c in current.candidates} if is_own_file else {}
        listed: list[JsonObject] = []
        for candidate in pending:
            entry = candidate_to_json(candidate)
            added = {k: v for k, v in previous.get(candidate.id, {}).items() if k not in entry and k != "injectedAt"}
            listed.append({**entry, **added})
        unreadable = candidates.list_unreadable_ids(sql, project_id)
        listed += [c for c in current.candidates if c["id"] in unreadable]
        listed += _exclude_ours(sql, project_id, current)
        if not (is_own_file and listed and current.candidates == listed):
            _replace_file(sql, project_id, place, folder, PendingFile(listed, extra=current.extra))


def _remove_ours(sql: sqlite3.Connection, project_id: str, place: Place) -> None:
    """Remove our candidates from a file that git may commit. A file that git already tracks is left unchanged."""
    if place.verdict.kind == "tracked" or not os.path.lexists(_get_file_path(place)):
        return
    with Folder(os.path.join(place.root, FOLDER_NAME)) as folder:
        try:
            current = parse_pending_file(folder.read(FILE_NAME, MAX_BYTES) or b"")
        except UnreadablePendingError:
            return  # not written by us
        others = _exclude_ours(sql, project_id, current)
        if others != current.candidates:
            _replace_file(sql, project_id, place, folder, PendingFile(others, extra=current.extra))


def _replace_file(sql: sqlite3.Connection, project_id: str, place: Place, folder: Folder, content: PendingFile) -> None:
    folder.remove_temporary_files(FILE_NAME)
    if not content.candidates and not content.extra:
        folder.remove(FILE_NAME)
        return
    content.token = os.urandom(TOKEN_LENGTH // 2).hex()
    folder.write(FILE_NAME, serialise_pending_file(content))
    sessions.set_token(sql, project_id, place.root, content.token)


FOLDER_NAME = ".claude"
FILE_NAME = "mind-skills-pending.json"
FILE_PATH = f"{FOLDER_NAME}/{FILE_NAME}"
VERSION = 1
TOKEN_LENGTH = 32
"""Number of hex digits in a token (128 bits), and maximum number of characters in one that is read."""
MAX_BYTES = 1 << 20
"""Maximum file size in bytes; ten candidates take under 60 kB. The database is locked meanwhile: a hostile 16 MB took
12 s and 500 MB."""
MAX_DEPTH = 64
"""Maximum nesting depth. Some Python versions parse deeper nesting than they can serialise."""
_FieldType = Literal["text", "texts", "int", "time"]


def is_pending_file_name(name: str) -> bool:
    """Return whether a file with this name is a pending file, one that was set aside, or the temporary file of a write."""
    suffix = name.removeprefix(FILE_NAME)
    kind, _, number = suffix.partition("-")
    is_set_aside = kind in (".corrupt", ".newer") and number.isdecimal()
    is_temporary = (
        len(suffix) == len(".0123456789ab.tmp")
        and suffix.endswith(".tmp")
        and not suffix[1:13].strip("0123456789abcdef")
    )
    return name.startswith(FILE_NAME) and (not suffix or is_set_aside or is_temporary)


def list_pending_files(root: str) -> list[str]:
    """List the names of all such files in the project folder ``root``, sorted. Raises OSError if they cannot be listed."""
    try:
        return sorted(filter(is_pending_file_name, os.listdir(os.path.join(root, FOLDER_NAME))))
    except (FileNotFoundError, NotADirectoryError):
        return []


def has_our_form(candidate: JsonObject) -> bool:
    """Return whether the id and fingerprint of a parsed candidate have the form that only we write (identity.py)."""
    id_, fingerprint = (str(candidate.get(name, "")) for name in ("id", "fingerprint"))
    digits = id_.removeprefix("sc_") + fingerprint
    return (
        id_.startswith("sc_")
        and (len(id_), len(fingerprint)) == (len("sc_") + 8, 32)
        and not digits.strip("0123456789abcdef")
    )


class UnreadablePendingError(Exception):
    """The content is not a supported pending file. ``kind`` becomes part of the name under which the file is set aside."""

    def __init__(self, kind: Literal["corrupt", "newer"], reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


@dataclass(slots=True)
class PendingFile:
    """Content of a pending file. ``version`` 0 is the older format; ``extra`` has all other top-level keys."""

    candidates: list[JsonObject]
    version: int = VERSION
    token: str = ""
    extra: JsonObject = field(default_factory=dict[str, object])

    @property
    def injected_at(self) -> int | None:
        """Time of the last offer if every candidate has been offered, in UTC milliseconds; else None."""
        times = [c.get("injectedAt") for c in self.candidates]
        valid = [int(t) for t in times if isinstance(t, int | float)]
        return max(valid) if valid and len(valid) == len(times) else None


def serialise_pending_file(content: PendingFile) -> bytes:
    """Serialise a pending file, with a final newline. Content that was parsed can always be serialised."""
    document: JsonObject = {
        **content.extra,
        "version": VERSION,
        **({"token": content.token} if content.token else {}),
        "candidates": content.candidates,
    }
    if content.injected_at is not None:
        document["injectedAt"] = content.injected_at
    try:
        return (json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()
    except UnicodeEncodeError:  # a lone surrogate in a foreign candidate can only be written as an escape
        return (json.dumps(document, indent=2, allow_nan=False) + "\n").encode()


def parse_pending_file(data: bytes) -> PendingFile:
    """Parse a pending file and check the types of the keys that we define. Raises UnreadablePendingError."""
    if len(data) > MAX_BYTES:
        raise UnreadablePendingError("corrupt", f"larger than {MAX_BYTES} bytes")
    document = _check_object(_parse_json(data), "the file")
    if _is_deeper(document, MAX_DEPTH):
        raise UnreadablePendingError("corrupt", "nested too deeply")
    version = document.pop("version", 0)
    if not _has_type(version, "int") or (version != 0 and cast("int", version) < 1):
        raise UnreadablePendingError("corrupt", "its version is not a positive integer")
    if cast("int", version) > VERSION:
        raise UnreadablePendingError(
            "newer", f"its version is {version}, but this mind-skills supports only version {VERSION}"
        )
    listed = document.pop("candidates", None)
    if not isinstance(listed, list):
        raise UnreadablePendingError("corrupt", "its candidates are not a list")
    candidates = [_check_candidate(item) for item in cast("list[object]", listed)]
    injected_at, token = document.pop("injectedAt", None), document.pop("token", "")
    if not _has_type(injected_at, "time"):
        raise UnreadablePendingError("corrupt", "its injectedAt is not a number")
    if not isinstance(token, str) or len(token) > TOKEN_LENGTH:
        raise UnreadablePendingError("corrupt", "its token is not a short string")
    document.pop("revision", None)  # predecessor of the token
    if version == 0 and injected_at is not None:
        candidates = [{**c, "injectedAt": c.get("injectedAt") or injected_at} for c in candidates]
    return PendingFile(candidates, cast("int", version), token, document)


def _parse_json(data: bytes) -> object:
    try:
        return cast(
            "object", json.loads(data.decode("utf-8-sig"), parse_constant=_reject_constant, parse_float=_parse_float)
        )
    except RecursionError as error:
        raise UnreadablePendingError("corrupt", "nested too deeply") from error
    except ValueError as error:
        raise UnreadablePendingError("corrupt", f"invalid JSON: {str(error)[:80]}") from error


def _is_deeper(value: object, levels: int) -> bool:
    """Return whether lists and objects are nested more than ``levels`` deep."""
    level: list[object] = [value]
    for _ in range(levels):
        inner: list[object] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(cast("JsonObject", item).values())
            elif isinstance(item, list):
                inner.extend(cast("list[object]", item))
        level = inner
    return any(isinstance(item, dict | list) for item in level)


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a finite number")


def _parse_float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _reject_constant(text)


def _check_object(value: object, label: str) -> JsonObject:
    if not isinstance(value, dict):
        raise UnreadablePendingError("corrupt", f"{label} is not an object")
    return dict(cast("JsonObject", value))


def _has_type(value: object, kind: _FieldType) -> bool:
    if kind == "texts":
        return isinstance(value, list) and all(isinstance(item, str) for item in cast("list[object]", value))
    if kind == "time" and value is None:
        return True
    types = {"text": str, "int": int, "time": int | float}[kind]
    return isinstance(value, types) and not isinstance(value, bool)


_CANDIDATE_FIELDS: dict[str, _FieldType] = {
    **dict.fromkeys(("reason", "confidence", "sessionId", "kind", "fingerprint", "host", "outcome"), "text"),
    **dict.fromkeys(("files", "sessions", "taint"), "texts"),
    **dict.fromkeys(("detectedAt", "injectedAt"), "time"),
}
_EVIDENCE_FIELDS: dict[str, _FieldType] = {
    **dict.fromkeys(("type", "role", "summary", "content"), "text"),
    "line": "int",
}


def _check_candidate(value: object) -> JsonObject:
    fields = _check_object(value, "a candidate")
    if not fields.get("id") or not _has_type(fields["id"], "text") or not _has_type(fields.get("title"), "text"):
        raise UnreadablePendingError("corrupt", "a candidate has no id or no title")
    _check_fields(fields, _CANDIDATE_FIELDS, "a candidate")
    evidence = fields.get("evidence", [])
    if not isinstance(evidence, list):
        raise UnreadablePendingError("corrupt", "a candidate's evidence is not a list")
    for item in cast("list[object]", evidence):
        _check_fields(_check_object(item, "an evidence item"), _EVIDENCE_FIELDS, "an evidence item")
    return fields


def _check_fields(fields: JsonObject, kinds: dict[str, _FieldType], label: str) -> None:
    for key, kind in kinds.items():
        if key in fields and not _has_type(fields[key], kind):
            raise UnreadablePendingError("corrupt", f"{label} has an invalid {key}")
