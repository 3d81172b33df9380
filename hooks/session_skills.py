"""The skills of a session: those that it wrote, those that it used, and what became of the candidates that it was offered.

The log alone does not show what was written: a shell command, or a program, writes files that no line of it names. Writing a
skill is not using it, nor is looking at it again afterwards, nor reading it in order to change it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping

from mind_skills.hosts.skills import HOME, PLACE, PROJECT
from mind_skills.learning.skills.coverage import covers, distinctive_words, mentions, split_passages
from mind_skills.learning.skills.files import read_text
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.staging.analyse import Analysis, WrittenSkill
from mind_skills.staging.decisions import Verdict
from mind_skills.staging.model import Candidate
from mind_skills.staging.skill_use import NAME, SkillUse
from mind_skills.staging.tables.uses import Use

SKILLS, ENTRIES = 200, 2000
"""At most so many skills are read, and so many names in the folder looked at."""
SLACK = 2000
"""Milliseconds: the times of some file systems have no finer grain."""
OURS = "mind-skills:"
"""How the commands of our own plugin begin, which an agent can load like skills. A plugin's skill is PLUGIN:NAME."""

_PLACE = compile_later(PLACE)
_ID = compile_later(r"(?<!\w)sc_[0-9a-f]{8}(?!\w)")


def read_written_skills(skills: list[WrittenSkill], root: str) -> dict[str, str]:
    """Path to text of the skills that a session's log shows: what it shows of each, and what stands on disk now.

    The log bounds what it shows, and an id may stand behind the bound; the file may be gone. Together they suffice.
    """
    texts: dict[str, str] = {}
    for skill in skills:
        path = os.path.join(root, skill.path)
        texts[path] = f"{texts.get(path, '')}\n{skill.text}"
    return {path: f"{text}\n{read_text(path)}" for path, text in texts.items()}


def read_changed_skills(folder: str, since: int) -> dict[str, str]:
    """Path to text of each ``folder/NAME/SKILL.md`` that changed at ``since`` (UTC milliseconds) or later.

    Whoever changed it: that it is of the session only its naming a candidate can say. Regular files, bounded.
    """
    texts: dict[str, str] = {}
    for path in _skill_paths(folder):
        if len(texts) == SKILLS:
            break
        try:
            found = os.stat(path)
        except OSError:
            continue  # a folder without a skill, or out of reach
        if stat.S_ISREG(found.st_mode) and found.st_mtime_ns // 1_000_000 >= since - SLACK:
            texts[path] = read_text(path)
    return texts


def _skill_paths(folder: str) -> Iterator[str]:
    try:
        entries = os.scandir(folder)
    except OSError:
        return  # the project keeps no skills
    with entries:
        for number, entry in enumerate(entries):
            if number == ENTRIES:
                return
            yield os.path.join(folder, entry.name, "SKILL.md")


def judge_candidates(
    candidates: Iterable[Candidate],
    skills: Mapping[str, str],
    changed: Mapping[str, str] | None = None,
    is_tracked: Callable[[str], bool] = lambda _: False,
) -> dict[str, Verdict]:
    """Candidate id to (verdict, path of the skill or empty).

    ``skills`` are the SKILL.md files that the session wrote: path to text, the last text of each. A skill that names
    the id comes before one that covers the candidate, so that two similar candidates do not both take one skill's name.
    ``changed`` are others that changed meanwhile, by whatever hand: of these only one that names the id counts, and of one
    that ``is_tracked`` says may have come with the repository only one that covers the candidate as well. Ids can be worked out.
    """
    found: dict[str, Verdict] = {}
    for candidate in candidates:
        others = {
            path: text for path, text in (changed or {}).items() if mentions(text, candidate.id) and path not in skills
        }
        own = {
            path: text
            for path, text in others.items()
            if not is_tracked(path) or _find_covering(candidate, {path: text})
        }
        path = next(
            (path for path, text in {**own, **skills}.items() if mentions(text, candidate.id)), ""
        ) or _find_covering(candidate, skills)
        found[candidate.id] = ("accepted", path) if path else ("ignored", "")
    return found


def _find_covering(candidate: Candidate, skills: Mapping[str, str]) -> str:
    wanted = distinctive_words(
        [candidate.title, *(item.summary for item in candidate.evidence if item.role in ("cause", "insight"))]
    )
    return next(
        (path for path, text in skills.items() if any(covers(wanted, words) for words in split_passages(text))), ""
    )


def find_used_skills(analysis: Analysis, root: str, host: str, since: int = 0) -> list[Use]:
    """Each skill that this session used, once: by its path, or by its name where no file of that name is found.

    ``root`` is the project's, ``host`` the one whose folders a name is looked for in. What happened before ``since``
    (UTC ms) does not count: the log of a fork begins with its parent's.
    """
    folders = [root, analysis.session.project]
    wrote = [(_resolve_path(skill.path, folders), skill.line) for skill in analysis.skills_written]
    found: dict[str, Use] = {}
    brought = {use.name: use.path for use in analysis.skills_used if use.how == "host"}
    for use in sorted(analysis.skills_used, key=lambda use: use.how == "read"):  # the first way that is seen is kept
        if since and use.at is not None and use.at < since:
            continue
        if use.name.startswith(OURS):
            continue
        path = _resolve_path(use.path or brought.get(use.name.rsplit(":", 1)[-1], ""), folders)
        path = path or _find_by_name(use.name, root, host)
        if _is_own(use.name, path, use, wrote):
            continue
        known = bool(_PLACE.search(path)) if path else True
        found.setdefault(
            path or use.name, Use(use.name, path, use.how, use.at, known, tuple(_find_candidate_ids(path)), use.first)
        )
    return list(found.values())


def _resolve_path(path: str, folders: Iterable[str]) -> str:
    """A path as the log has it, below the first of ``folders`` where there is such a file."""
    if not path:
        return ""
    expanded = os.path.expanduser(path)
    places = [os.path.normpath(os.path.join(folder, expanded)) for folder in folders if folder]
    return next((place for place in places if os.path.isfile(place)), places[0] if places else expanded)


def _find_by_name(name: str, root: str, host: str) -> str:
    """Where the skill of a name is, in the folders that this host reads: the project's before the user's."""
    if not re.fullmatch(r"[\w.-]+", name):
        return ""
    home = os.path.expanduser("~")
    tops = [os.path.join(root, place) for place in PROJECT.get(host, ())]
    tops += [os.path.join(home, place) for place in HOME.get(host, ())] if os.path.isabs(home) else []
    paths = [os.path.join(top, name, NAME) for top in tops]
    return next((path for path in paths if os.path.isfile(path)), "")


def _is_own(name: str, path: str, use: SkillUse, wrote: list[tuple[str, int]]) -> bool:
    """Whether the session wrote it: before it used it, or at any time where it only read the file."""
    lines = [
        line
        for place, line in wrote
        if place == path or (not path and os.path.basename(os.path.dirname(place)) == name)
    ]
    return bool(lines) and (use.how == "read" or min(lines) <= use.last)


def _find_candidate_ids(path: str) -> Iterator[str]:
    """The ids of candidates that the skill names: it descends from them, wherever it has been moved to since."""
    if path:
        yield from dict.fromkeys(_ID.findall(read_text(path)))
