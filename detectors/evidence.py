"""Evidence and titles out of observations, the same way for every detector."""

from __future__ import annotations

import re
from functools import lru_cache

from mind_skills.detectors import thresholds, words
from mind_skills.detectors.model import Evidence, EvidenceType, Role
from mind_skills.detectors.signals import says, tokens
from mind_skills.observations.later import compile_later
from mind_skills.observations.model import Observation
from mind_skills.observations.sources import REMOTE

TITLE, SUMMARY, CONTENT = 120, 200, 500
_FENCE = compile_later(r"```.*?(?:```|\Z)", re.DOTALL)
_PATH = compile_later(r"[\w@~./-]*\w\.[A-Za-z]\w{0,7}")
_SENTENCES = compile_later(r"(?<=[.!?])\s+(?=[A-Z`*\"'(0-9])|\s+(?=\d\. )|:\s+(?=\d\. )")


def shorten(text: str, limit: int) -> str:
    """On one line, at most ``limit`` characters, cut at a word."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    return (cut[: cut.rfind(" ")] if " " in cut[limit // 2 :] else cut).rstrip(" ,;:-") + "…"


def headline(passage: str, limit: int = TITLE) -> str:
    """The sentence of a passage that says most: fillers such as "I see the issue." are passed over."""
    sentences, full = _sentences(passage)
    best = full or max(sentences, key=lambda part: len(tokens(part)), default="") or passage
    if best.count("`") % 2:
        best = best.replace("`", "")
    first = best.split(" ", 1)[0]
    return shorten(best[:1].upper() + best[1:] if first.isalpha() and first.islower() else best, limit)


def telling(passage: str) -> bool:
    """Whether a passage holds a sentence that says something, beside fillers such as "I see the issue."."""
    return bool(_sentences(passage)[1])


@lru_cache(256)
def _sentences(passage: str) -> tuple[tuple[str, ...], str]:
    """The sentences of a passage, and the first that says something: who asks whether there is one asks next which."""
    parts = _SENTENCES.split(" ".join(_FENCE.sub(" ", passage).split()).replace("**", ""))
    cut = (words.LEAD.sub("", part.strip(" *#->:|")) for part in parts)
    sentences = tuple(part for part in cut if part)
    return sentences, next(filter(_says_something, sentences), "")


def _says_something(sentence: str) -> bool:
    return says(sentence, thresholds.SENTENCE) and not words.FILLER.match(sentence)


def heard(observation: Observation, role: Role, passage: str) -> Evidence:
    """What the user or the agent said."""
    kind: EvidenceType = "problem" if role == "symptom" else "discovery"
    who = "user" if observation.kind == "user" else "agent"
    return Evidence(kind, role, shorten(f"{who}: {passage}", SUMMARY), shorten(passage, CONTENT), observation.line)


def failed(observation: Observation) -> Evidence:
    """A command that failed, with its error."""
    summary = f"`{shorten(observation.command or observation.tool, 90)}` failed: {observation.error}"
    content = f"$ {shorten(observation.command, 160)}\n{observation.error}\n{excerpt(observation)}"
    return Evidence("problem", "symptom", shorten(summary, SUMMARY), content[:CONTENT], observation.line)


def changed(observation: Observation) -> Evidence:
    """A change, with what it removed and added."""
    name = observation.files[0].rsplit("/", 1)[-1] if observation.files else shorten(observation.command, 60)
    content = f"{observation.files[0] if observation.files else observation.command[:120]}\n{observation.change}"
    return Evidence("bugfix", "change", f"changed {name}", content[:CONTENT], observation.line)


def ran(observation: Observation, role: Role) -> Evidence:
    """A command and what it printed, whatever came of it."""
    kind: EvidenceType = "success" if role == "verification" else "warning"
    content = f"$ {shorten(observation.command, 300)}\n{observation.text[:180]}"
    return Evidence(kind, role, f"`{shorten(observation.command, 150)}`", content[:CONTENT], observation.line)


def passed(observation: Observation) -> Evidence:
    """A check that passed, or a user who said that it works."""
    if observation.kind == "user":
        return heard(observation, "verification", observation.text)
    line = observation.end_line or observation.line
    content = f"$ {shorten(observation.command, 200)}\n{observation.text[-250:]}"
    return Evidence("success", "verification", f"`{shorten(observation.command, 120)}` passed", content[:CONTENT], line)


def excerpt(observation: Observation, limit: int = 260) -> str:
    """What stands around the error in the output."""
    at = observation.text.find(observation.error[:60]) if observation.error else -1
    start = max(0, at - 40) if at >= 0 else 0
    return observation.text[start : start + limit].strip()


def files_of(observations: list[Observation]) -> tuple[str, ...]:
    """The files that these touched, each once, at most ten."""
    return tuple(dict.fromkeys(name for observation in observations for name in observation.files))[:10]


def looked_at(observation: Observation) -> tuple[str, ...]:
    """The files of a tool call; where the shell reads them, as in Codex, what has the form of a path in its target."""
    if observation.files or observation.action != "read":
        return observation.files
    return tuple(word for word in observation.target.split() if _PATH.fullmatch(word))


def taint_of(observations: list[Observation]) -> tuple[str, ...]:
    """Sources of text that anybody may have written."""
    return tuple(sorted({o.source for o in observations if o.source in REMOTE}))
