"""The lint: whether a skill keeps to the format of Agent Skills, is safe to load, and differs from the others.

Pure; tasks/skill_files.py reads files and YAML for it. Safety, since an agent does what stands in a skill with its user's rights,
is judged by form alone. What a skill says in plain words is for people to judge; filters that look for bad intentions fail
nearly always when measured.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from mind_skills.learning.skills.coverage import distinctive_words
from mind_skills.learning.skills.discovery import Skill
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.secrets import redact

Severity = Literal["error", "warning"]
Value = str | list["Value"] | dict[str, "Value"]
"""A value of the frontmatter. Scalars are text: what a host makes of ``on`` or ``1.0`` differs from host to host."""
SPEC, SAFETY, CLAUDE_CODE, OURS = "Agent Skills", "safety", "Claude Code", "mind-skills"
"""Where a rule comes from: the specification at agentskills.io and its validator, what skills were attacked with, how
one host behaves, or our own experience."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that is wrong with a skill. ``line`` is 1-based in its file, 0 for the file as a whole."""

    code: str
    severity: Severity
    message: str
    hint: str
    source: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """A SKILL.md. ``folder`` is the name of its folder, ``fields`` its frontmatter, None where that cannot be read.

    ``body_line`` is the line on which the body begins, ``other_files`` the other text files of the folder: name to text.
    ``others`` are the skills that a host would list together with it.
    """

    path: str
    folder: str
    text: str
    fields: Mapping[str, Value] | None
    body: str
    body_line: int = 1
    other_files: Mapping[str, str] = field(default_factory=dict[str, str])
    others: tuple[Skill, ...] = ()

    def text_of(self, key: str) -> str:
        """The text of a field, empty where there is none or where it is not text."""
        value = (self.fields or {}).get(key)
        return value.strip() if isinstance(value, str) else ""

    def line_of(self, key: str) -> int:
        """The line on which a field stands, 0 where there is no such line."""
        for number, line in enumerate(self.text.split("\n")[: self.body_line], 1):
            if line.startswith(key) and line[len(key) :].lstrip().startswith(":"):
                return number
        return 0


_FETCH = r"\b(?:curl|wget|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b"
_EDGE = r"(?<![\w.-])"
_SHELL = rf"{_EDGE}(?:ba|z|da|k|fi)?sh|{_EDGE}(?:python[\d.]*|node|perl|ruby|pwsh|powershell|iex|Invoke-Expression)"
_DATA = r"(?!\s{1,9}-[mcpen]|\s{1,9}[\w./-]{1,99}\.\w)"
"""What follows an interpreter that is given its program elsewhere, and reads what was fetched as data."""
_PIPED = compile_later(
    rf"{_FETCH}(?=[^\n|;&]{{0,300}}[:$-])[^\n|;&]{{0,600}}(?:\|[^\n|]{{0,100}}){{0,3}}"
    rf"\|\s{{0,9}}(?:sudo\s{{1,9}}(?:-\w{{1,9}}\s{{1,9}}){{0,4}})?(?:env\s{{1,9}})?(?:/[\w./-]{{0,60}}/)?(?:{_SHELL})\b{_DATA}",
    re.IGNORECASE,
)
_INSIDE = compile_later(
    rf"(?:(?:{_SHELL})\s{{1,9}}(?:-\w{{1,9}}\s{{1,9}}){{0,9}}[\"']?|\beval\s{{1,9}}[\"']?|\bsource\s{{1,9}})(?:<\(|\$\()\s{{0,9}}{_FETCH}",
    re.IGNORECASE,
)
_SAVED = compile_later(
    rf"{_FETCH}[^\n]{{0,300}}?\s(?:-\w*[oO]|--output|--remote-name|>)\s{{0,9}}[\"']?([^\s\"';&|]{{1,200}})",
    re.IGNORECASE,
)
_RUN = compile_later(
    rf"(?:(?:{_SHELL})\s{{1,9}}|\bsource\s{{1,9}}|\bchmod\s{{1,9}}\S{{1,9}}\s{{1,9}}|\./)[\"']?([^\s\"';&|]{{1,200}})",
    re.IGNORECASE,
)
_INCLUDED = compile_later(r"(?:^|[\s(])!`[^`\n]+`|^[ \t]*```!", re.MULTILINE)
_MARKED = compile_later(r"\[redacted:[a-z-]+\]")
_TAG = compile_later(r"<\s{0,9}/?\s{0,9}(openception-skill-extraction|system-reminder)\b", re.IGNORECASE)
_HIDDEN = compile_later(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"  # control
    "|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # direction
    "|[\u00ad\u115f\u1160\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]"  # no width
    "|[\U000e0000-\U000e007f]"  # tags, which spell text that nobody sees
    "|(?<=[!-~])[\u200c\u200d]|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2}"  # joiners and variants, where no script needs them
)
_TOOL = compile_later(r"[^\s,(]+(?:\([^)]{0,300}\))?")
_OPEN = compile_later(
    r"\*|(?:Bash|Shell|run_shell_command)(?:\(\s*(?:(?:(?:ba|z)?sh|python3?|node|perl|eval)\b)?[\s:*]*\))?"
)


def check_fetched(doc: Document) -> Iterator[Flaw]:
    """Nothing that is fetched is run: neither in the skill nor in the files beside it."""
    for where, text, first in _texts(doc):
        found = _PIPED.search(text) or _INSIDE.search(text) or _saved_and_run(text)
        if found:
            message = f"{where} runs what it fetches from the network"
            hint = "Whoever holds that address then holds this machine. Put the script beside the skill, or name a package."
            yield Flaw("fetched-script", "error", message, hint, SAFETY, _line(text, found.start(), first))


def _saved_and_run(text: str) -> re.Match[str] | None:
    """The first download into a file that is run later on."""
    last: dict[str, int] = {}
    for run in _RUN.finditer(text):
        last[_base(run[1])] = run.start()
    for saved in _SAVED.finditer(text):
        if last.get(_base(saved[1]), -1) >= saved.end():
            return saved
    return None


def _base(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def check_included(doc: Document) -> Iterator[Flaw]:
    """No shell command whose output Claude Code puts in before the agent sees the skill."""
    found = _INCLUDED.search(doc.body)
    if found:
        hint = "Claude Code runs !`...` when the skill is loaded, before anybody reads it. Write the command as text."
        line = _line(doc.body, found.start() + len(found[0]) - len(found[0].lstrip()), doc.body_line)
        yield Flaw("shell-inclusion", "error", "it runs a shell command as it is loaded", hint, CLAUDE_CODE, line)


def check_tools(doc: Document) -> Iterator[Flaw]:
    """Allowed tools, where they are given: text, and no blank cheque."""
    value = (doc.fields or {}).get("allowed-tools")
    if value is None:
        return
    line = doc.line_of("allowed-tools")
    if not isinstance(value, str):
        hint = "Write them on one line, with spaces between."
        yield Flaw("tools-form", "error", "its allowed-tools is not text", hint, SAFETY, line)
        value = " ".join(each for each in value if isinstance(each, str))
    if found := [tool for tool in _TOOL.findall(value) if _OPEN.fullmatch(tool)]:
        message = f"its allowed-tools lets every command pass: {ascii(found[0])[1:-1][:60]}"
        hint = "Name the commands that it needs, as in Bash(git status:*), or leave the key out."
        yield Flaw("tools-open", "error", message, hint, SAFETY, line)


def check_secrets(doc: Document) -> Iterator[Flaw]:
    """No secret: a skill is read by every session, and often committed."""
    for where, text, first in _texts(doc):
        clean = redact(text)
        kinds = _new(_MARKED.findall(clean), _MARKED.findall(text))
        if kinds:
            line = next(
                (
                    n
                    for n, pair in enumerate(zip(text.split("\n"), clean.split("\n"), strict=False))
                    if pair[0] != pair[1]
                ),
                0,
            )
            message = f"{where} holds what looks like a secret ({kinds[0][10:-1]})"
            hint = "Take it out and replace it where it came from; name an environment variable instead."
            yield Flaw("secret", "error", message, hint, SAFETY, first + line)


def check_hidden(doc: Document) -> Iterator[Flaw]:
    """No character that people do not see: control, direction, no width, tags."""
    for where, text, first in _texts(doc):
        if found := _HIDDEN.search(text, 1 if text.startswith("\ufeff") else 0):
            message = f"{where} holds a character that is not seen: U+{ord(found[0][0]):04X}"
            hint = "Take it out: what an agent reads and a person does not see is how skills are attacked."
            yield Flaw("hidden-character", "error", message, hint, SAFETY, _line(text, found.start(), first))


def check_tags(doc: Document) -> Iterator[Flaw]:
    """No tag by which this tool, or the host, speaks to the agent."""
    if found := _TAG.search(doc.text):
        message = f"it holds the tag {found[1].lower()}"
        hint = "Take it out: it could pass for the words of the host. Describe it in words."
        yield Flaw("block-tag", "error", message, hint, OURS, _line(doc.text, found.start(), 1))


def _texts(doc: Document) -> Iterator[tuple[str, str, int]]:
    """What to call it, its text, and the number of its first line (0 beside the skill: the line is another file's)."""
    yield "it", doc.text, 1
    for name, text in sorted(doc.other_files.items()):
        yield ascii(name)[1:-1][:100], text, 0


def _line(text: str, at: int, first: int) -> int:
    return text.count("\n", 0, at) + first if first else 0


def _new(after: list[str], before: list[str]) -> list[str]:
    """The marks that redaction added to those that stood there."""
    left = list(before)
    added: list[str] = []
    for mark in after:
        if mark in left:
            left.remove(mark)
        else:
            added.append(mark)
    return added


NAME, DESCRIPTION, COMPATIBILITY = 64, 1024, 500
"""Characters, from the specification."""
LINES, TOKENS, PER_TOKEN = 500, 5000, 4
"""Advice of the specification for the body; four characters of English are about one token."""
KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
"""The only keys that every host and packager accepts."""
EXTRAS = frozenset(
    "agent argument-hint arguments background context disable-model-invocation disallowed-tools effort hooks model paths"
    " shell user-invocable when_to_use".split()
)
"""Keys that Claude Code reads beyond those, as of 2.1."""
_TRIGGER = compile_later(
    r"\b(?:use[ds]? (?:\w+ )?(?:if|for|to|before|after|this|it|in|on)|when(?:ever)?|trigger\w*|if you|for (?:any|all))\b",
    re.IGNORECASE,
)


def check_name(doc: Document) -> Iterator[Flaw]:
    """The name: 1 to 64 lowercase letters, digits and single hyphens inside, and the folder's."""
    if doc.fields is None:
        return
    line, text = doc.line_of("name"), unicodedata.normalize("NFKC", doc.text_of("name"))
    if not text:
        yield Flaw("name-missing", "error", "it has no name", f"Add the line `name: {doc.folder}`.", SPEC, line)
        return
    if len(text) > NAME:
        yield Flaw(
            "name-long",
            "error",
            f"its name has {len(text)} characters",
            f"{NAME} is the most there may be.",
            SPEC,
            line,
        )
    wrong = sorted({char for char in text if char != "-" and not char.isalnum()} | {c for c in text if c != c.lower()})
    if wrong:
        shown = " ".join(ascii(char)[1:-1] for char in wrong[:8])
        hint = "Use lowercase letters, digits and hyphens."
        yield Flaw("name-characters", "error", f"its name holds {shown}", hint, SPEC, line)
    elif not text.isascii():
        hint = "Use a-z, 0-9 and hyphens: the specification names those, though its validator lets more pass."
        yield Flaw("name-ascii", "warning", "its name holds letters beyond a-z", hint, SPEC, line)
    if text.startswith("-") or text.endswith("-") or "--" in text:
        hint = "Put single hyphens between words, none at either end."
        yield Flaw("name-hyphens", "error", "its name has a hyphen too many", hint, SPEC, line)
    if text != unicodedata.normalize("NFKC", doc.folder):
        hint = "Make both the same: hosts list a skill under one or the other."
        yield Flaw("name-folder", "error", "its name is not the name of its folder", hint, SPEC, line)


def check_description(doc: Document) -> Iterator[Flaw]:
    """The description: 1 to 1024 characters, what it does and when to use it."""
    if doc.fields is None:
        return
    line, text = doc.line_of("description"), doc.text_of("description")
    if not text:
        hint = 'Add a description: what the skill does, and "Use when ...". It is all that a host reads at first.'
        yield Flaw("description-missing", "error", "it has no description", hint, SPEC, line)
    elif len(text) > DESCRIPTION:
        hint = f"{DESCRIPTION} is the most there may be; the body has room."
        yield Flaw("description-long", "error", f"its description has {len(text)} characters", hint, SPEC, line)
    elif not _TRIGGER.search(text):
        hint = 'Say when to use it, as in "Use when a test fails with ...": without it, no agent thinks of it.'
        yield Flaw("description-trigger", "warning", "its description does not say when to use it", hint, SPEC, line)


def check_keys(doc: Document) -> Iterator[Flaw]:
    """No other key than the six that are portable."""
    for key in sorted(set(doc.fields or ()) - set(KEYS)):
        shown = ascii(key)[1:-1][:60]
        if key in EXTRAS:
            message = f"the key {shown} is Claude Code's own"
            hint = "Other hosts pass over it, and packagers refuse it. Leave it out, or keep the skill to Claude Code."
            yield Flaw("key-host", "error", message, hint, CLAUDE_CODE, doc.line_of(key))
        else:
            hint = f"The keys are {', '.join(KEYS)}; anything else belongs into metadata."
            yield Flaw("key-unknown", "error", f"there is no key {shown}", hint, SPEC, doc.line_of(key))


def check_compatibility(doc: Document) -> Iterator[Flaw]:
    """Compatibility, where it is given: text of at most 500 characters."""
    value = (doc.fields or {}).get("compatibility")
    if value is None or (isinstance(value, str) and len(value) <= COMPATIBILITY):
        return
    message = (
        f"its compatibility has {len(value)} characters" if isinstance(value, str) else "its compatibility is not text"
    )
    hint = f"Write a sentence of at most {COMPATIBILITY} characters, or leave it out."
    yield Flaw("compatibility", "error", message, hint, SPEC, doc.line_of("compatibility"))


def check_metadata(doc: Document) -> Iterator[Flaw]:
    """Metadata, where it is given: a table of texts."""
    value = (doc.fields or {}).get("metadata")
    if value is None or (isinstance(value, dict) and all(isinstance(each, str) for each in value.values())):
        return
    hint = "Write one `key: text` a line below it, indented."
    yield Flaw("metadata", "error", "its metadata is no table of texts", hint, SPEC, doc.line_of("metadata"))


def check_size(doc: Document) -> Iterator[Flaw]:
    """The body: something, and not more than an agent should read at once."""
    lines, tokens = doc.body.count("\n") + 1, len(doc.body) // PER_TOKEN
    if not doc.body.strip():
        yield Flaw("body-empty", "warning", "it says nothing beyond its description", "Say what to do.", OURS)
    if lines > LINES or tokens > TOKENS:
        message = f"its body has {lines} lines, about {tokens} tokens"
        hint = (
            f"Stay below {LINES} lines and {TOKENS} tokens: an agent reads all of it. Move the rest into references/."
        )
        yield Flaw("body-long", "warning", message, hint, SPEC, doc.body_line)


SHARED, LEAST = 0.6, 4
"""Two descriptions collide when they share this part of the shorter one's rare words, and at least so many. A word is
rare that no third description holds. Two skills about one matter in other words share about a half of them."""


@lru_cache(maxsize=1024)  # each skill of a folder is compared with all others
def _words(description: str) -> frozenset[str]:
    return frozenset(distinctive_words([description]))


def check_collision(doc: Document) -> Iterator[Flaw]:
    """Another skill of the same name, or with nearly the same description."""
    others = [skill for skill in doc.others if os.path.realpath(skill.path) != os.path.realpath(doc.path)]
    for skill in others:
        if skill.name == doc.folder:
            message = f"there is another skill of this name: {skill.path}"
            yield Flaw("name-taken", "warning", message, "Rename one of them: a host lists only one.", OURS)
    mine = distinctive_words([doc.text_of("description")])
    theirs = [(skill, _words(skill.description)) for skill in others if skill.name != doc.folder]
    count = Counter(word for _, words in theirs for word in words)
    for skill, words in theirs:
        common = {word for word in mine | words if count[word] > (word in words)}
        shared = (mine & words) - common
        if len(shared) >= LEAST and len(shared) >= SHARED * min(len(mine - common), len(words - common)):
            message = f"its description says nearly the same as that of {skill.name}: {', '.join(sorted(shared)[:6])}"
            hint = f"Say what sets it apart, or make one of both: {skill.path}"
            yield Flaw("description-shared", "warning", message, hint, OURS, doc.line_of("description"))


RULES = (
    check_name,
    check_description,
    check_keys,
    check_compatibility,
    check_metadata,
    check_size,
    check_tools,
    check_fetched,
    check_included,
    check_secrets,
    check_hidden,
    check_tags,
    check_collision,
)
"""In the order in which a person would mend them."""


def lint(doc: Document) -> list[Flaw]:
    """What is wrong with a skill: errors first, then warnings, each in the order of the rules. Never raises."""
    flaws = [flaw for rule in RULES for flaw in rule(doc)]
    return sorted(flaws, key=lambda flaw: flaw.severity != "error")
