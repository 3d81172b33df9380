"""Puts the text of an episode together."""

from __future__ import annotations

from mind_skills.detectors.composing import proof as proofs
from mind_skills.detectors.composing import remedy as remedies
from mind_skills.detectors.composing import scope as scopes
from mind_skills.detectors.composing import symptom as symptoms
from mind_skills.detectors.composing.evidence import Chosen, collect
from mind_skills.detectors.composing.quotes import BETWEEN, Sentence, find_causes, find_closing, find_remedies
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
    failed, asked = symptoms.find_failure(here), symptoms.asked(here)
    complaint = symptoms.complaint(here, asked) if asked is not None else ""
    symptom = (symptoms.find_error(here, failed) if failed is not None else "") or complaint
    why = find_causes(here, complaint)
    said = BETWEEN.join(each.text for each in why)
    stated = f"{symptom} {said}"
    about = tokens(stated)
    changed, remedy = remedies.find_change(here, here.changes, about)
    brought = tokens(remedies.brought_in(remedy))
    if not remedy:
        changed, remedy, brought = remedies.find_command(here, failed)
    if here.earlier:
        place, before = remedies.find_change(here, here.earlier, about)
        brought |= tokens(remedies.brought_in(before))
        changed, remedy = (changed, remedy) if remedy else (place, before)
    proved, proof = proofs.proof(here, failed)
    done = find_remedies(here, brought, proved, why)
    if complaint and failed is not None and symptoms.is_slip(here, failed):
        explained = tokens(" ".join([said, remedy, *(each.text for each in done)]))
        # then the complaint is what was mended, and the call that failed a slip on the way
        if tokens(complaint) & explained and not explained & (tokens(symptom) - tokens(here.at(failed).command)):
            failed, symptom = None, complaint
    last_words = find_closing(here, why, TITLE)
    remedy = remedy or (done[0].text if done else "")
    files = scopes.files(here, changed)
    return Composed(
        title=_title(here, symptom, why, last_words, remedy),
        symptom=symptom,
        cause=said,
        remedy=remedy,
        proof=proof,
        scope=scopes.scope(here, f"{stated} {remedy}", files),
        evidence=collect(
            here, Chosen(failed, symptom, asked, complaint, why, done, changed, remedy, proved, last_words)
        ),
    )


def _title(here: Scene, symptom: str, why: tuple[Sentence, ...], last_words: Sentence | None, remedy: str) -> str:
    """The closing words, else symptom and cause, else what there is."""
    if last_words:
        return last_words.text
    if symptom and why and symptom not in why[0].text:
        head = cut(symptom, _HALF)
        return f"{head} - {cut(why[0].text, TITLE - 3 - len(head))}"
    return cut(why[0].text if why else symptom or remedy or here.at(here.last).command, TITLE)
