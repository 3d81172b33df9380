"""Which of some passages repeat what a tool printed before, and from when on a session held text of strangers.

What an agent says may be what it has just read: an issue, a page, a README, the report of a subagent. So each passage is
compared with all that was put before the agent in that session, in full, not as far as observations keep it, and both in one
spelling (spelling.py). It is compared twice. By words: ``RUN`` ordinary ones in a row, without the commonest, or ``PARTED``
with others between them, as the prefix of each line of a log or the fields of a table are. By letters, whatever words they
make and however they are spaced: ``GRAM`` in a row are the same text, as many as a sentence holds are a repetition. What the
user or the agent said first is their own, though a tool prints it later. Linear in the size of a session, and memory follows
the passages alone: the session is read again for them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

from mind_skills.observations.model import Observation, Source
from mind_skills.observations.sources import REMOTE
from mind_skills.observations.spelling import as_read, blanked, folded, folded_sign, letters, narrowed
from mind_skills.redaction.lazy_pattern import compile_later

RUN = 4
"""Words beside the commonest that must stand in a row: of three, one passage in ten of the corpus repeats a log by chance."""
PARTED = 6
"""Words of a passage that must come in their order where others stand between them, at most ``BETWEEN`` in one place, or
where only letters are compared: those run on over the ends of sentences and over numbers."""
BETWEEN = 24
GRAM, SAMPLE = 10, 7
"""Letters that are compared at a time, and how many of them are looked up: at every fourth place, each ten hold such seven."""
CHUNKS = 8
"""Words of any kind that are a sentence where they stand in a row, though all are names or the commonest."""
UNSPACED = 10
"""Letters that are one in a script without blanks between its words."""
NAME = 3
"""Words of a name that may be cited, and half of those of several in a row."""
OFTEN = 8
"""Places of a passage at which one of its words is looked for."""
GAP = 2
"""So many words between two repeated runs belong to them: a sentence is no other for a word put into it."""
MOST = 40
"""Passages that are looked for at a time."""
LONGEST = 2_000
"""Characters of a passage."""
RECORDED, PIECE = 4_000_000, 200
"""Characters of a log that a recording keeps, and what each piece counts beside its own: the largest of 249 real logs has
2.4 MB. One that is longer is read again."""
MOST_FED = 100_000
"""Texts of one session that are known again: hosts write many outputs into their logs twice."""
_CHUNK, _OVERLAP = 1 << 18, 1 << 11
"""Characters of an output that are taken apart at a time, and how many of them once more with the next."""

_COMMONEST = frozenset(
    """a about after all also an and any are as at be because been before being but by can could did do does for from get gets
    had has have here how i if in into is it its just like may me more must my no not now of off on only or our out over so
    some should than that the their them then there these they this those through to too under until up us very was we were
    what when where which while who why will with would you your s t re ll ve d m isn doesn don didn wasn aren won let""".split()
)
"""Left out on both sides: who words a sentence anew begins with these."""
_DIGITS = str.maketrans("013457", "oieast")
_WORD = compile_later(r"[^\W_]+")
_TO_WORDS = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)) + bytes(128)
_TO_COMPARED_WORDS = _TO_WORDS.translate(bytes.maketrans(b"013457", b"oieast"))
"""Turn small ASCII text into words parted by blanks; the second digits into the letters that they pass for."""
_CHUNKS = compile_later(r"\S+")
_CHUNK_OF_WORDS = compile_later(r"[^\W_](?:\S*[^\W_])?")
_PARTS = compile_later(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])")
_NO_BLANKS = compile_later(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Letters of Thai, Lao, Tibetan, Burmese, Khmer, Japanese and Chinese."""
_EDGES = compile_later(r"\A[\W_]+|[\W_]+\Z")
_PLAIN = compile_later(
    r"[^\W\d_]+(?:[-*'`~\u2019\u00ad\u200b-\u200d\u2010\u2011\u2060\u0300-\u036f\u2013\u2014]+[^\W\d_]+)*"
)
_HUMP = compile_later(r"[a-z][A-Z]")


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


class Recording:
    """Keeps what is heard and made of a log while it is read once, for who wants it from the beginning; of a long one nothing."""

    def __init__(self) -> None:
        self._kept: list[Heard | Observation] = []
        self._room = RECORDED
        self.whole = True
        """Whether all of it is kept."""

    def over(self, observations: Iterable[Observation]) -> Iterator[Observation]:
        """The same observations, kept with what is heard before each."""
        with listening(self._hear):
            for each in observations:
                self._keep(each, 0)
                yield each

    def again(self) -> Iterator[Observation]:
        """The observations once more, while whoever listens hears what was heard."""
        for each in self._kept:
            if isinstance(each, Heard):
                hear(each.line, each.own, each.source, each.text)
            else:
                yield each

    def _hear(self, heard: Heard) -> None:
        self._keep(heard, len(heard.text))

    def _keep(self, each: Heard | Observation, size: int) -> None:
        self._room -= size + PIECE
        if self._room < 0:
            self.whole = False
            self._kept.clear()
        else:
            self._kept.append(each)


def hear(line: int, own: bool, source: Source, *texts: str) -> None:
    """Tell whoever listens of texts; the builders of observations do, of what they keep and of what they leave out."""
    listener = _LISTENER.get()
    if listener is not None:
        for text in texts:
            listener(Heard(line, own, source, text))


@dataclass(slots=True)
class Repeat:
    """What in a passage repeats a tool: the letters of each stretch in the spelling in which they are compared, and who said it."""

    runs: list[str] = field(default_factory=list[str])
    sources: set[Source] = field(default_factory=set[Source])


class _Passage:
    """A text that is looked for, its words and its letters with their places."""

    def __init__(self, text: str) -> None:
        text = blanked(text[:LONGEST])
        self.placed = _placed(text)
        self.words = [each.word for each in self.placed]
        self.parted: list[Source | None] = [None] * len(self.words)  # who said each first in its order, others between
        self.cited = [False] * len(self.words)
        self.where: dict[str, list[int]] = {}
        for place, word in reversed(list(enumerate(self.words))):
            if len(of_word := self.where.setdefault(word, [])) < OFTEN:
                of_word.append(place)
        self.letters, self.places = _lettered(text)
        self.chunks = [(found.start(), found.end(), found[0]) for found in _CHUNK_OF_WORDS.finditer(text)]

    def chains(self, hits: list[tuple[int, str]]) -> Iterator[tuple[int, int]]:
        """Where at least ``PARTED`` words stand that come in this order in what was heard, first and last; of a longer chain
        its beginning, and then each further word. Neither side need be without others: at most ``BETWEEN`` there, ``GAP`` here.
        """
        where, known = self.where, self.where.keys()
        length, last, start = [0] * len(self.words), [-BETWEEN - 1] * len(self.words), [0] * len(self.words)
        for at, word in hits:
            if word not in known:
                continue
            recent = at - BETWEEN
            for place in where[word]:
                best, begin = 1, place
                for before in range(place - 1 - GAP if place > GAP else 0, place):
                    if recent <= last[before] < at and length[before] >= best:
                        best, begin = length[before] + 1, start[before]
                if best >= length[place] or last[place] < recent:
                    length[place], last[place], start[place] = best, at, begin
                    if best >= PARTED:
                        yield (begin if best == PARTED else place), place

    def run(self, begin: int, end: int) -> str:
        """The letters between two places of the text."""
        return "".join([sign for sign, place in zip(self.letters, self.places, strict=True) if begin <= place < end])


class Comparison:
    """Looks for a few passages in a session: ``feed`` it all texts in order, then ask ``repeat`` and ``strangers``."""

    def __init__(self, passages: Sequence[str]) -> None:
        """``passages`` are looked for as far as ``MOST`` and ``LONGEST``; what is beyond is not, and counts as repeated."""
        each_once = {text: _Passage(text) for text in dict.fromkeys(passages[:MOST])}
        self._asked = [each_once[text] for text in passages[:MOST]]
        self._passages = list(each_once.values())
        self._beyond = len(passages) > MOST
        self._first: dict[tuple[str, ...] | str, Source | None] = {}  # who said this first; None: nobody yet
        for each in self._passages:
            self._first.update(dict.fromkeys(_runs(each.words)))
            self._first.update(dict.fromkeys(_grams(each.letters)))
        self._sought = set(self._first)
        self._samples = {gram[at : at + SAMPLE] for gram in self._sought if isinstance(gram, str) for at in range(4)}
        self._pairs = {pair: False for each in self._passages for pair in _runs(each.words, 2)}  # printed beside a run
        self._errors: set[tuple[str, ...] | str] = set()
        self._known = frozenset(word for each in self._passages for word in each.words)
        self._fed = set[int]()
        self.strangers: dict[Source, int] = {}
        """Each source of strangers' text, with the line from which on the session held some."""

    def feed(self, heard: Heard) -> None:
        """Take in the next text."""
        if not heard.own and heard.source in REMOTE:
            self.strangers.setdefault(heard.source, heard.line)
        if not self._sought or not heard.text:
            return
        text_hash = hash(heard.text)
        if text_hash in self._fed:
            return  # whoever put it there first said it
        if len(self._fed) < MOST_FED:
            self._fed.add(text_hash)
        said: Source = "agent" if heard.own else heard.source
        for text in _in_parts(heard.text):
            spelt = folded(narrowed(as_read(text)))
            found, pairs = self._by_words(spelt, said)
            self._by_letters(letters(spelt), found)
            if found:
                self._first.update(dict.fromkeys(found, said))
                self._sought -= found
                if not heard.own:
                    self._pairs.update(dict.fromkeys(pairs, True))

    def _by_words(self, text: str, said: Source) -> tuple[set[tuple[str, ...] | str], set[tuple[str, ...]]]:
        """What of the words that are looked for stands in a folded text: runs, and pairs beside them."""
        known = self._known
        if text.isascii():
            compared = text.encode().translate(_TO_COMPARED_WORDS).decode().split()
        else:
            compared = [word if word.isalpha() else word.translate(_DIGITS) for word in _WORD.findall(text)]
        hits = [(at, word) for at, word in enumerate(compared) if word in known]
        found = set[tuple[str, ...] | str]()
        if len(hits) < RUN:
            return found, set()
        distinct = {word for _, word in hits}
        for each in self._passages:
            if None in each.parted and len(each.where.keys() & distinct) >= PARTED:
                for first, last in each.chains(hits):
                    each.parted[first : last + 1] = [by or said for by in each.parted[first : last + 1]]
        words = text.encode().translate(_TO_WORDS).decode().split() if text.isascii() else _WORD.findall(text)
        stretches = [each for each in _together(hits, words) if len(each) >= 2]
        for stretch in stretches:
            if len(stretch) >= RUN:
                found.update(self._sought.intersection(_runs(stretch)))
        if not found:
            return found, set()
        return found, {pair for stretch in stretches for pair in _runs(stretch, 2) if pair in self._pairs}

    def _by_letters(self, text: str, found: set[tuple[str, ...] | str]) -> None:
        """Add to ``found`` what of the letters that are looked for stands in these."""
        samples, sought, step = self._samples, self._sought, GRAM - SAMPLE + 1
        for at in [at for at in range(0, len(text) - SAMPLE + 1, step) if text[at : at + SAMPLE] in samples]:
            for begin in range(max(0, at - step + 1), at + 1):
                if (gram := text[begin : begin + GRAM]) in sought:
                    found.add(gram)

    def cite(self, error: str) -> None:
        """Take in the line in which a command named its error: whoever quotes that repeats it rightly."""
        spelt = folded(as_read(error))
        words = [each.word for each in _placed(spelt)]
        for some in (_runs(words), _grams(letters(spelt))):
            self._errors.update(each for each in some if each in self._first)
        for each in self._passages:
            for first, last in each.chains(list(enumerate(words))):
                each.cited[first : last + 1] = [True] * (last + 1 - first)

    def repeat(self, index: int) -> Repeat:
        """What passage ``index`` repeats of what tools printed before anybody else said it.

        A run of short names alone (of files, of code) is none. The error of a local command is one, and has no source;
        neither has a name that is a sentence.
        """
        if index >= len(self._asked):
            return Repeat(sources={"local"} if self._beyond else set())
        passage, result = self._asked[index], Repeat()
        stretches = sorted([*self._repeated_words(passage, result), *self._repeated_letters(passage, result)])
        joined: list[tuple[int, int]] = []
        for begin, end in stretches:
            if joined and begin <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((begin, end))
        result.runs += [passage.run(begin, end) for begin, end in joined]
        return result

    def _by(self, what: tuple[str, ...] | str) -> set[Source]:
        """Who said this first, where it was no agent: ``agent`` stands for an error that may be cited."""
        source = self._first[what]
        if source is None or source == "agent":
            return set()
        return {"agent" if source == "local" and what in self._errors else source}

    def _repeated_words(self, passage: _Passage, result: Repeat) -> Iterator[tuple[int, int]]:
        """Where words are repeated, begin and end of each stretch; adds their sources to ``result``."""
        words, placed = passage.words, passage.placed
        by: list[set[Source]] = [set() for _ in words]
        for at, run in enumerate(_runs(words)):
            if sources := self._by(run):
                for each in by[at : at + RUN]:
                    each.update(sources)
        parted = [source not in (None, "agent") for source in passage.parted]
        for begin, end in _joined(parted):
            if sum(each.ordinary for each in placed[begin:end]) >= PARTED:
                for at in range(begin, end):
                    source = passage.parted[at]
                    if parted[at] and source is not None:
                        by[at].add("agent" if passage.cited[at] and source == "local" else source)
        self._grow(words, by)
        for begin, end in _joined([bool(each) for each in by]):
            if sum(each.ordinary for each in placed[begin:end]) >= RUN:
                plain = [each for each, word in zip(by[begin:end], placed[begin:end], strict=True) if word.ordinary]
                if sum(bool(each - {"agent"}) for each in plain) >= RUN:
                    result.sources |= set().union(*plain) - {"agent"}
                yield placed[begin].begin, placed[end - 1].end

    def _repeated_letters(self, passage: _Passage, result: Repeat) -> Iterator[tuple[int, int]]:
        """The same for letters in a row."""
        by: list[set[Source]] = [set() for _ in passage.letters]
        for at, gram in enumerate(_grams(passage.letters)):
            if sources := self._by(gram):
                for each in by[at : at + GRAM]:
                    each.update(sources)
        for begin, end in _joined([bool(each) for each in by], 0):
            first, last = passage.places[begin], passage.places[end - 1] + 1
            whole = [chunk for chunk in passage.chunks if first <= chunk[0] and chunk[1] <= last]
            if (
                sum(first <= word.begin and word.end <= last and word.ordinary for word in passage.placed) >= PARTED
                or len(whole) >= CHUNKS
                or len(_NO_BLANKS.findall(passage.letters[begin:end])) >= UNSPACED
            ):
                told = by[begin:end]
                if sum(bool(each - {"agent"}) for each in told) >= len(told) / 2:
                    result.sources |= set().union(*told) - {"agent"}
                yield first, last
            elif sum(len(_PARTS.findall(name)) for _, _, name in whole) > 2 * NAME:
                yield whole[0][0], whole[-1][1]

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
    wanted: dict[int, set[str]] = {}
    for run in runs:
        size = min(GRAM if _NO_BLANKS.search(run) else GRAM + RUN, len(run))
        wanted.setdefault(size, set()).update(_grams(run, size))
    signs, places = _lettered(blanked(text)) if wanted else ("", [])
    marked = [False] * len(signs)
    for size, some in wanted.items():
        for at, gram in enumerate(_grams(signs, size)):
            if gram in some:
                marked[at : at + size] = [True] * size
    return [(places[begin], places[end - 1] + 1) for begin, end in _joined(marked)]


def _grams(text: str, size: int = GRAM) -> Iterator[str]:
    return (text[at : at + size] for at in range(len(text) - size + 1 if size else 0))


def _runs(words: Sequence[str], size: int = RUN) -> Iterator[tuple[str, ...]]:
    return zip(*(words[n:] for n in range(size)), strict=False)


def _joined(marked: list[bool], gap: int = GAP) -> list[tuple[int, int]]:
    """The stretches that are marked, over gaps of ``gap``."""
    found: list[tuple[int, int]] = []
    for at, here in enumerate(marked):
        if here and found and at - found[-1][1] <= gap:
            found[-1] = (found[-1][0], at + 1)
        elif here:
            found.append((at, at + 1))
    return found


def _together(hits: list[tuple[int, str]], words: list[str]) -> Iterator[list[str]]:
    """The words that were found, in stretches between which nothing but the commonest stands."""
    stretch: list[str] = []
    last = -1
    for at, word in hits:
        if at - last != 1 and (at - last > BETWEEN or not all(map(_passed_over, words[last + 1 : at]))):
            yield stretch
            stretch = []
        stretch.append(word)
        last = at
    yield stretch


def _in_parts(text: str) -> Iterator[str]:
    """A text part by part; each begins with the end of the one before, so that nothing that is sought is cut."""
    begin = 0
    while True:
        end = begin + _CHUNK
        yield text[begin:end] if begin or end < len(text) else text
        if end >= len(text):
            return
        begin = end - _OVERLAP


def _passed_over(word: str) -> bool:
    return word in _COMMONEST or word.isdigit()


def _lettered(text: str) -> tuple[str, list[int]]:
    """The letters of a text as they are compared, and the place of each."""
    signs: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text):
        found = letters(folded_sign(sign))
        signs.append(found)
        places += [place] * len(found)
    return "".join(signs), places


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
        spelt = folded_sign(sign)
        signs.append(spelt)
        places += [place] * len(spelt)
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
