"""Lines that mention passwords, tokens and keys and contain none: code, output, settings, prose and generated names.

``CODE``, ``PRINTED`` and ``SETTINGS`` were written before the rules that they judge. In a template ``«n»`` is a name in
snake case, ``«c»`` one in camel case, ``«C»`` one of a class, ``«k»`` one with dashes, ``«i»`` a number, ``«h»`` a digest,
``«u»`` a UUID. ``list_lines`` returns lines from other sources: Python's own library, our documents and lock files.
"""

from __future__ import annotations

import re
import sysconfig
from functools import cache
from pathlib import Path
from random import Random

from tests.redaction.attack_values import ALNUM, HEX, draw_characters
from tests.testkit.paths import ROOT

WORDS = (
    "user account session access refresh login reset service client server database config default current previous new "
    "old next parse build create fetch update admin public remote local cache store vault manager provider factory handler "
    "request response header payload value field input output option setting environment stage production theme light dark"
).split()

_LINES = Path(__file__).parent / "attack_lines"
CODE, PRINTED, SETTINGS, RECORDS = (
    tuple((_LINES / f"{name}.txt").read_text("utf-8").splitlines())
    for name in ("code", "printed", "settings", "records")
)


def _name(random: Random) -> str:
    return "_".join(random.sample(WORDS, random.randint(1, 3)))


def _camel(random: Random) -> str:
    first, *rest = random.sample(WORDS, random.randint(1, 3))
    return first + "".join(word.capitalize() for word in rest)


def fill(template: str, random: Random) -> str:
    """A line made from a template."""
    makers = {
        "n": lambda: _name(random),
        "c": lambda: _camel(random),
        "C": lambda: _name(random).title().replace("_", ""),
        "k": lambda: _name(random).replace("_", "-"),
        "i": lambda: str(random.randint(1, 999)),
        "h": lambda: draw_characters(random, HEX, 40),
        "x32": lambda: draw_characters(random, HEX, 32),
        "x64": lambda: draw_characters(random, HEX, 64),
        "x16": lambda: draw_characters(random, HEX, 16),
        "b64": lambda: draw_characters(random, ALNUM + "+/", 86),
        "u": lambda: "-".join(draw_characters(random, HEX, n) for n in (8, 4, 4, 4, 12)),
    }
    line = re.sub("«(\\w+)»", lambda match: makers[match[1]](), template)
    return line.replace("\\n", "\n").replace("\\t", "\t")


_WORD_FOR_A_SECRET = re.compile("pass|pwd|secret|token|key|credential|auth|cookie", re.IGNORECASE)


@cache
def list_lines(what: str) -> tuple[str, ...]:
    """The lines of ``library``, ``documents`` or ``locks`` that contain a word for a secret."""
    library = Path(sysconfig.get_paths()["stdlib"])
    paths = {
        "library": [p for p in library.rglob("*.py") if not {"test", "tests", "site-packages"} & set(p.parts)],
        "documents": [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"],
        "locks": [ROOT / "requirements-ci.txt", ROOT / "requirements-fuzz.txt", ROOT / "pyproject.toml"],
    }[what]
    lines = (line.strip() for path in sorted(paths) for line in path.read_text("utf-8", "replace").splitlines())
    return tuple(dict.fromkeys(line for line in lines if 8 <= len(line) <= 300 and _WORD_FOR_A_SECRET.search(line)))
