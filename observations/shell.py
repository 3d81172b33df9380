"""The words of a command line, as ``shlex`` reads them with the shell's operators, in a tenth of its time."""

from __future__ import annotations

import re

from mind_skills.redaction.lazy_pattern import compile_later

_MARKS = frozenset(";&()\n|<>")
"""What an operator begins with."""
_OPERATORS = frozenset({"&&", "||", ";", "&", "\n", "(", ")", ";;", "|&"})
_TOKEN = compile_later(
    r"[();<>|&\n]++|(?:[^ \t\r();<>|&\n'\"\\]++|'[^']*+'|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"|\\.)++|['\"\\]", re.DOTALL
)
"""Operators, or a word with all its quoted parts, or a quote that nothing closes."""
_WORD = compile_later(r"(?:[^ \t\r\n'\"\\]++|'[^']*+'|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"|\\.)++|['\"\\]", re.DOTALL)
"""The same where nothing is an operator."""
_STRAY = ("'", '"', "\\")
_PIECE = compile_later(r"'([^']*+)'|\"([^\"\\]*+(?:\\.[^\"\\]*+)*+)\"|\\(.)|([^'\"\\]++)", re.DOTALL)
_ESCAPED = compile_later(r"\\([\"\\])")


def words(text: str) -> list[str]:
    """The words of a text, without their quotes; parted by blanks alone where a quote is not closed."""
    found = _read(_WORD, text)
    return text.split() if found is None else found


def _tokens(text: str) -> list[str]:
    """Words without their quotes, and operators."""
    found = _read(_TOKEN, text)
    # The shell would not run it, but its words still name it.
    return text.replace("\n", " ; ").split() if found is None else found


def _read(form: re.Pattern[str], text: str) -> list[str] | None:
    """What the form finds, without quotes; None where a quote is not closed."""
    found: list[str] = form.findall(text)
    quotes = [quote for quote in _STRAY if quote in text]
    if not quotes:
        return found
    if any(map(found.__contains__, quotes)):
        return None
    return [_unquoted(word) if any(map(word.__contains__, quotes)) else word for word in found]


def _unquoted(word: str) -> str:
    first = word[0]
    if first in "'\"" and word[-1] == first and word.count(first) == 2 and (first == "'" or "\\" not in word):
        return word[1:-1]  # nearly always the quotes are around the whole word
    return "".join(
        single or _ESCAPED.sub(r"\1", double) or escaped or plain
        for single, double, escaped, plain in _PIECE.findall(word)
    )


def segments(text: str) -> list[list[list[str]]]:
    """Commands of a list, each a pipeline of word lists."""
    stage: list[str] = []
    command = [stage]
    commands = [command]
    skip = False
    for word in _tokens(text):
        if skip:
            skip = False
        elif word[:1] not in _MARKS:
            if stage or not word.isdigit():
                stage.append(word)
        elif word in _OPERATORS or not word.strip(";&()\n"):
            stage = []
            command = [stage]
            commands.append(command)
        elif word == "|":
            stage = []
            command.append(stage)
        elif word.startswith((">", "<")) or word in ("&>", ">&", "&>>"):
            skip = True
        else:
            stage.append(word)
    return [command for command in commands if any(command)]
