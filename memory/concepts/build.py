"""Builds ``lexicon.json`` from the files in ``words/``: ``python -m mind_skills.memory.concepts.build``.

Except for two (see below), the files in ``words/`` define concepts, one per line::

    memory_growth: leak, out of memory, grow without limit > memory_killed, cache_unbounded .5

The line gives the concept's name, the words and phrases that express it, and closely related concepts with the weight of the
relation (.35 if none is given; relations are symmetric). In a text, the words of a phrase may be a few words apart, in any
order and any form. ``~`` before a term marks a weak hint (slow, page). ``@area:`` defines the area itself, to which every
concept in the file is related. ``+memory_growth:`` adds to a concept that is defined on another line. ``#`` starts a comment
line.

In ``synonyms.txt``, a line is a class of everyday words, which are replaced with the first of them (crash: die, explode).
``stop.txt`` contains words without meaning, which are removed from phrases and from texts.
"""

from __future__ import annotations

import json
from math import log
from pathlib import Path
from typing import cast

from mind_skills.memory.concepts import HERE, LEXICON_PATH, WORD, Lexicon, canonicalise, stem

FOLDER = Path(HERE) / "words"
EVERYDAY_FILES = ("stop.txt", "synonyms.txt")

DEFAULT_RELATION = 0.35
AREA_RELATION = 0.2
AREA_WEIGHT = 0.5
MAX_TERM_WORDS = 5

# The weight of a term is the sum of the weights of its words, at most MAX_TERM_WEIGHT. The fewer concepts a word expresses,
# the higher its weight: about 1 for "deadlock", 0.1 for "not". A hint has that weight times HINT_WEIGHT. If a term
# expresses n concepts, each gets n ** -SPLIT_EXPONENT of it: less than all, more than 1/n. Chosen by judgement, not fitted.
WEIGHT_SCALE = 6.0
HINT_WEIGHT = 0.35
MAX_TERM_WEIGHT = 1.8
SPLIT_EXPONENT = 0.6

Terms = dict[tuple[str, ...], dict[int, float]]
"""Maps the sorted words of a term to the numbers of its concepts, each with 1, or HINT_WEIGHT for a hint."""


def build() -> Lexicon:
    """Build the lexicon from the files. Raises ValueError for an invalid line.

    A line is invalid if it defines a concept again, adds to or names an undefined concept, or contains a phrase that is too
    long or consists of stop words except for one word, because that would match too much.
    """
    lexicon = Lexicon()
    _read_everyday_words(lexicon.canonical)
    areas = [read_lines(path.name) for path in sorted(FOLDER.glob("*.txt")) if path.name not in EVERYDAY_FILES]
    numbers: dict[str, int] = {}
    for line in (line for lines in areas for line in lines if line[0] != "+"):
        name = line.partition(":")[0].strip("@")
        if name in numbers:
            raise ValueError(f"{name} is defined twice")
        numbers[name] = len(numbers)
        lexicon.names.append(name)
        lexicon.own_weights.append(AREA_WEIGHT if line[0] == "@" else 1.0)
    relations: list[dict[int, float]] = [{} for _ in numbers]
    terms: Terms = {}
    for lines in areas:
        _read_area(lexicon, numbers, relations, terms, lines)
    _add_terms(lexicon, terms)
    _add_everyday_words(lexicon, relations)
    lexicon.related = [sorted(related.items()) for related in relations]
    return lexicon


def read_lines(name: str) -> list[str]:
    """Return the lines of a file in ``words/``, without comments and empty lines."""
    return [line for line in (FOLDER / name).read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def serialise(lexicon: Lexicon) -> str:
    """Serialise the lexicon as JSON with one line per word, so that a changed concept makes a small diff."""
    parts: list[str] = []
    for name, value in sorted(lexicon.as_document().items()):
        if isinstance(value, dict):
            table = cast("dict[str, object]", value)
            rows = [f"{json.dumps(key)}:{json.dumps(table[key], separators=(',', ':'))}" for key in sorted(table)]
            parts.append(f'"{name}":{{\n' + ",\n".join(rows) + "\n}")
        else:
            parts.append(f'"{name}":' + json.dumps(value, separators=(",", ":")))
    return "{" + ",\n".join(parts) + "}\n"


def _read_everyday_words(canonical: dict[str, str]) -> None:
    for line in read_lines("synonyms.txt"):
        first, _, others = line.partition(":")
        base = stem(first)
        for word in others.split():
            canonical[stem(word)] = canonical[word] = base
    for line in read_lines("stop.txt"):
        for word in line.split():
            canonical[word] = ""


def _read_area(
    lexicon: Lexicon, numbers: dict[str, int], relations: list[dict[int, float]], terms: Terms, lines: list[str]
) -> None:
    area = -1
    for line in lines:
        name, _, rest = line.partition(":")
        terms_text, _, relations_text = rest.partition(">")
        number = numbers.get(name.strip("@+"), -1)
        if number < 0:
            raise ValueError(f"{name} is extended but not defined")
        if name[0] == "@":
            area = number
        elif area >= 0 and name[0] != "+":
            relations[number].setdefault(area, AREA_RELATION)
        for relation in relations_text.split(","):
            if parts := relation.split():
                if parts[0] not in numbers:
                    raise ValueError(f"{name} is related to {parts[0]}, which is not defined")
                other, weight = numbers[parts[0]], float(parts[1]) if len(parts) > 1 else DEFAULT_RELATION
                for source, target in ((number, other), (other, number)):
                    relations[source][target] = max(weight, relations[source].get(target, 0.0))
        for term in terms_text.split(","):
            if term.strip():
                _add_term(lexicon.canonical, terms, name, term.strip(), number)


def _add_term(canonical: dict[str, str], terms: Terms, name: str, term: str, number: int) -> None:
    written = WORD.findall(term)
    words = sorted({word for word in (canonicalise(canonical, word.lower()) for word in written) if word})
    if not words or (len(words) == 1 and len(written) > 1):
        raise ValueError(f"{name}: stop words reduce {term!r} to {words}")
    if len(words) > MAX_TERM_WORDS:
        raise ValueError(f"{name}: {term!r} has more than {MAX_TERM_WORDS} words")
    concepts = terms.setdefault(tuple(words), {})
    concepts[number] = max(concepts.get(number, 0.0), HINT_WEIGHT if term[0] == "~" else 1.0)


def _add_terms(lexicon: Lexicon, terms: Terms) -> None:
    """Store each term under its rarest word, so that a common word such as "not" in a text leads to few phrases to check."""
    concepts_by_word: dict[str, set[int]] = {}
    for words, concepts in terms.items():
        for word in words:
            concepts_by_word.setdefault(word, set()).update(concepts)
    word_weights = {
        word: log(len(lexicon.names) / len(concepts)) / WEIGHT_SCALE for word, concepts in concepts_by_word.items()
    }
    for words, concepts in sorted(terms.items()):
        term_weight = min(MAX_TERM_WEIGHT, sum(word_weights[word] for word in words)) * len(concepts) ** -SPLIT_EXPONENT
        entry = [(number, round(term_weight * weight, 3)) for number, weight in sorted(concepts.items())]
        first, *others = sorted(words, key=lambda word: (-word_weights[word], word))
        if not others:
            lexicon.single[first] = entry
        elif len(others) == 1:
            lexicon.pairs.setdefault(first, {})[others[0]] = entry
        else:
            lexicon.longer.setdefault(first, []).append((others, entry))


def _add_everyday_words(lexicon: Lexicon, relations: list[dict[int, float]]) -> None:
    """Add a concept with a low weight for each class of everyday words."""
    for line in read_lines("synonyms.txt"):
        first = line.partition(":")[0]
        lexicon.single.setdefault(stem(first), []).append((len(lexicon.names), HINT_WEIGHT))
        lexicon.names.append(f"word_{first}")
        lexicon.own_weights.append(1.0)
        relations.append({})


if __name__ == "__main__":
    Path(LEXICON_PATH).write_text(serialise(build()), encoding="utf-8", newline="\n")
