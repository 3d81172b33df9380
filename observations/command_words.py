"""The words of a command, taken apart by the table of wrappers and options."""

from __future__ import annotations

import re

from mind_skills.observations.wrappers import BEGUN, TABLE, Row
from mind_skills.redaction.lazy_pattern import compile_later

SHELLS = frozenset("bash sh zsh dash fish pwsh powershell cmd".split())
_EXPRESSION = compile_later(
    r"\$\w+(?:\.|\Z)|\$env:|[-{+]|\[[\w.]+\]::|@[({]|\.\w+\Z|.*\s(?!.*\.(?:exe|cmd|bat)\Z)", re.DOTALL
)
"""A first word that names no program: a value of PowerShell, an operator, or a text."""
_PYTHON = compile_later(r"python[\d.]+\Z")


def inner_words(words: list[str]) -> tuple[Row, list[str], list[str]] | None:
    """The words that a wrapper runs, and the packages and machines that it names; None where these words wrap nothing."""
    name: tuple[str, ...] = (program_of(words),)
    found: tuple[Row, list[str], list[str]] | None = None
    scopes: list[str] = []
    at = 1
    while name in BEGUN:
        row = TABLE.get(name)
        while at < len(words) and words[at][:1] == "-" and (*name, words[at]) not in BEGUN:
            if row and row.before and _behind(row, words[at]):
                return (row, words[at + 1 :], scopes) if words[at + 1 :] else None
            at += 1 if words[at] == "--" else _width(row, words, at, scopes)
        if row and row.runs:
            if row.before:
                if name[0] in SHELLS:  # the first word is a script of its own
                    return None
                begins = next((place for place in range(at, len(words)) if _behind(row, words[place])), len(words))
                found = (row, words[begins + 1 :], scopes)
            else:
                found = (row, *_behind_operands(row, words, at, scopes))
        if at >= len(words):
            break
        name, at = (*name, words[at]), at + 1
    return found if found and found[1] else None


def _behind(row: Row, word: str) -> bool:
    """Whether the command stands behind this option; the letters of several may be put together, as in ``-lc``."""
    if word in row.before:
        return True
    return "-c" in row.before and word[:1] == "-" and word[1:2] != "-" and word.endswith("c") and word[1:].isalpha()


def _behind_operands(row: Row, words: list[str], at: int, scopes: list[str]) -> tuple[list[str], list[str]]:
    operands = words[at : at + row.operands]
    at += row.operands
    # Of a machine its name tells it from others, and not who logs in there.
    named = (
        [*scopes, *(one.rpartition("@")[2] if row.shell else one for one in operands[:1])]
        if row.named
        else list(scopes)
    )
    while row.operands and at < len(words) and words[at][:1] == "-":  # kubectl exec POD -c NAME -- COMMAND
        at += 1 if words[at] == "--" else _width(row, words, at, named)
    return words[at:], named


def _width(row: Row | None, words: list[str], at: int, scopes: list[str]) -> int:
    """How many words an option takes; the package that it names is added to ``scopes``."""
    word, after = words[at], words[at + 1 : at + 2]
    if row is None:
        return 1
    name, given, value = word.partition("=")
    if given and name in row.scopes:
        scopes.append(value)
    elif word in row.valued:
        scopes += after if word in row.scopes else []
        return 2
    elif word in row.numbered:
        return 2 if after and after[0].isdecimal() else 1
    elif word[:2] in row.scopes and word[1:2] != "-":
        scopes.append(word[2:])
    return 1


def program_of(words: list[str]) -> str:
    """The name of the program, without its folder."""
    if not words:
        return ""
    name = re.split(r"[/\\]", words[0])[-1][:60].removesuffix(".exe")
    return "python3" if name[:6] == "python" and _PYTHON.match(name) and name != "python2" else name


def plain_words(words: list[str]) -> tuple[list[str], list[str]]:
    """The words of a command that are neither options nor their values, and the packages and folders that options name."""
    name: tuple[str, ...] = (program_of(words),)
    row = TABLE.get(name)
    plain: list[str] = []
    scopes: list[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        if word == "--":
            plain += [each for each in words[at + 1 :] if each and each[0] != "-"]
            break
        if word[:1] == "-":
            at += 1 if row and row.first and plain else _width(row, words, at, scopes)
            continue
        at += 1
        if word:
            plain.append(word)
        if not word or (*name, word) not in BEGUN or len(plain) > len(name):
            continue
        name = (*name, word)
        row = TABLE.get(name, row)
        if name in TABLE and TABLE[name].named and not TABLE[name].runs:  # yarn workspace NAME COMMAND
            scopes += words[at : at + 1]
            plain.pop()
            at += 1
    return plain, scopes


def names_no_program(words: list[str]) -> bool:
    """Whether these words are a value or an expression of a shell, and run nothing."""
    first = words[0]
    if first[:1] == "$" and len(words) == 1 and first.isupper():  # a program that a variable of the shell names
        return first == "$LASTEXITCODE"
    return _EXPRESSION.match(first) is not None and not (first[:1] == "$" and first[1:].isupper())
