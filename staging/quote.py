"""What the user or the main agent said of a candidate, as far as it may be told: whole sentences that read as such.

What in a sentence repeats a tool becomes typed tokens (staging/tokens.py), and then a sentence has lost words or is parted:
it is passed over, since the next one says more than what is left of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile

from mind_skills.detectors.composing.sentences import (
    explains,
    instructs,
    plans,
    remedies,
    sentences,
    stands_alone,
    states,
)
from mind_skills.detectors.model import Evidence
from mind_skills.detectors.tokens import tokens as words_of
from mind_skills.detectors.words import BROKEN, holds
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.staging import tokens
from mind_skills.staging.identity import normalise_text
from mind_skills.staging.model import CONTENT, OUTPUT, Candidate, is_quoted

BETWEEN = " … "
"""Stands between the sentences of a cause, as in detectors/composing/quotes.py."""
_STRANGERS = 120
"""Characters of what the agent said where the session held text of strangers, which it may repeat in its own words."""
_KEPT = 0.8
"""Share of its words that a sentence keeps where it is told."""
_WORDS, _PLAIN_WORDS = 4, 3
"""Of the shortest sentence that says something: all of them, and those of letters alone."""
_CLAUSE_WORDS = 5
"""Words of a clause that is told of a sentence that repeats a tool beside it."""
LONGEST = 300
"""Characters of all that is quoted of the agent."""
_UNSPACED = compile_later(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
"""Letters of scripts without blanks, two of which count as a word."""
_SPEAKER = compile_later(r"^(?:agent|user): ")
_LOOSE = compile_later(r" (?=[.,;:!?)\]]{1,3}(?:\s|\Z))|(?<=[(\[]) ")
"""Blanks that marks of layout left beside punctuation."""
_REASON = compile_later(r"\b(?:because|since|so) (.*)")
"""The clause of a sentence that can stand for it."""
_NONE = compile_later(r"\bno (?:\w+ )?(?:issue|error|problem|warning)|\[link\]|://")
"""Says that nothing is wrong, or where to look."""
_JOINS = compile_later(r"[._/-]")
_FIELD = compile_later(r"\w+(?: \w+)?: ")
"""Begins a row of a form."""
_DRAWN = compile_later(r"[^\w\s.…]{4}|[\u2500-\u259f]|\A\[")
"""Lines and frames of what was pasted, and marks of a log."""
_EDGES = ".,;:!?…()[]'’‘“”-–—·"
_PAIRS = {")": "(", "]": "["}


class Quotes:
    """Takes the sentences that an entry quotes of a candidate, each once: of the agent's no more than ``limit`` characters, or
    ``_STRANGERS`` where it read text of strangers.
    """

    def __init__(self, candidate: Candidate, limit: int = LONGEST) -> None:
        self._candidate = candidate
        self._printed = _printed(candidate)
        self._heard = [_plain(text) for text in spoken(candidate, "user: ")]
        self._agents = min(limit, _STRANGERS if any(source != OUTPUT for source in candidate.taint) else LONGEST)
        self._taken: list[str] = []

    def rule(self) -> str:
        """The user's rule, in the user's words however few."""
        rule = self._candidate.cause or self._candidate.title
        told = _neutral(rule, self._printed, self._candidate.repeats)[1]
        return tokens.cut(told, LONGEST) if is_said(self._candidate, rule) else ""

    def cause(self, limit: int, *, more: bool = False) -> str:
        """Who says why it was so; empty where nobody does, or not in words that may be told. What is told ``more`` has words of
        cause and effect.
        """
        about = _words_about(f"{self._candidate.symptom} {self._candidate.remedy}")
        parts = [part for part in _cause(self._candidate).split(BETWEEN) if part]
        every = [each for part in parts for each in (part, *sentences(part))]
        own = [each for each in every if states(each)]
        others = [each for each in self._sentences() if explains(each) and len(_words_about(each) & about) > 1]
        if more:
            return self._first([each for each in own if explains(each)], limit)
        return self._first([*own, *others], limit) or self._first(every, limit, _reason_of)

    def remedy(self, limit: int) -> str:
        """Who says what was done about it: what was chosen as such, else what shares most words with it."""
        about = _words_about(self._candidate.remedy) or _words_about(
            f"{self._candidate.symptom} {self._candidate.cause}"
        )
        chosen = [each for e in self._candidate.evidence if is_quoted(e) and (each := self._done(e))]
        said = [each for each in self._sentences() if remedies(each) and not plans(each) and _words_about(each) & about]
        said.sort(key=lambda each: -len(_words_about(each) & about))
        return self._first([*chosen, *said], limit)

    def is_short(self) -> bool:
        """Whether so little of the agent's may be quoted that cause and remedy have to share it."""
        return self._agents < LONGEST

    def _done(self, part: Evidence) -> str:
        """The first sentence behind those of the cause, where it says what was done (detectors/composing/evidence.py puts it there):
        a plan only where the episode itself holds it.
        """
        if part.role not in ("change", "cause") or not part.summary.startswith("agent: "):
            return ""
        rest = (each for each in sentences(part.content) if each not in self._candidate.cause)
        return next(
            (each for each in rest if remedies(each) and not (part.said_at not in (0, part.line) and plans(each))), ""
        )

    def complaint(self, limit: int, *, beside: bool = False) -> str:
        """What the user said that was wrong; ``beside`` another symptom only what says that something does not work."""
        said = [e.summary for e in self._candidate.evidence if e.role == "symptom" and e.summary.startswith("user: ")]
        texts = [self._candidate.symptom, *(_SPEAKER.sub("", text) for text in said[:1])]
        parts = [each for text in texts for each in (text, *sentences(text)) if each]
        parts = [
            each for each in parts if each[-1] != ":" and not (instructs(each) or plans(each) or _FIELD.match(each))
        ]
        broken = [each for each in parts if holds(each.lower(), BROKEN) and not _NONE.search(each)]
        return self._first(broken if beside else [*broken, *parts], limit)

    def closing(self, limit: int) -> str:
        """What the turn said at its end."""
        title = self._candidate.title
        return self._first([title] if stands_alone(title) else [], limit)

    def _sentences(self) -> list[str]:
        return [each for text in (*spoken(self._candidate), self._candidate.title) for each in sentences(text)]

    def _first(self, texts: Iterable[str], limit: int, form: Callable[[str, str], str] | None = None) -> str:
        for text in texts:
            if not text or text.endswith("…") or _is_mangled(text) or not is_said(self._candidate, text):
                continue
            own = any(_plain(text).rstrip("….") in each for each in self._heard)
            before, after = _neutral(text, self._printed, self._candidate.repeats)
            told = form(before, after) if form else after if _reads(before, after) else ""
            if not told or len(told) > (limit if own else min(limit, self._agents)):
                continue
            if any(_same(told, other) for other in self._taken):
                continue
            self._taken.append(told)
            self._agents -= 0 if own else len(told)
            return told
        return ""


def is_said(candidate: Candidate, text: str) -> bool:
    """Whether the evidence holds a text as what the user or the main agent said."""
    words = _plain(text).rstrip("….")
    return bool(words) and any(words in _plain(each) for each in spoken(candidate))


def _words_about(text: str) -> frozenset[str]:
    """The words that say what a text is about, those of a dotted or joined name as well."""
    return words_of(text) | words_of(_JOINS.sub(" ", text))


def _reason_of(before: str, after: str) -> str:
    """The clause that says why, of a sentence of which only that repeats no tool."""
    why = _REASON.search(" ".join(reversed(_alike(reversed(before.split()), reversed(after.split())))))
    if why and not plans(why[1]) and len(why[0].split()) >= _CLAUSE_WORDS and _reads(why[0], clause := _tidy(why[0])):
        return clause
    return ""


def _neutral(text: str, printed: str, repeats: Sequence[str]) -> tuple[str, str]:
    """A sentence on one line, and the same with what repeats a tool in typed tokens."""
    return _tidy(tokens.plain(text)), _tidy(tokens.said(text, CONTENT, printed, repeats))


def _is_mangled(text: str) -> bool:
    """Whether a sentence would lose more than one sign that could pass for markup, but for backquotes and asterisks."""
    return sum(sign not in "`*\"'" and tokens.unbracketed(sign) != sign for sign in text) > 1


def _alike(had: Iterable[str], has: Iterable[str]) -> list[str]:
    """The words that both begin with."""
    return [word for word, _ in takewhile(lambda pair: pair[0] == pair[1], zip(had, has, strict=False))]


def _reads(before: str, after: str) -> bool:
    """Whether what is left of a sentence reads as one: nearly all its words, none of them halved, every bracket closed."""
    had, has = _words(before), _words(after)
    kept, unspaced = sum((had & has).values()), len(_UNSPACED.findall(after)) // 2
    return (
        kept == sum(has.values()) >= _WORDS - unspaced
        and kept >= _KEPT * sum(had.values())
        and sum(word.isalpha() and len(word) > 1 for word in has) >= _PLAIN_WORDS - unspaced
        and tokens.BREAK.strip() not in after
        and not _DRAWN.search(after)
        and _closed(after)
    )


def _tidy(text: str) -> str:
    return _LOOSE.sub("", text).strip(" ,;:–—·").removeprefix("- ")


def _words(text: str) -> Counter[str]:
    return Counter(bare for word in text.split() if (bare := word.strip(_EDGES)))


def _closed(text: str) -> bool:
    """Whether its brackets are closed in their order."""
    open_: list[str] = []
    for sign in text:
        if sign in _PAIRS.values():
            open_.append(sign)
        elif sign in _PAIRS and (not open_ or open_.pop() != _PAIRS[sign]):
            return False
    return not open_


def _same(text: str, other: str) -> bool:
    return text.rstrip("….") in other or other.rstrip("….") in text


def _cause(candidate: Candidate) -> str:
    """The cause; of a candidate for which nothing is stated, as older versions staged them, what was said first."""
    if candidate.cause or candidate.symptom or candidate.remedy:
        return candidate.cause
    return next(iter(spoken(candidate)), "")


def spoken(candidate: Candidate, who: str = "") -> list[str]:
    """The contents of what was said, the agent's before the user's, who may have pasted what a tool printed."""
    said = [e for e in candidate.evidence if is_quoted(e) and e.summary.startswith(who)]
    said.sort(key=lambda e: e.summary.startswith("user: "))
    return [text for e in said for text in (e.content, _SPEAKER.sub("", e.summary)) if text.strip()]


def _plain(text: str) -> str:
    return " ".join(normalise_text(text).replace("*", "").replace("`", "").split())


def _printed(candidate: Candidate) -> str:
    """What tools printed, as far as the evidence holds it, in the form that ``tokens.said`` compares."""
    printed = (f"{e.summary}\n{e.content}" for e in candidate.evidence if not is_quoted(e) and e.role != "change")
    return tokens.plain("\n".join(printed)).casefold()
