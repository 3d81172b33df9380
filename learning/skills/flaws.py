"""Reads the files of a skill, within limits, and finds their flaws; YAML that hosts read differently is one. Scalars
remain text, as hosts disagree about ``on`` or ``1.0``. PyYAML is imported where it is used.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mind_skills.learning.skills.discovery import Skill, find_installed_skills, find_skills
from mind_skills.learning.skills.files import FILE_NAME, read_bytes, split_skill_file
from mind_skills.learning.skills.lint import MIND_SKILLS, SAFETY, SPEC, Document, LintProblem, Value, lint
from mind_skills.store.project import resolve_project

if TYPE_CHECKING:
    import yaml

MAX_FILE_BYTES = 1024 * 1024
"""Maximum size of a SKILL.md; fifty times the size that the format recommends."""
MAX_SIBLINGS, MAX_SIBLING_BYTES, MAX_FOLDER_DEPTH = 100, 256 * 1024, 5
"""Maximum number of other files that are checked, of bytes read from each, and of folder levels."""
MAX_FRONTMATTER_LENGTH = 32 * 1024
"""Maximum length of the frontmatter in characters; the limits of the format for single fields add up to 1,588."""
_FIRST_LINE = 2
"""Number of the line on which the frontmatter starts: line 1 is the opening ``---``."""
MAX_NESTING = 20
"""Maximum nesting depth of the frontmatter; usually it has two levels."""
_PROBLEMS = {
    "none": ("frontmatter-missing", "it does not begin with frontmatter"),
    "open": ("frontmatter-open", "its frontmatter is not closed"),
}


def find_flaws(path: str, others: tuple[Skill, ...] | None = None) -> list[LintProblem]:
    """Return the flaws of the skill at ``path``, errors first; ``others`` are listed with it, by default ``_list_others``."""
    siblings = list_others(os.path.dirname(os.path.dirname(path))) if others is None else others
    document, file_flaws = read_document(path, siblings)
    flaws = [*file_flaws, *(lint(document) if document is not None else [])]
    return sorted(flaws, key=lambda flaw: flaw.severity != "error")


def list_others(top: str) -> tuple[Skill, ...]:
    """Return the skills that a host would list: those in ``top``, in its project, in the home folder and in plugins."""
    skills = {os.path.realpath(skill.path): skill for skill in find_skills([top]).skills}
    for skill in find_installed_skills(resolve_project(folder=top).root).skills:
        skills.setdefault(os.path.realpath(skill.path), skill)
    return tuple(skills.values())


# -- the files of a skill ----------------------------------------------------------------------------------------------------


def read_document(path: str, others: tuple[Skill, ...]) -> tuple[Document | None, list[LintProblem]]:
    """Read the skill at ``path``; None if unusable. Also returns flaws. Never raises."""
    data = read_bytes(path, MAX_FILE_BYTES + 1)
    if data is None:
        hint = "Replace it with a regular file that you can read."
        return None, [LintProblem("unreadable", "error", "it is not a readable file", hint, MIND_SKILLS)]
    if len(data) > MAX_FILE_BYTES:
        hint = "An agent reads the whole file. Move parts that are rarely needed to references/."
        return None, [LintProblem("too-large", "error", f"it is larger than {MAX_FILE_BYTES} bytes", hint, MIND_SKILLS)]
    if b"\0" in data:
        return None, [LintProblem("binary", "error", "it is not a text file", "Save it as UTF-8 text.", SPEC)]
    text, flaws = _decode(data)
    if not text.strip():
        hint = "Start with the frontmatter: ---, name, description, ---."
        return None, [*flaws, LintProblem("empty", "error", "it is empty", hint, SPEC)]
    parts, fields = split_skill_file(text), None
    if parts.problem:
        code, problem = _PROBLEMS[parts.problem]
        hint = "Start the file with `name: ...` and `description: ...` between two lines of three hyphens."
        flaws.append(LintProblem(code, "error", problem, hint, SPEC, 1))
    else:
        fields, yaml_flaws = parse_frontmatter(parts.front)
        flaws += yaml_flaws
    folder = os.path.dirname(path)
    siblings, sibling_flaws = _read_siblings(folder)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    doc = Document(path, os.path.basename(folder), text, fields, parts.body, parts.body_line, siblings, others)
    return doc, [*flaws, *sibling_flaws]


def _decode(data: bytes) -> tuple[str, list[LintProblem]]:
    flaws: list[LintProblem] = []
    if data.startswith(b"\xef\xbb\xbf"):
        hint = "Save it without the byte order mark: the file must start with three hyphens."
        flaws.append(LintProblem("byte-order-mark", "error", "it begins with a byte order mark", hint, SPEC, 1))
    try:
        return data.decode(), flaws
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        flaws.append(LintProblem("encoding", "error", "it is not valid UTF-8", "Save it as UTF-8 text.", SPEC, line))
        return data.decode("utf-8", "replace"), flaws


def _read_siblings(folder: str) -> tuple[dict[str, str], list[LintProblem]]:
    """Return the contents of the skill's other text files by relative path, and the flaws of its folder."""
    texts: dict[str, str] = {}
    flaws: list[LintProblem] = []
    inside = os.path.realpath(folder)
    for number, path in enumerate(_list_files(folder, MAX_FOLDER_DEPTH)):
        name = os.fsencode(os.path.relpath(path, folder)).decode("utf-8", "replace")
        if number == MAX_SIBLINGS:
            hint = "Keep a skill small enough to be reviewed."
            message = f"its folder has more than {MAX_SIBLINGS} other files; the rest were not checked"
            flaws.append(LintProblem("many-files", "warning", message, hint, MIND_SKILLS))
            break
        if os.path.islink(path):  # the target of a link within the folder is checked anyway
            if os.path.commonpath([inside, os.path.realpath(path)]) != inside:
                hint = "Copy the file instead: the target of a link is not part of the skill, and may change."
                flaws.append(
                    LintProblem(
                        "link-outside", "error", f"{ascii(name)[1:-1]} links outside the skill's folder", hint, SAFETY
                    )
                )
            continue
        data = read_bytes(path, MAX_SIBLING_BYTES)
        if data and b"\0" not in data:
            texts[name] = data.decode("utf-8", "replace")
    return texts, flaws


def _list_files(folder: str, depth: int) -> Iterator[str]:
    """Yield every file and link in a skill's folder except its SKILL.md and ``.git``, by name, ``depth`` levels deep."""
    try:
        with os.scandir(folder) as iterator:
            entries = sorted(iterator, key=lambda entry: entry.name)
    except OSError:
        return  # removed or not accessible: check the other files
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if depth and entry.name != ".git":
                yield from _list_files(entry.path, depth - 1)
        elif entry.name != FILE_NAME or depth < MAX_FOLDER_DEPTH:
            yield entry.path


def parse_frontmatter(front: str) -> tuple[dict[str, Value] | None, list[LintProblem]]:
    """Parse a frontmatter, None if it is too long, invalid, not a mapping, or has anchors; also returns flaws. Never raises."""
    import yaml

    if len(front) > MAX_FRONTMATTER_LENGTH:
        hint = "The frontmatter is only for what a host needs to find the skill. Move the rest to the body."
        return None, [
            LintProblem(
                "frontmatter-large", "error", f"its frontmatter has {len(front)} characters", hint, SPEC, _FIRST_LINE
            )
        ]
    try:
        flaws = list(_check_yaml_features(front))
        if any(flaw.code == "yaml-anchor" for flaw in flaws):
            return None, flaws  # a few lines with anchors can stand for a million
        node: Any = yaml.compose(front, Loader=yaml.BaseLoader)
        if not isinstance(node, yaml.MappingNode):
            hint = "Write `name: ...` and `description: ...`, one per line."
            return None, [
                LintProblem("frontmatter-form", "error", "its frontmatter is not a mapping", hint, SPEC, _FIRST_LINE)
            ]
        return _read_mapping(node, flaws), flaws
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = _FIRST_LINE + (mark.line if mark else 0)
        problem = f"its frontmatter is not valid YAML: {error.problem or error.context or 'it cannot be parsed'}"
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        line, problem = _FIRST_LINE, f"its frontmatter is not valid YAML: {' '.join(str(error).split())[:120]}"
    hint = 'Quote text that contains ": " or " #", or that starts with a special character.'
    return None, [LintProblem("yaml", "error", ascii(problem)[1:-1], hint, SPEC, line)]


def _check_yaml_features(front: str) -> Iterator[LintProblem]:
    """Yield a flaw for each feature that the validator of Agent Skills rejects. Raises YAMLError, RecursionError."""
    import yaml

    reported_codes: set[str] = set()
    depth = 0
    event: Any
    for event in yaml.parse(front, Loader=yaml.BaseLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_NESTING:
            raise RecursionError("it is nested too deeply")
        for code, problem, hint in _find_rejected_features(event):
            if code not in reported_codes:
                reported_codes.add(code)
                yield LintProblem(
                    code, "error", f"its frontmatter {problem}", hint, SPEC, _FIRST_LINE + event.start_mark.line
                )


def _find_rejected_features(event: Any) -> Iterator[tuple[str, str, str]]:
    import yaml

    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        yield "yaml-anchor", "has anchors", "Repeat the text instead of referring to it."
    if isinstance(event, yaml.CollectionStartEvent) and event.flow_style:
        hint = "Write one indented `key: text` per line instead of braces or brackets."
        yield "yaml-flow", "has braces or brackets, which the validator of Agent Skills rejects", hint
    if getattr(event, "tag", None):
        yield "yaml-tag", "has tags", "Remove or quote text that starts with an exclamation mark."


def _read_mapping(node: yaml.MappingNode, flaws: list[LintProblem]) -> dict[str, Value]:
    import yaml

    fields: dict[str, Value] = {}
    for key, value in node.value:
        name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
        line = _FIRST_LINE + key.start_mark.line
        if not isinstance(key, yaml.ScalarNode):
            flaws.append(
                LintProblem(
                    "yaml-key", "error", "a key of its frontmatter is not text", "Write `key: text`.", SPEC, line
                )
            )
        elif name in fields:
            message = f"its frontmatter has the key {ascii(name)[1:-1][:60]} twice"
            flaws.append(LintProblem("yaml-twice", "error", message, "Remove one of them.", SPEC, line))
        else:
            fields[name] = _read_value(value, flaws)
    return fields


def _read_value(node: yaml.Node, flaws: list[LintProblem]) -> Value:
    import yaml

    if isinstance(node, yaml.MappingNode):
        return _read_mapping(node, flaws)
    if isinstance(node, yaml.SequenceNode):
        return [_read_value(item, flaws) for item in node.value]
    return str(node.value)
