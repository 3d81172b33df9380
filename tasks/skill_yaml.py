"""The frontmatter of a skill as YAML. What hosts read differently, or their validator refuses, is a flaw of its own.

PyYAML finds what is wrong, with its line. Scalars stay text, because hosts disagree about what ``on`` or ``1.0`` is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from mind_skills.learning.skills.document import SPEC, Flaw, Value

LARGEST = 32 * 1024
"""Characters of a frontmatter; what the format allows for takes two thousand."""
DEEP = 20
"""Levels of nesting; a frontmatter has two."""


def fields(front: str, first: int = 2) -> tuple[dict[str, Value] | None, list[Flaw]]:
    """The fields of a frontmatter whose first line has the number ``first``, and what is wrong with it as YAML.

    None where it is no table, or where it could mean more than it says. Never raises.
    """
    if len(front) > LARGEST:
        hint = "Only what a host needs to find the skill belongs there; the body has room."
        return None, [
            Flaw("frontmatter-large", "error", f"its frontmatter has {len(front)} characters", hint, SPEC, first)
        ]
    try:
        flaws = list(_strict(front, first))
        if any(flaw.code == "yaml-anchor" for flaw in flaws):
            return None, flaws  # a few lines of them can stand for a million
        node: Any = yaml.compose(front, Loader=yaml.BaseLoader)
        if not isinstance(node, yaml.MappingNode):
            hint = "Write `name: ...` and `description: ...`, one a line."
            return None, [Flaw("frontmatter-form", "error", "its frontmatter is no table", hint, SPEC, first)]
        return _table(node, first, flaws), flaws
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = first + (mark.line if mark else 0)
        said = f"its frontmatter is no YAML: {error.problem or error.context or 'it cannot be parsed'}"
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        line, said = first, f"its frontmatter is no YAML: {' '.join(str(error).split())[:120]}"
    hint = 'Put quotes around a text that holds ": " or " #", or that begins with a sign.'
    return None, [Flaw("yaml", "error", ascii(said)[1:-1], hint, SPEC, line)]


def _strict(front: str, first: int) -> Iterator[Flaw]:
    """The parts of YAML that the validator of Agent Skills refuses: each kind once, where it stands first."""
    told: set[str] = set()
    depth = 0
    event: Any
    for event in yaml.parse(front, Loader=yaml.BaseLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEP:
            raise RecursionError("it is nested too deeply")
        for code, said, hint in _refused(event):
            if code not in told:
                told.add(code)
                yield Flaw(code, "error", f"its frontmatter {said}", hint, SPEC, first + event.start_mark.line)


def _refused(event: Any) -> Iterator[tuple[str, str, str]]:
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        yield "yaml-anchor", "has anchors", "Write the text out."
    if isinstance(event, yaml.CollectionStartEvent) and event.flow_style:
        hint = "Write one `key: text` a line, indented, instead of braces or brackets."
        yield "yaml-flow", "has braces or brackets, which the validator of Agent Skills refuses", hint
    if getattr(event, "tag", None):
        yield "yaml-tag", "has tags", "Leave out what begins with an exclamation mark, or quote it."


def _table(node: yaml.MappingNode, first: int, flaws: list[Flaw]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for key, value in node.value:
        name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
        line = first + key.start_mark.line
        if not isinstance(key, yaml.ScalarNode):
            flaws.append(
                Flaw("yaml-key", "error", "a key of its frontmatter is no text", "Write `key: text`.", SPEC, line)
            )
        elif name in found:
            said = f"its frontmatter has the key {ascii(name)[1:-1][:60]} twice"
            flaws.append(Flaw("yaml-twice", "error", said, "Keep one of them.", SPEC, line))
        else:
            found[name] = _value(value, first, flaws)
    return found


def _value(node: yaml.Node, first: int, flaws: list[Flaw]) -> Value:
    if isinstance(node, yaml.MappingNode):
        return _table(node, first, flaws)
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, first, flaws) for item in node.value]
    return str(node.value)
