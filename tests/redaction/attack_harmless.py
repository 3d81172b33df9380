"""Lines that speak of passwords, tokens and keys and hold none: code, output, settings, prose and generated names.

``CODE``, ``PRINTED`` and ``SETTINGS`` were written before the rules that they judge. In a template ``«n»`` is a name in
snake case, ``«c»`` one in camel case, ``«C»`` one of a class, ``«k»`` one with dashes, ``«i»`` a number, ``«h»`` a digest,
``«u»`` a UUID. ``found`` are lines of others: of Python's own library, of our documents and lock files.
"""

from __future__ import annotations

import re
import sysconfig
from functools import cache
from pathlib import Path
from random import Random

from tests.redaction.attack_values import ALNUM, HEX, drawn
from tests.testkit.paths import ROOT

WORDS = (
    "user account session access refresh login reset service client server database config default current previous new "
    "old next parse build create fetch update admin public remote local cache store vault manager provider factory handler "
    "request response header payload value field input output option setting environment stage production theme light dark"
).split()

_LINES = Path(__file__).parent / "attack_lines"
CODE, PRINTED, SETTINGS = (
    tuple((_LINES / f"{name}.txt").read_text("utf-8").splitlines()) for name in ("code", "printed", "settings")
)


def _name(random: Random) -> str:
    return "_".join(random.sample(WORDS, random.randint(1, 3)))


def _camel(random: Random) -> str:
    first, *rest = random.sample(WORDS, random.randint(1, 3))
    return first + "".join(word.capitalize() for word in rest)


def filled(template: str, random: Random) -> str:
    """The line of a template."""
    makers = {
        "n": lambda: _name(random),
        "c": lambda: _camel(random),
        "C": lambda: _name(random).title().replace("_", ""),
        "k": lambda: _name(random).replace("_", "-"),
        "i": lambda: str(random.randint(1, 999)),
        "h": lambda: drawn(random, HEX, 40),
        "x16": lambda: drawn(random, HEX, 16),
        "b64": lambda: drawn(random, ALNUM + "+/", 86),
        "u": lambda: "-".join(drawn(random, HEX, n) for n in (8, 4, 4, 4, 12)),
    }
    line = re.sub("«(\\w+)»", lambda match: makers[match[1]](), template)
    return line.replace("\\n", "\n").replace("\\t", "\t")


_TELLING = re.compile("pass|pwd|secret|token|key|credential|auth|cookie", re.IGNORECASE)


@cache
def found(what: str) -> tuple[str, ...]:
    """Lines that others wrote, with a telling word in them: of ``library``, ``documents`` or ``locks``."""
    library = Path(sysconfig.get_paths()["stdlib"])
    paths = {
        "library": [p for p in library.rglob("*.py") if not {"test", "tests", "site-packages"} & set(p.parts)],
        "documents": [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"],
        "locks": [ROOT / "requirements-ci.txt", ROOT / "requirements-fuzz.txt", ROOT / "pyproject.toml"],
    }[what]
    lines = (line.strip() for path in sorted(paths) for line in path.read_text("utf-8", "replace").splitlines())
    return tuple(dict.fromkeys(line for line in lines if 8 <= len(line) <= 300 and _TELLING.search(line)))
