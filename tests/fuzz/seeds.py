"""What mutation begins with: fixtures/, and pieces of recorded sessions, which are read where they lie.

A piece is the head of a log and some lines behind it; of a log that is one document, its first items. Nothing of it is
kept: the fuzzer's own inputs lie in a folder that is gone when it ends.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from mind_skills.errors import LogError
from mind_skills.observations.read import detect_format
from tests.fuzz.target import LONGEST
from tests.testkit.paths import FIXTURES, ROOT

SHARED = Path(os.environ.get("MIND_SKILLS_SHARED", ROOT.parent / "shared")) / "corpus/sessions"
HEAD = 3
"""Lines at the beginning of a log that say whose it is."""
ITEMS, TEXT = 14, 600
"""Items of a list, and characters of a text, that stay of a log that is one document."""
PIECE = LONGEST // 2


def fixtures(*patterns: str) -> Iterator[bytes]:
    """The fixtures that fit, those that are too long cut to a piece."""
    for pattern in patterns:
        for path in sorted(FIXTURES.glob(pattern)):
            yield from pieces(path)


def recorded(format_name: str) -> Iterator[bytes]:
    """Pieces of the recorded sessions of one format; none where there are no recordings."""
    for path in _by_format().get(format_name, ()):
        yield from pieces(path)


def pieces(path: Path) -> Iterator[bytes]:
    """One log in pieces that mutation can work on."""
    data = path.read_bytes()
    if len(data) <= PIECE:
        yield data
        return
    try:
        whole = json.loads(data)
    except ValueError:
        rows = data.split(b"\n")
        for part in range(1, 4):
            yield b"\n".join([*_fitting(rows[:HEAD], PIECE // 4), *_fitting(rows[part * len(rows) // 4 :], PIECE)])
        return
    yield json.dumps(_shortened(whole)).encode()[:LONGEST]


def stories() -> Iterator[bytes]:
    """The stories of fixtures/false_friends as Claude Code, Codex, Gemini CLI and OpenCode would have put them down."""
    from tests.testkit.stories import as_antigravity, as_claude_code, as_codex, as_gemini, as_opencode
    from tests.testkit.stories.story_file import read_stories

    hosts = (as_antigravity, as_claude_code, as_codex, as_gemini, as_opencode)
    for number, story in enumerate(read_stories()):
        log = hosts[number // 2 % 4].render_log(story)[0]
        yield log.encode()


@cache
def _by_format() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in sorted(SHARED.glob("*")) if SHARED.is_dir() else ():
        try:
            found.setdefault(detect_format(path), []).append(path)
        except LogError:
            continue
    return found


def _fitting(rows: list[bytes], room: int) -> list[bytes]:
    """The rows, from the first on, that fit; one that is longer than a quarter of the room is passed over."""
    kept: list[bytes] = []
    for row in rows:
        if len(row) > room // 4 and len(row) > 2_000:
            continue
        if sum(map(len, kept)) + len(row) > room:
            break
        kept.append(row)
    return kept


def _shortened(value: object) -> object:
    if isinstance(value, dict):
        return {key: _shortened(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_shortened(inner) for inner in value[:ITEMS]]
    return value[:TEXT] if isinstance(value, str) else value
