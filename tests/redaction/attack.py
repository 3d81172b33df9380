"""Count what redaction misses and what it changes wrongly: ``python -m tests.redaction.attack [--draws N] [--held-out]``.

Each kind of secret is drawn N times. *Whole* counts the draws whose secret is left unchanged, *pieces* those of which six
or more consecutive characters are left. A quarter of the kinds, chosen by a digest of their names, is held out: the rules
were never adapted to them, and they are counted separately. Add further kinds to ``KINDS``; a kind that gets another name
gets other draws.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple
from zlib import crc32

from mind_skills.redaction.secrets import redact
from mind_skills.redaction.text import strip_controls
from tests.redaction.attack_forms import FORMS
from tests.redaction.attack_harmless import CODE, PRINTED, RECORDS, SETTINGS, fill, list_lines
from tests.redaction.attack_looks import LOOKS
from tests.redaction.attack_places import PLACES
from tests.redaction.harmless import HARMLESS
from tests.redaction.planted import PLACED
from tests.redaction.planted_tools import TOOLS
from tests.redaction.published_tokens import ISSUED

Draw = Callable[[Random], tuple[str, str]]
PIECE = 6
_MARK = re.compile(r"\[redacted:[a-z0-9-]+\]")


def _issued(name: str) -> Draw:
    def draw(random: Random) -> tuple[str, str]:
        made = random.choice(ISSUED[name])(random)
        secret = made[made.find(".atlas") :] if name == "terraform-token" else made  # an id precedes it
        return f"{random.choice(('x=', 'got ', '- '))}{made}\n", secret

    return draw


KINDS: dict[str, dict[str, Draw]] = {
    "by issuer": {name: _issued(name) for name in ISSUED},
    "by place": {f"{name}, {case}": draw for name, cases in (PLACED | TOOLS).items() for case, draw in cases.items()},
    "under a name": {place.kind: place.draw for place in PLACES},
    "in another form": dict(FORMS),
    **LOOKS,
}
"""Groups of kinds of secrets; a draw returns a text and the secret as it appears in it."""


class Left(NamedTuple):
    """The number of draws, and how many of them left the whole secret, or a piece of six characters or more."""

    draws: int
    whole: int
    pieces: int
    example: str = ""


def is_held_out(kind: str) -> bool:
    return crc32(kind.encode()) % 4 == 0


def check_left(text: str, secret: str) -> tuple[bool, bool]:
    """Whether the whole secret is left, and whether a piece of it is left that occurs nowhere else in the text."""
    seen = _MARK.sub("\n", redact(strip_controls(text)))
    if secret in seen:
        return True, True
    around = text.replace(secret, "\n")
    pieces = (secret[at : at + PIECE] for at in range(len(secret) - PIECE + 1))
    return False, any(piece in seen and piece not in around for piece in pieces)


def attack(kind: str, draw: Draw, draws: int) -> Left:
    """Make the draws of one kind, which are the same in every run, and count what is left of them."""
    whole = pieces = 0
    example = ""
    for number in range(draws):
        text, secret = draw(Random(f"{kind} {number}"))
        assert secret in text
        all_of_it, some = check_left(text, secret)
        whole, pieces = whole + all_of_it, pieces + some
        example = example or (text if some else "")
    return Left(draws, whole, pieces, example)


WRITTEN = ("collected", "code", "printed", "settings", "records")
FILES = ("library", "documents", "locks")
"""Groups of harmless texts: written for this, and lines of Python's library, of our documents and of lock files."""


def list_harmless(draws: int, groups: Sequence[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield the group of each harmless text, the text, and whether it is held out."""
    for text in HARMLESS:
        yield "collected", text, False
    for group, templates in (("code", CODE), ("printed", PRINTED), ("settings", SETTINGS), ("records", RECORDS)):
        for template in templates:
            for number in range(draws):
                yield group, fill(template, Random(f"{template} {number}")), is_held_out(template)
    for what in [what for what in FILES if what in groups]:
        lines = list_lines(what)
        for line in Random(what).sample(lines, min(len(lines), 500 * draws)):
            yield what, line, is_held_out(line)


def find_mangled(
    draws: int, held_out: bool, groups: Sequence[str] = (*WRITTEN, *FILES)
) -> dict[str, tuple[int, list[str]]]:
    """For each group the number of texts, and those that are changed."""
    counts: dict[str, tuple[int, list[str]]] = {}
    for group, text, held in list_harmless(draws, groups):
        if held == held_out:
            count, changed = counts.get(group, (0, []))
            counts[group] = count + 1, changed if redact(text) == text else [*changed, text]
    return counts


def count_leaks(draws: int, held_out: bool, groups: Sequence[str] = ()) -> dict[str, dict[str, Left]]:
    """The counts of every kind, by group."""
    return {
        group: {kind: attack(kind, draw, draws) for kind, draw in kinds.items() if is_held_out(kind) == held_out}
        for group, kinds in KINDS.items()
        if not groups or group in groups
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--held-out", action="store_true", help="count the kinds that are held out")
    parser.add_argument("--examples", type=int, default=3, help="number of texts shown per group")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    secrets, texts = count_leaks(given.draws, given.held_out), find_mangled(max(1, given.draws // 20), given.held_out)
    if given.json:
        print(json.dumps({"secrets": secrets, "harmless": {group: [n, len(c)] for group, (n, c) in texts.items()}}))
        return
    print(f"{'secrets':22} kinds  draws  whole  pieces")
    for group, kinds in ((group, kinds) for group, kinds in secrets.items() if kinds):
        draws, whole, pieces = map(sum, zip(*[found[:3] for found in kinds.values()], strict=True))
        print(f"{group:22} {len(kinds):5} {draws:6} {whole:6} {pieces:6}  {pieces / max(1, draws):.2%}")
        worst = sorted((found for found in kinds.items() if found[1].pieces), key=lambda item: -item[1].pieces)
        for kind, found in worst:
            print(f"    {kind:38} {found.whole:4} {found.pieces:4}  {found.example[:110]!r}")
    print(f"\n{'harmless':22} texts  mangled")
    for group, (count, changed) in texts.items():
        print(f"{group:22} {count:6} {len(changed):6}  {len(changed) / max(1, count):.2%}")
        for text in changed[: given.examples]:
            print(f"    {text[:100]!r}\n -> {redact(text)[:100]!r}")


if __name__ == "__main__":
    main()
