"""Reads a SKILL.md within limits, splits off its frontmatter (leniently: hooks have no YAML parser), and compares its
words with a learning's.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from itertools import takewhile
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_lazily

FILE_NAME = "SKILL.md"
MAX_SKILL_BYTES = 64 * 1024
"""Maximum number of bytes read from a SKILL.md; the format recommends at most 5,000 tokens."""


def read_text(path: str) -> str:
    """Return the text of a regular file, up to ``MAX_SKILL_BYTES`` bytes; empty if it cannot be read. Never blocks."""
    return (read_bytes(path, MAX_SKILL_BYTES) or b"").decode("utf-8", "replace")


def read_bytes(path: str, limit: int) -> bytes | None:
    """Return the first ``limit`` bytes of a regular file, or None if it cannot be read. Never blocks."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError):  # missing or inaccessible, or not a valid file name
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        data = b""
        while len(data) < limit and (part := os.read(descriptor, limit - len(data))):
            data += part
        return data
    except OSError:
        return None  # a disk or a network folder that fails during the read
    finally:
        os.close(descriptor)


_OPENING_FENCE = compile_lazily(r"\A---[ \t]*(?:\n|\Z)")
_CLOSING_FENCE = compile_lazily(r"^---[ \t]*(?:\n|\Z)", re.MULTILINE)
_BLOCK_SCALAR = compile_lazily(r"[|>][+-]?\d?[ \t]*(?:#.*)?\Z")
_COMMENT = compile_lazily(r"[ \t]#.*\Z")


class SkillParts(NamedTuple):
    """The parts of a SKILL.md; the body starts on ``body_line``, from 1. ``problem`` is "", ``none`` (no ``---``) or
    ``open`` (no end).
    """

    front: str
    body: str
    body_line: int
    problem: str


def split_skill_file(text: str) -> SkillParts:
    """Split the text of a SKILL.md; line endings may be of any kind, and a byte order mark is ignored. Never raises."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    opening = _OPENING_FENCE.match(text)
    if opening is None:
        return SkillParts("", text, 1, "none")
    closing = _CLOSING_FENCE.search(text, opening.end())
    if closing is None:
        return SkillParts("", text, 1, "open")
    front = text[opening.end() : closing.start()]
    return SkillParts(front, text[closing.end() :], front.count("\n") + 3, "")


def read_scalar(front: str, key: str) -> str:
    """Return the value of a top-level key of the frontmatter, on one line; empty if the key is missing. Never raises."""
    lines = front.split("\n")
    for number, line in enumerate(lines):
        if not line.startswith(key):
            continue
        after = line[len(key) :].lstrip()
        if after.startswith(":") and (len(after) == 1 or after[1] in " \t"):
            return _decode_scalar(after[1:].strip(), _collect_continuation(lines[number + 1 :]))
    return ""


def _collect_continuation(lines: list[str]) -> list[str]:
    """Return the leading lines that are indented or blank: they continue the value of the key before them."""
    return [line.strip() for line in takewhile(lambda line: not line.strip() or line[:1] in " \t", lines)]


def _decode_scalar(first: str, continuation: list[str]) -> str:
    if _BLOCK_SCALAR.match(first):
        return " ".join(filter(None, continuation))
    scalar = " ".join(filter(None, [first, *continuation]))
    if scalar[:1] in "\"'" and scalar:
        quote = scalar[0]
        end = scalar.rfind(quote)
        content = scalar[1:end] if end > 0 else scalar[1:]
        return content.replace("''", "'") if quote == "'" else content.replace('\\"', '"').replace("\\n", " ")
    return _COMMENT.sub("", scalar).strip()


# -- Whether a skill covers a learning, decided by the distinctive words that they share.
#
# A skill written for a learning repeats its error, command, file and cause; a skill that is only about the same tool or code
# base contains few of these words. Among the hand-written pairs in tests/learning/covered_pairs.py, skills that cover a
# learning contain .64 to .88 of its words, skills about the same area or error .00 to .47, and all other skills at most .12.

MIN_SHARE, MIN_SHARED_WORDS = 0.6, 5
"""A skill covers a learning if a passage has at least this share and number of its distinctive words."""
WORDS_PER_PASSAGE = 300
"""Distinctive words per passage, as many as in 500 words, the usual length of a skill. Passages overlap by half."""
_WORD = compile_lazily(r"[A-Za-z][A-Za-z0-9_]{3,}")
_COMMON_WORDS = frozenset(
    "about after again against also before because been being cause could does error failed failing file files fixed from have into"
    " just line made more only other should some still test tests than that their them then there these they this turns"
    " when where which while will with without would your".split()
)


def extract_distinctive_words(texts: Iterable[str]) -> set[str]:
    """Return the words of four or more characters, in lower case and without common words."""
    return {word for text in texts for word in _WORD.findall(text.lower())} - _COMMON_WORDS


def split_passages(text: str) -> list[set[str]]:
    """Return the distinctive words of each passage of a skill: somewhere, a long text contains almost any word."""
    words = [word for word in _WORD.findall(text.lower()) if word not in _COMMON_WORDS]
    step = WORDS_PER_PASSAGE // 2
    return [set(words[start : start + WORDS_PER_PASSAGE]) for start in range(0, max(1, len(words) - step), step)]


def compute_shared_fraction(learning_words: set[str], words: set[str]) -> float:
    """Return the share of ``learning_words`` that are in ``words``, 0 to 1; 0 if ``learning_words`` is empty."""
    return len(learning_words & words) / len(learning_words) if learning_words else 0.0


def covers(learning_words: set[str], words: set[str]) -> bool:
    """Return whether a passage with ``words`` covers a learning with the distinctive words ``learning_words``."""
    return (
        len(learning_words & words) >= MIN_SHARED_WORDS and compute_shared_fraction(learning_words, words) >= MIN_SHARE
    )


def contains_id(text: str, id_: str) -> bool:
    """Return whether the text contains an id (or a fingerprint) as a whole word."""
    return bool(id_) and re.search(rf"(?<!\w){re.escape(id_)}(?!\w)", text) is not None
