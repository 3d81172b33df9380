"""Whether a skill is safe to load: an agent does what stands in it, with the user's rights.

Judged by form alone. What a skill says in plain words is for people to judge; filters that look for bad intentions
fail nearly always when measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mind_skills.learning.skills.document import CLAUDE_CODE, OURS, SAFETY, Document, Flaw
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.secrets import redact

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
