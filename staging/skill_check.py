"""Checks a new skill: form, whether it is about its episode, whether what it names exists; for `status` and `skills`."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from typing import NamedTuple

from mind_skills.digest.session import render_digest
from mind_skills.learning.skills.files import extract_distinctive_words, read_text, split_skill_file
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.staging.tables.candidates import StoredCandidate

MIN_SHARED_NAMES = 2
"""Minimum number of distinctive words that a skill and its episode share."""
MAX_PROBLEMS, MAX_PACKAGES, MAX_MANIFEST_BYTES = 6, 10, 200_000
_CODE = compile_lazily(r"`([^`\n]{2,200})`")
_PATH = compile_lazily(r"(?:\.{0,2}/)?(?:[\w.@+-]+/)+[\w.@+-]*\.\w{1,8}")
_COMMAND = compile_lazily(r"([a-z][\w.-]{1,30}) +\S")
_MANIFESTS = (
    ("package.json", r'"(@?[\w./-]+)":\s*"[~^>=<]*(\d[\w.-]*)"'),
    ("pyproject.toml", r"[\"']([\w.-]+)(?:\[[\w,-]*\])?\s*[=~><]=\s*(\d[\w.]*)"),
    ("requirements.txt", r"(?m)^([\w.-]+)(?:\[[\w,-]*\])?\s*[=~><]=\s*(\d[\w.]*)"),
    ("go.mod", r"(?m)^\s*(?:require )?([\w./-]+) v(\d[\w.-]*)"),
    ("Cargo.toml", r'(?m)^([\w-]+)\s*=\s*(?:\{[^}\n]*version\s*=\s*)?"[~^=]*(\d[\w.-]*)"'),
)
"""Files that name packages with versions, and the pattern of one."""


class SkillCheck(NamedTuple):
    """Problems in sentences, and the versions of the packages that the skill names, by package."""

    problems: tuple[str, ...]
    versions: dict[str, str]


def check_skill(ledger: Ledger, record: StoredCandidate, root: str) -> SkillCheck:
    """Check the skill that a candidate became. ``root`` is the project's folder. Never raises for an unreadable skill."""
    path = record.detail
    text = read_text(path)
    if not text:
        return SkillCheck((), {})
    known = _describe_episode(ledger, record.candidate)
    problems = _list_errors(path)
    body = split_skill_file(text).body or text
    if len(extract_distinctive_words([body]) & extract_distinctive_words([known])) < MIN_SHARED_NAMES:
        problems.append("it shares no names with its episode")
    problems += list(_find_unknown_names(body, known, root))
    return SkillCheck(tuple(problems[:MAX_PROBLEMS]), _find_versions(body, root))


def _list_errors(path: str) -> list[str]:
    """Return the errors in the form of a skill; none where PyYAML is not installed, as in a hook before its environment is ready."""
    try:
        from mind_skills.learning.skills.flaws import find_flaws
    except ImportError:
        return []
    return [flaw.message for flaw in find_flaws(os.path.abspath(path)) if flaw.severity == "error"]


def record_check(ledger: Ledger, record: StoredCandidate, root: str, at: int, session_id: str = "") -> SkillCheck:
    """Check a skill and store the result with where it came from: session, lines, and versions of packages."""
    check = check_skill(ledger, record, root)
    candidate = record.candidate
    origin = {"session": candidate.session_id, "lines": [candidate.first_line, candidate.last_line]}
    detail: dict[str, object] = {"problems": list(check.problems), "origin": origin, "versions": check.versions}
    ledger.add_receipt(at, "checked", record, session_id, detail)
    return check


def _describe_episode(ledger: Ledger, candidate: Candidate) -> str:
    digest = ledger.find_digest(candidate.session_id)
    texts = [item.content for item in candidate.evidence]
    return "\n".join([candidate.title, *texts, *candidate.files, render_digest(digest) if digest is not None else ""])


def _find_unknown_names(body: str, known: str, root: str) -> Iterator[str]:
    """Yield a sentence for each file and command in the skill that is neither in its episode nor on this machine."""
    for code in dict.fromkeys(_CODE.findall(body)):
        for name in _PATH.findall(code):
            if (
                name not in known
                and not os.path.exists(os.path.join(root, name.lstrip("/")))
                and not os.path.exists(name)
            ):
                yield f"it names the file {ascii(name)[1:-1]}, which does not exist"
        command = _COMMAND.match(code)
        if command and command[1] not in known and not _exists(command[1], root):
            yield f"it names the command {command[1]}, which was not found"


def _exists(command: str, root: str) -> bool:
    return shutil.which(command) is not None or os.path.exists(os.path.join(root, command))


def _find_versions(body: str, root: str) -> dict[str, str]:
    versions: dict[str, str] = {}
    words = set(re.findall(r"@?[\w./-]+", body))
    for name, pattern in _MANIFESTS:
        try:
            with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
                text = file.read(MAX_MANIFEST_BYTES)
        except OSError:
            continue
        for package, version in re.findall(pattern, text):
            if package in words and len(versions) < MAX_PACKAGES:
                versions.setdefault(package, version)
    return versions
