"""Make ``lexicon.json`` of the files in ``words/``: ``python -m mind_skills.memory.concepts.build``.

A file of ``words/`` is an area of software work. A line is a concept::

    memory_growth: leak, out of memory, grow without limit > memory_killed, cache_unbounded .5

its name, the words and phrases by which it is spoken of, and what it is closely related to (with a weight, .35 where none
is given; a relation goes both ways). The words of a phrase may stand a little apart in a text, in any order, in any form.
``~`` before a word: it only hints (slow, page). ``@area:`` stands for the area itself: each concept of the file leads to it.
``+memory_growth:`` says more of a concept of another line.
``#`` starts a remark.

``synonyms.txt`` is different: a line is a class of everyday words that count as its first one wherever they stand
(crash: die, explode). ``stop.txt`` holds the words that say nothing: phrases are taken without them.
"""

from __future__ import annotations

import json
from math import log
from pathlib import Path
from typing import cast

from mind_skills.memory.concepts.lexicon import HERE, MADE, WORD, Lexicon, count_as, stem

FOLDER = Path(HERE) / "words"
EVERYDAY = ("stop.txt", "synonyms.txt")

RELATED = 0.35
OF_AREA = 0.2
AREA_SAYS = 0.5
LONGEST = 5

# What a term says about its concept: its words together, each the more the fewer concepts are spoken of with it, so that
# "deadlock" says nearly 1, "each other" little. A hint says a part of it, a phrase at most MOST. A term of n concepts says
# n ** -SPLIT of it about each: less than the whole, more than its n-th part. Chosen by judgement, fitted to nothing.
TELLING = 6.0
HINT = 0.35
MOST = 1.8
SPLIT = 0.6

Terms = dict[tuple[str, ...], dict[int, float]]
"""By the words of a term, sorted: concepts by number, with 1 or HINT."""


def build() -> Lexicon:
    """The lexicon that the files say. Raises ValueError for a line that says something twice, or nothing.

    That is: a concept of two lines, a relation to no concept, or a phrase of which the stop words leave a single word (which
    would touch the concept wherever that word stands: it has to be written as that word, or otherwise).
    """
    built = Lexicon()
    _read_everyday_words(built.canonical)
    areas = [lines_of(found.name) for found in sorted(FOLDER.glob("*.txt")) if found.name not in EVERYDAY]
    numbers: dict[str, int] = {}
    for line in (line for lines in areas for line in lines if line[0] != "+"):
        name = line.partition(":")[0].strip("@")
        if name in numbers:
            raise ValueError(f"two lines say what {name} is")
        numbers[name] = len(numbers)
        built.names.append(name)
        built.broad.append(AREA_SAYS if line[0] == "@" else 1.0)
    ties: list[dict[int, float]] = [{} for _ in numbers]
    terms: Terms = {}
    for lines in areas:
        _read_area(built, numbers, ties, terms, lines)
    _place(built, terms)
    _add_everyday_words(built, ties)
    built.related = [sorted(tied.items()) for tied in ties]
    return built


def lines_of(name: str) -> list[str]:
    """The lines of a file of ``words/``, without remarks."""
    return [line for line in (FOLDER / name).read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def document(built: Lexicon) -> str:
    """The lexicon as it is stored: a line for each word, so that a change of one concept is a small change of the file."""
    parts: list[str] = []
    for name, value in sorted(built.as_document().items()):
        if isinstance(value, dict):
            table = cast("dict[str, object]", value)
            rows = [f"{json.dumps(key)}:{json.dumps(table[key], separators=(',', ':'))}" for key in sorted(table)]
            parts.append(f'"{name}":{{\n' + ",\n".join(rows) + "\n}")
        else:
            parts.append(f'"{name}":' + json.dumps(value, separators=(",", ":")))
    return "{" + ",\n".join(parts) + "}\n"


def _read_everyday_words(canonical: dict[str, str]) -> None:
    for line in lines_of("synonyms.txt"):
        first, _, others = line.partition(":")
        base = stem(first)
        for word in others.split():
            canonical[stem(word)] = canonical[word] = base
    for line in lines_of("stop.txt"):
        for word in line.split():
            canonical[word] = ""


def _read_area(
    built: Lexicon,
    numbers: dict[str, int],
    ties: list[dict[int, float]],
    terms: Terms,
    lines: list[str],
) -> None:
    area = -1
    for line in lines:
        name, _, rest = line.partition(":")
        said, _, tied = rest.partition(">")
        number = numbers.get(name.strip("@+"), -1)
        if number < 0:
            raise ValueError(f"{name} says more of what no line says")
        if name[0] == "@":
            area = number
        elif area >= 0 and name[0] != "+":
            ties[number].setdefault(area, OF_AREA)
        for tie in tied.split(","):
            if parts := tie.split():
                if parts[0] not in numbers:
                    raise ValueError(f"{name} is tied to {parts[0]}, which no line says")
                other, weight = numbers[parts[0]], float(parts[1]) if len(parts) > 1 else RELATED
                for start, end in ((number, other), (other, number)):
                    ties[start][end] = max(weight, ties[start].get(end, 0.0))
        for term in said.split(","):
            if term.strip():
                _add_term(built.canonical, terms, name, term.strip(), number)


def _add_term(canonical: dict[str, str], terms: Terms, name: str, term: str, number: int) -> None:
    written = WORD.findall(term)
    words = sorted({word for word in (count_as(canonical, word.lower()) for word in written) if word})
    if not words or (len(words) == 1 and len(written) > 1):
        raise ValueError(f"{name}: of {term!r} the stop words leave {words}")
    if len(words) > LONGEST:
        raise ValueError(f"{name}: {term!r} is longer than {LONGEST} words")
    touched = terms.setdefault(tuple(words), {})
    touched[number] = max(touched.get(number, 0.0), HINT if term[0] == "~" else 1.0)


def _place(built: Lexicon, terms: Terms) -> None:
    """Each term under its rarest word, so that a text looks at few phrases for a word like "not"."""
    spoken: dict[str, set[int]] = {}
    for words, touched in terms.items():
        for word in words:
            spoken.setdefault(word, set()).update(touched)
    tells = {word: log(len(built.names) / len(concepts)) / TELLING for word, concepts in spoken.items()}
    for words, touched in sorted(terms.items()):
        amount = min(MOST, sum(tells[word] for word in words)) * len(touched) ** -SPLIT
        touch = [(number, round(amount * part, 3)) for number, part in sorted(touched.items())]
        first, *others = sorted(words, key=lambda word: (-tells[word], word))
        if not others:
            built.single[first] = touch
        elif len(others) == 1:
            built.pairs.setdefault(first, {})[others[0]] = touch
        else:
            built.longer.setdefault(first, []).append((others, touch))


def _add_everyday_words(built: Lexicon, ties: list[dict[int, float]]) -> None:
    """A class of everyday words is a concept too, a faint one."""
    for line in lines_of("synonyms.txt"):
        first = line.partition(":")[0]
        built.single.setdefault(stem(first), []).append((len(built.names), HINT))
        built.names.append(f"word_{first}")
        built.broad.append(1.0)
        ties.append({})


if __name__ == "__main__":
    Path(MADE).write_text(document(build()), encoding="utf-8", newline="\n")
