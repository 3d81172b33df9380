"""The evidence of an episode: its two ends, and between them what was chosen for its text."""

from __future__ import annotations

from dataclasses import dataclass

from mind_skills.detectors.composing.cause import Quote
from mind_skills.detectors.composing.proof import result
from mind_skills.detectors.composing.scene import Scene
from mind_skills.detectors.composing.sentences import cut, sentences, worth
from mind_skills.detectors.model import Evidence, Role
from mind_skills.detectors.tokens import tokens
from mind_skills.observations.model import Observation

MOST, SUMMARY, CONTENT = 6, 200, 500


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the text of an episode was made of: indexes, -1 or None where there is nothing of the kind."""

    failed: int | None
    asked: int | None
    complaint: str
    why: Quote | None
    changed: int
    remedy: str
    proved: int
    last_words: Quote | None


def collect(here: Scene, chosen: Chosen) -> tuple[Evidence, ...]:
    """At most six, ascending by line, each observation once; the ends of the episode are the first and the last line."""
    wanted = [here.first, here.last]
    wanted += [] if chosen.why is None else [chosen.why.index]
    wanted += [index for index in (chosen.failed, chosen.changed, chosen.proved) if index is not None and index >= 0]
    wanted += [] if chosen.asked is None or chosen.asked < here.first else [chosen.asked]
    wanted += [index for index in (*reversed(here.changes), *reversed(here.said), *reversed(here.failures))]
    room = MOST - (chosen.last_words is not None and chosen.last_words.index > here.last)
    room -= chosen.asked is not None and chosen.asked < here.first
    places = sorted(list(dict.fromkeys(wanted))[:room])
    begins, ends = here.at(here.first).line, _end(here.at(here.last))
    found = [_of(here, index, chosen, begins, ends) for index in places]
    if chosen.asked is not None and chosen.asked < here.first:
        one = here.at(chosen.asked)
        found.insert(0, _said("user", chosen.complaint, one.text, "symptom", begins, one.line))
    if chosen.last_words is not None and chosen.last_words.index > here.last:
        one = here.at(chosen.last_words.index)
        found.append(_said("agent", chosen.last_words.text, _closing(here, chosen.last_words, one), "insight", ends, one.line))
    return tuple(sorted(found, key=lambda each: each.line))


def _end(one: Observation) -> int:
    return one.end_line or one.line


def _of(here: Scene, index: int, chosen: Chosen, begins: int, ends: int) -> Evidence:
    one = here.at(index)
    line = ends if index == here.last else max(begins, one.line)
    if one.kind != "tool":
        return _statement(here, index, chosen, line)
    if one.change and one.action in ("edit", "write"):
        return _changed(one, chosen.remedy if index == chosen.changed else "", line)
    if index == chosen.proved:
        command = cut(" ".join(one.command.split()), SUMMARY - 9)
        said = result(one.text)
        return Evidence("success", "verification", f"`{command}` passed", _within(f"$ {command}", said, one.text[-250:]), line)
    if one.error:
        return _failed(one, line)
    name = cut(" ".join((one.command or one.tool).split()), SUMMARY - 2)
    return Evidence("warning", "context", f"`{name}`", _within(f"$ {name}", one.text[:250]), line)


def _failed(one: Observation, line: int) -> Evidence:
    command = cut(" ".join((one.command or one.tool).split()), 90)
    summary = cut(f"`{command}` failed: {one.error}", SUMMARY)
    at = one.text.find(one.error[:60])
    around = one.text[max(0, at - 40) : at + 300] if at >= 0 else one.text[:300]
    whole = cut(" ".join(one.command.split()), 200)
    return Evidence("problem", "symptom", summary, _within(f"$ {whole}", one.error if at < 0 else "", around.strip()), line)


def _changed(one: Observation, remedy: str, line: int) -> Evidence:
    place = one.files[0] if one.files else cut(" ".join(one.command.split()), 120)
    name = place.rpartition("/")[2] if one.files else cut(place, 60)
    rows = one.change.split("\n")
    if remedy:
        about = tokens(remedy)
        rows = sorted(rows[:200], key=lambda row: -len(tokens(row) & about))
    return Evidence("bugfix", "change", f"changed {name}", _within(place, "\n".join(rows)), line)


def _statement(here: Scene, index: int, chosen: Chosen, line: int) -> Evidence:
    one = here.at(index)
    if one.kind == "user":
        text = chosen.complaint if index == chosen.asked else cut(" ".join(one.text.split()), SUMMARY - 6)
        role: Role = "verification" if index == chosen.proved else "symptom"
        return _said("user", text, one.text, role, line)
    if chosen.why is not None and index == chosen.why.index:
        return _said("agent", chosen.why.text, _central(here, one, chosen.why.text), "cause", line)
    if chosen.last_words is not None and index == chosen.last_words.index:
        return _said("agent", chosen.last_words.text, _closing(here, chosen.last_words, one), "insight", line)
    best = _central(here, one, "")
    return _said("agent", best, best, "insight", line)


def _said(who: str, passage: str, text: str, role: Role, line: int, said_at: int = 0) -> Evidence:
    kind = "problem" if role == "symptom" else "success" if role == "verification" else "discovery"
    whole = text if passage in text else f"{passage} {text}"
    return Evidence(kind, role, cut(f"{who}: {passage}", SUMMARY), cut(" ".join(whole.split()), CONTENT), line, said_at)


def _central(here: Scene, one: Observation, known: str) -> str:
    """What a statement says beside ``known``: its sentences by what they name, as many as fit, after ``known``."""
    said = [sentence for sentence in sentences(one.text) if sentence not in known]
    said.sort(key=lambda sentence: -here.weight(sentence) * worth(sentence))
    kept = known
    for sentence in said:
        if len(kept) + len(sentence) < CONTENT:
            kept = f"{kept} {sentence}".strip()
    return kept or cut(" ".join(one.text.split()), CONTENT)


def _closing(here: Scene, words: Quote, one: Observation) -> str:
    return _central(here, one, words.text)


def _within(*parts: str) -> str:
    """The parts below one another, without those that are empty or said already, in at most ``CONTENT`` characters."""
    kept: list[str] = []
    for part in parts:
        if part and not any(part in other for other in kept):
            kept.append(part)
    return "\n".join(kept)[:CONTENT]
