"""The lint and the public validator of Agent Skills agree on name, description, keys and YAML.

Where they differ on purpose: a skill whose metadata or allowed-tools have the wrong form passes there, and so does a
name with letters beyond a-z, of which the lint only warns. Safety and collisions are checked by the lint alone.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mind_skills.learning.skills.flaws import find_flaws
from tests.testkit.examples import examples

validate = pytest.importorskip("skills_ref", reason="the public validator is not installed").validate

FORMAT = ("name-", "description-", "key-", "compatibility", "yaml", "frontmatter", "empty", "byte-order", "encoding")
"""The beginnings of the codes for what both check."""
LONG = "Use when " + "x" * 1020
FRONTS = {
    "plain": "name: a-skill\ndescription: Use when x.",
    "all keys": "name: a-skill\ndescription: Use when x.\nlicense: MIT\ncompatibility: git\nallowed-tools: Read\nmetadata:\n  a: b",
    "quoted": "name: 'a-skill'\ndescription: \"Use when: x\"",
    "folded": "name: a-skill\ndescription: >-\n  Use when\n  x.",
    "literal": "name: a-skill\ndescription: |\n  Use when x: y\n",
    "comment": "# a comment\nname: a-skill # another\ndescription: Use when x.",
    "spaces": "name:   a-skill\ndescription:   Use when x.  ",
    "accents": "name: a-skill\ndescription: Wenn ä ö ü. Use when 日本.",
    "no trigger": "name: a-skill\ndescription: It does things.",
    "just long enough": f"name: a-skill\ndescription: {LONG[:1024]}",
    "too long": f"name: a-skill\ndescription: {LONG}x",
    "no name": "description: Use when x.",
    "empty name": "name:\ndescription: Use when x.",
    "no description": "name: a-skill",
    "empty description": "name: a-skill\ndescription: ''",
    "blank description": "name: a-skill\ndescription: '  '",
    "other folder": "name: another\ndescription: Use when x.",
    "capitals": "name: A-Skill\ndescription: Use when x.",
    "underscore": "name: a_skill\ndescription: Use when x.",
    "space in name": "name: a skill\ndescription: Use when x.",
    "leading hyphen": "name: '-a-skill'\ndescription: Use when x.",
    "trailing hyphen": "name: a-skill-\ndescription: Use when x.",
    "double hyphen": "name: a--skill\ndescription: Use when x.",
    "unknown key": "name: a-skill\ndescription: Use when x.\nversion: 1",
    "key of one host": "name: a-skill\ndescription: Use when x.\nmodel: opus",
    "key in capitals": "name: a-skill\nDescription: Use when x.",
    "compatibility": f"name: a-skill\ndescription: Use when x.\ncompatibility: {'x' * 500}",
    "long compatibility": f"name: a-skill\ndescription: Use when x.\ncompatibility: {'x' * 501}",
    "list as name": "name:\n  - a-skill\ndescription: Use when x.",
    "table as description": "name: a-skill\ndescription:\n  a: b",
    "list as compatibility": "name: a-skill\ndescription: Use when x.\ncompatibility:\n  - a",
    "colon": "name: a-skill\ndescription: Use when: x",
    "open quote": "name: a-skill\ndescription: 'Use when x",
    "tab": "name: a-skill\ndescription:\n\tUse when x.",
    "braces": "name: a-skill\ndescription: Use when x.\nmetadata: {a: b}",
    "brackets": "name: a-skill\ndescription: Use when x.\nallowed-tools: [Read]",
    "anchor": "name: &n a-skill\ndescription: Use when x.",
    "alias": "name: a-skill\ndescription: *n",
    "tag": "name: !!str a-skill\ndescription: Use when x.",
    "twice": "name: a-skill\nname: a-skill\ndescription: Use when x.",
    "list": "- name: a-skill",
    "text": "a-skill",
    "nothing": "",
    "at sign": "name: a-skill\ndescription: @x",
    "indented": "name: a-skill\ndescription: Use when x.\nmetadata:\n  a: b\n c: d",
}
WHOLE = {
    "no frontmatter": "# A skill\n",
    "no end": "---\nname: a-skill\ndescription: Use when x.\n",
    "blank line first": "\n---\nname: a-skill\ndescription: Use when x.\n---\nBody.\n",
    "byte order mark": "\ufeff---\nname: a-skill\ndescription: Use when x.\n---\nBody.\n",
    "carriage returns": "---\r\nname: a-skill\r\ndescription: Use when x.\r\n---\r\nBody.\r\n",
    "empty": "",
    "no body": "---\nname: a-skill\ndescription: Use when x.\n---\n",
    "rule in the body": "---\nname: a-skill\ndescription: Use when x.\n---\nBody.\n\n---\n\nMore.\n",
}
TEXTS = WHOLE | {name: f"---\n{front}\n---\nBody.\n" for name, front in FRONTS.items()}


def find_errors(folder: Path, text: str, name: str = "a-skill") -> tuple[bool, bool]:
    """Return whether the lint finds an error of the format, and whether the validator does."""
    path = folder / name / "SKILL.md"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    ours = [flaw for flaw in find_flaws(str(path), ()) if flaw.severity == "error" and flaw.code.startswith(FORMAT)]
    return bool(ours), bool(validate(path.parent))


def test_there_are_at_least_fifty_sample_skills() -> None:
    assert len(TEXTS) >= 50


@pytest.mark.parametrize("name", TEXTS)
def test_the_lint_and_the_validator_agree_on_each_sample(name: str, tmp_path: Path) -> None:
    ours, theirs = find_errors(tmp_path, TEXTS[name])
    assert ours == theirs


# Their reader takes three hyphens anywhere for the end of the frontmatter.
name_texts = st.text(st.sampled_from("ab1-_A. é"), min_size=1, max_size=66).filter(lambda text: "---" not in text)
description_texts = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), max_size=30).filter(
    lambda text: "---" not in text
)
key_names = st.sampled_from(["license", "compatibility", "metadata", "version", "model", "x-y"])


@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name_texts, description_texts, st.lists(key_names, max_size=2, unique=True), st.booleans())
def test_the_lint_and_the_validator_agree_on_any_generated_skill(
    tmp_path: Path, name: str, description: str, keys: list[str], same: bool
) -> None:
    quoted = description.replace("'", "''")
    more = "".join(f"{key}:\n  a: b\n" if key == "metadata" else f"{key}: b\n" for key in keys)
    text = f"---\nname: '{name}'\ndescription: '{quoted}'\n{more}---\nBody.\n"
    folder = name.strip() if same and name.strip(" .") else "a-skill"
    ours, theirs = find_errors(tmp_path, text, folder)
    assert ours == theirs
