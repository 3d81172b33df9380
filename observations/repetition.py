"""Detects passages that repeat earlier tool output, and the untrusted sources of a session.

In a message, the agent may repeat text that it has just read: an issue, a page, a README, a subagent's report. Each passage of a
message is therefore compared with everything that the agent has seen in the session, in full, not truncated as in observations.
Both texts are first converted to a common spelling: invisible characters are removed, escapes and markup are rendered as a terminal or
a browser would render them, and letters are replaced with the lower-case Latin letters that they resemble. The result for other scripts
does not matter, as long as both texts are treated alike. There are two comparisons:

- By words, ignoring the commonest ones: ``MIN_RUN_WORDS`` in a row, or ``MIN_CHAIN_WORDS`` in order with other words between
  them, such as the prefix of each line of a log or the fields of a table.
- By letters, regardless of words and spacing: sequences of ``GRAM_LETTERS`` that together cover as much as a sentence.

Text that the user or the agent wrote first is their own, even if a tool prints it later. The search takes time linear in the
size of the session, and bounded memory. It is a second pass over the session, which is read again or replayed, because the
passages are only found in the first pass.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from mind_skills.observations.model import Observation, Source
from mind_skills.observations.sources import UNTRUSTED_SOURCES
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.secrets import decode
from mind_skills.redaction.session import SessionSecrets, redact_printed
from mind_skills.redaction.text import remove_escapes

MIN_RUN_WORDS = 4
"""Number of uncommon words in a row that count as a repetition. With three, a tenth of the corpus's passages match a log by chance."""
MIN_CHAIN_WORDS = 6
"""Number of words in the same order, each at most ``MAX_CHAIN_GAP`` words after the previous one, that count as a repetition. A
repeated sequence of letters must contain as many words, because it continues across numbers and the ends of sentences."""
MAX_CHAIN_GAP = 24
"""Maximum distance between consecutive words of a chain, in words of the output."""
GRAM_LETTERS, SAMPLE_LETTERS = 10, 7
"""Number of letters that are compared at once, and number of letters in a sample. Samples are taken at every fourth offset of an
output, so any ten letters of it contain a complete sample."""
MIN_SENTENCE_CHUNKS = 8
"""Number of words in a row (separated by spaces) that count as a sentence even if all of them are names or common words."""
MIN_UNSPACED_LETTERS = 10
"""Number of letters that count as a sentence in a script without spaces between words."""
MAX_NAME_PARTS = 6
"""Maximum number of parts that consecutive names may have in total without counting as a repetition."""
MAX_WORD_POSITIONS = 8
"""Maximum number of positions stored for each word of a passage."""
MAX_GAP = 2
"""Maximum number of words, or of letters, between two repeated parts that are joined: inserting one does not make a new sentence."""
MAX_PASSAGES = 40
"""Maximum number of passages that a search compares. Further ones count as repetitions."""
MAX_PASSAGE_CHARACTERS = 2_000
"""Maximum number of characters of a passage that are compared."""
MAX_RECORDED_CHARACTERS, ITEM_OVERHEAD = 4_000_000, 200
"""Maximum number of characters in a recording, and the overhead counted for each item, in characters. The largest of 249 real logs
is 2.4 MB. A log that exceeds the limit is read twice instead."""
MAX_TEXT_HASHES = 100_000
"""Maximum number of texts per session whose hashes are stored, to skip texts that occur again: hosts log many outputs twice."""
_BLOCK_CHARACTERS, _OVERLAP_CHARACTERS = 1 << 18, 1 << 11
"""Length of the blocks into which a long output is split, and of the overlap between consecutive blocks, in characters."""

_COMMON_WORDS = frozenset(
    """a about after all also an and any are as at be because been before being but by can could did do does for from get gets
    had has have here how i if in into is it its just like may me more must my no not now of off on only or our out over so
    some should than that the their them then there these they this those through to too under until up us very was we were
    what when where which while who why will with would you your s t re ll ve d m isn doesn don didn wasn aren won let""".split()
)
"""Common words, which are ignored in both texts because they change first when a sentence is rephrased."""
_DIGITS = str.maketrans("013457", "oieast")
_WORD = compile_lazily(r"[^\W_]+")
_TO_WORDS = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)) + bytes(128)
_TO_COMPARED_WORDS = _TO_WORDS.translate(bytes.maketrans(b"013457", b"oieast"))
"""Tables that replace separators in lower-case ASCII text with spaces; the second also replaces digits with similar letters."""
_CHUNK = compile_lazily(r"\S+")
_WORD_CHUNK = compile_lazily(r"[^\W_](?:\S*[^\W_])?")
_NAME_PART = compile_lazily(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])")
_UNSPACED_LETTER = compile_lazily(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Thai, Lao, Tibetan, Burmese, Khmer, Japanese and Chinese letters."""
_EDGES = compile_lazily(r"\A[\W_]+|[\W_]+\Z")
_PLAIN_WORD = compile_lazily(
    r"[^\W\d_]+(?:[-*'`~\u2019\u00ad\u200b-\u200d\u2010\u2011\u2060\u0300-\u036f\u2013\u2014]+[^\W\d_]+)*"
)
_CAMEL_CASE = compile_lazily(r"[a-z][A-Z]")


_Key = tuple[str, ...] | str
"""Consecutive words, or consecutive letters."""


class EmittedText(NamedTuple):
    """A text that the agent saw, or that the agent or the user wrote (``is_own``)."""

    line: int
    is_own: bool
    source: Source
    text: str


_LISTENER: ContextVar[Callable[[EmittedText], object] | None] = ContextVar("_LISTENER", default=None)


@contextmanager
def listen_to_texts(listener: Callable[[EmittedText], object]) -> Generator[None]:
    """Pass every text of the logs read in this context to ``listener``, in full and in order."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


_SECRETS: ContextVar[SessionSecrets | None] = ContextVar("_SECRETS", default=None)


def note_secrets(observations: Iterator[Observation], secrets: SessionSecrets) -> Iterator[Observation]:
    """Yield the observations of a reader, and note the secrets in every text that it emits in the meantime."""
    while True:
        token = _SECRETS.set(secrets)
        try:
            observation = next(observations)
        except StopIteration:
            return
        finally:
            _SECRETS.reset(token)
        yield observation


def note_values(*texts: str) -> None:
    """Note all secrets in texts whose redaction has found some."""
    secrets = _SECRETS.get()
    if secrets is not None:
        for text in texts:
            secrets.note_values(text)


def redact_output(command: str, output: str) -> str:
    """Return the output of a command without the secrets that it prints, and note them."""
    secrets = _SECRETS.get()
    return redact_printed(command, output)[0] if secrets is None else secrets.note_output(command, output)


class LogRecording:
    """Records the texts and observations of a log for a second pass; discards everything if the log is too long."""

    def __init__(self) -> None:
        self._items: list[EmittedText | Observation] = []
        self._remaining = MAX_RECORDED_CHARACTERS
        self.is_complete = True
        """False once the log has exceeded the limit."""

    def record(self, observations: Iterable[Observation]) -> Iterator[Observation]:
        """Yield the observations, and record them in order, together with the texts that are emitted in the meantime."""
        with listen_to_texts(self._append):
            for observation in observations:
                self._append(observation)
                yield observation

    def replay(self) -> Iterator[Observation]:
        """Yield the recorded observations and emit the recorded texts to the current listener."""
        for item in self._items:
            if isinstance(item, EmittedText):
                emit_text(item.line, item.is_own, item.source, item.text)
            else:
                yield item

    def _append(self, item: EmittedText | Observation) -> None:
        self._remaining -= ITEM_OVERHEAD + (len(item.text) if isinstance(item, EmittedText) else 0)
        if self._remaining < 0:
            self.is_complete = False
            self._items.clear()
        else:
            self._items.append(item)


def emit_text(line: int, is_own: bool, source: Source, *texts: str) -> None:
    """Pass texts to the current listener, if there is one. builders.py passes every text, including what observations omit.

    The secrets in them are noted for the session that is being read.
    """
    secrets = _SECRETS.get()
    if secrets is not None:
        for text in texts:
            secrets.note(text)
    listener = _LISTENER.get()
    if listener is not None:
        for text in texts:
            listener(EmittedText(line, is_own, source, text))


@dataclass(slots=True)
class Repetition:
    """The repeated parts of a passage: the letters of each part, in the common spelling, and the sources of the parts, combined."""

    runs: list[str] = field(default_factory=list[str])
    sources: set[Source] = field(default_factory=set[Source])


class _Passage:
    """A passage to compare: its words and letters with their offsets."""

    def __init__(self, text: str) -> None:
        text = blank_tags(text[:MAX_PASSAGE_CHARACTERS])
        self.located_words = _locate_words(text)
        self.words = [located.word for located in self.located_words]
        # For each word, the source of the first text in which it was part of a chain.
        self.chain_sources: list[Source | None] = [None] * len(self.words)
        self.is_cited = [False] * len(self.words)
        self.positions: dict[str, list[int]] = {}
        for position, word in reversed(list(enumerate(self.words))):
            if len(word_positions := self.positions.setdefault(word, [])) < MAX_WORD_POSITIONS:
                word_positions.append(position)
        self.letters, self.offsets = _locate_letters(text)
        self.chunks = [(match.start(), match.end(), match[0]) for match in _WORD_CHUNK.finditer(text)]

    def find_chains(self, hits: list[tuple[int, str]]) -> Iterator[tuple[int, int]]:
        """Yield (first, last) word index of each chain of ``MIN_CHAIN_WORDS`` words that occur in the same order in ``hits``.

        ``hits`` are the (index, word) pairs of an emitted text. Each further word of a longer chain is yielded on its own, as
        (index, index). Consecutive words of a chain are at most ``MAX_CHAIN_GAP`` words apart in the emitted text, and have at most
        ``MAX_GAP`` other words between them in the passage.
        """
        positions, words = self.positions, self.positions.keys()
        # For each word of the passage: the length, last index in the text, and first word of the chain that ends with it.
        lengths, ends, starts = [0] * len(self.words), [-MAX_CHAIN_GAP - 1] * len(self.words), [0] * len(self.words)
        for index, word in hits:
            if word not in words:
                continue
            earliest = index - MAX_CHAIN_GAP
            for position in positions[word]:
                best_length, chain_start = 1, position
                for previous in range(position - 1 - MAX_GAP if position > MAX_GAP else 0, position):
                    if earliest <= ends[previous] < index and lengths[previous] >= best_length:
                        best_length, chain_start = lengths[previous] + 1, starts[previous]
                if best_length >= lengths[position] or ends[position] < earliest:
                    lengths[position], ends[position], starts[position] = best_length, index, chain_start
                    if best_length >= MIN_CHAIN_WORDS:
                        yield (chain_start if best_length == MIN_CHAIN_WORDS else position), position

    def get_letters(self, begin: int, end: int) -> str:
        """Return the letters between two offsets of the text."""
        located_letters = zip(self.letters, self.offsets, strict=True)
        return "".join([letter for letter, offset in located_letters if begin <= offset < end])


class RepetitionSearch:
    """Searches a session for passages: pass all texts to ``add_text`` in order, then use ``find_repetition`` and ``untrusted_sources``."""

    def __init__(self, passages: Sequence[str]) -> None:
        """Prepare a search for the first ``MAX_PASSAGES`` passages, up to ``MAX_PASSAGE_CHARACTERS`` of each.

        Any further passages count as repetitions of local text.
        """
        passages_by_text = {text: _Passage(text) for text in dict.fromkeys(passages[:MAX_PASSAGES])}
        self._requested = [passages_by_text[text] for text in passages[:MAX_PASSAGES]]
        self._passages = list(passages_by_text.values())
        self._first_sources: dict[_Key, Source | None] = {}  # None: not found yet
        for passage in self._passages:
            self._first_sources.update(dict.fromkeys(_iterate_runs(passage.words)))
            self._first_sources.update(dict.fromkeys(_iterate_grams(passage.letters)))
        self._pending = set(self._first_sources)
        grams = [key for key in self._pending if isinstance(key, str)]
        self._samples = {gram[offset : offset + SAMPLE_LETTERS] for gram in grams for offset in range(4)}
        # Whether each pair of words occurred in a block of tool output that also contains a new run.
        self._pairs = {pair: False for passage in self._passages for pair in _iterate_runs(passage.words, 2)}
        self._error_keys: set[_Key] = set()
        self._vocabulary = frozenset(word for passage in self._passages for word in passage.words)
        self._seen_texts = set[int]()
        self.untrusted_sources: dict[Source, int] = {}
        """The line of the first text from each untrusted source that occurs."""

    def add_text(self, emitted: EmittedText) -> None:
        """Process the next text."""
        if not emitted.is_own and emitted.source in UNTRUSTED_SOURCES:
            self.untrusted_sources.setdefault(emitted.source, emitted.line)
        if not self._pending or not emitted.text:
            return
        text_hash = hash(emitted.text)
        if text_hash in self._seen_texts:
            return  # the first occurrence determines the source
        if len(self._seen_texts) < MAX_TEXT_HASHES:
            self._seen_texts.add(text_hash)
        source: Source = "agent" if emitted.is_own else emitted.source
        for text in _split_blocks(emitted.text):
            folded_text = fold(fold_non_ascii(render(text)))
            new_keys, pairs = self._find_words(folded_text, source)
            self._find_letters(extract_letters(folded_text), new_keys)
            if new_keys:
                self._first_sources.update(dict.fromkeys(new_keys, source))
                self._pending -= new_keys
                if not emitted.is_own:
                    self._pairs.update(dict.fromkeys(pairs, True))

    def _find_words(self, text: str, source: Source) -> tuple[set[_Key], set[tuple[str, ...]]]:
        """Return the passages' runs that first occur in ``text`` and, if there are any, the pairs that it contains. Record chains."""
        vocabulary = self._vocabulary
        if text.isascii():
            compared = text.encode().translate(_TO_COMPARED_WORDS).decode().split()
        else:
            compared = [word if word.isalpha() else word.translate(_DIGITS) for word in _WORD.findall(text)]
        hits = [(index, word) for index, word in enumerate(compared) if word in vocabulary]
        new_keys = set[_Key]()
        if len(hits) < MIN_RUN_WORDS:
            return new_keys, set()
        distinct = {word for _, word in hits}
        for passage in self._passages:
            if None in passage.chain_sources and len(passage.positions.keys() & distinct) >= MIN_CHAIN_WORDS:
                for first, last in passage.find_chains(hits):
                    earlier = passage.chain_sources[first : last + 1]
                    passage.chain_sources[first : last + 1] = [earlier_source or source for earlier_source in earlier]
        words = text.encode().translate(_TO_WORDS).decode().split() if text.isascii() else _WORD.findall(text)
        groups = [group for group in _group_words(hits, words) if len(group) >= 2]
        for group in groups:
            if len(group) >= MIN_RUN_WORDS:
                new_keys.update(self._pending.intersection(_iterate_runs(group)))
        if not new_keys:
            return new_keys, set()
        return new_keys, {pair for group in groups for pair in _iterate_runs(group, 2) if pair in self._pairs}

    def _find_letters(self, text: str, new_keys: set[_Key]) -> None:
        """Add to ``new_keys`` the letter sequences of the passages that occur in ``text`` for the first time."""
        samples, pending, step = self._samples, self._pending, GRAM_LETTERS - SAMPLE_LETTERS + 1
        offsets = range(0, len(text) - SAMPLE_LETTERS + 1, step)
        for offset in [offset for offset in offsets if text[offset : offset + SAMPLE_LETTERS] in samples]:
            for begin in range(max(0, offset - step + 1), offset + 1):
                if (gram := text[begin : begin + GRAM_LETTERS]) in pending:
                    new_keys.add(gram)

    def add_error_line(self, error: str) -> None:
        """Process the error line of a command, which a passage may legitimately quote."""
        folded_error = fold(render(error))
        words = [located.word for located in _locate_words(folded_error)]
        for keys in (_iterate_runs(words), _iterate_grams(extract_letters(folded_error))):
            self._error_keys.update(key for key in keys if key in self._first_sources)
        for passage in self._passages:
            for first, last in passage.find_chains(list(enumerate(words))):
                passage.is_cited[first : last + 1] = [True] * (last + 1 - first)

    def find_repetition(self, index: int) -> Repetition:
        """Return the parts of passage ``index`` that repeat text which neither the agent nor the user wrote first.

        A few short names (of files, of code) in a row do not count as a repetition. The error of a local command is a
        repetition without a source, and so are consecutive names with more than ``MAX_NAME_PARTS`` parts in total.
        """
        if index >= len(self._requested):
            return Repetition(sources={"local"})
        passage, result = self._requested[index], Repetition()
        parts = sorted([*self._find_repeated_words(passage, result), *self._find_repeated_letters(passage, result)])
        joined: list[tuple[int, int]] = []
        for begin, end in parts:
            if joined and begin <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((begin, end))
        result.runs += [passage.get_letters(begin, end) for begin, end in joined]
        return result

    def _get_sources(self, key: _Key) -> set[Source]:
        """Return the source of the first text with a key, as a set.

        The set is empty if no text has the key or if the agent or the user wrote it first. The source is ``agent`` if the key is
        part of a local command's error line, which may be quoted.
        """
        source = self._first_sources[key]
        if source is None or source == "agent":
            return set()
        return {"agent" if source == "local" and key in self._error_keys else source}

    def _find_repeated_words(self, passage: _Passage, result: Repetition) -> Iterator[tuple[int, int]]:
        """Yield (begin, end) of each part whose words are repeated; add their sources to ``result``."""
        words, located_words = passage.words, passage.located_words
        word_sources: list[set[Source]] = [set() for _ in words]
        for index, run in enumerate(_iterate_runs(words)):
            if sources := self._get_sources(run):
                for sources_of_word in word_sources[index : index + MIN_RUN_WORDS]:
                    sources_of_word.update(sources)
        is_chained = [source not in (None, "agent") for source in passage.chain_sources]
        for begin, end in _join_marked(is_chained):
            if sum(word.is_ordinary for word in located_words[begin:end]) >= MIN_CHAIN_WORDS:
                for index in range(begin, end):
                    source = passage.chain_sources[index]
                    if is_chained[index] and source is not None:
                        word_sources[index].add("agent" if passage.is_cited[index] and source == "local" else source)
        self._extend_by_pairs(words, word_sources)
        for begin, end in _join_marked(list(map(bool, word_sources))):
            if sum(word.is_ordinary for word in located_words[begin:end]) >= MIN_RUN_WORDS:
                sourced_words = zip(word_sources[begin:end], located_words[begin:end], strict=True)
                ordinary_sources = [sources for sources, word in sourced_words if word.is_ordinary]
                if sum(bool(sources - {"agent"}) for sources in ordinary_sources) >= MIN_RUN_WORDS:
                    result.sources |= set().union(*ordinary_sources) - {"agent"}
                yield located_words[begin].begin, located_words[end - 1].end

    def _find_repeated_letters(self, passage: _Passage, result: Repetition) -> Iterator[tuple[int, int]]:
        """Yield (begin, end) of each part whose letters are repeated; add their sources to ``result``."""
        letter_sources: list[set[Source]] = [set() for _ in passage.letters]
        for index, gram in enumerate(_iterate_grams(passage.letters)):
            if sources := self._get_sources(gram):
                for sources_of_letter in letter_sources[index : index + GRAM_LETTERS]:
                    sources_of_letter.update(sources)
        for begin, end in _join_marked(list(map(bool, letter_sources)), 0):
            first, last = passage.offsets[begin], passage.offsets[end - 1] + 1
            chunks = [chunk for chunk in passage.chunks if first <= chunk[0] and chunk[1] <= last]
            if (
                sum(first <= word.begin and word.end <= last and word.is_ordinary for word in passage.located_words)
                >= MIN_CHAIN_WORDS
                or len(chunks) >= MIN_SENTENCE_CHUNKS
                or len(_UNSPACED_LETTER.findall(passage.letters[begin:end])) >= MIN_UNSPACED_LETTERS
            ):
                part_sources = letter_sources[begin:end]
                if sum(bool(sources - {"agent"}) for sources in part_sources) >= len(part_sources) / 2:
                    result.sources |= set().union(*part_sources) - {"agent"}
                yield first, last
            elif sum(len(_NAME_PART.findall(name)) for _, _, name in chunks) > MAX_NAME_PARTS:
                yield chunks[0][0], chunks[-1][1]

    def _extend_by_pairs(self, words: list[str], word_sources: list[set[Source]]) -> None:
        """Extend repeated parts to nearby pairs that occurred in the same block as a run: an inserted word does not split a sentence."""
        for order in (range(len(words) - 1), range(len(words) - 2, -1, -1)):
            for index in order:
                if self._pairs[words[index], words[index + 1]]:
                    nearby_sources = set[Source]().union(*word_sources[max(0, index - MAX_GAP) : index + 2 + MAX_GAP])
                    word_sources[index] |= nearby_sources
                    word_sources[index + 1] |= nearby_sources


def find_spans(text: str, runs: Iterable[str]) -> list[tuple[int, int]]:
    """Return, in order, (begin, end) of each part of a text that repeats a run or a part of one."""
    grams_by_size: dict[int, set[str]] = {}
    for run in runs:
        size = min(GRAM_LETTERS if _UNSPACED_LETTER.search(run) else GRAM_LETTERS + MIN_RUN_WORDS, len(run))
        grams_by_size.setdefault(size, set()).update(_iterate_grams(run, size))
    text_letters, offsets = _locate_letters(blank_tags(text)) if grams_by_size else ("", [])
    is_marked = [False] * len(text_letters)
    for size, grams in grams_by_size.items():
        for index, gram in enumerate(_iterate_grams(text_letters, size)):
            if gram in grams:
                is_marked[index : index + size] = [True] * size
    return [(offsets[begin], offsets[end - 1] + 1) for begin, end in _join_marked(is_marked)]


def _iterate_grams(text: str, size: int = GRAM_LETTERS) -> Iterator[str]:
    return (text[start : start + size] for start in range(len(text) - size + 1 if size else 0))


def _iterate_runs(words: Sequence[str], size: int = MIN_RUN_WORDS) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(size)), strict=False)


def _join_marked(marks: list[bool], gap: int = MAX_GAP) -> list[tuple[int, int]]:
    """Return (begin, end) of each marked part; parts at most ``gap`` apart are joined."""
    parts: list[tuple[int, int]] = []
    for index, is_marked in enumerate(marks):
        if is_marked and parts and index - parts[-1][1] <= gap:
            parts[-1] = (parts[-1][0], index + 1)
        elif is_marked:
            parts.append((index, index + 1))
    return parts


def _group_words(hits: list[tuple[int, str]], words: list[str]) -> Iterator[list[str]]:
    """Yield the words of ``hits`` in groups: between two consecutive words of a group, the text has only common words."""
    group: list[str] = []
    last = -1
    for index, word in hits:
        if index - last != 1 and (index - last > MAX_CHAIN_GAP or not all(map(_is_common, words[last + 1 : index]))):
            yield group
            group = []
        group.append(word)
        last = index
    yield group


def _split_blocks(text: str) -> Iterator[str]:
    """Yield overlapping blocks of a text.

    The overlap is longer than any passage, so a repeated passage is whole in one block unless markup makes it longer.
    """
    begin = 0
    while True:
        end = begin + _BLOCK_CHARACTERS
        yield text[begin:end] if begin or end < len(text) else text
        if end >= len(text):
            return
        begin = end - _OVERLAP_CHARACTERS


def _is_common(word: str) -> bool:
    return word in _COMMON_WORDS or word.isdigit()


def _locate_letters(text: str) -> tuple[str, list[int]]:
    """Return the letters of a text in the common spelling, and the offset of each letter."""
    return _locate_characters([extract_letters(fold_character(character)) for character in text])


def _locate_characters(folded_characters: list[str]) -> tuple[str, list[int]]:
    """Return the folded characters of a text, joined, and for each character of the result its offset in the text."""
    offsets = [offset for offset, folded in enumerate(folded_characters) for _ in folded]
    return "".join(folded_characters), offsets


class _LocatedWord(NamedTuple):
    """A word of a passage with its offsets. ``is_ordinary`` is False if the word is part of a name."""

    word: str
    begin: int
    end: int
    is_ordinary: bool


def _locate_words(text: str) -> list[_LocatedWord]:
    compared_text, offsets = _locate_characters(list(map(fold_character, text)))
    ordinary_offsets = _find_ordinary_words(text)
    located_words: list[_LocatedWord] = []
    for match in _WORD.finditer(compared_text):
        word = match.group()
        if not _is_common(word):
            compared_word = word if word.isalpha() else word.translate(_DIGITS)
            begin = offsets[match.start()]
            end = offsets[match.end() - 1] + 1
            located_words.append(_LocatedWord(compared_word, begin, end, begin in ordinary_offsets))
    return located_words


def _find_ordinary_words(text: str) -> set[int]:
    """Return the offsets at which the ordinary words of a text begin.

    Up to three words joined by hyphens or apostrophes count as one word. A word in camel case is a name. So are words joined by
    any other separator, unless there are at least four and one is a common word: that is a sentence in the form of a name.
    """
    ordinary_offsets: set[int] = set()
    for chunk in _CHUNK.finditer(text):
        parts = [part for part in _WORD.finditer(chunk[0]) if not part[0].isdigit()]
        offsets = [chunk.start() + part.start() for part in parts]
        if len(parts) >= MIN_RUN_WORDS and any(part[0].casefold() in _COMMON_WORDS for part in parts):
            ordinary_offsets.update(offsets)
        elif parts and _PLAIN_WORD.fullmatch(_EDGES.sub("", chunk[0])) and not _CAMEL_CASE.search(chunk[0]):
            ordinary_offsets.update(offsets[: 1 if len(parts) < MIN_RUN_WORDS else None])
    return ordinary_offsets


_LOOKALIKES = dict(
    zip(
        "абвгдеёзикмнопрстухчьѕіјһԁԛԝӏ" + "αβγεζηικμνορστυχωϲϳ" + "ıɡɩɑʀʟɪɴʏℓ" + "ł" + "øđħŧ" + "ⅼⅽⅾⅿⅰⅴⅹ",
        "abbrdeeзnkmhonpctyx4bsijhdqwl" + "abyeznikmvopotuxwcj" + "igiarlinyl" + "l" + "odht" + "lcdmivx",
        strict=True,
    )
) | {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ꜱ": "s", "ǫ": "q"}
"""Lower-case letters that resemble Latin letters or digits, as in Unicode's list of confusables."""
_LETTER_NAME = compile_lazily(
    r"(?:LATIN (?:EPIGRAPHIC )?LETTER (?:SMALL CAPITAL|SMALL|STRETCHED) (?:TURNED |REVERSED |INVERTED )?"
    r"|REGIONAL INDICATOR SYMBOL LETTER |NEGATIVE (?:SQUARED|CIRCLED) LATIN CAPITAL LETTER "
    r"|(?:TURNED )?LATIN SMALL LETTER (?:TURNED |REVERSED |SCRIPT |OPEN |SIDEWAYS )?"
    r"|LATIN CAPITAL LETTER (?:TURNED |REVERSED )?)([A-Z]{1,2})(?: WITH .*)?\Z"
)
"""Character names (unicode.org, UnicodeData.txt) of variants of Latin letters."""
_BLANKS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Blank characters that Unicode classifies as letters or symbols."""
_INVISIBLE = frozenset({"Mn", "Me", "Cf", "Cc", "Co", "Cs", "Cn"})
_MAX_CACHED_CODES = 20_000


class _FoldTable(dict[int, str]):
    """Cache of folded characters, by code point, for ``str.translate``."""

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        if len(self) < _MAX_CACHED_CODES:
            self[code] = folded
        return folded


def _fold_character(character: str) -> str:
    if character in "\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029":
        return "\n" if character not in "\t\v" else " "
    parts = unicodedata.normalize("NFKD", character)
    visible = "".join(part for part in parts if part not in _BLANKS and unicodedata.category(part) not in _INVISIBLE)
    return "".join(_fold_letter(part) for part in visible.casefold())


def _fold_letter(character: str) -> str:
    if character.isascii() or character in _LOOKALIKES:
        return _LOOKALIKES.get(character, character)
    match = _LETTER_NAME.match(unicodedata.name(character, ""))
    return match[1].lower() if match else character


_FOLD_TABLE = _FoldTable()
_OVERSTRUCK = compile_lazily("[^\n\b]\b")
"""An overstruck character, as in the bold and underlined words of a manual page."""
_TAGS = compile_lazily(r"<(?:[a-zA-Z/][^<>]{0,300}|!--[^<>]{0,300}--)>")
_ESCAPED_ENDS = compile_lazily(r"\\[nrt]")
_EMPHASIS = str.maketrans(dict.fromkeys("*`~", ""))
_ASCII_FOLD = bytes(ord(_fold_character(chr(code)) or " ") for code in range(128)) + bytes(128)
_ASCII_REMOVED = bytes(code for code in range(128) if not _fold_character(chr(code))) + b"*`~"
"""For ASCII: the replacement of each character, and the characters that are removed."""
_LINE_BREAK_IN_WORD = compile_lazily(r"(?<=[a-z])[-\u2010\u00ac]\n\s*(?:[>#|/*;-]+\s*)?(?=[a-z])")
"""A hyphenated line break within a word."""
_NON_LETTER_BYTES = bytes(sorted(set(range(256)) - set(b"abcdefghijklmnopqrstuvwxyz")))
_NON_LETTERS = compile_lazily(r"[\W\d_]+")
_NON_ASCII, _NON_ASCII_SYMBOL = compile_lazily("[^\x00-\x7f]+"), compile_lazily("[^\x00-\x7f\\w\u2010\u00ac]")


def render(text: str) -> str:
    """Render ``text`` as a terminal or a browser would: without escapes, overstrikes or tags. Encoded text is decoded once."""
    text = remove_escapes(text)
    if "\b" in text:
        text = _OVERSTRUCK.sub("", text)
    if (decoded := decode(text)) is not None:
        text = decoded.text
    elif "\\" in text:
        text = _ESCAPED_ENDS.sub("\n", text)
    if "&nbsp;" in text:
        text = text.replace("&nbsp;", " ")
    return _TAGS.sub(" ", text) if "<" in text else text


def blank_tags(text: str) -> str:
    """Replace each tag with spaces of the same length, so that offsets do not change."""
    return _TAGS.sub(lambda tag: " " * len(tag[0]), text) if "<" in text else text


def fold(text: str) -> str:
    """Fold ``text``: remove case, accents, emphasis, invisible characters and hyphenated line breaks, and replace look-alikes."""
    if text.isascii():
        text = text.encode().translate(_ASCII_FOLD, _ASCII_REMOVED).decode()
        return _LINE_BREAK_IN_WORD.sub("", text) if "-\n" in text else text
    return _LINE_BREAK_IN_WORD.sub("", text.translate(_FOLD_TABLE).translate(_EMPHASIS))


fold_character = lru_cache(2_048)(fold)
"""``fold`` for a single character, cached."""


def fold_non_ascii(text: str) -> str:
    """Fold only the non-ASCII characters of ``text``; symbols become a separator.

    Most non-ASCII characters in outputs are symbols, and folding the entire text because of them would take ten times as long.
    """
    return text if text.isascii() else _NON_ASCII.sub(_fold_match, text)


def _fold_match(match: re.Match[str]) -> str:
    run = match[0]
    return _fold_symbols_cached(run) if len(run) <= _MAX_CACHED_CHARACTERS else _fold_symbols(run)


def _fold_symbols(run: str) -> str:
    return _NON_ASCII_SYMBOL.sub("^", run.translate(_FOLD_TABLE))


_MAX_CACHED_CHARACTERS = 16
_fold_symbols_cached = lru_cache(2_048)(_fold_symbols)


def extract_letters(text: str) -> str:
    """Return only the letters of a folded text."""
    if text.isascii():
        return text.encode().translate(None, _NON_LETTER_BYTES).decode()
    return _NON_LETTERS.sub("", text)
