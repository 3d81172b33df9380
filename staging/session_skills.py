"""Skills that a session wrote and used, and the verdicts on its offered candidates. A shell command can write a skill
that no line names.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from mind_skills.hosts.skills import HOME_SKILL_FOLDERS, PROJECT_SKILL_FOLDERS, SKILL_FOLDER_PATTERN
from mind_skills.learning.skills.files import contains_id, covers, extract_distinctive_words, read_text, split_passages
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.staging.analyse import SKILL_FILE_NAME, Analysis, SkillUse, WrittenSkill
from mind_skills.staging.covered import list_comparable_texts
from mind_skills.staging.decisions import Verdict
from mind_skills.staging.model import Candidate
from mind_skills.staging.tables.sessions import SkillUseRecord

MAX_SKILLS, MAX_ENTRIES = 200, 2000
"""Maximum number of changed skills to read, and of folder entries to check."""
MTIME_SLACK = 2000
"""Milliseconds subtracted from a time before file times are compared: their resolution on some file systems."""
OWN_PREFIX = "mind-skills:"
"""Prefix of our own plugin's commands, which an agent can load like skills. Skills of a plugin are named PLUGIN:NAME."""

_SKILL_PATH = compile_lazily(SKILL_FOLDER_PATTERN)
_CANDIDATE_ID = compile_lazily(r"(?<!\w)sc_[0-9a-f]{8}(?!\w)")


def read_written_skills(skills: list[WrittenSkill], root: str) -> dict[str, str]:
    """Map the skills that the log says were written to their logged and current texts: the log truncates, and the file
    may be gone.
    """
    texts: dict[str, str] = {}
    for skill in skills:
        path = os.path.join(root, skill.path)
        texts[path] = f"{texts.get(path, '')}\n{skill.text}"
    return {path: f"{text}\n{read_text(path)}" for path, text in texts.items()}


def read_changed_skills(folder: str, since: int) -> dict[str, str]:
    """Map each regular ``folder/NAME/SKILL.md`` modified at ``since`` (UTC ms) or later to its text; at most ``MAX_SKILLS``."""
    texts: dict[str, str] = {}
    for path in _list_skill_paths(folder):
        if len(texts) == MAX_SKILLS:
            break
        try:
            status = os.stat(path)
        except OSError:
            continue  # a folder without a SKILL.md, or one that cannot be accessed
        if stat.S_ISREG(status.st_mode) and status.st_mtime_ns // 1_000_000 >= since - MTIME_SLACK:
            texts[path] = read_text(path)
    return texts


def _list_skill_paths(folder: str) -> Iterator[str]:
    try:
        entries = os.scandir(folder)
    except OSError:
        return  # the project has no skills
    with entries:
        for entry in islice(entries, MAX_ENTRIES):
            yield os.path.join(folder, entry.name, SKILL_FILE_NAME)


def judge_candidates(
    candidates: Iterable[Candidate],
    skills: Mapping[str, str],
    changed: Mapping[str, str],
    is_tracked: Callable[[str], bool],
) -> dict[str, Verdict]:
    """Map candidate ids to a verdict and skill path. Of ``skills``, which the session wrote, one that names the id
    precedes one that covers the candidate. Those ``changed`` by anyone must name the id and, if ``is_tracked`` by
    git, also cover it: ids can be guessed.
    """
    verdicts: dict[str, Verdict] = {}
    for candidate in candidates:
        other_skills = {
            path: text for path, text in changed.items() if contains_id(text, candidate.id) and path not in skills
        }
        trusted_skills = {
            path: text
            for path, text in other_skills.items()
            if not is_tracked(path) or _find_covering(candidate, {path: text})
        }
        path = next(
            (path for path, text in {**trusted_skills, **skills}.items() if contains_id(text, candidate.id)), ""
        ) or _find_covering(candidate, skills)
        verdicts[candidate.id] = ("accepted", path) if path else ("ignored", "")
    return verdicts


def _find_covering(candidate: Candidate, skills: Mapping[str, str]) -> str:
    keywords = extract_distinctive_words(list_comparable_texts(candidate))
    return next(
        (path for path, text in skills.items() if any(covers(keywords, passage) for passage in split_passages(text))),
        "",
    )


def find_used_skills(analysis: Analysis, root: str, host: str, since: int = 0) -> list[SkillUseRecord]:
    """Return the skills that the session used after ``since`` (UTC ms; a fork's log begins with its parent's), one
    record per path, or per name.
    """
    folders = [root, analysis.session.project]
    written_skills = [(_resolve_path(skill.path, folders), skill.line) for skill in analysis.skills_written]
    records: dict[str, SkillUseRecord] = {}
    host_paths = {use.name: use.path for use in analysis.skills_used if use.how == "host"}
    # Reads come last, since only the first record of a skill is used.
    for use in sorted(analysis.skills_used, key=lambda use: use.how == "read"):
        if since and use.at is not None and use.at < since:
            continue
        if use.name.startswith(OWN_PREFIX):
            continue
        path = _resolve_path(use.path or host_paths.get(use.name.rsplit(":", 1)[-1], ""), folders)
        path = path or _find_by_name(use.name, root, host)
        if _is_written_by_session(use.name, path, use, written_skills):
            continue
        is_skill_path = bool(_SKILL_PATH.search(path)) if path else True
        records.setdefault(
            path or use.name,
            SkillUseRecord(use.name, path, use.how, use.at, is_skill_path, find_candidate_ids(path), use.first_line),
        )
    return list(records.values())


def _resolve_path(path: str, folders: Iterable[str]) -> str:
    """Resolve a path of the log against ``folders``: the first that contains the file, else the first folder."""
    if not path:
        return ""
    expanded = os.path.expanduser(path)
    paths = [os.path.normpath(os.path.join(folder, expanded)) for folder in folders if folder]
    return next(
        (path_in_folder for path_in_folder in paths if os.path.isfile(path_in_folder)), paths[0] if paths else expanded
    )


def _find_by_name(name: str, root: str, host: str) -> str:
    """Return the path of a skill in the folders that this host reads; project folders take precedence."""
    if not re.fullmatch(r"[\w.-]+", name):
        return ""
    user_home = os.path.expanduser("~")
    skill_folders = [os.path.join(root, folder) for folder in PROJECT_SKILL_FOLDERS.get(host, ())]
    skill_folders += (
        [os.path.join(user_home, folder) for folder in HOME_SKILL_FOLDERS.get(host, ())]
        if os.path.isabs(user_home)
        else []
    )
    paths = [os.path.join(top, name, SKILL_FILE_NAME) for top in skill_folders]
    return next((path for path in paths if os.path.isfile(path)), "")


def _is_written_by_session(name: str, path: str, use: SkillUse, written_skills: list[tuple[str, int]]) -> bool:
    """Return whether the session wrote the skill: before its last use, or at any time if it only read the file."""
    lines = [
        line
        for written_path, line in written_skills
        if written_path == path or (not path and os.path.basename(os.path.dirname(written_path)) == name)
    ]
    return bool(lines) and (use.how == "read" or min(lines) <= use.last_line)


def find_candidate_ids(path: str) -> tuple[str, ...]:
    """Return the candidate ids named in the SKILL.md at ``path``: the skill came from them, even if it was moved."""
    return tuple(dict.fromkeys(_CANDIDATE_ID.findall(read_text(path)))) if path else ()
