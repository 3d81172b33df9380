"""Renders what the next session is shown of one candidate, at staging time, so that its start only joins and prints.

Title, confidence, id, reason and typed evidence. Text of tools, of the web and of MCP servers appears as typed tokens
only (staging/tokens.py). One short quote may come from what the user or the main agent said: the title, where they
said it, else a line of its own; what in it repeats the evidence of a tool becomes typed tokens, too. A candidate that
rests on the web or on an MCP server carries a mark.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mind_skills.detectors.model import Evidence
from mind_skills.staging import tokens
from mind_skills.staging.frame import BETWEEN, SKILLS, assemble
from mind_skills.staging.identity import normalised
from mind_skills.staging.model import OUTPUT, PER_OFFER, TITLE, Candidate, quoted


class Size(NamedTuple):
    """Characters of an entry and of its parts."""

    entry: int
    title: int
    reason: int
    quote: int


COMPACT, WIDE = Size(234, 84, 68, 76), Size(470, 120, 110, 120)
"""Five compact entries and the frame stay near 400 tokens; one or two learnings have the room for more."""
_OWN_SIGNS = frozenset('"#')
"""Of the entry itself: around its quote, and in what a command was called with."""
_SPEAKER = re.compile(r"^(?:agent|user): ")
_REASON_WORDS = frozenset(
    """a after and as before cause change changes check did do expected failed found it its looks named not of passed
    problem reported run runs said same session solved that the then times to user verified visits was were what
    with""".split()
)
"""What the detectors' reasons are made of; anything else in a reason came from the log."""
_REASONS = {
    "problem_solution": "a problem and what solved it",
    "error_fix": "an error and the change that ended it",
    "deep_investigation": "a long search in one place",
    "non_obvious": "a cause that was not obvious",
}


def render(candidates: list[Candidate], skills: str = SKILLS) -> str:
    """The whole offer for these candidates, the first five of them. ``skills`` is the host's folder for skills."""
    return assemble([entry(candidate) for candidate in candidates[:PER_OFFER]], skills)


def entry(candidate: Candidate) -> str:
    """One candidate in both sizes, as ``staging.frame.assemble`` takes it."""
    return entry_of(candidate, COMPACT) + BETWEEN + entry_of(candidate, WIDE)


def entry_of(candidate: Candidate, size: Size) -> str:
    """One candidate in about ``size.entry`` characters: three lines at most, nothing that looks like a tag."""
    title, quoted = _title(candidate, size.title)
    head = f"{title} [{candidate.confidence}] {candidate.id}"
    lines = [head, f"   {_reason(candidate, size.reason)}"]
    room = size.entry - sum(len(line) + 1 for line in lines) - 3
    quote = size.quote if not quoted and not candidate.taint else 0
    evidence = _evidence(candidate, room, quote)
    whole = "\n".join([*lines, f"   {evidence}"] if evidence else lines)
    return "".join(sign if sign in _OWN_SIGNS else tokens.unbracketed(sign) for sign in whole)


def told(candidate: Candidate, limit: int = 500) -> list[str]:
    """A candidate in sentences that may reach a prompt: its title, and what was said of its cause, unless that rests on
    what anybody may have written. What tools printed is in it as typed tokens only.
    """
    spoken = () if candidate.taint else _spoken(candidate)[:1]
    said = [tokens.said(text, limit, _printed(candidate), candidate.repeats) for text in spoken]
    return list(dict.fromkeys(filter(None, [_title(candidate, TITLE)[0], *said])))


def _title(candidate: Candidate, limit: int) -> tuple[str, bool]:
    """The title, and whether it is a quote: what was said as it is, the rest as typed tokens; else kind and file."""
    spoken = [_plain(text) for text in _spoken(candidate)]
    parts = candidate.title.split(": ")
    for i in range(len(parts)):
        # Detectors write "error: insight", so everything behind some colon may have been said.
        words = _plain(": ".join(parts[i:])).rstrip("….")
        if words and any(words in text for text in spoken):
            error = tokens.typed(": ".join(parts[:i]), limit // 2).rstrip(":…")
            quote = tokens.said(": ".join(parts[i:]), limit, _printed(candidate), candidate.repeats)
            if title := f"{error}: {quote}".removeprefix(": ").removesuffix(": "):
                return tokens.cut(title, limit), True
    title = tokens.typed(candidate.title, limit)
    if title:
        return title, False
    names = (tokens.path(name.rsplit("/", 1)[-1]) for name in candidate.files)
    place = next((name for name in names if name), "")
    commands = (tokens.command(e.summary[1:].partition("`")[0]) for e in candidate.evidence if e.summary[:1] == "`")
    about = next((f": {name}" for name in commands if name), "")
    return tokens.cut(candidate.kind.replace("_", " ") + about + (f" in {place}" if place else ""), limit), False


def _reason(candidate: Candidate, limit: int) -> str:
    """The detector's reason, or what its kind means, with recurrence and taint."""
    reason = tokens.reason(candidate.reason, _REASON_WORDS, limit) or _REASONS.get(candidate.kind, "")
    facts = [reason.rstrip(".")]
    if len(candidate.sessions) > 1:
        facts.append(f"in {len(candidate.sessions)} sessions")
    strangers = "/".join(tokens.path(source) for source in candidate.taint if source != OUTPUT)[:20]
    marks = [f"rests on {strangers}"] if strangers else []
    marks += ["repeats a tool"] if OUTPUT in candidate.taint else []
    if marks:
        facts.append(f"{', '.join(marks)}: ask first")
    return "; ".join(facts)


def _evidence(candidate: Candidate, room: int, quote: int) -> str:
    spoken = (
        tokens.said(text, quote, _printed(candidate), candidate.repeats) for text in _spoken(candidate)[:1] if quote
    )
    parts = [f'"{text}"' for text in spoken if text]
    parts += [" ".join(filter(None, (f"[{e.type}]", _token(e), f"L{e.line}"))) for e in candidate.evidence]
    kept = ""
    for part in parts:
        longer = f"{kept} {part}".strip()
        if len(longer) <= room:
            kept = longer
    return kept


def _token(evidence: Evidence) -> str:
    """A command with how it ended, a file, or the names in what was printed."""
    summary = evidence.summary
    if quoted(evidence):
        return ""
    if summary.startswith("`"):
        line, _, end = summary[1:].rpartition("`") if "`" in summary[1:] else (summary[1:], "", "")
        ended = next((word for word in ("failed", "passed") if end.startswith(f" {word}")), "")
        error = tokens.typed(end.removeprefix(" failed:"), 40) if ended == "failed" else ""
        return " ".join(filter(None, (tokens.command(line), ended, error)))
    name = tokens.path(summary.removeprefix("changed ")) if evidence.role == "change" else ""
    return name or tokens.typed(summary, 40)


def _spoken(candidate: Candidate) -> list[str]:
    """The contents of what was said, the agent's before the user's, who may have pasted what a tool printed."""
    said = [e for e in candidate.evidence if quoted(e)]
    said.sort(key=lambda e: e.summary.startswith("user: "))
    return [text for e in said for text in (e.content, _SPEAKER.sub("", e.summary)) if text.strip()]


def _plain(text: str) -> str:
    return " ".join(normalised(text).replace("*", "").replace("`", "").split())


def _printed(candidate: Candidate) -> str:
    """What tools printed, as far as the evidence holds it, in the form that ``tokens.said`` compares."""
    printed = (f"{e.summary}\n{e.content}" for e in candidate.evidence if not quoted(e) and e.role != "change")
    return tokens.plain("\n".join(printed)).casefold()
