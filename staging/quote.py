"""What the user or the main agent said of a candidate, as far as it may be told: whole sentences that read as such.

What in a sentence repeats a tool becomes typed tokens (staging/tokens.py), and then a sentence has lost words or is parted:
it is passed over, since the next one says more than what is left of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from mind_skills.detectors.composing.sentences import asks, instructs, plans, reports, sentences, stands_alone, worth
from mind_skills.detectors.tokens import tokens as words_of
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.staging import tokens
from mind_skills.staging.identity import normalised
from mind_skills.staging.model import CONTENT, OUTPUT, RULE, Candidate, quoted

BETWEEN = " … "
"""Stands between the sentences of a cause, as in detectors/composing/quotes.py."""
_STRANGERS = 120
"""Characters of what the agent said where the session held text of strangers, which it may repeat in its own words."""
_KEPT = 0.8
"""Share of its words that a sentence keeps where it is told."""
_WORDS, _PLAIN_WORDS = 4, 3
"""Of the shortest sentence that says something: all of them, and those of letters alone."""
_LEAST, _CLAUSE, _CLAUSE_WORDS = 60, 0.5, 5
"""Characters in which a sentence that is too long may be told; the share of them that its clauses fill, with less it is cut at
a word; words of a clause that is told of one that repeats a tool beside it."""
_UNSPACED = compile_later(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
"""Letters of scripts without blanks, two of which count as a word."""
_SPEAKER = compile_later(r"^(?:agent|user): ")
_LOOSE = compile_later(r" (?=[.,;:!?)\]]{1,3}(?:\s|\Z))|(?<=[(\[]) ")
"""Blanks that marks of layout left beside punctuation."""
_CLAUSES = compile_later(r"(?:[,;:]| [-–—]| (?:because|so that|since|but))(?= )")
_REASON = compile_later(r"\b(?:because|since|so|which means) (.*)")
"""The clause of a sentence that can stand for it."""
_WAITS = compile_later(r"(?:when|if|since|because|as|while|once|although|after|before)\b", re.IGNORECASE)
"""Begins a sentence that says nothing before its second clause."""
_DRAWN = compile_later(r"[^\w\s.…]{4}|[\u2500-\u259f]|\A\[")
"""Lines and frames of what was pasted, and marks of a log."""
_EDGES = ".,;:!?…()[]'’‘“”-–—·"
_PAIRS = {")": "(", "]": "["}
_ENDS = (".", "!", "?", "…", "。", "！", "？")


def quote(candidate: Candidate, limit: int) -> str:
    """Sentences of the cause, else of whatever else was said of it, in at most ``limit`` characters; empty where none reads as
    one. Of the agent's no more than ``_STRANGERS`` where it read text of strangers.
    """
    heard = [_plain(text) for text in spoken(candidate, "user: ")]
    agents = _STRANGERS if any(source != OUTPUT for source in candidate.taint) else limit
    printed, about = _printed(candidate), words_of(f"{candidate.symptom} {candidate.remedy}")
    if candidate.kind == RULE:  # what is to be done, in the user's words, however few
        rule = candidate.cause or candidate.title
        return tokens.cut(_neutral(rule, printed, candidate.repeats)[1], limit) if is_said(candidate, rule) else ""
    kept: list[str] = []
    room = limit
    for text, stated in _offered(candidate, printed):
        if not is_said(candidate, text) or (kept and text.endswith("…")):
            continue
        own = any(_plain(text).rstrip("….") in each for each in heard)
        most = room if own else min(room, agents)
        told = _fitting(_legible(text, printed, candidate.repeats), most, whole=bool(kept) or not stated)
        beside = (kept or not stated) and not words_of(told) & about
        if not told or beside or any(_same(told, other) for other in kept):
            continue
        if kept and not kept[-1].endswith(_ENDS):
            kept[-1] += "."
        kept.append(told)
        about |= words_of(told)
        room -= len(told) + 2
        agents -= 0 if own else len(told) + 2
    return " ".join(kept)


def is_said(candidate: Candidate, text: str) -> bool:
    """Whether the evidence holds a text as what the user or the main agent said."""
    words = _plain(text).rstrip("….")
    return bool(words) and any(words in _plain(each) for each in spoken(candidate))


def _offered(candidate: Candidate, printed: str) -> Iterator[tuple[str, bool]]:
    """What could be quoted, the most telling first, and whether it was chosen as such: the cause, the user's complaint, the
    title, then what else was said and says how things are. Of the sentences of the cause those that can be told whole come first.
    """
    why = sorted(
        _cause(candidate).split(BETWEEN), key=lambda text: not _reads(*_neutral(text, printed, candidate.repeats))
    )
    stated = [*why, candidate.symptom, *_complaint(candidate), candidate.title]
    stated = [text for text in stated if text and not (plans(text) or instructs(text) or asks(text))]
    yield from ((text, True) for text in stated if not reports(text))
    for text in spoken(candidate):
        for each in sentences(text):
            if stands_alone(each) and worth(each) >= 1:
                yield each, False
    yield from ((text, False) for text in stated if reports(text))


def _complaint(candidate: Candidate) -> list[str]:
    """What the user said that was wrong, by its sentences."""
    said = [e.summary for e in candidate.evidence if e.role == "symptom" and e.summary.startswith("user: ")]
    texts = [_SPEAKER.sub("", text) for text in said[:1]]
    return [each for text in texts for each in sentences(text) or (text,)]


def _legible(text: str, printed: str, repeats: Sequence[str]) -> str:
    """A sentence without what in it repeats a tool, where it still reads as one; else the clause of it that says why, or those
    before the repetition; else empty.
    """
    before, after = _neutral(text, printed, repeats)
    if _reads(before, after):
        return after
    had, has = before.split(), after.split()
    why = _REASON.search(" ".join(reversed(_alike(reversed(had), reversed(has)))))
    if why and not plans(why[1]) and len(why[0].split()) >= _CLAUSE_WORDS and _reads(why[0], tail := _tidy(why[0])):
        return f"…{tail}"
    begun = " ".join(_alike(had, has))
    ends = [found.start() for found in _CLAUSES.finditer(begun)]
    head = _tidy(begun[: ends[-1]]) if ends and not _WAITS.match(begun) else ""
    return f"{head}…" if len(head.split()) >= _CLAUSE_WORDS and _reads(head, head) else ""


def _neutral(text: str, printed: str, repeats: Sequence[str]) -> tuple[str, str]:
    """A sentence on one line, and the same with what repeats a tool in typed tokens."""
    return _tidy(tokens.plain(text)), _tidy(tokens.said(text, CONTENT, printed, repeats))


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
    return _LOOSE.sub("", text).strip(" ,;:-–—·")


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


def _fitting(text: str, limit: int, *, whole: bool) -> str:
    """A sentence that fits; of one that is too long as many clauses as do, or where those are little its words, unless it is
    told ``whole`` or not at all.
    """
    if len(text) <= limit:
        return text
    if whole or limit < _LEAST:
        return ""
    ends = [found.start() for found in _CLAUSES.finditer(text[:limit]) if _closed(text[: found.start()])]
    if ends and ends[-1] >= _CLAUSE * limit:
        return f"{text[: ends[-1]].rstrip(' ,;:-–—')}…"
    head = tokens.cut(text, limit)
    return head if _closed(head) else ""


def _same(text: str, other: str) -> bool:
    return text.rstrip("….") in other or other.rstrip("….") in text


def _cause(candidate: Candidate) -> str:
    """The cause; of a candidate for which nothing is stated, as older versions staged them, what was said first."""
    if candidate.cause or candidate.symptom or candidate.remedy:
        return candidate.cause
    return next(iter(spoken(candidate)), "")


def spoken(candidate: Candidate, who: str = "") -> list[str]:
    """The contents of what was said, the agent's before the user's, who may have pasted what a tool printed."""
    said = [e for e in candidate.evidence if quoted(e) and e.summary.startswith(who)]
    said.sort(key=lambda e: e.summary.startswith("user: "))
    return [text for e in said for text in (e.content, _SPEAKER.sub("", e.summary)) if text.strip()]


def _plain(text: str) -> str:
    return " ".join(normalised(text).replace("*", "").replace("`", "").split())


def _printed(candidate: Candidate) -> str:
    """What tools printed, as far as the evidence holds it, in the form that ``tokens.said`` compares."""
    printed = (f"{e.summary}\n{e.content}" for e in candidate.evidence if not quoted(e) and e.role != "change")
    return tokens.plain("\n".join(printed)).casefold()
