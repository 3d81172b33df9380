"""Assemble the text of an episode from its parts."""

from __future__ import annotations

from mind_skills.detectors.composing import symptom as symptoms
from mind_skills.detectors.composing.context import EpisodeContext, build_context
from mind_skills.detectors.composing.evidence import EpisodeParts, collect_evidence
from mind_skills.detectors.composing.quotes import SEPARATOR, Sentence, find_causes, find_closing, find_remedies
from mind_skills.detectors.composing.remedy import extract_added_words, find_change, find_command, find_proof
from mind_skills.detectors.composing.scope import describe_scope, list_files
from mind_skills.detectors.composing.sentences import shorten_sentence, truncate
from mind_skills.detectors.model import Episode, EpisodeText
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.words import extract_tokens

MAX_TITLE_LENGTH = 120
_MAX_TITLE_SYMPTOM_LENGTH = 56


def compose(timeline: Timeline, episode: Episode) -> EpisodeText:
    """Compose the text of an episode. Takes time linear in the episode's length, which timeline.py limits."""
    context = build_context(timeline, episode)
    failure_index, complaint_index = symptoms.find_failure(context), symptoms.find_complaint_message(context)
    complaint = symptoms.extract_complaint(context, complaint_index) if complaint_index is not None else ""
    symptom = (symptoms.find_error(context, failure_index) if failure_index is not None else "") or complaint
    causes = find_causes(context, complaint)
    cause = SEPARATOR.join(sentence.text for sentence in causes)
    problem = f"{symptom} {cause}"
    problem_words = extract_tokens(problem)
    change_index, remedy = find_change(context, context.changes, problem_words)
    added_words = extract_tokens(extract_added_words(remedy))
    if not remedy:
        change_index, remedy, added_words = find_command(context, failure_index)
    if context.earlier_changes:
        earlier_index, earlier_remedy = find_change(context, context.earlier_changes, problem_words)
        added_words |= extract_tokens(extract_added_words(earlier_remedy))
        change_index, remedy = (change_index, remedy) if remedy else (earlier_index, earlier_remedy)
    proof_index, proof = find_proof(context, failure_index)
    remedies = find_remedies(context, added_words, proof_index, causes)
    if complaint and failure_index is not None and symptoms.is_trivial_failure(context, failure_index):
        explained = extract_tokens(" ".join([cause, remedy, *(sentence.text for sentence in remedies)]))
        # If cause and remedy explain the complaint and not the error, the failed call was incidental to the fix.
        if extract_tokens(complaint) & explained and not explained & (
            extract_tokens(symptom) - extract_tokens(context.get_observation(failure_index).command)
        ):
            failure_index, symptom = None, complaint
    closing = find_closing(context, causes, MAX_TITLE_LENGTH)
    remedy = remedy or (remedies[0].text if remedies else "")
    files = list_files(context, change_index)
    return EpisodeText(
        title=_compose_title(context, symptom, causes, closing, remedy),
        symptom=symptom,
        cause=cause,
        remedy=remedy,
        proof=proof,
        scope=describe_scope(context, f"{problem} {remedy}", files),
        evidence=collect_evidence(
            context,
            EpisodeParts(
                failure_index,
                symptom,
                complaint_index,
                complaint,
                causes,
                remedies,
                change_index,
                remedy,
                proof_index,
                closing,
            ),
        ),
        failure_index=failure_index,
    )


def _compose_title(
    context: EpisodeContext, symptom: str, causes: tuple[Sentence, ...], closing: Sentence | None, remedy: str
) -> str:
    """Return the first of these that exists: closing sentence; symptom and cause; cause; symptom; remedy; last command."""
    if closing:
        return closing.text
    if symptom and causes and symptom not in causes[0].text:
        head = truncate(symptom, _MAX_TITLE_SYMPTOM_LENGTH)
        cause = _fit_title(causes[0].text, MAX_TITLE_LENGTH - 3 - len(head))
        room = MAX_TITLE_LENGTH - 3 - len(cause)
        return f"{truncate(symptom, room) if room > len(head) else head} - {cause}"
    text = causes[0].text if causes else symptom or remedy or context.get_observation(context.last).command
    return _fit_title(text, MAX_TITLE_LENGTH)


def _fit_title(text: str, limit: int) -> str:
    return shorten_sentence(text, limit) or truncate(text, limit)
