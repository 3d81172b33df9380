"""Select sentences of the user or the main agent that may be quoted about a candidate, if they are still readable.

Parts of a sentence that repeat tool output become typed tokens (staging/tokens.py). A sentence that lost words or was
split that way is skipped in favour of the next one.
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
"""Separates the sentences of a cause, as in detectors/composing/quotes.py."""
_STRANGERS = 120
"""Maximum number of characters quoted from the agent in a session with untrusted text, which it may paraphrase."""
_KEPT = 0.8
"""Minimum share of its words that a quoted sentence retains."""
_WORDS, _PLAIN_WORDS = 4, 3
"""Minimum length of a quoted sentence: number of words, and of words made of letters only."""
_CLAUSE_WORDS = 5
"""Minimum number of words in a clause that is quoted from a sentence that repeats a tool elsewhere."""
LONGEST = 300
"""Maximum number of characters quoted from the agent."""
_UNSPACED = compile_later(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
"""Characters of scripts without spaces, two of which count as one word."""
_SPEAKER = compile_later(r"^(?:agent|user): ")
_LOOSE = compile_later(r" (?=[.,;:!?)\]]{1,3}(?:\s|\Z))|(?<=[(\[]) ")
"""Spaces next to punctuation, left by removed formatting."""
_REASON = compile_later(r"\b(?:because|since|so) (.*)")
"""A clause that may be quoted instead of its sentence."""
_NONE = compile_later(r"\bno (?:\w+ )?(?:issue|error|problem|warning)|\[link\]|://")
"""Phrases that report no problem, or refer to a link."""
_JOINS = compile_later(r"[._/-]")
_FIELD = compile_later(r"\w+(?: \w+)?: ")
"""Start of a row in a form."""
_DRAWN = compile_later(r"[^\w\s.…]{4}|[\u2500-\u259f]|\A\[")
"""Line drawing in pasted text, and log prefixes."""
_EDGES = ".,;:!?…()[]'’‘“”-–—·"
_PAIRS = {")": "(", "]": "["}


class Quotes:
    """Selector of the sentences that an entry quotes about a candidate, each at most once.

    At most ``limit`` characters of the agent are quoted in total, or ``_STRANGERS`` if it read untrusted text.
    """

    def __init__(self, candidate: Candidate, limit: int = LONGEST) -> None:
        self._candidate = candidate
        self._printed = _printed(candidate)
        self._heard = [_plain(text) for text in spoken(candidate, "user: ")]
        self._agents = min(limit, _STRANGERS if any(source != OUTPUT for source in candidate.taint) else LONGEST)
        self._taken: list[str] = []

    def rule(self) -> str:
        """Return the user's rule verbatim, however short."""
        rule = self._candidate.cause or self._candidate.title
        told = _neutral(rule, self._printed, self._candidate.repeats)[1]
        return tokens.cut(told, LONGEST) if is_said(self._candidate, rule) else ""

    def cause(self, limit: int, *, more: bool = False) -> str:
        """Return a stated cause, empty if there is none that may be quoted; with ``more``, only one that explains."""
        about = _words_about(f"{self._candidate.symptom} {self._candidate.remedy}")
        parts = [part for part in _cause(self._candidate).split(BETWEEN) if part]
        every = [each for part in parts for each in (part, *sentences(part))]
        own = [each for each in every if states(each)]
        others = [each for each in self._sentences() if explains(each) and len(_words_about(each) & about) > 1]
        if more:
            return self._first([each for each in own if explains(each)], limit)
        return self._first([*own, *others], limit) or self._first(every, limit, _reason_of)

    def remedy(self, limit: int) -> str:
        """Return a statement of what was done: one selected by the detector, else the one with the most words in
        common.
        """
        about = _words_about(self._candidate.remedy) or _words_about(
            f"{self._candidate.symptom} {self._candidate.cause}"
        )
        chosen = [each for e in self._candidate.evidence if is_quoted(e) and (each := self._done(e))]
        said = [each for each in self._sentences() if remedies(each) and not plans(each) and _words_about(each) & about]
        said.sort(key=lambda each: -len(_words_about(each) & about))
        return self._first([*chosen, *said], limit)

    def is_short(self) -> bool:
        """Return whether the agent's quota is so small that cause and remedy have to share it."""
        return self._agents < LONGEST

    def _done(self, part: Evidence) -> str:
        """Return the first sentence that is not part of the cause, if it states what was done.

        detectors/composing/evidence.py puts it there. A plan counts only if it is part of the episode itself.
        """
        if part.role not in ("change", "cause") or not part.summary.startswith("agent: "):
            return ""
        rest = (each for each in sentences(part.content) if each not in self._candidate.cause)
        return next(
            (each for each in rest if remedies(each) and not (part.said_at not in (0, part.line) and plans(each))), ""
        )

    def complaint(self, limit: int, *, beside: bool = False) -> str:
        """Return the user's complaint. With ``beside``, another symptom is shown already, so it has to report a
        failure.
        """
        said = [e.summary for e in self._candidate.evidence if e.role == "symptom" and e.summary.startswith("user: ")]
        texts = [self._candidate.symptom, *(_SPEAKER.sub("", text) for text in said[:1])]
        parts = [each for text in texts for each in (text, *sentences(text)) if each]
        parts = [
            each for each in parts if each[-1] != ":" and not (instructs(each) or plans(each) or _FIELD.match(each))
        ]
        broken = [each for each in parts if holds(each.lower(), BROKEN) and not _NONE.search(each)]
        return self._first(broken if beside else [*broken, *parts], limit)

    def closing(self, limit: int) -> str:
        """Return the title if it is a complete sentence from the end of the turn."""
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
    """Return whether the evidence contains ``text`` as a statement of the user or the main agent."""
    words = _plain(text).rstrip("….")
    return bool(words) and any(words in _plain(each) for each in spoken(candidate))


def _words_about(text: str) -> frozenset[str]:
    """Return the distinctive words of a text, including the parts of dotted or hyphenated names."""
    return words_of(text) | words_of(_JOINS.sub(" ", text))


def _reason_of(before: str, after: str) -> str:
    """Return the causal clause of a sentence if the rest of the sentence, but not the clause, repeats a tool."""
    why = _REASON.search(" ".join(reversed(_alike(reversed(before.split()), reversed(after.split())))))
    if why and not plans(why[1]) and len(why[0].split()) >= _CLAUSE_WORDS and _reads(why[0], clause := _tidy(why[0])):
        return clause
    return ""


def _neutral(text: str, printed: str, repeats: Sequence[str]) -> tuple[str, str]:
    """Return a sentence on one line, and the same with repeated tool output as typed tokens."""
    return _tidy(tokens.plain(text)), _tidy(tokens.said(text, CONTENT, printed, repeats))


def _is_mangled(text: str) -> bool:
    """Return whether a sentence would lose more than one character that looks like markup; quotes and asterisks do not count."""
    return sum(sign not in "`*\"'" and tokens.unbracketed(sign) != sign for sign in text) > 1


def _alike(had: Iterable[str], has: Iterable[str]) -> list[str]:
    """List the words of the common prefix."""
    return [word for word, _ in takewhile(lambda pair: pair[0] == pair[1], zip(had, has, strict=False))]


def _reads(before: str, after: str) -> bool:
    """Return whether ``after`` still reads as a sentence: nearly all words of ``before``, none cut, brackets
    balanced.
    """
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
    """Return whether the brackets in ``text`` are balanced."""
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
    """Return the cause; for a candidate of an older version without any statement, the first quote."""
    if candidate.cause or candidate.symptom or candidate.remedy:
        return candidate.cause
    return next(iter(spoken(candidate)), "")


def spoken(candidate: Candidate, who: str = "") -> list[str]:
    """List quoted texts, the agent's before the user's, which may be pasted tool output."""
    said = [e for e in candidate.evidence if is_quoted(e) and e.summary.startswith(who)]
    said.sort(key=lambda e: e.summary.startswith("user: "))
    return [text for e in said for text in (e.content, _SPEAKER.sub("", e.summary)) if text.strip()]


def _plain(text: str) -> str:
    return " ".join(normalise_text(text).replace("*", "").replace("`", "").split())


def _printed(candidate: Candidate) -> str:
    """Return the tool output in the evidence, in the form that ``tokens.said`` compares."""
    printed = (f"{e.summary}\n{e.content}" for e in candidate.evidence if not is_quoted(e) and e.role != "change")
    return tokens.plain("\n".join(printed)).casefold()
