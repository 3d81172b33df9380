"""Select a part of a command line such as ``cargo fmt && cargo test``: the one that printed an error, or a variant of another command.

A host reports one exit code for the whole line, so the part that failed has to be inferred.
"""

from __future__ import annotations

from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.staging import tokens
from mind_skills.staging.messages import GIT_MESSAGES

_SEPARATOR = compile_lazily(r"\s*(?:&&|\|\||;|\n)\s*")
_SETTING = compile_lazily(r"export\s|\$env:|[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|[^\s\"']*)\Z")
"""A part that only sets variables, which belongs to the part after it."""
_NAME = compile_lazily(r"[\w./\\:@-]{3,}")
_QUOTED = compile_lazily(r"['\"`]([^'\"`]{3,80})['\"`]")
_QUOTED_WEIGHT = 3
"""A quoted name in an error is more often an argument of the failed command than other words are."""
_INCIDENTAL = compile_lazily(
    r"[$\[]|(?:cat|date|echo|head|ls|printf|pwd|sleep|tail|wc|which)\b|git (?:branch|diff|log|show|status|stash pop)\b"
)
"""Expressions of PowerShell, and commands that rarely fail and often surround the one that matters."""


def select_failed_part(command: str, error: str) -> str:
    """Return the part of a command line that probably printed ``error``; the whole line if it has one part, or is a script.

    The part is the one whose program the error begins with, else the one that shares most names with the error, else the
    last one that is not incidental: after ``&&``, the parts before it have passed. The whole line if all are incidental.
    """
    parts = _split_parts(command)
    program = error.partition(": ")[0]
    if program == "fatal" or GIT_MESSAGES.match(error):
        program = "git"
    parts = [part for part in parts if _strip_settings(part).partition(" ")[0] == program] or parts
    if len(parts) == 1:
        return parts[0]
    shared = [_count_shared_names(part, error) for part in parts]
    if max(shared) and shared.count(max(shared)) == 1:
        return parts[shared.index(max(shared))]
    acting_parts = [part for part in parts if _is_acting(_strip_settings(part))]
    return acting_parts[-1] if acting_parts else command


def select_similar_part(command: str, other: str) -> str:
    """Return the first part of a command line that is a variant of ``other``, a shortened command; the whole line if none is."""
    for part in _split_parts(command) if other else ():
        if are_variants(tokens.shorten_command(part), other):
            return part
    return command


def are_variants(command: str, other: str) -> bool:
    """Return whether two shortened commands have the same program and subcommands.

    The third word is a subcommand as well if it is alphabetic, as in ``gh pr view``, but not after ``test``.
    """
    words, other_words = command.split()[:3], other.split()[:3]
    have_third_words = len(words) == len(other_words) == 3 and words[1] != "test"
    is_operand = not have_third_words or not (words[2].isalpha() and other_words[2].isalpha())
    return words[:2] == other_words[:2] and (is_operand or words[2] == other_words[2])


def _strip_settings(part: str) -> str:
    return part.rpartition("; ")[2]


def _is_acting(part: str) -> bool:
    return tokens.has_purpose(part) and not _INCIDENTAL.match(part)


def _count_shared_names(part: str, error: str) -> int:
    names = {name.strip(".:") for name in _NAME.findall(part)}
    quoted = names.intersection(_QUOTED.findall(error))
    return len(names.intersection(name.strip(".:") for name in _NAME.findall(error))) + (_QUOTED_WEIGHT - 1) * len(
        quoted
    )


def _split_parts(command: str) -> list[str]:
    """Split a command line at ``&&``, ``||``, ``;`` and line breaks; do not split scripts and quoted separators."""
    pieces = [piece for piece in _SEPARATOR.split(command) if piece]
    if "<<" in command or any(piece.count("'") % 2 or piece.count('"') % 2 for piece in pieces):
        return [command]
    parts: list[str] = []
    settings = ""
    for piece in pieces:
        if _SETTING.match(piece):
            settings += f"{piece}; "
        else:
            parts.append(settings + piece)
            settings = ""
    return parts or [command]
