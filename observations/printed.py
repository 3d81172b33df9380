"""Which of some passages repeat what a tool printed before, and from when on a session held text of strangers.

What an agent says may be what it has just read: an issue, a page, a README, the report of a subagent. So the words of a
passage are compared with all that was put before the agent in that session, in full, not as far as observations keep it.
Compared are runs of ``RUN`` ordinary words, without the commonest, in one spelling: compatibility forms, no case, accents,
marks of emphasis, look-alikes or line ends. What the user or the agent said first is their own, though a tool prints it
later. Linear in the size of a session, and memory follows the passages alone: the session is read again for them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

from mind_skills.observations.model import Source
from mind_skills.observations.sources import REMOTE

RUN = 4
"""Words beside the commonest that must stand in a row: of three, one passage in ten of the corpus repeats a log by chance."""
GAP = 2
"""So many words between two repeated runs belong to them: a sentence is no other for a word put into it."""
MOST = 40
"""Passages that are looked for at a time."""
LONGEST = 2_000
"""Characters of a passage."""
_CHUNK = 1 << 18
"""Characters of an output that are taken apart at a time."""

_COMMONEST = frozenset(
    """a about after all also an and any are as at be because been before being but by can could did do does for from get gets
    had has have here how i if in into is it its just like may me more must my no not now of off on only or our out over so
    some should than that the their them then there these they this those through to too under until up us very was we were
    what when where which while who why will with would you your s t re ll ve d m isn doesn don didn wasn aren won let""".split()
)
"""Left out on both sides: who words a sentence anew begins with these."""
_LOOKALIKES = str.maketrans(
    dict(
        zip(
            "абвгдеёзикмнопрстухчьѕіјһԁԛԝӏ" + "αβγεζηικμνορστυχωϲϳ" + "ıɡɩɑʀʟɪɴʏℓ" + "ł" + "øđħŧ" + "ⅼⅽⅾⅿⅰⅴⅹ",
            "abbrdeeзnkmhonpctyx4bsijhdqwl" + "abyeznikmvopotuxwcj" + "igiarlinyl" + "l" + "odht" + "lcdmivx",
            strict=True,
        )
    )
    | {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)
"""Small letters that pass for Latin ones, as in Unicode's confusables; both sides go through the same table, so what a
letter of another script becomes matters less than that it is one and the same.
"""
_DIGITS = str.maketrans("013457", "oieast")
_EMPHASIS = str.maketrans(dict.fromkeys("*`~\u00ad\u200b\u200c\u200d\u2060\ufeff", ""))
_MARKED = re.compile("[*`~]")
_WORD = re.compile(r"[^\W_]+")
_CHUNKS = re.compile(r"\S+")
_EDGES = re.compile(r"\A[\W_]+|[\W_]+\Z")
_PLAIN = re.compile(
    r"[^\W\d_]+(?:[-*'`~\u2019\u00ad\u200b-\u200d\u2010\u2011\u2060\u0300-\u036f\u2013\u2014]+[^\W\d_]+)*"
)
_HUMP = re.compile(r"[a-z][A-Z]")
_BROKEN = re.compile(r"(?<=[a-z])[-\u2010\u00ac]\n\s*(?:[>#|/*;-]+\s*)?(?=[a-z])")
"""A word that goes on in the next line."""


class Heard(NamedTuple):
    """A text that was put before the agent, or that it or its user wrote (``own``)."""

    line: int
    own: bool
    source: Source
    text: str


_LISTENER: ContextVar[Callable[[Heard], object] | None] = ContextVar("_LISTENER", default=None)


@contextmanager
def listening(listener: Callable[[Heard], object]) -> Generator[None]:
    """While this lasts, ``listener`` hears all texts of the logs that are read in this context, whole, in their order."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def hear(line: int, own: bool, source: Source, *texts: str) -> None:
    """Tell whoever listens of texts; the builders of observations do, of what they keep and of what they leave out."""
    listener = _LISTENER.get()
    if listener is not None:
        for text in texts:
            listener(Heard(line, own, source, text))


@dataclass(slots=True)
class Repeat:
    """What in a passage repeats a tool: the words of each run, in the spelling in which they are compared, and who said them."""

    runs: list[str] = field(default_factory=list[str])
    sources: set[Source] = field(default_factory=set[Source])


class Comparison:
    """Looks for a few passages in a session: ``feed`` it all texts in order, then ask ``repeat`` and ``strangers``."""

    def __init__(self, passages: Sequence[str]) -> None:
        """``passages`` are looked for as far as ``MOST`` and ``LONGEST``; what is beyond is not, and counts as repeated."""
        self._placed = [_placed(text[:LONGEST]) for text in passages[:MOST]]
        self._words = [[each.word for each in placed] for placed in self._placed]
        self._beyond = len(passages) > MOST
        self._first: dict[tuple[str, ...], Source | None] = {}  # who said a run first; None: nobody yet
        for words in self._words:
            self._first.update(dict.fromkeys(_runs(words)))
        self._sought = set(self._first)
        self._pairs = {pair: False for words in self._words for pair in _runs(words, 2)}  # printed beside a run
        self._errors: set[tuple[str, ...]] = set()
        self._alphabet = {word for run in self._sought for word in run}
        self.strangers: dict[Source, int] = {}
        """Each source of strangers' text, with the line from which on the session held some."""

    def feed(self, heard: Heard) -> None:
        """Take in the next text."""
        if not heard.own and heard.source in REMOTE:
            self.strangers.setdefault(heard.source, heard.line)
        if not self._sought or not heard.text:
            return
        said: Source = "agent" if heard.own else heard.source
        for words in _in_parts(heard.text):
            if len(words) < RUN or self._alphabet.isdisjoint(words):
                continue
            found = self._sought.intersection(_runs(words))
            self._first.update(dict.fromkeys(found, said))
            self._sought -= found
            if found and not heard.own:
                self._pairs.update(dict.fromkeys(set(_runs(words, 2)).intersection(self._pairs), True))

    def cite(self, error: str) -> None:
        """Take in the line in which a command named its error: whoever quotes that repeats it rightly."""
        self._errors.update(run for run in _runs(content(error)) if run in self._first)

    def repeat(self, index: int) -> Repeat:
        """What passage ``index`` repeats of what tools printed before anybody else said it.

        A run of names alone (of files, of code) is none. The error of a local command is one, and has no source.
        """
        if index >= len(self._words):
            return Repeat(sources={"local"} if self._beyond else set())
        words, placed, result = self._words[index], self._placed[index], Repeat()
        by: list[set[Source]] = [set() for _ in words]
        for at, run in enumerate(_runs(words)):
            source = self._first[run]
            if source is not None and source != "agent":
                cited = source == "local" and run in self._errors
                for each in by[at : at + RUN]:
                    each.add("agent" if cited else source)
        self._grow(words, by)
        for begin, end in _joined([bool(each) for each in by]):
            if sum(each.ordinary for each in placed[begin:end]) >= RUN:
                result.runs.append(" ".join(words[begin:end]))
                plain = [each for each, word in zip(by[begin:end], placed[begin:end], strict=True) if word.ordinary]
                if sum(bool(each - {"agent"}) for each in plain) >= RUN:
                    result.sources |= set().union(*plain) - {"agent"}
        return result

    def _grow(self, words: list[str], by: list[set[Source]]) -> None:
        """Add to what is marked the pairs of words near it that stood beside it: a word put in between parts no sentence."""
        for order in (range(len(words) - 1), range(len(words) - 2, -1, -1)):
            for at in order:
                if self._pairs[words[at], words[at + 1]]:
                    near = set[Source]().union(*by[max(0, at - GAP) : at + 2 + GAP])
                    by[at] |= near
                    by[at + 1] |= near


def spans(text: str, runs: Iterable[str]) -> list[tuple[int, int]]:
    """Where in a text these runs stand, begin and end of each, in their order; what is left of one that was cut counts, too."""
    wanted: set[tuple[str, ...]] = set()
    for each in runs:
        words = each.split(" ")
        wanted.update(_runs(words, min(RUN, len(words))))
    if not wanted:
        return []
    placed = _placed(text)
    words = [each.word for each in placed]
    marked = [False] * len(words)
    for size in {len(run) for run in wanted}:
        for at, run in enumerate(_runs(words, size)):
            if run in wanted:
                marked[at : at + size] = [True] * size
    return [(placed[begin].begin, placed[end - 1].end) for begin, end in _joined(marked)]


def content(text: str) -> list[str]:
    """The words of a text as they are compared."""
    return [word for part in _in_parts(text) for word in part]


def _runs(words: Sequence[str], size: int = RUN) -> Iterator[tuple[str, ...]]:
    return zip(*(words[n:] for n in range(size)), strict=False)


def _joined(marked: list[bool]) -> list[tuple[int, int]]:
    """The stretches that are marked, over gaps of ``GAP``."""
    found: list[tuple[int, int]] = []
    for at, here in enumerate(marked):
        if here and found and at - found[-1][1] <= GAP:
            found[-1] = (found[-1][0], at + 1)
        elif here:
            found.append((at, at + 1))
    return found


def _in_parts(text: str) -> Iterator[list[str]]:
    """The words of a text, part by part; each begins with the last words of the one before, so that no run is cut."""
    carried: deque[str] = deque(maxlen=RUN - 1)
    begin = 0
    while begin < len(text):
        end = begin + _CHUNK
        if end < len(text):
            blank = max(text.rfind(" ", begin, end), text.rfind("\n", begin, end))
            end = blank if blank > begin else end
        words = _words(text[begin:end])
        yield [*carried, *words]
        carried.extend(words)
        begin = end


def _words(text: str) -> list[str]:
    return [
        word if word.isalpha() else word.translate(_DIGITS)
        for word in _WORD.findall(_folded(text))
        if not _passed_over(word)
    ]


def _passed_over(word: str) -> bool:
    return word in _COMMONEST or word.isdigit()


def _folded(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = "".join([sign for sign in text if not unicodedata.combining(sign)]).casefold().translate(_LOOKALIKES)
        text = text.translate(_EMPHASIS)
    else:
        text = text.lower()
        if _MARKED.search(text):
            text = text.translate(_EMPHASIS)
    return _BROKEN.sub("", text) if "\n" in text else text


class _Placed(NamedTuple):
    """A word of a passage and where it stands there; ``ordinary`` where it is a word and no part of a name."""

    word: str
    begin: int
    end: int
    ordinary: bool


def _placed(text: str) -> list[_Placed]:
    signs: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text):
        folded = _folded(sign)
        signs.append(folded)
        places += [place] * len(folded)
    whole = "".join(signs)
    plain = _ordinary(text)
    found: list[_Placed] = []
    for each in _WORD.finditer(whole):
        word = each.group()
        if not _passed_over(word):
            spelt = word if word.isalpha() else word.translate(_DIGITS)
            begin = places[each.start()]
            found.append(_Placed(spelt, begin, places[each.end() - 1] + 1, begin in plain))
    return found


def _ordinary(text: str) -> set[int]:
    """Where in a text its ordinary words begin.

    Words that are joined by hyphens are one, and what has another sign in it is a name, but where four or more are joined,
    the commonest among them: that is a sentence in the form of a name.
    """
    found: set[int] = set()
    for chunk in _CHUNKS.finditer(text):
        parts = [part for part in _WORD.finditer(chunk[0]) if not part[0].isdigit()]
        begins = [chunk.start() + part.start() for part in parts]
        if len(parts) >= RUN and any(part[0].casefold() in _COMMONEST for part in parts):
            found.update(begins)
        elif parts and _PLAIN.fullmatch(_EDGES.sub("", chunk[0])) and not _HUMP.search(chunk[0]):
            found.update(begins[: 1 if len(parts) < RUN else None])
    return found
