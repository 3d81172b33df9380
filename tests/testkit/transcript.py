"""Transcripts: files in which commands are followed by all that they print, so that whole outputs are compared.

A scenario begins with ``== name``. ``> step`` arranges something, or shows what no command shows. ``$ command`` runs
`mind-skills command`, and ``$ command :: member member.member`` prints these members of its JSON document. Below, what it prints
is indented by four spaces, ``  ! `` precedes what is on stderr, and ``  = code`` an exit code other than 0.
MIND_SKILLS_TRANSCRIPTS=write, with one process (``-n 0``), writes what is printed now into the files: read the difference
before it is committed.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from mind_skills.hooks.start import find_command
from tests.testkit.command import CommandResult
from tests.testkit.paths import DEMO

Steps = dict[str, Callable[..., object]]
VARIABLE = "MIND_SKILLS_TRANSCRIPTS"
_TIME = re.compile(r"\b20\d\d-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\dZ)?)?")


class Scenario(NamedTuple):
    """A scenario of a transcript, with its lines after the first."""

    path: Path
    name: str
    lines: list[str]


def read_scenarios(path: Path) -> list[Scenario]:
    """Return the scenarios of a file."""
    parts = re.split(r"^== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [Scenario(path, *_split(part)) for part in parts]


def _split(part: str) -> tuple[str, list[str]]:
    name, *lines = part.rstrip("\n").split("\n")
    return name, lines


def play(scenario: Scenario, mind_skills: Callable[..., CommandResult], apart: Path, steps: Steps) -> None:
    """Take the steps of a scenario, run its commands, and compare all that they print."""
    played: list[str] = []
    for line in scenario.lines:
        if line.startswith(("> ", "$ ")):
            played.append(line)
        if line.startswith("> "):
            name, *words = shlex.split(_expand(line[2:], apart))
            told = steps[name](*words)
            played += (
                [f"    {each}".rstrip() for each in _blur(told, apart).splitlines()] if isinstance(told, str) else []
            )
        elif line.startswith("$ "):
            command, _, members = line[2:].partition(" :: ")
            words = shlex.split(_expand(command, apart))
            done = mind_skills(*words, "--json") if members else mind_skills(*words)
            played += _format(done, members.split(), apart)
        elif not line.startswith(" ") and line:
            played.append(line)
    text = "\n".join(played).rstrip("\n")
    if os.environ.get(VARIABLE) == "write":
        whole = scenario.path.read_text(encoding="utf-8")
        before = "\n".join([f"== {scenario.name}", *scenario.lines])
        scenario.path.write_text(whole.replace(before, f"== {scenario.name}\n{text}"), encoding="utf-8")
    else:
        assert text == "\n".join(scenario.lines).rstrip("\n")


def _expand(text: str, apart: Path) -> str:
    return text.replace("DEMO", str(DEMO)).replace("PROJECT", str(apart / "project")).replace("APART", str(apart))


def _format(done: CommandResult, members: list[str], apart: Path) -> list[str]:
    out = (
        "\n".join(f"{each}: {json.dumps(_find(done.json, each.split('.')))}" for each in members)
        if members
        else done.out
    )
    lines = [f"    {line}".rstrip() for line in _blur(out, apart).splitlines()]
    lines += [f"  ! {line}".rstrip() for line in _blur(done.err, apart).splitlines()]
    return lines + ([f"  = {done.code}"] if done.code else [])


def _find(value: Any, path: list[str]) -> Any:
    """Return the member of a document; of a list, that of each item."""
    if not path:
        return value
    return [_find(each, path) for each in value] if isinstance(value, list) else _find(value[path[0]], path[1:])


def _blur(text: str, apart: Path) -> str:
    names = {find_command(): "mind-skills", str(DEMO): "DEMO", str(apart / "project"): "PROJECT", str(apart): "APART"}
    for path, name in names.items():
        text = text.replace(path, name)
    text = re.sub(r"\b(import|memo)-[0-9a-f]{8,}", r"\1-HASH", text)  # of the project, whose path differs
    text = re.sub(r"\(\d+ kB\)", "(N kB)", text)
    return re.sub(r"\b1[6-9]\d{11}\b", "MS", _TIME.sub("DATE", text))
