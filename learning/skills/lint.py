"""Lint for skills: format, safety by form, and difference from other skills. Reads no files (check.py does). The
meaning of plain text is left to people: filters for malicious intent have nearly always failed.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal

from mind_skills.learning.skills.discovery import Skill
from mind_skills.learning.skills.files import extract_distinctive_words
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.secrets import redact
from mind_skills.store.light_dataclasses import dataclass, field

Severity = Literal["error", "warning"]
Value = str | list["Value"] | dict[str, "Value"]
"""A frontmatter value. Scalars are text, because hosts interpret values such as ``on`` or ``1.0`` differently."""
SPEC, SAFETY, CLAUDE_CODE, MIND_SKILLS = "Agent Skills", "safety", "Claude Code", "mind-skills"
"""Sources of rules: agentskills.io and its validator, known attacks, the behaviour of Claude Code, our experience."""


@dataclass(frozen=True, slots=True)
class LintProblem:
    """One problem; ``line`` of the SKILL.md, or 0 for the whole skill or another file."""

    code: str
    severity: Severity
    message: str
    hint: str
    source: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """A SKILL.md: ``fields`` of its frontmatter or None, the body from ``body_line``, texts of ``other_files``, and
    ``others`` listed with it.
    """

    path: str
    folder: str
    text: str
    fields: Mapping[str, Value] | None
    body: str
    body_line: int = 1
    other_files: Mapping[str, str] = field(default_factory=dict[str, str])
    others: tuple[Skill, ...] = ()

    def get_text(self, key: str) -> str:
        """Return a field's text; empty if the field is missing or not text."""
        value = (self.fields or {}).get(key)
        return value.strip() if isinstance(value, str) else ""

    def find_line(self, key: str) -> int:
        """Return the line number of a field, or 0 if the field is missing."""
        for number, line in enumerate(self.text.split("\n")[: self.body_line], 1):
            if line.startswith(key) and line[len(key) :].lstrip().startswith(":"):
                return number
        return 0


_FETCH_COMMAND = r"\b(?:curl|wget|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b"
_WORD_START = r"(?<![\w.-])"
_INTERPRETER = rf"{_WORD_START}(?:ba|z|da|k|fi)?sh|{_WORD_START}(?:python[\d.]*|node|perl|ruby|pwsh|powershell|iex|Invoke-Expression)"
_NOT_OWN_PROGRAM = r"(?!\s{1,9}-[mcpen]|\s{1,9}[\w./-]{1,99}\.\w)"
"""Excludes interpreters that get their program from elsewhere and read the download as data."""
_PIPED_FETCH = compile_lazily(
    rf"{_FETCH_COMMAND}(?=[^\n|;&]{{0,300}}[:$-])[^\n|;&]{{0,600}}(?:\|[^\n|]{{0,100}}){{0,3}}"
    rf"\|\s{{0,9}}(?:sudo\s{{1,9}}(?:-\w{{1,9}}\s{{1,9}}){{0,4}})?(?:env\s{{1,9}})?(?:/[\w./-]{{0,60}}/)?(?:{_INTERPRETER})\b{_NOT_OWN_PROGRAM}",
    re.IGNORECASE,
)
_SUBSTITUTED_FETCH = compile_lazily(
    rf"(?:(?:{_INTERPRETER})\s{{1,9}}(?:-\w{{1,9}}\s{{1,9}}){{0,9}}[\"']?|\beval\s{{1,9}}[\"']?|\bsource\s{{1,9}})(?:<\(|\$\()\s{{0,9}}{_FETCH_COMMAND}",
    re.IGNORECASE,
)
_SAVED_FETCH = compile_lazily(
    rf"{_FETCH_COMMAND}[^\n]{{0,300}}?\s(?:-\w*[oO]|--output|--remote-name|>)\s{{0,9}}[\"']?([^\s\"';&|]{{1,200}})",
    re.IGNORECASE,
)
_RUN_FILE = compile_lazily(
    rf"(?:(?:{_INTERPRETER})\s{{1,9}}|\bsource\s{{1,9}}|\bchmod\s{{1,9}}\S{{1,9}}\s{{1,9}}|\./)[\"']?([^\s\"';&|]{{1,200}})",
    re.IGNORECASE,
)
_SHELL_INCLUSION = compile_lazily(r"(?:^|[\s(])!`[^`\n]+`|^[ \t]*```!", re.MULTILINE)
_REDACTION_MARK = compile_lazily(r"\[redacted:[a-z-]+\]")
_RESERVED_TAG = compile_lazily(r"<\s{0,9}/?\s{0,9}(openception-skill-extraction|system-reminder)\b", re.IGNORECASE)
_HIDDEN_CHARACTER = compile_lazily(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"  # control
    "|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # direction
    "|[\u00ad\u115f\u1160\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]"  # zero width
    "|[\U000e0000-\U000e007f]"  # tags, which can encode invisible text
    "|(?<=[!-~])[\u200c\u200d]|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2}"  # joiners after ASCII, and repeated variation selectors
)
_TOOL_ENTRY = compile_lazily(r"[^\s,(]+(?:\([^)]{0,300}\))?")
_UNRESTRICTED_TOOL = compile_lazily(
    r"\*|(?:Bash|Shell|run_shell_command)(?:\(\s*(?:(?:(?:ba|z)?sh|python3?|node|perl|eval)\b)?[\s:*]*\))?"
)


def check_downloads(doc: Document) -> Iterator[LintProblem]:
    """Report downloads that are executed, in the skill or in the other files of its folder."""
    for label, text, first_line in _iterate_texts(doc):
        match = _PIPED_FETCH.search(text) or _SUBSTITUTED_FETCH.search(text) or _find_saved_and_run(text)
        if match:
            message = f"{label} runs code that it downloads"
            hint = (
                "Whoever controls that address controls this machine. Add the script to the skill, or name a package."
            )
            line = _compute_line_number(text, match.start(), first_line)
            yield LintProblem("fetched-script", "error", message, hint, SAFETY, line)


def _find_saved_and_run(text: str) -> re.Match[str] | None:
    """Find the first download to a file that is run afterwards."""
    last_runs: dict[str, int] = {}
    for run in _RUN_FILE.finditer(text):
        last_runs[_get_base_name(run[1])] = run.start()
    for saved in _SAVED_FETCH.finditer(text):
        if last_runs.get(_get_base_name(saved[1]), -1) >= saved.end():
            return saved
    return None


def _get_base_name(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def check_inclusions(doc: Document) -> Iterator[LintProblem]:
    """Report shell commands that Claude Code replaces with their output, before the agent sees the skill."""
    match = _SHELL_INCLUSION.search(doc.body)
    if match:
        hint = "Claude Code runs !`...` when it loads the skill, before anyone reads it. Remove the exclamation mark."
        line = _compute_line_number(doc.body, match.start() + len(match[0]) - len(match[0].lstrip()), doc.body_line)
        message = "it runs a shell command when it is loaded"
        yield LintProblem("shell-inclusion", "error", message, hint, CLAUDE_CODE, line)


def check_tools(doc: Document) -> Iterator[LintProblem]:
    """Report an allowed-tools value that is not text, and the first tool in it that permits every command."""
    value = (doc.fields or {}).get("allowed-tools")
    if value is None:
        return
    line = doc.find_line("allowed-tools")
    if not isinstance(value, str):
        hint = "Write the tools on one line, separated by spaces."
        yield LintProblem("tools-form", "error", "its allowed-tools is not text", hint, SAFETY, line)
        value = " ".join(each for each in value if isinstance(each, str))
    if unrestricted := [tool for tool in _TOOL_ENTRY.findall(value) if _UNRESTRICTED_TOOL.fullmatch(tool)]:
        message = f"its allowed-tools permits every command: {ascii(unrestricted[0])[1:-1][:60]}"
        hint = "Name only the commands that the skill needs, as in Bash(git status:*), or remove the key."
        yield LintProblem("tools-open", "error", message, hint, SAFETY, line)


def check_secrets(doc: Document) -> Iterator[LintProblem]:
    """Report secrets: any session may read a skill, and skills are often committed."""
    for label, text, first_line in _iterate_texts(doc):
        redacted = redact(text)
        if mark := _find_added_mark(_REDACTION_MARK.findall(redacted), _REDACTION_MARK.findall(text)):
            pairs = zip(text.split("\n"), redacted.split("\n"), strict=False)
            index = next((i for i, (before, after) in enumerate(pairs) if before != after), 0)
            message = f"{label} contains what looks like a secret ({mark[10:-1]})"
            hint = "Remove the secret and have its issuer revoke it; refer to an environment variable instead."
            yield LintProblem("secret", "error", message, hint, SAFETY, first_line + index if first_line else 0)


def check_hidden_characters(doc: Document) -> Iterator[LintProblem]:
    """Report invisible characters: control, direction, zero-width and tag characters, repeated variation selectors."""
    for label, text, first_line in _iterate_texts(doc):
        if match := _HIDDEN_CHARACTER.search(text, 1 if text.startswith("\ufeff") else 0):
            message = f"{label} contains an invisible character: U+{ord(match[0][0]):04X}"
            hint = (
                "Remove it: text that an agent reads but a person cannot see is a known way to attack through skills."
            )
            line = _compute_line_number(text, match.start(), first_line)
            yield LintProblem("hidden-character", "error", message, hint, SAFETY, line)


def check_tags(doc: Document) -> Iterator[LintProblem]:
    """Report tags that mind-skills or the host uses to address the agent."""
    if match := _RESERVED_TAG.search(doc.text):
        message = f"it contains the tag {match[1].lower()}"
        hint = (
            "Remove it: an agent could mistake its content for a message from the host. Name the tag without brackets."
        )
        line = _compute_line_number(doc.text, match.start(), 1)
        yield LintProblem("block-tag", "error", message, hint, MIND_SKILLS, line)


def _iterate_texts(doc: Document) -> Iterator[tuple[str, str, int]]:
    """Yield label, text and first line number of the SKILL.md, then of each other file in the folder (number 0)."""
    yield "it", doc.text, 1
    for name, text in sorted(doc.other_files.items()):
        yield ascii(name)[1:-1][:100], text, 0


def _compute_line_number(text: str, at: int, first_line: int) -> int:
    return text.count("\n", 0, at) + first_line if first_line else 0


def _find_added_mark(after: list[str], before: list[str]) -> str:
    """Return the first mark in ``after`` that has no counterpart in ``before``; empty if all have."""
    unmatched = list(before)
    for mark in after:
        if mark not in unmatched:
            return mark
        unmatched.remove(mark)
    return ""


MAX_NAME_LENGTH, MAX_DESCRIPTION_LENGTH, MAX_COMPATIBILITY_LENGTH = 64, 1024, 500
"""Maximum lengths in characters, from the specification."""
MAX_BODY_LINES, MAX_BODY_TOKENS, CHARACTERS_PER_TOKEN = 500, 5000, 4
"""The specification's recommended maximum for the body; a token is about four characters of English."""
PORTABLE_KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
"""The only keys that all hosts and packaging tools accept."""
CLAUDE_CODE_KEYS = frozenset(
    "agent argument-hint arguments background context disable-model-invocation disallowed-tools effort hooks model paths"
    " shell user-invocable when_to_use".split()
)
"""Other keys that Claude Code reads, as of 2.1."""
_USAGE_HINT = compile_lazily(
    r"\b(?:use[ds]? (?:\w+ )?(?:if|for|to|before|after|this|it|in|on)|when(?:ever)?|trigger\w*|if you|for (?:any|all))\b",
    re.IGNORECASE,
)


def check_name(doc: Document) -> Iterator[LintProblem]:
    """Report a name that is not 1 to 64 lowercase letters, digits and single inner hyphens, or not the name of the folder."""
    if doc.fields is None:
        return
    line, text = doc.find_line("name"), unicodedata.normalize("NFKC", doc.get_text("name"))
    if not text:
        yield LintProblem("name-missing", "error", "it has no name", f"Add the line `name: {doc.folder}`.", SPEC, line)
        return
    if len(text) > MAX_NAME_LENGTH:
        hint = f"The maximum is {MAX_NAME_LENGTH}."
        yield LintProblem("name-long", "error", f"its name has {len(text)} characters", hint, SPEC, line)
    invalid = sorted({c for c in text if c != c.lower() or (c != "-" and not c.isalnum())})
    if invalid:
        shown = " ".join(ascii(char)[1:-1] for char in invalid[:8])
        hint = "Use lowercase letters, digits and hyphens."
        yield LintProblem("name-characters", "error", f"its name contains {shown}", hint, SPEC, line)
    elif not text.isascii():
        hint = "Use a-z, 0-9 and hyphens, as the specification requires, although its validator accepts more."
        yield LintProblem("name-ascii", "warning", "its name contains letters other than a-z", hint, SPEC, line)
    if text.startswith("-") or text.endswith("-") or "--" in text:
        hint = "Put single hyphens between words, and none at either end."
        yield LintProblem("name-hyphens", "error", "its name has an extra hyphen", hint, SPEC, line)
    if text != unicodedata.normalize("NFKC", doc.folder):
        hint = "Give the skill and its folder the same name: some hosts list one of the names, some the other."
        yield LintProblem("name-folder", "error", "its name differs from its folder's name", hint, SPEC, line)


def check_description(doc: Document) -> Iterator[LintProblem]:
    """Report a description that is missing, longer than 1024 characters, or does not say when to use the skill."""
    if doc.fields is None:
        return
    line, text = doc.find_line("description"), doc.get_text("description")
    if not text:
        hint = (
            'Say what the skill does and when to use it ("Use when ..."): agents choose skills by their descriptions.'
        )
        yield LintProblem("description-missing", "error", "it has no description", hint, SPEC, line)
    elif len(text) > MAX_DESCRIPTION_LENGTH:
        hint = f"The maximum is {MAX_DESCRIPTION_LENGTH}; put the rest in the body."
        yield LintProblem("description-long", "error", f"its description has {len(text)} characters", hint, SPEC, line)
    elif not _USAGE_HINT.search(text):
        hint = 'Say when to use the skill, as in "Use when a test fails with ...": otherwise no agent will load it.'
        message = "its description does not say when to use it"
        yield LintProblem("description-trigger", "warning", message, hint, SPEC, line)


def check_keys(doc: Document) -> Iterator[LintProblem]:
    """Report keys other than the six portable ones."""
    for key in sorted(set(doc.fields or ()) - set(PORTABLE_KEYS)):
        shown = ascii(key)[1:-1][:60]
        if key in CLAUDE_CODE_KEYS:
            message = f"the key {shown} is specific to Claude Code"
            hint = (
                "Other hosts ignore it, and packaging tools reject it. Remove it, or use the skill only in Claude Code."
            )
            yield LintProblem("key-host", "error", message, hint, CLAUDE_CODE, doc.find_line(key))
        else:
            hint = f"The keys are {', '.join(PORTABLE_KEYS)}; put anything else in metadata."
            yield LintProblem("key-unknown", "error", f"unknown key {shown}", hint, SPEC, doc.find_line(key))


def check_compatibility(doc: Document) -> Iterator[LintProblem]:
    """Report a compatibility value that is not text or is longer than 500 characters."""
    value = (doc.fields or {}).get("compatibility")
    if value is None or (isinstance(value, str) and len(value) <= MAX_COMPATIBILITY_LENGTH):
        return
    message = (
        f"its compatibility has {len(value)} characters" if isinstance(value, str) else "its compatibility is not text"
    )
    hint = f"Write a sentence of at most {MAX_COMPATIBILITY_LENGTH} characters, or remove the key."
    yield LintProblem("compatibility", "error", message, hint, SPEC, doc.find_line("compatibility"))


def check_metadata(doc: Document) -> Iterator[LintProblem]:
    """Report metadata that is not a mapping of text to text."""
    value = (doc.fields or {}).get("metadata")
    if value is None or (isinstance(value, dict) and all(isinstance(each, str) for each in value.values())):
        return
    message, line = "its metadata is not a mapping of text values", doc.find_line("metadata")
    hint = "Below `metadata:`, write each `key: text` on an indented line of its own."
    yield LintProblem("metadata", "error", message, hint, SPEC, line)


def check_size(doc: Document) -> Iterator[LintProblem]:
    """Report a body that is empty, or longer than the specification recommends."""
    lines, tokens = doc.body.count("\n") + 1, len(doc.body) // CHARACTERS_PER_TOKEN
    if not doc.body.strip():
        yield LintProblem("body-empty", "warning", "its body is empty", "Write what the agent should do.", MIND_SKILLS)
    if lines > MAX_BODY_LINES or tokens > MAX_BODY_TOKENS:
        message = f"its body has {lines} lines, about {tokens} tokens"
        hint = f"Stay below {MAX_BODY_LINES} lines and {MAX_BODY_TOKENS} tokens: agents read the whole body. Move details to references/."
        yield LintProblem("body-long", "warning", message, hint, SPEC, doc.body_line)


MIN_SHARED_PART, MIN_SHARED_WORDS = 0.6, 4
"""Descriptions collide from this number of shared rare words (in no third one), and this part of the shorter's."""


@lru_cache(maxsize=1024)  # each skill in a folder is compared with all others
def _extract_words(description: str) -> frozenset[str]:
    return frozenset(extract_distinctive_words([description]))


def check_collision(doc: Document) -> Iterator[LintProblem]:
    """Report other skills with the same name or an overlapping description."""
    others = [skill for skill in doc.others if os.path.realpath(skill.path) != os.path.realpath(doc.path)]
    for skill in others:
        if skill.name == doc.folder:
            message = f"another skill has this name: {skill.path}"
            hint = "Rename one of the two: a host lists only one."
            yield LintProblem("name-taken", "warning", message, hint, MIND_SKILLS)
    own_words = extract_distinctive_words([doc.get_text("description")])
    words_by_skill = [(skill, _extract_words(skill.description)) for skill in others if skill.name != doc.folder]
    counts = Counter(word for _, words in words_by_skill for word in words)
    for skill, words in words_by_skill:
        common = {word for word in own_words | words if counts[word] > (word in words)}
        shared = (own_words & words) - common
        shorter = min(len(own_words - common), len(words - common))
        if len(shared) >= max(MIN_SHARED_WORDS, MIN_SHARED_PART * shorter):
            message = f"its description overlaps with that of {skill.name}: {', '.join(sorted(shared)[:6])}"
            hint = f"Describe how the two skills differ, or merge this one into {skill.path}."
            yield LintProblem("description-shared", "warning", message, hint, MIND_SKILLS, doc.find_line("description"))


RULES = (
    check_name,
    check_description,
    check_keys,
    check_compatibility,
    check_metadata,
    check_size,
    check_tools,
    check_downloads,
    check_inclusions,
    check_secrets,
    check_hidden_characters,
    check_tags,
    check_collision,
)
"""The checks, in the order in which a person would fix the problems."""


def lint(doc: Document) -> list[LintProblem]:
    """Return a skill's problems: first the errors, then the warnings, both in the order of ``RULES``. Never raises."""
    problems = [problem for rule in RULES for problem in rule(doc)]
    return sorted(problems, key=lambda problem: problem.severity != "error")
