"""Puts the text of an episode together."""

from __future__ import annotations

from mind_skills.detectors.composing import proof as proofs
from mind_skills.detectors.composing import remedy as remedies
from mind_skills.detectors.composing import scope as scopes
from mind_skills.detectors.composing import symptom as symptoms
from mind_skills.detectors.composing.cause import Quote, cause, closing
from mind_skills.detectors.composing.evidence import Chosen, collect
from mind_skills.detectors.composing.scene import Scene, scene
from mind_skills.detectors.composing.sentences import cut
from mind_skills.detectors.model import Composed, Episode
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.tokens import tokens

TITLE = 120
_HALF = 56


def compose(line: Timeline, episode: Episode) -> Composed:
    """What is said of an episode of this timeline. Pure; linear in the episode's length, which patterns/spans.py bounds."""
    here = scene(line, episode)
    failed, asked = symptoms.failure(here), symptoms.asked(here)
    complaint = symptoms.complaint(here, asked) if asked is not None else ""
    symptom = symptoms.error(here, failed) if failed is not None else complaint
    why = cause(here)
    last_words = closing(here, why.text if why else "")
    stated = f"{symptom} {why.text if why else ''}"
    changed, remedy = remedies.change(here, tokens(stated))
    if not remedy:
        remedy = remedies.command(here, failed)
    proved, proof = proofs.proof(here)
    files = scopes.files(here, changed)
    return Composed(
        title=_title(here, symptom, why, last_words, remedy),
        symptom=symptom,
        cause=why.text if why else "",
        remedy=remedy,
        proof=proof,
        scope=scopes.scope(here, f"{stated} {remedy}", files),
        evidence=collect(here, Chosen(failed, asked, complaint, why, changed, remedy, proved, last_words)),
    )


def _title(here: Scene, symptom: str, why: Quote | None, last_words: Quote | None, remedy: str) -> str:
    """The closing words where they fit, else symptom and cause, else what there is."""
    if last_words and len(last_words.text) <= TITLE:
        return last_words.text
    if symptom and why:
        head = cut(symptom, _HALF)
        return f"{head} - {cut(why.text, TITLE - 3 - len(head))}"
    said = why or last_words
    return cut(said.text if said else symptom or remedy or here.at(here.last).command, TITLE)
