"""The evidence of an episode: its two ends, and between them what was chosen for its text."""

from __future__ import annotations

from dataclasses import dataclass

from mind_skills.detectors.composing.proof import result
from mind_skills.detectors.composing.quotes import Sentence
from mind_skills.detectors.composing.scene import Scene
from mind_skills.detectors.composing.sentences import cut, line_of, plans, sentences, worth
from mind_skills.detectors.model import Evidence, EvidenceType, Role
from mind_skills.detectors.tokens import tokens
from mind_skills.observations.model import Observation

MOST, SUMMARY, CONTENT = 6, 200, 500
_TYPES: dict[Role, EvidenceType] = {
    "symptom": "problem",
    "verification": "success",
    "cause": "discovery",
    "insight": "discovery",
    "change": "bugfix",
}
"""Of what was said."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the text of an episode was made of: indexes, -1 or None where there is nothing of the kind."""

    failed: int | None
    symptom: str
    asked: int | None
    complaint: str
    why: tuple[Sentence, ...]
    done: tuple[Sentence, ...]
    changed: int
    remedy: str
    proved: int
    last_words: Sentence | None


def collect(here: Scene, chosen: Chosen) -> tuple[Evidence, ...]:
    """At most six, ascending by line, each observation once; the ends of the episode are the first and the last line."""
    why, done = [each.place for each in chosen.why[:2]], [each.place for each in chosen.done]
    wanted: list[int | None] = [here.first, here.last, *why[:1], *done[:1], chosen.failed, chosen.changed]
    wanted += [*why[1:], *done[1:], chosen.asked, chosen.last_words.place if chosen.last_words else None, chosen.proved]
    wanted += [here.closing, *here.beside[-3:], *reversed(here.changes), *reversed(here.said), *reversed(here.failures)]
    places = list(dict.fromkeys(index for index in wanted if index is not None and index >= 0))[:MOST]
    return tuple(sorted((_of(here, index, chosen) for index in places), key=lambda each: (each.line, each.said_at)))


def _of(here: Scene, index: int, chosen: Chosen) -> Evidence:
    one = here.at(index)
    begins, ends = here.at(here.first).line, _end(here.at(here.last))
    line = begins if index < here.first else ends if index >= here.last else max(begins, min(one.line, ends))
    if one.kind != "tool":
        said_at = 0 if here.first <= index <= here.last else one.line
        return _statement(here, index, chosen, line, said_at)
    if one.change and one.action in ("edit", "write"):
        return _changed(one, chosen.remedy if index == chosen.changed else "", line)
    if index == chosen.proved:
        return _passed(one, line)
    if one.error or index == chosen.failed:
        return _failed(one, chosen.symptom if index == chosen.failed else one.error, line)
    name = cut(line_of(one.command or one.tool), SUMMARY - 2)
    return Evidence("warning", "context", f"`{name}`", _below(f"$ {name}", one.text[:CONTENT]), line)


def _end(one: Observation) -> int:
    return one.end_line or one.line


def _passed(one: Observation, line: int) -> Evidence:
    command, said = cut(line_of(one.command), SUMMARY - 9), result(one.text)
    rest = one.text[-(CONTENT - len(command) - len(said) - 4) :]
    return Evidence("success", "verification", f"`{command}` passed", _below(f"$ {command}", said, rest), line)


def _failed(one: Observation, said: str, line: int) -> Evidence:
    """The command, the error in the next line (staging/tables/uses.py reads it there), and what stands around what it ``said``."""
    command = line_of(one.command or one.tool)
    at = one.text.find(said[:60])
    around = one.text[max(0, at - 40) : at + CONTENT].strip()
    summary = cut(f"`{cut(command, 90)}` failed: {one.error or said}", SUMMARY)
    content = f"$ {cut(command, 240)}\n{one.error or said}\n{around}"[:CONTENT]
    return Evidence("problem", "symptom", summary, content, line)


def _changed(one: Observation, remedy: str, line: int) -> Evidence:
    place = one.files[0] if one.files else cut(line_of(one.command), 120)
    name = place.rpartition("/")[2] if one.files else cut(place, 60)
    rows = one.change.split("\n")
    if remedy:
        about = tokens(remedy)
        rows = sorted(rows[:200], key=lambda row: -len(tokens(row) & about))
    return Evidence("bugfix", "change", f"changed {name}", _below(place, "\n".join(rows)), line)


def _statement(here: Scene, index: int, chosen: Chosen, line: int, said_at: int) -> Evidence:
    one = here.at(index)
    own = [each.text for each in chosen.why if each.place == index]
    done = any(each.place == index for each in chosen.done)
    role: Role = "cause" if own else "change" if done else "insight"
    for each in (*chosen.done, chosen.last_words):
        if each is not None and each.place == index and not any(each.text in other for other in own):
            own.append(each.text)
    if one.kind == "user":
        role = "verification" if index == chosen.proved else "cause" if own else "symptom"
        own += [chosen.complaint] if index == chosen.asked and chosen.complaint not in own else []
    who = "user" if one.kind == "user" else "agent"
    whole = _central(here, one, own)
    return Evidence(_TYPES[role], role, cut(f"{who}: {' '.join(own) or whole}", SUMMARY), whole, line, said_at)


def _central(here: Scene, one: Observation, own: list[str]) -> str:
    """``own`` sentences of a statement, and as many others as fit, by what they name: also those that repeat a tool, which
    staging/provenance.py has to see.
    """
    said = [sentence for sentence in sentences(one.text) if not any(sentence in each for each in own)]
    said.sort(key=lambda sentence: -here.weight(sentence) * worth(sentence) * (0.5 if plans(sentence) else 1.0))
    kept = "\n".join(own)
    for sentence in said:
        if len(kept) + len(sentence) < CONTENT:
            kept = f"{kept}\n{sentence}".strip()  # a line each: what is no sentence does not run into the next one
    return cut(kept or " ".join(one.text.split()), CONTENT)


def _below(*parts: str) -> str:
    """The parts below one another, without those that are empty or said already, in at most ``CONTENT`` characters."""
    kept: list[str] = []
    for part in parts:
        if part and not any(part in other for other in kept):
            kept.append(part)
    return "\n".join(kept)[:CONTENT]
